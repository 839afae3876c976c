"""What the palette offers: the menus' commands, the library's courses and lessons, and chats."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.domain.conversations import Conversation
from app.domain.courses import Course
from app.domain.plain_text import harmless
from app.domain.shared import SharedLibrary
from app.ui.shell.actions import Actions
from app.ui.shell.palette import EntryKind, Palette, PaletteEntry
from app.workers.library import LibrarySnapshot
from app.workers.workers import Workers

_RECENT_CHATS = 4  # that stand above the commands until something is typed


class PaletteController(QObject):
    """Opens the palette and says what was chosen, commands apart, which it runs."""

    opening = Signal()  # features answer by offer()
    course_chosen = Signal(str)  # its title
    lesson_chosen = Signal(str, object, str)  # title of its course, number or None, title
    chat_chosen = Signal(int, int)  # number of a chat, and the exchange to read from or 0

    def __init__(self, window: QMainWindow, actions: Actions, workers: Workers) -> None:
        super().__init__(window)
        self._actions, self._workers = actions, workers
        self._courses: tuple[Course, ...] = ()
        self._shared: tuple[SharedLibrary, ...] = ()
        self._chats: tuple[Conversation, ...] = ()
        self._offered: dict[str, Sequence[PaletteEntry]] = {}  # by features
        self._of_library: list[PaletteEntry] | None = None  # made when they are first wanted
        self.palette = Palette(window)
        workers.opened.connect(self._take_library)
        workers.snapshot.connect(self._take_library)
        workers.shared_listed.connect(self._take_shared)
        workers.conversations_listed.connect(self._take_chats)

    def open(self) -> None:
        if self.palette.isVisible():
            self.palette.dismiss()
        else:
            self.opening.emit()
            self.palette.open_with(self._entries())

    def offer(self, what: str, entries: Sequence[PaletteEntry]) -> None:
        """Offer other entries of one sort than before, also while the palette is open."""
        self._offered[what] = entries
        if self.palette.isVisible():
            self.palette.open_with(self._entries())

    # ---- internals ----

    def _take_library(self, snapshot: LibrarySnapshot) -> None:
        self._courses, self._shared, self._of_library = snapshot.courses, snapshot.shared, None

    def _take_shared(self, libraries: tuple[SharedLibrary, ...]) -> None:
        self._shared, self._of_library = libraries, None

    def _take_chats(self, chats: tuple[Conversation, ...]) -> None:
        self._chats = tuple(sorted(chats, key=lambda chat: -chat.updated))

    def _entries(self) -> list[PaletteEntry]:
        if self._of_library is None:
            shared = (course for library in self._shared for course in library.courses)
            courses = (*self._courses, *shared)
            self._of_library = [*self._course_entries(courses), *self._lesson_entries(courses)]
        chats = [
            PaletteEntry(
                EntryKind.CHAT, chat.title, self.tr("Chat"), partial(self.chat_chosen.emit, chat.id, 0)
            )
            for chat in self._chats
        ]
        commands = self._command_entries()
        recent, older = chats[:_RECENT_CHATS], chats[_RECENT_CHATS:]
        offered = chain.from_iterable(self._offered.values())
        return [*recent, *commands, *self._of_library, *older, *offered]

    def _command_entries(self) -> Iterator[PaletteEntry]:
        """Yield the commands that can be used now."""
        for menu, name, action in self._actions.commands():
            if action.isEnabled() and action is not self._actions["palette"]:
                keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                icon = None if action.icon().isNull() else action.icon()
                yield PaletteEntry(EntryKind.COMMAND, name, keys or menu, action.trigger, menu, icon)

    def _course_entries(self, courses: Sequence[Course]) -> Iterator[PaletteEntry]:
        for course in courses:
            choose = partial(self.course_chosen.emit, course.title)
            more = harmless(course.instructor or "")
            yield PaletteEntry(EntryKind.COURSE, harmless(course.title), self.tr("Course"), choose, more)

    def _lesson_entries(self, courses: Sequence[Course]) -> Iterator[PaletteEntry]:
        for course in courses:
            name = harmless(course.title)
            for lesson in course.lessons:
                choose = partial(self.lesson_chosen.emit, course.title, lesson.number, lesson.title)
                numbered = "" if lesson.number is None else self.tr("Lesson {0}").format(lesson.number)
                title = harmless(lesson.title) or numbered or self.tr("Text outside the lessons")
                detail = f"{name} · {lesson.number}" if numbered else name
                yield PaletteEntry(EntryKind.LESSON, title, detail, choose, f"{numbered} {name}")
