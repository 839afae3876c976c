"""Languages: which are offered, which one is spoken, and what its catalogue must be like."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QDate, QLocale, Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMainWindow, QMenu, QMessageBox

from app.config.paths import resource_path
from app.ui.shell.actions import Actions
from app.ui.widgets.messages import install_translations, offered_languages
from app.ui.widgets.numbers import dollars, number_text
from resources.packaging import translations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

CATALOGUES = sorted(set(translations.CATALOGUES.glob("*.ts")) - {translations.CATALOGUES / "lectern_en.ts"})
OFFERED = [path for path in CATALOGUES if path.with_suffix(".qm").exists()]
PLACEHOLDER = re.compile(r"\{\w*\}|%Ln|%n|</?\w+>|&(?=\w)")
SPACE = re.compile(r"^\s*|\s*$")

SPEAK = """
import json, sys
sys._MEIPASS = sys.argv[1]
from PySide6.QtCore import QCoreApplication
from app.ui.widgets.messages import install_translations
from app.ui.widgets.numbers import dollars, files_text
app = QCoreApplication([])
install_translations(app, sys.argv[2])
texts = app.translate("Actions", "&File"), files_text(1234), dollars(1.5)
print(json.dumps(texts))
"""


@pytest.fixture
def english_again(qapp: QApplication) -> Iterator[None]:
    yield
    install_translations(qapp, "en")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a packaged program holds, with a complete German catalogue of a few texts."""
    folder = tmp_path_factory.mktemp("package")
    catalogues = shutil.copytree(translations.CATALOGUES, folder / "resources" / "i18n")
    texts = {"&File": ["&Datei"], "%Ln file(s)": ["%Ln Datei", "%Ln Dateien"]}
    tree = ET.Element("TS", version="2.1", language="de")
    for context, (source, forms) in zip(("Actions", "Counts"), texts.items(), strict=True):
        entry = ET.SubElement(tree, "context")
        ET.SubElement(entry, "name").text = context
        message = ET.SubElement(entry, "message", numerus="yes" if len(forms) > 1 else "no")
        ET.SubElement(message, "source").text = source
        translation = ET.SubElement(message, "translation")
        if len(forms) == 1:
            (translation.text,) = forms
        else:
            for form in forms:
                ET.SubElement(translation, "numerusform").text = form
    catalogue = catalogues / "lectern_de.ts"
    ET.ElementTree(tree).write(catalogue, encoding="utf-8")
    translations.compile_catalogue(catalogue, catalogue.with_suffix(".qm"))
    return folder


def spoken(package: Path, system: str, chosen: str = "") -> list[str]:
    """Return what a program says that starts on a system."""
    environ = {**os.environ, "LC_ALL": f"{system}.UTF-8", "LANGUAGE": ""}
    command = [sys.executable, "-c", SPEAK, str(package), chosen]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, the environment does not set the language")
@pytest.mark.parametrize(
    ("system", "chosen", "texts"),
    [
        ("C", "", ["&File", "1,234 files", "$1.50"]),
        ("de_AT", "", ["&Datei", "1\xa0234 Dateien", "$\xa01,50"]),
        ("fr_FR", "", ["&File", "1\u202f234 files", "1,50\xa0$"]),  # not offered
        ("en_GB", "de", ["&Datei", "1.234 Dateien", "1,50\xa0$"]),
        ("de_DE", "en", ["&File", "1.234 files", "1,50\xa0$"]),  # numbers as in Germany
        ("de_DE", "xx", ["&Datei", "1.234 Dateien", "1,50\xa0$"]),
    ],
)
def test_the_chosen_language_is_spoken_or_else_the_systems(
    package: Path, system: str, chosen: str, texts: list[str]
) -> None:
    assert spoken(package, system, chosen) == texts


def test_complete_languages_are_offered_by_their_own_names() -> None:
    assert offered_languages() == {"en": "English", "de": "Deutsch", "es": "Español"}


