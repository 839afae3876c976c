"""The field for questions with its buttons, and the one in which an earlier question is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from app.ui.chat.course_completion import CourseCompletion
from app.ui.widgets.accessibility import Announcer
from app.ui.widgets.building import Cell, Stretch, hbox, icon_button, link_button, one_shot, set_look, vbox
from app.ui.widgets.numbers import courses_text, number_text
from app.ui.widgets.text_labels import ElidedLabel, plain_label, plain_tool_tip
from app.ui.widgets.theme import fix_icon, fix_square, scaled

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QResizeEvent

    from app.ui.chat.transcript import Transcript
    from app.ui.widgets.theme import Theme

_ROUNDED = 2  # pixels that a text may be wider than Qt says


class QuietButton(QPushButton):
    """Small words that can be clicked, shortened where the room is narrow."""

    frame = 10  # pixels beside the words, which grow with them

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = ""
        self.setProperty("kind", "link")
        self.setProperty("scale", "caption")
        self.setProperty("quiet", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_words(self, words: str, name: str, tip: str) -> None:
        """Show words, or nothing if there are none; ``name`` says what they are to screen readers."""
        self._words = words
        self.setAccessibleName(name)
        self.setToolTip(plain_tool_tip(tip))
        self.setVisible(bool(words))
        self._fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._words) + scaled(self.frame) + _ROUNDED
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:  # also when the style sheet is first applied
            self.updateGeometry()
            self._fit()

    def _fit(self) -> None:
        room = max(self.width() - scaled(self.frame), 0)
        text = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideMiddle, room)
        self.setText(text.replace("&", "&&"))


class QuestionContext(QWidget):
    """Counts the courses while all are searched (else chips name them); has room for the model's button."""

    courses_clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.courses = QuietButton(self)
        self.courses.clicked.connect(self.courses_clicked)
        self._row = hbox(self.courses, Stretch(), spacing=4, parent=self)

    def show_courses(self, count: int) -> None:
        """Say that all of so many courses are searched; nothing for none."""
        words = courses_text(count) if count else ""
        tip = self.tr(
            "Questions search all courses. Tick courses in the sidebar, or type @, to search only some."
        )
        self.courses.show_words(words, self.tr("Searching {courses}").format(courses=words), tip)

    def place(self, button: QWidget) -> None:
        """Show a button beside the courses."""
        self._row.insertWidget(self._row.count() - 1, button)


MAX_CHARACTERS = 20_000
_PASTE_LIMIT = 10 * MAX_CHARACTERS  # laying out megabytes would stall the window
_MOST_LINES = 8


class QuestionEdit(QPlainTextEdit):
    """A plain text field that grows with its text up to eight lines."""

    submitted = Signal()
    paste_refused = Signal(int)  # number of characters
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tabChangesFocus=True)
        self.setObjectName("question")
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(4)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter, break the line on Shift+Enter; leave both to an input method while it composes."""
        composing = self.textCursor().block().layout().preeditAreaText()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not composing:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.insertPlainText("\n")
                self.ensureCursorVisible()
            elif not event.isAutoRepeat():
                self.submitted.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert plain text only, and no more than the field can handle."""
        text = source.text().replace("\r\n", "\n").replace("\r", "\n")
        if len(text) > _PASTE_LIMIT:
            self.paste_refused.emit(len(text))
        elif text:
            self.insertPlainText(text)
            self.ensureCursorVisible()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leave files to the window, which adds them to the library."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = round(self.document().documentLayout().documentSize().height())
        shown = max(1, min(lines, _MOST_LINES))
        height = shown * self.fontMetrics().lineSpacing() + 2 * round(self.document().documentMargin())
        bars = Qt.ScrollBarPolicy
        policy = bars.ScrollBarAsNeeded if lines > _MOST_LINES else bars.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        if self.height() != height:
            self.setFixedHeight(height)


