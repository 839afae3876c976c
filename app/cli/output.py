"""What commands print: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app.config.redaction import redact
from app.core.conversations.markdown_export import answer_with_marks
from app.core.trash.service import TRASH_DAYS
from app.domain.events import FileDone, FileStarted, IndexProgress, IngestDone, IngestProgress
from app.domain.transfer import TransferProgress, TransferStep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.conversations import Exchange
    from app.domain.courses import Course
    from app.domain.search import SearchHit, SearchResults
    from app.domain.sources import Citation
    from app.domain.trash import TrashEntry

_DAY = 86_400.0


def print_json(value: object, indent: int | None = 2) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=indent, default=str))  # messages become sentences


def note(text: object) -> None:
    """Print something that is not the result, without secrets."""
    print(redact(str(text)), file=sys.stderr, flush=True)


def counted(number: int, what: str) -> str:
    """Return "1 passage", "3 passages"."""
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def show_progress(events: Iterable[object]) -> None:
    """Run something long and report its progress."""
    for event in events:
        show_event(event)


def show_event(event: object) -> None:
    match event:
        case IngestProgress() if event.seconds_left is not None:
            note(
                f"{event.path}: {event.files_done}/{event.files_total} files, "
                f"{event.passages_per_second:.0f} passages/s, {event.seconds_left:.0f} s left"
            )
        case FileDone():
            note(f"{event.status}: {event.path}")
        case FileStarted():
            note(f"{event.index}/{event.total}: {event.path}")
        case IndexProgress():
            note(f"indexing {event.done}/{event.total}")
        case TransferProgress(step=TransferStep.COPYING | TransferStep.ADDING):
            note(f"{event.step} {event.done}/{event.total}")


# JSON forms; others rely on their names and order.


def fields(value: object, *names: str) -> dict[str, Any]:
    """Return the attributes of these names."""
    return {name: getattr(value, name) for name in names}


def ingest_json(done: IngestDone) -> dict[str, Any]:
    names = ("path", "status", "course_title", "passages", "embedded", "reason")
    return {
        **fields(done.counts, "courses", "passages"),
        "files": [fields(file, *names) for file in done.files],
        "seconds": round(done.seconds, 3),
        "passages_per_second": round(done.passages_embedded / done.seconds, 1) if done.seconds else 0.0,
    }


def course_json(course: Course) -> dict[str, Any]:
    return {
        **fields(course, "title", "instructor", "link", "passages", "files"),
        "lessons": [fields(lesson, "number", "title", "link", "passages") for lesson in course.lessons],
    }


def hit_json(hit: SearchHit) -> dict[str, Any]:
    names = ("course_title", "lesson_number", "lesson_title", "chunk_index", "text", "path", "start", "end")
    return {
        "rank": hit.rank,
        "score": round(hit.score, 4),
        **fields(hit, *names),
        "anchor": None if hit.anchor is None else hit.anchor.as_dict(),
        "link": hit.link,
    }


def results_json(results: SearchResults) -> dict[str, Any]:
    return {
        "course_title": results.course_title,
        "hits": [hit_json(hit) for hit in results.hits],
        "message": str(results.message) if results.message else None,
    }


def exchange_json(exchange: Exchange) -> dict[str, Any]:
    paths = {source.n: source.hit.path for source in exchange.sources}
    tokens = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    return {
        "answer": answer_with_marks(exchange.answer, exchange.citations),
        "sources": [{"n": source.n, **hit_json(source.hit)} for source in exchange.sources],
        "citations": [
            _citation_json(exchange, citation, paths.get(citation.source_n))
            for citation in exchange.citations
        ],
        "usage": fields(exchange.usage, *tokens),
        "stop_reason": exchange.stop_reason,
        "seconds": round(exchange.seconds, 3),
    }


def _citation_json(exchange: Exchange, citation: Citation, path: str | None) -> dict[str, Any]:
    return {
        "n": citation.source_n,
        "cited_text": citation.cited_text,
        "path": path,
        **fields(citation, "start", "end", "verified"),
        "answer_start": _marked_position(exchange, citation.answer_start, after_marks=True),
        "answer_end": _marked_position(exchange, citation.answer_end, after_marks=False),
    }


def _marked_position(exchange: Exchange, position: int, *, after_marks: bool) -> int:
    """Return where a position of the answer lies once the marks are in it."""
    before = [item for item in exchange.citations if item.answer_end < position + after_marks]
    marked = len(answer_with_marks(exchange.answer[:position], before))
    if after_marks and exchange.answer[position : position + 1] == "(" and before:
        marked += before[-1].answer_end == position  # a space keeps "[1](" from being a link
    return marked


def trash_json(entry: TrashEntry) -> dict[str, Any]:
    return {
        **fields(entry, "course_title", "paths", "passages"),
        "removed": _iso(entry.removed),
        "deleted_after": _iso(entry.removed + TRASH_DAYS * _DAY),
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
