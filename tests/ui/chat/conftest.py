"""What the tests of the conversation share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.ui.chat.transcript import Transcript
from app.ui.widgets.theme import Theme, apply_theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


@pytest.fixture
def transcript(qtbot: QtBot, qapp: QApplication) -> Transcript:
    """A conversation alone, 640 pixels wide."""
    apply_theme(qapp, Theme.light())
    widget = Transcript()
    qtbot.addWidget(widget)
    widget.resize(640, 480)
    widget.show()
    qtbot.waitExposed(widget)
    return widget
