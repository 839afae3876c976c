from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget

from app.ui.reading.passage_view import COLLAPSED_LINES, PassageView
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.side_data import PASSAGE
from tests.support.source_cards import marked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    Show = Callable[..., PassageView]


@pytest.fixture(autouse=True)
def _themed(qapp: QApplication) -> None:
    apply_theme(qapp, Theme.light())


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Callable[..., PassageView]]:
    holders: list[QWidget] = []  # a widget lives no longer than its Python object

    def show(text: str, width: int = 300) -> PassageView:
        holder = QWidget()
        holders.append(holder)
        qtbot.addWidget(holder)
        layout = QVBoxLayout(holder)
        view = PassageView(text)
        layout.addWidget(view)
        layout.addStretch()
        holder.resize(width, 800)
        holder.show()
        qtbot.waitExposed(holder)
        return view

    yield show
    holders.clear()


def plain(view: PassageView) -> str:
    """Return the text behind the empty paragraph at the top."""
    return view.edit.toPlainText().removeprefix("\n")


def has_colour(view: PassageView, colour: str) -> bool:
    image = view.grab().toImage()
    wanted = QColor(colour).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(image.width()))


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (PASSAGE, "A cached part lives for five minutes and every use renews it."),
        ("🙂🙂 Smile first. Then 𝒙 is squared. End.", "Then 𝒙 is squared."),
        ("\n\n  Leading space, then more.\nA new line. 漢字 end  \n", "more.\nA new line. 漢字"),
        ("Il était une fois. שלום עולם. مرحبا.", "שלום עולם."),
    ],
)
def test_exactly_the_cited_characters_are_marked(qtbot: QtBot, shown: Show, text: str, quote: str) -> None:
    view = shown(text)
    start = text.index(quote)
    view.set_highlights([(start, start + len(quote))])
    assert marked(view.edit) == tuple(quote.split("\n"))
    qtbot.waitUntil(lambda: has_colour(view, Theme.light().highlight))


@pytest.mark.parametrize("span", [(0, 13), (4, 13), (6, 13), (7, 13), (0, 7)])
def test_blank_lines_are_not_marked(qtbot: QtBot, shown: Show, span: tuple[int, int]) -> None:
    text = "One.\n\n \nTwo."
    view = shown(text)
    view.set_highlights([span])
    document, bar = view.edit.document(), QColor(Theme.light().highlight).rgb()
    image = view.edit.viewport().grab().toImage()
    for number in (2, 3):
        place = document.documentLayout().blockBoundingRect(document.findBlockByNumber(number)).toRect()
        rows = range(place.top() + 1, place.bottom() - 1)
        assert not any(image.pixel(x, y) == bar for y in rows for x in range(image.width())), number


def test_spans_outside_the_passage_are_cut_and_empty_ones_dropped(qtbot: QtBot, shown: Show) -> None:
    view = shown("  One. Two.  ")
    view.set_highlights([(-50, 6), (7, 400), (3, 3), (900, 950), (-9, -3)])
    assert marked(view.edit) == ("One.", "Two.")
    view.set_highlights([])
    assert marked(view.edit) == ()
    assert not has_colour(view, Theme.light().highlight)


def test_blank_lines_of_a_quotation_are_not_marked(shown: Show) -> None:
    view = shown("First.\n\nSecond\nthird.\n  \n\nLast.")
    view.set_highlights([(0, 34)])
    assert marked(view.edit) == ("First.", "Second", "third.", "Last.")


def test_markup_is_shown_literally(qtbot: QtBot, shown: Show) -> None:
    text = "<b>bold</b> <img src='file:///etc/passwd'> &amp; **stars**"
    assert plain(shown(text)) == text


def test_collapsed_shows_whole_lines_and_expanded_everything(qtbot: QtBot, shown: Show) -> None:
    view = shown(PASSAGE)
    line = view.fontMetrics().height()
    assert view.collapsible
    collapsed = view.height()
    assert COLLAPSED_LINES * line <= collapsed < (COLLAPSED_LINES + 1.5) * line
    view.set_expanded(True)
    assert view.height() >= view.edit.document().size().height()
    view.set_expanded(False)
    assert view.height() == collapsed


def test_a_short_passage_is_shown_whole(qtbot: QtBot, shown: Show) -> None:
    view = shown("One line.\nAnother.")
    assert not view.collapsible
    assert view.height() >= view.edit.document().size().height()


def test_an_empty_passage_takes_no_harm(qtbot: QtBot, shown: Show) -> None:
    view = shown("")
    view.set_highlights([(0, 5)])
    assert marked(view.edit) == ()
    assert view.first_highlight() is None


def test_collapsed_shows_the_cited_sentence(qtbot: QtBot, shown: Show) -> None:
    quote = "What changes with each question goes last"
    view = shown(PASSAGE)
    assert not has_colour(view, Theme.light().highlight)
    view.set_highlights([(PASSAGE.index(quote), PASSAGE.index(quote) + len(quote))])
    qtbot.waitUntil(lambda: has_colour(view, Theme.light().highlight))
    top, bottom = view.first_highlight() or (-1, -1)
    assert 0 <= top < bottom <= view.height() + view.fontMetrics().height()


def test_citation_that_came_before_the_first_show_is_in_sight(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    view = PassageView(PASSAGE)
    QVBoxLayout(holder).addWidget(view)
    view.set_highlights([(len(PASSAGE) - 40, len(PASSAGE))])
    holder.resize(300, 300)
    holder.show()
    qtbot.waitUntil(lambda: has_colour(view, Theme.light().highlight))


def test_narrower_is_higher_and_nothing_is_clipped(qtbot: QtBot, shown: Show) -> None:
    view = shown(PASSAGE + " " + "x" * 400, 400)
    view.set_expanded(True)
    wide = view.height()
    view.window().resize(250, 2000)
    qtbot.waitUntil(lambda: view.height() > wide)
    assert view.height() >= view.edit.document().size().height()
    assert view.edit.document().size().width() <= view.width()


def test_text_is_selected_by_mouse_and_copied(qtbot: QtBot, shown: Show) -> None:
    view = shown(PASSAGE)
    view.set_expanded(True)
    first, last = QPoint(1, 6), QPoint(view.width() - 2, view.height() - 3)
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mousePress(view.edit.viewport(), left, none, first)
    QTest.mouseMove(view.edit.viewport(), last)
    QTest.mouseRelease(view.edit.viewport(), left, none, last)
    QTest.keyClick(view.edit, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == PASSAGE


def test_text_cannot_be_changed(qtbot: QtBot, shown: Show) -> None:
    view = shown(PASSAGE)
    view.edit.setFocus()
    QTest.keyClicks(view.edit, "x")
    QTest.keyClick(view.edit, Qt.Key.Key_Backspace)
    assert plain(view) == PASSAGE


def test_the_wheel_scrolls_what_the_passage_lies_in(qtbot: QtBot) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    inside = QWidget()
    layout = QVBoxLayout(inside)
    views = [PassageView(PASSAGE) for _ in range(20)]
    for view in views:
        layout.addWidget(view)
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.resize(300, 300)
    area.show()
    qtbot.waitExposed(area)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    window = area.windowHandle()
    at = views[0].mapTo(area, views[0].rect().center())
    QTest.wheelEvent(window, QPointF(at), QPoint(0, -240))
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > 0)
