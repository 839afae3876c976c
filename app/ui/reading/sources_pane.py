"""The pane on the right: the sources of an answer, or one of them in its lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from app.domain.sources import Citation, Source, SourceState
from app.ui.markup.rich_text import RichTextView
from app.ui.reading.source_list import SourceList
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.conversations import Exchange
    from app.domain.figures import Figure, FigurePicture
    from app.ui.reading.reading_view import ReadingView


_LEAST_WIDTH = 300


class SourcesPane(QStackedWidget):
    """Switches between the list of sources and the reading view, which is built for the first lesson."""

    close_requested = Signal()
    quote_left = Signal()  # a quoted sentence that no answer led to; the list is back
    lesson_left = Signal()  # one that no answer led to; the pane has closed
    pages_shown = Signal(bool)  # pages, or anything else
    expanded = Signal(bool)  # whether the lesson being read shall take the room of the chat
    figures_requested = Signal(int, object)  # an exchange and its sources; show_figures() takes the reply
    check_requested = Signal(int, object)  # an exchange and its sources; show_states() takes the reply
    reading_built = Signal(object)  # the ReadingView

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = SourceList(self)
        self._reading: ReadingView | None = None
        self._sources: tuple[Source, ...] = ()
        self._citations: tuple[Citation, ...] = ()
        self._pictured: tuple[Source, ...] = ()  # whose figures were asked for
        self._shows_quote = False
        self.setAccessibleName(self.tr("Sources"))
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._add(self.list)
        self.list.reading_requested.connect(self.read)
        self.list.figure_requested.connect(self.read)
        self.currentChanged.connect(self._tell_view)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.list)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.close_requested)

    def minimumSizeHint(self) -> QSize:
        """Return a width that cards need; their list cannot be scrolled sideways."""
        return super().minimumSizeHint().expandedTo(QSize(scaled(_LEAST_WIDTH), 0))

    @property
    def reading(self) -> ReadingView:
        if self._reading is None:
            from app.ui.reading.reading_view import ReadingView  # late: the window is painted sooner

            reading = self._reading = ReadingView(self)
            self._add(reading)
            reading.back_requested.connect(self.show_list)
            reading.view_changed.connect(self._tell_view)
            if self.list.formulas is not None:
                reading.text.show_formulas(self.list.formulas)
            reading.text.pictures = self.list.pictures
            reading.set_answer(self._sources, self._citations)
            self.reading_built.emit(reading)
        return self._reading

    @property
    def is_reading(self) -> bool:
        return self._reading is not None and self.currentWidget() is self._reading

    def set_theme(self, theme: Theme) -> None:
        for view in self.findChildren(RichTextView):
            view.set_theme(theme)

    def clear(self) -> None:
        self._reset()
        self.list.clear()

    def begin(self, exchange_id: int) -> None:
        self._reset()
        self.list.begin(exchange_id)

    def add_sources(self, sources: tuple[Source, ...]) -> None:
        self.list.add_sources(sources)
        self._set_answer((*self._sources, *sources), self._citations)

    def add_citation(self, citation: Citation) -> None:
        self.list.add_citation(citation)
        self._set_answer(self._sources, (*self._citations, citation))

    def show_exchange(self, exchange: Exchange) -> None:
        """Show the sources of a finished answer; a lesson open for the same answer stays open."""
        if exchange.id != self.list.exchange_id:
            self._reset()
        self.list.show_exchange(exchange)
        self._set_answer(exchange.sources, exchange.citations)
        self.check()
        if exchange.sources != self._pictured:
            self._pictured = exchange.sources
            self.figures_requested.emit(exchange.id, exchange.sources)

    def activate(self, n: int) -> None:
        """Go to source ``n``: in the list, or in its lesson while a lesson is open."""
        if self.is_reading:
            self.read(n)
        else:
            self.list.activate(n)

    def read(self, n: int, figure: Figure | None = None) -> None:
        """Show source ``n`` in its lesson, or the page of a figure."""
        if self.reading.read(n, figure):
            self.setCurrentWidget(self.reading)
            self.reading.focus_text()

    def read_lesson(self, beginning: Source) -> None:
        """Show a lesson from its beginning, whatever the answer is about."""
        self.reading.read_lesson(beginning)
        self.setCurrentWidget(self.reading)
        self.show()
        self.reading.focus_text()

    def read_quote(self, source: Source, start: int, end: int, quote: str) -> None:
        """Show a sentence marked in its lesson, whatever the answer is about."""
        self.reading.set_answer((source,), (Citation(source.n, 0, 0, start, end, quote, verified=True),))
        self._shows_quote = True
        self.read(source.n)
        self.show()

    def leave_quote(self) -> None:
        if self._shows_quote:
            self._shows_quote = False
            self._set_answer(self._sources, self._citations)
            self.setCurrentWidget(self.list)

    def expect_lesson(self, course: str, lesson: str) -> None:
        self.reading.expect_lesson(course, lesson)
        self.setCurrentWidget(self.reading)
        self.show()

    def show_list(self) -> None:
        """Return to the list, at the source that was read; close a lesson that no answer led to."""
        if self._shows_quote:
            self.leave_quote()
            self.quote_left.emit()
            return
        source = self.reading.source
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            self.setFocus()  # hidden, the text would hand the keyboard to the first widget of the window
        self.setCurrentWidget(self.list)
        if self.list.exchange_id is None:
            self.hide()
            self.lesson_left.emit()
        if source is not None:
            self.list.activate(source.n)

    def show_states(self, exchange_id: int, states: Mapping[int, SourceState]) -> None:
        if exchange_id == self.list.exchange_id:
            self.list.set_states(states)

    def show_figures(self, exchange_id: int, figures: Mapping[int, FigurePicture]) -> None:
        if exchange_id == self.list.exchange_id:
            self.list.set_figures(figures)

    def check(self) -> None:
        """Ask for the sources to be compared with the library, which may have changed."""
        if self.list.exchange_id is not None and self._sources:
            self.check_requested.emit(self.list.exchange_id, self._sources)
        if self.is_reading:
            self.reading.refresh()

    def _tell_view(self) -> None:
        if self._reading is None:
            return
        if not self.is_reading:
            self._reading.expand.setChecked(False)
        self.expanded.emit(self._reading.expand.isChecked())
        self.pages_shown.emit(self.is_reading and self._reading.shows_pages)

    def _reset(self) -> None:
        self._shows_quote = False
        self._set_answer((), ())
        self._pictured = ()
        if self._reading is not None:
            self._reading.clear()
        self.setCurrentWidget(self.list)

    def _set_answer(self, sources: tuple[Source, ...], citations: tuple[Citation, ...]) -> None:
        self._sources, self._citations = sources, citations
        if self._reading is not None and not self._shows_quote:
            self._reading.set_answer(sources, citations)

    def _add(self, page: SourceList | ReadingView) -> None:
        self.addWidget(page)
        page.close_requested.connect(self.close_requested)