@pytest.mark.slow
def test_an_unfinished_catalogue_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = shutil.copytree(translations.CATALOGUES, tmp_path / "i18n")
    monkeypatch.setattr(translations, "CATALOGUES", copy)
    translations.main(["fr"])  # to look at it
    assert (copy / "lectern_fr.qm").exists()
    translations.main([])
    assert not (copy / "lectern_fr.qm").exists()
    assert (copy / "lectern_en.qm").exists()


@pytest.mark.parametrize("catalogue", OFFERED, ids=lambda path: path.stem)
def test_translations_keep_placeholders_accelerators_and_space(catalogue: Path) -> None:
    for message in ET.parse(catalogue).iter("message"):
        source, translation = message.findtext("source", ""), message.find("translation")
        assert translation is not None
        forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
        for number, text in enumerate(forms):
            kept, wanted = Counter(PLACEHOLDER.findall(text)), Counter(PLACEHOLDER.findall(source))
            if number == 0 and len(forms) > 1:  # "one file" needs no figure
                kept["%Ln"] = wanted["%Ln"]
            assert +kept == +wanted, text
            assert SPACE.findall(text) == SPACE.findall(source), text


@pytest.mark.parametrize("code", offered_languages())
@pytest.mark.usefixtures("english_again")
def test_each_letter_of_a_menu_means_one_thing(qapp: QApplication, qtbot: QtBot, code: str) -> None:
    install_translations(qapp, code)
    window = QMainWindow()
    qtbot.addWidget(window)
    Actions(window).build_menus(window.menuBar())
    menus = [window.menuBar().actions(), *(one.actions() for one in window.menuBar().findChildren(QMenu))]
    for menu in menus:
        letters = Counter(letter(action) for action in menu if action.text())
        assert [one for one, times in letters.items() if times > 1] == [], [one.text() for one in menu]


def letter(action: QAction) -> str:
    found = re.search(r"&(\w)", action.text())
    assert found, action.text()
    return found[1].lower()


@pytest.mark.parametrize("catalogue", OFFERED, ids=lambda path: path.stem)
@pytest.mark.usefixtures("english_again")
def test_qt_speaks_the_language_too(qapp: QApplication, qtbot: QtBot, catalogue: Path) -> None:
    install_translations(qapp, catalogue.stem.removeprefix("lectern_"))
    edit = QLineEdit("text")
    qtbot.addWidget(edit)
    menu = edit.createStandardContextMenu()
    qtbot.addWidget(menu)
    assert len([one for one in menu.actions() if one.text()]) > 5
    assert [one.text() for one in menu.actions() if one.text().startswith(("&Copy", "Select All"))] == []


@pytest.mark.parametrize(
    ("code", "asked"), [("de", "Soll die Datei ersetzt werden?"), ("es", "¿Quieres reemplazarlo?")]
)
@pytest.mark.usefixtures("english_again")
def test_qt_says_du_and_tu_where_a_file_is_replaced(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, code: str, asked: str
) -> None:
    install_translations(qapp, code)
    (tmp_path / "chat.md").touch()
    dialog = QFileDialog(directory=str(tmp_path), options=QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile("chat.md")
    said = []

    def read() -> None:
        box = qapp.activeModalWidget()
        assert isinstance(box, QMessageBox)
        said.append(box.text())
        box.reject()

    QTimer.singleShot(0, read)
    dialog.accept()
    assert asked in said[0]


@pytest.mark.parametrize(
    ("code", "number", "money", "month"),
    [("en", "1,234", "$0.003", "Mar"), ("de", "1.234", "0,003\xa0$", "März"), ("es", "1.234.567", "", "mar")],
)
@pytest.mark.usefixtures("english_again")
def test_numbers_money_and_dates_are_the_languages(
    qapp: QApplication, code: str, number: str, money: str, month: str
) -> None:
    install_translations(qapp, code)
    assert number_text(int(re.sub(r"\D", "", number))) == number
    assert dollars(0.003) == money or not money
    assert QLocale().toString(QDate(2026, 3, 1), "MMM").rstrip(".") == month
    assert qapp.layoutDirection() is Qt.LayoutDirection.LeftToRight
    assert resource_path(f"resources/i18n/lectern_{code}.qm").is_file()
