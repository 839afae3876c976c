"""Course texts as HTML, where their characters stand in rich text, and HTML as PDF."""

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QFont, QFontDatabase, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.config.paths import resource_path
from app.domain.plain_text import harmless
from app.markup.citation_marks import LEAD, without_tokens
from app.markup.markdown_blocks import TABLE_DELIMITER, Block, BlockSplitter, fence_of
from app.markup.markdown_html import block_to_html
from app.ui.markup.qt_html import Aside, without_asides

_FENCE_LINE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_ROW = re.compile(r"[ \t]*\|[^\n]*\|[ \t]*")
# Qt lays out a line as a whole: a line of a megabyte would stall the window for seconds.
_USUAL_LINES, _LONGEST_LINE = 1_200, 4_000  # characters of literal text in a block
_SENTENCE_END = re.compile(r"[.!?…]['\"”’)\]]* |[。！？]")
_NOT_SHOWN = dict.fromkeys((0, 0x0D, 0x2028, 0x2029), " ")  # ends of paragraphs in Qt


class TypesetSource:
    """A text that is split into blocks part by part, each of which can be had as HTML."""

    def __init__(self, text: str, *, is_piece: bool, asides: Sequence[Aside] = ()) -> None:
        """Take a text; one that ``is_piece`` of a longer text may begin inside code."""
        given = without_tokens(text)
        begun = _code_before(given) if is_piece else ""
        self._text = f"{begun}\n{given}" if begun else given
        self._shift = len(self._text) - len(given)
        self._waiting = asides  # until it is known which blocks they belong to
        self._asides: dict[int, list[Aside]] = {}
        self._splitter = BlockSplitter()
        self._fed = 0
        self._blocks: list[tuple[Block, bool]] = []  # and whether its head is made up
        self.is_split = False

    def __len__(self) -> int:
        return len(self._blocks)

    def split(self, characters: int) -> None:
        part = self._text[self._fed : self._fed + characters]
        self._fed += len(part)
        blocks = self._splitter.feed(part)
        if self._fed == len(self._text) and not self.is_split:
            blocks += self._splitter.finish()
            self.is_split = True
        for block in blocks:
            self._blocks += [(one, one.head != block.head) for one in _parts(self._text, block)]
        if self.is_split and self._blocks:
            starts = [block.start for block, _ in self._blocks]
            for aside in self._waiting:
                at = bisect_left(starts, aside.position + self._shift) - (not aside.leads)
                self._asides.setdefault(min(max(at, 0), len(starts) - 1), []).append(aside)
            self._waiting = ()

    def span(self, at: int) -> tuple[int, int]:
        block, _ = self._blocks[at]
        return max(block.start - self._shift, 0), max(block.end - self._shift, 0)

    def html(self, at: int) -> str:
        block, is_headless = self._blocks[at]
        text, above, below = self._text[block.start : block.end], "", ""
        for aside in reversed(self._asides.get(at, [])):
            token, place = f"\ue002{aside.name}\ue003", aside.position + self._shift - block.start
            apart = (
                f"<p>{token}</p>"
                if aside.name.startswith("p")
                else f"<blockquote><p>{token}</p></blockquote>"
            )
            if aside.leads or place <= 0:
                above = apart + above
            elif place >= len(text) or block.kind in ("fence", "code", "rule", "formula"):
                below = apart + below
            else:
                # The sign of an item needs the space behind it.
                sign = LEAD.match(text, text.rfind("\n", 0, place) + 1)
                place = max(place, sign.end() if sign else 0)
                text = text[:place] + token.replace("p", "q") + text[place:]
        whole = above + block_to_html(text, block._replace(start=0, end=len(text)), ()) + below
        if not is_headless:
            return whole
        before, _, rest = whole.partition("<thead>")
        return before + rest.partition("</thead>")[2]

    def block_at(self, position: int) -> int:
        place = position + self._shift
        return max(bisect_right(self._blocks, place, key=lambda one: one[0].start) - 1, 0)


