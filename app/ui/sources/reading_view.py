"""The reading view: a source in its whole lesson, and the way from citation to citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.domain.sources import SourceState
from app.ui.sources.lesson_view import LessonView
from app.ui.widgets.links import is_web_link
from app.ui.widgets.source_labels import lesson_name
from app.ui.widgets.text_labels import ClampedLabel, plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.sources import Citation, LessonText, Source
    from app.ui.shell.theme import Theme

HEADER_HEIGHT = 40


class ReadingView(QWidget):
    """Shows one lesson at a time. What it needs of the library it asks for by a signal.

    Signals:
        back_requested: the list of sources is to be shown again.
        close_requested: the pane is to be hidden.
        lesson_requested: the Source whose lesson is wanted; :meth:`show_lesson` gives it.
        link_activated: the http(s) address of the lesson.
        file_requested: the path of a file that is to be opened.
    """

    back_requested = Signal()
    close_requested = Signal()
    lesson_requested = Signal(object)
    link_activated = Signal(str)
    file_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sources: dict[int, Source] = {}
        self._stops: list[Citation] = []
        self._unverified: set[int] = set()
        self._source: Source | None = None
        self._stop: Citation | None = None
        self._lesson: LessonText | None = None
        self._awaited: Source | None = None
        self._make_controls()
        self._lay_out()
        self.set_theme(theme)
        self._show_state()

    # What is read

    @property
    def source(self) -> Source | None:
        """The source that is being read."""
        return self._source

    def set_theme(self, theme: Theme) -> None:
        """Paint in the colours of ``theme``."""
        self._theme = theme
        self._back.setIcon(theme.tinted_icon("chevron-left", theme.accent))
        self.previous.setIcon(theme.icon("chevron-up"))
        self.next.setIcon(theme.icon("chevron-down"))
        self._close.setIcon(theme.tinted_icon("close", theme.text_muted))
        for button in (self._link, self.open_file):
            button.setIcon(theme.tinted_icon("external-link", theme.accent))
        self.text.set_theme(theme)

    def set_answer(self, sources: Sequence[Source], citations: Sequence[Citation]) -> None:
        """Take the answer whose citations are read; what is being read stays."""
        self._sources = {source.n: source for source in sources}
        known = [one for one in citations if one.source_n in self._sources]
        held = {
            (one.source_n, one.start, one.end): one
            for one in reversed(sorted(known, key=lambda one: one.answer_end))
            if one.verified
        }
        self._stops = sorted(held.values(), key=lambda one: one.answer_end)
        self._unverified = {one.source_n for one in known if not one.verified}
        self._mark()
        self._show_state()

    def read(self, n: int) -> None:
        """Read source ``n`` in its lesson, at the first sentence of it that is cited."""
        source = self._sources.get(n)
        if source is not None:
            self._go_to(source, next((stop for stop in self._stops if stop.source_n == n), None))

    def show_lesson(self, lesson: LessonText) -> None:
        """Show a lesson that was asked for; one nobody waits for any more is ignored."""
        if lesson.source != self._awaited:
            return
        self._awaited = None
        old, self._lesson = self._lesson, lesson
        self._show_lesson_state(lesson)
        if old is not None and (old.text, old.start) == (lesson.text, lesson.start):
            self._mark()  # looked at anew, not gone to: it stays where the reader has scrolled it
        else:
            self.text.set_text(lesson.text)
            self._show_place()

    def refresh(self) -> None:
        """Ask again for what is being read: the library has changed."""
        if self._source is not None:
            self._ask_for(self._source)

    def clear(self) -> None:
        """Read nothing."""
        self._source = self._stop = self._lesson = self._awaited = None
        self._show_nothing_yet()

    # Building

    def _make_controls(self) -> None:
        """Make what can be operated, in the order of the Tab key."""
        self._back = QPushButton(self.tr("Sources"), self)
        self._back.setProperty("kind", "link")
        self._back.setIconSize(QSize(16, 16))
        self._back.setToolTip(self.tr("Back to the sources (Esc)"))
        self._back.setAccessibleName(self.tr("Back to the sources"))
        self._back.clicked.connect(self.back_requested)
        self.previous = self._tool(self.tr("Previous citation"), "Alt+Up")
        self.next = self._tool(self.tr("Next citation"), "Alt+Down")
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        self._close = self._tool(self.tr("Hide the sources"), "")
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self.close_requested)
        self.position = QLabel(self)
        self.position.setProperty("role", "caption")
        self._course = ClampedLabel("", 2, self)
        self._course.setProperty("role", "strong")
        self._place = ClampedLabel("", 2, self)
        self._place.setProperty("role", "caption")
        self.notice = QLabel(self)
        self.notice.setProperty("notice", "warning")
        self.notice.setWordWrap(True)
        self.notice.setContentsMargins(8, 6, 8, 6)
        self.text = LessonView(self._theme, self)
        self.text.setAccessibleName(self.tr("Text of the lesson"))
        self._link = self._link_button(self.tr("Open lesson"))
        self._link.clicked.connect(self._open_link)
        self.open_file = self._link_button(self.tr("Open file"))
        self.open_file.clicked.connect(self._ask_for_file)
        self.reason = QLabel(self)
        self.reason.setProperty("role", "caption")
        self.reason.setWordWrap(True)
        for keys in (QKeySequence(Qt.Key.Key_Escape), QKeySequence("Alt+Left")):
            shortcut = QShortcut(keys, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self.back_requested)

    def _tool(self, name: str, keys: str) -> QToolButton:
        button = QToolButton(self)
        button.setIconSize(QSize(18, 18))
        button.setAccessibleName(name)
        sequence = QKeySequence(keys)
        shown = sequence.toString(QKeySequence.SequenceFormat.NativeText)
        button.setToolTip(f"{name} ({shown})" if keys else name)
        if keys:
            shortcut = QShortcut(sequence, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(button.click)
        return button

    def _link_button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("kind", "link")
        button.setIconSize(QSize(14, 14))
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        return button

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(8, 4, 8, 4)
        header.setSpacing(2)
        header.addWidget(self._back)
        header.addStretch()
        for widget in (self.previous, self.position, self.next):
            header.addWidget(widget)
        header.addSpacing(6)
        header.addWidget(self._close)
        names = QVBoxLayout()
        names.setContentsMargins(16, 0, 16, 8)
        names.setSpacing(2)
        for name in (self._course, self._place):
            names.addWidget(name)
        names.addSpacing(6)
        names.addWidget(self.notice)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 8)
        foot.addWidget(self._link)
        foot.addStretch()
        foot.addWidget(self.open_file)
        below = QVBoxLayout()
        below.setContentsMargins(16, 0, 16, 8)
        below.addWidget(self.reason)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(header)
        layout.addLayout(names)
        layout.addWidget(self.text, 1)
        layout.addLayout(foot)
        layout.addLayout(below)

    # Going about

    def _step(self, steps: int) -> None:
        if not self._stops:
            return
        if self._stop in self._stops:
            at = self._stops.index(self._stop) + steps
        else:
            at = 0 if steps > 0 else len(self._stops) - 1
        if 0 <= at < len(self._stops):
            stop = self._stops[at]
            self._go_to(self._sources[stop.source_n], stop)

    def _go_to(self, source: Source, stop: Citation | None) -> None:
        self._source, self._stop = source, stop
        self._course.setText(source.hit.course_title)
        self._place.setText(lesson_name(source.hit))
        self._place.setVisible(bool(self._place.text()))
        self._link.setVisible(is_web_link(source.hit.link))
        self._link.setToolTip(plain_tool_tip((source.hit.link or "").strip()))
        if self._lesson is not None and self._holds(self._lesson, source):
            self._awaited = None
            self._show_lesson_state(self._lesson)
            self._show_place()
        else:
            self._lesson = None
            self._show_nothing_yet()
            self.text.setPlaceholderText(self.tr("Opening the lesson…"))
            self._ask_for(source)
        self._show_state()

    def _show_nothing_yet(self) -> None:
        self.text.set_text("")
        self.notice.hide()
        self.reason.hide()
        self.open_file.setEnabled(False)

    def _ask_for(self, source: Source) -> None:
        self._awaited = source
        self.lesson_requested.emit(source)

    def _show_place(self) -> None:
        """Mark what is cited and scroll to where the reader wants to be."""
        self._mark()
        lesson, source = self._lesson, self._source
        if lesson is not None and source is not None:
            start = self._stop.start if self._stop is not None else source.hit.start
            self.text.show_position(start - lesson.start)

    def _mark(self) -> None:
        """Mark all sentences of this lesson that the answer cites."""
        lesson = self._lesson
        if lesson is None:
            return
        spans = {
            stop: (stop.start - lesson.start, stop.end - lesson.start)
            for stop in self._stops
            if self._holds(lesson, self._sources[stop.source_n])
        }
        current = spans.get(self._stop) if self._stop is not None else None
        self.text.set_highlights(list(spans.values()), current)

    @staticmethod
    def _holds(lesson: LessonText, source: Source) -> bool:
        """Return whether a source stands in the text that is shown."""
        shown, wanted = lesson.source, source
        same = (shown.document_sha256, shown.hit.document_id) == (
            wanted.document_sha256,
            wanted.hit.document_id,
        )
        return same and lesson.start <= wanted.hit.start and wanted.hit.end <= lesson.end

    # What is shown

    def _show_state(self) -> None:
        number, at = len(self._stops), -1
        if self._stop in self._stops:
            at = self._stops.index(self._stop)
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(number > 0 and at < number - 1)
        self.position.setText(self.tr("{0} of {1}").format(at + 1, number) if at >= 0 else "")
        self.position.setAccessibleName(
            self.tr("Citation {0} of {1}").format(at + 1, number) if at >= 0 else ""
        )

    def _show_lesson_state(self, lesson: LessonText) -> None:
        sentences = []
        if lesson.state is SourceState.CHANGED:
            sentences.append(self.tr("The file has changed since this answer was written."))
        elif lesson.state is SourceState.REMOVED:
            sentences.append(self.tr("The file is no longer in the library."))
        if not lesson.is_whole:
            sentences.append(self.tr("Shown is the passage as it was then."))
        source = self._source
        if source is not None and source.n in self._unverified:
            sentences.append(
                self.tr("A quotation of this source could not be verified: it does not stand in this text.")
            )
        self.notice.setText(" ".join(sentences))
        self.notice.setVisible(bool(sentences))
        self.open_file.setEnabled(lesson.file_exists)
        gone = self.tr("The file is not there any more: {0}").format(lesson.path)
        self.open_file.setToolTip(plain_tool_tip(lesson.path if lesson.file_exists else gone))
        self.reason.setText("" if lesson.file_exists else self.tr("The file can not be opened: it is gone."))
        self.reason.setToolTip(plain_tool_tip(gone))
        self.reason.setVisible(not lesson.file_exists)

    def _open_link(self) -> None:
        if self._source is not None and is_web_link(self._source.hit.link):
            self.link_activated.emit((self._source.hit.link or "").strip())

    def _ask_for_file(self) -> None:
        if self._lesson is not None:
            self.file_requested.emit(self._lesson.path)
