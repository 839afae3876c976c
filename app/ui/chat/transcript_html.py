"""HTML around an answer, and what screen readers announce of its progress."""

import html
import re
from collections.abc import Iterable
from functools import partial
from typing import Literal

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtGui import QFontMetrics

from app.domain.conversations import INTERRUPTED, Exchange, ExchangeState, StopReason
from app.domain.events import (
    AnswerChecking,
    AnswerDone,
    AnswerEvent,
    AnswerExamined,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    AnswerWaiting,
    ModelLoading,
    ReadingStarted,
    SearchStarted,
    SourcesFound,
)
from app.domain.messages.answers import MENDED_IN_SETTINGS
from app.domain.plain_text import shorten
from app.domain.sources import NO_SOURCE, nearest_lessons
from app.markup.citation_marks import CitationMark, ClaimSpan, MarkForm, form_of, without_tokens
from app.ui.markup.qt_html import box
from app.ui.markup.support_words import doubtful_claims, in_line_words, origin_words
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import dollars, number_text
from app.ui.widgets.source_labels import course_name, lesson_name
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme

NoticeKind = Literal["info", "warning", "danger"]

_SHORT, _LONG = 30, 400  # characters
_GAP = 3  # pixels before a mark
_BUBBLE_WIDTH = 540  # a question with a longer line is wrapped

tr = partial(QCoreApplication.translate, "AnswerFooter")


def bubble(text: str, theme: Theme, font: QFontMetrics) -> str:
    """Return the user's question, literally, in a box at the right edge; it wraps if it is long."""
    most = _BUBBLE_WIDTH * theme.text_size // 100
    wide = len(text) > _LONG or max(map(font.horizontalAdvance, text.split("\n"))) > most
    lines = html.escape(without_tokens(text.replace("\r\n", "\n")).strip("\n"))
    inner = f'<p style="white-space:pre-wrap; margin-bottom:0px">{lines}</p>'
    style, width = "margin-top:24px; margin-bottom:4px", "80%" if wide else ""
    return box(inner, theme.user_bubble, kind="question", style=style, width=width, align="right")


def link(href: str, text: str, title: str = "") -> str:
    """Return a link; a short one stays on one line."""
    if len(text) <= _SHORT:
        text = text.replace(" ", "\xa0")
    tip = f' title="{_tip(title)}"' if title else ""
    return f'<a href="{html.escape(href)}"{tip}>{html.escape(text)}</a>'


def hint(text: str, details: str) -> str:
    """Return text that shows ``details`` in a tool tip."""
    return f'<span title="{_tip(details)}">{html.escape(text)}</span>'


def _tip(text: str) -> str:
    return html.escape(plain_tool_tip(text))


def notice(text: str, kind: NoticeKind, theme: Theme, links: Iterable[str] = ()) -> str:
    """Return a sentence in a box of its kind's colour, and links on a line below it."""
    colour, edge = {
        "info": (theme.accent_soft, ""),
        "warning": (theme.warning_bg, theme.warning_border),
        "danger": (theme.danger_bg, theme.danger_border),
    }[kind]
    lines = filter(None, (html.escape(without_tokens(text)), " &nbsp; ".join(links)))
    inner = f'<p style="margin-bottom:0px">{"<br>".join(lines)}</p>'
    return box(inner, colour, edge=edge, style="margin-top:12px; margin-bottom:12px")


def citation_mark(exchange_id: int, mark: CitationMark, theme: Theme) -> str:
    """Return a citation's mark as a link, whose form says whether its source is in line with the claim.

    The word joiner keeps the mark on the line of its word.
    """
    colour, ground, line = {
        MarkForm.PLAIN: (theme.accent, theme.accent_soft, "none"),
        MarkForm.FOUND: (theme.accent, theme.surface_alt, "none"),
        MarkForm.DOUBTFUL: (theme.warning, theme.warning_bg, "underline"),  # which the view dots
        MarkForm.WRONG: (theme.danger, theme.danger_bg, "line-through"),
    }[mark.form]
    number = "?" if mark.n == NO_SOURCE else str(mark.n)
    first, last = "()" if mark.form is MarkForm.FOUND else "[]"
    unseen = "color:rgba(0,0,0,0); text-decoration:none"  # they pad the number, and are copied
    return (
        f'<span style="letter-spacing:{_GAP}px">&#8288;</span>'
        f'<a href="cite:{exchange_id}/{mark.n}/{mark.end}" style="font-size:{theme.caption}px; '
        f'color:{colour}; background-color:{ground}; text-decoration:{line}">'
        f'<span style="{unseen}">{first}</span>{number}<span style="{unseen}">{last}</span></a>'
    )


def doubtful_claim(exchange_id: int, text: str, claim: ClaimSpan) -> str:
    """Return a piece of a claim, given as HTML, underlined and under its name."""
    name = "outside" if claim.is_outside else "claim"
    return f'<span title="{name}:{exchange_id}/{claim.end}" style="text-decoration:underline">{text}</span>'


