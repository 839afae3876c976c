"""What commands print: results on standard output, everything else on standard error."""

import json
import math
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, TypeVar

from app.config.redaction import redact
from app.core.answers.prompts import one_line
from app.domain.documents import clock
from app.domain.events import FileDone, FileStarted, Hearing, IndexProgress, IngestProgress, RecognizingPages
from app.domain.keeping import TransferProgress, TransferStep
from app.domain.plain_text import for_terminal, harmless
from app.domain.search import SearchHit

_PLACES = {"page": "page", "scan": "page", "slide": "slide", "slide_scan": "slide", "cell": "cell"}

_Event = TypeVar("_Event")


def say(line: object) -> None:
    """Print one line of a result; nothing in it steers a terminal, misleads a reader or ends the line."""
    print(_on_one_line(line))


def say_text(text: str, end: str = "\n") -> None:
    """Print a text of any number of lines."""
    print(for_terminal(text), end=end, flush=True)


def print_json(value: object, indent: int | None = 2) -> None:
    """Print JSON; what :func:`say` would leave out is escaped and arrives as it is."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)  # messages become sentences
    print(text if harmless(text) == text else "".join(map(_escaped, text)))


def _escaped(character: str) -> str:
    if "\ud800" <= character <= "\udfff":  # of a file name that is no text; many programs refuse it in JSON
        return "?"
    return character if harmless(character) == character else json.dumps(character)[1:-1]


def _on_one_line(text: object) -> str:
    return for_terminal(str(text)).replace("\n", "\ufffd")


def fields(value: object, *names: str) -> dict[str, Any]:
    """Return the attributes of these names; others rely on names and order of the JSON forms."""
    return {name: getattr(value, name) for name in names}


def heading(hit: SearchHit) -> str:
    return hit.course_title + ("" if hit.lesson_number is None else f" - Lesson {hit.lesson_number}")


def place_name(hit: SearchHit) -> str:
    """Return where a passage stands in its file, such as ``page 3``; empty if that is unknown."""
    if hit.anchor is None:
        return ""
    if name := _PLACES.get(hit.anchor.kind):
        return f"{name}s {hit.pages[0]}–{hit.pages[1]}" if hit.pages else f"{name} {hit.anchor.value}"
    if hit.anchor.kind == "seconds":
        return clock(float(hit.anchor.value))
    return one_line(harmless(str(hit.anchor.value)))


def hit_json(hit: SearchHit) -> dict[str, Any]:
    names = ("course_title", "lesson_number", "lesson_title", "chunk_index", "text", "path", "start", "end")
    return {
        "rank": hit.rank,
        "score": round(hit.score, 4),
        **fields(hit, *names),
        "anchor": None if hit.anchor is None else hit.anchor.as_dict(),
        "pages": hit.pages,
        "link": hit.link,
    }


def note(text: object) -> None:
    """Print something that is not the result, without secrets."""
    try:
        print(_on_one_line(redact(str(text))), file=sys.stderr, flush=True)
    except BrokenPipeError:  # the work goes on
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Send what is still printed nowhere, because its reader, such as ``head``, has ended."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def counted(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def show_progress(events: Iterable[object]) -> None:
    """Run something long and report its progress."""
    deque(shown(events), maxlen=0)


def shown(events: Iterable[_Event]) -> Iterator[_Event]:
    for event in events:
        match event:
            case IngestProgress():
                left = "" if event.seconds_left is None else f", {event.seconds_left:.0f} s left"
                note(
                    f"{event.path}: {event.files_done}/{event.files_total} files, "
                    f"{event.passages_per_second:.0f} passages/s{left}"
                )
            case FileDone():
                note(f"{event.status}: {event.path}")
            case FileStarted():
                note(f"{event.index}/{event.total}: {event.path}")
            case RecognizingPages():
                note(f"recognizing {event.path}: page {event.done + 1} of {event.total}")
            case Hearing():
                total = f" of {math.ceil(event.total / 60)}" if event.total else ""
                rate = f", {event.rate:.1f} times as fast as it is spoken" if event.rate else ""
                note(f"hearing {event.path}: {event.heard / 60:.0f}{total} min{rate}")
            case IndexProgress():
                note(f"indexing {event.done}/{event.total}")
            case TransferProgress(step=TransferStep.COPYING | TransferStep.ADDING):
                note(f"{event.step} {event.done}/{event.total}")
        yield event
