"""The bar above the chat: buttons for the panes at the ends, common commands between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.ui.courses.sidebar import HEADER_HEIGHT

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from app.ui.shell.actions import Actions
    from app.ui.shell.theme import Theme


class TopBar(QWidget):
    """Buttons for the actions; as high as the headers of the panes beside it."""

    def __init__(self, actions: Actions, theme: Theme) -> None:
        super().__init__()
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEADER_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.unit, 0, theme.unit, 0)
        row.setSpacing(theme.unit // 2)
        row.addWidget(_button(actions.sidebar))
        row.addWidget(_button(actions.new_chat, with_text=True))
        row.addStretch(1)
        row.addWidget(_button(actions.settings))
        row.addWidget(_button(actions.sources))


def _button(action: QAction, *, with_text: bool = False) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(20, 20))
    button.setAutoRaise(True)
    name = action.text().replace("&", "").rstrip("…")
    keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
    button.setAccessibleName(name)
    button.setToolTip(f"{name} ({keys})" if keys else name)
    if with_text:
        button.setText(name)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button
