"""Takes from text what steers a terminal, turns writing around or hides in it.

Course files, file names, model servers and their answers are not trusted. What is taken out stays visible
as U+FFFD, except escape sequences, of which nothing is worth seeing.
"""

import re
import unicodedata
from pathlib import Path

# Line breaks beside "\n", which would let text jump out of its place.
_BREAKS = re.compile("[\x0b\x0c\x85\u2028\u2029]|\r")
# Control characters, bidirectional embeddings, overrides and isolates, deprecated format characters, notes
# between lines, tags, which are letters that nobody sees, and halves of characters, which no file can hold.
# The joiners and direction marks that scripts need stay.
_HARMFUL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u180e\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e00ff"
    "\ud800-\udfff]"
)
_ESCAPE_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"  # such as colours
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90-\x9f]*+(?:\x07|\x1b\\|\x9c)"  # such as titles
    r"|\x1b[ -/]*+[0-~]"
)


def harmless(text: str) -> str:
    """Return text of the same length without control, overriding and hidden characters."""
    if text.isascii() and text.isprintable():  # as most titles and names are
        return text
    return _HARMFUL.sub("\ufffd", _BREAKS.sub(" ", text))


def for_terminal(text: str) -> str:
    """Return text that a terminal prints and nothing else; escape sequences are left out."""
    if text.isascii() and text.isprintable():
        return text
    return harmless(_ESCAPE_SEQUENCES.sub("", text))


def for_spreadsheet(text: str) -> str:
    """Return text for a cell of a table, which no program takes for a formula."""
    cell = harmless(text)
    return f"'{cell}" if cell.lstrip().startswith(("=", "+", "-", "@")) else cell


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
