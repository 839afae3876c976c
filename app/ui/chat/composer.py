"""The field for questions, new and edited ones, with what they search and the buttons that send them."""

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QKeyEvent, QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from app.domain.scope import Scope, ScopePart, scope_parts, without_course
from app.ui.chat.course_completion import CourseCompletion
from app.ui.widgets.accessibility import Announcer
from app.ui.widgets.building import Cell, Stretch, hbox, icon_button, link_button, set_look, vbox
from app.ui.widgets.numbers import courses_text, number_text
from app.ui.widgets.text_labels import ElidedLabel, plain_label, plain_tool_tip
from app.ui.widgets.theme import Theme, fix, scaled

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
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click, the keyboard stays where it was
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
    """Says which courses a question searches, with a menu to change that; has room for the model's button."""

    courses_clicked = Signal()  # choose courses in the sidebar
    scope_changed = Signal(object)  # the Scope that is left

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.scope = Scope()
        self._count = 0
        self.courses = QuietButton(self)
        self.courses.frame = 28  # with the arrow
        self.courses.setMenu(QMenu(self.courses))
        self._row = hbox(self.courses, Stretch(), spacing=4, parent=self)

    def show_count(self, count: int) -> None:
        """Take how many courses there are."""
        self._count = count
        self._show()

    def set_scope(self, scope: Scope) -> None:
        self.scope = scope
        self._show()

    def place(self, button: QWidget) -> None:
        """Show a button beside the courses."""
        self._row.insertWidget(self._row.count() - 1, button)

    def _show(self) -> None:
        parts, menu = scope_parts(self.scope), self.courses.menu()
        shown = [self._words_of(part) for part in parts]
        words = shown[0] if shown else courses_text(self._count) if self._count else ""
        if len(shown) > 1:
            words = self.tr("{0} and %Ln more", None, len(shown) - 1).replace("{0}", shown[0])
        tip = "\n".join(shown) or self.tr(
            "Questions search all courses. Tick courses in the sidebar, or type @, to search only some."
        )
        self.courses.show_words(words, self.tr("Searching {courses}").replace("{courses}", words), tip)
        menu.clear()
        for part, text in zip(parts, shown, strict=True):
            action = menu.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(True)
            rest = without_course(self.scope, part.title)
            action.triggered.connect(lambda _=False, rest=rest: self._change(rest))
        if parts:
            menu.addSeparator()
            menu.addAction(self.tr("Search all courses"), lambda: self._change(Scope()))
        menu.addAction(self.tr("Choose courses…"), self.courses_clicked.emit)

    def _words_of(self, part: ScopePart) -> str:
        if part.others_too:
            return self.tr("All courses, {0} up to lesson {1}").format(part.title, part.up_to)
        words = [part.title]
        if numbers := [number for number in part.lessons if number is not None]:
            words.append(self.tr("lesson(s) {0}", None, len(numbers)).format(ranges(numbers)))
        if None in part.lessons:
            words.append(self.tr("text outside lessons"))
        if part.up_to is not None:
            words.append(self.tr("up to lesson {0}").format(part.up_to))
        return " · ".join(words)

    def _change(self, scope: Scope) -> None:
        self.set_scope(scope)
        self.scope_changed.emit(scope)


def ranges(numbers: Sequence[int]) -> str:
    """Return sorted numbers with runs joined: ``1–3, 5``."""
    groups = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    runs = [[number for _, number in group] for _, group in groups]
    return ", ".join(
        str(run[0]) if len(run) == 1 else f"{run[0]}{'–' if len(run) > 2 else ', '}{run[-1]}" for run in runs
    )


