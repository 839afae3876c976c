"""PDFs whose every character has a known place: columns, divided words, turned pages, slides."""

from __future__ import annotations

import io
import random
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from app.domain.pages import PageStart
from app.domain.sources import LessonText, SourceState
from tests.support.side_data import source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.documents import DocumentText

_NARROW, _BROAD = "fijlrtI.:- ", "mwMW"  # letters all as wide as each other would be taken for code
_WORDS = (  # noqa: SIM905 - as people read them
    "tide moon water shore current salinity estuary sediment plankton buoyancy refraction amplitude harbour "
    "because therefore between within against slowly often never every third second measured observed"
).split(" ")


class Letter(NamedTuple):
    """The middle of a character as the page is shown, and the sentence it belongs to; -1 for none."""

    page: int
    x: float
    y: float
    sentence: int
    character: str


@dataclass
class Setting:
    """How a document is set, in points; ``turn`` is the page's own, ``steep`` text runs up the page."""

    width: int = 612
    height: int = 792
    columns: int = 1
    size: float = 10
    turn: int = 0
    steep: bool = False
    divides: bool = False  # words at the ends of lines
    lines: int = 40  # of a column
    header: str = ""
    outline: tuple[tuple[str, int], ...] = ()  # titles and pages
    links: tuple[str, ...] = ()  # of the first page, see link()


@dataclass
class SetDocument:
    """A PDF, its sentences, and where each letter is."""

    data: bytes
    sentences: list[str]
    letters: list[Letter] = field(default_factory=list)


def link(leads: str) -> str:
    """Return a link from a place on the left, whose ``PAGE2`` stands for the second page."""
    target = re.sub(r"PAGE(\d)", lambda match: f"{2 + 2 * int(match.group(1))} 0 R", leads)
    return f"<< /Type /Annot /Subtype /Link /Rect [40 40 140 60] /Border [0 0 0] {target} >>"


def lesson_of(document: DocumentText, path: str = "x.pdf") -> LessonText:
    """Return a document that is one lesson, as the library gives it."""
    found = replace(source(1), document_sha256=document.sha256)
    pages = (PageStart(mark.start, int(mark.anchor.value)) for mark in document.marks)
    return LessonText(found, SourceState.CURRENT, document.text, 0, True, path, True, tuple(pages))


def made_sentences(count: int, seed: int = 0) -> list[str]:
    """Return sentences of ordinary length, each with a number of its own, some of them all but alike."""
    chosen = random.Random(seed)
    sentences: list[str] = []
    for number in range(count):
        words = chosen.choices(_WORDS, k=chosen.randint(8, 22))
        if number % 7 == 3 and sentences:
            words = sentences[-2].rstrip(".").lower().split()[:-1]
        sentences.append(f"{' '.join(words).capitalize()} {number + 100}.")
    return sentences


def set_document(sentences: Sequence[str], setting: Setting) -> SetDocument:
    """Set sentences one after the other as paragraphs of four, over as many pages as they need."""
    document = SetDocument(b"", list(sentences))
    along = setting.height if setting.steep else setting.width
    across = setting.width if setting.steep else setting.height
    gap = 24.0
    measure = (along - 96 - gap * (setting.columns - 1)) / setting.columns
    fits = int(measure / (0.47 * setting.size))
    pages: list[list[str]] = []
    for number, line in enumerate(_lines(sentences, fits, setting.divides)):
        page, row = divmod(number, setting.lines * setting.columns)
        column, row = divmod(row, setting.lines)
        if row == 0 and column == 0:
            pages.append([])
            if setting.header:
                _draw(document, pages, setting, 48, across - 40, [(c, -1) for c in setting.header])
        left = 48 + column * (measure + gap)
        _draw(document, pages, setting, left, across - 80 - row * 1.3 * setting.size, line)
    document.data = _written(["\n".join(page) for page in pages], setting)
    return document


def _lines(sentences: Iterable[str], fits: int, divides: bool) -> list[list[tuple[str, int]]]:
    """Return lines of characters, each with the number of its sentence."""
    lines: list[list[tuple[str, int]]] = [[]]
    for number, sentence in enumerate(sentences):
        if number and number % 4 == 0 and lines[-1]:
            lines.append([])
        for word in sentence.split():
            room = fits - len(lines[-1]) - 1
            letters = [(character, number) for character in word]
            if lines[-1] and len(word) > room:
                if divides and word.isalpha() and len(word) > 7 and room > 4:
                    lines[-1] += [(" ", -1), *letters[:4], ("-", number)]
                    letters = letters[4:]
                lines.append([])
            elif lines[-1]:
                lines[-1].append((" ", -1))
            lines[-1] += letters
    return lines


def _draw(
    document: SetDocument,
    pages: list[list[str]],
    setting: Setting,
    along: float,
    across: float,
    line: list[tuple[str, int]],
) -> None:
    text = "".join(character for character, _ in line)
    matrix = f"0 1 -1 0 {setting.width - across} {along}" if setting.steep else f"1 0 0 1 {along} {across}"
    pages[-1].append(f"BT /F1 {setting.size} Tf {matrix} Tm ({text}) Tj ET")
    for character, sentence in line:
        step = _advance(character) * setting.size
        x, y = along + step / 2, across + 0.3 * setting.size
        along += step
        if setting.steep:
            x, y = setting.width - y, x
        if character != " ":
            document.letters.append(Letter(len(pages), *_shown(x, y, setting), sentence, character))


def _advance(character: str) -> float:
    """Return how far a letter of size 1 moves the next one."""
    return 0.3 if character in _NARROW else 0.8 if character in _BROAD else 0.5


def _shown(x: float, y: float, setting: Setting) -> tuple[float, float]:
    """Return a place of the page as seen from its upper left corner after the page's turn."""
    width, height = setting.width, setting.height
    return {0: (x, height - y), 90: (y, x), 180: (width - x, y), 270: (height - y, width - x)}[setting.turn]


def _written(contents: Sequence[str], setting: Setting) -> bytes:
    widths = " ".join(str(round(1000 * _advance(chr(code)))) for code in range(32, 127))
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(contents)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Outlines OUTLINES >>",
        f"<< /Type /Pages /Count {len(contents)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding "
        f"/FirstChar 32 /LastChar 126 /Widths [{widths}] >>",
    ]
    for index, content in enumerate(contents):
        box = f"/MediaBox [0 0 {setting.width} {setting.height}] /Rotate {setting.turn}"
        resources = f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * index} 0 R"
        annotations = f"/Annots [{' '.join(setting.links)}]" if index == 0 and setting.links else ""
        objects.append(f"<< /Type /Page /Parent 2 0 R {box} {resources} {annotations} >>")
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    first = len(objects) + 2
    last = first + len(setting.outline) - 1
    objects[0] = objects[0].replace("/Outlines OUTLINES", f"/Outlines {first - 1} 0 R")
    objects.append(f"<< /First {first} 0 R /Last {last} 0 R >>" if setting.outline else "<< >>")
    for number, (title, page) in enumerate(setting.outline, first):
        after = f"/Next {number + 1} 0 R" if number < last else ""
        place = f"/Dest [{2 + 2 * page} 0 R /Fit]"
        objects.append(f"<< /Title ({title}) /Parent {first - 1} 0 R {place} {after} >>")
    return numbered_objects(objects)


def numbered_objects(objects: Sequence[str]) -> bytes:
    """Return a PDF of these objects, of which the first is the catalog."""
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1"))
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.write("".join(f"{offset:010} 00000 n \n" for offset in offsets).encode())
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    out.write(trailer.encode())
    return out.getvalue()
