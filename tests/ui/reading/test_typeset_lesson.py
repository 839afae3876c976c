"""A lesson of Markdown in the reading view: typeset near what is read, marked exactly, never slow."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from app.core.formulas import FormulaService
from app.domain.sources import LessonText, Source, SourceState
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.theme import Theme
from tests.support.pace import slowness
from tests.support.running_formulas import running
from tests.support.side_data import citation, exchange, source
from tests.support.source_cards import marked
from tests.support.turns import watched_turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.core.sandbox import Sandbox
    from app.ui.reading.lesson_view import LessonView
    from app.ui.reading.sources_pane import SourcesPane

PART = """## Part {n}

The **part** number {n} says `{n} = x`, and *that* is all it says of $x_{{{n}}}$. 🙂

- one of {n}
- two of {n}

| name | value |
|------|-------|
| part | {n} |

```python
part = {n}
```

"""


@pytest.fixture
def panel(panel: SourcesPane, sandbox: Sandbox) -> Iterator[SourcesPane]:
    with running(FormulaService(sandbox)) as operations:
        panel.list.formulas = FormulaPictures(operations, panel)
        yield panel


def open_lesson(panel: SourcesPane, text: str, *quotes: str) -> LessonView:
    """Open a lesson in Markdown that is cited."""
    found = markdown_source(text, quotes[0])
    marks = [citation(found, quotes[0])]
    marks += [replace(marks[0], start=text.index(one), end=text.index(one) + len(one)) for one in quotes[1:]]
    marks = [replace(one, answer_end=10 + at) for at, one in enumerate(marks)]
    panel.show_exchange(exchange((found,), tuple(marks)))
    panel.read(1)
    panel.reading.show_lesson(LessonText(found, SourceState.CURRENT, text, 0, True, "/courses/a.md", True))
    assert panel.reading.text.is_markdown
    return panel.reading.text


def markdown_source(text: str, quote: str) -> Source:
    found = source(1, quote, start=text.index(quote))
    return replace(found, hit=replace(found.hit, path="/courses/a.md"))


def in_sight(view: LessonView) -> bool:
    image = view.viewport().grab().toImage()
    wanted = QColor(Theme.light().highlight).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(0, image.width(), 2))


def lesson(parts: int) -> str:
    return "".join(PART.format(n=n) for n in range(parts))


def test_a_lesson_is_typeset_whole_and_marked(qtbot: QtBot, panel: SourcesPane) -> None:
    text = lesson(40)
    quotes = (
        "The **part** number 25 says `25 = x`, and *that* is all it says of $x_{25}$. 🙂",
        "| part | 9 |",
    )
    view = open_lesson(panel, text, *quotes)
    qtbot.waitUntil(lambda: in_sight(view))
    qtbot.waitUntil(lambda: "Part 0" in view.toPlainText() and "part = 39" in view.toPlainText())
    qtbot.waitUntil(lambda: view.document().toRawText().count("\ufffc") == 40)
    plain = view.toPlainText()
    for sign in ("##", "**", "```", "|", "- one"):
        assert sign not in plain
    assert [plain.count(f"Part {n}\n") for n in range(40)] == [1] * 40
    assert plain.index("Part 3\n") < plain.index("Part 4\n") < plain.index("part = 39")
    cited = ["part", "9", "The part number 25 says 25 = x, and that is all it says of $x_{25}$. 🙂"]
    qtbot.waitUntil(lambda: [one.replace("\ufffc", "") for one in marked(view)] == cited)
    qtbot.waitUntil(lambda: in_sight(view))


def test_stepping_leads_to_each_citation(qtbot: QtBot, panel: SourcesPane) -> None:
    view = open_lesson(panel, lesson(400), "two of 20", "two of 390", "part = 200")
    for _ in range(2):
        qtbot.waitUntil(lambda: in_sight(view))
        panel.reading.next.click()
    qtbot.waitUntil(lambda: "part = 200" in view.toPlainText() and in_sight(view))
    assert "part = 200" in marked(view)


@pytest.mark.slow
def test_scrolling_draws_what_comes_and_drops_what_is_far(qtbot: QtBot, panel: SourcesPane) -> None:
    view = open_lesson(panel, lesson(220), "two of 110")
    qtbot.waitUntil(lambda: in_sight(view))
    bar = view.verticalScrollBar()
    sizes = []
    steps = bar.SliderAction.SliderPageStepAdd, bar.SliderAction.SliderPageStepSub
    for end, step in zip(("part = 219", "Part 0\n"), steps, strict=True):
        for _ in range(1_000):
            bar.triggerAction(step)
            QTest.qWait(1)
            sizes.append(view.document().characterCount())
            if end in view.toPlainText():
                break
        assert end in view.toPlainText()
    assert max(sizes) < 50_000
    assert view.toPlainText().index("Part 2\n") < view.toPlainText().index("part = 5\n")


def test_a_long_lesson_never_stalls_the_window(qtbot: QtBot, panel: SourcesPane) -> None:
    text = lesson(500_000 // len(PART))
    with watched_turns() as turns:
        begun = time.thread_time()
        view = open_lesson(panel, text, "two of 1500")
        opened = time.thread_time() - begun
        qtbot.waitUntil(lambda: in_sight(view))
    assert opened < 0.1 * slowness()
    assert turns.busiest < 0.15 * slowness()  # paints included, on any machine; 0.04 on a usual one


def test_a_theme_draws_the_same_place_anew(qtbot: QtBot, panel: SourcesPane) -> None:
    view = open_lesson(panel, lesson(100), "two of 60")
    qtbot.waitUntil(lambda: in_sight(view))
    view.set_theme(Theme.dark())
    qtbot.waitUntil(lambda: marked(view) == ("two of 60",))
