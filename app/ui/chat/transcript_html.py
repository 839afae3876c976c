"""HTML of the parts around an answer: the question's bubble, names, status, footer, notices."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Literal

from app.ui.markup.citation_marks import without_tokens
from app.ui.markup.qt_html import box
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.ui.widgets.theme import Theme

NoticeKind = Literal["info", "warning", "danger"]


def bubble(text: str, theme: Theme, *, wide: bool) -> str:
    """Return the user's question, literally, in a box at the right edge; wrap it if ``wide``."""
    lines = html.escape(without_tokens(text.replace("\r\n", "\n")).strip("\n"))
    inner = f'<p style="white-space:pre-wrap; margin-bottom:0px">{lines}</p>'
    style, width = "margin-top:24px; margin-bottom:12px", "80%" if wide else ""
    return box(inner, theme.user_bubble, padding=10, style=style, width=width, align="right")


def link(href: str, text: str, title: str = "") -> str:
    tip = f' title="{_tip(title)}"' if title else ""
    return f'<a href="{html.escape(href)}"{tip}>{html.escape(text)}</a>'


def hint(text: str, details: str) -> str:
    """Return text that shows ``details`` in a tool tip."""
    return f'<span title="{_tip(details)}">{html.escape(text)}</span>'


def _tip(text: str) -> str:
    return html.escape(plain_tool_tip(text))


def notice(text: str, kind: NoticeKind, theme: Theme, links: Iterable[str] = ()) -> str:
    """Return a sentence in a box of its kind's colour, followed by links."""
    colour = {"info": theme.accent_soft, "warning": theme.warning_bg, "danger": theme.danger_bg}[kind]
    words = [html.escape(without_tokens(text)), *links]
    inner = f'<p style="margin-bottom:0px">{" &nbsp; ".join(words)}</p>'
    return box(inner, colour, padding=10, style="margin-top:4px; margin-bottom:12px")


def citation_mark(exchange_id: int, n: int, *, verified: bool, theme: Theme, title: str) -> str:
    """Return a citation's mark as a superscript link, struck through if it is not verified.

    Qt draws superscript at two thirds of its size: 18 pixels become 12, which is 9 points. The word
    joiner keeps the mark on the line of its word.
    """
    colour = theme.accent if verified else theme.danger
    line = "none" if verified else "line-through"
    return (
        f'&#8288;<a href="cite:{exchange_id}/{n}" title="{_tip(title)}" style="vertical-align:super; '
        f'font-size:18px; color:{colour}; text-decoration:{line}">[{n}]</a>'
    )
