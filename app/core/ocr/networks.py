"""Finds and reads lines of text in a picture with PP-OCRv6, which knows 50 languages at once.

The package ``rapidocr`` has the weights and is never imported: its own code needs OpenCV, which is larger
than all the rest, and four times the memory.
"""

from __future__ import annotations

import importlib.util
import math
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.paths import resource_path
from app.core.embedding.graph import import_openvino

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from PIL.Image import Image


_LIKELY = 0.3  # from which a point belongs to a line
_SURE_AREA = 0.5  # what a line's points are on average
_LEAST = 6  # points of a line
_STEEPEST = 0.2
# The map has the core of a line alone. Around it belongs this share of its area by half its outline.
_AROUND = 0.8

_Span = tuple[int, int, int]  # row, first column, column behind the last


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text in a picture, in its points, from the top left; ``middle`` is that at ``centre``."""

    left: float
    right: float
    centre: float
    middle: float
    height: float
    slope: float

    def scaled(self, across: float, down: float) -> TextLine:
        """Return it in a picture that is larger by these factors."""
        return TextLine(
            self.left * across,
            self.right * across,
            self.centre * across,
            self.middle * down,
            self.height * down,
            self.slope * down / across,
        )

    def turned(self, width: float, height: float) -> TextLine:
        """Return it in a picture of this size that is turned upside down."""
        left, right = width - self.right, width - self.left
        return TextLine(left, right, width - self.centre, height - self.middle, self.height, self.slope)


def lines_in(likely: NDArray[np.float32]) -> Iterator[TextLine]:
    """Yield the lines of a map, shape (height, width); those that are steep or a point's size are none."""
    for spans in _connected(likely > _LIKELY):
        points = np.array(spans, dtype=np.float64)
        rows, widths = points[:, 0] + 0.5, points[:, 2] - points[:, 1]
        columns = (points[:, 1] + points[:, 2]) / 2
        area = float(widths.sum())
        if area < _LEAST or sum(float(likely[y, a:b].sum()) for y, a, b in spans) < _SURE_AREA * area:
            continue
        centre, middle = float(widths @ columns) / area, float(widths @ rows) / area
        spread = float(widths @ ((columns - centre) ** 2 + widths**2 / 12))
        slope = float(widths @ ((columns - centre) * (rows - middle))) / spread
        if abs(slope) > _STEEPEST:
            slope = 0.0
        left, right = float(points[:, 1].min()), float(points[:, 2].max())
        offsets = rows - middle - slope * (columns - centre)
        # A core that touches its neighbour in one place is no higher for it.
        height = min(float(np.ptp(offsets)) + 1, 1.3 * area / (right - left) + 1)
        around = _AROUND * height * (right - left) / (height + right - left)
        yield TextLine(left - around, right + around, centre, middle, height + 2 * around, slope)


