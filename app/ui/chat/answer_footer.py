"""The lines around an answer: its progress or outcome, links to act on it, and its other versions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from app.domain.conversations import INTERRUPTED, ExchangeState, StopReason
from app.domain.events import AnswerStarted, AnswerText, AnswerWaiting, SearchStarted, SourcesFound
from app.domain.sources import nearest_lessons
from app.ui.chat import transcript_html as pieces
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import dollars, number_text
from app.ui.widgets.source_labels import lesson_name

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.domain.events import AnswerEvent
    from app.ui.widgets.theme import Theme

tr = partial(QCoreApplication.translate, "AnswerFooter")


def branch_switch(exchange: Exchange) -> str:
    """Return the line "‹ 2/3 ›" below a question that was asked more than once, else nothing."""
    siblings = exchange.siblings
    if len(siblings) < 2 or exchange.id not in siblings:
        return ""
    at = siblings.index(exchange.id)

    def arrow(sign: str, to: int, title: str) -> str:
        return pieces.link(f"branch:{siblings[to]}", sign, title) if 0 <= to < len(siblings) else sign

    before = arrow("‹", at - 1, tr("Show the previous version"))
    after = arrow("›", at + 1, tr("Show the next version"))
    inner = f"{before}&nbsp; {at + 1}/{len(siblings)} &nbsp;{after}"
    return f'<p class="turn" align="right">{inner}</p>'


def below_answer(exchange: Exchange, theme: Theme, *, needs_key: bool = False) -> str:
    """Return what stands below an answer that is no longer being written."""
    retry = pieces.link(f"retry:{exchange.id}", tr("Try again"))
    if exchange.state is ExchangeState.FAILED:
        links = [pieces.link("settings:", tr("Add a key…"))] if needs_key else []
        sentence = shown(exchange.error) if exchange.error else tr("The answer could not be completed.")
        return pieces.notice(sentence, "danger", theme, [*links, retry]) + _footer(exchange, [])
    if exchange.state is ExchangeState.DONE:
        if not exchange.answer:
            return _note(exchange, theme) + _footer(exchange, [tr("There is no answer."), retry])
        again = pieces.link(f"retry:{exchange.id}", tr("Regenerate"), tr("Answer this question again"))
        return _note(exchange, theme) + _nearest(exchange, theme) + _footer(exchange, [], again)
    stopped = exchange.state is ExchangeState.STOPPED and exchange.stop_reason != INTERRUPTED
    return _footer(exchange, [tr("Stopped") if stopped else tr("Interrupted"), retry])


def status_text(event: AnswerEvent) -> str:
    """Return what is going on while an answer is being written; empty if ``event`` does not tell."""
    match event:
        case AnswerStarted():
            return tr("Thinking…")
        case AnswerText():
            return tr("Writing…")
        case SourcesFound():
            count = len(event.sources)
            reading = tr("Reading %Ln passage(s)…", None, count)
            return reading if count else tr("Thinking…")
        case SearchStarted():
            query = event.query if len(event.query) <= 80 else f"{event.query[:79]}…"
            if event.course_name:
                text = tr("Searching for “{query}” in {course}…")
                return text.format(query=query, course=event.course_name)
            return tr("Searching for “{query}”…").format(query=query)
        case AnswerWaiting():
            if not event.seconds:
                return tr("Trying again…")
            again = tr("Trying again in {seconds} s").format(seconds=event.seconds)
            return f"{shown(event.reason)} {again}"
    return ""


def _note(exchange: Exchange, theme: Theme) -> str:
    """Return the warning that goes with an incomplete answer."""
    if not exchange.error:
        return ""
    links = []
    if exchange.stop_reason == StopReason.LENGTH and exchange.answer:
        tip = tr("Ask for the rest of the answer")
        links.append(pieces.link(f"continue:{exchange.id}", tr("Continue"), tip))
    return pieces.notice(shown(exchange.error), "warning", theme, links)


def _nearest(exchange: Exchange, theme: Theme) -> str:
    """Return the nearest lessons, for a model's answer that cites none; other answers name them."""
    if exchange.model is None or any(citation.verified for citation in exchange.citations):
        return ""
    links = []
    for source in nearest_lessons(exchange.sources):
        course = source.hit.course_title
        links.append(pieces.link(f"cite:{exchange.id}/{source.n}", lesson_name(source.hit) or course, course))
    if not links:
        return ""
    text = (
        tr("Your courses do not seem to cover this. Nearest lessons:")
        if exchange.covered is False
        else tr("Nearest lessons:")
    )
    return pieces.notice(text, "info", theme, [" · ".join(links)])


def _cost(exchange: Exchange) -> str:
    """Return the cost of an answer, or its tokens if the price is unknown; details in the tool tip."""
    usage = exchange.usage
    if not usage.tokens:
        return ""
    tokens = tr("%Ln token(s)", None, usage.tokens)
    text = tokens if usage.cost is None else dollars(usage.cost)
    details = tr("{sent} tokens sent, {cached} of them from the cache; {written} written").format(
        sent=number_text(usage.prompt_tokens),
        cached=number_text(usage.cache_read_tokens),
        written=number_text(usage.output_tokens),
    )
    return pieces.hint(text, f"{details} · {exchange.model}" if exchange.model else details)


def _footer(exchange: Exchange, parts: list[str], again: str = "") -> str:
    if count := len(exchange.sources):
        text = tr("%Ln source(s)", None, count)
        parts.append(pieces.link(f"sources:{exchange.id}", text, tr("Show the sources")))
    if exchange.answer:
        parts.append(pieces.link(f"copy:{exchange.id}", tr("Copy"), tr("Copy the answer as Markdown")))
    if again:
        parts.append(again)
    parts.append(pieces.link(f"edit:{exchange.id}", tr("Edit"), tr("Edit the question and ask it again")))
    if exchange.seconds and exchange.state is ExchangeState.DONE:
        parts.append(tr("{seconds} s").format(seconds=QLocale().toString(exchange.seconds, "f", 1)))
    if cost := _cost(exchange):
        parts.append(cost)
    return f'<p class="footer">{" &nbsp;·&nbsp; ".join(parts)}</p>'
