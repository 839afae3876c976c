"""Where the parts of the main window are placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

_LEAST_WIDTH, _LEAST_HEIGHT = 720, 480
_FIRST_WIDTH, _FIRST_HEIGHT = 1280, 820
_SIDEBAR_WIDTH, _SOURCES_WIDTH = 280, 340


def lay_out(
    window: QMainWindow, side: QWidget, top_bar: QWidget, chat: QWidget, sources: QWidget
) -> QSplitter:
    """Place the panes beside each other, the bar above the chat; return the splitter between them."""
    window.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
    window.resize(_FIRST_WIDTH, _FIRST_HEIGHT)
    middle = QWidget()
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(top_bar)
    column.addWidget(chat, 1)
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for pane in (side, middle, sources):
        splitter.addWidget(pane)
    splitter.setStretchFactor(1, 1)
    splitter.setSizes([_SIDEBAR_WIDTH, _FIRST_WIDTH, _SOURCES_WIDTH])
    window.setCentralWidget(splitter)
    return splitter
