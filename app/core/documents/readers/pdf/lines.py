"""Runs of characters on a PDF page, the rows they form, and the regions that white space cuts a page into."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

# A character, the space before it included, with its box: left, bottom, right, top.
Glyph = tuple[str, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Run:
    """Characters side by side on a line, in points.

    Attributes:
        fixed: all are equally wide, as in code.
        ruled: a line is drawn at their left, as between the cells of a table.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    fixed: bool = False
    ruled: bool = False

    @property
    def height(self) -> float:
        return max(self.top - self.bottom, 1.0)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def turned(self, quarter: int) -> "Run":
        """Return it turned clockwise by quarters of a circle."""
        left, bottom, right, top = self.left, self.bottom, self.right, self.top
        for _ in range(quarter):
            left, bottom, right, top = bottom, -right, top, -left
        return replace(self, left=left, bottom=bottom, right=right, top=top)


@dataclass(frozen=True, slots=True)
class PdfPage:
    """What stands on a page, turned upright: its text, and what runs in other directions."""

    runs: list[Run]
    sideways: tuple[list[Run], ...] = ()  # labels of axes, wide tables: the runs of each direction
    lines: tuple[str, ...] = ()  # what runs across the page, and typed notes
    is_wide: bool = False
    is_damaged: bool = False


class PdfLine:
    """Runs on one line in reading order; ``middle`` and ``height`` are those of the longest."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = runs
        self.text = " ".join(run.text for run in runs)
        self.left, self.right = extent(runs)
        self.bottom, self.top = min(run.bottom for run in runs), max(run.top for run in runs)
        longest = max(runs, key=lambda run: len(run.text))
        self.middle, self.height = longest.middle, longest.height


def extent(parts: Iterable[Run | PdfLine]) -> tuple[float, float]:
    """Return the left edge of the leftmost part and the right edge of the rightmost."""
    edges = [(part.left, part.right) for part in parts]
    return min(left for left, _ in edges), max(right for _, right in edges)


def joined_run(glyphs: Sequence[Glyph], *, fixed: bool, vertical: bool = False) -> Run:
    """Return characters in a row, or one above the other, as a run."""
    texts, lefts, bottoms, rights, tops = zip(*glyphs, strict=True)
    text = "".join(texts)
    if vertical:
        return Run(text, _middle(lefts), min(bottoms), _middle(rights), max(tops), fixed)
    return Run(text, min(lefts), _middle(bottoms), max(rights), _middle(tops), fixed)


def _middle(values: Sequence[float]) -> float:
    """Return the median; in a line set in one size all values are equal."""
    first = values[0]
    return first if values.count(first) == len(values) else median(values)


def rows_of(runs: Iterable[Run]) -> list[PdfLine]:
    """Group runs into rows from top to bottom; superscripts and subscripts join their line."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: -run.middle):
        for row in reversed(rows[-3:]):
            if any(_share_line(run, other) for other in row):
                row.append(run)
                break
        else:
            rows.append([run])
    rows.sort(key=lambda row: -max(row, key=lambda run: len(run.text)).middle)
    for row in rows:
        row.sort(key=lambda run: run.left)
    return [PdfLine(row[::-1] if is_right_to_left(row) else row) for row in rows]


def _share_line(run: Run, other: Run) -> bool:
    overlap = min(run.top, other.top) - max(run.bottom, other.bottom)
    return overlap > 0.55 * min(run.height, other.height)


def is_right_to_left(runs: Iterable[Run]) -> bool:
    return reads_backwards("".join(run.text for run in runs))


def reads_backwards(text: str) -> bool:
    """Whether most letters are Hebrew or Arabic."""
    return 2 * len(RIGHT_TO_LEFT.findall(text)) > sum(map(str.isalpha, text))


_DEPTH = 8  # of columns within columns
_NARROW = 4  # points; a white band is wider
_Band = tuple[float, float]  # left and right edge of white space


