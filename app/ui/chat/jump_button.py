"""The button that leads from an earlier part of a conversation to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton

from app.ui.widgets.building import one_shot
from app.ui.widgets.theme import fix_icon

if TYPE_CHECKING:
    from app.ui.chat.transcript import Transcript
    from app.ui.widgets.theme import Theme

_ABOVE_END = 12


class JumpButton(QPushButton):
    """Lies over the conversation while what is newest is out of sight; a click follows the end again."""

    def __init__(self, view: Transcript, theme: Theme) -> None:
        super().__init__(self.tr("Jump to latest"), view)
        self._view = view
        self._place_soon = one_shot(self, 0, self._place)
        self.setObjectName("jump")
        fix_icon(self, 16)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()
        self.set_theme(theme)
        self.clicked.connect(self._jump)
        view.installEventFilter(self)
        view.verticalScrollBar().valueChanged.connect(lambda _: self._place_soon.start())
        view.verticalScrollBar().rangeChanged.connect(lambda *_: self._place_soon.start())

    def set_theme(self, theme: Theme) -> None:
        self.setIcon(theme.icon("chevron-down"))
        self._place_soon.start()  # its text may have another size

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_soon.start()
        return False

    def _jump(self) -> None:
        self._view.follow()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place(self) -> None:
        room = self._view.rect()
        self.setVisible(not self._view.following and self._view.is_latest_below)
        self.adjustSize()
        self.move((room.width() - self.width()) // 2, room.bottom() - self.height() - _ABOVE_END)
