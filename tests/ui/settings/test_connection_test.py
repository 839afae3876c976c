from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox

from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.config.settings import Settings
from app.domain.messages import LITERAL, Message
from app.domain.model_servers import SERVICES, ConnectionCheck, Service, Spending
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.numbers import spending_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton
STORED = KeyStatus(KeyOrigin.KEYCHAIN, "sk-…abcd", KeychainState.READY)
GOOD = ConnectionCheck("server", True, Message(LITERAL, text="localhost:1234 answers."))
POOR = ConnectionCheck("tools", False, Message(LITERAL, text="The model cannot search by itself."))


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[SettingsDialog]:
    made = SettingsDialog(Settings(), STORED)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.hide()  # also if a mistake keeps it open


def requests(dialog: SettingsDialog) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    dialog.draft.test_requested.connect(lambda *what: found.append(what))
    return found


def test_the_key_is_tried_without_saving_it(dialog: SettingsDialog) -> None:
    asked = requests(dialog)
    keys: list[object] = []
    dialog.save_requested.connect(lambda _settings, key, _remove: keys.append(key))
    dialog.answers.base_url.setText("http://localhost:1234")
    dialog.answers.model.setEditText("qwen3")
    dialog.answers.key.edit.setText("new-key")
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    assert asked == [(Settings(base_url="http://localhost:1234", model="qwen3"), "new-key", True)]
    assert not any(keys)
    assert dialog.answers.test.is_running
    assert dialog.answers.test.button.text() == "Stop"


def test_findings_come_line_by_line(dialog: SettingsDialog) -> None:
    dialog.answers.test.add(GOOD)
    assert dialog.answers.test.findings == [], "nothing was asked"
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    dialog.answers.test.add(GOOD)
    dialog.answers.test.add(POOR)
    assert dialog.answers.test.findings == [str(GOOD.sentence), str(POOR.sentence)]
    dialog.answers.test.end()
    assert not dialog.answers.test.is_running
    assert dialog.answers.test.button.text() == "Test connection"
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    assert dialog.answers.test.findings == []


def test_the_models_that_come_meanwhile_change_nothing_of_it(dialog: SettingsDialog) -> None:
    dialog.answers.model.setEditText("model-b")
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    dialog.answers.test.add(GOOD)
    dialog.draft.tell(models=(("model-a", "Model A"), ("model-b", "Model B (deprecated)")))
    assert dialog.answers.test.is_running
    assert dialog.answers.test.findings == [str(GOOD.sentence)]
    assert dialog.answers.chosen_model() == "model-b"
    assert dialog.answers.model.currentText() == "Model B (deprecated)"


def test_a_mistake_is_shown_instead_of_tried(dialog: SettingsDialog) -> None:
    asked = requests(dialog)
    dialog.answers.base_url.setText("nowhere")
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    assert asked == []
    assert not dialog.answers.test.is_running


def test_a_change_takes_the_findings_away_and_stops(dialog: SettingsDialog, qtbot: QtBot) -> None:
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    dialog.answers.test.add(GOOD)
    with qtbot.waitSignal(dialog.draft.test_stopped):
        dialog.answers.base_url.setText("http://localhost:9999")
    assert dialog.answers.test.findings == []


@pytest.mark.parametrize("how", ["close", "escape", "stop"])
def test_closing_or_stopping_ends_the_trial(dialog: SettingsDialog, qtbot: QtBot, how: str) -> None:
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    with qtbot.waitSignal(dialog.draft.test_stopped):
        if how == "close":
            dialog.accept()
        elif how == "escape":
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        else:
            QTest.mouseClick(dialog.answers.test.button, LEFT)


def test_a_key_that_is_to_be_removed_is_not_used(dialog: SettingsDialog) -> None:
    asked = requests(dialog)
    QTest.mouseClick(dialog.answers.key.remove_button, LEFT)
    QTest.mouseClick(dialog.answers.test.button, LEFT)
    assert [(key, stored) for _, key, stored in asked] == [(None, False)]


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_a_service_fills_in_what_is_known_of_it_and_is_told_by_its_address(
    dialog: SettingsDialog, service: Service
) -> None:
    page = dialog.answers
    asked: list[tuple[str, object]] = []
    dialog.draft.server_chosen.connect(lambda settings, key: asked.append((settings.base_url, key)))
    choose(page.preset, "Other (Anthropic protocol)")
    use(page.base_url, "http://gpu.example.org:9000")
    assert page.base_url.isVisible()
    choose(page.preset, service.name)
    wanted = dialog.draft.wanted
    assert (wanted.provider, wanted.base_url) == (service.provider, service.base_url)
    assert wanted.model == service.model
    assert page.preset.currentText().startswith(service.name)
    assert not page.base_url.isVisible()
    page.key.edit.setText("new-key")
    page.key.edit.editingFinished.emit()
    assert asked[-2:] == [(service.base_url, None), (service.base_url, "new-key")]


