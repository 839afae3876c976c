"""Finds the figures of a PDF page: what is drawn near a caption, and the caption itself."""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.figures import Figure, FigureLabel, caption_label
from app.domain.pages import NOWHERE, Box, PageText

_MOST_OBJECTS = 20_000  # of a page; a map may have more, but its first ones show where it is
_DEEPEST = 4  # drawings within drawings
_MOST_CLIPS, _MOST_POINTS = 4, 64
_CELL = 4.0  # points; parts of a drawing are joined on a grid of these, across two of them
_MOST_CELLS = 250  # along a page
_WHOLE = 0.85  # share of a page from which on something is its background
_LEAST = 0.004  # share of a page that a drawing has, at least
_FLAT = 10.0  # points; what is lower is a line
_NEAR = 90.0  # points between a caption and what it is about
_PANELS = 50.0  # points between the panels of a figure
_LABELS = 14.0  # points between a drawing and the words of its axes
_MARGIN = 6.0
_APART = 2.0  # heights between two characters of a line
_PROSE = 40  # characters of a line that is none of a figure's labels
_CAPTION_LINES = 6
_MOST_CAPTIONS = 40  # of a page
_FRAMED = 2  # lines of prose within a drawing that is but their frame
_WORTH = 0.04  # share of a page that pictures and drawings take for it to be looked at

_Sides = tuple[float, float, float, float]  # left, bottom, right, top


class _Line(NamedTuple):
    text: str
    box: Box

    @property
    def is_prose(self) -> bool:
        return len(self.text) >= _PROSE


class _Caption(NamedTuple):
    label: FigureLabel
    text: str
    box: Box


def drawn_boxes(page: Any, shown: Callable[[Any], Box]) -> list[Box]:  # noqa: ANN401 - pypdfium2 is not typed
    """Return where pictures, lines and surfaces are seen; ``shown`` gives places as the page is shown."""
    import pypdfium2.raw as pdfium
    from pypdfium2 import PdfMatrix

    objects = (
        pdfium.FPDFPage_GetObject(page, index)
        for index in range(min(pdfium.FPDFPage_CountObjects(page), _MOST_OBJECTS))
    )
    edges = pdfium.FS_RECTF()
    boxes = []
    for left, bottom, right, top in islice(_drawn(objects, PdfMatrix(), _DEEPEST), _MOST_OBJECTS):
        edges.left, edges.bottom, edges.right, edges.top = left, bottom, right, top
        boxes.append(shown(edges))
    return boxes


def _drawn(objects: Iterable[Any], matrix: Any, deepest: int) -> Iterator[_Sides]:  # noqa: ANN401
    """Yield what objects take of the page, whose places ``matrix`` gives; text is left out."""
    import pypdfium2.raw as pdfium

    sides = [ctypes.c_float() for _ in range(4)]
    for one in objects:
        kind = pdfium.FPDFPageObj_GetType(one)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT or not pdfium.FPDFPageObj_GetBounds(one, *sides):
            continue
        if kind == pdfium.FPDF_PAGEOBJ_FORM and deepest:
            # Its bounds are those of all in it, seen or not.
            own = pdfium.FS_MATRIX()
            pdfium.FPDFPageObj_GetMatrix(one, own)
            inner = type(matrix).from_raw(own).multiply(matrix)
            count = min(pdfium.FPDFFormObj_CountObjects(one), _MOST_OBJECTS)
            parts = (pdfium.FPDFFormObj_GetObject(one, index) for index in range(count))
            yield from _drawn(parts, inner, deepest - 1)
            continue
        left, bottom, right, top = (side.value for side in sides)
        for clip in _clips(one):
            left, bottom = max(left, clip[0]), max(bottom, clip[1])
            right, top = min(right, clip[2]), min(top, clip[3])
        if left <= right and bottom <= top:
            yield matrix.on_rect(left, bottom, right, top)


