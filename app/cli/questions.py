"""The commands that search and answer."""

import argparse
import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.cli.output import fields, note, print_json
from app.config.secrets import KeyStore
from app.core.conversations.markdown_export import answer_with_marks
from app.core.rag_system import RAGSystem
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.errors import UserError
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerInterrupted,
    AnswerText,
    AnswerWaiting,
    SearchStarted,
)
from app.domain.search import SearchHit, SearchResults
from app.domain.sources import Citation


def search(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    limits = {"limit": arguments.limit, "max_chars": arguments.max_chars}
    questions = None if arguments.questions is None else _read_questions(arguments.questions)
    rag.prepare_model(CancelToken(), note)
    if questions is not None:
        for question in questions:
            named = (question["question"], question.get("course_name"), question.get("lesson_number"))
            print_json({**question, **_results_json(rag.search.retrieve(*named, **limits))}, indent=None)
        return
    results = rag.search.retrieve(arguments.query, arguments.course, arguments.lesson, **limits)
    if arguments.json:
        print_json({"query": results.query, **_results_json(results)})
        return
    if results.message:
        print(results.message)
    for hit in results.hits:
        print(f"{hit.rank}. [{_heading(hit)}] {hit.path}:{hit.start}\n{hit.text}\n")


def _read_questions(path: Path) -> list[dict[str, Any]]:
    try:
        # Not splitlines(): JSON may contain characters that it takes for line ends.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read ({error}).") from error
    return [_parse_question(line, f"Line {n} of {path}") for n, line in enumerate(lines, 1) if line.strip()]


def _parse_question(line: str, where: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        question = None
    problem = ""
    if not isinstance(question, dict) or not isinstance(question.get("question"), str):
        problem = "is not a JSON object with a “question”"
    elif not isinstance(question.get("course_name"), str | None):
        problem = "has a “course_name” that is not text"
    elif type(question.get("lesson_number")) not in (int, type(None)):
        problem = "has a “lesson_number” that is not a whole number"
    if problem:
        raise UserError(f"{where} {problem}.")
    return dict(question)


def _heading(hit: SearchHit) -> str:
    return hit.course_title + ("" if hit.lesson_number is None else f" - Lesson {hit.lesson_number}")


def ask(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    rag.prepare_model(CancelToken(), note)
    if arguments.model:
        rag.settings = replace(rag.settings, model=arguments.model)
    exchange = asyncio.run(_answer(rag, arguments))
    if exchange is None or exchange.state is ExchangeState.STOPPED:
        raise Cancelled
    if arguments.json:
        print_json(_exchange_json(exchange))
    else:
        print()
        for source in exchange.sources:
            print(f"[{source.n}] {_heading(source.hit)} {source.hit.link or source.hit.path}")
    if exchange.error:
        note(exchange.error)
    return EXIT_ERROR if exchange.state is ExchangeState.FAILED else EXIT_OK


async def _answer(rag: RAGSystem, arguments: argparse.Namespace) -> Exchange | None:
    key, _ = KeyStore().read(rag.settings.base_url)
    connection = rag.answers.connection(key)
    if connection is None:
        note("No API key was found, so this is search only: set ANTHROPIC_API_KEY to get an answer.")
    scope = rag.search.scope_of(arguments.course, arguments.lesson)
    exchange: Exchange | None = None
    shown = _StreamedAnswer()
    waiting = False
    async for event in rag.answers.query(arguments.question, connection, scope=scope):
        match event:
            case SearchStarted():
                note(f"Searching for {event.query}")
            case AnswerWaiting():
                if event.seconds and not waiting:  # once, not every second
                    note(f"{event.reason} Trying again in {event.seconds} s.")
                waiting = event.seconds > 0
            case AnswerText() | AnswerCitation() if not arguments.json:
                shown.add(event)
            case AnswerDone() | AnswerInterrupted():
                exchange = event.exchange
    await rag.answers.disconnect()
    return exchange


class _StreamedAnswer:
    """Prints an answer as it arrives, and each mark as soon as it is known."""

    def __init__(self) -> None:
        self._answer = ""
        self._citations: list[Citation] = []
        self._printed = ""

    def add(self, event: AnswerText | AnswerCitation) -> None:
        if isinstance(event, AnswerText):
            self._answer += event.text
        elif event.citation.answer_end == len(self._answer):
            self._citations.append(event.citation)
        marked = answer_with_marks(self._answer, self._citations)
        if marked.startswith(self._printed):
            new = marked[len(self._printed) :]
        else:  # a mark had to move behind a code block: go on without it
            new = event.text if isinstance(event, AnswerText) else ""
        print(new, end="", flush=True)
        self._printed += new


def _hit_json(hit: SearchHit) -> dict[str, Any]:
    names = ("course_title", "lesson_number", "lesson_title", "chunk_index", "text", "path", "start", "end")
    return {
        "rank": hit.rank,
        "score": round(hit.score, 4),
        **fields(hit, *names),
        "anchor": None if hit.anchor is None else hit.anchor.as_dict(),
        "link": hit.link,
    }


def _results_json(results: SearchResults) -> dict[str, Any]:
    return {
        "course_title": results.course_title,
        "hits": [_hit_json(hit) for hit in results.hits],
        "message": results.message,
    }


def _exchange_json(exchange: Exchange) -> dict[str, Any]:
    paths = {source.n: source.hit.path for source in exchange.sources}
    tokens = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    return {
        "answer": answer_with_marks(exchange.answer, exchange.citations),
        "sources": [{"n": source.n, **_hit_json(source.hit)} for source in exchange.sources],
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
