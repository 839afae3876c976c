"""Builds a document's text block by block, with its anchors and the signs for its pictures.

Formats other than text become Markdown (``# Heading``, ``- item``, fences around code, ``| a | b |`` for a
row): sentences and passages are cut by these signs.

A text as it is stored has no trace of a picture but its description. Whoever shows the file reads it again
with :func:`signs_for_pictures`; the same text then has a sign for each picture, and nothing else differs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from app.core.documents.readers import ReaderError
from app.core.documents.text.markdown_structure import HeadingPath, plain_inline
from app.domain.documents import Anchor, AnchorKind, AnchorMark, DocumentText
from app.domain.messages import Message
from app.domain.plain_text import one_line

# Dominoes: no course has numbers between them, and nothing takes them for what is to be left out.
_OPEN, _CLOSE, _DATA_OPEN, _DATA_CLOSE = "\U0001f030", "\U0001f031", "\U0001f032", "\U0001f033"
SIGN = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_DATA_SIGN = re.compile(f"{_DATA_OPEN}([0-9]+){_DATA_CLOSE}")
_SIGNS = re.compile(f"{SIGN.pattern}|{_DATA_SIGN.pattern}")
_PICTURE_FILE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf|eps|heic)\Z", re.IGNORECASE)
_MOST = 5_000  # of a document
PART = "part:"
"""What the source of a picture begins with that is a part of an archive, as an Office document is."""

Crop = tuple[float, float, float, float]


class FoundPicture(NamedTuple):
    """A picture of a document.

    Attributes:
        source: the target of a link, a ``data:`` URI, or the name of an archive's part.
        alt: its description, however short.
        width: in which the document shows it, in device-independent pixels; 0 if it does not say.
        crop: shares of it that are cut off at the left, top, right and bottom.
    """

    source: str
    alt: str = ""
    width: float = 0
    crop: Crop = (0, 0, 0, 0)


@dataclass
class _Asked:
    pictures: list[FoundPicture] = field(default_factory=list)
    data: list[str] = field(default_factory=list)


# Not an argument of readers: most of what they call would only pass it on.
_asked: ContextVar[_Asked | None] = ContextVar("asked", default=None)


@contextmanager
def signs_for_pictures() -> Iterator[list[FoundPicture]]:
    """Let readers put signs into texts; yield the pictures they stand for, as they are found."""
    asked = _Asked()
    reset = _asked.set(asked)
    try:
        yield asked.pictures
    finally:
        _asked.reset(reset)


def picture(description: str | None, source: str = "", width: float = 0, crop: Crop = (0, 0, 0, 0)) -> str:
    """Return a picture's description, between spaces, if it has at least a few words; else nothing.

    What ends like the name of a file is the picture's path. If signs are wanted, one precedes it.
    """
    words = (description or "").split()
    if words and _PICTURE_FILE.search(words[-1]):
        words = []
    sign = _sign(FoundPicture(source, " ".join(words), width, crop)) if source else ""
    if len(words) < 3:
        return sign
    return f"{sign} [Picture: {' '.join(words)}] "


def data_sign(uri: str) -> str:
    """Return what stands for an embedded file; a picture's source may be just that."""
    if (asked := _asked.get()) is None:
        return "data:…"
    asked.data.append(uri)
    return f"data:…{_DATA_OPEN}{len(asked.data) - 1}{_DATA_CLOSE}"


def without_signs(text: str) -> str:
    """Return a text as it is when nobody asks for pictures, but for white space."""
    return _SIGNS.sub("", text) if _OPEN in text or _DATA_OPEN in text else text


def signs_only(text: str) -> str:
    """Return the signs of a text that is left out itself."""
    return "".join(match.group() for match in SIGN.finditer(text)) if _OPEN in text else ""


def _sign(found: FoundPicture) -> str:
    asked = _asked.get()
    if asked is None or len(asked.pictures) >= _MOST:
        return ""
    if (embedded := _DATA_SIGN.search(found.source)) and int(embedded.group(1)) < len(asked.data):
        found = found._replace(source=asked.data[int(embedded.group(1))])
    asked.pictures.append(found._replace(alt=without_signs(found.alt)))
    return f"{_OPEN}{len(asked.pictures) - 1}{_CLOSE}"


_TEXT_LIMIT = 32 * 2**20  # characters; a longer text is no course material
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\ufeff\ufffe\uffff\ud800-\udfff]")
_SPACES = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r" ?\n ?")


def clean(text: str) -> str:
    """Return text with LF as newline, without control characters, soft hyphens and lone surrogates."""
    return _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def collapsed(text: str) -> str:
    """Return cleaned text with single spaces, and none around newlines and at the ends."""
    return _BREAKS.sub("\n", _SPACES.sub(" ", clean(text))).strip()


def table_row(cells: Iterable[str]) -> str:
    """Return the cells of a row on one line: ``| a | b |``."""
    return "| " + " | ".join(one_line(cell.replace("|", "¦")) for cell in cells) + " |"


