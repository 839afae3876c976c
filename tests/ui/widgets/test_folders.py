"""Where file dialogs open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QStandardPaths

from app.ui.widgets.desktop import start_folder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_file_dialog_opens_in_a_folder_that_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents, last = tmp_path / "Documents", tmp_path / "last"
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(documents))
    assert start_folder() == start_folder(str(last)) == QDir.homePath()
    documents.mkdir()
    assert start_folder() == start_folder(str(last)) == str(documents)
    last.mkdir()
    assert start_folder(str(last)) == str(last)
