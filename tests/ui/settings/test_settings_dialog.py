from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QDir, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QSpinBox,
    QToolButton,
    QWidget,
)

from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.config.settings import DEFAULT_MODEL, Settings
from app.features.study.ui.review_parts import ReviewsPage
from app.ui.settings.page import Page
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.file_dialogs import choose_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from app.ui.settings.settings_dialog import EmbeddingModelField

LEFT = Qt.MouseButton.LeftButton
KEY = "sk-ant-planted-0123456789-wxyz"
STORED = KeyStatus(KeyOrigin.KEYCHAIN, "sk-…abcd", KeychainState.READY)
PAGES = ("answers", "library", "study", "appearance", "languages", "advanced")
AGAIN = "all files are read again"


class Saved(list[tuple[Settings, str | None, bool]]):
    """What a dialog has saved: settings, a key to store, whether to remove the stored one."""

    @property
    def settings(self) -> Settings:
        return self[-1][0]


@pytest.fixture
def open_dialog(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., SettingsDialog]]:
    apply_theme(qapp, Theme.light())
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(1000, 700)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)

    def show(
        settings: Settings | None = None, status: KeyStatus | None = None, page: str = "answers"
    ) -> SettingsDialog:
        pages = {"study": ("Study", ReviewsPage)}
        dialog = SettingsDialog(settings or Settings(), status or KeyStatus(), window, page, pages=pages)
        dialog.open()
        dialog.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
        return dialog

    yield show
    for one in window.findChildren(SettingsDialog):
        one.hide()  # also those that a mistake keeps open
    window.close()


def saved_by(dialog: SettingsDialog) -> Saved:
    """Return a list that takes what the dialog saves from now on."""
    saved = Saved()
    dialog.save_requested.connect(lambda *what: saved.append(what))
    return saved


def texts(dialog: SettingsDialog) -> str:
    return "\n".join(one.text() for one in dialog.findChildren(QLabel) if one.isVisibleTo(dialog))


def button(dialog: SettingsDialog, text: str) -> QPushButton:
    found = [b for b in dialog.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(dialog)]
    assert len(found) == 1
    return found[0]


def close(dialog: SettingsDialog) -> Saved:
    """Click Save; return what was saved by that."""
    saved = saved_by(dialog)
    QTest.mouseClick(button(dialog, "Save"), LEFT)
    if saved:
        assert dialog.isVisible(), "until it is saved"
        dialog.finish()
    return saved


def field(dialog: SettingsDialog, name: str) -> QWidget:
    """Return the field of a setting, on its page."""
    for page in PAGES:
        if name in dialog.page(page).fields:
            dialog.show_page(page)
            return dialog.page(page).fields[name]
    raise AssertionError(name)


def number(dialog: SettingsDialog, name: str) -> QSpinBox:
    found = field(dialog, name)
    assert isinstance(found, QSpinBox)
    return found


def type_in(line: QLineEdit, text: str) -> None:
    """Type a text and stay in the line."""
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)


CHECKS = {
    "sync_folders": True,
    "recognize_text": True,
    "send_passages": False,
    "short_prompts": False,
    "send_pages": False,
    "notify": True,
    "reduce_motion": False,
}


