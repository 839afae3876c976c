"""The reading view: a source in its whole lesson, with steps from citation to citation."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.domain.figures import Figure
from app.domain.pages import Mark, PagedFile
from app.domain.plain_text import harmless
from app.domain.sources import Citation, LessonText, Selection, Source, SourceState
from app.ui.markup.support_words import is_bare
from app.ui.reading.heard_text import ParagraphEditor, TranscriptBar, paragraph_at
from app.ui.reading.lesson_view import LessonView
from app.ui.reading.pages_pane import PagesPane
from app.ui.reading.recording_player import Following, RecordingPlayer
from app.ui.reading.source_card import add_copy_link
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import (
    Cell,
    Stretch,
    hbox,
    icon_button,
    link_button,
    one_shot,
    shortcut,
    stack,
    vbox,
)
from app.ui.widgets.desktop import is_web_link, open_link
from app.ui.widgets.pane_keys import PaneKey, PaneShortcut, name_with_keys
from app.ui.widgets.search_fields import FindBar, TextSearch
from app.ui.widgets.source_labels import course_name, lesson_name
from app.ui.widgets.text_labels import ClampedLabel, plain_label, plain_tool_tip
from app.ui.widgets.theme import Theme, fix, scaled

_NARROW, _NARROWEST = 330, 280  # pixels
_KEPT_MS = 60_000  # that a file stays open while nobody looks at its pages


class TextPane(QWidget):
    """A lesson's text below a bar that searches it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = LessonView(self)
        self.find_bar = FindBar(self)
        self._text = ""
        search = self._search = TextSearch(self.find_bar, self.view.in_sight, self.view.show_position, self)
        self.view.setAccessibleName(self.tr("Text of the lesson"))
        vbox(self.find_bar, Cell(self.view, 1), parent=self)
        self.find_bar.hide()
        self.find_bar.searched.connect(self._begin_search)
        self.find_bar.closed.connect(self.dismiss)
        search.moved.connect(lambda: self.view.set_found(search.found, search.now))
        self.find_key = PaneKey(self, QKeySequence.StandardKey.Find, self.find_bar.open)

    def show_lesson(self, lesson: LessonText | None) -> None:
        self._close_find()
        self._text = lesson.text if lesson else ""
        if lesson is not None:
            self.view.set_lesson(lesson)
        else:
            self.view.set_text("")

    def dismiss(self) -> bool:
        was_open = self.find_bar.isVisibleTo(self)
        if was_open:
            self._close_find()
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        return was_open

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.find_bar.set_narrow(event.size().width() < _NARROW)

    # ---- finding ----

    def _begin_search(self, words: str) -> None:
        self._search.now = None
        self._search.begin(self._text, words.strip(), is_markdown=self.view.is_markdown)

    def _close_find(self) -> None:
        self.find_bar.field.clear()
        self.find_bar.hide()
        self._begin_search("")


