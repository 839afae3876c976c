"""The commands that search the library and answer a question, and how an answer is printed."""

import argparse
import asyncio
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.cli.output import fields, heading, hit_json, note, print_json, say, say_text
from app.config.secrets import KeyStore
from app.core.answers.passage_answer import without_escapes
from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.found_servers import find_servers
from app.core.conversations.markdown_export import (
    answer_with_marks,
    code_fences,
    numbered_mark,
    placed_marks,
    with_inserted,
)
from app.core.rag_system import RAGSystem
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.errors import LecternError, UserError
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerInterrupted,
    AnswerText,
    AnswerWaiting,
    ModelLoading,
    PassagesInstead,
    ReadingStarted,
    SearchStarted,
)
from app.domain.messages import Message
from app.domain.model_servers import WholeScope
from app.domain.plain_text import shorten
from app.domain.search import SearchResults, missing_words
from app.domain.sources import Citation, Claim, Support, support_words
from app.domain.words import one_spaced

_NUMBERS = r"\d{1,3}(?:[ \t]*+[,;–-][ \t]*+\d{1,3})*+"
# What the model wrote like a mark, not the index of a list, a link or a definition; and what ends code.
_WRITTEN_MARK = re.compile(rf"[`\n]|(?<![\w\]])\[[ \t]*+({_NUMBERS})[ \t]*+\](?![(:\[])")
_PARAGRAPH_END = re.compile(r"(?<!\n)\n\n++(?=[^\n])")
_EXCERPT = 100  # characters of a claim


class PrintedAnswer:
    """Prints an answer a paragraph at a time with its marks, once the next one has begun.

    What the model itself wrote like a mark is printed as one that could not be verified.
    """

    def __init__(self, *, is_passages: bool) -> None:
        self._is_passages = is_passages  # not a model's words, but quotations in Markdown
        self._printed = 0  # characters of the answer
        self._pieces: list[str] = []  # that wait
        self._ends_line = False
        self._citations: list[Citation] = []

    def begin_passages(self) -> None:
        """Print what follows as quotations in Markdown, no longer as a model's words."""
        self._print(None)
        self._is_passages = True

    def write(self, text: str) -> None:
        ended_line, self._ends_line = self._ends_line, "\n" in text
        self._pieces.append(text)
        if ended_line or self._ends_line:
            waiting = "".join(self._pieces)
            fences = code_fences(waiting, inner=True)
            ends = [found.start() for found in _PARAGRAPH_END.finditer(waiting)]
            if ends := [end for end in ends if not any(first < end < last for first, last in fences)]:
                self._print(ends[-1])

    def cite(self, citation: Citation) -> None:
        self._citations.append(citation)

    def finish(self) -> None:
        self._print(None)
        say_text("")

    def _print(self, length: int | None) -> None:
        """Print so many of the characters that wait, or all."""
        waiting = "".join(self._pieces)
        text, rest = (waiting, "") if length is None else (waiting[:length], waiting[length:])
        begin, self._printed, self._pieces = self._printed, self._printed + len(text), [rest]
        cited = [
            replace(one, answer_end=one.answer_end - begin)
            for one in self._citations
            if begin < one.answer_end <= self._printed
        ]
        placed = placed_marks(text, cited)
        if self._is_passages:
            say_text(without_escapes(with_inserted(text, placed)), end="")
        else:
            say_text(with_inserted(text, sorted([*placed, *_unverified(text)])), end="")


def _unverified(text: str) -> Iterator[tuple[int, str]]:
    """Yield what to insert behind numbers that a model wrote like a mark, each with its place."""
    fences, in_code = code_fences(text, inner=True), False
    for found in _WRITTEN_MARK.finditer(text):
        if found[1] is None:
            in_code = found[0] == "`" and not in_code
        elif not in_code and not any(first < found.start() < last for first, last in fences):
            yield found.end(1), f": {Message('conversations.unverified')}"


def print_support(exchange: Exchange) -> None:
    """Print where an answer is not covered, and how many of its claims are in line with their sources.

    Claims follow that are not, and those without a mark for which Lectern found the source.
    """
    if exchange.is_courtesy:
        return
    if exchange.model and exchange.answer.strip() and not exchange.sources:
        say("")
        say(Message("answers.nothing_searched"))
    if exchange.model and exchange.covered is False and (missing := missing_words(exchange.missing)):
        say("")
        say(missing)
    if any(claim.support is not Support.NOT_FROM_COURSES for claim in exchange.claims):
        say("")
        say(Message("answers.in_line_count", count=exchange.in_line_count, n=len(exchange.claims)))
    for claim in exchange.claims:
        own = [one for one in exchange.citations if claim.answer_start < one.answer_end <= claim.answer_end]
        if not claim.support.is_good or (own and all(one.is_found for one in own)):
            say(f"  {_graded(exchange, claim, own)}")