def test_a_key_stays_with_its_service(dialog: SettingsDialog) -> None:
    page = dialog.answers
    asked: list[tuple[str, object]] = []
    dialog.draft.server_chosen.connect(lambda settings, key: asked.append((settings.base_url, key)))
    choose(page.preset, "Gemini")
    QTest.mouseClick(page.key.remove_button, LEFT)
    choose(page.preset, "Claude")
    assert not page.key.remove_key, "that of Gemini was to be removed"
    page.key.edit.setText("of-claude")
    choose(page.preset, "OpenAI")
    assert page.key.new_key is None
    assert asked[-1] == ("https://api.openai.com/v1", None)
    page.key.edit.setText("no key at all")
    page.take({"provider": "local", "base_url": "", "model": "qwen3-1.7b"})
    assert page.mistake() is None, "it is out of sight"


def test_reset_shows_what_is_known_of_the_usual_service(dialog: SettingsDialog) -> None:
    page = dialog.answers
    asked: list[str] = []
    page.take({"base_url": "http://localhost:11434", "model": "qwen3", "short_prompts": True})
    QTest.mouseClick(page.test.button, LEFT)
    page.test.add(GOOD)
    dialog.draft.server_chosen.connect(lambda settings, _: asked.append(settings.base_url))
    dialog.draft.reset(page.settings)
    assert asked == [""]
    assert page.test.findings == []
    assert dialog.draft.wanted == Settings()


def test_reset_of_another_page_leaves_key_and_findings(dialog: SettingsDialog) -> None:
    page = dialog.answers
    QTest.mouseClick(page.key.remove_button, LEFT)
    QTest.mouseClick(page.test.button, LEFT)
    page.test.add(GOOD)
    dialog.draft.reset(("theme",))
    assert page.key.remove_key
    assert page.test.findings


def test_another_protocol_keeps_no_model(dialog: SettingsDialog) -> None:
    page = dialog.answers
    page.take({"provider": "local", "base_url": "", "model": "qwen3-1.7b"})
    choose(page.preset, "Other (OpenAI protocol)")
    assert page.base_url.isVisible()
    assert page.mistake() is page.model


def test_a_service_without_a_usual_model_waits_for_one(dialog: SettingsDialog) -> None:
    page = dialog.answers
    choose(page.preset, "Groq")
    assert page.mistake() is page.model
    assert "Choose a model." in page.model.accessibleDescription()
    dialog.draft.tell(models=(("openai/gpt-oss-120b", "GPT OSS"),))
    page.model.setCurrentIndex(0)
    assert page.mistake() is None
    assert dialog.draft.wanted.model == "openai/gpt-oss-120b"


def test_another_address_of_openais_protocol(dialog: SettingsDialog) -> None:
    page = dialog.answers
    choose(page.preset, "Other (OpenAI protocol)")
    assert page.base_url.isVisible()
    use(page.base_url, "https://llm.uni.example/api/v1")
    wanted = dialog.draft.wanted
    assert (wanted.provider, wanted.base_url) == ("openai", "https://llm.uni.example/api/v1")
    assert page.preset.currentText() == "Other (OpenAI protocol)"


def test_other_keeps_no_address_of_a_service(dialog: SettingsDialog) -> None:
    page = dialog.answers
    choose(page.preset, "OpenRouter")
    assert "Claude gives" not in page.preset.accessibleDescription()
    choose(page.preset, "Other (OpenAI protocol)")
    assert (page.base_url.text(), page.base_url.placeholderText()) == ("", "https://api.openai.com/v1")
    assert dialog.draft.wanted.base_url == "https://api.openai.com/v1"


def choose(box: QComboBox, name: str) -> None:
    at = box.findText(name, Qt.MatchFlag.MatchStartsWith)
    box.setCurrentIndex(at)
    box.activated.emit(at)


def use(line: QLineEdit, text: str) -> None:
    line.setText(text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_other_leads_to_the_address(dialog: SettingsDialog) -> None:
    page = dialog.answers
    use(page.base_url, "http://gpu.example.org:9000")
    page.preset.activated.emit(page.preset.count() - 1)
    assert page.base_url.text() == "http://gpu.example.org:9000"
    assert page.base_url.selectedText() == "http://gpu.example.org:9000"


def test_the_budget_says_what_the_month_has_cost(dialog: SettingsDialog) -> None:
    budget = dialog.answers.fields["monthly_budget"]
    assert isinstance(budget, QSpinBox)
    assert budget.text() == "No budget"
    budget.setValue(20)
    assert dialog.draft.wanted.monthly_budget == 20
    dialog.draft.tell(spending=Spending(1.5, 12345, 9000, 40, 20, "A list, 2026-10-24"))
    said = budget.accessibleDescription()
    assert "$1.50 for 40 answers" in said
    assert "A list, 2026-10-24" in said


def test_a_month_without_answers() -> None:
    assert spending_text(Spending()) == "No costs this month."