class Composer(QFrame):
    """The question field with its buttons: Send, or Stop while an answer is being written.

    Meanwhile a question can be sent, too: it waits above the field until the answer is complete.
    """

    question_asked = Signal(str)
    stop_requested = Signal()
    withdrawn = Signal()  # the question that waits
    course_chosen = Signal(str)  # the title chosen by @, which has left the question

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_busy = False
        self._ready = True
        self._refused = 0  # characters of a paste that was too long
        self._box = QFrame(self)
        self.edit = QuestionEdit(self)
        self.context = QuestionContext(self)
        self.button = QToolButton(self)
        self.later = icon_button(self.tr("Ask when this answer is complete (Enter)"), 20, self.send, self)
        self.waiting = ElidedLabel(parent=self)
        self._waiting_row = QWidget(self)
        self.withdraw = link_button(self.tr("Withdraw"), self.withdrawn.emit, self, small=True)
        self.message = plain_label("", "danger", self)
        self._announcer = Announcer(self.edit)
        self.completion = CourseCompletion(self.edit, self._box)
        self._theme = theme
        self._build()
        self._update()

    def _build(self) -> None:
        self._box.setObjectName("composer")
        self.edit.setPlaceholderText(self.tr("Ask about your courses…"))
        self.edit.setAccessibleName(self.tr("Question"))
        self.button.setObjectName("send")
        fix_icon(self.button, 20)
        fix_square(self.button, 36)
        self.message.setAccessibleName(self.tr("Why the question cannot be sent"))
        fix_square(self.later, 36)
        below = hbox(Cell(self.context, 1), self.later, self.button, spacing=8)
        vbox(hbox(self.edit, margins=(4, 2, 0, 0)), below, margins=(8, 6, 6, 6), spacing=2, parent=self._box)
        self.waiting.setProperty("role", "caption")
        hbox(Cell(self.waiting, 1), self.withdraw, margins=(2, 0, 2, 0), spacing=4, parent=self._waiting_row)
        self._waiting_row.hide()
        vbox(self._waiting_row, self._box, self.message, spacing=4, parent=self)
        self.edit.submitted.connect(self.send)
        self.edit.textChanged.connect(self._set_refused)
        self.edit.paste_refused.connect(self._set_refused)
        self.edit.focus_changed.connect(lambda focused: set_look(self._box, "focused", focused))
        self.button.clicked.connect(self._press)
        self.completion.chosen.connect(self.course_chosen)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Show Stop, or show Send and return the focus to the field."""
        if busy == self.is_busy:
            return
        self.is_busy = busy
        self._update()
        if not busy and self.window().focusWidget() in (None, self.button, self.edit):
            self.edit.setFocus()

    def set_ready(self, ready: bool) -> None:
        """Set whether a question can be sent; it can be written before."""
        self._ready = ready
        self._update()

    def set_waiting(self, question: str | None) -> None:
        """Show which question is asked once the answer is complete, if any."""
        self._waiting_row.setVisible(question is not None)
        self.waiting.setText(self.tr("Asked next: {question}").format(question=question or ""))
        self._update()

    def put_back(self, question: str) -> None:
        """Return a question that was not asked to the field, before what has been typed meanwhile."""
        typed = self.edit.toPlainText()
        self.set_text(f"{question}\n{typed}" if typed.strip() else question)

    def set_text(self, text: str) -> None:
        self.edit.setPlainText(text)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)

    def send(self) -> None:
        """Ask the question if it can be asked; otherwise keep it."""
        text = self.edit.toPlainText().strip()
        waits = self.is_busy and not self._waiting_row.isHidden()
        if not text or waits or not self._ready or self._is_too_long():
            return
        self.set_text("")
        self.question_asked.emit(text)

    # ---- internals ----

    def _press(self) -> None:
        if self.is_busy:
            self.stop_requested.emit()
        else:
            self.send()

    def _is_too_long(self) -> bool:
        return self.edit.document().characterCount() - 1 > MAX_CHARACTERS

    def _set_refused(self, count: int = 0) -> None:
        self._refused = count
        self._update()

    def _update(self) -> None:
        busy = self.is_busy
        has_text = bool(self.edit.toPlainText().strip()) and not self._is_too_long()
        enabled = busy or (has_text and self._ready)
        self.button.setEnabled(enabled)
        colour = self._theme.accent_text if enabled else self._theme.text_disabled
        self.button.setIcon(self._theme.icon("stop" if busy else "send", colour))
        self.button.setAccessibleName(self.tr("Stop") if busy else self.tr("Send"))
        self.button.setToolTip(self.tr("Stop (Esc)") if busy else self.tr("Send (Enter)"))
        self.later.setIcon(self._theme.icon("send", self._theme.accent))
        self.later.setVisible(busy and has_text and self._waiting_row.isHidden())
        self.message.setText(self._sentence())
        self._announcer.show(self.message.text(), urgent=True)
        self.message.setVisible(bool(self.message.text()))

    def _sentence(self) -> str:
        """Return why the question cannot be sent, or nothing."""
        if self._refused:
            count = self._refused
            text = self.tr(
                "The text has {count} characters, but a question can have only {most}. Nothing was pasted."
            )
        elif self._is_too_long():
            count = self.edit.document().characterCount() - 1
            text = self.tr("This question has {count} characters. Shorten it to {most} to send it.")
        else:
            return ""
        return text.format(count=number_text(count), most=number_text(MAX_CHARACTERS))


_EDITOR_WIDTH = 600
_EDITOR_PADDING = 12  # a little more than that of the question, which it covers


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
            self._transcript.show_place(place[0])
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
        place = self._transcript.place_of(self.exchange_id)
        if place is None:
            self.close_editor()
            return
        room = self._transcript.viewport().width()
        width = min(room, _EDITOR_WIDTH)
        self.resize(width, self.sizeHint().height())
        self.move(
            room - width,
            self._transcript.cursorRect(self._transcript.between(place[0], place[0])).top() - _EDITOR_PADDING,
        )
        self.raise_()
