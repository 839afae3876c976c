"""The conversation block by block, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.sources import Support
from app.ui.chat.chat_pane import ChatPane
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.announcements import announcements
from tests.support.chat_builders import examined, exchange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

CONTROL = Qt.KeyboardModifier.ControlModifier
ANSWER = """\
## Ranking

Rank by *score* first.

- Fast
- Small

1. Then test

| Metric | Value |
|--------|-------|
| MRR    | 0.8   |

```python
x = 1
y = 2
```

The end."""


@pytest.fixture
def heard() -> Iterator[list[str]]:
    with announcements() as collected:
        yield collected


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> ChatPane:
    apply_theme(qapp, Theme.light())
    widget = ChatPane()
    qtbot.addWidget(widget)
    widget.resize(800, 600)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def step(pane: ChatPane, key: Qt.Key, times: int = 1) -> None:
    for _ in range(times):
        QTest.keyClick(pane.transcript, key, CONTROL)


def test_blocks_are_said_one_after_the_other(heard: list[str], qtbot: QtBot, pane: ChatPane) -> None:
    answer = exchange(2, "Why?", ANSWER)
    pane.show_exchanges([exchange(1, "How?", "Like **this**."), answer])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    step(pane, Qt.Key.Key_Down, 20)
    assert heard[0] == "!Question: Why?"
    first = heard.index("!Heading: Ranking")
    assert heard[first : first + 9] == [
        "!Heading: Ranking",
        "!Rank by score first.",
        "!• Fast",
        "!• Small",
        "!1. Then test",
        "!Metric; Value",
        "!Metric: MRR; Value: 0.8",
        "!Code: x = 1\ny = 2",
        "!The end.",
    ]
    assert pane.transcript.textCursor().hasSelection()


def test_blocks_are_said_backwards_too(heard: list[str], qtbot: QtBot, pane: ChatPane) -> None:
    pane.show_exchanges([exchange(1, "How?", "Like this.\n\nOr that.")])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    step(pane, Qt.Key.Key_Up, 10)
    assert heard.index("!Or that.") < heard.index("!Like this.") < heard.index("!Question: How?")
    assert len(heard) == len(set(heard))
    step(pane, Qt.Key.Key_Down)
    assert heard[-1] != "!Question: How?"


def test_marks_and_doubts_are_said_in_words(heard: list[str], qtbot: QtBot, pane: ChatPane) -> None:
    answer = "Caches are fast. They are also cheap."
    parts = ("Caches are fast.", Support.IN_LINE), ("They are also cheap.", Support.NOT_FOUND)
    pane.show_exchanges([examined(answer, *parts)])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    step(pane, Qt.Key.Key_Down, 4)
    said = next(one for one in heard if "Caches" in one)
    assert said == (
        "!Caches are fast. (source 1) They are also cheap. (Not found in source 2.) Not found in the sources."
    )


@pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")
def test_the_links_of_a_block_follow_it(heard: list[str], qtbot: QtBot, pane: ChatPane) -> None:
    answer = "Caches are fast. They are also cheap."
    parts = ("Caches are fast.", Support.IN_LINE), ("They are also cheap.", Support.IN_LINE)
    pane.show_exchanges([examined(answer, *parts)])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    pane.transcript.setFocus()
    step(pane, Qt.Key.Key_Down, 4)
    while "Caches" not in heard[-1]:
        step(pane, Qt.Key.Key_Up)
    before = pane.transcript.textCursor().selectionStart()
    QTest.keyClick(pane.transcript, Qt.Key.Key_Right)
    cursor = pane.transcript.textCursor()
    assert cursor.charFormat().isAnchor()
    assert cursor.selectionStart() > before