def unread(kind: str, count: int, total: int) -> Message | None:
    """Say how many parts of a kind ("slides") could not be read in full; None if all could."""
    return Message(f"documents.unread_{kind}", count=count, total=total) if count else None


class TextBuilder:
    """Collects blocks of text and anchors; raises ReaderError if the text gets too long.

    An anchor applies from the next block on; a later one replaces it if no block came between, so pages
    without text leave no mark.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._marks: list[AnchorMark] = []
        self._pending: Anchor | None = None
        self._headings = HeadingPath()
        self._tight = False

    def anchor(self, kind: AnchorKind, value: float | str) -> None:
        """Say where in the original the next block stands."""
        self._pending = Anchor(kind, value)

    def heading(self, level: int, title: str, *, anchored: bool = True) -> None:
        """Add a heading of level 1 (topmost) to 6; if anchored, the path of headings to it is the anchor."""
        title = one_line(clean(title))
        if not without_signs(title).strip():
            self.block(title)
            return
        if anchored:
            self.enter(level, title)
        self.block("#" * max(1, min(level, 6)) + " " + title)

    def enter(self, level: int, title: str) -> None:
        """Place what follows under this heading without adding the heading to the text."""
        self._pending = self._headings.enter(level, plain_inline(title))

    def block(self, text: str, *, tight: bool = False) -> None:
        """Add a block, after a blank line; between two tight blocks there is only a newline."""
        text = clean(text).rstrip()
        if text.strip():
            self._add(text.strip("\n"), "\n" if tight and self._tight else "\n\n")
            self._tight = tight

    def run_on(self, text: str, joint: str = " ") -> None:
        """Add text to the last block, with its own anchor if one is pending."""
        text = clean(text).strip()
        if text:
            self._add(text, joint)
            self._tight = False

    def code(self, code: str, language: str = "") -> None:
        """Add a block of code between fences longer than any run of backticks in it."""
        code = clean(code).expandtabs(4).rstrip().strip("\n")
        if code:
            fence = "`" * (max((len(run) for run in re.findall(r"`{3,}", code)), default=2) + 1)
            self.block(f"{fence}{language}\n{code}\n{fence}")

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """Add rows of cells; rows without text are left out."""
        given = list(rows)
        is_empty = [not any(without_signs(cell).strip() for cell in row) for row in given]
        self.block("\n".join(table_row(row) for row, empty in zip(given, is_empty, strict=True) if not empty))
        for row, empty in zip(given, is_empty, strict=True):
            self.block(signs_only("".join(row)) if empty else "")

    def finish(self, unread: Message | None = None) -> DocumentText:
        return DocumentText("".join(self._parts), tuple(self._marks), unread=unread)

    def _add(self, text: str, joint: str) -> None:
        if self._parts:
            self._parts.append(joint)
            self._length += len(joint)
        if self._pending is not None:
            self._marks.append(AnchorMark(self._length, self._pending))
            self._pending = None
        self._parts.append(text)
        self._length += len(text)
        if self._length > _TEXT_LIMIT:
            raise ReaderError("documents.too_much_text")


_SYMBOL = {
    0x20: " !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
    0xF1: "⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
}
# Of Wingdings only what says something; its other signs are bullets and ornaments.
_WINGDINGS = {0x20: " ", 0x4A: "☺😐☹", 0xDF: "←→↑↓↖↗↙↘←→↑↓", 0xEF: "⇦⇨⇧⇩⇔⇕", 0xFB: "✗✓☒☑"}


def _by_place(rows: dict[int, str]) -> dict[int, str]:
    return {first + index: sign for first, row in rows.items() for index, sign in enumerate(row)}


_BY_FONT = {"symbol": _by_place(_SYMBOL), "dings": _by_place(_WINGDINGS)}
_ORNAMENT = "•"


def is_symbol_font(font: str | None) -> bool:
    return any(part in (font or "").lower() for part in _BY_FONT)


def readable(text: str, font: str | None = None, *, sign_font: str | None = None) -> str:
    """Return the text of a run as Unicode.

    ``sign_font`` is that of its signs alone: some of private use, or a letter beyond ASCII on its own.
    """
    if text.isascii() and not is_symbol_font(font):
        return text
    is_all = is_symbol_font(font) or (is_symbol_font(sign_font) and len(text.strip()) == 1)
    name = (font if is_symbol_font(font) else sign_font) or ""
    signs = _BY_FONT["dings" if "dings" in name.lower() else "symbol"]

    def sign(character: str) -> str:
        place = ord(character)
        if 0xF020 <= place <= 0xF0FF:
            return signs.get(place - 0xF000, _ORNAMENT)
        return signs.get(place, _ORNAMENT) if is_all and 0x20 <= place <= 0xFF else character

    return "".join(map(sign, text))
