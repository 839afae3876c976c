"""Small buttons inside bars, lines and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable


def link_button(
    text: str,
    clicked: Callable[[], object],
    parent: QWidget | None = None,
    *,
    small: bool = False,
    leads_out: bool = False,
) -> QPushButton:
    """Return a button that looks like a link; if it leads out, its icon follows the text."""
    button = QPushButton(text, parent)
    button.setProperty("kind", "link")
    if small:
        button.setProperty("scale", "caption")
    if leads_out:
        button.setIconSize(QSize(14, 14))
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    button.clicked.connect(lambda: clicked())
    return button


def icon_button(
    name: str, size: int, clicked: Callable[[], object], parent: QWidget | None = None
) -> QToolButton:
    """Return a button for an icon of ``size`` pixels; its name is its tool tip too."""
    button = QToolButton(parent)
    button.setIconSize(QSize(size, size))
    name_button(button, name)
    button.clicked.connect(lambda: clicked())
    return button


def name_button(button: QToolButton, name: str) -> None:
    """Change the name of an icon button."""
    button.setToolTip(name)
    button.setAccessibleName(name)