def below_question(exchange: Exchange) -> str:
    """Return the line with the link that edits a question, and the versions of one that has several."""
    edit = link(f"edit:{exchange.id}", tr("Edit"), tr("Edit the question and ask it again"))
    parts = filter(None, (_branch_switch(exchange), edit))
    return f'<p class="turn" align="right">{" &nbsp;·&nbsp; ".join(parts)}</p>'


def _branch_switch(exchange: Exchange) -> str:
    """Return "‹ 2/3 ›" for a question that was asked more than once, else nothing."""
    siblings = exchange.siblings
    if len(siblings) < 2 or exchange.id not in siblings:
        return ""
    at = siblings.index(exchange.id)

    def arrow(sign: str, to: int, title: str) -> str:
        return link(f"branch:{siblings[to]}", sign, title) if 0 <= to < len(siblings) else sign

    before = arrow("‹", at - 1, tr("Show the previous version"))
    after = arrow("›", at + 1, tr("Show the next version"))
    return f"{before}&nbsp; {at + 1}/{len(siblings)} &nbsp;{after}"


def below_answer(exchange: Exchange, theme: Theme) -> str:
    """Return what stands below an answer that is no longer being written."""
    retry = link(f"retry:{exchange.id}", tr("Try again"))
    origin = _origin(exchange, theme)
    if exchange.state is ExchangeState.FAILED:
        failed = "" if _passages_instead(exchange) else _failure(exchange, theme)
        return origin + failed + _footer(exchange, [])
    if exchange.state is ExchangeState.DONE:
        if not exchange.answer:
            return _note(exchange, theme) + _footer(exchange, [tr("There is no answer."), retry])
        return _note(exchange, theme) + origin + _footer(exchange, [])
    stopped = exchange.state is ExchangeState.STOPPED and exchange.stop_reason != INTERRUPTED
    return origin + _footer(exchange, [tr("Stopped") if stopped else tr("Interrupted"), retry])


def passages_link(exchange: Exchange) -> str:
    """Return what leads to the passages while an answer is being written from them."""
    return f'<p class="status">{link(f"sources:{exchange.id}", tr("Show the passages"))}</p>'


def model_offer(exchange: Exchange) -> str:
    """Say once what a model would do, below an answer without one."""
    if exchange.model is not None or exchange.kind or not exchange.sources:
        return ""
    text = tr("A model would answer in its own words, each sentence checked against these passages.")
    return f'<p class="status">{html.escape(text)} {link("settings:", tr("Ways to get one…"))}</p>'


def above_answer(exchange: Exchange, theme: Theme) -> str:
    """Say, above them, why passages take the place of an answer."""
    return _failure(exchange, theme) if _passages_instead(exchange) else ""


def _passages_instead(exchange: Exchange) -> bool:
    return exchange.state is ExchangeState.FAILED and exchange.model is None and bool(exchange.answer)


def _failure(exchange: Exchange, theme: Theme) -> str:
    sentence = shown(exchange.error) if exchange.error else tr("The answer could not be completed.")
    retry = link(f"retry:{exchange.id}", tr("Try again"))
    return notice(sentence, "danger", theme, [retry, *_settings(exchange)])


def status_text(event: AnswerEvent) -> str:
    """Return what is happening while an answer is being written; empty if ``event`` does not say."""
    match event:
        case AnswerStarted():
            return tr("Thinking…")
        case AnswerText():
            return tr("Writing…")
        case SourcesFound():
            count = len(event.sources)
            reading = tr("Reading %Ln passage(s)…", None, count)
            return reading if count else tr("Thinking…")
        case AnswerChecking() | AnswerExamined():
            return tr("Checking the answer against your courses…")
        case SearchStarted():
            query = shorten(event.query, 80)
            if event.course_name:
                text = tr("Searching for “{query}” in {course}…")
                return text.format(query=query, course=event.course_name)
            return tr("Searching for “{query}”…").format(query=query)
        case ReadingStarted(course, None):
            return tr("Reading {course}…").format(course=course)
        case ReadingStarted(course, number):
            return tr("Reading lesson {number} of {course}…").format(number=number, course=course)
        case ModelLoading():
            return tr("Loading the model…")
        case AnswerWaiting():
            if not event.seconds:
                return tr("Trying again…")
            again = tr("Trying again in {seconds} s").format(seconds=event.seconds)
            return f"{shown(event.reason)} {again}"
    return ""


def _note(exchange: Exchange, theme: Theme) -> str:
    if not exchange.error:
        return ""
    links = _settings(exchange)
    if exchange.stop_reason == StopReason.LENGTH and exchange.answer:
        tip = tr("Ask for the rest of the answer")
        links.append(link(f"continue:{exchange.id}", tr("Continue"), tip))
    return notice(shown(exchange.error), "warning", theme, links)