@dataclass(frozen=True, slots=True)
class Region:
    """Rows read one after the other, and the margins of their column or page."""

    rows: list[PdfLine]
    left: float
    right: float


def regions(runs: list[Run], depth: int = 0) -> Iterator[Region]:
    if not runs:
        return
    left, right = extent(runs)
    if columns := _columns(runs) if depth < _DEPTH else []:
        for column in columns:
            yield from regions(column, depth + 1)
        return
    plain: list[Run] = []
    for group in _groups(_strips(runs)) if depth < _DEPTH else [runs]:
        if _columns(group):
            if plain:
                yield Region(rows_of(plain), left, right)
            plain = []
            yield from regions(group, depth + 1)
        else:
            plain.extend(group)
    if plain:
        yield Region(rows_of(plain), left, right)


def _strips(runs: list[Run]) -> list[list[Run]]:
    """Cut at every horizontal line that touches no run."""
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
    """Group adjacent strips as long as one white band with text on both sides runs through all of them.

    Strips directly above that lie beside the band belong to it too: one column may begin higher.
    """
    left, right = extent(run for strip in strips for run in strip)
    before: list[list[Run]] = []
    index = 0
    while index < len(strips):
        gaps = _free(strips[index], *extent(strips[index]))  # with text on both sides
        bands = [gap for gap in gaps if gap[1] - gap[0] > _NARROW]
        end = index + 1
        while bands and end < len(strips):
            gaps = _free(strips[end], left, right)
            overlaps = [(max(a[0], b[0]), min(a[1], b[1])) for a in bands for b in gaps]
            common = [(low, high) for low, high in overlaps if high - low > _NARROW]
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


def _is_beside(strip: list[Run], group: list[list[Run]], bands: list[_Band]) -> bool:
    """Whether a strip is within a column of the group; a centred title crosses the band."""
    runs = [run for other in group for run in other]
    for low, high in bands:
        edge = max((run.right for run in runs if run.right <= high), default=low)
        if all(run.right <= edge + 1 or run.left >= high - 1 for run in strip):
            return True
    return False


def _without_tail(strips: list[list[Run]], begin: int, end: int, bands: list[_Band]) -> int:
    """Return where a group ends, leaving out what stands below it on one side only, after a gap."""
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


def _free(runs: list[Run], left: float, right: float) -> list[_Band]:
    gaps = []
    edge = left
    for low, high in (*sorted((run.left, run.right) for run in runs), (right, right)):
        if low > edge:
            gaps.append((edge, low))
        edge = max(edge, high)
    return gaps


def _columns(runs: list[Run]) -> list[list[Run]]:
    """Return the columns of prose that white bands cut the runs into, in reading order; none if not prose."""
    if len(runs) < 6:
        return []
    width = 0.6 * median(run.height for run in runs)
    bands = [gap for gap in _free(runs, *extent(runs)) if gap[1] - gap[0] >= width]
    if not bands:
        return []
    columns: list[list[Run]] = [[] for _ in range(len(bands) + 1)]
    for run in runs:
        columns[sum(1 for band in bands if run.left >= band[1] - 0.1)].append(run)
    if not _are_prose([rows_of(column) for column in columns]):
        return []
    return columns[::-1] if is_right_to_left(runs) else columns


def _are_prose(columns: list[list[PdfLine]]) -> bool:
    """Whether columns hold prose, not a table: their lines are full, or not level with each other."""
    if any(len(rows) < 3 for rows in columns):
        return False
    for rows, others in zip(columns, columns[1:], strict=False):
        level = sum(
            any(abs(row.middle - other.middle) < 0.25 * row.height for other in others) for row in rows
        )
        if level >= 0.5 * min(len(rows), len(others)) and not (_is_full(rows) and _is_full(others)):
            return False
    return True


def _is_full(rows: list[PdfLine]) -> bool:
    left, right = extent(rows)
    full = sum(1 for row in rows if row.right - row.left > 0.65 * (right - left))
    return full >= 0.5 * len(rows) and median(len(row.text) for row in rows) >= 18
