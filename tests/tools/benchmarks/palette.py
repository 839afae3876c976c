"""How long the palette holds up the window in a large library.

``python -m tests.tools.benchmarks.palette [--lessons 2000] [--chats 1000] [--rounds 5]`` prints one JSON
line:
milliseconds of the main thread's processor time, painting included, to open and for each letter of "what
changes 77", the median and the worst of the rounds. ``reference`` is Qt's own filter over the same names, a
QSortFilterProxyModel in a list, which finds only what is written out and ranks nothing.
"""

from __future__ import annotations

import os
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QSortFilterProxyModel, QStringListModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QMainWindow

from app.domain.conversations import Conversation
from app.ui.shell.actions import Actions
from app.ui.shell.palette_controller import PaletteController
from app.ui.widgets.theme import Theme, apply_theme
from app.workers.library import LibrarySnapshot
from app.workers.workers import Workers
from tests.support import side_data
from tests.tools.benchmarks.course_tree import made_courses
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Callable

_TYPED = "what changes 77"


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--lessons", type=int, default=2000)
    parser.add_argument("--chats", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print_result(measure(options.lessons, options.chats, options.rounds))


def measure(lessons: int, chats: int, rounds: int) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, Theme.light())
    window, workers = QMainWindow(), Workers()
    actions = Actions(window)
    actions.build_menus(window.menuBar())
    actions.add("edit/find", "palette", "Go to anything…", lambda: None)
    controller = PaletteController(window, actions, workers)
    courses = tuple(made_courses(lessons))
    workers.snapshot.emit(LibrarySnapshot(courses, side_data.counts(courses), is_new=False))
    made = [Conversation(n, f"What changes in chat {n}?", float(n)) for n in range(chats)]
    workers.conversations_listed.emit(tuple(made))
    window.resize(1280, 820)
    window.show()
    QApplication.processEvents()
    names = [lesson.title for course in courses for lesson in course.lessons] + [one.title for one in made]
    result = {"ours": _ours(controller, rounds), "reference": _filter(names, rounds)}
    window.close()
    shiboken6.delete(window)  # before Python collects what filters its events
    return {"lessons": lessons, "chats": chats} | result


def _ours(controller: PaletteController, rounds: int) -> dict[str, float]:
    opening: list[float] = []
    letters: list[float] = []
    for _ in range(rounds):
        opening.append(_busy(controller.open))
        field = controller.palette.field
        letters += [_busy(partial(QTest.keyClicks, field, letter)) for letter in _TYPED]
        controller.palette.dismiss()
    return {**_summary("open", opening), **_summary("letter", letters)}


def _filter(names: list[str], rounds: int) -> dict[str, float]:
    letters: list[float] = []
    for _ in range(rounds):
        view, proxy = QListView(), QSortFilterProxyModel()
        view.setUniformItemSizes(True)
        proxy.setSourceModel(QStringListModel(names, proxy))
        view.setModel(proxy)
        view.show()
        QApplication.processEvents()
        ends = range(1, len(_TYPED) + 1)
        letters += [_busy(partial(proxy.setFilterFixedString, _TYPED[:end])) for end in ends]
        view.close()
    return _summary("letter", letters)


def _summary(name: str, times: list[float]) -> dict[str, float]:
    return {name: round(statistics.median(times), 1), f"{name}_worst": round(max(times), 1)}


def _busy(step: Callable[[], object]) -> float:
    began = time.thread_time()
    step()
    QApplication.processEvents()
    return (time.thread_time() - began) * 1000


if __name__ == "__main__":
    main()
