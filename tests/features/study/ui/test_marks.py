"""Marks in the real window: made in a lesson, drawn there, listed, found, and what is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.domain.sources import Selection
from app.features.study.model.names import ItemKind
from app.features.study.ui.items_list import EditDialog
from app.features.study.ui.items_page import MarksPage
from app.ui.widgets.theme import Theme
from tests.support.quoting import COURSE, edit, write_lessons
from tests.support.set_pages import Setting, made_sentences, set_document
from tests.support.study import study_of
from tests.support.study_window import shows_study, study_controller, study_pane

if TYPE_CHECKING:
    from pathlib import Path

    from app.features.study.model.items import Item
    from app.ui.reading.reading_view import ReadingView
    from tests.support.running_window import Opener, RunningWindow

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MEAN = "The mean is the sum of all values divided by their number."
LARGE = "One very large value pulls it upwards."


def marks(running: RunningWindow) -> list[Item]:
    return list(study_of(running.rag).items(kinds=(ItemKind.MARK,)))


def dialog(running: RunningWindow) -> EditDialog:
    def found() -> list[EditDialog]:
        return [one for one in running.window.findChildren(EditDialog) if one.isVisible()]

    running.wait_for(lambda: bool(found()), "the dialog")
    return found()[0]


def select(running: RunningWindow, text: str) -> ReadingView:
    reading = running.window.sources.reading
    view = reading.text
    running.wait_for(lambda: text in view.toPlainText(), "the lesson")
    start = view.toPlainText().index(text)
    cursor = view.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(start + len(text), QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    return reading


def menu_of(running: RunningWindow, widget: QWidget, at: QPoint) -> dict[str, QMenu]:
    """Open the menu of a place; return it by the names of what can be chosen."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, event)
    running.wait_for(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {action.text().partition("\t")[0]: menu for action in menu.actions() if action.text()}


def choose(menu: dict[str, QMenu], name: str) -> None:
    action = next(one for one in menu[name].actions() if one.text().partition("\t")[0] == name)
    action.trigger()
    menu[name].close()


def has_colour(widget: QWidget, colour: str) -> bool:
    image, wanted = widget.grab().toImage(), QColor(colour).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(0, image.width(), 3))


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_sentence_is_marked_noted_found_and_asked_about(open_window: Opener, tmp_path: Path) -> None:
    running = open_window()
    window, place = running.window, write_lessons(tmp_path)
    running.read(place)
    window.sources_controller.read_lesson(COURSE, 1, "The mean")
    running.wait_for(lambda: window.sources.is_reading, "the lesson")
    reading = select(running, MEAN)
    QTest.keyClick(reading.text, Qt.Key.Key_M, CTRL)
    running.wait_for(lambda: has_colour(reading.text.viewport(), Theme.light().mark), "the mark")
    assert reading.text.accessibleDescription() == "1 mark of yours"
    select(running, LARGE)
    QTest.keyClick(reading.text, Qt.Key.Key_M, CTRL | SHIFT)
    note = dialog(running)
    note.fields["back"].setPlainText("x" * 30_000)
    assert not note.save.isEnabled()
    assert "20,000" in note.problem.text()
    note.fields["back"].setPlainText("Outliers!")
    note.accept()
    running.wait_for(lambda: reading.text.accessibleDescription() == "2 marks of yours", "the note")
    running.wait_for(lambda: [one.text.back for one in marks(running)] == ["", "Outliers!"], "its text")

    # By the menu at its place the mark goes, and comes back by Ctrl+Z.
    area = reading.text.area(reading.text._own[1][0])  # noqa: SLF001
    reading.text.setTextCursor(QTextCursor(reading.text.document()))
    assert area is not None
    menu = menu_of(running, reading.text.viewport(), QPoint(60, area.top() + 5))
    assert "Mark" not in menu, "nothing is selected"
    choose(menu, "Remove mark")
    running.wait_for(lambda: len(marks(running)) == 1, "the mark to go")
    QTest.keyClick(reading.text, Qt.Key.Key_Z, CTRL)
    running.wait_for(lambda: len(marks(running)) == 2, "the mark to come back")

    # By words in the palette; nothing of it stands among what is learnt.
    window.palette_controller.open()
    palette = window.palette_controller.palette
    palette.field.setText("outliers upwards")
    running.wait_for(lambda: palette.rows.rowCount() == 1, "the mark in the palette")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    running.wait_for(lambda: reading.cited is not None, "the place")
    assert study_pane(window).decks == ()

    # Its text changes: it is kept, and said to be stale. A card is made of the other.
    edit(place / "Lesson 1.md", LARGE, "")
    running.read(place)
    running.wait_for(window.notice_bar.isVisible, "the bar")
    study_controller(window).show_page("marks")
    page = study_pane(window).page("marks")
    assert isinstance(page, MarksPage)
    running.wait_for(lambda: page.list.items.total == 2, "the list")
    page.search.setText("outliers")
    gone = "The sentence is no longer in the course."
    running.wait_for(lambda: gone in page.detail.toPlainText(), "the remark")
    page.search.setText("")
    page.kinds.setCurrentIndex(1)
    assert page.kinds.currentText() == COURSE
    _, _, make_card, explain, delete = page.list.actions()
    running.wait_for(lambda: [one.quote for one in page.list.selected()] == [LARGE], "the filter")
    QTest.keyClick(page.list, Qt.Key.Key_Up)
    (chosen,) = page.list.selected()
    assert chosen.quote == MEAN
    make_card.trigger()
    card = dialog(running)
    assert card.fields["back"].toPlainText() == MEAN
    assert (card.windowTitle(), card.problem.text()) == ("New: Card", "")
    assert not card.save.isEnabled()
    card.fields["front"].setPlainText("What is the mean?")
    card.accept()
    running.wait_for(lambda: len(study_pane(window).decks) == 1, "the deck")
    (item,) = study_of(running.rag).items()
    assert (item.quote, item.text.front) == (MEAN, "What is the mean?")

    # Deleted and brought back; then the course explains it.
    delete.trigger()
    running.wait_for(lambda: len(marks(running)) == 1, "the mark to go")
    page.undo_bar.take_back()
    running.wait_for(lambda: len(marks(running)) == 2 and page.list.items.total == 2, "it to come back")
    page._select(chosen.item_id)  # noqa: SLF001
    explain.trigger()
    chat = window.chat_controller
    running.wait_for(lambda: bool(chat.last_exchange_id) and not chat.is_answering, "the answer")
    assert not shows_study(window)
    exchange = chat.exchange(chat.last_exchange_id)
    assert exchange is not None
    assert exchange.question == f"Explain this: “{MEAN}”"
    assert exchange.scope.courses == (COURSE,)
    endless = "values " * 100_000  # such as a lesson that is selected as a whole
    study_controller(window).marks.explain(Selection(chosen.source, 0, endless, endless))
    running.wait_for(lambda: chat.last_exchange_id != exchange.id and not chat.is_answering, "the answer")
    asked = chat.exchange(chat.last_exchange_id)
    assert asked is not None
    assert len(asked.question) < 2_100


