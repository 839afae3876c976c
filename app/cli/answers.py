"""The command that answers a question."""

import argparse
import asyncio
from dataclasses import replace

from app.cli.answer_output import PrintedAnswer, exchange_json, print_sources, print_support
from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.cli.output import note, print_json
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
