"""Dialogs for files, answered without a user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def choose_files(monkeypatch: pytest.MonkeyPatch, *paths: Path) -> list[str]:
    """Let the next dialogs choose these files, or be cancelled; return what each proposes."""
    proposed: list[str] = []

    def answer(dialog: QFileDialog) -> None:
        proposed.extend(dialog.selectedFiles()[:1])
        if paths:
            dialog.filesSelected.emit([str(path) for path in paths])

    monkeypatch.setattr(QFileDialog, "open", answer)
    return proposed
