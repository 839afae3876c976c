from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QDir, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QToolButton,
)

from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.config.settings import DEFAULT_MODEL, Settings
from app.domain.embedding_models import RERANKER
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.theme import Theme, apply_theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from app.ui.settings.embedding_model_field import EmbeddingModelField

LEFT = Qt.MouseButton.LeftButton
KEY = "sk-ant-planted-0123456789-wxyz"
STORED = KeyStatus(KeyOrigin.KEYCHAIN, "sk-…abcd", KeychainState.READY)


@pytest.fixture
def open_dialog(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., SettingsDialog]]:
    apply_theme(qapp, Theme.light())
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(1000, 700)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)

    def show(settings: Settings | None = None, status: KeyStatus | None = None) -> SettingsDialog:
        dialog = SettingsDialog(settings or Settings(), status or KeyStatus(), window)
        dialog.open()
        dialog.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
        return dialog

    yield show
    window.close()


def texts(dialog: SettingsDialog) -> str:
    return "\n".join(one.text() for one in dialog.findChildren(QLabel) if one.isVisibleTo(dialog))


def button(dialog: SettingsDialog, text: str) -> QPushButton:
    found = [b for b in dialog.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(dialog)]
    assert len(found) == 1
    return found[0]


def save(dialog: SettingsDialog) -> list[tuple[Any, ...]]:
    """Click Save; return what was emitted."""
    emitted: list[tuple[Any, ...]] = []
    dialog.saved.connect(lambda *what: emitted.append(what))
    QTest.mouseClick(button(dialog, "Save"), LEFT)
    return emitted


def retype(field: QLineEdit | QSpinBox | QComboBox, text: str) -> None:
    line = field if isinstance(field, QLineEdit) else field.lineEdit()
    assert line is not None
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)


@pytest.mark.parametrize("name", ["sync_folders", "recognize_text"])
def test_how_files_are_read_can_be_chosen_by_keyboard(
    open_dialog: Callable[..., SettingsDialog], name: str
) -> None:
    dialog = open_dialog()
    assert getattr(dialog, name).isChecked()
    getattr(dialog, name).setFocus()
    QTest.keyClick(getattr(dialog, name), Qt.Key.Key_Space)
    ((settings, _, _),) = save(dialog)
    off = {"sync_folders": True, "recognize_text": True, name: False}
    assert settings == Settings(sync_folders=off["sync_folders"], recognize_text=off["recognize_text"])
    assert not getattr(open_dialog(settings), name).isChecked()


def test_reranking_is_turned_on_with_the_model_that_is_offered_and_off(
    open_dialog: Callable[..., SettingsDialog],
) -> None:
    dialog = open_dialog()
    assert "(about 92 MB)" in texts(dialog)
    dialog.reranking.click()
    ((settings, *_),) = save(dialog)
    assert settings == Settings(reranking_model=RERANKER)
    for setting in (RERANKER, "somebody/else"):
        dialog = open_dialog(Settings(reranking_model=setting))
        assert dialog.settings().reranking_model == setting
        dialog.reranking.click()
        assert dialog.settings().reranking_model == ""
        dialog.close()


@pytest.mark.parametrize("name", ["send_passages", "send_pages", "second_look"])
def test_passages_can_be_sent_along_and_claims_checked_twice(
    open_dialog: Callable[..., SettingsDialog], name: str
) -> None:
    dialog = open_dialog()
    box: QCheckBox = getattr(dialog, name)
    assert not box.isChecked()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    ((settings, _, _),) = save(dialog)
    assert {**asdict(Settings()), name: True} == asdict(settings)
    assert getattr(open_dialog(settings), name).isChecked()


def test_unchanged_settings_come_back_whole(open_dialog: Callable[..., SettingsDialog]) -> None:
    settings = Settings(
        base_url="http://localhost:1234", model="m", effort="high", passages_per_search=7, chunk_size=500,
        exchanges_remembered=0, chunk_overlap=50, max_tokens=1200, max_search_rounds=5, theme="dark",
        embedding_model="/m", backup_gigabytes=0, unknown={"later": 1},
    )  # fmt: skip
    assert save(open_dialog(settings)) == [(settings, None, False)]


