"""Builds a document's text block by block, with its anchors.

Formats other than text become Markdown (``# Heading``, ``- item``, fences around code, ``| a | b |`` for a
row): sentences and passages are cut by these signs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError
from app.core.documents.readers.pictures import signs_only, without_signs
from app.core.documents.text.markdown_structure import HeadingPath, plain_inline
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.messages import Message
from app.domain.plain_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.documents import AnchorKind


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


_SIGNS = {"symbol": _by_place(_SYMBOL), "dings": _by_place(_WINGDINGS)}
_ORNAMENT = "•"


def is_symbol_font(font: str | None) -> bool:
    return any(part in (font or "").lower() for part in _SIGNS)


def readable(text: str, font: str | None = None, *, sign_font: str | None = None) -> str:
    """Return the text of a run as Unicode.

    Args:
        text: as the file has it.
        font: of all its characters.
        sign_font: of those that stand for signs: some of private use, or a letter beyond ASCII on its own.
    """
    if text.isascii() and not is_symbol_font(font):
        return text
    is_all = is_symbol_font(font) or (is_symbol_font(sign_font) and len(text.strip()) == 1)
    name = (font if is_symbol_font(font) else sign_font) or ""
    signs = _SIGNS["dings" if "dings" in name.lower() else "symbol"]

    def sign(character: str) -> str:
        place = ord(character)
        if 0xF020 <= place <= 0xF0FF:
            return signs.get(place - 0xF000, _ORNAMENT)
        return signs.get(place, _ORNAMENT) if is_all and 0x20 <= place <= 0xFF else character

    return "".join(map(sign, text))
