"""How long the sidebar holds up the window with many lessons.

``python -m tests.tools.benchmarks.course_tree [--lessons 2000] [--rounds 5]`` prints one JSON line:
milliseconds
of the main thread's processor time, layout and painting included, the median of the rounds. All courses are
unfolded. ``reference`` has rows of one height, as a tree that cuts every title after one line.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QApplication, QLineEdit

from app.ui.library.sidebar import CourseSidebar
from app.ui.widgets.theme import Theme, apply_theme
from tests.support import side_data
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.courses import Course

_LESSONS = 40  # of a course


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--lessons", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print_result(measure(options.lessons, options.rounds))


def measure(lessons: int, rounds: int) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, Theme.light())
    courses = made_courses(lessons)
    sides = {"ours": False, "reference": True}
    return {"lessons": lessons} | {name: _side(courses, rounds, uniform) for name, uniform in sides.items()}


def made_courses(lessons: int) -> list[Course]:
    return [_course(n) for n in range(lessons // _LESSONS)]


def _course(number: int) -> Course:
    numbers = range(number * _LESSONS, (number + 1) * _LESSONS)
    titles = (f"What changes when number {n} comes along the winding road" for n in numbers)
    infos = tuple(side_data.lesson(n, title) for n, title in enumerate(titles))
    return replace(side_data.course(f"Course {number}: retrieval and generation of text", 0), lessons=infos)


def _side(courses: list[Course], rounds: int, uniform: bool) -> dict[str, float]:
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        pane = CourseSidebar()
        pane.tree.setUniformRowHeights(uniform)
        pane.resize(280, 800)
        pane.show()
        pane.set_snapshot(courses, ())
        QApplication.processEvents()
        for name, step in _steps(pane).items():
            times.setdefault(name, []).append(_busy(step))
        pane.close()
    return {name: round(statistics.median(found), 1) for name, found in times.items()}


def _steps(pane: CourseSidebar) -> dict[str, Callable[[], object]]:
    field = pane.findChild(QLineEdit)
    assert field is not None
    return {
        "unfold_all": pane.tree.expandAll,
        "scroll": lambda: pane.tree.verticalScrollBar().setValue(20_000),
        "widen": lambda: pane.resize(300, 800),
        "filter": lambda: field.setText("what"),
        "clear_filter": lambda: field.setText(""),
    }


def _busy(step: Callable[[], object]) -> float:
    began = time.thread_time()
    step()
    QApplication.processEvents()
    return (time.thread_time() - began) * 1000


if __name__ == "__main__":
    main()
