"""Converts plain, harmless HTML to the subset that QTextBrowser draws well."""

import html
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import NamedTuple

from app.markup.citation_marks import CitationMark, ClaimSpan, replace_tokens, split_by_claim
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme

EDGE = "\u2063"
ASIDE = re.compile(f"{EDGE}[^{EDGE}\n\u2029]*{EDGE}")
_TOKEN = re.compile("\ue002([pqs][0-9]+)\ue003")


class Aside(NamedTuple):
    """Stands between two characters of a text.

    Attributes:
        position: in the text.
        name: what it shows: "p", for a picture, or "s", for a slide, and its number.
        leads: it stands above what follows, not below what comes before.
    """

    position: int
    name: str
    leads: bool = False


def between_edges(text: str) -> str:
    """Return a text as part of an aside's HTML."""
    return f"{EDGE}{html.escape(text.replace(EDGE, ' '))}{EDGE}"


def without_asides(shown: str) -> str:
    """Return shown text of the same length with spaces in place of asides."""
    return ASIDE.sub(lambda match: " " * len(match.group()), shown) if EDGE in shown else shown


_LAST = "margin-bottom:4px"
_GROWS = "-qt-line-height-type:minimum"
_HEADINGS = {f"h{level}": (f'<p class="h{level}">', "</p>") for level in range(1, 7)}
_SIMPLE = _HEADINGS | {
    "strong": ("<b>", "</b>"),
    "em": ("<i>", "</i>"),
    "del": ("<s>", "</s>"),
    "sup": ('<span class="sup">', "</span>"),  # Qt draws it at two thirds
    "code": ("<code>", "</code>"),
    "li": (f'<li style="{_LAST}">', "</li>"),
    "tr": ("<tr>", "</tr>"),
    "br": ("<br>", ""),
}
_ENDS = {"p": "</p>", "td": "</p></td>", "th": "</p></th>", "table": "</table>"}


def qt_html(
    plain: str,
    theme: Theme,
    mark: Callable[[CitationMark], str] = lambda _: "",
    in_claim: Callable[[str, ClaimSpan], str] = lambda text, _: text,
    formula: Callable[[str, int], str] = lambda source, _: html.escape(source),
    aside: Callable[[str], str] = lambda _: "",
) -> str:
    """Return harmless HTML for ``insertHtml``.

    ``mark`` returns the HTML of a citation's mark; ``in_claim`` returns HTML for a piece of a doubtful
    claim, given as HTML; ``formula`` that of a formula, given as its source and the height of the text;
    ``aside`` that of what is not part of the text, given by its name.
    """
    writer = _Writer(theme, mark, in_claim, formula, aside)
    writer.feed(plain)
    writer.close()
    return "".join(writer.out[0])


def box(
    inner: str,
    colour: str,
    *,
    edge: str = "",
    kind: str = "",
    padding: int = 10,
    style: str,
    width: str = "100%",
    align: str = "left",
) -> str:
    """Return a one-cell table with a ground and perhaps an edge; its first letter is named ``kind``."""
    border = f"border-collapse:collapse; border-style:solid; border-color:{edge}; " if edge else ""
    named = f' id="{kind}"' if kind else ""
    return (
        f'<table width="{width}" align="{align}" border="{1 if edge else 0}" cellspacing="0" '
        f'cellpadding="{padding}" bgcolor="{colour}" style="{border}{style}">'
        f'<tr><td bgcolor="{colour}"{named}>{inner}</td></tr></table>'
    )


