"""Makes titles, names and headings fit to be shown."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_NAME_LIMIT = 80


def one_line(text: str) -> str:
    """Return the text on one line, white space collapsed, without control and formatting characters.

    Joiners between letters stay; marks that change the direction of writing go, since they can mislead.
    """
    if text.isascii() and text.isprintable():  # most are, and there may be thousands
        return " ".join(text.split())
    kept = [" " if character.isspace() else character for character in text if not _is_invisible(character)]
    return " ".join("".join(kept).split())


def _is_invisible(character: str) -> bool:
    kept = character.isspace() or character in "\u200c\u200d"
    return not kept and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn")


def shorten(text: str, limit: int) -> str:
    """Return the text, cut after a word and with "…" if it is longer than ``limit`` characters."""
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", limit // 2, limit)
    return text[: cut if cut > 0 else limit - 1].rstrip(" ,;:.-–—") + "…"


def shown_name(path: Path) -> str:
    """Return a file's name, without its folders, as a sentence may show it."""
    name = "".join("\ufffd" if _is_invisible(character) else character for character in path.name)
    return shorten(one_line(name) or "This file", _NAME_LIMIT)


def shown_size(size: int) -> str:
    """Return a number of bytes as ``"48 MB"``, ``"1.5 GB"`` or ``"12 KB"``."""
    for unit, scale in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if size >= scale:
            number = size / scale
            return f"{number:.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}".replace(".0 ", " ")
    return f"{size} bytes"
