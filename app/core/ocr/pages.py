"""The text in pictures: scanned pages of a PDF, slides that are pictures, image files; in a child process."""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from app.config.confinement import give_way
from app.core.documents.readers.pdf.blocks import Vocabulary, page_blocks
from app.core.documents.readers.pdf.lines import Run
from app.core.documents.readers.pdf.regions import regions
from app.core.documents.readers.text_builder import clean
from app.core.ocr.networks import Networks
from app.core.ocr.pictures import page_numbers, pictures_of
from app.domain.pages import RecognizedLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from app.core.ocr.networks import ReadPicture
    from app.core.ocr.text_lines import TextLine

_PER_INCH = 150
_POINTS_PER_INCH = 72
_LEAST = 3  # letters; fewer are marks
_LETTERS = 0.72  # of a line's height
_ALIKE = 0.75


def answer(request: bytes, _: Callable[[bytes], None]) -> bytes:
    """Return the digest of a file and the numbers of its scanned pages, or the text of one of them."""
    give_way()
    wanted = json.loads(request)
    path = Path(os.fsdecode(bytes.fromhex(wanted["path"])))
    if wanted["page"] is None:
        data = path.read_bytes()
        found: dict[str, object] = {"sha256": hashlib.sha256(data).hexdigest(), "pages": page_numbers(data)}
    else:
        texts, lines = [], []
        for picture, per_point in pictures_of(path, wanted["page"]):
            text, placed = page_text(picture, per_point)
            texts.append(text)
            lines += placed
        found = {"text": "\n\n".join(filter(None, texts)), "lines": lines}
    return json.dumps(found).encode()


def page_text(picture: Image, per_point: float = 0.0) -> tuple[str, list[RecognizedLine]]:
    """Return the text in a picture in reading order, its paragraphs apart; empty if there is none.

    With it come its lines, if ``per_point`` says how many of the picture's points are one of the page's.
    """
    read = _networks().read(picture)
    if sum(character.isalpha() for one in read.lines for character in one.text) < _LEAST:
        return "", []
    usual = median(one.line.height for one in read.lines)
    runs = [_run(one.line, one.text, read.size[1], usual) for one in read.lines]
    vocabulary = Vocabulary(run.text for run in runs)
    blocks = page_blocks(runs, vocabulary, median(run.height for run in runs))
    lines = _placed(read, runs, per_point) if per_point else []
    return "\n\n".join(clean(block.text) for block in blocks), lines


@lru_cache(maxsize=1)
def _networks() -> Networks:
    return Networks()


def _run(line: TextLine, text: str, height: float, usual: float) -> Run:
    """Return a line of text as one of a PDF page, whose origin is at the bottom left.

    Lines of about the ``usual`` height are all of it: what was found depends on their letters.
    """
    own = usual if _ALIKE < line.height / usual < 1 / _ALIKE else line.height
    half, margin = own * _LETTERS / 2, own * (1 - _LETTERS) / 2
    up = height - line.middle
    points = line.left + margin, up - half, line.right - margin, up + half
    left, bottom, right, top = (value * _POINTS_PER_INCH / _PER_INCH for value in points)
    return Run(text, left, bottom, right, top)


def _placed(read: ReadPicture, runs: list[Run], per_point: float) -> list[RecognizedLine]:
    """Return the lines in the order in which they are read, where they stand on the page."""
    owners = {id(run): one for run, one in zip(runs, read.lines, strict=True)}
    ordered = (owners[id(run)] for region in regions(runs) for row in region.rows for run in row.runs)
    lines = []
    for one in ordered:
        line = one.line
        ends = ((x, line.middle + line.slope * (x - line.centre)) for x in (line.left, line.right))
        begin, end = ((x / per_point, y / per_point) for x, y in (read.place(*point) for point in ends))
        height = round(line.height / per_point, 1)
        lines.append(RecognizedLine(one.text, _rounded(begin), _rounded(end), height, one.words))
    return lines


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)
