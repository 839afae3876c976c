"""The commands that search the library and answer a question."""

import argparse
import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.answer_output import PrintedAnswer, exchange_json, print_sources, print_support
from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.cli.output import heading, hit_json, note, print_json, say, say_text
from app.config.secrets import KeyStore
from app.core.answers.providers.base import ModelSettings
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
    PassagesInstead,
    ReadingStarted,
    SearchStarted,
)
from app.domain.messages import Message
from app.domain.model_servers import WholeScope
from app.domain.search import SearchResults


def ask(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    if arguments.model:
        rag.settings = replace(rag.settings, model=arguments.model)
    if arguments.second_look:
        rag.settings = replace(rag.settings, second_look=True)
    key, _ = KeyStore().read(rag.settings.base_url)
    connection = rag.answers.connection(key)
    if connection is not None:
        _check_budget(rag)
    rag.prepare_model(CancelToken(), note)
    exchange = asyncio.run(_answer(rag, connection, arguments))
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


async def _answer(
    rag: RAGSystem, connection: ModelSettings | None, arguments: argparse.Namespace
) -> Exchange | None:
    if connection is None:
        note("No API key was found, so this is search only: set ANTHROPIC_API_KEY to get an answer.")
    scope = rag.search.scope_of(arguments.course, arguments.lesson)
    if connection is not None:
        model = connection.model
        if whole := rag.answers.whole_scope(scope, connection):
            note(_whole_scope_note(whole))
        await rag.answers.probe(connection, lambda: note(f"Finding out once what {model} can do."))
    exchange: Exchange | None = None
    printed = PrintedAnswer(is_passages=connection is None)
    waiting = False
    async for event in rag.answers.query(arguments.question, connection, scope=scope):
        match event:
            case SearchStarted():
                note(f"Searching for {event.query}")
            case ReadingStarted(course, number):
                note(f"Reading {course}" if number is None else f"Reading lesson {number} of {course}")
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
            print_json({**question, **_results_json(rag.search.retrieve(*named, **limits))}, indent=None)
        return
    results = rag.search.retrieve(arguments.query, arguments.course, arguments.lesson, **limits)
    if arguments.json:
        print_json({"query": results.query, **_results_json(results)})
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


def _results_json(results: SearchResults) -> dict[str, Any]:
    return {
        "course_title": results.course_title,
        "hits": [hit_json(hit) for hit in results.hits],
        "message": results.message,
        "covered": results.covered,
        "missing": results.missing,
    }
