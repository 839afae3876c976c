"""The field in which a question that was asked is edited, over that question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton

from app.ui.chat.composer import MAX_CHARACTERS, QuestionEdit
from app.ui.chat.course_completion import CourseCompletion
from app.ui.widgets.building import Cell, hbox, link_button, one_shot, set_look, vbox
from app.ui.widgets.text_labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QTextCursor

    from app.ui.chat.transcript import Transcript

_WIDTH = 600
_PADDING = 12  # a little more than that of the question, which it covers


class QuestionEditor(QFrame):
    """A card that lies over a question and scrolls with it, so that nothing else moves."""

    submitted = Signal(int, str)  # the exchange whose question was edited
    closed = Signal()

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript.viewport())
        self.exchange_id: int | None = None  # whose question is being edited
        self._transcript = transcript
        self.edit = QuestionEdit(self)
        self.ask = QPushButton(self.tr("Ask"), self)
        self.cancel = link_button(self.tr("Cancel"), self.close_editor, self, small=True)
        self.completion = CourseCompletion(self.edit, self)
        self.course_chosen = self.completion.chosen
        self._place_soon = one_shot(self, 0, self._place)
        self.setObjectName("composer")
        self.ask.setProperty("kind", "primary")
        self.edit.setAccessibleName(self.tr("Edited question"))
        kept = ElidedLabel(self.tr("The earlier answer is kept."), parent=self)
        kept.setProperty("role", "caption")
        below = hbox(Cell(kept, 1), self.cancel, self.ask, spacing=8)
        vbox(self.edit, below, margins=(12, 8, 8, 8), spacing=6, parent=self)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.hide()
        self.ask.clicked.connect(self._submit)
        self.edit.submitted.connect(self._submit)
        self.edit.textChanged.connect(self._update)
        self.edit.installEventFilter(self)  # it grows with its text
        self.edit.focus_changed.connect(lambda focused: set_look(self, "focused", focused))
        transcript.viewport().installEventFilter(self)
        bar = transcript.verticalScrollBar()
        for moved in (bar.valueChanged, bar.rangeChanged):
            moved.connect(self._place_soon.start)

    @property
    def is_open(self) -> bool:
        return self.exchange_id is not None

    def open_editor(self, exchange_id: int, question: str) -> None:
        self.exchange_id = exchange_id
        self.edit.setPlainText(question)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)
        if place := self._transcript.place_of(exchange_id):
            self._transcript.show_place(place.position())
        self.show()
        self._place()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_editor(self) -> None:
        """Close it; what was written in it is dropped."""
        if self.is_open:
            focus = self.window().focusWidget()
            if focus is not None and self.isAncestorOf(focus):
                self._transcript.setFocus(Qt.FocusReason.OtherFocusReason)
            self.exchange_id = None
            self.hide()
            self.closed.emit()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_soon.start()
        return False

    # ---- internals ----

    def _submit(self) -> None:
        if self.exchange_id is not None and self.ask.isEnabled():
            exchange_id, text = self.exchange_id, self.edit.toPlainText().strip()
            self.close_editor()
            self.submitted.emit(exchange_id, text)

    def _update(self) -> None:
        text = self.edit.toPlainText()
        self.ask.setEnabled(bool(text.strip()) and len(text) <= MAX_CHARACTERS)

    def _place(self) -> None:
        """Lie over the question, at its right edge."""
        if self.exchange_id is None:
            return
        place: QTextCursor | None = self._transcript.place_of(self.exchange_id)
        if place is None:
            self.close_editor()
            return
        room = self._transcript.viewport().width()
        width = min(room, _WIDTH)
        self.resize(width, self.sizeHint().height())
        self.move(room - width, self._transcript.cursorRect(place).top() - _PADDING)
        self.raise_()
