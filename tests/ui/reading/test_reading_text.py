"""A lesson's text, literal or typeset: it stays at a place until the reader scrolls, and is marked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.markup.typeset import LiteralSource
from app.ui.reading.lesson_view import LessonView
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.pace import slowness

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

TEXT = "\n\n".join(f"Paragraph {number} about the tide and the moon." for number in range(300))
CITED = TEXT.index("Paragraph 200"), TEXT.index("Paragraph 200") + 40


@pytest.fixture(params=[False, True], ids=["literal", "typeset"])
def view(request: pytest.FixtureRequest, qtbot: QtBot) -> LessonView:
    shown = LessonView()
    qtbot.addWidget(shown)
    shown.resize(420, 400)
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_text(TEXT, is_markdown=request.param)
    shown.set_highlights([CITED], None)
    shown.show_position(CITED[0])
    qtbot.waitUntil(lambda: shown.toPlainText().count("Paragraph") == 300)  # drawn part by part
    qtbot.waitUntil(lambda: is_marked(shown, Theme.light()))
    return shown


def is_marked(view: LessonView, theme: Theme) -> bool:
    image = view.viewport().grab().toImage()
    wanted = QColor(theme.highlight).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(0, image.width(), 2))


def test_the_place_stays_in_sight_while_the_width_changes(qtbot: QtBot, view: LessonView) -> None:
    for width in (160, 700):
        view.resize(width, 400)
        qtbot.waitUntil(lambda: is_marked(view, Theme.light()))


def test_a_reader_who_has_scrolled_is_left_where_they_are(qtbot: QtBot, view: LessonView) -> None:
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_PageUp)
    qtbot.waitUntil(lambda: not is_marked(view, Theme.light()))
    view.resize(380, 400)
    for _ in range(5):
        QApplication.processEvents()
    assert not is_marked(view, Theme.light())


def test_marks_take_the_colours_of_a_theme(qtbot: QtBot, view: LessonView) -> None:
    view.set_theme(Theme.dark())
    qtbot.waitUntil(lambda: is_marked(view, Theme.dark()))


def test_lines_stay_short_in_a_wide_view_and_its_middle(view: LessonView) -> None:
    for width, line in ((1600, 680), (1000, 680), (500, 468)):
        view.resize(width, 400)
        QApplication.processEvents()
        inside = view.viewport()
        assert abs(inside.width() - 32 - line) <= 40, "the scroll bar takes some of it"
        left, right = inside.x(), view.width() - inside.geometry().right()
        assert abs(left - right) <= 40


def test_lines_of_plain_text_stand_as_far_apart_as_typeset_ones(
    qapp: QApplication, qtbot: QtBot, view: LessonView
) -> None:
    apply_theme(qapp, Theme.light())
    QApplication.processEvents()
    view.resize(420, 400)
    view.set_text("Long lines are broken. " * 60 + "\n\nThe end.", is_markdown=view.is_markdown)
    qtbot.waitUntil(lambda: "The end." in view.toPlainText())
    cursor = QTextCursor(view.document())
    tops = []
    for _ in range(6):
        tops.append(view.cursorRect(cursor).top())
        cursor.movePosition(QTextCursor.MoveOperation.Down)
    steps = {after - before for before, after in zip(tops[1:], tops[2:], strict=False)}
    assert max(steps) - min(steps) <= 1
    assert max(steps) == pytest.approx(1.55 * Theme.light().body, abs=2)


@pytest.mark.usefixtures("no_collections")
def test_long_lines_are_looked_for_once() -> None:
    text = f"{'word ' * 790}\n" * 260  # a megabyte, in lines that are just not broken
    began = time.thread_time()
    source = LiteralSource(text)
    assert "".join(text[slice(*source.span(at))] for at in range(len(source))) == text
    assert time.thread_time() - began < 0.3 * slowness()  # 2 s when each place in a line was a beginning