def _settings(exchange: Exchange) -> list[str]:
    """Return a link to the settings if the sentence about an answer sends the reader there."""
    leads_there = exchange.error is not None and exchange.error.id in MENDED_IN_SETTINGS
    return [link("settings:", tr("Open settings…"))] if leads_there else []


def _origin(exchange: Exchange, theme: Theme) -> str:
    """Say that an answer does not come from the courses; name the nearest lessons if it cites none.

    An answer without a model names them itself, and one that was cut short may have been about to cite.
    """
    words = origin_words(exchange)
    cites = any(form_of(citation) in (MarkForm.PLAIN, MarkForm.FOUND) for citation in exchange.citations)
    is_whole = exchange.state is ExchangeState.DONE and exchange.stop_reason != StopReason.LENGTH
    names_none = is_whole and exchange.model is not None and exchange.answer and not cites
    near = nearest_lessons(exchange.sources) if names_none else ()
    links = [
        link(
            f"cite:{exchange.id}/{source.n}",
            lesson_name(source.hit) or course_name(source.hit),
            course_name(source.hit),
        )
        for source in near
    ]
    if links:
        words = f"{words} {tr('Nearest lessons:')}".lstrip()
    return notice(words, "info", theme, ["\xa0· ".join(links)] if links else []) if words else ""


def _cost(exchange: Exchange) -> str:
    """Return the cost of an answer, or its model if the price is unknown; details in the tool tip."""
    usage = exchange.usage
    if not usage.tokens:
        return ""
    tokens = tr("%Ln token(s)", None, usage.tokens)
    model = re.split(r"[\\/]", exchange.model or "")[-1].removesuffix(".gguf")
    text = (model or tokens) if usage.cost is None else dollars(usage.cost)
    details = tr("{sent} tokens sent, {cached} of them from the cache; {written} written").format(
        sent=number_text(usage.prompt_tokens),
        cached=number_text(usage.cache_read_tokens),
        written=number_text(usage.output_tokens),
    )
    return hint(text, f"{details} · {exchange.model}" if exchange.model else details)


def _support(exchange: Exchange) -> list[str]:
    """Return how much of an answer is in line with its sources, as a link to the first claim that is not."""
    text = in_line_words(exchange)
    doubtful = doubtful_claims(exchange.claims)
    if not text or not doubtful:
        tip = tr(
            "Each statement stands in your courses, or they say much the same. Small slips can go unnoticed."
        )
        return [hint(text, tip)] if text else []
    first = f"claim:{exchange.id}/{doubtful[0].answer_end}"
    parts = [link(first, text, tr("Show the first statement that was not found in the sources"))]
    if exchange.open_claims and exchange.model and exchange.state is ExchangeState.DONE:
        tip = tr("Ask the cheapest model once about the statements that were not found")
        parts.append(link(f"look:{exchange.id}", tr("Second look"), tip))
    return parts


def _footer(exchange: Exchange, parts: list[str]) -> str:
    parts += _support(exchange)
    if count := len(exchange.sources):
        text = tr("%Ln source(s)", None, count)
        parts.append(link(f"sources:{exchange.id}", text, tr("Show the sources")))
    done = exchange.state is ExchangeState.DONE
    if exchange.seconds and done:
        parts.append(tr("{seconds} s").format(seconds=QLocale().toString(exchange.seconds, "f", 1)))
    if cost := _cost(exchange):
        parts.append(cost)
    if exchange.answer:
        parts.append(link(f"copy:{exchange.id}", tr("Copy"), tr("Copy the answer as Markdown")))
    if exchange.answer and done:
        parts.append(link(f"retry:{exchange.id}", tr("Regenerate"), tr("Answer this question again")))
    return f'<p class="footer">{" &nbsp;·&nbsp; ".join(parts)}</p>'


def news_of(event: AnswerEvent) -> str:
    """Return the announcement for an event: what is awaited, or how the answer ended."""
    match event:
        case AnswerStarted() | SearchStarted() | ReadingStarted() | ModelLoading() | AnswerWaiting():
            return status_text(event)
        case AnswerDone(exchange=exchange) | AnswerInterrupted(exchange=exchange):
            return _end(exchange)
    return ""


def _end(exchange: Exchange) -> str:
    """Return how an answer ended, and whether it comes from the courses."""
    why = shown(exchange.error) if exchange.error else ""
    if exchange.state is ExchangeState.FAILED:
        return why or tr("The answer could not be completed.")
    if exchange.state is not ExchangeState.DONE:
        return tr("The answer was stopped.")
    sentences = [tr("The answer is complete, with %Ln source(s).", None, len(exchange.sources)), why]
    if count_of := in_line_words(exchange):
        sentences.append(f"{count_of}.")
    sentences.append(origin_words(exchange))
    return " ".join(filter(None, sentences))