def _graded(exchange: Exchange, claim: Claim, own: Sequence[Citation]) -> str:
    marks = "".join(dict.fromkeys(map(numbered_mark, own)))
    excerpt = shorten(one_spaced(exchange.answer[claim.answer_start : claim.answer_end]), _EXCERPT)
    found = f"{support_words(claim.support)}: “{excerpt}”"
    return " ".join(filter(None, (marks, found, str(claim.reason or ""))))


def print_sources(exchange: Exchange) -> None:
    for source in exchange.sources:
        say(f"[{source.n}] {heading(source.hit)} {source.hit.link or source.hit.path}")


def exchange_json(exchange: Exchange) -> dict[str, Any]:
    paths = {source.n: source.hit.path for source in exchange.sources}
    tokens = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    positions = _Positions(exchange)
    return {
        "answer": answer_with_marks(exchange.answer, exchange.citations),
        "sources": [{"n": source.n, **hit_json(source.hit)} for source in exchange.sources],
        "citations": [
            _citation_json(citation, paths.get(citation.source_n), positions)
            for citation in exchange.citations
        ],
        "usage": fields(exchange.usage, *tokens),
        "stop_reason": exchange.stop_reason,
        "seconds": round(exchange.seconds, 3),
        "state": exchange.state,
        "error": exchange.error,
        "model": exchange.model,
        "cost": exchange.usage.cost,
        "covered": exchange.covered,
        "missing": exchange.missing,
        "claims": [_claim_json(claim, positions) for claim in exchange.claims],
    }


class _Positions:
    """Where positions of the answer lie once the marks are in it."""

    def __init__(self, exchange: Exchange) -> None:
        placed = placed_marks(exchange.answer, exchange.citations)
        self._places = [place for place, _ in placed]
        self._shifts = [0, *accumulate(len(text) for _, text in placed)]

    def start(self, position: int) -> int:
        """Return the position of a first character: behind a mark at its place."""
        return position + self._shifts[bisect_right(self._places, position)]

    def end(self, position: int) -> int:
        """Return one past a last character: before a mark at its place."""
        return position + self._shifts[bisect_left(self._places, position)]


def _citation_json(citation: Citation, path: str | None, positions: _Positions) -> dict[str, Any]:
    return {
        "n": citation.source_n,
        "cited_text": citation.cited_text,
        "path": path,
        **fields(citation, "start", "end", "verified"),
        "answer_start": positions.start(citation.answer_start),
        "answer_end": positions.end(citation.answer_end),
        "support": citation.support,
        "found": citation.is_found,
    }


def _claim_json(claim: Claim, positions: _Positions) -> dict[str, Any]:
    return {
        "start": positions.start(claim.answer_start),
        "end": positions.end(claim.answer_end),
        **fields(claim, "support", "reason"),
    }


