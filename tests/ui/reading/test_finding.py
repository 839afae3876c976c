"""Finding words in the text of a lesson, literal and typeset."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextEdit, QToolButton

from app.domain.sources import LessonText, SourceState
from app.ui.widgets.theme import Theme
from tests.support.pace import slowness
from tests.support.side_data import citation, exchange, source
from tests.support.turns import watched_turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.ui.reading.reading_view import TextPane
    from app.ui.reading.sources_pane import SourcesPane

PLAIN = (
    "The moon pulls the\nwater. " * 20 + "\n\nTides of the Café: high water, low water.\n\n" + "Mud. " * 400
)
MARKDOWN = (
    "## Tides\n\nThe **moon pulls** the [water](https://water.example/water) and `water_level` rises.\n\n"
    + "Nothing to see. " * 300
    + "\n\n```water\nwater = 1\n```\n\n| water | mud |\n|-------|-----|\n| 2     | 3   |\n"
)


def opened(panel: SourcesPane, text: str, path: str = "/courses/a.txt") -> TextPane:
    """Open a lesson whose first words are cited."""
    quote = text[:4]
    found = source(1, quote, start=0)
    found = replace(found, hit=replace(found.hit, path=path))
    panel.show_exchange(exchange((found,), (citation(found, quote),)))
    panel.read(1)
    panel.reading.show_lesson(LessonText(found, SourceState.CURRENT, text, 0, True, path, True))
    return panel.reading.texts


def find(qtbot: QtBot, texts: TextPane, words: str, said: str) -> None:
    QTest.keyClick(texts.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert texts.find_bar.field.hasFocus()
    QTest.keyClicks(texts.find_bar.field, words)
    qtbot.waitUntil(lambda: texts.find_bar.count.text() == said)


def found_in_sight(texts: TextPane) -> list[str]:
    """Return the found words that are marked, the current one in brackets."""
    current, others = (QColor(colour).rgb() for colour in (Theme.light().accent, Theme.light().selection))
    selections: list[QTextEdit.ExtraSelection] = texts.view.extraSelections()
    marks = [
        (one.format.background().color().rgb(), one.cursor.selectedText().replace("\u2029", " "))
        for one in selections
    ]
    return [f"[{text}]" if one == current else text for one, text in marks if one in (current, others)]


def is_in_sight(texts: TextPane) -> bool:
    image = texts.view.viewport().grab().toImage()
    wanted = QColor(Theme.light().accent).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(0, image.width(), 2))


def test_words_of_a_text_are_found_counted_and_stepped_through(qtbot: QtBot, panel: SourcesPane) -> None:
    texts = opened(panel, PLAIN)
    find(qtbot, texts, "PULLS THE WATER", "1 of 20")
    qtbot.waitUntil(lambda: is_in_sight(texts))
    assert found_in_sight(texts)[:2] == ["[pulls the]", "[water]"]
    QTest.keyClick(texts.find_bar.field, Qt.Key.Key_Return)
    assert texts.find_bar.count.text() == "2 of 20"
    for _ in range(2):
        QTest.keyClick(texts.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert texts.find_bar.count.text() == "20 of 20"
    texts.find_bar.field.clear()
    find(qtbot, texts, "cafe", "1 of 1")
    qtbot.waitUntil(lambda: is_in_sight(texts))
    assert found_in_sight(texts) == ["[Café]"]
    find(qtbot, texts, "xyz", "Nothing found")
    assert found_in_sight(texts) == []


def test_words_are_found_wherever_a_long_paragraph_is_parted(qtbot: QtBot, panel: SourcesPane) -> None:
    for length in range(3_984, 4_002):
        texts = opened(panel, f"{'w' * length} gradient descent. {'More words. ' * 400}")
        find(qtbot, texts, "gradient descent", "1 of 1")


def test_of_markdown_what_is_seen_is_found(qtbot: QtBot, panel: SourcesPane) -> None:
    texts = opened(panel, MARKDOWN, "/courses/a.md")
    find(qtbot, texts, "moon pulls the water and", "1 of 1")
    qtbot.waitUntil(lambda: is_in_sight(texts))
    assert found_in_sight(texts) == ["[moon pulls the water and]"]
    texts.find_bar.field.clear()
    find(qtbot, texts, "water", "1 of 4")  # neither the link's address nor the language of the code
    for at, line in enumerate(("in the line", "in code", "in a table"), 2):
        QTest.keyClick(texts.find_bar.field, Qt.Key.Key_Return)
        assert texts.find_bar.count.text() == f"{at} of 4"
        qtbot.waitUntil(lambda: is_in_sight(texts))
        assert "[water]" in found_in_sight(texts), line
    assert texts.find_bar.count.text() == "4 of 4"
    texts.find_bar.field.clear()
    find(qtbot, texts, "water_level", "1 of 1")
    texts.find_bar.field.clear()
    find(qtbot, texts, "waterlevel", "1 of 1")


@pytest.mark.parametrize("path", ["/courses/a.txt", "/courses/a.md"])
def test_escape_closes_the_search_before_the_lesson(qtbot: QtBot, panel: SourcesPane, path: str) -> None:
    texts = opened(panel, PLAIN, path)
    find(qtbot, texts, "moon", "1 of 20")
    QTest.keyClick(texts.find_bar.field, Qt.Key.Key_Escape)
    assert not texts.find_bar.isVisible()
    assert texts.view.hasFocus()
    assert found_in_sight(texts) == []
    assert panel.is_reading
    QTest.keyClick(texts.view, Qt.Key.Key_Escape)
    assert not panel.is_reading


def test_the_header_has_a_button_and_another_lesson_ends_the_search(qtbot: QtBot, panel: SourcesPane) -> None:
    texts = opened(panel, PLAIN)
    buttons = panel.reading.findChildren(QToolButton)
    (button,) = (one for one in buttons if one.isVisible() and one.toolTip() == "Find (Ctrl+F)")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert texts.find_bar.field.hasFocus()
    QTest.keyClicks(texts.find_bar.field, "moon")
    qtbot.waitUntil(lambda: texts.find_bar.count.text() == "1 of 20")
    opened(panel, "Another lesson without it.")
    assert not texts.find_bar.isVisible()
    assert found_in_sight(texts) == []


@pytest.mark.parametrize("path", ["/courses/a.txt", "/courses/a.md"])
def test_a_letter_of_a_long_lesson_is_found_without_a_stall(
    qtbot: QtBot, panel: SourcesPane, path: str
) -> None:
    texts = opened(panel, "A sentence of *ten* words about the tide in the sea.\n\n" * 8_000, path)
    qtbot.waitUntil(lambda: "sentence" in texts.view.toPlainText())
    with watched_turns() as turns:
        QTest.keyClick(texts.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(texts.find_bar.field, "t")
        qtbot.waitUntil(lambda: texts.find_bar.count.text().replace(",", "") == "1 of 48000")
        bar = texts.view.verticalScrollBar()
        for _ in range(20):
            bar.triggerAction(bar.SliderAction.SliderPageStepAdd)
            QTest.qWait(1)
    assert turns.busiest < 0.15 * slowness()  # paints included, on any machine
    assert len(found_in_sight(texts)) < 1_000
