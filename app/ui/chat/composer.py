"""Where the question is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.chat.course_completion import CourseCompletion

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QResizeEvent

    from app.ui.shell.theme import Theme

MAX_CHARACTERS = 20_000
# What is pasted beyond this is refused before it is laid out: megabytes would stop the window.
_PASTE_LIMIT = 10 * MAX_CHARACTERS
_MOST_LINES = 8


class QuestionEdit(QPlainTextEdit):
    """A plain text field that grows with its text, up to eight lines."""

    submitted = Signal()
    paste_refused = Signal(int)  # how many characters
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._composing = False
        self.setObjectName("question")
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(4)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends, with Shift it breaks the line; while an input method composes it does neither."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self._composing:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.insertPlainText("" if self.isReadOnly() else "\n")
                self.ensureCursorVisible()
            elif not event.isAutoRepeat():
                self.submitted.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Note whether text is being composed: its Enter picks a candidate and is not ours."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take plain text alone, and no more than can be handled."""
        text = source.text().replace("\r\n", "\n").replace("\r", "\n")
        if len(text) > _PASTE_LIMIT:
            self.paste_refused.emit(len(text))
        elif text:
            self.insertPlainText(text)
            self.ensureCursorVisible()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files are for the window, which adds them to the library; text is for here."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame, which shows the focus."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusOutEvent(event)
        self._composing = False
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew, then fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Be as high as the text, from one line to eight."""
        lines = round(self.document().documentLayout().documentSize().height())
        shown = max(1, min(lines, _MOST_LINES))
        height = shown * self.fontMetrics().lineSpacing() + 2 * round(self.document().documentMargin())
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded
            if lines > _MOST_LINES
            else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        if self.height() != height:
            self.setFixedHeight(height)


class Composer(QFrame):
    """The field with its button: Send, or Stop while an answer is being written."""

    question_asked = Signal(str)
    stop_requested = Signal()
    editing_cancelled = Signal()
    course_chosen = Signal(str)  # the title behind an @, which is no longer in the question

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft: str | None = None  # what stood in the field before a question was put there
        self._busy = False
        self._ready = True
        self._refused = 0
        self.edit = QuestionEdit(self)
        self.button = QToolButton(self)
        self.message = QLabel(self)
        self.editing = QWidget(self)
        self.cancel_editing = QPushButton(self.tr("Cancel"), self)
        self._box = QFrame(self)
        self.completion = CourseCompletion(self.edit, self._box)
        self._build()
        self.set_theme(theme)
        self._update()

    def _build(self) -> None:
        self._box.setObjectName("composer")
        self.edit.setPlaceholderText(self.tr("Ask about your courses…"))
        self.edit.setAccessibleName(self.tr("Question"))
        self.button.setObjectName("send")
        self.button.setIconSize(QSize(20, 20))
        self.button.setFixedSize(36, 36)
        self.message.setProperty("role", "danger")
        self.message.setWordWrap(True)
        self.message.setAccessibleName(self.tr("Why the question can not be sent"))
        inside = QHBoxLayout(self._box)
        inside.setContentsMargins(12, 6, 6, 6)
        inside.setSpacing(8)
        inside.addWidget(self.edit, 1, Qt.AlignmentFlag.AlignVCenter)
        inside.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(4)
        outside.addWidget(self.editing)
        outside.addWidget(self._box)
        outside.addWidget(self.message)
        self._build_editing()
        self.edit.submitted.connect(self.send)
        self.edit.textChanged.connect(self._note_text)
        self.edit.paste_refused.connect(self._refuse)
        self.edit.focus_changed.connect(self._show_focus)
        self.button.clicked.connect(self._press)
        self.completion.chosen.connect(self.course_chosen)

    def _build_editing(self) -> None:
        """The line that says that an earlier question is being changed."""
        text = QLabel(self.tr("Changing an earlier question; the answer to it is kept."))
        text.setProperty("role", "caption")
        self.cancel_editing.setProperty("kind", "link")
        self.cancel_editing.setProperty("scale", "caption")
        self.cancel_editing.clicked.connect(self.end_editing)
        row = QHBoxLayout(self.editing)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(4)
        row.addWidget(text)
        row.addWidget(self.cancel_editing)
        row.addStretch(1)
        self.editing.hide()

    # ---- properties ----

    @property
    def is_editing(self) -> bool:
        """Whether an earlier question is being changed."""
        return self._draft is not None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is being written."""
        return self._busy

    # ---- methods ----

    def set_theme(self, theme: Theme) -> None:
        """Take on a theme's colours."""
        self._theme = theme
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Show Stop and take no text, or Send with the focus back in the field."""
        if busy == self._busy:
            return
        self._busy = busy
        self._update()
        if not busy and self.window().focusWidget() in (None, self.button, self.edit):
            self.edit.setFocus()

    def set_ready(self, ready: bool) -> None:
        """Whether a question could be answered now; one can be written before that."""
        self._ready = ready
        self._update()

    def set_text(self, text: str) -> None:
        """Put a question into the field, ready to be changed or sent."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)

    def begin_editing(self, question: str) -> None:
        """Put an earlier question into the field; what stood there comes back afterwards."""
        if self._draft is None:
            self._draft = self.edit.toPlainText()
        self.editing.show()
        self.set_text(question)
        self.edit.setFocus()

    def end_editing(self) -> None:
        """Give the field back to what stood in it before."""
        if self._draft is None:
            return
        draft, self._draft = self._draft, None
        self.editing.hide()
        self.set_text(draft)
        self.edit.setFocus()
        self.editing_cancelled.emit()

    def send(self) -> None:
        """Ask the question, if there is one that can be asked; else keep it."""
        text = self.edit.toPlainText().strip()
        if not text or self._busy or not self._ready or self._is_too_long():
            return
        draft, self._draft = self._draft, None
        self.editing.hide()
        self.set_text(draft or "")
        self.question_asked.emit(text)

    # ---- internals ----

    def _press(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self.send()

    def _is_too_long(self) -> bool:
        return self.edit.document().characterCount() - 1 > MAX_CHARACTERS

    def _note_text(self) -> None:
        self._refused = 0
        self._update()

    def _refuse(self, count: int) -> None:
        self._refused = count
        self._update()

    def _show_focus(self, focused: bool) -> None:
        self._box.setProperty("focused", focused)
        self._repolish(self._box)

    def _update(self) -> None:
        """Bring button, field and message in line with the state."""
        stop = self._busy
        has_text = bool(self.edit.toPlainText().strip()) and not self._is_too_long()
        enabled = stop or (has_text and self._ready)
        self.edit.setReadOnly(self._busy)
        self.button.setEnabled(enabled)
        colour = self._theme.accent_text if enabled else self._theme.text_disabled
        self.button.setIcon(self._theme.tinted_icon("stop" if stop else "send", colour))
        text = self.tr("Stop") if stop else self.tr("Send")
        self.button.setAccessibleName(text)
        self.button.setToolTip(self.tr("Stop (Esc)") if stop else self.tr("Send (Enter)"))
        self.message.setText(self._sentence())
        self.message.setVisible(bool(self.message.text()))
        if self._box.property("busy") != self._busy:
            self._box.setProperty("busy", self._busy)
            self._repolish(self._box)

    def _sentence(self) -> str:
        """Return why the question can not be sent, or nothing."""
        locale = self.locale()
        most = locale.toString(MAX_CHARACTERS)
        if self._refused:
            text = self.tr(
                "The text to paste has {count} characters; a question can have {most}. Nothing was pasted."
            )
            return text.format(count=locale.toString(self._refused), most=most)
        count = self.edit.document().characterCount() - 1
        if count > MAX_CHARACTERS:
            text = self.tr(
                "This question has {count} characters; it can be sent once it has {most} or fewer."
            )
            return text.format(count=locale.toString(count), most=most)
        return ""

    @staticmethod
    def _repolish(widget: QWidget) -> None:
        """Have the style sheet look at the widget's properties again."""
        widget.style().unpolish(widget)
        widget.style().polish(widget)
