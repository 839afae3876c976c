"""What stands around an answer: how it ended, what can be done about it, which of several it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from app.domain.conversations import INTERRUPTED, ExchangeState, StopReason
from app.domain.sources import nearest_lessons
from app.ui.chat import transcript_html as pieces
from app.ui.widgets.messages import shown
from app.ui.widgets.money import dollars
from app.ui.widgets.source_labels import lesson_name

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.ui.shell.theme import Theme


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswerFooter", text)


def branch_switch(exchange: Exchange) -> str:
    """Return the line "‹ 2/3 ›" under a question that was asked again; nothing under others."""
    siblings = exchange.siblings
    if len(siblings) < 2 or exchange.id not in siblings:
        return ""
    at = siblings.index(exchange.id)

    def arrow(sign: str, to: int, title: str) -> str:
        if not 0 <= to < len(siblings):
            return sign
        return pieces.link(f"branch:{siblings[to]}", sign, title)

    before = arrow("‹", at - 1, _tr("Show the version before this one"))
    after = arrow("›", at + 1, _tr("Show the version after this one"))
    return pieces.turn_line(f"{before}&nbsp; {at + 1}/{len(siblings)} &nbsp;{after}")


def below_answer(exchange: Exchange, theme: Theme, *, needs_key: bool = False) -> str:
    """Return what stands below an answer that is no longer being written."""
    retry = pieces.link(f"retry:{exchange.id}", _tr("Try again"))
    state = exchange.state
    if state is ExchangeState.FAILED:
        links = [retry]
        if needs_key:
            links.insert(0, pieces.link("settings:", _tr("Add a key…")))
        sentence = shown(exchange.error) if exchange.error else _tr("The answer could not be completed.")
        return pieces.notice(sentence, "danger", theme, links) + _footer(exchange, [])
    if state is ExchangeState.DONE:
        if not exchange.answer:
            return _note(exchange, theme) + _footer(exchange, [_tr("No answer came."), retry])
        again = pieces.link(f"retry:{exchange.id}", _tr("Regenerate"), _tr("Answer this question again"))
        return _note(exchange, theme) + _nearest(exchange, theme) + _footer(exchange, [], again)
    stopped = state is ExchangeState.STOPPED and exchange.stop_reason != INTERRUPTED
    return _footer(exchange, [_tr("Stopped") if stopped else _tr("Interrupted"), retry])


def _note(exchange: Exchange, theme: Theme) -> str:
    """Return what is to be said of an answer that is not simply complete."""
    if not exchange.error:
        return ""
    links = []
    if exchange.stop_reason == StopReason.LENGTH and exchange.answer:
        links.append(pieces.link(f"continue:{exchange.id}", _tr("Continue"), _tr("Ask for the rest of it")))
    return pieces.notice(shown(exchange.error), "warning", theme, links)


def _nearest(exchange: Exchange, theme: Theme) -> str:
    """Return the lessons that come nearest, under a model's answer that rests on none of them.

    Without a model the answer itself names them.
    """
    if exchange.model is None or any(citation.verified for citation in exchange.citations):
        return ""
    links = [
        pieces.link(
            f"cite:{exchange.id}/{source.n}",
            lesson_name(source.hit) or source.hit.course_title,
            source.hit.course_title,
        )
        for source in nearest_lessons(exchange.sources)
    ]
    if not links:
        return ""
    text = _tr("Nearest lessons:")
    if exchange.covered is False:
        text = _tr("Your courses do not seem to cover this. Nearest lessons:")
    return pieces.notice(text, "info", theme, [" · ".join(links)])


def _cost(exchange: Exchange) -> str:
    """Return what an answer cost, or its tokens where that is not known, with the details on hover."""
    usage, number = exchange.usage, QLocale().toString
    if not usage.tokens:
        return ""
    shown = _tr("{n} tokens").format(n=number(usage.tokens))
    if usage.cost is not None:
        shown = dollars(usage.cost)
    details = _tr("{sent} tokens sent, {cached} of them from the cache; {written} written").format(
        sent=number(usage.prompt_tokens),
        cached=number(usage.cache_read_tokens),
        written=number(usage.output_tokens),
    )
    return pieces.hint(shown, f"{details} · {exchange.model}" if exchange.model else details)


def _footer(exchange: Exchange, parts: list[str], again: str = "") -> str:
    """Return the line with sources, what can be done, and the time it took."""
    count = len(exchange.sources)
    if count:
        text = _tr("1 source") if count == 1 else _tr("{n} sources").format(n=count)
        parts.append(pieces.link(f"sources:{exchange.id}", text, _tr("Show the sources")))
    if exchange.answer:
        parts.append(pieces.link(f"copy:{exchange.id}", _tr("Copy"), _tr("Copy the answer as Markdown")))
    if again:
        parts.append(again)
    parts.append(pieces.link(f"edit:{exchange.id}", _tr("Edit"), _tr("Change the question and ask it again")))
    if exchange.seconds and exchange.state is ExchangeState.DONE:
        parts.append(_tr("{seconds} s").format(seconds=f"{exchange.seconds:.1f}"))
    if cost := _cost(exchange):
        parts.append(cost)
    return pieces.footer_line(parts)
