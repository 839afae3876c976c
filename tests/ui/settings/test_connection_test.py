from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.config.settings import Settings
from app.domain.messages import LITERAL, Message
from app.domain.model_servers import ConnectionCheck, Spending
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.numbers import spending_text

if TYPE_CHECKING:
    from typing import Any

    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton
STORED = KeyStatus(KeyOrigin.KEYCHAIN, "sk-…abcd", KeychainState.READY)
GOOD = ConnectionCheck("server", True, Message(LITERAL, text="localhost:1234 answers."))
POOR = ConnectionCheck("tools", False, Message(LITERAL, text="The model cannot search by itself."))


@pytest.fixture
def dialog(qtbot: QtBot) -> SettingsDialog:
    made = SettingsDialog(Settings(), STORED)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def requests(dialog: SettingsDialog) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    dialog.test_requested.connect(lambda *what: found.append(what))
    return found


def test_what_is_filled_in_is_tried_without_saving(dialog: SettingsDialog) -> None:
    asked = requests(dialog)
    dialog.base_url.setText("http://localhost:1234")
    dialog.model.setEditText("qwen3")
    dialog.key.edit.setText("new-key")
    QTest.mouseClick(dialog.test.button, LEFT)
    assert asked == [(Settings(base_url="http://localhost:1234", model="qwen3"), "new-key", True)]
    assert dialog.test.is_running
    assert dialog.test.button.text() == "Stop"


def test_findings_come_line_by_line(dialog: SettingsDialog) -> None:
    dialog.test.add(GOOD)
    assert dialog.test.findings == [], "nothing was asked"
    QTest.mouseClick(dialog.test.button, LEFT)
    dialog.test.add(GOOD)
    dialog.test.add(POOR)
    assert dialog.test.findings == [str(GOOD.sentence), str(POOR.sentence)]
    dialog.test.end()
    assert not dialog.test.is_running
    assert dialog.test.button.text() == "Test connection"
    QTest.mouseClick(dialog.test.button, LEFT)
    assert dialog.test.findings == []


def test_the_models_that_come_meanwhile_change_nothing_of_it(dialog: SettingsDialog) -> None:
    dialog.model.setEditText("model-b")
    QTest.mouseClick(dialog.test.button, LEFT)
    dialog.test.add(GOOD)
    dialog.set_models([("model-a", "Model A"), ("model-b", "Model B (deprecated)")])
    assert dialog.test.is_running
    assert dialog.test.findings == [str(GOOD.sentence)]
    assert dialog.chosen_model() == "model-b"
    assert dialog.model.currentText() == "Model B (deprecated)"


def test_a_mistake_is_shown_instead_of_tried(dialog: SettingsDialog) -> None:
    asked = requests(dialog)
    dialog.base_url.setText("nowhere")
    QTest.mouseClick(dialog.test.button, LEFT)
    assert asked == []
    assert not dialog.test.is_running


def test_a_change_takes_the_findings_away_and_stops(dialog: SettingsDialog, qtbot: QtBot) -> None:
    QTest.mouseClick(dialog.test.button, LEFT)
    dialog.test.add(GOOD)
    with qtbot.waitSignal(dialog.test_stopped):
        dialog.base_url.setText("http://localhost:9999")
    assert dialog.test.findings == []


@pytest.mark.parametrize("how", ["cancel", "save", "escape", "stop"])
def test_closing_or_stopping_ends_the_trial(dialog: SettingsDialog, qtbot: QtBot, how: str) -> None:
    QTest.mouseClick(dialog.test.button, LEFT)
    with qtbot.waitSignal(dialog.test_stopped):
        if how == "cancel":
            dialog.reject()
        elif how == "save":
            dialog.accept()
        elif how == "escape":
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        else:
            QTest.mouseClick(dialog.test.button, LEFT)


def test_a_key_that_is_to_be_removed_is_not_used(dialog: SettingsDialog) -> None:
    asked = requests(dialog)
    QTest.mouseClick(dialog.key.remove_button, LEFT)
    QTest.mouseClick(dialog.test.button, LEFT)
    assert [(key, stored) for _, key, stored in asked] == [(None, False)]


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Ollama", "http://localhost:11434"),
        ("LM Studio", "http://localhost:1234"),
        ("llama.cpp", "http://localhost:8080"),
        ("Anthropic", ""),
    ],
)
def test_a_service_fills_in_its_address_and_is_told_by_it(
    dialog: SettingsDialog, name: str, address: str
) -> None:
    at = dialog.preset.findText(name)
    dialog.preset.setCurrentIndex(at)
    dialog.preset.activated.emit(at)
    assert dialog.base_url.text() == address
    dialog.base_url.setText("http://gpu.example.org:9000")
    assert dialog.preset.currentText() == "Other"
    dialog.base_url.setText(f"{address}/v1/" if address else "")
    assert dialog.preset.currentText() == name


def test_other_leads_to_the_address(dialog: SettingsDialog, qtbot: QtBot) -> None:
    dialog.activateWindow()
    dialog.base_url.setText("http://gpu.example.org:9000")
    dialog.preset.activated.emit(dialog.preset.count() - 1)
    assert dialog.base_url.text() == "http://gpu.example.org:9000"
    assert dialog.base_url.selectedText() == "http://gpu.example.org:9000"


def test_the_budget_says_what_the_month_has_cost(dialog: SettingsDialog) -> None:
    assert dialog.budget.text() == "No budget"
    dialog.budget.setValue(20)
    assert dialog.settings().monthly_budget == 20
    dialog.set_spending(Spending(1.5, 12345, 9000, 40, 20, "A list, 2026-10-24"))
    said = dialog.budget.accessibleDescription()
    assert "$1.50 for 40 answers" in said
    assert "A list, 2026-10-24" in said


def test_a_month_without_answers() -> None:
    assert spending_text(Spending()) == "No costs this month."
