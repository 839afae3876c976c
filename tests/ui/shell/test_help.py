from __future__ import annotations

import os
import sys
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton

from app import __version__
from app.config import paths
from app.config.settings import Settings
from app.ui.shell.about_dialog import AboutDialog
from app.ui.shell.guide_window import GuideWindow
from app.ui.shell.help_controller import HelpController, problem_report
from app.ui.widgets.dialog import ReportDialog
from app.ui.widgets.theme import Theme, apply_theme, theme_for
from app.workers.library import LibraryWorkers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.running_window import Opener

LEFT = Qt.MouseButton.LeftButton
GUIDE = """# The guide

## First start

Open it & read `code` <b>literally</b>. Its links are below.

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


def test_a_missing_file_is_said(window: QMainWindow, qtbot: QtBot) -> None:
    guide = GuideWindow("User guide", window)
    guide.show_text("")
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
    guide = GuideWindow("User guide", window)
    guide.show()
    guide.show_text(GUIDE)
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


def test_the_guide_is_searched_by_the_words_of_a_question(window: QMainWindow, qtbot: QtBot) -> None:
    guide = GuideWindow("User guide", window)
    guide.show()
    guide.show_text(GUIDE)
    guide.activateWindow()
    qtbot.waitUntil(guide.search.hasFocus)
    QTest.keyClicks(guide.search, "how do I make a new CHAT appear?")
    QTest.keyClick(guide.search, Qt.Key.Key_Return)
    assert guide.isVisible() and guide.sections.hasFocus()
    guide.search.setFocus()
    assert [guide.sections.isRowHidden(row) for row in range(2)] == [True, False]
    assert [one.cursor.selectedText() for one in guide.page.extraSelections()] == ["chat"]
    QTest.keyClick(guide.search, Qt.Key.Key_Escape)
    assert [guide.sections.isRowHidden(row) for row in range(2)] == [False, False]
    assert not guide.page.extraSelections()
    QTest.keyClicks(guide.search, "zebra")
    assert "Nothing found" in [one.text() for one in guide.findChildren(QLabel) if one.isVisible()]
    QTest.keyClick(guide.search, Qt.Key.Key_Escape)
    QTest.keyClick(guide.search, Qt.Key.Key_Down)
    assert guide.sections.hasFocus()
    guide.sections.setCurrentRow(0)
    QTest.keyClicks(guide.search, "links")  # in both sections, but in one heading
    assert guide.sections.currentItem().text() == "Links"
    guide.search.clear()
    QTest.keyClicks(guide.search, "a literally?")
    assert [guide.sections.isRowHidden(row) for row in range(2)] == [False, True]
    guide.close()


@pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")
def test_a_new_version_says_once_what_is_new(window: QMainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    assert controller(window, tmp_path).news.isHidden()  # the first start
    memory(tmp_path).setValue("version", "0.0.9")
    updated = controller(window, tmp_path)
    assert not updated.news.isHidden()
    updated.news.action.click()
    changes = window.findChild(GuideWindow)
    assert changes is not None
    qtbot.waitUntil(lambda: changes.sections.count() > 0)
    assert changes.sections.item(0).text() == __version__
    changes.close()
    assert controller(window, tmp_path).news.isHidden()


def test_a_report_names_versions_and_the_log_but_neither_keys_nor_the_home(
    window: QMainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "log").mkdir()
    log = "old\n" * 300 + f"Read {tmp_path}/notes.md with sk-ant-0123456789abc\n"
    (tmp_path / "log" / "lectern.log").write_text(log, encoding="utf-8")
    helps = controller(window, tmp_path, Settings(model="a-model", embedding_model=str(tmp_path / "e5")))
    helps.show_report()
    qtbot.waitUntil(lambda: window.findChild(ReportDialog) is not None)
    dialog = window.findChild(ReportDialog)
    assert dialog is not None
    copy = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Copy report")
    QTest.mouseClick(copy, LEFT)
    report = QApplication.clipboard().text()
    assert f"Lectern {__version__}" in report
    assert '"model": "a-model"' in report
    assert "Read ~/notes.md with [key hidden]" in report
    assert str(tmp_path) not in report
    assert report.count("old") < 200
    dialog.close()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such pipes")
def test_the_window_does_not_wait_for_the_log(
    open_window: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = open_window()
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path))
    (tmp_path / "log").mkdir()
    log = tmp_path / "log" / "lectern.log"
    os.mkfifo(log)  # whoever reads it waits for what is written
    asked = Event()

    def write() -> None:
        asked.wait(10)
        log.write_text("It happened.", encoding="utf-8")

    Thread(target=write).start()
    running.window.help_controller.show_report()
    assert running.window.findChild(ReportDialog) is None
    asked.set()
    running.wait_for(lambda: running.window.findChild(ReportDialog) is not None, "the report")
    dialog = running.window.findChild(ReportDialog)
    assert dialog is not None and "It happened." in dialog.report.toPlainText()
    dialog.close()


@pytest.mark.skipif(sys.platform == "win32", reason="its folders have no such names")
def test_a_report_hides_the_home_however_its_backslashes_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    home = f"{tmp_path}\\Users\\Zoë"
    monkeypatch.setenv("HOME", home)
    log = f"Cannot open {home!r}\\notes.md"
    report = problem_report(Settings(embedding_model=f"{home}\\e5"), None, log)
    assert "Zoë" not in report


def controller(window: QMainWindow, folder: Path, settings: Settings | None = None) -> HelpController:
    situation = settings or Settings(), None
    return HelpController(window, folder, memory(folder), LibraryWorkers(), lambda: situation)


def memory(folder: Path) -> QSettings:
    return QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)


def link_position(guide: GuideWindow, words: str) -> QPoint:
    cursor = guide.page.document().find(words)
    cursor.setPosition(cursor.selectionStart() + 1)
    return guide.page.cursorRect(cursor).center()


@pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")
def test_the_help_menu_opens_one_guide_and_the_licences_of_a_package(
    window: QMainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    help_ = controller(window, tmp_path)
    help_.show_guide()
    first = help_.guide
    help_.show_guide()
    assert first is not None
    assert help_.guide is first
    qtbot.waitUntil(lambda: first.sections.count() > 5)
    help_.set_theme(Theme.dark())
    first.close()
    assert help_.guide is None

    help_.show_about()
    about = window.findChild(AboutDialog)
    assert about is not None
    texts = [one.text() for one in about.findChildren(QPushButton)]
    assert "Licences" not in texts  # a checkout ships nobody's software
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
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: not opened.append(url.toLocalFile()))
    QTest.mouseClick(button(about, "Licences"), LEFT)
    assert opened == [str(package / "THIRD_PARTY_LICENSES.txt")]
    about.close()


def button(dialog: AboutDialog, text: str) -> QPushButton:
    return next(one for one in dialog.findChildren(QPushButton) if one.text() == text)


def test_in_large_text_the_guide_has_more_room_than_its_contents(
    window: QMainWindow, qapp: QApplication, tmp_path: Path
) -> None:
    apply_theme(qapp, theme_for("light", 200))
    guide = GuideWindow("User guide", window)
    guide.show_text("")
    guide.show()
    assert guide.page.width() > guide.width() // 2
    guide.close()
    apply_theme(qapp, Theme.light())