@pytest.mark.slow
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_what_is_selected_on_a_page_is_marked_there(open_window: Opener, tmp_path: Path) -> None:
    running = open_window()
    window, reading = running.window, running.window.sources.reading
    path = tmp_path / "seas" / "seas.pdf"
    path.parent.mkdir()
    setting = Setting(lines=14, header="The sea and its tides", size=12)
    path.write_bytes(set_document(made_sentences(40), setting).data)
    running.read(path.parent)
    course = next(one for one in running.rag.courses.all() if str(path) in one.files)
    lesson = course.lessons[0]
    window.sources_controller.read_lesson(course.title, lesson.number, lesson.title)
    pages = reading.pages.view
    running.wait_for(lambda: reading.shows_pages and pages.selection.has_text(1), "the page")
    assert reading.selection() is None
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(pages.viewport(), left, pos=pages.spot(1, 80, 110))
    QTest.mouseMove(pages.viewport(), pages.spot(1, 300, 130))
    QTest.mouseRelease(pages.viewport(), left, pos=pages.spot(1, 300, 130))
    pages.selection.select_word(pages.selection.place(1, 120, 120))  # type: ignore[arg-type]
    words = pages.selection.text()
    assert words
    choose(menu_of(running, pages.viewport(), QPoint(50, 50)), "Mark")
    running.wait_for(lambda: len(marks(running)) == 1, "the mark")
    (mark,) = marks(running)
    assert mark.quote == words
    running.wait_for(lambda: has_colour(pages.viewport(), Theme.light().mark), "the mark on the page")
