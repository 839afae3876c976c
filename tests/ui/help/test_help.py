from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton

from app.config import paths
from app.ui.help.about_dialog import AboutDialog, LicencesDialog
from app.ui.help.controller import HelpController
from app.ui.help.guide_window import GuideWindow
from app.ui.widgets.theme import Theme, apply_theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton
GUIDE = """# The guide

## First start

Open it & read `code` <b>literally</b>.

## Links

[The site](https://example.org/guide) and [a file](file:///etc/passwd).

| Keys | What |
|---|---|
| Ctrl+N | New chat |
"""


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[QMainWindow]:
    apply_theme(qapp, Theme.light())
    main = QMainWindow()
    qtbot.addWidget(main)
    main.show()
    yield main
    main.close()


def test_half_a_million_words_of_licences_do_not_hold_up_the_window(
    window: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "licences.txt"
    file.write_text("Zlib <b>notice</b> & terms\n" * 40_000 + "the end", encoding="utf-8")
    before = time.perf_counter()
    dialog = LicencesDialog(file, window)
    dialog.open()
    qtbot.waitUntil(lambda: "Zlib" in dialog.text.toPlainText())
    assert time.perf_counter() - before < 2
    assert not dialog.text.toPlainText().endswith("the end")
    qtbot.waitUntil(lambda: dialog.text.document().lastBlock().text() == "the end")
    assert dialog.text.toPlainText().startswith("Zlib <b>notice</b> & terms\nZlib")
    assert dialog.text.verticalScrollBar().value() == 0
    with qtbot.waitSignal(dialog.destroyed):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_missing_file_is_said_and_a_closed_dialog_awaits_none(
    window: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = LicencesDialog(tmp_path / "none.txt", window)
    dialog.open()
    qtbot.waitUntil(lambda: "read its licence file" in dialog.text.toPlainText())
    dialog.close()
    LicencesDialog(tmp_path / "none.txt", window).close()  # before the disk answers
    guide = GuideWindow(tmp_path / "none.md", Theme.dark(), window)
    guide.show()
    qtbot.waitUntil(lambda: "can't be read" in guide.page.toPlainText())
    guide.close()


def test_the_guide_shows_its_sections_and_follows_web_links_only(
    window: QMainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    file = tmp_path / "guide.md"
    file.write_text(GUIDE, encoding="utf-8")
    guide = GuideWindow(file, Theme.light(), window)
    guide.show()
    qtbot.waitUntil(lambda: guide.sections.count() == 2)
    assert "Open it & read code <b>literally</b>." in guide.page.toPlainText()
    QTest.keyClick(guide.sections, Qt.Key.Key_Down)
    assert "New chat" in guide.page.toPlainText()
    guide.set_theme(Theme.dark())
    assert "New chat" in guide.page.toPlainText()
    spot = link_position(guide, "The site")
    QTest.mouseClick(guide.page.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, spot)
    assert opened == ["https://example.org/guide"]
    QTest.mouseClick(
        guide.page.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, link_position(guide, "a file")
    )
    assert len(opened) == 1
    with qtbot.waitSignal(guide.destroyed):
        QTest.keyClick(guide, Qt.Key.Key_Escape)


def link_position(guide: GuideWindow, words: str) -> QPoint:
    cursor = guide.page.document().find(words)
    cursor.setPosition(cursor.selectionStart() + 1)
    return guide.page.cursorRect(cursor).center()


@pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")
def test_the_help_menu_opens_one_guide_and_the_licences_of_a_package(
    window: QMainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    help_ = HelpController(window, tmp_path)
    help_.show_guide()
    first = help_.guide
    help_.show_guide()
    assert first is not None
    assert help_.guide is first
    qtbot.waitUntil(lambda: first.sections.count() > 5)
    help_.set_theme(Theme.dark())
    with qtbot.waitSignal(first.destroyed):
        first.close()
    assert help_.guide is None

    help_.show_about()
    about = window.findChild(AboutDialog)
    assert about is not None
    texts = [one.text() for one in about.findChildren(QPushButton)]
    assert "Licences…" not in texts  # a checkout ships nobody's software
    with qtbot.waitSignal(about.destroyed):
        about.close()

    package = tmp_path / "package"
    package.mkdir()
    (package / "resources").symlink_to(paths.resource_path("resources"))
    (package / "THIRD_PARTY_LICENSES.txt").write_text("Qt: LGPL", encoding="utf-8")
    monkeypatch.setattr("sys._MEIPASS", str(package), raising=False)
    help_.show_about()
    about = window.findChild(AboutDialog)
    assert about is not None
    QTest.mouseClick(button(about, "Licences…"), LEFT)
    licences = about.findChild(LicencesDialog)
    assert licences is not None
    qtbot.waitUntil(lambda: licences.text.toPlainText() == "Qt: LGPL")
    licences.close()
    about.close()


def button(dialog: AboutDialog, text: str) -> QPushButton:
    return next(one for one in dialog.findChildren(QPushButton) if one.text() == text)
