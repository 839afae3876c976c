"""A language that shows which texts were never translated, and which layouts have no room.

Each text is in brackets, with accents and 40 percent longer. It takes the place of German in a copy of what
the program reads at run time.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from app.config.paths import resource_path
from resources.packaging import translations

if TYPE_CHECKING:
    from pathlib import Path

CODE = "de"
_WORD = 6  # letters, so that what is added can wrap
_KEPT = re.compile(r"(\{\w*\}|%Ln|%n|</?\w+[^>]*>|&\w|\n|\*\.?\w+)")
_ACCENTS = str.maketrans("aeiouAEIOUcn", "áéíóúÁÉÍÓÚçñ")


def pseudo(text: str) -> str:
    """Return a text in brackets, longer by 40 percent, with its placeholders and accelerator as they were.

    Space at its ends, after which something else follows, stays there; so do the parts of a file filter.
    """
    if text.startswith("## ") or ";;" in text:
        return text
    words = text.strip()
    accented = "".join(
        part if _KEPT.fullmatch(part) else part.translate(_ACCENTS) for part in _KEPT.split(words)
    )
    more = " ".join("~" * _WORD for _ in range(round(len(words) * 0.4) // _WORD)) or "~" * 2
    return text.replace(words, f"[{accented} {more}]" if len(more) > 2 else f"[{accented}{more}]")


def make_package(folder: Path) -> Path:
    """Fill ``folder`` with what a packaged program holds, and return it (for ``sys._MEIPASS``)."""
    root = resource_path("resources").parent
    (folder / "resources").mkdir()
    (folder / "docs").symlink_to(root / "docs")
    for part in (root / "resources").iterdir():
        if part.name != "i18n":
            (folder / "resources" / part.name).symlink_to(part)
    catalogues = folder / "resources" / "i18n"
    catalogues.mkdir()
    (catalogues / "lectern_en.qm").symlink_to(root / "resources" / "i18n" / "lectern_en.qm")
    source = catalogues / f"lectern_{CODE}.ts"
    ET.ElementTree(_catalogue()).write(source, encoding="utf-8")
    translations.compile_catalogue(source, source.with_suffix(".qm"))
    return folder


def _catalogue() -> ET.Element:
    tree = ET.Element("TS", version="2.1", language=CODE)
    contexts: dict[str, ET.Element] = {}
    for text in sorted(translations.all_texts()):
        if text.context not in contexts:
            contexts[text.context] = ET.SubElement(tree, "context")
            ET.SubElement(contexts[text.context], "name").text = text.context
        message = ET.SubElement(contexts[text.context], "message", numerus="yes" if text.is_plural else "no")
        ET.SubElement(message, "source").text = text.source
        translation = ET.SubElement(message, "translation")
        if text.is_plural:
            for _ in range(2):
                ET.SubElement(translation, "numerusform").text = pseudo(text.source)
        else:
            translation.text = pseudo(text.source)
    return tree
