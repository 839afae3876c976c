"""Pages of a document as they look: their pictures, and the places of their characters.

Pages count from 1. Places are in points from the upper left corner of the page as it is shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

HYPHEN = "\u00ad"
"""In the text of a page, a hyphen that divides a word at the end of a line."""

_LEVEL = 0.5  # share of their height that characters of a line have in common, at least
_TALLEST = 1.5  # heights of a line's highest character that its box may have, with superscripts
_WIDEST_GAP = 1.5  # heights between two characters of a line


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    @property
    def is_empty(self) -> bool:
        return not (self.left < self.right and self.top < self.bottom)  # nor with what is no number

    def united(self, other: "Box") -> "Box":
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def common(self, other: "Box") -> "Box":
        """Return what both cover; an empty box if that is nothing."""
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def turned(self) -> "Box":
        return Box(self.top, self.left, self.bottom, self.right)


NOWHERE = Box(0.0, 0.0, 0.0, 0.0)


class OutlineEntry(NamedTuple):
    """A line of a document's own table of contents; the outermost level is 0."""

    level: int
    title: str
    page: int


class PagedFile(NamedTuple):
    """The sizes of a file's pages, width and height as shown, and its outline."""

    sizes: tuple[tuple[float, float], ...]
    outline: tuple[OutlineEntry, ...]


class PageLink(NamedTuple):
    """A place on a page that leads to a web address, or to a place of the file."""

    box: Box
    address: str = ""
    page: int = 0
    y: float = 0.0  # points from the upper edge of that page


class PageText(NamedTuple):
    """The characters of a page in the file's order, each with its box; :data:`NOWHERE` for spaces."""

    page: int
    text: str
    boxes: tuple[Box, ...]
    links: tuple[PageLink, ...] = ()


class RecognizedLine(NamedTuple):
    """A line of text in a picture of a page.

    ``begin`` and ``end`` are those of its middle, which may run in any direction; ``words`` says where each
    of its words begins and ends, in thousandths of the way between them.
    """

    text: str
    begin: tuple[float, float]
    end: tuple[float, float]
    height: float
    words: tuple[int, ...]

    def boxes(self) -> Iterator[Box]:
        """Yield the box of each character; within a word all are equally wide."""
        (x, y), (right, bottom) = self.begin, self.end
        across, down = right - x, bottom - y
        stops = iter(self.words)
        for word in self.text.split(" "):
            start, stop = next(stops, 0) / 1000, next(stops, 0) / 1000
            step = (stop - start) / max(len(word), 1)
            for at in range(len(word)):
                middle = start + (at + 0.5) * step
                yield self._box(x + middle * across, y + middle * down, abs(across) * step, abs(down) * step)
            yield NOWHERE  # the space, or the line's end

    def _box(self, x: float, y: float, across: float, down: float) -> Box:
        width, height = (across, self.height) if across >= down else (self.height, down)
        return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def recognized_line(
    text: str, begin: Iterable[float], end: Iterable[float], height: float, words: Iterable[int]
) -> RecognizedLine:
    """Return a line made of plain data from elsewhere; raises ValueError or TypeError for anything else."""
    (x, y), (right, bottom) = begin, end
    return RecognizedLine(
        str(text), (float(x), float(y)), (float(right), float(bottom)), float(height), tuple(map(int, words))
    )


def text_of_lines(page: int, lines: Sequence[RecognizedLine]) -> PageText:
    """Return the characters of lines that were recognized on a page, given in reading order."""
    boxes = tuple(box for line in lines for box in line.boxes())
    return PageText(page, "".join(f"{_with_hyphen(line.text)}\n" for line in lines), boxes)


def _with_hyphen(line: str) -> str:
    return line[:-1] + HYPHEN if line.endswith("-") and line[-2:-1].isalpha() else line


class Strip(NamedTuple):
    """What a picture shows: of a page ``width`` pixels wide, the rows from ``top`` on."""

    page: int
    width: int
    top: int
    height: int


class PagePicture(NamedTuple):
    """A strip of a page; each pixel has four bytes: blue, green, red, and one without a meaning."""

    strip: Strip
    pixels: bytes


class Mark(NamedTuple):
    page: int
    box: Box


class PageStart(NamedTuple):
    """Where the text of a page begins in its document; pages count from 1."""

    start: int
    number: int


class PageRange(NamedTuple):
    """The text of some pages, and where it begins in the document."""

    pages: range
    text: str
    start: int


def lines_of(boxes: Iterable[Box]) -> list[Box]:
    """Unite the boxes of characters, given in reading order, as long as they stand side by side on a line."""
    lines: list[Box] = []
    last, tallest = NOWHERE, 0.0
    for box in boxes:
        if box.is_empty:
            continue
        if lines and _is_beside(last, box, lines[-1], tallest):
            lines[-1] = lines[-1].united(box)
            tallest = max(tallest, box.bottom - box.top)
        elif lines and _is_below(last, box):
            lines[-1] = lines[-1].united(box)
        else:
            lines.append(box)
            tallest = box.bottom - box.top
        last = box
    return lines


def _is_beside(last: Box, box: Box, line: Box, tallest: float) -> bool:
    height = max(box.bottom - box.top, tallest)
    common = min(last.bottom, box.bottom) - max(last.top, box.top)
    if common < _LEVEL * min(last.bottom - last.top, box.bottom - box.top):
        return False
    if max(line.bottom, box.bottom) - min(line.top, box.top) > _TALLEST * height:
        return False
    return max(box.left - last.right, last.left - box.right) < _WIDEST_GAP * height


def _is_below(last: Box, box: Box) -> bool:
    """Whether a character follows another in a line that runs up or down the page."""
    last, box = last.turned(), box.turned()
    height = box.bottom - box.top
    slack = 0.1 * height
    is_level = abs(last.top - box.top) < slack and abs(last.bottom - box.bottom) < slack
    return is_level and max(box.left - last.right, last.left - box.right) < 0.2 * height
