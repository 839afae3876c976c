"""The user guide in every language: it names menus and buttons as the window shows them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from resources.packaging import translations

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = translations.ROOT / "docs" / "user-guide.md"
GUIDES = sorted(ENGLISH.parent.glob("user-guide.*.md"))


def shown_names(guide: Path) -> set[str]:
    """Return the texts of the window in a guide's language, without accelerators."""
    language = guide.suffixes[0].removeprefix(".")
    if language == "md":
        return {plain(text.source) for text in translations.all_texts()}
    tree = ET.parse(translations.CATALOGUES / f"lectern_{language}.ts")
    return {plain(message.findtext("translation", "")) for message in tree.iter("message")}


def plain(text: str) -> str:
    return text.replace("&", "").rstrip("…")


def paths(guide: Path) -> list[str]:
    """Return the ways through menus that a guide names, such as ``File › New chat``."""
    text = " ".join(guide.read_text(encoding="utf-8").split())
    return [bold for bold in re.findall(r"\*\*([^*]+)\*\*", text) if " › " in bold]


@pytest.mark.parametrize("guide", [ENGLISH, *GUIDES], ids=lambda guide: guide.stem)
def test_the_ways_through_menus_exist(guide: Path) -> None:
    assert len(paths(guide)) > 10
    names = shown_names(guide)
    assert [path for path in paths(guide) if not {plain(part) for part in path.split(" › ")} <= names] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_translation_has_the_sections_of_the_guide(guide: Path) -> None:
    english, translated = (
        re.findall(r"^#+ ", path.read_text(encoding="utf-8"), flags=re.MULTILINE) for path in (ENGLISH, guide)
    )
    assert translated == english
