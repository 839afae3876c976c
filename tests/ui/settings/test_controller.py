"""The settings dialog in the running window: its models and connection tests come from the server."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton

from app.config.settings import Settings, load_settings, save_settings
from app.features.shared.ui.libraries_dialog import SharedLibrariesDialog
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets import show_dialogs as show
from app.workers.job import Lane
from tests.support import other_models
from tests.support.anthropic_server import AnthropicServer
from tests.support.message_checks import Model
from tests.support.other_models import other_server
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder
    from tests.support.running_window import Opener

LEFT = Qt.MouseButton.LeftButton
MODELS = (
    Model("new", "New"),
    Model("old", "Old", lifecycle="deprecated", retires_at="2027-02-01T00:00:00Z"),
    Model("older", "Older", lifecycle="deprecated"),
)


def open_settings(running: RunningWindow) -> SettingsDialog:
    running.window.open_settings()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    return dialog


def test_the_dialog_lists_models_and_its_test_can_be_stopped(
    qapp: QApplication, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> None:
    with AnthropicServer(models=MODELS) as server:
        running = RunningWindow(
            tmp_path, model_cache, base_url=server.url, key=server.key, embedder=embedder, data_dir=data_dir
        )
        running.open()
        running.wait_until_ready(samples=False)
        dialog = open_settings(running)
        page = dialog.answers
        running.wait_for(lambda: page.model.count() == 3, "the models")
        names = [page.model.itemText(at) for at in range(3)]

        def help_with(words: str) -> bool:
            return any(words in label.text() for label in dialog.findChildren(QLabel))

        assert names == ["New", "Old (deprecated, ends on 2027-02-01)", "Older (deprecated)"]
        running.wait_for(lambda: help_with("costs about $0.0"), "the price")
        page.model.setEditText("llama")
        running.wait_for(lambda: help_with("price of this model is unknown"), "no price")
        running.window.open_settings()
        assert len(running.window.findChildren(SettingsDialog)) == 1
        QTest.mouseClick(page.test.button, LEFT)
        QTest.mouseClick(page.test.button, LEFT)
        assert page.test.status.text() == "Stopped."
        QTest.mouseClick(page.test.button, LEFT)
        dialog.reject()  # while the test runs
        again = open_settings(running)
        assert again is not dialog
        assert again.answers.model.count() == 3, "the models are kept"
        assert not again.answers.test.findings
        again.reject()
        running.close()


def test_the_test_says_how_a_model_of_another_make_is_asked(
    qapp: QApplication, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> None:
    with other_server(other_models.writes_calls) as server:
        running = RunningWindow(
            tmp_path, model_cache, base_url=server.url, key=server.key, embedder=embedder, data_dir=data_dir
        )
        running.open()
        running.wait_until_ready(samples=False)
        dialog = open_settings(running)
        test = dialog.answers.test
        dialog.answers.model.setEditText(other_models.MODEL)
        QTest.mouseClick(test.button, LEFT)
        running.wait_for(lambda: not test.is_running, "the end of the test")
        said = " ".join(test.findings)
        assert "numbers the passages" in said
        assert "without thinking first" in said
        dialog.reject()
        running.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_model_is_named_and_changed_at_the_composer(
    qapp: QApplication, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> None:
    with AnthropicServer(models=MODELS) as server:
        running = RunningWindow(
            tmp_path, model_cache, base_url=server.url, key=server.key, embedder=embedder, data_dir=data_dir
        )
        running.open()
        running.wait_until_ready(samples=False)
        button = running.window.settings_controller.model_button
        running.wait_for(lambda: button.accessibleName() == "Model: Claude Sonnet 5.5", "the model")
        assert button.isVisible()
        menu = button.menu()
        menu.popup(button.mapToGlobal(button.rect().topLeft()))
        running.wait_for(lambda: len(menu.actions()) == 5, "the models, and what can be used instead")
        assert [one.text() for one in menu.actions()][-3:] == ["Older (deprecated)", "Claude", "Settings…"]
        QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)
        running.wait_for(lambda: running.rag.settings.model == "new", "the model to be saved")
        running.wait_for(lambda: button.accessibleName() == "Model: New", "its name")
        running.close()


def test_without_a_model_the_composer_says_so_and_leads_to_the_settings(
    qapp: QApplication, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> None:
    running = RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir)
    running.open()
    running.wait_until_ready(samples=False)
    button = running.window.settings_controller.model_button
    running.wait_for(lambda: button.accessibleName() == "Model: Search only", "the words")
    (settings,) = button.menu().actions()
    settings.trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    assert dialog.answers.isVisible()
    dialog.reject()
    running.close()


def test_what_a_command_has_chosen_meanwhile_stays(
    qapp: QApplication, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> None:
    running = RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir)
    running.open()
    running.wait_until_ready(samples=False)
    file, controller = tmp_path / "settings.json", running.window.settings_controller
    chosen = Settings(provider="local", model=str(tmp_path / "tiny.gguf"), notify=False)
    save_settings(chosen, file)
    controller.choose_theme("dark")
    running.wait_for(lambda: running.window.settings.theme == "dark", "the theme")
    assert load_settings(file) == replace(chosen, theme="dark")
    assert running.rag.settings.provider == "local"
    save_settings(replace(chosen, model=str(tmp_path / "other.gguf")), file)
    dialog = open_settings(running)
    assert dialog.answers.chosen_model() == str(tmp_path / "other.gguf")
    dialog.reject()
    running.wait_for(lambda: running.rag.settings.model == str(tmp_path / "other.gguf"), "what was chosen")
    running.close()


def test_what_cannot_be_saved_keeps_the_dialog_open(
    qapp: QApplication,
    tmp_path: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
    data_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir)
    running.open()
    running.wait_until_ready(samples=False)
    said: list[str] = []
    monkeypatch.setattr(show, "show_error", lambda _parent, _title, sentence: said.append(sentence))
    (tmp_path / "settings.json").mkdir()
    dialog = open_settings(running)
    box = dialog.answers.fields["send_pages"]
    assert isinstance(box, QCheckBox)
    box.click()
    QTest.mouseClick(dialog.save_button, LEFT)
    running.wait_for(lambda: bool(said), "the sentence")
    assert "could not be saved" in said[0]
    assert dialog.isVisible() and box.isChecked()
    (tmp_path / "settings.json").rmdir()
    QTest.mouseClick(dialog.save_button, LEFT)
    running.wait_for(lambda: running.window.settings.send_pages, "the settings")
    running.close()


def test_shared_libraries_in_the_settings_lead_to_their_own_dialog(
    open_window: Opener,
) -> None:
    running = open_window()
    dialog = open_settings(running)
    dialog.show_page("library")
    found = [button for button in dialog.findChildren(QPushButton) if "libraries" in button.text()]
    running.wait_for(lambda: found[0].isVisible(), "the row")
    QTest.mouseClick(found[0], LEFT)
    assert not dialog.isVisible()
    assert isinstance(QApplication.activeModalWidget(), SharedLibrariesDialog)


@pytest.mark.parametrize("closed", [False, True])
def test_a_dialog_that_saves_stays_until_it_is_answered(open_window: Opener, closed: bool) -> None:
    running = open_window()
    saves = Event()
    running.workers.job(Lane.READ, "Holding the save back", lambda *_: saves.wait(30), key="library").run(
        running.window
    )
    dialog = open_settings(running)
    box = dialog.answers.fields["send_pages"]
    assert isinstance(box, QCheckBox)
    box.click()
    QTest.mouseClick(dialog.save_button, LEFT)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    if closed:  # as with its window
        dialog.done(0)
        running.wait_for(lambda: not running.window.findChildren(SettingsDialog), "the dialog to go")
    saves.set()
    running.wait_for(lambda: running.window.settings.send_pages, "the settings")
    running.wait_for(lambda: running.window.settings_controller.dialog is None, "the dialog to close")
