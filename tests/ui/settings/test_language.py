"""A language that is chosen in the settings shows at the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel

from app.config.settings import load_settings
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.messages import install_translations
from tests.support import pseudo_language

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.running_window import Opener


@pytest.fixture(autouse=True)
def other_language(
    pseudo_package: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> Iterator[None]:
    monkeypatch.setattr("sys._MEIPASS", str(pseudo_package), raising=False)
    yield
    monkeypatch.undo()
    install_translations(qapp, "en")


def test_another_language_shows_at_the_next_start_as_the_settings_say(
    open_window: Opener, tmp_path: Path, qapp: QApplication
) -> None:
    running = open_window()
    running.window.settings_controller.open("languages")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    texts = [label.text() for label in dialog.page("languages").findChildren(QLabel)]
    assert "Takes effect when you restart Lectern." in texts
    box = dialog.page("languages").fields["language"]
    assert isinstance(box, QComboBox)
    assert [box.itemText(row) for row in range(2)] == ["Match system", "English"]
    box.setCurrentIndex(box.findData(pseudo_language.CODE))
    dialog.accept()
    saved = tmp_path / "settings.json"
    running.wait_for(lambda: saved.is_file() and bool(load_settings(saved).language), "the saved settings")
    assert load_settings(saved).language == pseudo_language.CODE
    assert running.window.menuBar().actions()[0].text() == "&File", "not yet"
    install_translations(qapp, load_settings(saved).language)  # as a start does
    assert open_window().window.menuBar().actions()[0].text().startswith("[&F")