def _code_before(text: str) -> str:
    """Return the fence of code that the text begins inside of, empty if it does not.

    A fence that opens code mostly names its language, and one that closes code never does.
    """
    fences = [match.group().strip() for match in _FENCE_LINE.finditer(text)]
    return fences[0] if len(fences) % 2 and not fence_of(fences[0])[1] else ""


def _parts(source: str, block: Block) -> list[Block]:
    """Return a block, with its rows as tables of their own where the line below a head is missing."""
    if block.kind != "paragraph" or "|" not in source[block.start : block.end]:
        return [block]
    runs: list[tuple[bool, int, int]] = []
    start = block.start
    for line in source[block.start : block.end].split("\n"):
        is_row, end = _ROW.fullmatch(line) is not None, start + len(line)
        if runs and runs[-1][0] == is_row:
            runs[-1] = (is_row, runs[-1][1], end)
        else:
            runs.append((is_row, start, end))
        start = end + 1
    return [
        _table(source, start, end) if is_row else Block("paragraph", start, end)
        for is_row, start, end in runs
    ]


def _table(source: str, start: int, end: int) -> Block:
    """Return rows as a table whose head is empty."""
    first, _, rest = source[start:end].partition("\n")
    if TABLE_DELIMITER.match(first.strip()) and rest:  # its head stands in the passage before
        start += len(first) + 1
    columns = max(line.count("|") for line in source[start:end].split("\n")) - 1
    return Block("table", start, end, head="|" + "\u200b|" * columns + "\n|" + "-|" * columns + "\n")


# What rich text has no letter for, and what it has instead of one: pictures, ends of paragraphs and cells.
_BLANK = re.compile("[\\s\u200b\u2060\ufffc\ufdd0\ufdd1]+")
_SIGNS = frozenset("*_~`#>|\\[]()!<-+=:&$")
_MANY, _FEW = 8, 3  # letters that are looked for together
_NEAR, _FAR = 60, 1_000  # how far, in characters


class LiteralSource:
    """A text that is shown as it is, in blocks of whole lines; endless lines are broken."""

    is_split = True

    def __init__(self, text: str) -> None:
        self._text = without_tokens(text)
        self._starts: list[int] = []
        start = 0
        while start < len(text):
            self._starts.append(start)
            start = _end_of_lines(text, start)

    def __len__(self) -> int:
        return len(self._starts)

    def split(self, characters: int) -> None:
        """Do nothing: it is split already."""

    def span(self, at: int) -> tuple[int, int]:
        return self._starts[at], self._starts[at + 1] if at + 1 < len(self) else len(self._text)

    def html(self, at: int) -> str:
        start, end = self.span(at)
        lines = self._text[start:end].removesuffix("\n").translate(_NOT_SHOWN)
        if not lines or "\n" in (lines[0], lines[-1]):
            lines = f"\u200b{lines}\u200b"  # Qt drops a blank line at either end
        return f'<p class="literal">{html.escape(lines, quote=False)}</p>'

    def block_at(self, position: int) -> int:
        return max(bisect_right(self._starts, position) - 1, 0)


def _end_of_lines(text: str, start: int) -> int:
    """Return where a block of lines ends; an endless line ends after a sentence, a space, or anywhere."""
    usual, longest = start + _USUAL_LINES, start + _LONGEST_LINE
    if usual >= len(text):
        return len(text)
    if (end := text.rfind("\n", start, usual)) >= 0 or (end := text.find("\n", usual, longest)) >= 0:
        return end + 1
    if longest >= len(text):
        return len(text)
    if sentence := _SENTENCE_END.search(text, usual, longest):
        return sentence.end()
    return text.rfind(" ", usual, longest) + 1 or longest


def source_of(
    text: str, *, is_markdown: bool, is_piece: bool = False, asides: Sequence[Aside] = ()
) -> TypesetSource | LiteralSource:
    """Return a text to be typeset, or shown as it is."""
    if is_markdown:
        return TypesetSource(text, is_piece=is_piece, asides=asides)
    return LiteralSource(text)


