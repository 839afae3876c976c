"""The command line: the same core and library as the window, without a display and without Qt."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import __version__
from app.cli import library
from app.cli.arguments import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_OK, EXIT_PARTLY, EXIT_USAGE
from app.config.paths import user_cache_dir, user_config_dir, user_data_dir
from app.config.redaction import redact
from app.config.secrets import KeyStore
from app.config.settings import load_settings, with_environment
from app.core.answers.citations import answer_with_marks
from app.core.doctor import examine
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.core.storage.database import damaged_message
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import ExchangeState
from app.domain.errors import LecternError, UserError
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerInterrupted,
    AnswerText,
    AnswerWaiting,
    FileDone,
    FileStatus,
    IndexProgress,
    IngestDone,
    IngestProgress,
    SearchStarted,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from app.config.settings import Settings
    from app.domain.conversations import Exchange
    from app.domain.courses import Course
    from app.domain.search import SearchHit, SearchResults
    from app.domain.sources import Citation


def run(arguments: argparse.Namespace) -> int:
    """Run one subcommand and return the exit code."""
    try:
        return _COMMANDS[arguments.command](arguments)
    except LecternError as error:
        _note(str(error))
        return EXIT_ERROR
    except sqlite3.DatabaseError as error:
        _note(str(damaged_message(user_data_dir(arguments.data_dir), error)))
        return EXIT_ERROR
    except (KeyboardInterrupt, Cancelled):
        _note("Interrupted; the library is intact.")
        return EXIT_INTERRUPTED


def _ingest(arguments: argparse.Namespace) -> int:
    with _library(arguments, write=True) as rag:
        token = CancelToken()
        rag.prepare_model(token, _note)
        for _ in rag.open_index(token):
            pass
        done: IngestDone | None = None
        for event in rag.ingest.add_course_folder(arguments.paths, token, clear=arguments.rebuild):
            _show_progress(event)
            # The last one counts: cutting everything again comes before it, if it was due.
            done = event if isinstance(event, IngestDone) else done
    if done is None:
        message = "Nothing was read."
        raise UserError(message)
    if arguments.json:
        _print_json(_ingest_report(done))
    else:
        counts = (library.counted(done.counts.courses, "course"), _passages(done.counts.passages))
        print(", ".join(counts))
        if not done.files:
            print("There are no files to read in what you chose.")
        for file in done.files:
            if file.reason:
                print(f"{file.status}: {file.path}: {file.reason}")
    return EXIT_PARTLY if any(file.status is FileStatus.FAILED for file in done.files) else EXIT_OK


def _passages(number: int) -> str:
    return library.counted(number, "passage")


def _courses(arguments: argparse.Namespace) -> int:
    with _library(arguments) as rag:
        courses = rag.courses.all()
    if arguments.json:
        _print_json({"courses": [_course_as_dict(course) for course in courses]})
        return EXIT_OK
    for course in courses:
        print(f"{course.title} ({_passages(course.passages)})")
        for lesson in course.lessons:
            number = "–" if lesson.number is None else lesson.number
            title = lesson.title or ("(no lessons)" if lesson.number is None else f"Lesson {lesson.number}")
            print(f"  {number}  {title} ({lesson.passages})")
    return EXIT_OK


def _search(arguments: argparse.Namespace) -> int:
    if (arguments.query is None) == (arguments.questions is None):
        _note("Give a question, or --questions FILE.")
        return EXIT_USAGE
    questions = None if arguments.questions is None else _read_questions(arguments.questions)
    with _library(arguments) as rag:
        rag.prepare_model(CancelToken(), _note)
        if questions is not None:
            for question in questions:
                results = rag.search.retrieve(
                    question["question"],
                    question.get("course_name"),
                    question.get("lesson_number"),
                    limit=arguments.limit,
                    max_chars=arguments.max_chars,
                )
                _print_json({**question, **_results_as_dict(results)}, indent=None)
            return EXIT_OK
        results = rag.search.retrieve(
            arguments.query,
            arguments.course,
            arguments.lesson,
            limit=arguments.limit,
            max_chars=arguments.max_chars,
        )
    if arguments.json:
        _print_json({"query": results.query, **_results_as_dict(results)})
    else:
        _print_results(results)
    return EXIT_OK


def _ask(arguments: argparse.Namespace) -> int:
    with _library(arguments) as rag:
        rag.prepare_model(CancelToken(), _note)
        if arguments.model:
            rag.settings = replace(rag.settings, model=arguments.model)
        return asyncio.run(_answer(rag, arguments))


async def _answer(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    key, _ = KeyStore().read(rag.settings.base_url)
    connection = rag.answers.connection(key)
    if connection is None:
        _note("No API key was found, so this is search only: set ANTHROPIC_API_KEY to get an answer.")
    scope = rag.search.scope_of(arguments.course, arguments.lesson)
    exchange: Exchange | None = None
    shown = _Shown()
    waiting = False
    async for event in rag.answers.query(arguments.question, connection, scope=scope):
        if isinstance(event, SearchStarted):
            _note(f"Searching for {event.query}")
        elif isinstance(event, AnswerWaiting):
            if event.seconds and not waiting:  # once, not every second
                _note(f"{event.reason} Trying again in {event.seconds} s.")
            waiting = event.seconds > 0
        elif isinstance(event, AnswerText | AnswerCitation) and not arguments.json:
            shown.add(event)
        elif isinstance(event, AnswerDone | AnswerInterrupted):
            exchange = event.exchange
    await rag.answers.disconnect()
    if exchange is None or exchange.state is ExchangeState.STOPPED:
        raise Cancelled
    _print_answer(exchange, arguments.json)
    if exchange.error:
        _note(str(exchange.error))
    return EXIT_ERROR if exchange.state is ExchangeState.FAILED else EXIT_OK


class _Shown:
    """Prints an answer as it comes, each mark as soon as it is known."""

    def __init__(self) -> None:
        self._answer = ""
        self._citations: list[Citation] = []
        self._printed = ""

    def add(self, event: AnswerText | AnswerCitation) -> None:
        """Print what an event adds."""
        if isinstance(event, AnswerText):
            self._answer += event.text
        elif event.citation.answer_end == len(self._answer):
            self._citations.append(event.citation)
        marked = answer_with_marks(self._answer, self._citations)
        if marked.startswith(self._printed):
            new = marked[len(self._printed) :]
        else:  # a mark had to move, behind the end of a block of code: go on without
            new = event.text if isinstance(event, AnswerText) else ""
        print(new, end="", flush=True)
        self._printed += new


def _doctor(arguments: argparse.Namespace) -> int:
    settings, data_dir, embedder = _parts(arguments)
    report = examine(data_dir, settings, embedder, repair=arguments.repair, progress=_note)
    if arguments.json:
        _print_json(report.as_dict())
    else:
        print(f"lectern {__version__}")
        print(f"data in {data_dir}")
        for name, count in report.counts.items():
            print(f"  {name}: {'unknown' if count is None else count}")
        for problem in report.problems:
            print(f"problem: {problem.what}\n    fix: {problem.fix}")
        if report.ok:
            print("Everything is in order.")
    return EXIT_OK if report.ok else EXIT_ERROR


def _keep(arguments: argparse.Namespace) -> int:
    action = getattr(arguments, "action", None)
    command = f"{arguments.command} {action}" if action else arguments.command
    with _library(arguments, write=command not in library.READING) as rag:
        return library.COMMANDS[command](rag, arguments)


_COMMANDS = {
    "ingest": _ingest,
    "plan": _keep,
    "courses": _courses,
    "search": _search,
    "ask": _ask,
    "doctor": _doctor,
    "remove": _keep,
    "trash": _keep,
    "export": _keep,
    "import": _keep,
}


def _parts(arguments: argparse.Namespace) -> tuple[Settings, Path, Embedder]:
    settings = with_environment(load_settings(user_config_dir() / "settings.json"))
    model = Path(settings.embedding_model) if settings.embedding_model else None
    return settings, user_data_dir(arguments.data_dir), Embedder(model, user_cache_dir())


@contextmanager
def _library(arguments: argparse.Namespace, *, write: bool = False) -> Iterator[RAGSystem]:
    settings, data_dir, embedder = _parts(arguments)
    rag = RAGSystem(data_dir, settings, embedder, read_only=not write)
    rag.open(_note)
    try:
        if write:
            for _ in rag.trash.expire(CancelToken()):
                pass
        yield rag
    finally:
        rag.close()


def _read_questions(path: Path) -> list[dict[str, Any]]:
    try:
        # Not splitlines(): JSON may hold other characters that it takes for the end of a line.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} can not be read ({error})."
        raise UserError(message) from error
    questions = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            question = json.loads(line)
        except ValueError:
            question = None
        if not isinstance(question, dict) or not isinstance(question.get("question"), str):
            message = f"Line {number} of {path} is not a JSON object with a “question”."
            raise UserError(message)
        if not isinstance(question.get("course_name"), str | None):
            message = f"Line {number} of {path} has a “course_name” that is not a text."
            raise UserError(message)
        if type(question.get("lesson_number")) not in (int, type(None)):
            message = f"Line {number} of {path} has a “lesson_number” that is not a whole number."
            raise UserError(message)
        questions.append(question)
    return questions


def _show_progress(event: object) -> None:
    if isinstance(event, IngestProgress) and event.seconds_left is not None:
        _note(
            f"{event.path}: {event.files_done}/{event.files_total} files, "
            f"{event.passages_per_second:.0f} passages/s, {event.seconds_left:.0f} s left"
        )
    elif isinstance(event, FileDone):
        _note(f"{event.status}: {event.path}")
    elif isinstance(event, IndexProgress):
        _note(f"indexing {event.done}/{event.total}")


def _ingest_report(done: IngestDone) -> dict[str, Any]:
    return {
        "courses": done.counts.courses,
        "passages": done.counts.passages,
        "files": [
            {
                "path": file.path,
                "status": file.status,
                "course_title": file.course_title,
                "passages": file.passages,
                "embedded": file.embedded,
                "reason": file.reason,
            }
            for file in done.files
        ],
        "seconds": round(done.seconds, 3),
        "passages_per_second": round(done.passages_embedded / done.seconds, 1) if done.seconds else 0.0,
    }


def _course_as_dict(course: Course) -> dict[str, Any]:
    return {
        "title": course.title,
        "instructor": course.instructor,
        "link": course.link,
        "passages": course.passages,
        "files": list(course.files),
        "lessons": [
            {"number": item.number, "title": item.title, "link": item.link, "passages": item.passages}
            for item in course.lessons
        ],
    }


def _hit_as_dict(hit: SearchHit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "score": round(hit.score, 4),
        "course_title": hit.course_title,
        "lesson_number": hit.lesson_number,
        "lesson_title": hit.lesson_title,
        "chunk_index": hit.chunk_index,
        "text": hit.text,
        "path": hit.path,
        "start": hit.start,
        "end": hit.end,
        "anchor": None if hit.anchor is None else hit.anchor.as_dict(),
        "link": hit.link,
    }


def _results_as_dict(results: SearchResults) -> dict[str, Any]:
    return {
        "course_title": results.course_title,
        "hits": [_hit_as_dict(hit) for hit in results.hits],
        "message": results.message,
    }


def _print_results(results: SearchResults) -> None:
    if results.message:
        print(results.message)
    for hit in results.hits:
        lesson = "" if hit.lesson_number is None else f" - Lesson {hit.lesson_number}"
        print(f"{hit.rank}. [{hit.course_title}{lesson}] {hit.path}:{hit.start}\n{hit.text}\n")


def _print_answer(exchange: Exchange, as_json: bool) -> None:
    if as_json:
        _print_json(_answer_as_dict(exchange))
        return
    print()
    for source in exchange.sources:
        hit = source.hit
        lesson = "" if hit.lesson_number is None else f" - Lesson {hit.lesson_number}"
        print(f"[{source.n}] {hit.course_title}{lesson} {hit.link or hit.path}")


def _answer_as_dict(exchange: Exchange) -> dict[str, Any]:
    paths = {source.n: source.hit.path for source in exchange.sources}
    return {
        "answer": answer_with_marks(exchange.answer, exchange.citations),
        "sources": [{"n": source.n, **_hit_as_dict(source.hit)} for source in exchange.sources],
        "citations": [
            {
                "n": citation.source_n,
                "cited_text": citation.cited_text,
                "path": paths.get(citation.source_n),
                "start": citation.start,
                "end": citation.end,
                "verified": citation.verified,
                "answer_start": _place(exchange, citation.answer_start, after_marks=True),
                "answer_end": _place(exchange, citation.answer_end, after_marks=False),
            }
            for citation in exchange.citations
        ],
        "usage": {
            "input_tokens": exchange.usage.input_tokens,
            "output_tokens": exchange.usage.output_tokens,
            "cache_read_tokens": exchange.usage.cache_read_tokens,
            "cache_write_tokens": exchange.usage.cache_write_tokens,
        },
        "stop_reason": exchange.stop_reason,
        "seconds": round(exchange.seconds, 3),
    }


def _place(exchange: Exchange, position: int, *, after_marks: bool) -> int:
    """Return where a position of the answer lies once the marks are in it."""
    before = [item for item in exchange.citations if item.answer_end < position + after_marks]
    place = len(answer_with_marks(exchange.answer[:position], before))
    if after_marks and exchange.answer[position : position + 1] == "(" and before:
        place += before[-1].answer_end == position  # a space keeps "[1](" from being a link
    return place


def _print_json(value: Iterable[Any], indent: int | None = 2) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=indent))


def _note(text: str) -> None:
    print(redact(text), file=sys.stderr, flush=True)