class ReadingView(QWidget):
    """Shows one lesson at a time."""

    back_requested = Signal()
    close_requested = Signal()
    lesson_shown = Signal(object)  # the LessonText, even when it is shown again; set_own() takes the reply
    # The QMenu and the Selection it is for: an empty one stands for the place where it begins.
    menu_opening = Signal(object, object)
    lesson_requested = Signal(object)  # the Source whose lesson is wanted; show_lesson() takes the reply
    file_requested = Signal(str)  # the path of the file to open
    pages_requested = Signal(object)  # the LessonText whose file has pages; show_pages() or refuse_pages()
    view_changed = Signal()  # from pages to text, or back
    correction_made = Signal(object, int, int, str)  # the LessonText, a span of its document, other words
    captions_requested = Signal(object)  # the LessonText whose transcript is to be written to a file
    transcription_requested = Signal(object)  # the LessonText whose recording is to be transcribed again
    pages_left = Signal()  # the file with pages is not looked at any more

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source: Source | None = None  # being read
        self._sources: dict[int, Source] = {}
        self._stops: list[Citation] = []
        self._unverified: set[int] = set()
        self._stop: Citation | None = None
        self._figure: Figure | None = None  # to go to instead of the citation
        self._position: int | None = None  # in the document, to go to instead of the passage
        self._lesson: LessonText | None = None
        self._awaited: Source | None = None
        self._paged: LessonText | None = None  # whose pages are shown or asked for
        self._own: Sequence[tuple[tuple[int, int], str]] = ()  # that the reader marked, with notes
        self._refusal = ""  # why the lesson's pages cannot be shown
        self._prefers_text = False
        self._leave_later = one_shot(self, _KEPT_MS, self.leave_pages)
        self._build()
        self._show_state()

    # ---- what is read ----

    def set_answer(self, sources: Sequence[Source], citations: Sequence[Citation]) -> None:
        """Set the answer whose citations can be stepped through; the open lesson stays."""
        self._sources = {source.n: source for source in sources}
        known = [one for one in citations if one.source_n in self._sources]
        stops: dict[tuple[int, int, int], Citation] = {}
        for one in sorted(known, key=lambda one: one.answer_end):
            if one.verified:
                stops.setdefault((one.source_n, one.start, one.end), one)
        self._stops = list(stops.values())
        self._unverified = {one.source_n for one in known if not (one.verified or is_bare(one))}
        self._mark()
        self._show_state()

    def read(self, n: int, figure: Figure | None = None) -> bool:
        """Open source ``n`` in its lesson, at its first cited sentence or a figure.

        Return whether the answer has such a source.
        """
        source = self._sources.get(n)
        if source is not None:
            self._go_to(source, next((stop for stop in self._stops if stop.source_n == n), None), figure)
        return source is not None

    def read_lesson(self, beginning: Source, position: int | None = None) -> None:
        """Open a lesson at its beginning or a position, whether the answer has a source in it or not."""
        self._go_to(beginning, None, position=position)

    def expect_lesson(self, course: str, lesson: str) -> None:
        self.clear()
        self._name(course, lesson)
        self._link.hide()
        self.text.setPlaceholderText(self.tr("Opening the lesson…"))

    def show_lesson(self, lesson: LessonText) -> None:
        """Show a requested lesson; ignore one that nobody waits for any more."""
        if lesson.source != self._awaited:
            return
        self._awaited = None
        old, self._lesson = self._lesson, lesson
        if old != lesson:
            self._refusal = ""
        self._choose_view()
        self._show_lesson_state(lesson)
        if old is not None and (old.text, old.start) == (lesson.text, lesson.start):
            self._mark()  # the same text: keep the reader's scroll position
        else:
            self.correction.dismiss()
            self.texts.show_lesson(lesson)
            self._following.show(lesson)
            self._show_place()
        self.lesson_shown.emit(lesson)

    def set_own(self, lesson: LessonText, own: Sequence[tuple[tuple[int, int], str]]) -> None:
        """Mark what the reader marked in the lesson on show, given in order with notes."""
        if lesson is self._lesson:
            self._own = own
            start = lesson.start
            self.text.set_own([((span[0] - start, span[1] - start), note) for span, note in own])
            self._show_own_on_pages(lesson)

    def _show_own_on_pages(self, lesson: LessonText) -> None:
        if self._paged is not None:
            self.pages.set_own([(lesson.page_at(span[0]), span) for span, _ in self._own])

    def selection(self) -> Selection | None:
        """Return what is selected, else the cited sentence on show; None without either."""
        lesson, on_pages = self._lesson, self.pages.view.selection
        if lesson is None:
            return None
        if self.shows_pages and not on_pages.is_empty:
            return Selection(lesson.source, *lesson.on_pages(on_pages.pages), on_pages.text())
        span = None if self.shows_pages else self.text.selected
        if span is None and self.cited is None:
            return None
        start, end = (span[0] + lesson.start, span[1] + lesson.start) if span else self.cited or (0, 0)
        text = lesson.text[start - lesson.start : end - lesson.start]
        return Selection(lesson.source, start, text, text)

    def deselect(self) -> None:
        cursor = self.text.textCursor()
        cursor.clearSelection()
        self.text.setTextCursor(cursor)
        self.pages.view.selection.begin(None)
        self.pages.view.viewport().update()

    def show_pages(self, lesson: LessonText, file: PagedFile) -> None:
        if lesson is self._paged:
            self.pages.show_file(file)
            self._show_place()
            self._show_own_on_pages(lesson)

    def refuse_pages(self, lesson: LessonText, sentence: str) -> None:
        if lesson is self._paged:
            self._refusal, self._paged = sentence, None
            self._choose_view()
            self._show_lesson_state(lesson)
            self._show_place()

    @property
    def cited(self) -> tuple[int, int] | None:
        """The cited sentence that is to be shown, as a span of the document; None without one."""
        return None if self._stop is None else (self._stop.start, self._stop.end)

    @property
    def shows_pages(self) -> bool:
        return self._views.currentWidget() is self.pages

    def correct(self, position: int | None = None) -> None:
        """Edit the paragraph of a transcript at a position, or what is selected, spoken or in sight."""
        lesson, spoken = self._lesson, self.text.spoken
        if lesson is None or lesson.transcript is None:
            return
        if position is None:
            span = self.text.selected or spoken or self.text.in_sight()
            position = span[0]
        start, end = paragraph_at(lesson.text, position)
        if start < end:
            self.correction.open((start, end), lesson.text[start:end])

    def focus_text(self) -> None:
        (self.pages if self.shows_pages else self.text).setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Request the open lesson again, because the library has changed."""
        if self.source is not None:
            self._request(self.source)

    def clear(self) -> None:
        self.source = self._stop = self._lesson = self._awaited = None
        self._show_nothing_yet()
        self.leave_pages()

    def leave_pages(self) -> None:
        if self._paged is not None:
            self._paged = None
            self.pages.show_file(None)
            self.pages_left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._back.setText(self.tr("Sources") if event.size().width() >= scaled(_NARROWEST) else "")

    def showEvent(self, event: QShowEvent) -> None:
        """Open the file again if it was let go of."""
        super().showEvent(event)
        self._leave_later.stop()
        if self._lesson is not None and self._paged is None:
            self._choose_view()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._leave_later.start()
        if not event.spontaneous():  # a window out of sight may go on
            self.player.pause()

    # ---- building ----

    def _build(self) -> None:
        """Make the controls, in Tab order, and lay them out."""
        self._back = link_button(self.tr("Sources"), self.back_requested.emit, self)
        self._back.setIcon(Theme.icon("chevron-left", "accent"))
        fix(self._back, icon=16)
        self._back.setToolTip(self.tr("Back to the sources (Esc)"))
        self._back.setAccessibleName(self.tr("Back to the sources"))
        self.previous = self._step_button("chevron-up", self.tr("Previous citation"), -1, "Alt+Up")
        self.next = self._step_button("chevron-down", self.tr("Next citation"), 1, "Alt+Down")
        over = self.tr("Expand over the chat")
        self.expand = icon_button(over, 18, self.view_changed.emit, self, icon="expand")
        self.expand.setCheckable(True)
        hide, close = self.tr("Hide the sources"), self.close_requested.emit
        self._close = icon_button(hide, 16, close, self, icon="close", colour="text_muted")
        self.position = plain_label("", "caption", self, wrap=False)
        self._course = ClampedLabel("", 2, self)
        self._course.setProperty("role", "strong")
        self._place = ClampedLabel("", 2, self)
        self._place.setProperty("role", "caption")
        self.notice = plain_label("", "", self)
        self.notice.setProperty("notice", "warning")
        self.notice.setContentsMargins(8, 6, 8, 6)
        self.texts = TextPane(self)
        self.text = self.texts.view
        self.text.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.text.customContextMenuRequested.connect(self._show_menu)
        self._find = icon_button("", 18, self.texts.find_bar.open, self, icon="search")
        name_with_keys(self._find, self.tr("Find"), self.texts.find_key)
        self.transcript = TranscriptBar(self)
        self.transcript.correct_requested.connect(self.correct)
        self.transcript.captions_requested.connect(lambda: self.captions_requested.emit(self._lesson))
        self.transcript.again_requested.connect(lambda: self.transcription_requested.emit(self._lesson))
        self.correction = ParagraphEditor(self.text)
        self.correction.saved.connect(self._save_correction)
        self.player = RecordingPlayer(self)
        self.player.open_requested.connect(self.file_requested)
        self._following = Following(self.player, self.text)
        self.pages = PagesPane(self)
        self.pages.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.pages.view.customContextMenuRequested.connect(self._show_menu)
        self._views = stack(self.texts, self.pages)
        self._views.currentChanged.connect(lambda _: self.view_changed.emit())
        self.switch = link_button("", self._switch_view, self)
        self._link = link_button(self.tr("Open lesson"), self._open_link, self, leads_out=True)
        self.open_file = link_button(self.tr("Open file"), self._request_file, self, leads_out=True)
        self.reason = plain_label("", "caption", self)
        shortcut("Esc", self, self._escape)
        PaneShortcut(self, "Alt+Left", self._go_back, text=self.tr("Back"))
        steps, tools = (self.previous, self.position, self.next), (self._find, self.expand, self._close)
        vbox(
            hbox(self._back, Stretch(), *steps, 6, *tools, margins=(8, 4, 8, 4), spacing=2),
            vbox(self._course, self._place, 6, self.notice, margins=(16, 0, 16, 8), spacing=2),
            self.transcript,
            self.player,
            Cell(self._views, 1),
            hbox(self._link, Stretch(), self.switch, 8, self.open_file, margins=(12, 8, 12, 8)),
            vbox(self.reason, margins=(16, 0, 16, 8)),
            parent=self,
        )

    def _step_button(self, icon: str, name: str, steps: int, keys: str) -> QToolButton:
        button = icon_button(name, 18, partial(self._step, steps), self, icon=icon)
        name_with_keys(button, name, PaneShortcut(self, keys, button.click, text=name))
        return button

    # ---- pages or text ----

    def _choose_view(self) -> None:
        """Show a file's pages if it has some, unless they cannot be shown or the reader wants its text."""
        lesson = self._lesson
        can_show = lesson is not None and bool(lesson.pages) and lesson.file_exists and not self._refusal
        as_pages = can_show and not self._prefers_text
        self.switch.setVisible(can_show)
        self.switch.setText(self.tr("Show pages") if self._prefers_text else self.tr("Show text"))
        had_focus = self.text.hasFocus() or self.pages.view.hasFocus()
        self._views.setCurrentWidget(self.pages if as_pages else self.texts)
        self._find.setVisible(not as_pages)
        if had_focus:
            self.focus_text()
        if not can_show:
            self.leave_pages()
        elif as_pages and lesson is not None and lesson != self._paged:
            self._paged = lesson
            self.pages.show_file(None)
            self.pages_requested.emit(lesson)

    def _switch_view(self) -> None:
        self._prefers_text = not self._prefers_text
        self._choose_view()
        self._show_place()
        self.focus_text()

    def _escape(self) -> None:
        """Leave what is open over the pages or the text, else the lesson."""
        if self.correction.dismiss():
            return
        if not (self.pages if self.shows_pages else self.texts).dismiss():
            self.back_requested.emit()

    def _go_back(self) -> None:
        if not (self.shows_pages and self.pages.go_back()):
            self.back_requested.emit()

    # ---- moving ----

    def _step(self, steps: int) -> None:
        at = self._stops.index(self._stop) if self._stop in self._stops else -1
        if at < 0 and steps < 0:
            at = len(self._stops)
        if 0 <= at + steps < len(self._stops):
            stop = self._stops[at + steps]
            self._go_to(self._sources[stop.source_n], stop)
            announce(self, f"{self.position.accessibleName()}. {stop.cited_text}")

    def _go_to(
        self,
        source: Source,
        stop: Citation | None,
        figure: Figure | None = None,
        position: int | None = None,
    ) -> None:
        self.source, self._stop, self._figure, self._position = source, stop, figure, position
        self._prefers_text = self._prefers_text and figure is None
        self._name(course_name(source.hit), lesson_name(source.hit))
        self._link.setVisible(is_web_link(source.hit.link))
        self._link.setToolTip(plain_tool_tip((source.hit.link or "").strip()))
        if self._lesson is not None and holds(self._lesson, source):
            self._awaited = None
            self._choose_view()
            self._show_lesson_state(self._lesson)
            self._show_place()
        else:
            self._lesson = None
            self._show_nothing_yet()
            self.text.setPlaceholderText(self.tr("Opening the lesson…"))
            self._request(source)
        self._show_state()

    def _name(self, course: str, lesson: str) -> None:
        self._course.setText(course)
        self._place.setText(lesson)
        self._place.setVisible(bool(lesson))

    def _save_correction(self, span: tuple[int, int], text: str) -> None:
        lesson = self._lesson
        if lesson is not None:
            self.correction_made.emit(lesson, span[0] + lesson.start, span[1] + lesson.start, text)

    def _show_nothing_yet(self) -> None:
        self.correction.dismiss()
        self.transcript.show_transcript(None)
        self.texts.show_lesson(None)
        self._following.show(None)
        self.notice.hide()
        self.reason.hide()
        self.open_file.setEnabled(False)

    def _request(self, source: Source) -> None:
        self._awaited = source
        self.lesson_requested.emit(source)

    def _show_place(self) -> None:
        """Mark the cited sentences and scroll to the current one, or to the passage."""
        self._mark()
        lesson, source = self._lesson, self.source
        if lesson is not None and source is not None:
            begin = source.hit.start if self._position is None else self._position
            start = self._stop.start if self._stop is not None else begin
            self.text.show_position(start - lesson.start)
            self._following.go_to(start)
            if self.shows_pages:
                end = self._stop.end if self._stop is not None else source.hit.end
                place = Mark(self._figure.page, self._figure.box) if self._figure is not None else None
                self.pages.set_citations(self._spans_in(lesson), (start, end), lesson.page_at(start), place)

    def _mark(self) -> None:
        lesson = self._lesson
        if lesson is None:
            return
        unsure = lesson.transcript.unsure if lesson.transcript is not None else ()
        self.text.set_unsure([(start - lesson.start, end - lesson.start) for start, end in unsure])
        spans = {span: (span[0] - lesson.start, span[1] - lesson.start) for span in self._spans_in(lesson)}
        current = spans.get((self._stop.start, self._stop.end)) if self._stop is not None else None
        self.text.set_highlights(list(spans.values()), current)

    def _spans_in(self, lesson: LessonText) -> list[tuple[int, int]]:
        """Return the cited sentences of the lesson shown, as spans of the document."""
        held = (stop for stop in self._stops if holds(lesson, self._sources[stop.source_n], stop))
        return [(stop.start, stop.end) for stop in held]

    # ---- what is shown ----

    def _show_state(self) -> None:
        self._back.setVisible(bool(self._sources))
        count = len(self._stops)
        at = self._stops.index(self._stop) if self._stop in self._stops else -1
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at < count - 1)
        shown, spoken = self.tr("{0} of {1}"), self.tr("Citation {0} of {1}")
        self.position.setText(shown.format(at + 1, count) if at >= 0 else "")
        self.position.setAccessibleName(spoken.format(at + 1, count) if at >= 0 else "")

    def _show_lesson_state(self, lesson: LessonText) -> None:
        source = self.source
        sentences = notes_on(
            lesson, self._refusal, is_misquoted=bool(source and source.n in self._unverified)
        )
        self.notice.setText(" ".join(sentences))
        self.notice.setVisible(bool(sentences))
        self.transcript.show_transcript(lesson.transcript)
        self.transcript.again.setEnabled(lesson.file_exists)
        self.open_file.setEnabled(lesson.file_exists)
        server = harmless(lesson.source.hit.server)
        self.open_file.setVisible(not server)
        self.reason.setVisible(not lesson.file_exists)
        if server:
            self.reason.setText(self.tr("This lesson is on {server}.").format(server=server))
            self.reason.setToolTip("")
            return
        gone = self.tr("The file no longer exists: {0}").format(lesson.path)
        self.open_file.setToolTip(plain_tool_tip(lesson.path if lesson.file_exists else gone))
        self.reason.setText(self.tr("The file no longer exists."))
        self.reason.setToolTip(plain_tool_tip(gone))

    def _show_menu(self, at: QPoint) -> None:
        """Offer also a link to what is selected, else to the cited sentence or the passage."""
        lesson, pages, on_pages = self._lesson, self.pages.view, self.shows_pages
        menu = QMenu(pages) if on_pages else self.text.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        has_selected = not pages.selection.is_empty if on_pages else self.text.selected is not None
        chosen = self.selection() if has_selected else None
        if on_pages and has_selected:
            menu.addAction(self.tr("Copy text"), pages.copy)
        elif self.source is not None and lesson is not None:
            span = (chosen.start, chosen.start + len(chosen.text)) if chosen else self.cited
            add_copy_link(menu, self.source, span, chosen.text if chosen else None)
        if lesson is not None:
            here = self.text.position_under(at) + lesson.start if not on_pages else self.pages.own_at(at)
            if lesson.transcript is not None and not on_pages:
                at_text = self.text.position_under(at)
                menu.addAction(self.tr("Correct this paragraph…"), partial(self.correct, at_text))
            self.menu_opening.emit(menu, chosen or Selection(lesson.source, here, "", ""))
        menu.popup((pages if on_pages else self.text).viewport().mapToGlobal(at))

    def _open_link(self) -> None:
        if self.source is not None:
            open_link(self.source.hit.link or "")

    def _request_file(self) -> None:
        if self._lesson is not None:
            self.file_requested.emit(self._lesson.path)