class BlockPlaces:
    """Finds spans of ``source`` in ``shown``, which has the same characters without most of the signs.

    Positions in ``shown`` count UTF-16 code units, as Qt does.
    """

    def __init__(self, source: str, shown: str) -> None:
        self._starts = [at for at, sign in enumerate(source) if not _BLANK.match(sign)]
        self._shown = shown
        shown = without_asides(shown)
        letters = [at for at, sign in enumerate(shown) if not _BLANK.match(sign)]
        matched = _matched([source[at] for at in self._starts], [shown[at] for at in letters])
        self._places = [letters[at] if at >= 0 else -1 for at in matched]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        found = [place for place in self._places[first:last] if place >= 0]
        if not found:
            return None
        begin, close = found[0], found[-1] + 1
        if self._shown[begin - 1 : begin] == "\ufffc":
            begin -= 1  # the picture of the formula whose source begins here
        return self._units(begin), self._units(close)

    def source_at(self, units: int) -> int:
        """Return which position of the source is shown at a position, or the nearest one before it."""
        at = len(self._shown.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
        before = [start for start, place in zip(self._starts, self._places, strict=True) if 0 <= place <= at]
        return before[-1] if before else 0

    def _units(self, position: int) -> int:
        return len(self._shown[:position].encode("utf-16-le", "surrogatepass")) // 2


def _matched(source: list[str], shown: list[str]) -> list[int]:
    """Return the index of the character shown for each of the source, -1 for none.

    Where they differ, the next characters are looked for nearby, as after the language of code; then behind
    signs; then further on, as after the address of a link.
    """
    text = "".join(source)
    found = [-1] * len(source)
    at = 0
    for index, letter in enumerate(shown):
        ahead = at if text[at : at + 1] == letter else _ahead(text, at, shown[index : index + _MANY])
        if ahead >= 0:
            found[ahead] = index
            at = ahead + 1
    return found


def _ahead(text: str, at: int, letters: list[str]) -> int:
    """Return where the next letters go on from a position; -1 if they do not."""
    many, few = "".join(letters), "".join(letters[:_FEW])
    if (ahead := text.find(many, at, at + _NEAR)) >= 0:
        return ahead
    behind = at
    while behind < len(text) and text[behind] in _SIGNS and text[behind] != many[0]:
        behind += 1
    if text[behind : behind + 1] == many[0]:
        return behind
    ahead = text.find(many, at, at + _FAR)
    return ahead if ahead >= 0 else text.find(few, at, at + _NEAR)


_HEADING = re.compile(r"<(h([1-6]))>((?:(?!<h[1-6]>).)*?)</\1>", re.DOTALL)
_FIRST_TAG = re.compile(r"<([a-z]+)")


def write_pages(title: str, parts: Iterable[str], path: Path) -> None:
    """Write A4 pages; each part, which is HTML, begins on a page of its own.

    Raises:
        OSError: the file cannot be written.
    """
    path.touch()  # QPdfWriter does not say why it cannot write
    writer = QPdfWriter(str(path))
    page = QPageSize(QPageSize.PageSizeId.A4)
    # The document has its own margins, which hold the page number.
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setResolution(1200)
    writer.setTitle(harmless(title))
    writer.setCreator("Lectern")
    document = QTextDocument()
    font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family())
    font.setPointSizeF(10.5)
    document.setDefaultFont(font)
    style = resource_path("resources/styles/export-pdf.css")
    document.setDefaultStyleSheet(style.read_text(encoding="utf-8"))
    first, *others = map(_for_paper, parts)
    breaking = r'<\1 style="page-break-before: always"'
    document.setHtml("\n".join([first, *(_FIRST_TAG.sub(breaking, part, count=1) for part in others)]))
    document.print_(writer)


def _for_paper(body: str) -> str:
    """Return the HTML in a form that Qt lays out: it ignores heading sizes and table styles."""
    return _HEADING.sub(r'<p class="h\2">\3</p>', body).replace(
        "<table>", '<table border="1" cellspacing="0" cellpadding="5" style="border-color:#cfc7b8">'
    )
