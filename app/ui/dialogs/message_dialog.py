"""A short message or question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.ui.widgets.theme import Theme

_TEXT_WIDTH = 380


class MessageDialog(Dialog):
    """An icon, a title, a sentence or two, and one or two buttons.

    The default button does no harm: Close, or Cancel beside an ``action``.
    """

    def __init__(
        self, title: str, text: str, theme: Theme, parent: QWidget | None = None, *, action: str = ""
    ) -> None:
        super().__init__(title, parent, heading=title, picture=theme.pixmap("warning", 28, theme.warning))
        message = plain_label(text, selectable=True)
        for label in (self.heading, message):
            label.setMinimumWidth(_TEXT_WIDTH)
        self.head.setSpacing(8)
        self.head.addWidget(message, 1)
        self.setAccessibleDescription(text)
        if action:
            self.add_button(self.tr("Cancel"), self.reject, is_default=True).setFocus()
            self.add_button(action, self.accept, kind="danger")
        else:
            self.add_close().setFocus()
