"""Marks, cards and questions of what is selected in a lesson; the marks are drawn there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence

from app.domain.messages import Message
from app.domain.plain_text import harmless, shorten
from app.domain.scope import only_course
from app.domain.sources import OUTLINE, Selection
from app.features.study.model.names import ItemKind
from app.markup.formulas import one_line
from app.ui.shell.palette import EntryKind, PaletteEntry
from app.ui.widgets.accessibility import announce
from app.ui.widgets.messages import shown
from app.ui.widgets.pane_keys import PaneKey, PaneShortcut
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from app.domain.sources import LessonText
    from app.features.study.model.items import Item, LessonMark, NewItem
    from app.features.study.ui.operations import StudyJobs
    from app.ui.reading.reading_view import ReadingView
    from app.ui.shell.main_window import MainWindow

MARK_KEY = "Ctrl+M"
_LONGEST_ASKED = 2_000  # characters
_LONGEST = 120  # characters of a mark in the palette


class LessonMarks(QObject):
    """Adds to the menus and keys of lessons, and to the palette."""

    def __init__(self, window: MainWindow, jobs: StudyJobs, show_source: Callable[[Item], object]) -> None:
        super().__init__(window)
        self._window, self._jobs, self._show_source = window, jobs, show_source
        self._reading: ReadingView | None = None
        self._lesson: LessonText | None = None
        self._marks: list[LessonMark] = []  # that stand in the lesson
        self._removed: tuple[int, ...] = ()
        self._explain = (self.tr("Explain this"), "Ctrl+E", self.explain)
        self._actions: tuple[tuple[str, str, Callable[[Selection], object]], ...] = (
            (self.tr("Mark"), MARK_KEY, self._mark),
            (self.tr("Mark with a note…"), "Ctrl+Shift+M", partial(self._mark, with_note=True)),
            (self.tr("Make a card…"), "Ctrl+J", self._begin_card),
            self._explain,
        )
        self._window.sources.reading_built.connect(self._connect)
        self._window.palette_controller.opening.connect(self._offer)
        self._jobs.decks_listed.connect(self._look)

    # ---- what is done with a selection, or a mark ----

    def explain(self, selection: Selection) -> None:
        """Ask in the chat, of the course alone."""
        self._window.set_scope(only_course(selection.source.hit.course_title))
        self._window.centre.show_chat()
        said = shorten(" ".join(selection.text.split()), _LONGEST_ASKED)
        self._window.chat_controller.ask(self.tr("Explain this: “{0}”").format(said))

    def make_card(self, item: NewItem) -> None:
        """Let a card be written that rests on a sentence."""
        from app.features.study.ui.items_list import EditDialog  # late: the window paints sooner

        dialog = EditDialog(item, self._window)

        def store() -> None:
            card = replace(item, text=dialog.text)
            adding = self._jobs.change("Adding a card", lambda study: study.marks.store(card))
            done = self.tr("The card is in the deck “{0}”.").format(harmless(card.source.hit.course_title))
            adding.run(self, success=lambda _: self._say(done))

        dialog.accepted.connect(store)
        dialog.open()

    def _begin_card(self, selection: Selection) -> None:
        finding = self._jobs.read(
            "Looking for a sentence", lambda study: study.marks.item_on(selection, ItemKind.CARD)
        )
        finding.run(self, success=self.make_card)

    def _mark(self, selection: Selection, *, with_note: bool = False) -> None:
        def marked(item: Item | None) -> None:
            self._say(self.tr("Marked."))
            if self._reading is not None:
                self._reading.deselect()  # else the mark could not be seen
            if with_note:
                self._edit(item)

        marking = self._jobs.change("Marking a sentence", lambda study: study.marks.add(selection))
        marking.run(self, success=marked)

    def _edit(self, item: Item | None) -> None:
        from app.features.study.ui.items_list import EditDialog  # late: the window paints sooner

        if item is not None:
            dialog = EditDialog(item, self._window)
            dialog.accepted.connect(lambda: self._jobs.edit(item.item_id, dialog.text).run(self))
            dialog.open()

    def _remove(self, item_id: int) -> None:
        self._removed = (item_id,)
        key = QKeySequence(QKeySequence.StandardKey.Undo).toString(QKeySequence.SequenceFormat.NativeText)
        done = self.tr("Mark removed; {0} brings it back.").format(key)
        removing = self._jobs.change("Removing a mark", lambda study: study.delete([item_id]))
        removing.run(self, success=lambda _: self._say(done))

    def _restore(self) -> None:
        removed, self._removed = self._removed, ()
        if removed:
            self._jobs.change("Restoring a mark", lambda study: study.restore(removed)).run(self)

    def _say(self, sentence: str) -> None:
        self._window.say(sentence)
        announce(self._window, sentence)

    # ---- in lessons ----

    def _connect(self, reading: ReadingView) -> None:
        self._reading = reading
        reading.lesson_shown.connect(self._show)
        reading.menu_opening.connect(self._fill)
        for text, keys, act in self._actions:
            PaneShortcut(reading, keys, partial(self._act, reading, act), text=text)
        PaneKey(reading, QKeySequence.StandardKey.Undo, self._restore)

    def _act(self, reading: ReadingView, act: Callable[[Selection], object]) -> None:
        selection = reading.selection()
        if selection is None:
            self._say(shown(Message("marks.nothing_selected")))
        elif act is self._explain[-1] or _is_here(selection):
            act(selection)
        else:
            self._say(shown(Message("marks.not_here")))

    def _fill(self, menu: QMenu, selection: Selection) -> None:
        menu.addSeparator()
        for text, keys, act in self._actions if _is_here(selection) else (self._explain,):
            if selection.text.strip():
                native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
                menu.addAction(f"{text}\t{native}", partial(act, selection))
        for mark in self._marks_at(selection):
            menu.addAction(self.tr("Edit note…"), partial(self._read, mark.item_id, self._edit))
            menu.addAction(self.tr("Remove mark"), partial(self._remove, mark.item_id))

    def _marks_at(self, selection: Selection) -> list[LessonMark]:
        shown = self._lesson.source.hit.document_id if self._lesson is not None else 0
        if selection.source.hit.document_id != shown or selection.text != selection.around:
            return []
        start, end = selection.start, selection.start + max(len(selection.text), 1)
        return [mark for mark in self._marks if mark.start < end and mark.end > start][:1]

    def _show(self, lesson: LessonText) -> None:
        self._lesson = lesson
        self._look()

    def _look(self) -> None:
        """Draw the marks of the lesson as they are now."""
        if (lesson := self._lesson) is not None:
            document = lesson.source.hit.document_id
            looking = self._jobs.read("Looking for marks", lambda study: study.repository.marks_in(document))
            looking.run(self, success=partial(self._draw, lesson), failure=lambda _: None)

    def _draw(self, lesson: LessonText, marks: list[LessonMark]) -> None:
        if lesson is self._lesson and self._reading is not None:
            # The lesson may be of another time than the marks.
            self._marks = [
                one
                for one in marks
                if one.start >= lesson.start
                and lesson.text[one.start - lesson.start : one.end - lesson.start] == one.quote
            ]
            self._reading.set_own(lesson, [((one.start, one.end), one.note) for one in self._marks])

    # ---- in the palette ----

    def _offer(self) -> None:
        icon = Theme.icon("edit")

        def entry(key: int, course: str, said: str, note: str) -> PaletteEntry:
            said = one_line(said)
            more = f"{said} {note} {course}"
            choose = partial(self._open, key)
            return PaletteEntry(
                EntryKind.OTHER, shorten(said, _LONGEST), harmless(course), choose, more, icon
            )

        listing = self._jobs.read(
            "Listing the marks", lambda study: [entry(*row) for row in study.repository.marks()]
        )
        offer = partial(self._window.palette_controller.offer, "marks")
        listing.run(self, success=offer, failure=lambda _: None)

    def _open(self, item_id: int) -> None:
        def show(item: Item | None) -> None:
            if item is not None:
                self._show_source(item)

        self._read(item_id, show)

    def _read(self, item_id: int, then: Callable[[Item | None], object]) -> None:
        self._jobs.read("Reading a mark", lambda study: study.item(item_id)).run(self, success=then)


def _is_here(selection: Selection) -> bool:
    hit = selection.source.hit
    return not hit.server and hit.chunk_index != OUTLINE
