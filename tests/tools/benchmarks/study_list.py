"""How long a large deck holds up the window.

``python -m tests.tools.benchmarks.study_list [--items 20000] [--rounds 5]`` prints one JSON line:
milliseconds of the main thread's processor time, layout and painting included, the median of the rounds.
``reference`` is Qt's own: a QStandardItem for each item behind a QSortFilterProxyModel, without lessons.
"""

from __future__ import annotations

import os
import statistics
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QListView

from app.domain.search import SearchHit
from app.domain.sources import Source
from app.features.study.model.items import Item
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.ui.items_list import ItemDelegate, ItemsModel, arranged
from app.ui.widgets.theme import Theme, apply_theme
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Callable

_LESSONS = 40


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print_result(measure(options.items, options.rounds))


def measure(items: int, rounds: int) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, Theme.light())
    made = [_item(n) for n in range(items)]
    sides = {"ours": _ours, "reference": _reference}
    return {"items": items} | {name: _side(made, rounds, steps) for name, steps in sides.items()}


def _item(n: int) -> Item:
    lesson = n % _LESSONS
    quote = f"What changes when number {n} comes along the winding road is told in this sentence."
    hit = SearchHit(
        1, 1.0, "Roads", lesson, f"Lesson on roads {lesson}", n, quote, "a.txt", 0, len(quote), None, None, 1
    )
    source = Source(1, "a", hit, ((0, len(quote)),), "0")
    kind = list(ItemKind)[n % len(ItemKind)]
    text = ItemText(f"What comes along the road in case {n}?", f"Number {n}, as {{{{c1::always}}}}")
    return Item(kind, text, source, n, n + len(quote), quote, item_id=n + 1)


def _side(
    items: list[Item], rounds: int, steps: Callable[[QListView, list[Item]], dict[str, Callable[[], object]]]
) -> dict[str, float]:
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        view = QListView()
        view.setUniformItemSizes(True)
        view.resize(800, 600)
        view.show()
        QApplication.processEvents()
        for name, step in steps(view, items).items():
            times.setdefault(name, []).append(_busy(step))
        view.close()
    return {name: round(statistics.median(found), 1) for name, found in times.items()}


def _ours(view: QListView, items: list[Item]) -> dict[str, Callable[[], object]]:
    model = ItemsModel(view)
    view.setModel(model)
    view.setItemDelegate(ItemDelegate(view))
    entries = arranged(items)  # which the workers do
    return {
        "fill": lambda: model.set_entries(entries),
        "scroll": lambda: view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2),
        "filter": lambda: model.set_filter(lambda _: True, "number 77"),
        "filter_kind": lambda: model.set_filter(lambda item: item.kind is ItemKind.CARD, ""),
        "remove": lambda: model.remove(range(1, 100)),
    }


def _reference(view: QListView, items: list[Item]) -> dict[str, Callable[[], object]]:
    model, proxy = QStandardItemModel(view), QSortFilterProxyModel(view)
    proxy.setSourceModel(model)
    view.setModel(proxy)
    role = Qt.ItemDataRole.UserRole
    proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def fill() -> None:
        for item in items:
            row = QStandardItem(f"{item.asked}\n{item.text.back}")
            row.setData(item.kind.value, role)
            model.appendRow(row)

    def filter_kind() -> None:
        proxy.setFilterRole(role)
        proxy.setFilterFixedString("card")

    return {
        "fill": fill,
        "scroll": lambda: view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2),
        "filter": lambda: proxy.setFilterFixedString("number 77"),
        "filter_kind": filter_kind,
        "remove": lambda: model.removeRows(0, 100),
    }


def _busy(step: Callable[[], object]) -> float:
    began = time.thread_time()
    step()
    QApplication.processEvents()
    return (time.thread_time() - began) * 1000


if __name__ == "__main__":
    main()
