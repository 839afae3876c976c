"""The commands that search the library and answer a question, and how an answer is printed."""

import argparse
import asyncio
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.cli.output import fields, heading, hit_json, note, place_name, print_json, say, say_text
from app.config.secrets import KeyStore
from app.core.answers.passage_answer import without_escapes
from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.found_servers import find_servers
from app.core.conversations.markdown_export import answer_with_marks, numbered_mark, placed_marks
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
# What the model wrote like a mark; not the index of a list, a link or a definition.
_WRITTEN_MARK = re.compile(rf"`|(?<![\w\]])\[[ \t]*+({_NUMBERS})[ \t]*+\](?![(:\[])")
_LONGEST_WRITTEN_MARK = 40
_LONGEST_LEAD = 20  # signs of quotation before a fence
_EXCERPT = 100  # characters of a claim


class PrintedAnswer:
    """Prints an answer as it arrives, and each mark as soon as it is known.

    What the model itself wrote in the form of a mark is printed as an unverified one. White space and
    brackets are held back until it is known what follows: a mark touches the word before it.
    """

    def __init__(self, *, is_passages: bool) -> None:
        self._is_passages = is_passages  # not a model's words, but quotations in Markdown
        self._printed = 0  # characters of the answer
        self._held = ""
        self._last = ""  # the last character printed
        self._line = (
            ""  # the first characters of the line that is being printed, its signs of quotation aside
        )
        self._fence = ""
        self._in_code = False
        self._marks: dict[str, None] = {}  # of this place, or waiting for the end of a code block

    def begin_passages(self) -> None:
        """Print what follows as quotations in Markdown, no longer as a model's words."""
        held, self._held = self._held, ""
        self._print(held)
        self._is_passages = True

    def write(self, text: str) -> None:
        text = self._held + text
        cut = self._undecided(text)
        self._held = text[cut:]
        self._print(text[:cut])

    def cite(self, citation: Citation) -> None:
        ahead = citation.answer_end - self._printed
        if not 0 <= ahead <= len(self._held):
            return  # a place that has been printed
        held = self._held
        self._print(held[:ahead])
        self._held = held[ahead:]
        mark = numbered_mark(citation)
        if mark in self._marks:
            return
        self._marks[mark] = None
        if not self._fence:  # in code a mark would be code
            self._emit(f" {mark}" if self._last.strip() else mark)

    def finish(self) -> None:
        held, self._held = self._held, ""
        self._print(held)
        if self._fence and self._marks:
            self._emit("\n\n" + "".join(self._marks))
        say_text("")

    def _undecided(self, text: str) -> int:
        """Return where the end begins that is held back."""
        cut = len(text.rstrip())
        bracket = -1 if self._is_passages else text.rfind("[", max(0, cut - _LONGEST_WRITTEN_MARK), cut)
        if bracket >= 0 and not text[bracket + 1 : cut].strip("0123456789,;–- \t]"):
            cut = bracket
        return cut if len(text) - cut <= 2 * _LONGEST_WRITTEN_MARK else len(text)

    def _print(self, text: str) -> None:
        if not text:
            return
        self._printed += len(text)
        if self._is_passages:
            text = without_escapes(text)
        if self._marks and not self._fence:
            self._marks = {}
            if text[0] == "(":  # "[1](" would read as a link
                self._emit(" ")
        for index, part in enumerate(text.split("\n")):
            if index:
                self._end_line()
            self._line = (self._line + part[:_LONGEST_LEAD]).lstrip("> \t")[:3]
            self._emit(part if self._fence else self._flagged(part))

    def _end_line(self) -> None:
        if self._line in ("```", "~~~"):
            if not self._fence:
                self._fence = self._line
            elif self._line == self._fence:
                self._fence = ""
                self._emit("\n\n" + "".join(self._marks) if self._marks else "")
                self._marks = {}
        self._line = ""
        self._in_code = False
        self._emit("\n")

    def _flagged(self, text: str) -> str:
        if self._is_passages:
            return text
        before = self._last if self._last.isalnum() or self._last == "]" else ""
        return _WRITTEN_MARK.sub(self._flag, before + text)[len(before) :]

    def _flag(self, found: re.Match[str]) -> str:
        if found[0] == "`":
            self._in_code = not self._in_code
        elif not self._in_code:
            return f"[{found[1]}: {Message('conversations.unverified')}]"
        return found[0]

    def _emit(self, text: str) -> None:
        if text:
            say_text(text, end="")
            self._last = text[-1]


def print_support(exchange: Exchange) -> None:
    """Print whether an answer is not covered, and how many of its claims are in line with their sources.

    The others follow, and claims without a mark for which Lectern found the source.
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
        where = ", ".join(filter(None, (heading(source.hit), place_name(source.hit))))
        say(f"[{source.n}] {where} {source.hit.link or source.hit.path}")


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
