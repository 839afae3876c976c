"""Writes a conversation as one HTML file or as PDF, on a worker's thread."""

import html
import re
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale

from app.config.paths import resource_path
from app.domain.conversations import INTERRUPTED, Exchange, ExchangeState, OpenedConversation
from app.domain.figures import Formula, SetFormula
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.sources import Citation, Source, support_words
from app.markup.citation_marks import CitationMark, MarkForm, replace_tokens
from app.markup.formulas import formulas_in
from app.markup.markdown_html import markdown_to_html
from app.ui.markup.rich_text import EM
from app.ui.markup.support_words import mark_note
from app.ui.markup.typeset import write_pages
from app.ui.widgets.desktop import is_web_link
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import source_label

tr = partial(QCoreApplication.translate, "FileExport")

_FORMULA = re.compile(r'<span class="formula">([^<]*+)</span>')
# What a picture of a formula may hold.
_SHAPES = {
    "svg": {"viewBox"},
    "path": {"d", "stroke", "stroke-width"},
    "rect": {"x", "y", "width", "height", "fill", "stroke", "stroke-width"},
    "ellipse": {"cx", "cy", "rx", "ry", "fill", "stroke", "stroke-width"},
}
_QUESTION = re.compile(r'<p class="question">((?:[^<]|<br>)*+)</p>')


def write_html(
    opened: OpenedConversation,
    path: Path,
    set_formula: Callable[[Formula], SetFormula | None] = lambda _: None,
) -> None:
    """Write one self-contained file: no scripts, nothing to load; formulas are drawn where they stand."""
    title = _escaped(opened.conversation.title)
    style = resource_path("resources/styles/export.css").read_text(encoding="utf-8")
    body = _FORMULA.sub(partial(_drawn, set_formula), _body(opened))
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    text = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
    path.write_text(text, encoding="utf-8", newline="\n")


def write_pdf(opened: OpenedConversation, path: Path) -> None:
    """Write A4 pages.

    Raises:
        OSError: the file cannot be written.
    """
    write_pages(opened.conversation.title, [_for_paper(_body(opened))], path)


def _drawn(set_formula: Callable[[Formula], SetFormula | None], found: re.Match[str]) -> str:
    """Return a formula as a picture on the baseline of its text, with its source for screen readers."""
    source = html.unescape(found[1])
    formula = next((one.formula for one in formulas_in(source)), None)
    picture = set_formula(formula) if formula else None
    if picture is None:
        return found[0]
    import nh3  # here: the window is painted before

    shapes = nh3.clean(picture.svg, tags=set(_SHAPES), attributes=_SHAPES)
    height, depth = EM * (picture.ascent + picture.descent), EM * picture.descent
    style = f"width:{EM * picture.width:.3f}em; height:{height:.3f}em; vertical-align:{-depth:.3f}em"
    return f'<span role="img" aria-label="{_escaped(source)}" style="{style}" class="formula">{shapes}</span>'


WRITERS: dict[str, Callable[[OpenedConversation, Path], None] | None] = {
    ".md": None,
    ".markdown": None,
    ".html": write_html,
    ".htm": write_html,
    ".pdf": write_pdf,
}
"""The writer for each suffix; None for Markdown, which needs no window."""


def _body(opened: OpenedConversation) -> str:
    conversation = opened.conversation
    day = datetime.fromtimestamp(conversation.updated).strftime("%Y-%m-%d")
    when = tr("Exported from Lectern · {0}").format(day)
    parts = [f'<h1>{_escaped(conversation.title)}</h1>\n<p class="when">{html.escape(when)}</p>']
    parts += [_exchange(exchange, number) for number, exchange in enumerate(opened.exchanges, 1)]
    return "\n".join(parts)


def _for_paper(body: str) -> str:
    """Return the HTML with its questions in tables, which have a background."""
    return _QUESTION.sub(
        r'<table width="100%" cellpadding="8" bgcolor="#ece8de" style="margin-top:14px; margin-bottom:6px">'
        r"<tr><td>\1</td></tr></table>",
        body,
    )


def _exchange(exchange: Exchange, number: int) -> str:
    known = {source.n for source in exchange.sources}

    def sup(mark: CitationMark) -> str:
        text = f'<a href="#s{number}-{mark.n}">[{mark.n}]</a>' if mark.n in known else "[?]"
        words = mark_note(exchange, mark)
        doubtful = mark.form in (MarkForm.DOUBTFUL, MarkForm.WRONG)
        kind = ' class="doubtful"' if doubtful else ""
        return f"<sup{kind}>{text}{html.escape(f' {words}' if words else '')}</sup>"

    question = _escaped(exchange.question.strip()).replace("\n", "<br>")
    answer = markdown_to_html(exchange.answer, exchange.citations)
    parts = [f'<p class="question">{question}</p>', replace_tokens(answer, sup)]
    if ended := _how_it_ended(exchange):
        parts.append(f'<p class="note"><em>{_escaped(ended)}</em></p>')
    cited = {citation.source_n for citation in exchange.citations}
    notes = [_source(source, exchange, number) for source in exchange.sources if source.n in cited]
    if notes:
        parts.append(f'<div class="sources">{"".join(notes)}</div>')
    return "\n".join(parts)


def _source(source: Source, exchange: Exchange, number: int) -> str:
    own = [item for item in exchange.citations if item.source_n == source.n]
    quotes = dict.fromkeys(_quotation(item) for item in own if item.verified and item.cited_text.strip())
    text = _escaped(" ".join([f"{source_label(source.hit)}.", *quotes]))
    if any(not item.verified for item in own):
        doubt = tr("A citation of this source could not be verified.")
        text += f' <b class="doubtful">{html.escape(doubt)}</b>'
    link = source.hit.link or ""
    if is_web_link(link):
        address = html.escape(link.strip())
        text += f' <a href="{address}">{address}</a>'
    return f'<p><a name="s{number}-{source.n}" id="s{number}-{source.n}"></a>[{source.n}] {text}</p>'


def _quotation(citation: Citation) -> str:
    """Return the cited text with what it shows, such as “It rises.” (stands there, found by Lectern)."""
    words = [shown(support_words(citation.support))] if citation.support else []
    words += [shown(Message("conversations.found"))] if citation.is_found else []
    quotation = QLocale().quoteString(" ".join(citation.cited_text.split()))
    return f"{quotation} ({', '.join(words)})" if words else quotation


def _escaped(text: str) -> str:
    return html.escape(harmless(text))


def _how_it_ended(exchange: Exchange) -> str:
    """Return a sentence for an answer that is incomplete, else nothing."""
    if exchange.state is ExchangeState.DONE:
        return shown(exchange.error) if exchange.error else ""
    if exchange.state is ExchangeState.FAILED:
        return shown(exchange.error) if exchange.error else tr("The answer could not be completed.")
    if exchange.state is ExchangeState.WRITING:
        return tr("The answer was still being written.")
    if exchange.stop_reason == INTERRUPTED:
        return tr("The answer was interrupted here.")
    return tr("The answer was stopped here.")
