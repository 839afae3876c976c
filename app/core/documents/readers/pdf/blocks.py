"""The runs of a PDF page to blocks of text in reading order.

Rows with cells below each other are a table, rows in letters of equal width code, others paragraphs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from statistics import median
from typing import Literal

from app.core.documents.readers.pdf.lines import RIGHT_TO_LEFT, PdfLine, Region, Run, regions
from app.core.documents.readers.pdf.tables import BULLET, LEADERS, is_formula, table_cells, table_end
from app.core.documents.readers.text_builder import table_row
from app.core.documents.text.sentences import ends_sentence

_GLYPH = re.compile(r"[•▪▫◦‣●○■□▶►∗·]\s*")
_LAST_PART = re.compile(r"(?<![^\W\d_])([^\W\d_]+)-$")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

_LEFT = attrgetter("left")
_TAIL = 60  # characters at a line's end that hold its last word

BlockKind = Literal["prose", "line", "table", "code"]


@dataclass(frozen=True, slots=True)
class PdfBlock:
    """A piece of a page: a paragraph, a line by itself, a table or code."""

    kind: BlockKind
    text: str


class DocumentWords:
    """A document's words, by which hyphens at line breaks are told from hyphens in words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: set[str] = set()
        for text in texts:
            words = _WORD.findall(text.casefold())
            # The last word of a line may be cut in two.
            self._words.update(words if not text.endswith("-") else words[:-1])

    def joined(self, before: str, after: str) -> str:
        """Return two lines as one, a word broken by a hyphen as a whole."""
        last, first = _LAST_PART.search(before[-_TAIL:]), _FIRST_PART.match(after)
        if last is None or first is None or not first.group().islower():
            return before + ("" if before.endswith("-") and after[:1].isalnum() else " ") + after
        left, right = last.group(1).casefold(), first.group().casefold()
        known = f"{left}-{right}" in self._words or (
            min(len(left), len(right)) > 3 and {left, right} <= self._words
        )
        keeps = known and left + right not in self._words
        return before + after if keeps else before[:-1] + after


def page_blocks(runs: Sequence[Run], vocabulary: DocumentWords, body: float) -> list[PdfBlock]:
    """Return the blocks of a page in reading order; ``body`` is the letter height of the document's prose."""
    blocks = [PdfBlock("line", "")]
    for region in regions(list(runs)):
        for block in _blocks_of(region, vocabulary, body):
            last = blocks[-1]
            is_prose = last.kind == block.kind == "prose"
            if is_prose and len(last.text) > 40 and goes_on(last.text, block.text):
                blocks[-1] = PdfBlock("prose", vocabulary.joined(last.text, block.text))
            else:
                blocks.append(block)
    return blocks[1:]


def _ends_sentence(text: str) -> bool:
    return text.endswith((":", ";")) or ends_sentence(text)


def goes_on(before: str, after: str) -> bool:
    """Whether a paragraph that ended at the foot of a column or page goes on at the head of the next."""
    return after[:1].islower() and not _ends_sentence(before)


def _blocks_of(region: Region, vocabulary: DocumentWords, body: float) -> Iterator[PdfBlock]:
    rows = region.rows
    begin = index = 0  # of the prose, and of what comes after it
    while index < len(rows):
        end, kind = _special(rows, index)
        if end == index:
            index += 1
            continue
        yield from _paragraphs(replace(region, rows=rows[begin:index]), vocabulary, body)
        chosen = rows[index:end]
        if kind == "table":
            yield PdfBlock("table", "\n".join(map(table_row, table_cells(chosen))))
        else:
            yield PdfBlock("code", _code(chosen))
        begin = index = end
    yield from _paragraphs(replace(region, rows=rows[begin:]), vocabulary, body)


def _special(rows: list[PdfLine], index: int) -> tuple[int, BlockKind]:
    """Return where the table or code that begins with a row ends; the row itself if none begins."""
    end = index
    while end < len(rows) and all(run.fixed for run in rows[end].runs):
        end += 1
    if end - index > 1:
        return end, "code"
    end = table_end(rows, index)
    return (end, "table") if end > index else (index, "prose")