def test_what_is_typed_is_saved(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    retype(dialog.key.edit, f"  {KEY} ")
    retype(dialog.base_url, "https://models.example.org/")
    retype(dialog.model, "my-model")
    retype(dialog.max_tokens, "1500")
    retype(dialog.passages, "9")
    retype(dialog.exchanges, "4")
    retype(dialog.chunk_size, "1000")
    retype(dialog.chunk_overlap, "120")
    retype(dialog.backups, "7")
    dialog.theme.setFocus()
    QTest.keyClick(dialog.theme, Qt.Key.Key_End)
    ((settings, key, remove),) = save(dialog)
    assert settings == Settings(
        base_url="https://models.example.org", model="my-model", max_tokens=1500, passages_per_search=9,
        exchanges_remembered=4, chunk_size=1000, chunk_overlap=120, backup_gigabytes=7, theme="dark",
    )  # fmt: skip
    assert (key, remove) == (KEY, False)


def test_save_is_the_default_and_escape_changes_nothing(
    open_dialog: Callable[..., SettingsDialog], qtbot: QtBot
) -> None:
    dialog = open_dialog()
    with qtbot.waitSignal(dialog.saved):
        QTest.keyClick(dialog.base_url, Qt.Key.Key_Return)
    dialog = open_dialog()
    with qtbot.assertNotEmitted(dialog.saved), qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    dialog = open_dialog()
    with qtbot.assertNotEmitted(dialog.saved), qtbot.waitSignal(dialog.rejected):
        QTest.mouseClick(button(dialog, "Cancel"), LEFT)


def test_the_key_is_hidden_until_asked_for(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    retype(dialog.key.edit, KEY)
    assert KEY not in dialog.key.edit.displayText()
    switch = dialog.key.findChild(QToolButton)
    assert isinstance(switch, QToolButton)
    assert switch.accessibleName() == "Show the key"
    QTest.mouseClick(switch, LEFT)
    assert dialog.key.edit.displayText() == KEY
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert KEY not in dialog.key.edit.displayText()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (STORED, "sk-…abcd is in the system keychain."),
        (
            KeyStatus(KeyOrigin.SESSION, "…abcd", KeychainState.MISSING),
            "…abcd is kept for this session only: no keychain was found.",
        ),
        (
            KeyStatus(KeyOrigin.SESSION, "…abcd", KeychainState.LOCKED),
            "…abcd is kept for this session only: the keychain is locked.",
        ),
        (
            KeyStatus(KeyOrigin.ENVIRONMENT, "…abcd", KeychainState.READY),
            "…abcd comes from the environment variable ANTHROPIC_API_KEY and overrides a saved key.",
        ),
        (
            KeyStatus(KeyOrigin.NONE, "", KeychainState.FAILED),
            "Your key will be kept for this session only: the keychain refused it.",
        ),
        (
            KeyStatus(KeyOrigin.NONE, "", KeychainState.READY),
            "Your key will be saved in the system keychain.",
        ),
        (KeyStatus(), "Without a key, you get the best passages instead of written answers."),
    ],
)
def test_it_says_where_the_key_is(
    open_dialog: Callable[..., SettingsDialog], status: KeyStatus, said: str
) -> None:
    dialog = open_dialog(None, status)
    assert said in texts(dialog)
    removable = status.origin in (KeyOrigin.KEYCHAIN, KeyOrigin.SESSION)
    assert dialog.key.remove_button.isVisibleTo(dialog) is removable


