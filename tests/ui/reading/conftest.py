"""What the tests of sources share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QMainWindow

from app.ui.reading.sources_pane import SourcesPane
from app.ui.widgets.theme import Theme, apply_theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> Iterator[SourcesPane]:
    """A pane of sources alone in an active window."""
    apply_theme(qapp, Theme.light())
    window = QMainWindow()
    qtbot.addWidget(window)
    widget = SourcesPane()
    window.setCentralWidget(widget)
    window.resize(420, 600)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    yield widget
    window.close()