def _clips(drawn: Any) -> Iterator[_Sides]:  # noqa: ANN401
    """Yield the rectangles around the outlines within which an object is drawn."""
    import pypdfium2.raw as pdfium

    outlines = pdfium.FPDFPageObj_GetClipPath(drawn)
    x, y = ctypes.c_float(), ctypes.c_float()
    for path in range(min(pdfium.FPDFClipPath_CountPaths(outlines), _MOST_CLIPS)):
        points = []
        for index in range(min(pdfium.FPDFClipPath_CountPathSegments(outlines, path), _MOST_POINTS)):
            segment = pdfium.FPDFClipPath_GetPathSegment(outlines, path, index)
            if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
                points.append((x.value, y.value))
        if 2 < len(points) < _MOST_POINTS:
            xs, ys = zip(*points, strict=True)
            yield min(xs), min(ys), max(xs), max(ys)


def find_figures(text: PageText, drawn: Sequence[Box], size: tuple[float, float]) -> Iterator[Figure]:
    """Yield the figures of a page that have a caption, in the order of these."""
    lines = list(_lines(text))
    captions = list(islice(_captions(lines), _MOST_CAPTIONS))
    if not captions:
        return
    drawings = _drawings(drawn, size)
    owned: dict[int, list[Box]] = {}
    for drawing in drawings:
        distances = [_distance(caption, drawing, lines) for caption in captions]
        nearest = int(np.argmin(distances))
        if distances[nearest] <= _NEAR:
            owned.setdefault(nearest, []).append(drawing)
    taken = {drawing for own in owned.values() for drawing in own}
    free = [drawing for drawing in drawings if drawing not in taken]
    page = Box(0.0, 0.0, *size)
    for index, caption in enumerate(captions):
        if own := owned.get(index):
            box = _united([one for one in own if _is_usual(caption, one)] or own)
            box = _grown(box, free, lines)
            box = _padded(box.united(caption.box), _MARGIN)
            yield Figure(caption.label, caption.text, text.page, box.common(page))


def is_worth_seeing(text: PageText, drawn: Sequence[Box], size: tuple[float, float]) -> bool:
    """Whether a page shows more than its text: figures, pictures or drawings, or a scan."""
    if not text.text.strip() or any(_area(box) >= _WHOLE * size[0] * size[1] for box in drawn):
        return True
    if next(find_figures(text, drawn, size), None):
        return True
    prose = [line.box for line in _lines(text) if line.is_prose]
    drawings = (one for one in _drawings(drawn, size) if sum(_is_inside(box, one) for box in prose) < _FRAMED)
    return sum(map(_area, drawings)) >= _WORTH * size[0] * size[1]


def _lines(text: PageText) -> Iterator[_Line]:
    """Yield the lines of a page; what stands far apart, as in columns, is two."""
    line, around, last = "", NOWHERE, NOWHERE
    for character, box in zip(text.text, text.boxes, strict=True):
        is_apart = not box.is_empty and abs(box.left - last.right) > _APART * (box.bottom - box.top)
        if line.strip() and (character in "\r\n" or is_apart):
            yield _Line(line.strip(), around)
            line = ""
        if not box.is_empty:
            around, last = around.united(box) if line.strip() else box, box
        line += character
    if line.strip():
        yield _Line(line.strip(), around)


def _captions(lines: Sequence[_Line]) -> Iterator[_Caption]:
    for index, line in enumerate(lines):
        label = caption_label(line.text)
        if label is None:
            continue
        parts, box, last = [line.text], line.box, line.box
        for other in lines[index + 1 : index + _CAPTION_LINES]:
            height = last.bottom - last.top
            follows = -0.5 * height < other.box.top - last.bottom < 0.6 * height
            if not follows or abs(other.box.left - last.left) > 5 * height or caption_label(other.text):
                break
            parts.append(other.text)
            box, last = box.united(other.box), other.box
        yield _Caption(label, " ".join(parts), box)


def _drawings(drawn: Sequence[Box], size: tuple[float, float]) -> list[Box]:
    """Join what is drawn side by side; lines and backgrounds are left out."""
    page = Box(0.0, 0.0, *size)
    whole = _area(page)
    parts = [box.common(page) for box in drawn]
    parts = [box for box in parts if _area(_padded(box, 0.5)) > 0 and _area(box) < _WHOLE * whole]
    apart = {tuple(int(side / _CELL) for side in box): box for box in parts}  # dots may cover each other
    return [
        box
        for box in _joined(list(apart.values()), size)
        if min(box.right - box.left, box.bottom - box.top) > _FLAT and _area(box) >= _LEAST * whole
    ]