def test_the_key_status_may_come_later(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    retype(dialog.key.edit, KEY)
    dialog.key.set_status(STORED)
    assert "sk-…abcd is in the system keychain." in texts(dialog)
    assert dialog.key.new_key == KEY


def test_removing_the_key_and_thinking_again(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(None, STORED)
    QTest.mouseClick(button(dialog, "Remove key"), LEFT)
    assert "The key will be removed when you save." in texts(dialog)
    QTest.mouseClick(button(dialog, "Keep key"), LEFT)
    assert "sk-…abcd is in the system keychain." in texts(dialog)
    QTest.mouseClick(button(dialog, "Remove key"), LEFT)
    assert save(dialog) == [(Settings(), None, True)]


def test_a_new_key_replaces_instead_of_removing(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(None, STORED)
    QTest.mouseClick(button(dialog, "Remove key"), LEFT)
    retype(dialog.key.edit, KEY)
    assert save(dialog) == [(Settings(), KEY, False)]


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("key", "sk with spaces", "A key has letters, digits and signs"),
        ("base_url", "localhost:11434", "Start the address with https:// or http://"),
        ("base_url", "http://me:secret@host", "Remove the name and password"),
    ],
)
def test_mistakes_are_said_beside_the_field_and_keep_the_dialog_open(
    open_dialog: Callable[..., SettingsDialog], field: str, typed: str, said: str
) -> None:
    dialog = open_dialog()
    line = dialog.key.edit if field == "key" else dialog.base_url
    retype(line, typed)
    assert said in texts(dialog)
    assert line.property("invalid") is True
    assert save(dialog) == []
    assert dialog.isVisible()
    assert line.hasFocus()
    retype(line, "")
    assert said not in texts(dialog)
    assert line.property("invalid") is False
    assert len(save(dialog)) == 1


def test_http_to_elsewhere_warns_but_can_be_saved(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    retype(dialog.base_url, "http://localhost:11434")
    assert "Without https" not in texts(dialog)
    retype(dialog.base_url, "http://192.168.1.5:11434")
    assert "Without https" in texts(dialog)
    assert save(dialog)[0][0].base_url == "http://192.168.1.5:11434"


def test_another_server_says_what_becomes_of_the_key(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(None, STORED)
    retype(dialog.base_url, "https://models.example.org")
    assert "the saved one stays with api.anthropic.com" in texts(dialog)
    retype(dialog.key.edit, KEY)
    assert "stays there" not in texts(dialog)
    dialog.reject()
    dialog = open_dialog(None, KeyStatus(KeyOrigin.ENVIRONMENT, "…abcd", KeychainState.READY))
    retype(dialog.base_url, "https://models.example.org")
    assert "The key from ANTHROPIC_API_KEY will be sent to models.example.org." in texts(dialog)


def test_changed_passages_warn_that_files_are_read_again(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    assert "indexed again" not in texts(dialog)
    retype(dialog.chunk_size, "900")
    assert texts(dialog).count("indexed again") == 1
    retype(dialog.chunk_overlap, "90")
    assert texts(dialog).count("indexed again") == 2
    retype(dialog.chunk_size, "800")
    retype(dialog.chunk_overlap, "100")
    assert "indexed again" not in texts(dialog)


def test_overlap_stays_below_half_a_passage(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(Settings(chunk_size=2000, chunk_overlap=900))
    retype(dialog.chunk_size, "600")
    assert dialog.chunk_overlap.value() == 300
    assert save(dialog)[0][0].chunk_overlap == 300


def test_models_are_offered_and_others_may_be_typed(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(Settings(model="model-b"))
    dialog.set_models([("model-a", "Model A"), ("model-b", "Model B")])
    assert dialog.model.currentText() == "Model B"
    assert dialog.chosen_model() == "model-b"
    dialog.model.setFocus()
    QTest.keyClick(dialog.model, Qt.Key.Key_Up)
    assert dialog.chosen_model() == "model-a"
    retype(dialog.model, "model b")
    assert dialog.chosen_model() == "model-b"
    retype(dialog.model, "my-own")
    dialog.set_models([("model-c", "Model C")])
    assert save(dialog)[0][0].model == "my-own"
    dialog = open_dialog()
    retype(dialog.model, "")
    assert save(dialog)[0][0].model == DEFAULT_MODEL


def test_it_fits_a_small_window_and_every_field_can_be_reached(
    open_dialog: Callable[..., SettingsDialog], qtbot: QtBot
) -> None:
    dialog = open_dialog(None, STORED)
    assert dialog.width() <= 1000
    assert dialog.height() <= 660
    dialog.resize(dialog.minimumSizeHint().expandedTo(dialog.minimumSize()))
    area = dialog.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    inside = area.widget()
    assert inside is not None
    assert inside.width() <= area.viewport().width()
    for label in inside.findChildren(QLabel):
        if label.text() and label.isVisible():
            needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
            assert label.height() >= needed, label.text()
    reached = set()
    for _ in range(30):
        widget = QApplication.focusWidget()
        assert widget is not None
        reached.add(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
        seen = area.viewport().rect()
        focused = QApplication.focusWidget()
        assert focused is not None
        if inside.isAncestorOf(focused):
            assert seen.intersects(focused.rect().translated(focused.mapTo(area.viewport(), QPoint())))
    for field in (
        dialog.key.edit,
        dialog.base_url,
        dialog.theme,
        dialog.chunk_overlap,
        button(dialog, "Save"),
    ):
        assert field in reached


def test_a_mistake_out_of_sight_is_scrolled_to(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    retype(dialog.base_url, "nowhere")
    area = dialog.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    assert save(dialog) == []
    place = dialog.base_url.rect().translated(dialog.base_url.mapTo(area.viewport(), QPoint()))
    assert area.viewport().rect().contains(place)


def test_every_field_has_a_name_for_screen_readers(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(None, STORED)
    fields = [dialog.key.edit, dialog.base_url, dialog.model, dialog.theme]
    numbers = [dialog.max_tokens, dialog.passages, dialog.exchanges, dialog.chunk_size, dialog.chunk_overlap]
    assert all(field.accessibleName() for field in [*fields, *numbers])
    assert all(field.accessibleDescription() for field in [*fields, *numbers])


def test_the_wheel_scrolls_and_does_not_change_numbers(
    open_dialog: Callable[..., SettingsDialog], qtbot: QtBot
) -> None:
    dialog = open_dialog()
    dialog.base_url.setFocus()
    area = dialog.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    area.ensureWidgetVisible(dialog.max_tokens)
    before = area.verticalScrollBar().value()
    at = dialog.max_tokens.mapTo(dialog, dialog.max_tokens.rect().center())
    QTest.wheelEvent(dialog.windowHandle(), QPointF(at), QPoint(0, -240))
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > before)
    assert dialog.max_tokens.value() == 800


class TestEmbeddingModel:
    CHANGED = "After saving, all files are indexed again"

    def pick(self, dialog: SettingsDialog, kind: str) -> EmbeddingModelField:
        field = dialog.embedding_model
        field.box.setCurrentIndex(field.box.findText(kind, Qt.MatchFlag.MatchStartsWith))
        return field

    def choose(self, dialog: SettingsDialog, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
        """Click Choose folder… and take one; "" is what the system's dialog gives when it is cancelled."""
        field = self.pick(dialog, "Another")
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: folder)
        QTest.mouseClick(field.choose_button, LEFT)

    def test_the_default_is_for_english(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        field = open_dialog().embedding_model
        assert field.box.currentText() == "English (built in)"
        assert field.value == ""
        assert not field.line.isVisible()
        assert field.row.message.text() == "Finds passages by meaning, best in English."

    def test_the_line_for_another_model_is_shown_with_all_of_its_help(
        self, open_dialog: Callable[..., SettingsDialog], qtbot: QtBot
    ) -> None:
        dialog = open_dialog()
        dialog.embedding_model.box.setFocus()
        (area,) = dialog.findChildren(QScrollArea)
        before = area.verticalScrollBar().maximum()
        field = self.pick(dialog, "Another")
        qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > before)
        help_line = field.row.message
        qtbot.waitUntil(lambda: help_line.visibleRegion().boundingRect() == help_line.rect())

    def test_one_choice_is_for_all_languages(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog()
        field = self.pick(dialog, "All languages")
        assert re.fullmatch(r"All languages \(about \d{3} MB, once\)", field.box.currentText())
        assert not field.line.isVisible()
        assert "downloaded from the Hugging Face Hub" in texts(dialog)
        ((settings, _, _),) = save(dialog)
        assert settings == Settings(embedding_model="multilingual")

    def test_what_is_chosen_already_brings_nothing(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog(Settings(embedding_model="multilingual"))
        assert "about 100 languages" in texts(dialog)
        assert "After saving" not in texts(dialog)
        self.pick(dialog, "English")
        assert self.CHANGED in texts(dialog)
        ((settings, _, _),) = save(dialog)
        assert settings == Settings()

    def test_a_folder_is_chosen_looked_at_and_saved(
        self, open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dialog = open_dialog()
        looked_at: list[str] = []
        dialog.embedding_model.chosen.connect(looked_at.append)
        self.choose(dialog, monkeypatch, "")
        assert (looked_at, dialog.embedding_model.value) == ([], "")
        folder = QDir.toNativeSeparators("/models/other")
        self.choose(dialog, monkeypatch, "/models/other")
        assert looked_at == [folder]
        assert dialog.embedding_model.line.text() == folder
        assert self.CHANGED in texts(dialog)
        dialog.embedding_model.show_check(folder, "")
        ((settings, _, _),) = save(dialog)
        assert settings == Settings(embedding_model=folder)

    def test_a_name_is_typed_and_looked_at_once(
        self, qtbot: QtBot, open_dialog: Callable[..., SettingsDialog]
    ) -> None:
        dialog = open_dialog()
        field = self.pick(dialog, "Another")
        looked_at: list[str] = []
        field.chosen.connect(looked_at.append)
        QTest.keyClicks(field.line, " intfloat/multilingual-e5-base")
        qtbot.waitUntil(lambda: bool(looked_at))
        assert looked_at == ["intfloat/multilingual-e5-base"]
        assert "downloaded from the Hugging Face Hub" in texts(dialog)
        ((settings, _, _),) = save(dialog)
        assert settings == Settings(embedding_model="intfloat/multilingual-e5-base")

    def test_another_model_has_to_be_named(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog()
        field = self.pick(dialog, "Another")
        assert save(dialog) == []
        assert "Enter the name of a model, or choose its folder." in texts(dialog)
        assert field.line.hasFocus()
        self.pick(dialog, "English")
        assert len(save(dialog)) == 1

    def test_a_saved_folder_is_shown(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog(Settings(embedding_model="/models/other"))
        field = dialog.embedding_model
        assert (field.line.text(), field.value) == ("/models/other", "/models/other")
        assert self.CHANGED not in texts(dialog)
        ((settings, _, _),) = save(dialog)
        assert settings == Settings(embedding_model="/models/other")

    def test_a_folder_without_a_model_is_not_saved(
        self, open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dialog = open_dialog()
        self.choose(dialog, monkeypatch, "/models/none")
        dialog.embedding_model.show_check(QDir.toNativeSeparators("/models/none"), "This is no model.")
        assert "This is no model." in texts(dialog)
        assert save(dialog) == []
        assert dialog.embedding_model.line.hasFocus()
        self.choose(dialog, monkeypatch, "/models/other")
        dialog.embedding_model.show_check(QDir.toNativeSeparators("/models/none"), "This is no model.")
        assert "This is no model." not in texts(dialog), "said of a folder that is no longer chosen"
        assert len(save(dialog)) == 1


def test_what_the_environment_overrides_is_shown_and_cannot_be_typed(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://localhost:11434")
    monkeypatch.setenv("LECTERN_MODEL", "qwen3:8b")
    saved = Settings(base_url="https://models.example.org", model="mine")
    dialog = open_dialog(saved, STORED)
    assert dialog.base_url.text() == "http://localhost:11434"
    assert dialog.model.currentText() == "qwen3:8b"
    assert dialog.preset.currentText() == "Ollama"
    for field, variable in ((dialog.base_url, "ANTHROPIC_BASE_URL"), (dialog.model, "LECTERN_MODEL")):
        assert not field.isEnabled()
        assert f"environment variable {variable}" in field.accessibleDescription()
        assert f"environment variable {variable}" in texts(dialog)
    assert not dialog.preset.isEnabled()
    tested: list[Settings] = []
    dialog.test_requested.connect(lambda settings, *_: tested.append(settings))
    QTest.mouseClick(dialog.test.button, LEFT)
    assert [(one.base_url, one.model) for one in tested] == [("http://localhost:11434", "qwen3:8b")]
    dialog.set_models([("qwen3:8b", "Qwen"), ("mine", "Mine")])
    assert save(dialog) == [(saved, None, False)], "the user's own settings are kept"


def test_a_blank_variable_overrides_nothing(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", " ")
    monkeypatch.setenv("LECTERN_MODEL", "")
    dialog = open_dialog(Settings(base_url="http://localhost:1234", model="mine"))
    assert dialog.base_url.isEnabled()
    assert dialog.model.isEnabled()
    assert "environment variable" not in texts(dialog)


def test_an_unusable_address_in_the_environment_does_not_keep_other_settings_from_being_saved(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "nowhere")
    dialog = open_dialog()
    dialog.backups.setValue(7)
    assert save(dialog) == [(Settings(backup_gigabytes=7), None, False)]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_list_of_services_shows_all_of_them(open_dialog: Callable[..., SettingsDialog]) -> None:
    box = open_dialog().preset
    box.showPopup()
    QApplication.processEvents()
    view = box.view()
    last = view.visualRect(box.model().index(box.count() - 1, 0))
    assert box.count() > 4
    assert view.viewport().rect().contains(last)
