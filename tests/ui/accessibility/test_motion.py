"""Nothing moves by itself where motion is unwanted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QProgressBar

from app.ui.library.plan_dialog import PlanDialog
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.accessibility import reduce_motion
from tests.support.conversing import ask, chat_text
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener


@pytest.fixture(autouse=True)
def usual_motion(qapp: QApplication) -> Iterator[None]:
    yield
    reduce_motion(False)


def moves(bar: QProgressBar) -> bool:
    """Return whether a bar looks different at five moments."""
    pictures = []
    for _ in range(5):
        QTest.qWait(60)
        pictures.append(bar.grab().toImage())
    return any(one != pictures[0] for one in pictures)


@pytest.mark.parametrize("reduced", [False, True])
def test_bars_stand_still_if_asked_to(open_window: Opener, server: AnthropicServer, reduced: bool) -> None:
    running = open_window(server)
    window = running.window
    if reduced:
        window.open_settings()
        settings = window.settings_controller.dialog
        assert isinstance(settings, SettingsDialog)
        box = settings.page("appearance").fields["reduce_motion"]
        assert isinstance(box, QCheckBox)
        box.click()
        settings.accept()
        running.wait_for(lambda: window.settings.reduce_motion, "the setting")
    gate = Gate()
    server.script(Turn(Text("The moon pulls ", Wait(gate), "the sea.")))
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(lambda: "The moon pulls" in chat_text(running), "the first words")
    window.ingest_status.begin()
    dialog = PlanDialog([Path("courses")], window)
    dialog.show()
    bars = [one for one in window.findChildren(QProgressBar) if one.isVisible()]
    assert len(bars) == 3
    assert [moves(bar) for bar in bars] == [not reduced] * 3
    dialog.close()
    gate.open()
    running.wait_for(lambda: not window.chat_controller.is_answering, "the end")