class _Writer(HTMLParser):
    """Rewrites tag by tag; collects lists, quotes and code until they end."""

    def __init__(
        self,
        theme: Theme,
        mark: Callable[[CitationMark], str],
        in_claim: Callable[[str, ClaimSpan], str],
        formula: Callable[[str, int], str],
        aside: Callable[[str], str],
    ) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[list[str]] = [[]]
        self._theme = theme
        self._mark = mark
        self._in_claim = in_claim
        self._formula = formula
        self._aside = aside
        self._in_formula = False
        self._size = theme.body  # of the text being read
        self._paragraph = (self.out[0], 0)  # where the tag stands that opened the last one
        self._claim: ClaimSpan | None = None  # that the text being read belongs to
        self._lists = 0
        self._goes_on = False  # the list being read has a further part
        self._quotes = 0
        self._pre: str | None = None  # the language of the code being read
        self._links: list[bool] = []

    # ---- HTMLParser ----

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "pre":
            self._pre = ""
            self.out.append([])
        elif self._pre is not None:
            self._pre = given.get("class", "").removeprefix("language-")
        elif tag in _SIMPLE:
            if tag == "li" or tag in _HEADINGS:
                self._paragraph = (self.out[-1], len(self.out[-1]))
                self._size = {"h1": self._theme.title, "h2": self._theme.lead}.get(tag, self._theme.body)
            self._write(_SIMPLE[tag][0])
        else:
            self._open(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre":
            self._close_code()
        elif self._pre is not None:
            return
        elif tag in _SIMPLE:
            self._write(_SIMPLE[tag][1])
        elif tag in ("ul", "ol"):
            self._lists -= 1
            inner = "".join(self.out.pop()) + f"</{tag}>"
            is_inside = self._lists or self._quotes or self._goes_on
            self._write(inner if is_inside else _with_last_margin(inner, 10))
        elif tag == "blockquote":
            self._quotes -= 1
            inner = _with_last_margin("".join(self.out.pop()), 0)
            bar = f"border-left:3px solid {self._theme.border_strong}; padding-left:10px"
            self._write(
                '<table width="100%" cellspacing="0" cellpadding="4" style="border-collapse:collapse; '
                f'margin-top:8px; margin-bottom:12px"><tr><td style="{bar}">{inner}</td></tr></table>'
            )
        elif tag == "a":
            self._write("</a>" if self._links.pop() else "")
        else:
            self._write(_ENDS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        if self._pre is not None:
            self._write(data)  # the highlighter escapes it
            return
        if self._in_formula:
            self._in_formula = False
            self._let_lines_grow()
            self._write(self._formula(data, self._size))
            return
        for piece, claim in split_by_claim(data, self._claim):
            self._claim = claim
            text = replace_tokens(html.escape(piece), self._mark)
            if _TOKEN.search(text):  # the name of a picture within a line begins with "q"
                self._let_lines_grow()
                text = _TOKEN.sub(lambda token: self._aside(token.group(1)), text)
            self._write(self._in_claim(text, claim) if claim and text.strip() else text)

    # ---- internals ----

    def _write(self, text: str) -> None:
        self.out[-1].append(text)

    def _open(self, tag: str, given: dict[str, str]) -> None:
        theme = self._theme
        match tag:
            case "p":
                self._paragraph, self._size = (self.out[-1], len(self.out[-1])), theme.body
                kind = given.get("class")
                if kind == "literal":
                    self._write('<p style="margin-bottom:0px; white-space:pre-wrap">')
                    return
                side = ' align="center"' if kind == "formula" else ""
                self._write(f'<p{side} style="margin-bottom:{4 if self._lists or self._quotes else 10}px">')
            case "span":
                self._in_formula = True
            case "ul" | "ol":
                self._lists += 1
                self._goes_on = given.get("class") == "goes-on"
                start = f' start="{given["start"]}"' if "start" in given else ""
                self.out.append([f'<{tag}{start} style="margin-top:0px;margin-bottom:0px">'])
            case "blockquote":
                self._quotes += 1
                self.out.append([])
            case "a":
                address = given.get("href", "")
                good = address.lower().startswith(("http://", "https://"))
                self._links.append(good)
                if good:
                    href, tip = html.escape(address), html.escape(plain_tool_tip(address))
                    self._write(f'<a href="{href}" title="{tip}" style="text-decoration:underline">')
            case "table":
                self._write(
                    '<table border="1" cellspacing="0" cellpadding="5" style="border-collapse:collapse; '
                    f"border-style:solid; border-color:{theme.border_strong}; "
                    'margin-top:8px; margin-bottom:12px">'
                )
            case "td" | "th":
                shade = f' bgcolor="{theme.surface_alt}"' if tag == "th" else ""
                side = given.get("align") or "left"
                self._write(f'<{tag} align="{side}"{shade}>')
                self._paragraph, self._size = (self.out[-1], len(self.out[-1])), theme.body
                self._write('<p style="margin-bottom:0px">')
            case "hr":
                # Qt's own line is an empty paragraph that merges with what follows it.
                line = '<p style="margin-bottom:0px; font-size:1px; line-height:1px">&#8203;</p>'
                style = "margin-top:8px; margin-bottom:16px"
                self._write(box(line, theme.border_strong, padding=0, style=style))

    def _let_lines_grow(self) -> None:
        """Allow higher lines in the current paragraph than in other text."""
        parts, at = self._paragraph
        tag = parts[at].removesuffix(">") if at < len(parts) else ""
        if tag and _GROWS not in tag:
            styled = tag.endswith('"') and "style=" in tag
            parts[at] = f'{tag[:-1]}; {_GROWS}">' if styled else f'{tag} style="{_GROWS}">'

    def _close_code(self) -> None:
        # Late, because Pygments would delay the first picture of the window.
        from app.ui.markup.code_style import highlighted

        code = "".join(self.out.pop()).rstrip("\n")
        inner = highlighted(code, self._pre or "", dark=self._theme.is_dark)
        self._pre = None
        pre = f'<pre style="white-space:pre-wrap">{inner or "&#8203;"}</pre>'
        style = f"margin-top:{4 if self._lists else 8}px; margin-bottom:12px"
        ground, edge = self._theme.code_bg, self._theme.border
        self._write(box(pre, ground, edge=edge, kind="code", padding=12, style=style))


def _with_last_margin(inner: str, pixels: int) -> str:
    """Give the last paragraph or item another bottom margin."""
    head, last, tail = inner.rpartition(_LAST)
    return f"{head}margin-bottom:{pixels}px{tail}" if last else inner