def _joined(parts: Sequence[Box], size: tuple[float, float]) -> list[Box]:
    """Return the boxes around parts that touch, or nearly do."""
    cell = max(_CELL, max(size) / _MOST_CELLS)
    free = np.zeros([int(side / cell) + 3 for side in size], bool)  # of what no drawing has been made of yet
    for box in parts:
        left, top, right, bottom = (int(side / cell) for side in box)
        free[max(left - 1, 0) : right + 2, max(top - 1, 0) : bottom + 2] = True
    drawing = np.zeros(free.shape, np.int32)
    united: dict[int, Box] = {}
    for number, box in enumerate(parts, 1):
        place = int(box.left / cell), int(box.top / cell)
        if free[place]:
            _fill(free, drawing, place, number)
        own = int(drawing[place])
        united[own] = united[own].united(box) if own in united else box
    return list(united.values())


def _fill(free: NDArray[np.bool_], drawing: NDArray[np.int32], place: tuple[int, int], number: int) -> None:
    """Give all cells that hang together with one the number of a drawing."""
    waiting = [place]
    free[place] = False
    while waiting:
        x, y = waiting.pop()
        drawing[x, y] = number
        for beside in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if free[beside]:
                free[beside] = False
                waiting.append(beside)


def _distance(caption: _Caption, drawing: Box, lines: Sequence[_Line]) -> float:
    """Return how far a drawing is from a caption; infinite if prose stands between them."""
    down, across = _gaps(caption.box, drawing)
    between = _between(caption.box, drawing)
    prose = sum(line.is_prose and _is_inside(line.box, between) for line in lines)
    if min(down, across) > 0 or prose > 1:
        return np.inf
    return max(down, across) + (0 if _is_usual(caption, drawing) else 20)


def _is_usual(caption: _Caption, drawing: Box) -> bool:
    """Whether a drawing is in its usual place: a figure above its caption, a table below."""
    is_above = drawing.bottom <= caption.box.bottom
    return is_above == (caption.label.kind == "figure")


def _grown(box: Box, free: list[Box], lines: Sequence[_Line]) -> Box:
    """Add further panels, and the words at the axes."""
    growing = True
    while growing:
        growing = False
        for other in free:
            down, across = _gaps(box, other)
            between = _between(box, other)
            if min(down, across) > 0 or max(down, across) > _PANELS:
                continue
            if not any(line.is_prose and _is_inside(line.box, between) for line in lines):
                free.remove(other)
                box, growing = box.united(other), True
                break
    labels = (line.box for line in lines if not line.is_prose and not caption_label(line.text))
    around = _padded(box, _LABELS)
    return _united([box, *(label for label in labels if _is_inside(label, around))])


def _gaps(one: Box, other: Box) -> tuple[float, float]:
    """Return how far two boxes are apart down and across the page; 0 where they share rows or columns."""
    down = max(one.top - other.bottom, other.top - one.bottom, 0.0)
    across = max(one.left - other.right, other.left - one.right, 0.0)
    return down, across


def _between(one: Box, other: Box) -> Box:
    top, bottom = sorted((min(one.bottom, other.bottom), max(one.top, other.top)))
    return Box(min(one.left, other.left), top, max(one.right, other.right), bottom)


def _is_inside(box: Box, other: Box) -> bool:
    middle_x, middle_y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return other.left <= middle_x <= other.right and other.top <= middle_y <= other.bottom


def _padded(box: Box, by: float) -> Box:
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


def _area(box: Box) -> float:
    return max(box.right - box.left, 0.0) * max(box.bottom - box.top, 0.0)


def _united(boxes: Sequence[Box]) -> Box:
    united = boxes[0] if boxes else NOWHERE
    for box in boxes[1:]:
        united = united.united(box)
    return united
