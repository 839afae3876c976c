"""A conversation as one HTML file or as PDF; both are laid out in a worker's thread."""

from __future__ import annotations

import html
import re
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QMarginsF
from PySide6.QtGui import QFont, QFontDatabase, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.domain.conversations import INTERRUPTED, ExchangeState
from app.ui.markup.citation_marks import mark_of, replace_tokens
from app.ui.markup.markdown_html import answer_to_html
from app.ui.widgets.links import is_web_link
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import source_label

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.conversations import Exchange, OpenedConversation
    from app.domain.sources import Source

_CSS = """
body { font-family: system-ui, "Segoe UI", "Helvetica Neue", sans-serif; line-height: 1.55; color: #2b2823;
  background: #fffdf9; max-width: 46rem; margin: 2.5rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin-bottom: .25rem; }
.when, .note { color: #6b6457; font-size: .875rem; }
.question { background: #ece8de; border-radius: 10px; padding: .75rem 1rem; margin: 2.25rem 0 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre { background: #f4f0e8; padding: .75rem 1rem; border-radius: 6px; overflow-x: auto; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, monospace; font-size: .9em; }
table { border-collapse: collapse; } th, td { border: 1px solid #e3ddd1; padding: .3rem .6rem; }
blockquote { border-left: 3px solid #cfc7b8; margin-left: 0; padding-left: 1rem; color: #6b6457; }
a { color: #23695b; } sup a { text-decoration: none; }
.doubtful { color: #a4342b; }
.sources { font-size: .875rem; border-top: 1px solid #e3ddd1; padding-top: .5rem; overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; } }
"""
_PDF_CSS = """
body { color: #1d1b18; } p.h1 { font-size: 17pt; font-weight: 600; }
p.h2 { font-size: 13pt; font-weight: 600; } p.h3, p.h4, p.h5, p.h6 { font-weight: 600; }
p, li, td { line-height: 140%; }
.when, .note { color: #6b6457; font-size: 9pt; }
pre, code { background-color: #f4f0e8; } pre { font-size: 9pt; white-space: pre-wrap; }
a { color: #23695b; text-decoration: none; } .doubtful { color: #a4342b; } .sources { font-size: 9pt; }
"""
_FONT_POINTS = 10.5
_QUESTION = re.compile(r'<p class="question">((?:[^<]|<br>)*+)</p>')
_HEADING = re.compile(r"<(h([1-6]))>((?:(?!<h[1-6]>).)*?)</\1>", re.DOTALL)
_DPI = 1200


def _tr(text: str) -> str:
    return QCoreApplication.translate("Export", text)


def write_html(opened: OpenedConversation, path: Path) -> None:
    """Write one file that needs nothing else: no script, no picture, no address to load."""
    title = html.escape(opened.conversation.title)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    text = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{_CSS}</style>\n</head>\n<body>\n{_body(opened)}\n</body>\n</html>\n"
    )
    path.write_text(text, encoding="utf-8", newline="\n")


def write_pdf(opened: OpenedConversation, path: Path) -> None:
    """Write A4 pages.

    Raises:
        OSError: the file can not be written.
    """
    path.touch()  # QPdfWriter does not say why it can not write
    writer = QPdfWriter(str(path))
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            QMarginsF(),  # the document has margins of its own, with the page's number in them
        )
    )
    writer.setResolution(_DPI)
    writer.setTitle(opened.conversation.title)
    writer.setCreator("Lectern")
    document = QTextDocument()
    font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family())
    font.setPointSizeF(_FONT_POINTS)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(_PDF_CSS)
    document.setHtml(_for_paper(_body(opened)))
    document.print_(writer)


WRITERS: dict[str, Callable[[OpenedConversation, Path], None] | None] = {
    ".md": None,
    ".markdown": None,
    ".html": write_html,
    ".htm": write_html,
    ".pdf": write_pdf,
}
"""How a file is written, by its suffix; None: as Markdown, which needs no window."""


def _body(opened: OpenedConversation) -> str:
    conversation = opened.conversation
    day = datetime.fromtimestamp(conversation.updated).strftime("%Y-%m-%d")
    when = _tr("Exported from Lectern · {0}").format(day)
    parts = [f'<h1>{html.escape(conversation.title)}</h1>\n<p class="when">{html.escape(when)}</p>']
    parts += [_exchange(exchange, number) for number, exchange in enumerate(opened.exchanges, 1)]
    return "\n".join(parts)


def _for_paper(body: str) -> str:
    """Return the same HTML in the form Qt lays out: it sizes no headings and draws no tables by style."""
    body = _HEADING.sub(r'<p class="h\2">\3</p>', body)
    body = _QUESTION.sub(
        r'<table width="100%" cellpadding="8" bgcolor="#ece8de" style="margin-top:14px; margin-bottom:6px">'
        r"<tr><td>\1</td></tr></table>",
        body,
    )
    return body.replace(
        "<table>", '<table border="1" cellspacing="0" cellpadding="5" style="border-color:#cfc7b8">'
    )


def _exchange(exchange: Exchange, number: int) -> str:
    known = {source.n for source in exchange.sources}

    def mark(n: int, verified: bool) -> str:
        text = f'<a href="#s{number}-{n}">[{n}]</a>' if n in known else "[?]"
        if verified:
            return f"<sup>{text}</sup>"
        return f'<sup class="doubtful">{text} {html.escape(_tr("could not be verified"))}</sup>'

    question = html.escape(exchange.question.strip()).replace("\n", "<br>")
    answer = answer_to_html(exchange.answer, [mark_of(item) for item in exchange.citations])
    parts = [f'<p class="question">{question}</p>', replace_tokens(answer, mark)]
    if ended := _how_it_ended(exchange):
        parts.append(f'<p class="note"><em>{html.escape(ended)}</em></p>')
    cited = {citation.source_n for citation in exchange.citations}
    notes = [_source(source, exchange, number) for source in exchange.sources if source.n in cited]
    if notes:
        parts.append(f'<div class="sources">{"".join(notes)}</div>')
    return "\n".join(parts)


def _source(source: Source, exchange: Exchange, number: int) -> str:
    own = [item for item in exchange.citations if item.source_n == source.n]
    quotes = dict.fromkeys(" ".join(item.cited_text.split()) for item in own if item.verified)
    text = html.escape(f"{source_label(source.hit)}. " + " ".join(f"“{quote}”" for quote in quotes if quote))
    if any(not item.verified for item in own):
        text += f' <b class="doubtful">{html.escape(_tr("A citation of it could not be verified."))}</b>'
    link = source.hit.link or ""
    if is_web_link(link):
        address = html.escape(link.strip())
        text += f' <a href="{address}">{address}</a>'
    return f'<p><a name="s{number}-{source.n}" id="s{number}-{source.n}"></a>[{source.n}] {text}</p>'


def _how_it_ended(exchange: Exchange) -> str:
    """Return a sentence where an answer is not simply complete."""
    if exchange.state is ExchangeState.DONE:
        return shown(exchange.error) if exchange.error else ""
    if exchange.state is ExchangeState.FAILED:
        return shown(exchange.error) if exchange.error else _tr("The answer could not be completed.")
    if exchange.state is ExchangeState.WRITING:
        return _tr("The answer was still being written.")
    if exchange.stop_reason == INTERRUPTED:
        return _tr("The answer was interrupted here.")
    return _tr("The answer was stopped here.")