tr = partial(QCoreApplication.translate, "ReadingView")


def holds(lesson: LessonText, source: Source, cited: Citation | None = None) -> bool:
    """Return whether the source's passage, or a cited sentence of it, is part of the lesson shown."""
    shown, hit = lesson.source, source.hit
    if (shown.hit.document_id, shown.document_sha256) != (hit.document_id, source.document_sha256):
        return False
    # The document may have been read in another way between two answers, or changed elsewhere.
    spans = [(hit.start, hit.end), *([(cited.start, cited.end)] if cited else [])]
    return any(
        start >= lesson.start
        and lesson.text[start - lesson.start : end - lesson.start] == source.text(start, end)
        for start, end in spans
    )


def notes_on(lesson: LessonText, refusal: str, *, is_misquoted: bool) -> list[str]:
    """Return sentences on a lesson; ``refusal`` says why its pages are not shown."""
    sentences = []
    if lesson.state is SourceState.CHANGED:
        sentences.append(tr("The file has changed since this answer was written."))
    elif lesson.state is SourceState.REMOVED:
        sentences.append(tr("The file is no longer in the library."))
    if not lesson.is_whole:
        sentences.append(tr("You see the passage as it was then."))
    if refusal:
        sentences.append(refusal)
    if is_misquoted:
        sentences.append(tr("A quotation from this source is not in this text."))
    return sentences