def _connected(points: NDArray[np.bool_]) -> Iterable[list[_Span]]:
    edges = np.diff(np.pad(points, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    spans = list(zip(rows.tolist(), begins.tolist(), ends.tolist(), strict=True))
    parents = list(range(len(spans)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    above = 0  # the first span of the row above that may touch
    for index, (row, begin, end) in enumerate(spans):
        while spans[above][0] < row - 1 or (spans[above][0] == row - 1 and spans[above][2] <= begin):
            above += 1
        other = above
        while spans[other][0] == row - 1 and spans[other][1] < end:
            parents[root(other)] = root(index)
            other += 1
    parts: dict[int, list[_Span]] = {}
    for index, span in enumerate(spans):
        parts.setdefault(root(index), []).append(span)
    return parts.values()


PACKAGED = "resources/models/ocr"
DETECTION, RECOGNITION = "PP-OCRv6_det_small", "PP-OCRv6_rec_small"

_HEIGHT = 48  # of a line as the model reads it
# Lines are narrowed to this: nothing more is misread, and an eighth of the time is saved. In small print
# letters then fall together, so it is read again, wider.
_NARROWED, _WIDENED = 0.85, 1.5
_SMALL_PRINT = 11.0  # points for a letter in a narrowed line
_WIDTH_STEP = 128  # widths are rounded up to a multiple, or an eighth, as OpenVINO keeps something for each
_MAP_SCALE = 0.5  # of the picture in which lines are looked for
# Lines are looked for in tiles: what OpenVINO takes, and keeps, depends on the size of its input.
_TILE, _OVERLAP = 640, 64
_WIDEST = 4096
_BLANK = 0
_SURE = 0.6  # the letters of a line on average; less is a texture
_UPRIGHT = 0.85  # likewise, of the longest lines; less may be upside down
_LONG = 1.5  # times as long as it is wide is a line that has a direction
_TRIED = 5  # lines that tell whether a page is upside down


def model_file(name: str) -> Path | None:
    """Return the file of a network; None where it is not installed."""
    with suppress(FileNotFoundError):  # in the packaged program
        return resource_path(f"{PACKAGED}/{name}.xml")
    found = importlib.util.find_spec("rapidocr")
    file = Path(found.origin).parent / "models" / f"{name}.onnx" if found and found.origin else None
    return file if file is not None and file.exists() else None


def is_installed() -> bool:
    return model_file(DETECTION) is not None and model_file(RECOGNITION) is not None


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of text that was read; ``words`` as in :class:`app.domain.pages.RecognizedLine`."""

    line: TextLine
    text: str
    words: tuple[int, ...]
    sureness: float


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """What was read in a picture once it was turned by ``quarters`` counterclockwise, to ``size``."""

    quarters: int
    size: tuple[int, int]
    lines: tuple[ReadLine, ...]

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the turned picture is in the one that was given."""
        width, height = self.size
        for _ in range(self.quarters):
            x, y, width, height = height - y, x, height, width
        return x, y


class Networks:
    """Both networks, loaded. For one thread."""

    def __init__(self) -> None:
        self._openvino = import_openvino()
        self._core = self._openvino.Core()
        reading = self._core.read_model(model_file(RECOGNITION))
        alphabet = reading.get_rt_info()["framework"]["character"].value.splitlines()
        self._alphabet = ["", *alphabet, " "]
        self._find = self._compiled(self._core.read_model(model_file(DETECTION)))
        self._read = self._compiled(self._with_best_letter(reading))

    def read(self, picture: Image) -> ReadPicture:
        """Read an RGB picture, which may lie on its side or upside down; illegible lines are left out."""
        from PIL.Image import Transpose

        quarters, lines = 0, self._lines(picture)
        if _are_sideways(lines):
            quarters, picture = 1, picture.transpose(Transpose.ROTATE_90)
            lines = self._lines(picture)
        tried = self._tried(picture, lines)
        if lines and tried < _UPRIGHT:
            other = picture.transpose(Transpose.ROTATE_180)
            turned = [line.turned(*picture.size) for line in lines]
            if self._tried(other, turned) > tried:
                quarters, picture, lines = quarters + 2, other, turned
        read = (self._read_line(picture, line) for line in lines)
        sure = tuple(line for line in read if line.text and line.sureness >= _SURE)
        return ReadPicture(quarters, picture.size, sure)

    def _compiled(self, model: Any) -> Any:  # noqa: ANN401 - OpenVINO is not typed
        # One thread: pages are recognized beside whatever else the computer does.
        config = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": 1}
        return self._core.compile_model(model, "CPU", config).create_infer_request()

    def _with_best_letter(self, model: Any) -> Any:  # noqa: ANN401
        """Return the model with the likeliest letter of each place, instead of 18,710 numbers."""
        operations = self._openvino.opset13
        letters = model.output(0).get_node().input_value(0)
        best = operations.topk(letters, operations.constant(1), -1, "max", "none")
        return self._openvino.Model([best.output(0), best.output(1)], model.get_parameters())

    def _lines(self, picture: Image) -> list[TextLine]:
        from PIL.Image import Resampling

        # A small picture has small letters, and fills its only tile at no cost.
        scale = max(_MAP_SCALE, min(_TILE / max(picture.size), 1.0))
        width, height = (max(round(side * scale), 1) for side in picture.size)
        values = _values(picture.resize((width, height), Resampling.BOX))
        likely = np.empty((height, width), dtype=np.float32)
        for top, *rows in _tiles(height):
            for left, *columns in _tiles(width):
                tile = np.ones((1, 3, _TILE, _TILE), dtype=np.float32)  # white around the page
                part = values[:, top : top + _TILE, left : left + _TILE]
                tile[0, :, : part.shape[1], : part.shape[2]] = part
                self._find.infer([tile])
                found = self._find.get_output_tensor(0).data[0, 0]
                (begin, end), (first, last) = rows, columns
                likely[begin:end, first:last] = found[begin - top : end - top, first - left : last - left]
        across, down = picture.width / width, picture.height / height
        return [line.scaled(across, down) for line in lines_in(likely)]

    def _tried(self, picture: Image, lines: Sequence[TextLine]) -> float:
        """Return how surely the longest lines are read."""
        longest = sorted(lines, key=lambda line: line.left - line.right)[:_TRIED]
        return fmean([self._text(_cut(picture, line, _NARROWED), line).sureness for line in longest] or [0])

    def _read_line(self, picture: Image, line: TextLine) -> ReadLine:
        cut = _cut(picture, line, _NARROWED)
        found = self._text(cut, line)
        if found.sureness < _SURE or cut.width < _SMALL_PRINT * len(found.text):
            wide = self._text(_cut(picture, line, _WIDENED), line)
            return wide if wide.sureness >= _SURE else found
        return found

    def _text(self, cut: Image, line: TextLine) -> ReadLine:
        width = cut.width + -cut.width % max(_WIDTH_STEP, 1 << (cut.width.bit_length() - 3))
        padded = np.zeros((1, 3, _HEIGHT, width), dtype=np.float32)
        padded[0, :, :, : cut.width] = _values(cut)
        self._read.infer([padded])
        sureness, letters = (self._read.get_output_tensor(index).data[0, :, 0] for index in (0, 1))
        chosen = letters != _BLANK
        chosen[1:] &= letters[1:] != letters[:-1]  # a letter goes on until there is another, or none
        places = np.flatnonzero(chosen)
        if not places.size:
            return ReadLine(line, "", (), 0.0)
        middles = (places + 0.5) / len(letters) * 1000 * width / cut.width
        text, words = _words([self._alphabet[letter] for letter in letters[places]], middles)
        return ReadLine(line, text, words, float(sureness[places].mean()))


def _tiles(length: int) -> list[tuple[int, int, int]]:
    """Return where tiles begin that cover a length, and from where to where each counts."""
    count = max(math.ceil((length - _OVERLAP) / (_TILE - _OVERLAP)), 1)
    starts = [max(length - _TILE, 0) * index // max(count - 1, 1) for index in range(count)]
    borders = [(start + _TILE + after) // 2 for start, after in zip(starts, starts[1:], strict=False)]
    return list(zip(starts, (0, *borders), (*borders, length), strict=True))


def _are_sideways(lines: Sequence[TextLine]) -> bool:
    """Whether lines run up or down a picture: its tall lines are longer in all than its wide ones."""
    sizes = [(line.right - line.left, line.height) for line in lines]
    up = sum(height for width, height in sizes if height > _LONG * width)
    return up > sum(width for width, height in sizes if width > _LONG * height)


def _words(letters: Sequence[str], middles: NDArray[np.float64]) -> tuple[str, tuple[int, ...]]:
    """Return the text of letters, given with their middles, and where its words begin and end."""
    half = float(np.diff(middles).mean()) / 2 if len(middles) > 1 else float(middles[0])
    words: list[str] = []
    stops: list[int] = []
    for is_space, group in groupby(zip(letters, middles, strict=True), key=lambda one: one[0] == " "):
        if not is_space:
            word = list(group)
            words.append("".join(letter for letter, _ in word))
            stops += [max(round(word[0][1] - half), 0), min(round(word[-1][1] + half), 1000)]
    return " ".join(words), tuple(stops)


def _values(picture: Image) -> NDArray[np.float32]:
    """Return a picture as the networks take it: blue, green and red from -1 to 1."""
    points = np.asarray(picture, dtype=np.float32)[:, :, ::-1] / 127.5 - 1
    return np.ascontiguousarray(points.transpose(2, 0, 1))


def _cut(picture: Image, line: TextLine, stretch: float) -> Image:
    """Return a line cut out of a picture, level, of the height that the model reads, and stretched."""
    from PIL.Image import Resampling, Transform

    down = line.height / _HEIGHT
    across = down / stretch
    width = min(max(math.ceil((line.right - line.left) / across), 8), _WIDEST)
    top = line.middle - line.height / 2 + line.slope * (line.left - line.centre)
    place = (across, 0, line.left, across * line.slope, down, top)
    return picture.transform((width, _HEIGHT), Transform.AFFINE, place, Resampling.BILINEAR)
