"""How long large lists hold up the window: the sidebar, the palette and a deck.

``python -m tests.tools.benchmarks.long_lists [--lessons 2000] [--chats 1000] [--items 20000] [--rounds 5]``
prints one JSON line: milliseconds of the main thread's processor time, layout and painting included, the
median of the rounds and, for a letter typed into the palette, also the worst. All courses are unfolded.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QMainWindow

from app.domain.conversations import Conversation
from app.domain.search import SearchHit
from app.domain.sources import Source
from app.features.study.model.items import Item
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.ui.items_list import ItemDelegate, ItemsModel, arranged
from app.ui.library.sidebar import CourseSidebar
from app.ui.shell.actions import Actions
from app.ui.shell.palette_controller import PaletteController
from app.ui.widgets.theme import Theme, apply_theme
from app.workers.library import LibrarySnapshot
from app.workers.workers import Workers
from tests.support import side_data
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from app.domain.courses import Course

Steps = dict[str, "Callable[[], object]"]

_LESSONS = 40  # of a course, and of a deck
_TYPED = "what changes 77"


def measure(lessons: int, chats: int, items: int, rounds: int) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, Theme.light())
    courses = [_course(number) for number in range(lessons // _LESSONS)]
    deck = [_item(n) for n in range(items)]
    return {
        "lessons": lessons,
        "chats": chats,
        "items": items,
        "sidebar": _medians(_sidebar(courses) for _ in range(rounds)),
        "deck": _medians(_deck(deck) for _ in range(rounds)),
        "palette": _palette(courses, chats, rounds),
    }


def _course(number: int) -> Course:
    numbers = range(number * _LESSONS, (number + 1) * _LESSONS)
    titles = (f"What changes when number {n} comes along the winding road" for n in numbers)
    infos = tuple(side_data.lesson(n, title) for n, title in enumerate(titles))
    return replace(side_data.course(f"Course {number}: retrieval and generation of text", 0), lessons=infos)


def _item(n: int) -> Item:
    lesson = n % _LESSONS
    quote = f"What changes when number {n} comes along the winding road is told in this sentence."
    place = ("Roads", lesson, f"Lesson on roads {lesson}", n, quote, "a.txt", 0, len(quote))
    source = Source(1, "a", SearchHit(1, 1.0, *place, None, None, 1), ((0, len(quote)),), "0")
    kind = list(ItemKind)[n % len(ItemKind)]
    text = ItemText(f"What comes along the road in case {n}?", f"Number {n}, as {{{{c1::always}}}}")
    return Item(kind, text, source, n, n + len(quote), quote, item_id=n + 1)


def _sidebar(courses: Sequence[Course]) -> dict[str, float]:
    pane = CourseSidebar()
    pane.resize(280, 800)
    pane.show()
    pane.set_snapshot(courses, ())
    QApplication.processEvents()
    field = pane.findChild(QLineEdit)
    assert field is not None
    steps: Steps = {
        "unfold_all": pane.tree.expandAll,
        "scroll": lambda: pane.tree.verticalScrollBar().setValue(20_000),
        "widen": lambda: pane.resize(300, 800),
        "filter": lambda: field.setText("what"),
        "clear_filter": lambda: field.setText(""),
    }
    times = {name: _busy(step) for name, step in steps.items()}
    pane.close()
    return times


def _deck(items: Sequence[Item]) -> dict[str, float]:
    view = QListView()
    view.setUniformItemSizes(True)
    view.resize(800, 600)
    view.show()
    model = ItemsModel(view)
    view.setModel(model)
    view.setItemDelegate(ItemDelegate(view))
    QApplication.processEvents()
    entries = arranged(items)  # which the workers do
    steps: Steps = {
        "fill": lambda: model.set_entries(entries),
        "scroll": lambda: view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2),
        "filter": lambda: model.set_filter(lambda _: True, "number 77"),
        "filter_kind": lambda: model.set_filter(lambda item: item.kind is ItemKind.CARD, ""),
        "remove": lambda: model.remove(range(1, 100)),
    }
    times = {name: _busy(step) for name, step in steps.items()}
    view.close()
    return times


def _palette(courses: Sequence[Course], chats: int, rounds: int) -> dict[str, float]:
    window, workers = QMainWindow(), Workers()
    actions = Actions(window)
    actions.build_menus(window.menuBar())
    actions.add("edit/find", "palette", "Go to anything…", lambda: None)
    controller = PaletteController(window, actions, workers)
    workers.snapshot.emit(LibrarySnapshot(tuple(courses), side_data.counts(tuple(courses)), is_new=False))
    made = (Conversation(n, f"What changes in chat {n}?", float(n)) for n in range(chats))
    workers.conversations_listed.emit(tuple(made))
    window.resize(1280, 820)
    window.show()
    QApplication.processEvents()
    opening: list[float] = []
    letters: list[float] = []
    for _ in range(rounds):
        opening.append(_busy(controller.open))
        field = controller.palette.field
        letters += [_busy(partial(QTest.keyClicks, field, letter)) for letter in _TYPED]
        controller.palette.dismiss()
    window.close()
    shiboken6.delete(window)  # before Python collects what filters its events
    medians = {"open": statistics.median(opening), "letter": statistics.median(letters)}
    return {name: round(value, 1) for name, value in {**medians, "letter_worst": max(letters)}.items()}


def _medians(rounds: Iterable[dict[str, float]]) -> dict[str, float]:
    each = list(rounds)
    return {name: round(statistics.median(one[name] for one in each), 1) for name in each[0]}


def _busy(step: Callable[[], object]) -> float:
    began = time.thread_time()
    step()
    QApplication.processEvents()
    return (time.thread_time() - began) * 1000


if __name__ == "__main__":
    parser = parser_of(__doc__)
    for name, usual in (("lessons", 2000), ("chats", 1000), ("items", 20_000), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    print_result({"benchmark": "long_lists", **measure(**vars(parser.parse_args()))})
