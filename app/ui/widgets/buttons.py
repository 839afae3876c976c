"""Small buttons inside bars, lines and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton, QToolButton

if TYPE_CHECKING:
    from collections.abc import Callable


def link_button(text: str, clicked: Callable[[], object]) -> QPushButton:
    """Return a button that looks like a link."""
    button = QPushButton(text)
    button.setProperty("kind", "link")
    button.clicked.connect(lambda: clicked())
    return button


def icon_button(name: str, size: int, clicked: Callable[[], object]) -> QToolButton:
    """Return a button for an icon of ``size`` pixels; its name is its tool tip too."""
    button = QToolButton()
    button.setIconSize(QSize(size, size))
    name_button(button, name)
    button.clicked.connect(lambda: clicked())
    return button


def name_button(button: QToolButton, name: str) -> None:
    """Change the name of an icon button."""
    button.setToolTip(name)
    button.setAccessibleName(name)
