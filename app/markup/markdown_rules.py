"""Rules for the Markdown package: no harm, what models write, and nothing that takes long."""

import re
import string
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import markdown
from markdown import inlinepatterns as inline
from markdown.blockparser import BlockParser
from markdown.blockprocessors import BlockQuoteProcessor
from markdown.extensions import Extension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableProcessor
from markdown.util import AtomicString

from app.markup.markdown_blocks import FOOTNOTE

_NO_SIGNS = str.maketrans("", "", "*_~")
# An address in the text; not what the package has put in place of something already read.
_ADDRESS = r"(?<![\w/])https?://(?:[^\s<>\"()\x02\x03\ue000-\ue003]|\([^\s<>\"()\x02\x03\ue000-\ue003]*\))++"
# What lies beyond these stays text, so that no text takes long to read.
_MOST_CELLS = 1_000
_MOST_LINK_STEPS = 40_000  # characters read in search of the ends of links
_LONGEST_TITLE = 200  # characters of a link's title, which is not shown
_MOST_CROSSWISE = 5  # emphases that the package would garble


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


class MarkdownConverter(threading.local):
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