def test_a_page_is_built_when_it_is_first_shown(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()  # which would not answer for 0.1 s with all of them
    assert len(dialog.findChildren(Page)) == 1
    for row in range(dialog.list.count()):
        dialog.list.setCurrentRow(row)
    assert len(dialog.findChildren(Page)) == dialog.list.count()


@pytest.mark.parametrize("name", CHECKS)
def test_a_box_that_is_ticked_is_saved(open_dialog: Callable[..., SettingsDialog], name: str) -> None:
    dialog = open_dialog()
    box = field(dialog, name)
    assert isinstance(box, QCheckBox)
    assert box.isChecked() is CHECKS[name]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    values: dict[str, Any] = {name: not CHECKS[name]}
    saved = close(dialog)
    assert saved == [(Settings(**values), None, False)]
    assert not dialog.isVisible()
    box = field(open_dialog(saved.settings), name)
    assert isinstance(box, QCheckBox)
    assert box.isChecked() is not CHECKS[name]


def test_opening_and_closing_changes_nothing(open_dialog: Callable[..., SettingsDialog]) -> None:
    settings = Settings(
        base_url="http://localhost:1234", model="m", effort="high", passages_per_search=7, chunk_size=500,
        exchanges_remembered=0, chunk_overlap=50, max_tokens=1200, max_search_rounds=5, theme="dark",
        embedding_model="/m", backup_gigabytes=0,
    )  # fmt: skip
    dialog = open_dialog(settings)
    for page in PAGES:
        dialog.show_page(page)
    assert close(dialog) == []
    assert not dialog.isVisible()


def test_all_that_was_changed_is_saved_at_once(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    type_in(dialog.answers.base_url, "https://models.example.org/")
    dialog.answers.model.setEditText("my-model")
    numbers = {"max_tokens": 1500, "passages_per_search": 9, "exchanges_remembered": 4, "backup_gigabytes": 7}
    numbers |= {"new_cards_a_day": 30, "reviews_a_day": 150, "retention": 85}
    for name, value in numbers.items():
        number(dialog, name).setValue(value)
    theme = field(dialog, "theme")
    theme.setFocus()
    QTest.keyClick(theme, Qt.Key.Key_End)
    wanted = Settings(base_url="https://models.example.org", model="my-model", theme="dark", **numbers)  # type: ignore[arg-type]
    assert close(dialog) == [(wanted, None, False)]


def test_nothing_is_saved_on_escape(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    saved = saved_by(dialog)
    type_in(dialog.answers.key.edit, KEY)
    number(dialog, "max_tokens").setValue(1500)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert saved == []
    assert dialog.answers.key.edit.text() == ""


def test_what_cannot_be_saved_keeps_the_dialog_open(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(show, "show_error", lambda _parent, _title, sentence: said.append(sentence))
    dialog = open_dialog()
    number(dialog, "max_tokens").setValue(1500)
    QTest.mouseClick(button(dialog, "Save"), LEFT)
    assert not dialog.save_button.isEnabled() and not button(dialog, "Cancel").isEnabled()
    dialog.stay("The disk is full.")
    assert button(dialog, "Cancel").isEnabled()
    assert said == ["The disk is full."]
    assert dialog.isVisible() and dialog.save_button.isEnabled()
    assert close(dialog).settings.max_tokens == 1500


def test_a_page_is_reset(open_dialog: Callable[..., SettingsDialog]) -> None:
    settings = Settings(
        model="mine", max_tokens=900, monthly_budget=5, theme="dark", base_url="http://localhost:1234"
    )
    dialog = open_dialog(settings, STORED)
    QTest.mouseClick(button(dialog, "Reset page"), LEFT)
    assert number(dialog, "max_tokens").value() == 800
    assert dialog.answers.preset.currentText() == "Claude"
    assert close(dialog) == [(Settings(theme="dark"), None, False)], "other pages, and the key, stay"


def test_the_key_is_hidden_until_asked_for(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    key = dialog.answers.key
    type_in(key.edit, KEY)
    assert KEY not in key.edit.displayText()
    switch = key.findChild(QToolButton)
    assert isinstance(switch, QToolButton)
    assert switch.accessibleName() == "Show the key"
    QTest.mouseClick(switch, LEFT)
    assert key.edit.displayText() == KEY
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert KEY not in key.edit.displayText()


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
        (KeyStatus(), "Without a key, you get the sentences that fit best instead of written answers."),
    ],
)
def test_it_says_where_the_key_is(
    open_dialog: Callable[..., SettingsDialog], status: KeyStatus, said: str
) -> None:
    dialog = open_dialog(None, status)
    assert said in texts(dialog)
    removable = status.origin in (KeyOrigin.KEYCHAIN, KeyOrigin.SESSION)
    assert dialog.answers.key.remove_button.isVisibleTo(dialog) is removable


@pytest.mark.parametrize(("provider", "page"), [("local", "answers"), ("anthropic", "library")])
def test_the_keyboard_is_in_the_list_where_no_key_is_asked_for(
    open_dialog: Callable[..., SettingsDialog], provider: str, page: str
) -> None:
    dialog = open_dialog(Settings(provider=provider, model="mine"), page=page)
    assert dialog.focusWidget() is dialog.list


def test_the_key_status_may_come_later(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    type_in(dialog.answers.key.edit, KEY)
    dialog.draft.tell(key=STORED)
    assert "sk-…abcd is in the system keychain." in texts(dialog)
    assert dialog.answers.key.new_key == KEY


@pytest.mark.parametrize("how", ["button", "Return"])
def test_a_key_is_saved_with_the_server_that_is_shown(
    open_dialog: Callable[..., SettingsDialog], how: str
) -> None:
    dialog = open_dialog()
    saved = saved_by(dialog)
    choose_service(dialog, "Other (Anthropic protocol)")
    type_in(dialog.answers.base_url, "https://models.example.org")
    type_in(dialog.answers.key.edit, f"  {KEY} ")
    dialog.list.setFocus()
    assert saved == [], "half a key would replace the stored one"
    if how == "button":
        close(dialog)
    else:
        QTest.keyClick(dialog.answers.key.edit, Qt.Key.Key_Return)
    assert saved == [(Settings(base_url="https://models.example.org"), KEY, False)]


def test_get_a_key_opens_the_page_where_keys_are_made(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_page(url: QUrl) -> bool:
        opened.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_page)
    dialog = open_dialog()
    QTest.mouseClick(button(dialog, "Get a key"), LEFT)
    assert opened == ["https://console.anthropic.com/settings/keys"]
    choose_service(dialog, "Groq (free tier)")
    QTest.mouseClick(button(dialog, "Get a key"), LEFT)
    assert opened[1:] == ["https://console.groq.com/keys"]
    choose_service(dialog, "Other (OpenAI protocol)")
    type_in(dialog.answers.base_url, "https://models.example.org/v1")
    assert not dialog.answers.key.get_button.isVisible(), "nobody knows where its keys come from"
    choose_service(dialog, "Claude")
    assert dialog.answers.key.get_button.isVisible()
    dialog.draft.tell(key=STORED)
    assert not dialog.answers.key.get_button.isVisible()


def choose_service(dialog: SettingsDialog, name: str) -> None:
    box = dialog.answers.preset
    at = box.findText(name)
    box.setCurrentIndex(at)
    box.activated.emit(at)


def test_removing_the_key_waits_until_the_settings_are_saved(
    open_dialog: Callable[..., SettingsDialog],
) -> None:
    dialog = open_dialog(None, STORED)
    saved = saved_by(dialog)
    QTest.mouseClick(button(dialog, "Remove key"), LEFT)
    assert "The key is removed when you save the settings." in texts(dialog)
    QTest.mouseClick(button(dialog, "Keep key"), LEFT)
    assert "sk-…abcd is in the system keychain." in texts(dialog)
    QTest.mouseClick(button(dialog, "Remove key"), LEFT)
    assert saved == []
    close(dialog)
    assert saved == [(Settings(), None, True)]


def test_a_new_key_replaces_instead_of_removing(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(None, STORED)
    QTest.mouseClick(button(dialog, "Remove key"), LEFT)
    type_in(dialog.answers.key.edit, KEY)
    assert close(dialog) == [(Settings(), KEY, False)]


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("key", "sk with spaces", "A key has letters, digits and signs"),
        ("base_url", "localhost:11434", "Start the address with https:// or http://"),
        ("base_url", "http://me:secret@host", "Remove the name and password"),
    ],
)
def test_mistakes_are_said_beside_the_field_and_keep_the_dialog_open(
    open_dialog: Callable[..., SettingsDialog], name: str, typed: str, said: str
) -> None:
    dialog = open_dialog()
    line = dialog.answers.key.edit if name == "key" else dialog.answers.base_url
    if name == "base_url":
        choose_service(dialog, "Other (Anthropic protocol)")
    type_in(line, typed)
    assert said in texts(dialog)
    assert line.property("invalid") is True
    dialog.show_page("library")
    assert close(dialog) == []
    assert dialog.isVisible()
    assert line.isVisible()
    assert line.hasFocus()
    type_in(line, "")
    assert said not in texts(dialog)
    assert line.property("invalid") is False
    assert close(dialog) == []
    assert not dialog.isVisible()


def test_the_server_is_asked_for_only_where_it_is_needed(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    line = dialog.answers.base_url
    assert not line.isVisible()
    choose_service(dialog, "OpenAI")
    assert not line.isVisible()
    assert dialog.draft.wanted.base_url == "https://api.openai.com/v1"
    choose_service(dialog, "Claude")
    assert not line.isVisible()
    assert dialog.draft.wanted.base_url == ""
    choose_service(dialog, "Other (Anthropic protocol)")
    assert line.isVisible()
    assert line.hasFocus()
    type_in(line, "http://localhost:11434/")
    assert dialog.answers.preset.currentText() == "Other (Anthropic protocol)"


def test_http_to_elsewhere_warns_but_can_be_used(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog()
    choose_service(dialog, "Other (Anthropic protocol)")
    type_in(dialog.answers.base_url, "http://localhost:11434")
    assert "Without https" not in texts(dialog)
    type_in(dialog.answers.base_url, "http://192.168.1.5:11434")
    assert "Without https" in texts(dialog)
    assert close(dialog).settings.base_url == "http://192.168.1.5:11434"


def test_another_server_says_what_becomes_of_the_key(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(None, STORED)
    choose_service(dialog, "Other (Anthropic protocol)")
    type_in(dialog.answers.base_url, "https://models.example.org")
    assert "the saved one stays with api.anthropic.com" in texts(dialog)
    type_in(dialog.answers.key.edit, KEY)
    assert "stays with" not in texts(dialog)
    dialog.close()
    dialog = open_dialog(None, KeyStatus(KeyOrigin.ENVIRONMENT, "…abcd", KeychainState.READY))
    choose_service(dialog, "Other (Anthropic protocol)")
    type_in(dialog.answers.base_url, "https://models.example.org")
    assert "The key from ANTHROPIC_API_KEY is sent to models.example.org." in texts(dialog)


def test_passages_are_cut_anew_when_the_settings_are_saved(
    open_dialog: Callable[..., SettingsDialog],
) -> None:
    dialog = open_dialog(page="advanced")
    size, overlap = number(dialog, "chunk_size"), number(dialog, "chunk_overlap")
    assert AGAIN not in texts(dialog)
    size.setValue(900)
    assert texts(dialog).count(AGAIN) == 1
    overlap.setValue(90)
    assert texts(dialog).count(AGAIN) == 2
    size.setValue(800)
    overlap.setValue(100)
    assert AGAIN not in texts(dialog)
    size.setValue(900)
    assert close(dialog).settings == Settings(chunk_size=900)


def test_overlap_stays_below_half_a_passage(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(Settings(chunk_size=2000, chunk_overlap=900), page="advanced")
    number(dialog, "chunk_size").setValue(600)
    assert number(dialog, "chunk_overlap").value() == 300
    assert close(dialog).settings.chunk_overlap == 300


def test_models_are_offered_and_others_may_be_typed(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(Settings(model="model-b"))
    page = dialog.answers
    dialog.draft.tell(models=(("model-a", "Model A"), ("model-b", "Model B")))
    assert page.model.currentText() == "Model B"
    assert page.chosen_model() == "model-b"
    page.model.setFocus()
    QTest.keyClick(page.model, Qt.Key.Key_Up)
    assert page.chosen_model() == "model-a"
    page.model.setEditText("model b")
    assert page.chosen_model() == "model-b"
    page.model.setEditText("my-own")
    dialog.draft.tell(models=(("model-c", "Model C"),))
    assert page.chosen_model() == "my-own"
    assert close(dialog).settings.model == "my-own"
    dialog = open_dialog(Settings(model="mine"))
    dialog.answers.model.setEditText("")
    assert close(dialog).settings.model == DEFAULT_MODEL


@pytest.mark.parametrize("page", PAGES)
def test_every_field_of_a_page_is_reached_with_tab_before_the_buttons(
    open_dialog: Callable[..., SettingsDialog], page: str
) -> None:
    dialog = open_dialog(None, STORED, page)
    assert dialog.width() <= 1000
    assert dialog.height() <= 660
    dialog.resize(dialog.minimumSizeHint().expandedTo(dialog.minimumSize()))
    area = dialog.page(page)
    inside = area.widget()
    assert inside is not None
    assert inside.width() <= area.viewport().width()
    dialog.list.setFocus()
    reached = []
    for _ in range(20):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        assert widget is not None
        reached.append(widget)
        if widget is button(dialog, "Save"):
            break
        if inside.isAncestorOf(widget):
            assert (
                area.viewport()
                .rect()
                .intersects(widget.rect().translated(widget.mapTo(area.viewport(), QPoint())))
            )
    assert reached[-1] is button(dialog, "Save")
    for one in area.fields.values():
        assert one in reached
        assert reached.index(one) < reached.index(button(dialog, "Reset page"))


def test_a_mistake_out_of_sight_is_scrolled_to(open_dialog: Callable[..., SettingsDialog]) -> None:
    dialog = open_dialog(Settings(base_url="http://localhost:1234"))
    dialog.resize(dialog.minimumSize())
    page = dialog.answers
    type_in(page.base_url, "nowhere")
    number(dialog, "monthly_budget").setFocus()
    page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
    assert close(dialog) == []
    place = page.base_url.rect().translated(page.base_url.mapTo(page.viewport(), QPoint()))
    assert page.viewport().rect().contains(place)


@pytest.mark.parametrize("page", PAGES)
def test_every_field_has_a_name_for_screen_readers(
    open_dialog: Callable[..., SettingsDialog], page: str
) -> None:
    dialog = open_dialog(None, STORED, page)
    for one in dialog.page(page).fields.values():
        assert one.accessibleName()
        assert one.accessibleDescription()
    assert dialog.list.accessibleName()
    if page == "answers":
        for one in (dialog.answers.key.edit, dialog.answers.base_url, dialog.answers.model):
            assert one.accessibleName()
            assert one.accessibleDescription()


def test_the_wheel_scrolls_and_does_not_change_numbers(
    open_dialog: Callable[..., SettingsDialog], qtbot: QtBot
) -> None:
    dialog = open_dialog(page="advanced")
    dialog.resize(dialog.minimumSize())
    dialog.list.setFocus()
    area, box = dialog.page("advanced"), number(dialog, "whole_scope_tokens")
    area.ensureWidgetVisible(box)
    before = area.verticalScrollBar().value()
    at = box.mapTo(dialog, box.rect().center())
    QTest.wheelEvent(dialog.windowHandle(), QPointF(at), QPoint(0, -240))
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > before)
    assert box.value() == 0


class TestEmbeddingModel:
    def pick(self, dialog: SettingsDialog, kind: str) -> EmbeddingModelField:
        dialog.show_page("languages")
        field = dialog.languages.model
        field.box.setCurrentIndex(field.box.findText(kind, Qt.MatchFlag.MatchStartsWith))
        return field

    def choose(self, dialog: SettingsDialog, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
        """Click Choose folder… and take one; "" is what the system's dialog gives when it is cancelled."""
        field = self.pick(dialog, "Another")
        choose_files(monkeypatch, *([Path(folder)] if folder else []))
        QTest.mouseClick(field.choose_button, LEFT)

    def test_the_default_is_for_english(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        field = open_dialog(page="languages").languages.model
        assert field.box.currentText() == "English (built in)"
        assert field.value == ""
        assert not field.line.isVisible()
        assert field.row.message.text() == "Finds passages by meaning, best in English."

    def test_the_line_for_another_model_is_shown_with_all_of_its_help(
        self, open_dialog: Callable[..., SettingsDialog], qtbot: QtBot
    ) -> None:
        dialog = open_dialog(page="languages")
        field = self.pick(dialog, "Another")
        help_line = field.row.message
        assert field.line.hasFocus()
        qtbot.waitUntil(lambda: help_line.visibleRegion().boundingRect() == help_line.rect())

    def test_one_choice_is_for_all_languages(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog()
        field = self.pick(dialog, "All languages")
        assert re.fullmatch(r"All languages \(about \d{3} MB, once\)", field.box.currentText())
        assert not field.line.isVisible()
        assert "downloaded from the Hugging Face Hub" in texts(dialog)
        assert close(dialog).settings == Settings(embedding_model="multilingual")

    def test_what_is_chosen_already_brings_nothing(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog(Settings(embedding_model="multilingual"), page="languages")
        assert "about 100 languages" in texts(dialog)
        assert "When you save" not in texts(dialog)
        self.pick(dialog, "English")
        assert AGAIN in texts(dialog)
        assert close(dialog).settings == Settings()

    def test_a_folder_is_chosen_and_saved(
        self, open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dialog = open_dialog()
        self.choose(dialog, monkeypatch, "")
        assert dialog.languages.model.value == ""
        folder = QDir.toNativeSeparators("/models/other")
        self.choose(dialog, monkeypatch, "/models/other")
        assert dialog.languages.model.line.text() == folder
        assert AGAIN in texts(dialog)
        assert close(dialog).settings == Settings(embedding_model=folder)

    def test_a_folder_that_was_just_typed_counts(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog()
        field = self.pick(dialog, "Another")
        QTest.keyClicks(field.line, " /models/typed")
        assert close(dialog).settings == Settings(embedding_model="/models/typed")

    def test_another_model_has_to_be_named(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog()
        field = self.pick(dialog, "Another")
        assert close(dialog) == []
        assert "Choose the folder of a model." in texts(dialog)
        assert field.line.hasFocus()
        self.pick(dialog, "English")
        assert close(dialog) == []
        assert not dialog.isVisible()

    def test_a_saved_folder_is_shown(self, open_dialog: Callable[..., SettingsDialog]) -> None:
        dialog = open_dialog(Settings(embedding_model="/models/other"), page="languages")
        field = dialog.languages.model
        assert (field.line.text(), field.value) == ("/models/other", "/models/other")
        assert AGAIN not in texts(dialog)
        assert close(dialog) == []


def test_what_the_environment_overrides_is_shown_and_cannot_be_typed(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://localhost:11434")
    monkeypatch.setenv("LECTERN_MODEL", "qwen3:8b")
    dialog = open_dialog(Settings(base_url="https://models.example.org", model="mine"), STORED)
    page = dialog.answers
    assert page.base_url.text() == "http://localhost:11434"
    assert page.model.currentText() == "qwen3:8b"
    assert page.preset.currentText() == "Other (Anthropic protocol)"
    for one, variable in ((page.base_url, "ANTHROPIC_BASE_URL"), (page.model, "LECTERN_MODEL")):
        assert not one.isEnabled()
        assert f"environment variable {variable}" in one.accessibleDescription()
        assert f"environment variable {variable}" in texts(dialog)
    assert not page.preset.isEnabled()
    tested: list[Settings] = []
    dialog.draft.test_requested.connect(lambda settings, *_: tested.append(settings))
    QTest.mouseClick(page.test.button, LEFT)
    assert [(one.base_url, one.model) for one in tested] == [("http://localhost:11434", "qwen3:8b")]
    dialog.draft.tell(models=(("qwen3:8b", "Qwen"), ("mine", "Mine")))
    assert close(dialog) == [], "the user's own settings are kept"


def test_a_blank_variable_overrides_nothing(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", " ")
    monkeypatch.setenv("LECTERN_MODEL", "")
    dialog = open_dialog(Settings(base_url="http://localhost:1234", model="mine"))
    assert dialog.answers.base_url.isEnabled()
    assert dialog.answers.model.isEnabled()
    assert "environment variable" not in texts(dialog)


def test_an_unusable_address_in_the_environment_does_not_keep_other_settings_from_being_saved(
    open_dialog: Callable[..., SettingsDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "nowhere")
    dialog = open_dialog()
    number(dialog, "backup_gigabytes").setValue(7)
    assert close(dialog) == [(Settings(backup_gigabytes=7), None, False)]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_list_of_services_shows_all_of_them(open_dialog: Callable[..., SettingsDialog]) -> None:
    box = open_dialog().answers.preset
    box.showPopup()
    QApplication.processEvents()
    view = box.view()
    last = view.visualRect(box.model().index(box.count() - 1, 0))
    assert box.count() > 4
    assert view.viewport().rect().contains(last)