MAX_CHARACTERS = 20_000
_PASTE_LIMIT = 10 * MAX_CHARACTERS  # laying out megabytes would stall the window
_MOST_LINES = 8
_CHOOSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)


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
        self.completion = CourseCompletion(self)
        self.document().setDocumentMargin(4)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter, break the line on Shift+Enter; leave both to an input method while it composes.

        While courses are listed, the completer takes what the field leaves.
        """
        if self.completion.list.isVisible() and event.key() in _CHOOSING:
            if event.key() == Qt.Key.Key_Escape:
                self.completion.dismiss()
            event.ignore()
            return
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

    def focusNextPrevChild(self, forwards: bool) -> bool:
        return not self.completion.list.isVisible() and super().focusNextPrevChild(forwards)

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

    Another question can be sent meanwhile: it waits above the field until the answer is complete. An earlier
    question is edited here as well; what was being written comes back afterwards.
    """

    question_asked = Signal(str)
    question_edited = Signal(int, str)  # the exchange whose question was edited
    stop_requested = Signal()
    withdrawn = Signal()  # the question that waits
    editing_changed = Signal()  # whether an earlier question is edited
    course_chosen = Signal(str)  # the title chosen by @, which has left the question

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_busy = False
        self.edited: int | None = None  # the exchange whose question is being edited
        self._draft = ""  # what was being written before
        self._is_waiting = False
        self._ready = True
        self._refused = 0  # characters of a paste that was too long
        self._box = QFrame(self)
        self.edit = QuestionEdit(self)
        self.context = QuestionContext(self)
        self.button = QToolButton(self)
        later = self.tr("Ask when this answer is complete (Enter)")
        self.later = icon_button(later, 20, self.send, self, icon="send", colour="accent")
        self.waiting = ElidedLabel(parent=self)
        self.withdraw = link_button(self.tr("Withdraw"), self.withdrawn.emit, self, small=True)
        self._waiting_row = self._row(self.waiting, self.withdraw)
        editing = ElidedLabel(
            self.tr("You are editing an earlier question; its answer is kept."), parent=self
        )
        self.cancel = link_button(self.tr("Cancel"), self.cancel_edit, self, small=True)
        self._editing_row = self._row(editing, self.cancel)
        self.message = plain_label("", "danger", self)
        self._announcer = Announcer(self.edit)
        self._build()
        self._update()

    def _row(self, label: ElidedLabel, link: QPushButton) -> QWidget:
        row = QWidget(self)
        label.setProperty("role", "caption")
        hbox(Cell(label, 1), link, margins=(2, 0, 2, 0), spacing=4, parent=row)
        row.hide()
        return row

    def _build(self) -> None:
        self._box.setObjectName("composer")
        self.edit.setPlaceholderText(self.tr("Ask about your courses…"))
        self.edit.setAccessibleName(self.tr("Question"))
        self.button.setObjectName("send")
        fix(self.button, icon=20, square=36)
        self.message.setAccessibleName(self.tr("Why the question cannot be sent"))
        fix(self.later, square=36)
        below = hbox(Cell(self.context, 1), self.later, self.button, spacing=8)
        vbox(hbox(self.edit, margins=(4, 2, 0, 0)), below, margins=(8, 6, 6, 6), spacing=2, parent=self._box)
        vbox(self._waiting_row, self._editing_row, self._box, self.message, spacing=4, parent=self)
        self.edit.submitted.connect(self.send)
        self.edit.textChanged.connect(self._set_refused)
        self.edit.paste_refused.connect(self._set_refused)
        self.edit.focus_changed.connect(lambda focused: set_look(self._box, "focused", focused))
        self.button.clicked.connect(self._press)
        self.edit.completion.chosen.connect(self.course_chosen)

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
        self._is_waiting = question is not None
        self._waiting_row.setVisible(self._is_waiting)
        self.waiting.setText(self.tr("Asked next: {question}").format(question=question or ""))
        self._update()

    def begin_edit(self, exchange_id: int, question: str) -> None:
        if self.edited is None:
            self._draft = self.edit.toPlainText()
        self.edited = exchange_id
        self._editing_row.show()
        self.set_text(question)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.editing_changed.emit()

    def cancel_edit(self) -> None:
        """Drop what was edited."""
        if self.edited is not None:
            self.edited = None
            self._editing_row.hide()
            self.set_text(self._draft)
            self.editing_changed.emit()

    def put_back(self, question: str) -> None:
        """Return a question that was not asked before what was typed meanwhile, or before the draft."""
        typed = self.edit.toPlainText() if self.edited is None else self._draft
        text = f"{question}\n{typed}" if typed.strip() else question
        if self.edited is None:
            self.set_text(text)
        else:
            self._draft = text

    def set_text(self, text: str) -> None:
        self.edit.setPlainText(text)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)

    def send(self) -> None:
        """Ask the question if it can be asked; otherwise keep it."""
        text = self.edit.toPlainText().strip()
        waits = self.is_busy and self._is_waiting and self.edited is None
        if not text or waits or not self._ready or self._is_too_long():
            return
        if (edited := self.edited) is not None:
            self.cancel_edit()
            self.question_edited.emit(edited, text)
        else:
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
        self.button.setEnabled(busy or (has_text and self._ready))
        self.button.setIcon(Theme.icon("stop" if busy else "send", "accent_text"))
        self.button.setAccessibleName(self.tr("Stop") if busy else self.tr("Send"))
        self.button.setToolTip(self.tr("Stop (Esc)") if busy else self.tr("Send (Enter)"))
        self.later.setVisible(busy and has_text and not self._is_waiting)
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