def ask(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    return print_answer(arguments, asyncio.run(answered(rag, prepared(rag, arguments), arguments)))


def prepared(rag: RAGSystem, arguments: argparse.Namespace) -> ModelSettings | None:
    """Get ready for questions; return the model to ask."""
    if arguments.model:
        rag.settings = replace(rag.settings, model=arguments.model)
    key, _ = KeyStore().read(rag.settings.base_url, rag.settings.provider)
    connection = rag.answers.connection(key)
    if connection is not None:
        _check_budget(rag)
    else:
        note(
            "No API key was found, so this is search only: to get an answer, set ANTHROPIC_API_KEY, or run "
            "“lectern model local use” for a free model on this computer."
        )
    rag.prepare_model(CancelToken(), note)
    return connection


def print_answer(arguments: argparse.Namespace, exchange: Exchange | None) -> int:
    """Print what comes after the text of an answer, or all of it as JSON; return the exit code."""
    if exchange is None:
        raise Cancelled
    if arguments.json:
        print_json(exchange_json(exchange))
    else:
        print_support(exchange)
        print_sources(exchange)
    if exchange.error:
        note(exchange.error)
    if exchange.state is ExchangeState.STOPPED:
        raise Cancelled
    return EXIT_ERROR if exchange.state is ExchangeState.FAILED else EXIT_OK


def _check_budget(rag: RAGSystem) -> None:
    """Refuse to ask a model once the month's budget is spent; the window asks its user instead."""
    spending = rag.answers.spending()
    if spending.share >= 1:
        cost, budget = f"${spending.dollars:,.2f}", f"${spending.budget:,}"
        raise UserError(Message("answers.budget_spent", cost=cost, budget=budget))


async def answered(
    rag: RAGSystem,
    connection: ModelSettings | None,
    arguments: argparse.Namespace,
    kind: str = "",
    before: tuple[Exchange, ...] = (),
) -> Exchange | None:
    """Print an answer as it arrives, unless JSON is wanted; see :meth:`AnswerService.query`."""
    scope = rag.search.scope_of(arguments.course, arguments.lesson)
    if connection is not None and not kind:
        model = connection.model
        if whole := rag.answers.whole_scope(scope, connection):
            note(_whole_scope_note(whole))
        await rag.answers.probe(connection, lambda: note(f"Finding out once what {model} can do."))
    exchange: Exchange | None = None
    printed = PrintedAnswer(is_passages=connection is None or bool(kind))
    waiting = False
    asked = rag.answers.query(arguments.question, connection, scope=scope, kind=kind, before=before)
    async for event in asked:
        match event:
            case SearchStarted():
                note(f"Searching for {event.query}")
            case ReadingStarted(course, number):
                note(f"Reading {course}" if number is None else f"Reading lesson {number} of {course}")
            case ModelLoading():
                note("Loading the model")
            case AnswerWaiting():
                if event.seconds and not waiting:  # once, not every second
                    note(f"{event.reason} Trying again in {event.seconds} s.")
                waiting = event.seconds > 0
            case PassagesInstead():
                printed.begin_passages()
            case AnswerText(text) if not arguments.json:
                printed.write(text)
            case AnswerCitation(citation) if not arguments.json:
                printed.cite(citation)
            case AnswerDone() | AnswerInterrupted():
                exchange = event.exchange
                if not arguments.json:
                    printed.finish()
    try:
        if exchange and connection and arguments.second_look:
            async for judged in rag.answers.look_again(exchange, connection):
                exchange = judged
    except LecternError as error:  # the answer is complete without it
        note(error)
    finally:
        await rag.answers.disconnect()
    return exchange


def _whole_scope_note(whole: WholeScope) -> str:
    text = f"All of what you restricted the question to is sent along: about {whole.tokens:,} tokens"
    if whole.first is None or whole.again is None:
        return f"{text}."
    first, again = (_dollars(amount) for amount in (whole.first, whole.again))
    return f"{text}, {first} now and {again} for each question in the next minutes."


def _dollars(amount: float) -> str:
    return "less than $0.001" if 0 < amount < 0.001 else f"${amount:.3f}"


def search(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    limits = {"limit": arguments.limit, "max_chars": arguments.max_chars}
    questions = None if arguments.questions is None else _read_questions(arguments.questions)
    rag.prepare_model(CancelToken(), note)
    if questions is not None:
        for question in questions:
            named = (question["question"], question.get("course_name"), question.get("lesson_number"))
            print_json({**question, **_results_json(rag, rag.search.retrieve(*named, **limits))}, indent=None)
        return
    results = rag.search.retrieve(arguments.query, arguments.course, arguments.lesson, **limits)
    if arguments.json:
        print_json({"query": results.query, **_results_json(rag, results)})
        return
    if results.message:
        say(results.message)
    for hit in results.hits:
        place = hit.path if hit.server else f"{hit.path}:{hit.start}"  # no file of this computer
        say(f"{hit.rank}. [{heading(hit)}] {place}")
        say_text(f"{hit.text}\n")


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


def _results_json(rag: RAGSystem, results: SearchResults) -> dict[str, Any]:
    own = {hit.document_id for hit in results.hits if not hit.server}
    versions = rag.catalog.documents.text_versions(own)
    return {
        "course_title": results.course_title,
        "hits": [{**hit_json(hit), "text_sha256": versions.get(hit.document_id)} for hit in results.hits],
        "message": results.message,
        "covered": results.covered,
        "missing": results.missing,
    }


def servers(arguments: argparse.Namespace, _: object) -> int:
    """List the programs on this computer that run models."""
    found = asyncio.run(find_servers())
    if arguments.json:
        lists = [None if one.models is None else [model._asdict() for model in one.models] for one in found]
        print_json(
            [
                {"name": one.name, "address": one.address, "models": models}
                for one, models in zip(found, lists, strict=True)
            ]
        )
        return EXIT_OK
    for one in found:
        listed = [f"{model.id} ({model.bytes / 1e9:.1f} GB)" for model in one.models or ()]
        state = "not running" if one.models is None else ", ".join(listed) or "running, without a model"
        say(f"{one.name:<9}  {one.address:<22}  {state}")
    return EXIT_OK
