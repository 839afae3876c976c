from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.ui.widgets import show_dialogs as show
from app.ui.widgets.desktop import open_answer_link, open_course_file, show_in_folder
from app.ui.widgets.dialog import MessageDialog

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QUrl
    from pytestqt.qtbot import QtBot


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    addresses: list[str] = []

    def open_url(url: QUrl) -> bool:
        addresses.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return addresses


@pytest.mark.parametrize(
    ("link", "answer", "expected"),
    [
        ("https://example.org/x", True, ["https://example.org/x"]),
        ("https://example.org/x", False, []),
        ("file:///etc/passwd", True, []),
    ],
)
def test_a_link_opens_once_the_user_agrees(
    window: QWidget,
    opened: list[str],
    monkeypatch: pytest.MonkeyPatch,
    link: str,
    answer: bool,
    expected: list[str],
) -> None:
    monkeypatch.setattr(show, "confirm", lambda *_: answer)
    open_answer_link(window, link)
    assert opened == expected


@pytest.mark.parametrize("name", ["Talk.mp4", "talk.WAV", "Vorlesung 1.mkv"])
def test_recordings_are_opened_too(window: QWidget, opened: list[str], name: str) -> None:
    open_course_file(window, f"/home/me/{name}")
    assert opened == [f"file:///home/me/{name}"]


def test_a_file_that_is_gone_is_not_shown_but_said(
    window: QWidget, opened: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    show_in_folder(window, str(tmp_path / "tides.md"))
    dialog = window.findChild(MessageDialog)
    assert dialog is not None and not opened
    assert any("tides.md" in label.text() for label in dialog.findChildren(QLabel))
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()


@pytest.mark.parametrize("name", ["run.sh", "lab.py", "setup.exe", "Makefile"])
def test_only_course_files_are_opened(window: QWidget, opened: list[str], qtbot: QtBot, name: str) -> None:
    """Programs among them are read, but a computer might run what it opens."""
    open_course_file(window, "/home/me/Lecture 1.PDF")
    assert opened == ["file:///home/me/Lecture 1.PDF"]
    open_course_file(window, f"/home/me/{name}")
    assert len(opened) == 1
    dialog = window.findChild(MessageDialog)
    assert dialog is not None
    assert any(f"/home/me/{name}" in label.text() for label in dialog.findChildren(QLabel))
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()