def _code(rows: list[PdfLine]) -> str:
    widths = [(run.right - run.left) / len(run.text) for row in rows for run in row.runs if len(run.text) > 2]
    width = max(median(widths) if widths else 6.0, 1.0)
    left = min(row.left for row in rows)
    pitch = median([a.middle - b.middle for a, b in zip(rows, rows[1:], strict=False)] or [0.0])
    lines: list[str] = []
    last: PdfLine | None = None
    for row in rows:
        if last and pitch > 0 and last.middle - row.middle > 1.6 * pitch:
            lines.append("")
        line = ""
        for run in sorted(row.runs, key=_LEFT):
            column = round((run.left - left) / width)
            line += " " * max(column - len(line), 1 if line else 0) + run.text
        lines.append(line)
        last = row
    return "\n".join(lines)


def _paragraphs(region: Region, vocabulary: DocumentWords, body: float) -> Iterator[PdfBlock]:
    rows, left, right = region.rows, region.left, region.right
    if not rows:
        return
    steps = [a.middle - b.middle for a, b in zip(rows, rows[1:], strict=False)]
    heights = median(row.height for row in rows)
    close = [step for step in steps if 0 < step < 2.5 * heights]
    pitch = median(close) if close else heights
    text = _row_text(rows[0])
    for last, row in zip(rows, rows[1:], strict=False):
        following = _row_text(row)
        how = _break_between(last, row, left, right, pitch)
        is_large = min(last.height, row.height) > 1.25 * body
        if is_large and last.middle - row.middle < 2 * row.height and 0.95 < row.height / last.height < 1.05:
            text = vocabulary.joined(text, following)  # one title too long for a line
        elif how == "paragraph":
            yield PdfBlock("prose", text)
            text = following
        elif how == "line":
            text += "\n" + following
        else:
            text = vocabulary.joined(text, following)
    yield PdfBlock("prose", text)


def _row_text(row: PdfLine) -> str:
    text = LEADERS.sub(" … ", row.text).strip()
    glyph = _GLYPH.match(text)
    return "• " + text[glyph.end() :] if glyph and glyph.end() < len(text) else text


def _break_between(last: PdfLine, row: PdfLine, left: float, right: float, pitch: float) -> str:
    """Return what divides two rows: a paragraph, a line, or nothing."""
    step = last.middle - row.middle
    ratio = row.height / last.height
    # One among the words of a paragraph begins at the margin, or is its last line.
    shown = [is_formula(one) and one.left - left > one.height for one in (last, row)]
    if any(shown) or (is_formula(last) and is_formula(row)):
        return "line" if step < 3 * pitch else "paragraph"
    if step > 1.35 * pitch or ratio > 1.18 or ratio < 0.85:
        return "paragraph"
    marked = BULLET.match(_row_text(last) + " ") is not None
    if BULLET.match(_row_text(row) + " "):
        # A dash or a number may also begin a line of prose.
        return "line" if marked or _is_short(last, left, right) or _GLYPH.match(_row_text(row)) else "nothing"
    backwards = RIGHT_TO_LEFT.search(row.text) is not None
    indent = (right - row.right) - (right - last.right) if backwards else row.left - last.left
    if indent > 0.6 * row.height and not marked and indent < 6 * row.height and _ends_sentence(last.text):
        return "paragraph"
    if -indent > 0.6 * row.height and not backwards and _ends_sentence(last.text):
        return "paragraph"  # the next item of a list with hanging indents
    if LEADERS.search(last.text) or _is_short(last, left, right):
        return "paragraph" if _ends_sentence(last.text) else "line"
    return "nothing"


def _is_short(row: PdfLine, left: float, right: float) -> bool:
    """Whether a row ends so far from the margin that the next word would have fitted."""
    if RIGHT_TO_LEFT.search(row.text):
        return row.left - left > 0.25 * (right - left)
    return right - row.right > 0.25 * (right - left)
