"""Translations: catalogues hold what the window says, and English has its plurals."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, QTranslator

from app.domain.messages import TEXTS, Message, Plural
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import courses_text, files_text, library_text
from resources.packaging import translations
from tests.support import side_data

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

NEEDS_UPDATE = "run: python -m resources.packaging.translations"


@pytest.fixture
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = shutil.copytree(translations.CATALOGUES, tmp_path / "i18n")
    monkeypatch.setattr(translations, "CATALOGUES", copy)
    return copy


def test_catalogues_are_up_to_date(catalogues: Path) -> None:
    for compiled in sorted(catalogues.glob("*.qm")):
        before = compiled.read_bytes()
        catalogue = translations.update(compiled.stem.removeprefix("lectern_"), translations.all_texts())
        assert translations.unfinished(catalogue) == [], f"translate these in {catalogue.name}"
        translations.compile_catalogue(catalogue, compiled)
        assert compiled.read_bytes() == before, NEEDS_UPDATE


def test_every_text_is_found_where_the_window_asks_for_it() -> None:
    assert [text for text in translations.all_texts() if not text.context] == []


def test_english_has_both_forms_of_every_plural() -> None:
    tree = ET.parse(translations.CATALOGUES / "lectern_en.ts")
    forms = [form.text or "" for form in tree.iter("numerusform")]
    assert len(forms) == 2 * len(list(tree.iter("message"))) > 0
    assert [form for form in forms if not form or "(s)" in form] == []


@pytest.mark.parametrize(("n", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files")])
def test_plurals_in_english(qapp: QApplication, n: int, text: str) -> None:
    assert files_text(n) == text


def test_numbers_are_written_as_the_locale_has_them(qapp: QApplication) -> None:
    assert courses_text(1_234_567) == f"{QLocale().toString(1_234_567)} courses"


def test_a_library_is_counted_in_what_a_student_knows(qapp: QApplication) -> None:
    assert library_text([]) == "0 courses, 0 lessons"
    assert library_text([side_data.course("Tides", 1)]) == "1 course, 1 lesson"
    assert (
        library_text([side_data.course("Tides", 3), side_data.course("Sails", 2)]) == "2 courses, 5 lessons"
    )


def test_new_language(qapp: QApplication, catalogues: Path) -> None:
    catalogue = translations.update("fr", translations.all_texts())
    tree = ET.parse(catalogue)
    sources = {message.findtext("source") for message in tree.iter("message")}
    assert {"Add &folder…", "%Ln file(s)"} <= sources
    message_id, plural = next((key, text) for key, text in TEXTS.items() if isinstance(text, Plural))
    forms = {"%Ln file(s)": ("%Ln fichier", "%Ln fichiers"), plural.other: ("Un", "Plusieurs")}
    for message in tree.iter("message"):
        translation = message.find("translation")
        if translation is not None and (chosen := forms.get(message.findtext("source", ""))):
            translation.attrib.pop("type", None)
            for form, text in zip(translation.iter("numerusform"), chosen, strict=True):
                form.text = text
    tree.write(catalogue, encoding="utf-8")
    translations.compile_catalogue(catalogue, catalogue.with_suffix(".qm"))
    french = QTranslator()
    assert french.load(str(catalogue.with_suffix(".qm")))
    qapp.installTranslator(french)
    try:
        assert (files_text(1), files_text(2)) == ("1 fichier", "2 fichiers")
        assert [shown(Message(message_id, n=n)) for n in (1, 2)] == ["Un", "Plusieurs"]
    finally:
        qapp.removeTranslator(french)
