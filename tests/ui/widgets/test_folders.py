"""Where file dialogs open, and what they give."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QDir, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.widgets.desktop import ask_for_folder, ask_for_new_file, start_folder
from tests.support.file_dialogs import choose_files

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_file_dialog_opens_in_a_folder_that_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents, last = tmp_path / "Documents", tmp_path / "last"
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(documents))
    assert start_folder() == start_folder(str(last)) == QDir.homePath()
    documents.mkdir()
    assert start_folder() == start_folder(str(last)) == str(documents)
    last.mkdir()
    assert start_folder(str(last)) == str(last)


def test_a_dialog_for_a_folder_shows_no_files(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    ask_for_folder(parent, "Add a folder", str(tmp_path), lambda _: None)
    dialog = parent.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.testOption(QFileDialog.Option.ShowDirsOnly)
    dialog.reject()
    qtbot.waitUntil(lambda: parent.findChild(QFileDialog) is None)


@pytest.mark.parametrize(
    ("typed", "written"),
    [("a.md", "a.md"), ("a.htm", "a.htm"), ("a", "a.html"), ("v1.2", "v1.2.html"), ("", "")],
)
def test_a_new_file_has_a_suffix_that_is_offered(
    typed: str, written: str, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = choose_files(monkeypatch, *([tmp_path / typed] if typed else []))
    monkeypatch.setattr(QFileDialog, "selectedNameFilter", lambda _: "Web page")
    parent = QWidget()
    qtbot.addWidget(parent)
    kinds, chosen = {"Markdown": ".md", "Web page": ".html"}, list[Path]()
    ask_for_new_file(parent, "Export", str(tmp_path), 'What is "a/b"?', kinds, chosen.append)
    assert places == [str(tmp_path / "What is  a b.md")]
    assert chosen == ([tmp_path / written] if written else [])
