"""The runs of a PDF page to blocks of text in reading order.

The page is cut at white space, as a reader's eye does: columns of prose are read one after the
other, everything else row by row from the top. Rows are joined into paragraphs; rows with cells that
stand below each other are a table; rows in letters of equal width are code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Literal

from app.core.documents.pdf_lines import RIGHT_TO_LEFT, Row, Run, rows_of
from app.core.documents.text_builder import table_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BULLET = re.compile(r"(?:[•▪▫◦‣●○■□▶►✓–—∗*·-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
_GLYPH = re.compile(r"[•▪▫◦‣●○■□▶►∗·]\s*")
_LEADERS = re.compile(r"(?:\s?[.․·_]){4,}\s*")
_SENTENCE_END = re.compile(r"[.!?:;…。！？؟]['\"”’»)\]]*$")  # noqa: RUF001
_LAST_PART = re.compile(r"([^\W\d_]+)-$")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

_TAIL = 60  # characters at a line's end among which its last word is
_DEPTH = 8  # columns within columns

BlockKind = Literal["prose", "line", "table", "code"]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page: a paragraph, a line that stands for itself, a table or code."""

    kind: BlockKind
    text: str


class Vocabulary:
    """The words of a document, to tell a hyphen at a line's end from one that belongs to the word."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: set[str] = set()
        for text in texts:
            words = _WORD.findall(text.casefold())
            # The last word of a line may be cut in two.
            self._words.update(words if not text.endswith("-") else words[:-1])

    def joined(self, before: str, after: str) -> str:
        """Return two lines as one, a word that is cut by a hyphen as a whole."""
        last, first = _LAST_PART.search(before[-_TAIL:]), _FIRST_PART.match(after)
        if last is None or first is None or not first.group().islower():
            return before + ("" if before.endswith("-") and after[:1].isalnum() else " ") + after
        left, right = last.group(1).casefold(), first.group().casefold()
        known = f"{left}-{right}" in self._words or (
            min(len(left), len(right)) > 3 and {left, right} <= self._words
        )
        keeps = known and left + right not in self._words
        return before + after if keeps else before[:-1] + after

    def goes_on(self, before: str, after: str) -> bool:
        """Whether a paragraph that ended at the foot of a column goes on at the head of the next."""
        return bool(before and after[:1].islower() and not _ends_sentence(before)) and not before.endswith(
            "-"
        )


def page_blocks(runs: Sequence[Run], vocabulary: Vocabulary, body: float) -> list[Block]:
    """Return the blocks of a page in reading order.

    Args:
        runs: of the page.
        vocabulary: of the document.
        body: how high the letters of the document's prose are.
    """
    blocks: list[Block] = []
    for region in _regions(list(runs), depth=0):
        for block in _blocks_of(region, vocabulary, body):
            last = blocks[-1] if blocks else None
            if last and last.kind == block.kind == "prose" and _is_continued(last.text, block.text):
                blocks[-1] = Block("prose", vocabulary.joined(last.text, block.text))
            else:
                blocks.append(block)
    return blocks


def _ends_sentence(text: str) -> bool:
    return _SENTENCE_END.search(text[-8:]) is not None


def _is_continued(before: str, after: str) -> bool:
    return after[:1].islower() and not _ends_sentence(before) and len(before) > 40


# Cutting a page into regions


@dataclass(frozen=True, slots=True)
class _Region:
    """Rows that are read one after the other, and the margins of the column or page they stand in."""

    rows: list[Row]
    left: float
    right: float


def _regions(runs: list[Run], depth: int) -> Iterator[_Region]:
    """Yield regions in reading order."""
    if not runs:
        return
    left, right = min(run.left for run in runs), max(run.right for run in runs)
    columns = _columns(runs) if depth < _DEPTH else []
    if columns:
        for column in columns:
            yield from _regions(column, depth + 1)
        return
    plain: list[Run] = []
    for group in _groups(_strips(runs)) if depth < _DEPTH else [runs]:
        if _columns(group):
            if plain:
                yield _Region(rows_of(plain), left, right)
            plain = []
            yield from _regions(group, depth + 1)
        else:
            plain.extend(group)
    if plain:
        yield _Region(rows_of(plain), left, right)


def _strips(runs: list[Run]) -> list[list[Run]]:
    """Cut at every level line that touches no run, from top to bottom."""
    strips: list[list[Run]] = []
    floor = 0.0
    for run in sorted(runs, key=lambda run: -run.top):
        # Lines set tight overlap a little: their boxes are those of the highest and lowest letters.
        if strips and run.top - run.height * 0.35 > floor:
            strips[-1].append(run)
            floor = min(floor, run.bottom)
        else:
            strips.append([run])
            floor = run.bottom
    return strips


def _groups(strips: list[list[Run]]) -> Iterator[list[Run]]:
    """Gather strips below each other as long as one white band runs down through all of them.

    A group begins where the band has text on both sides; strips above it that the band passes by
    belong to it too, since one column may begin higher than the other.
    """
    left = min(run.left for strip in strips for run in strip)
    right = max(run.right for strip in strips for run in strip)
    before: list[list[Run]] = []
    index = 0
    while index < len(strips):
        bands = _between(strips[index])
        end = index + 1
        while bands and end < len(strips):
            common = _common(bands, _free(strips[end], left, right))
            if not common:
                break
            bands, end = common, end + 1
        end = _without_tail(strips, index, end, bands)
        if not bands or end == index + 1:
            before.append(strips[index])
            index += 1
            continue
        group = strips[index:end]
        while before and _is_beside(before[-1], group, bands):
            group.insert(0, before.pop())
        yield from before
        before = []
        yield [run for strip in group for run in strip]
        index = end
    yield from before


def _is_beside(strip: list[Run], group: list[list[Run]], bands: list[tuple[float, float]]) -> bool:
    """Whether a strip lies within a column of the group; a centred title lies in the band too."""
    runs = [run for other in group for run in other]
    for low, high in bands:
        edge = max((run.right for run in runs if run.right <= high), default=low)
        if all(run.right <= edge + 1 or run.left >= high - 1 for run in strip):
            return True
    return False


def _without_tail(strips: list[list[Run]], begin: int, end: int, bands: list[tuple[float, float]]) -> int:
    """Return where a group ends without what stands below it on one side only, set apart by a gap."""
    for index in range(begin + 1, end):
        floor = min(run.bottom for run in strips[index - 1])
        ceiling = max(run.top for run in strips[index])
        height = median(run.height for run in strips[index])
        rest = [run for strip in strips[index:end] for run in strip]
        if floor - ceiling > 0.8 * height and not any(
            any(run.left >= high - 0.1 for run in rest) and any(run.right <= low + 0.1 for run in rest)
            for low, high in bands
        ):
            return index
    return end


def _between(strip: list[Run]) -> list[tuple[float, float]]:
    """Return the white bands that have text of the strip on both sides."""
    low, high = min(run.left for run in strip), max(run.right for run in strip)
    return [gap for gap in _free(strip, low, high) if gap[1] - gap[0] > 4]


def _free(runs: list[Run], left: float, right: float) -> list[tuple[float, float]]:
    """Return the bands between left and right that no run touches."""
    gaps = []
    edge = left
    for run in sorted(runs, key=lambda run: run.left):
        if run.left > edge:
            gaps.append((edge, run.left))
        edge = max(edge, run.right)
    if edge < right:
        gaps.append((edge, right))
    return gaps


def _common(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> list[tuple[float, float]]:
    common = []
    for left, right in first:
        for other_left, other_right in second:
            low, high = max(left, other_left), min(right, other_right)
            if high - low > 4:
                common.append((low, high))
    return common


def _columns(runs: list[Run]) -> list[list[Run]]:
    """Return the columns of prose that white bands cut the runs into, in reading order; else nothing."""
    if len(runs) < 6:
        return []
    left, right = min(run.left for run in runs), max(run.right for run in runs)
    width = 0.6 * median(run.height for run in runs)
    bands = [gap for gap in _free(runs, left, right) if gap[1] - gap[0] >= width]
    if not bands:
        return []
    columns: list[list[Run]] = [[] for _ in range(len(bands) + 1)]
    for run in runs:
        columns[sum(1 for band in bands if run.left >= band[1] - 0.1)].append(run)
    if not _are_prose([rows_of(column) for column in columns]):
        return []
    backwards = sum(len(RIGHT_TO_LEFT.findall(run.text)) for run in runs)
    letters = sum(1 for run in runs for character in run.text if character.isalpha())
    return columns[::-1] if backwards * 2 > letters else columns


def _are_prose(columns: list[list[Row]]) -> bool:
    """Tell columns of prose from those of a table: full lines, or lines that do not stand level."""
    if any(len(rows) < 3 for rows in columns):
        return False
    for rows, others in zip(columns, columns[1:], strict=False):
        level = sum(
            any(abs(row.middle - other.middle) < 0.25 * row.height for other in others) for row in rows
        )
        if level < 0.5 * min(len(rows), len(others)):
            continue
        if not (_is_full(rows) and _is_full(others)):
            return False
    return True


def _is_full(rows: list[Row]) -> bool:
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    full = sum(1 for row in rows if row.right - row.left > 0.65 * (right - left))
    return full >= 0.5 * len(rows) and median(len(row.text) for row in rows) >= 18


# Rows to blocks


def _blocks_of(region: _Region, vocabulary: Vocabulary, body: float) -> Iterator[Block]:
    rows = region.rows
    index = 0
    prose: list[Row] = []
    while index < len(rows):
        end, kind = _special(rows, index)
        if end > index:
            yield from _paragraphs(_Region(prose, region.left, region.right), vocabulary, body)
            prose = []
            chosen = rows[index:end]
            if kind == "table":
                yield Block("table", "\n".join(table_row(_cells(row)) for row in chosen))
            else:
                yield Block("code", _code(chosen))
            index = end
        else:
            prose.append(rows[index])
            index += 1
    yield from _paragraphs(_Region(prose, region.left, region.right), vocabulary, body)


def _special(rows: list[Row], index: int) -> tuple[int, BlockKind]:
    """Return where a table or code that begins with a row ends; the row itself where none begins."""
    end = index
    while end < len(rows) and all(run.fixed for run in rows[end].runs):
        end += 1
    if end - index > 1:
        return end, "code"
    end = index
    while end + 1 < len(rows) and _are_table(rows[end], rows[end + 1]):
        end += 1
    return (end + 1, "table") if end > index else (index, "prose")


def _are_table(row: Row, following: Row) -> bool:
    """Whether two rows have at least two cells each, and inner ones that stand below each other."""
    if len(_cells(row)) < 2 or len(_cells(following)) < 2:
        return False
    if row.bottom - following.top > 2 * row.height:
        return False
    if _LEADERS.search(row.text) or _LEADERS.search(following.text):
        return False  # a table of contents
    slack = 0.4 * row.height
    first, second = sorted(row.runs, key=_left), sorted(following.runs, key=_left)
    return any(_stand_below(run, other, slack) for run in first[1:] for other in second[1:])


def _stand_below(run: Run, other: Run, slack: float) -> bool:
    """Whether two cells begin at the same place, or are numbers or names set to one side or centred.

    The right edges of words prove nothing: those of justified prose all stand below each other.
    """
    if abs(run.left - other.left) < slack:
        return True
    if (
        any(character.isdigit() for character in run.text + other.text)
        and abs(run.right - other.right) < slack
    ):
        return True
    centred = abs(run.left + run.right - other.left - other.right) < slack
    return centred and len(run.text) < 20 and len(other.text) < 20


def _left(run: Run) -> float:
    return run.left


def _cells(row: Row) -> list[str]:
    """Return the texts that wide gaps divide a row into; the sign of a list item is no cell."""
    cells: list[str] = []
    last: Run | None = None
    for run in row.runs:
        gap = max(run.left - last.right, last.left - run.right) if last else 0.0
        if last is None or gap > row.height:
            cells.append(run.text)
        else:
            cells[-1] += " " + run.text
        last = run
    if len(cells) > 1 and _BULLET.fullmatch(cells[0] + " "):
        cells[:2] = [" ".join(cells[:2])]
    return cells


def _code(rows: list[Row]) -> str:
    """Return rows as lines, each as far in as it stands."""
    widths = [(run.right - run.left) / len(run.text) for row in rows for run in row.runs if len(run.text) > 2]
    width = max(median(widths) if widths else 6.0, 1.0)
    left = min(row.left for row in rows)
    pitch = median([a.middle - b.middle for a, b in zip(rows, rows[1:], strict=False)] or [0.0])
    lines: list[str] = []
    last: Row | None = None
    for row in rows:
        if last and pitch > 0 and last.middle - row.middle > 1.6 * pitch:
            lines.append("")
        line = ""
        for run in sorted(row.runs, key=_left):
            column = round((run.left - left) / width)
            line += " " * max(column - len(line), 1 if line else 0) + run.text
        lines.append(line)
        last = row
    return "\n".join(lines)


def _paragraphs(region: _Region, vocabulary: Vocabulary, body: float) -> Iterator[Block]:
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
        if how != "nothing" and _is_long_title(last, row, body):
            how = "nothing"
        if how == "paragraph":
            yield Block("prose", text)
            text = following
        elif how == "line":
            text += "\n" + following
        else:
            text = vocabulary.joined(text, following)
    yield Block("prose", text)


def _row_text(row: Row) -> str:
    text = _LEADERS.sub(" … ", row.text).strip()
    glyph = _GLYPH.match(text)
    return "• " + text[glyph.end() :] if glyph and glyph.end() < len(text) else text


def _break_between(last: Row, row: Row, left: float, right: float, pitch: float) -> str:
    """Say what divides two rows: a paragraph, a line, or nothing."""
    step = last.middle - row.middle
    ratio = row.height / last.height
    if step > 1.35 * pitch or ratio > 1.18 or ratio < 0.85:
        return "paragraph"
    marked = _BULLET.match(_row_text(last) + " ") is not None
    if _BULLET.match(_row_text(row) + " "):
        # A dash or a number may as well stand at the beginning of a line of prose.
        return "line" if marked or _is_short(last, left, right) or _GLYPH.match(_row_text(row)) else "nothing"
    backwards = RIGHT_TO_LEFT.search(row.text) is not None
    indent = (right - row.right) - (right - last.right) if backwards else row.left - last.left
    if indent > 0.6 * row.height and not marked and indent < 6 * row.height and _ends_sentence(last.text):
        return "paragraph"
    if -indent > 0.6 * row.height and not backwards and _ends_sentence(last.text):
        return "paragraph"  # the next item of a list whose items hang
    if _LEADERS.search(last.text) or _is_short(last, left, right):
        return "paragraph" if _ends_sentence(last.text) else "line"
    return "nothing"


def _is_long_title(last: Row, row: Row, body: float) -> bool:
    """Whether two rows are one title that was too long for a line: both in the same large letters."""
    large = min(last.height, row.height) > 1.25 * body
    near = last.middle - row.middle < 2 * row.height
    return large and near and 0.95 < row.height / last.height < 1.05


def _is_short(row: Row, left: float, right: float) -> bool:
    """Whether a row ends well before the margin, so that the next word would have had room."""
    if RIGHT_TO_LEFT.search(row.text):
        return row.left - left > 0.25 * (right - left)
    return right - row.right > 0.25 * (right - left)
