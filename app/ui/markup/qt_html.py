"""Converts plain, harmless HTML to the subset that QTextBrowser draws well.

Qt's rich text ignores padding and borders of paragraphs, sizes of headings and rounded corners. A box is
therefore a one-cell table whose background colour names its kind; the transcript removes the colour and
draws the box itself.
"""

from __future__ import annotations

import html
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from app.ui.markup.citation_marks import replace_tokens
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ui.widgets.theme import Theme

_LAST = "margin-bottom:4px"
_INLINE = {"strong": "b", "em": "i", "del": "s", "code": "code"}


def qt_html(plain: str, theme: Theme, mark: Callable[[int, bool], str]) -> str:
    """Return HTML for ``QTextCursor.insertHtml``.

    Args:
        plain: harmless HTML from ``markdown_html``.
        theme: supplies the colours.
        mark: returns the HTML of the citation mark (n, verified).
    """
    writer = _Writer(theme, mark)
    writer.feed(plain)
    writer.close()
    return writer.result()


def box(
    inner: str, colour: str, *, padding: int, style: str, width: str = "100%", align: str = "left"
) -> str:
    """Return a one-cell table, which the transcript draws as a box according to its colour."""
    return (
        f'<table width="{width}" align="{align}" border="0" cellspacing="0" cellpadding="{padding}" '
        f'bgcolor="{colour}" style="{style}"><tr><td>{inner}</td></tr></table>'
    )


class _Writer(HTMLParser):
    """Rewrites tag by tag; collects lists, quotes and code until they end."""

    def __init__(self, theme: Theme, mark: Callable[[int, bool], str]) -> None:
        super().__init__(convert_charrefs=True)
        self._theme = theme
        self._mark = mark
        self._out: list[list[str]] = [[]]
        self._lists = 0
        self._quotes = 0
        self._pre: str | None = None
        self._links: list[bool] = []

    def result(self) -> str:
        return "".join(part for level in self._out for part in level)

    # ---- HTMLParser ----

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "pre":
            self._pre = ""
            self._out.append([])
        elif self._pre is not None:
            self._pre = given.get("class", "").removeprefix("language-")
        elif tag in _INLINE:
            self._write(f"<{_INLINE[tag]}>")
        else:
            self._open(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre":
            self._close_code()
        elif self._pre is not None:
            return
        elif tag in _INLINE:
            self._write(f"</{_INLINE[tag]}>")
        elif tag in ("ul", "ol"):
            self._close_list(tag)
        elif tag == "blockquote":
            self._close_quote()
        elif tag == "a":
            self._write("</a>" if self._links.pop() else "")
        elif tag in ("p", "h1", "h2", "h3", "h4", "h5", "h6"):
            self._write("</p>")
        elif tag in ("td", "th"):
            self._write(f"</p></{tag}>")
        elif tag in ("table", "tr", "li"):
            self._write(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self._pre is not None:
            self._write(data)  # the highlighter escapes it
        else:
            self._write(replace_tokens(html.escape(data), self._mark))

    # ---- internals ----

    def _write(self, text: str) -> None:
        self._out[-1].append(text)

    def _open(self, tag: str, given: dict[str, str]) -> None:
        theme = self._theme
        if tag == "p":
            self._write(f'<p style="margin-bottom:{4 if self._lists or self._quotes else 10}px">')
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._write(f'<p class="{tag}">')
        elif tag in ("ul", "ol"):
            self._lists += 1
            self._out.append([f'<{tag} start="{given["start"]}"' if "start" in given else f"<{tag}"])
            self._write(' style="margin-top:0px;margin-bottom:0px">')
        elif tag == "li":
            self._write(f'<li style="{_LAST}">')
        elif tag == "blockquote":
            self._quotes += 1
            self._out.append([])
        elif tag == "a":
            self._open_link(given)
        elif tag == "table":
            self._write(
                f'<table border="1" cellspacing="0" cellpadding="5" '
                f'style="border-collapse:collapse; border-style:solid; border-color:{theme.border_strong}; '
                f'margin-top:8px; margin-bottom:12px">'
            )
        elif tag in ("td", "th"):
            shade = f' bgcolor="{theme.surface_alt}"' if tag == "th" else ""
            side = given.get("align") or "left"
            self._write(f'<{tag} align="{side}"{shade}><p style="margin-bottom:0px">')
        elif tag == "hr":
            self._write(self._rule())
        elif tag in ("br", "tr"):
            self._write(f"<{tag}>")

    def _rule(self) -> str:
        """Return a line across; Qt's own is an empty paragraph that merges with what follows it."""
        line = '<p style="margin-bottom:0px; font-size:1px; line-height:1px">&#8203;</p>'
        return box(line, self._theme.border_strong, padding=0, style="margin-top:8px; margin-bottom:16px")

    def _open_link(self, given: dict[str, str]) -> None:
        address = given.get("href", "")
        good = address.lower().startswith(("http://", "https://"))
        self._links.append(good)
        if good:
            tip = html.escape(plain_tool_tip(address))
            self._write(f'<a href="{html.escape(address)}" title="{tip}" style="text-decoration:underline">')

    def _close_code(self) -> None:
        # Late, because Pygments would delay the first picture of the window.
        from app.ui.markup.code_style import highlighted

        code = "".join(self._out.pop()).rstrip("\n")
        inner = highlighted(code, self._pre or "", dark=self._theme.is_dark)
        self._pre = None
        pre = f'<pre style="white-space:pre-wrap">{inner or "&#8203;"}</pre>'
        top = 4 if self._lists else 8
        self._write(
            box(pre, self._theme.code_bg, padding=12, style=f"margin-top:{top}px; margin-bottom:12px")
        )

    def _close_list(self, tag: str) -> None:
        self._lists -= 1
        inner = "".join(self._out.pop()) + f"</{tag}>"
        self._write(inner if self._lists or self._quotes else _with_last_margin(inner, 10))

    def _close_quote(self) -> None:
        self._quotes -= 1
        inner = _with_last_margin("".join(self._out.pop()), 0)
        style = "margin-top:8px; margin-bottom:12px"
        self._write(box(inner, self._theme.surface_alt, padding=10, style=style))


def _with_last_margin(inner: str, pixels: int) -> str:
    """Give the last paragraph or item another bottom margin."""
    head, last, tail = inner.rpartition(_LAST)
    return f"{head}margin-bottom:{pixels}px{tail}" if last else inner
