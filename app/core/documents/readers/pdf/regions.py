"""Cuts a PDF page at its white space into regions: columns of prose, else rows from the top."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from app.core.documents.readers.pdf.lines import PdfLine, Run, extent, is_right_to_left, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Whether a strip lies within a column of the group; a centred title crosses the band."""
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
    """Tell columns of prose from those of a table: by full lines, or lines that are not level."""
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
