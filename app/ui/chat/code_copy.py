"""The button that copies code, over the box of code that the mouse is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent

from app.ui.widgets.building import icon_button, one_shot
from app.ui.widgets.theme import fix_square

if TYPE_CHECKING:
    from app.ui.chat.transcript_view import TranscriptView
    from app.ui.widgets.theme import Theme

_INSET = 4
_COPIED_MS = 1500


class CodeCopy(QObject):
    """Shows a button at the upper right corner of the code under the mouse."""

    def __init__(self, view: TranscriptView, theme: Theme) -> None:
        super().__init__(view)
        self._view = view
        self._code = ""
        self.button = icon_button(self.tr("Copy code"), 16, self._copy, view.viewport())
        self.button.setObjectName("copy-code")
        fix_square(self.button, 28)
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the context menu copies, too
        self.button.hide()
        self._reset_soon = one_shot(self, _COPIED_MS, lambda: self._show_icon("copy"))
        self.set_theme(theme)
        view.viewport().installEventFilter(self)
        view.verticalScrollBar().valueChanged.connect(lambda _: self.button.hide())
        view.document().contentsChanged.connect(self.button.hide)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show_icon("copy")

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove and not event.buttons():
            self._point(event.position().toPoint())
        elif event.type() == QEvent.Type.Leave:
            self.button.hide()
        return False

    # ---- internals ----

    def _point(self, at: QPoint) -> None:
        found = self._view.code_at(at)
        self.button.setVisible(found is not None)
        if found is not None:
            box, self._code = found
            self.button.move(box.right() - self.button.width() - _INSET, max(box.top(), 0) + _INSET)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._code)
        self._show_icon("check")
        self._reset_soon.start()

    def _show_icon(self, name: str) -> None:
        self.button.setIcon(self._theme.icon(name, self._theme.text_muted))
