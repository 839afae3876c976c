"""Markdown to harmless HTML.

The HTML is plain and semantic: headings, paragraphs, lists, tables, quotes, and code as
``<pre><code class="language-…">``. Nothing harmful in the model's text gets through: raw HTML is shown as
text, links keep ``http`` and ``https`` only, pictures become links.
"""

from __future__ import annotations

import html
import re
import string
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from typing import TYPE_CHECKING

import markdown
import nh3
from markdown import inlinepatterns as inline
from markdown.blockprocessors import BlockQuoteProcessor
from markdown.extensions import Extension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableProcessor
from markdown.util import AtomicString

from app.ui.markup.citation_marks import owner_of, with_marks, without_tokens
from app.ui.markup.markdown_blocks import (
    FOOTNOTE,
    LIST_MARKER,
    Block,
    closes_fence,
    fence_of,
    indent_of,
    split_blocks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown.blockparser import BlockParser

    from app.domain.sources import Citation, Claim

_TAGS = {
    *("p", "br", "hr", "a", "strong", "em", "del", "sup", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}
_SCHEMES = {"http", "https"}
_CODE_TOKEN = re.compile("(?:<p>)?\ue002([0-9]+)\ue003(?:</p>)?")
_NO_SIGNS = str.maketrans("", "", "*_~")
_TASK = re.compile(r"\[([ xX])\](?=[ \t])")
# An address in the text; not what the package has put in place of something already read.
_ADDRESS = r"(?<![\w/])https?://(?:[^\s<>\"()\x02\x03\ue000-\ue003]|\([^\s<>\"()\x02\x03\ue000-\ue003]*\))++"
_LIST = re.compile(r"<([ou]l)\b")
_STRIP_QUOTE = re.compile(r"^ {0,3}> ?", re.MULTILINE)
# What lies beyond these is shown as plain text, so that no text takes long to read or to lay out.
_DEEPEST_QUOTE = 3  # Qt takes twice as long for each box in a box
_DEEPEST_LIST = 8
_MOST_CELLS = 1_000
_MOST_LINK_STEPS = 40_000  # characters read in search of the ends of links
_LONGEST_TITLE = 200  # characters of a link's title, which is not shown
_MOST_CROSSWISE = 5  # emphases that the package would garble


def markdown_to_html(source: str, citations: Sequence[Citation] = ()) -> str:
    """Return harmless HTML, with the tokens of citation marks."""
    source = without_tokens(source)
    return "\n".join(
        block_to_html(source, block, own) for block, own in with_own_marks(split_blocks(source), citations)
    )


def with_own_marks(
    blocks: Sequence[Block], items: Sequence[Citation | Claim]
) -> list[tuple[Block, list[Citation | Claim]]]:
    """Pair each block with the citations whose marks it shows and the claims that end in it."""
    owned: list[list[Citation | Claim]] = [[] for _ in blocks]
    for item in items if blocks else ():
        owned[owner_of(item.answer_end, blocks)].append(item)
    return list(zip(blocks, owned, strict=True))


def block_to_html(source: str, block: Block, items: Sequence[Citation | Claim]) -> str:
    text, behind = with_marks(source, block, items)
    html = _render(block, block.head + text, 0)
    if block.kind == "list" and block.goes_on:
        html = _LIST.sub(r'<\1 class="goes-on"', html)
    return html + (f"<p>{behind}</p>" if behind else "")


def _render(block: Block, text: str, depth: int) -> str:
    match block.kind:
        case "fence":
            return _fenced(text)
        case "code":
            return code_html("\n".join(line.expandtabs(4)[4:] for line in text.split("\n")), "")
        case "rule":
            return "<hr>"
        case "heading":
            return _heading(text)
        case "quote" if depth < _DEEPEST_QUOTE:
            return f"<blockquote>{_inside_quote(_STRIP_QUOTE.sub('', text), depth + 1)}</blockquote>"
    return _convert(text, depth, is_list=block.kind == "list")


def _inside_quote(text: str, depth: int) -> str:
    parts = split_blocks(text)
    return "".join(_render(part, part.head + text[part.start : part.end], depth) for part in parts)


def _fenced(text: str) -> str:
    """Return the HTML of fenced code, closed or still open."""
    first, _, rest = text.partition("\n")
    fence, language = fence_of(first.strip())
    lines = rest.split("\n")
    if closes_fence(lines[-1].strip(), fence):
        lines.pop()
    margin = indent_of(first)
    return code_html("\n".join(line[min(margin, indent_of(line)) :] for line in lines), language)


def code_html(code: str, language: str) -> str:
    known = re.sub(r"[^\w+#.-]", "", language)
    return f'<pre><code class="language-{known}">{html.escape(code)}</code></pre>'


def _heading(text: str) -> str:
    signs = text.strip()
    if signs.startswith("#"):
        level = min(len(signs) - len(signs.lstrip("#")), 6)
        title = signs[level:].lstrip(" \t").rstrip("#").rstrip(" \t")
    else:
        title, _, rule = text.rstrip().rpartition("\n")
        level = 1 if "=" in rule else 2
    inner = _convert(title).removeprefix("<p>").removesuffix("</p>")
    return f"<h{level}>{inner}</h{level}>"


def _convert(text: str, depth: int = 0, *, is_list: bool = False) -> str:
    """Return sanitised HTML from the Markdown package."""
    codes: list[str] = []

    def keep_code(code: str, language: str) -> str:
        codes.append(code_html(code, language))
        return f"\ue002{len(codes) - 1}\ue003"

    if is_list:
        normaliser = _ListNormaliser(keep_code)
        for line in text.expandtabs(4).split("\n"):
            normaliser.take(line)
        normaliser.end_code()
        text = "\n".join(normaliser.out)
    try:
        rough = _converter.html_of(text, quotes=_DEEPEST_QUOTE - depth)
    except RecursionError:  # nested too deeply to be read
        return f"<p>{html.escape(text)}</p>"
    clean = nh3.clean(
        rough, _TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES, url_relative="deny", link_rel=None
    )
    return _CODE_TOKEN.sub(lambda match: codes[int(match.group(1))], clean)


class _ListNormaliser:
    """Rewrites a list as models write it to the form that the Markdown package reads, line by line.

    The package wants four columns a level and knows no fenced code inside an item; models indent by two
    or three columns and often put code there.
    ``keep_code`` takes code and language and returns the token that replaces it.
    """

    def __init__(self, keep_code: Callable[[str, str], str]) -> None:
        self.out: list[str] = []
        self._keep_code = keep_code
        self._items: list[int] = []  # columns of the open items' markers
        self._code: list[str] = []
        self._fence = self._language = ""
        self._fence_indent = 0
        self._blank = False
        self._in_paragraph = False

    def take(self, line: str) -> None:
        stripped, indent = line.strip(), indent_of(line)
        if self._fence:
            if closes_fence(stripped, self._fence):
                self.end_code()
            else:
                self._code.append(line[min(indent, self._fence_indent) :])
            return
        if not stripped:
            self.out.append("")
            self._blank = True
            return
        marker = LIST_MARKER.match(stripped)
        if marker and not (indent < 2 and not self._items and self._blank):
            # Close the items that the line does not belong to.
            while self._items and (indent < self._items[-1] + 2 or len(self._items) >= _DEEPEST_LIST):
                self._items.pop()
            if self._in_paragraph:
                self.out.append("")  # without it the package sees no item after a paragraph
            self._in_paragraph = False
            self._take_item(marker.group(2), stripped[marker.end() :].strip(), indent)
        else:
            self._take_more(stripped, indent)
        self._blank = False

    def end_code(self) -> None:
        if self._fence:
            token = self._keep_code("\n".join(self._code), self._language)
            self.out += ["", self._margin() + token, ""]
        self._fence, self._code = "", []

    def _margin(self) -> str:
        return "    " * len(self._items)

    def _take_item(self, number: str | None, content: str, indent: int) -> None:
        margin = self._margin()
        self._items.append(indent)
        self._fence, self._language = fence_of(content)
        self._fence_indent = indent + 2
        # An item that opens with code needs some text: a zero-width space.
        text = "\u200b" if self._fence or not content else _TASK.sub(_box, content, count=1)
        if LIST_MARKER.match(text):
            text = f"\u200b{text}"  # "- - - a" would nest a list for each marker
        self.out.append(f"{margin}{f'{int(number)}.' if number else '-'} {text}")

    def _take_more(self, stripped: str, indent: int) -> None:
        """Add a line to an item: text, a new paragraph, code, or a quote."""
        self._fence, self._language = fence_of(stripped)
        if self._blank or self._fence:
            while len(self._items) > 1 and indent < self._items[-1] + 2:
                self._items.pop()
        if self._fence:
            self._fence_indent = indent
            return
        margin = self._margin()
        deeper = indent - (self._items[-1] + 2 if self._items else 0)
        if self._blank and deeper >= 5:
            margin += "    "
        quoted = stripped.startswith(">")
        self._in_paragraph = self._in_paragraph or self._blank or quoted
        if quoted and not self._blank and not self.out[-1].lstrip().startswith(">"):
            self.out.append("")  # without it the package sees no quote after text
        self.out.append(margin + stripped)


def _box(task: re.Match[str]) -> str:
    return "\u2610" if task.group(1) == " " else "\u2611"


@dataclass
class _Limits:
    """What is left of the work that a piece of text may make."""

    quotes: int = 0
    link_steps: int = 0
    crosswise: int = 0


class _Link(inline.LinkInlineProcessor):
    """Reads links until the limit: each bracket without its end would be searched to the end of the text."""

    def __init__(self, pattern: str, md: markdown.Markdown, limits: _Limits) -> None:
        super().__init__(pattern, md)
        self._limits = limits

    def getText(self, data: str, index: int) -> tuple[str, int, bool]:
        if self._limits.link_steps <= 0:
            return "", index, False
        text, end, found = super().getText(data, index)
        self._limits.link_steps -= end - index
        return text, end, found

    def getLink(self, data: str, index: int) -> tuple[str, str | None, int, bool]:
        if not data.startswith("(", index):
            return "", None, index, False
        href, title, end, found = super().getLink(data, index)
        is_simple = found and not title and "'" not in href and '"' not in href
        self._limits.link_steps -= (end if is_simple else len(data)) - index  # else it may have read on
        hides_text = any(map(str.isspace, href)) or len(title or "") > _LONGEST_TITLE
        return href, title, end, found and not hides_text


class _Address(inline.InlineProcessor):
    """Makes a link of an address that stands in the text."""

    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[ElementTree.Element, int, int]:
        address = m.group().rstrip(".,:;!?'*_~]")
        link = ElementTree.Element("a", href=address)
        link.text = AtomicString(address)
        return link, m.start(), m.start() + len(address)


class _Footnote(inline.InlineProcessor):
    """Raises the number of a footnote, in the text and before the note itself."""

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[ElementTree.Element, int, int]:
        number = ElementTree.Element("sup")
        number.text = AtomicString(m.group(1))
        opens_note = not m.start() and data.startswith(":", m.end())
        return number, m.start(), m.end() + opens_note


class _PictureLink(_Link):
    """Turns a picture into a link, since pictures are never loaded."""

    def handleMatch(  # type: ignore[override]  # the stubs know the older form only
        self, m: re.Match[str], data: str
    ) -> tuple[ElementTree.Element | str | None, int | None, int | None]:
        link, start, end = super().handleMatch(m, data)
        if isinstance(link, ElementTree.Element):
            link.text = link.text or link.get("title") or link.get("href")
            link.attrib.pop("title", None)
        return link, start, end


class _Emphasis(inline.DelimiterProcessor):
    """Leaves signs as they are where the package would lose letters: with some of them nested crosswise."""

    def __init__(self, md: markdown.Markdown, limits: _Limits) -> None:
        super().__init__("*", "strong,em", md)
        self.add("_", "strong,em", smart=True)
        self.add("~", "del", double=True)
        self._limits = limits

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[ElementTree.Element | None, int | None, int | None]:
        if not self._limits.crosswise:
            return None, m.start(), len(data)
        element, start, end = super().handleMatch(m, data)
        if element is not None and start is not None and end is not None:
            held = "".join(element.itertext()).translate(_NO_SIGNS)
            if held != data[start:end].translate(_NO_SIGNS):
                self.reset()
                self._limits.crosswise -= 1
                return None, start, end
        return element, start, end


class _Quotes(BlockQuoteProcessor):
    """Reads quotes up to the limit of their nesting."""

    def __init__(self, parser: BlockParser, limits: _Limits) -> None:
        super().__init__(parser)
        self._limits = limits

    def test(self, parent: ElementTree.Element, block: str) -> bool:
        return self.parser.state.count("blockquote") < self._limits.quotes and super().test(parent, block)


class _Tables(TableProcessor):
    """Reads tables up to the limit of their cells; each row gets as many as the head has."""

    def test(self, parent: ElementTree.Element, block: str) -> bool:
        columns = block.partition("\n")[0].count("|") + 1
        return columns * (block.count("\n") + 1) <= _MOST_CELLS and super().test(parent, block)


class _OwnRules(Extension):
    """Removes what is dangerous or done elsewhere, adds what models write, limits what takes long."""

    def __init__(self, limits: _Limits) -> None:
        super().__init__()
        self._limits = limits

    def extendMarkdown(self, md: markdown.Markdown) -> None:
        md.ESCAPED_CHARS = list(string.punctuation)  # as CommonMark has it
        md.preprocessors.deregister("html_block")
        for name in ("html", "reference", "short_reference", "image_reference", "short_image_ref"):
            md.inlinePatterns.deregister(name)
        md.inlinePatterns.register(_Link(inline.LINK_RE, md, self._limits), "link", 160)
        md.inlinePatterns.register(_PictureLink(inline.IMAGE_LINK_RE, md, self._limits), "image_link", 150)
        md.inlinePatterns.register(_Footnote(FOOTNOTE + r"(?!\()", md), "footnote", 165)
        md.inlinePatterns.register(_Address(_ADDRESS, md), "address", 105)
        # The only line break in a table cell.
        md.inlinePatterns.register(inline.SubstituteTagInlineProcessor(r"<br[ ]?/?>", "br"), "br", 95)
        md.inlinePatterns.register(_Emphasis(md, self._limits), "em_strong", 60)
        # The splitter finds headings and rules; link definitions would swallow text.
        for name in ("hashheader", "setextheader", "hr", "reference"):
            md.parser.blockprocessors.deregister(name)
        md.parser.blockprocessors.register(_Quotes(md.parser, self._limits), "quote", 20)
        md.parser.blockprocessors.register(_Tables(md.parser, {"use_align_attribute": True}), "table", 75)


class _Converter(threading.local):
    """The Markdown package with our rules, one a thread: it keeps what it is reading in itself."""

    def __init__(self) -> None:
        self._limits = _Limits()
        self._package = markdown.Markdown(
            extensions=[SaneListExtension(), _OwnRules(self._limits)], output_format="html"
        )

    def html_of(self, text: str, *, quotes: int) -> str:
        """Return HTML that is not harmless yet; deeper ``quotes`` and costly links are left as text.

        Raises:
            RecursionError: the text is nested too deeply.
        """
        limits = self._limits
        limits.quotes, limits.link_steps, limits.crosswise = quotes, _MOST_LINK_STEPS, _MOST_CROSSWISE
        self._package.parser.state.clear()  # what a text nested too deeply has left
        return self._package.reset().convert(text)


_converter = _Converter()
