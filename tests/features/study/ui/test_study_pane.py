"""The Study pane in the place of the chat: the ways in and back, and what stays as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLabel

from app.features.study.model.names import ItemKind, ItemText
from app.features.study.ui.items_list import ITEM_ROLE, EditDialog
from app.features.study.ui.items_page import ItemsPage
from app.features.study.ui.overview import OverviewPage
from app.features.study.ui.text_pages import TextPage
from app.ui.widgets.messages import install_translations
from tests.support.study import BREAD_TITLE, MOON, SCALE, STARTER, TIDES_TITLE, add_item, item_on, study_of
from tests.support.study_window import shows_study, study_controller, study_jobs, study_pane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from tests.support.running_window import Opener, RunningWindow


@pytest.fixture
def running(open_window: Opener) -> Iterator[RunningWindow]:
    """A window with three items in the deck of one course and one in that of another."""
    running = open_window()
    repository, rag = study_of(running.rag).repository, running.rag
    baking = [
        item_on(rag, BREAD_TITLE, STARTER),
        item_on(rag, BREAD_TITLE, SCALE, ItemKind.CHOICE, "What matters most?", "A scale", ("An oven",)),
        item_on(rag, BREAD_TITLE, STARTER, ItemKind.CLOZE, "A starter is flour and {{c1::water}}.", ""),
    ]
    repository.add(repository.deck_of(BREAD_TITLE), [replace(baking[0], automatic=True), *baking[1:]])
    repository.add(repository.deck_of(TIDES_TITLE), [item_on(rag, TIDES_TITLE, MOON, front="What pulls?")])
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: len(study_pane(running.window).decks) == 2, "the decks")
    running.activate()
    yield running


def items_page(running: RunningWindow) -> ItemsPage:
    """Open the list of the deck on bread."""
    study_controller(running.window).show_page("items", BREAD_TITLE)
    page = study_pane(running.window).page("items")
    assert isinstance(page, ItemsPage)
    running.wait_for(lambda: len(listed(page)) == 3, "the items")
    return page


def listed(page: ItemsPage) -> list[str]:
    """Return what is asked in the list, without the lessons."""
    model = page.list.model()
    rows = (model.index(row, 0, QModelIndex()) for row in range(model.rowCount()))
    return [row.data() for row in rows if row.data(ITEM_ROLE) is not None]


def deck_sizes(running: RunningWindow) -> dict[str, int]:
    return {deck.course_title: deck.items for deck in study_pane(running.window).decks}


def choose(page: ItemsPage, text: str) -> None:
    model = page.list.model()
    rows = (model.index(row, 0, QModelIndex()) for row in range(model.rowCount()))
    page.list.setCurrentIndex(next(row for row in rows if row.data() == text))


def press(running: RunningWindow, key: Qt.Key) -> None:
    QTest.keyClick(running.window.focusWidget() or running.window, key)


def test_the_chat_keeps_its_draft_and_esc_leads_back_to_it(running: RunningWindow) -> None:
    window = running.window
    edit = window.chat.composer.edit
    edit.setFocus()
    QTest.keyClicks(edit, "Half a quest")
    press(running, Qt.Key.Key_F8)
    assert shows_study(window) and window.windowTitle() == "Study – Lectern"
    assert not window.chat.isVisible()
    assert window.side.isVisible(), "the sidebar stays"
    window.actions_["study_items"].trigger()
    press(running, Qt.Key.Key_Escape)
    assert not shows_study(window)
    assert edit.hasFocus() and edit.toPlainText() == "Half a quest"
    press(running, Qt.Key.Key_F8)
    assert study_pane(window).current == "items", "the page that was left"
    window.actions_["focus_question"].trigger()
    assert edit.hasFocus()


def test_the_keyboard_stays_on_its_deck_as_decks_change(running: RunningWindow) -> None:
    study_controller(running.window).show_page("overview")
    overview = study_pane(running.window).page("overview")
    assert isinstance(overview, OverviewPage)
    overview.list.setFocus()
    press(running, Qt.Key.Key_Down)
    add_item(running.rag, TIDES_TITLE, MOON)
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: deck_sizes(running)[TIDES_TITLE] == 2, "one more item")
    assert overview.list.currentIndex().data() == TIDES_TITLE
    press(running, Qt.Key.Key_Return)
    assert study_pane(running.window).deck_choice.currentText() == TIDES_TITLE


def test_the_source_of_an_item_is_marked_beside_the_pane(running: RunningWindow) -> None:
    page = items_page(running)
    choose(page, "What matters most?")
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    reading = running.window.sources.reading
    running.wait_for(lambda: reading.isVisible() and SCALE in reading.text.toPlainText(), "the lesson")
    marked = [one.cursor.selectedText() for one in reading.text.extraSelections()]
    assert SCALE in marked
    running.wait_for(reading.text.hasFocus, "the keyboard in the lesson")
    QTest.keyClick(reading.text, Qt.Key.Key_Escape)
    running.wait_for(page.list.hasFocus, "the keyboard in the list again")
    assert not running.window.sources.isVisible()
    assert shows_study(running.window)


def test_the_sources_of_the_chat_are_away_while_studying(running: RunningWindow) -> None:
    window = running.window
    running.ask("Why is a starter flour and water?")
    running.wait_for(window.sources.isVisible, "the sources")
    page = items_page(running)
    assert not window.sources.isVisible() and not window.actions_["sources"].isEnabled()
    page.open_source.trigger()
    running.wait_for(lambda: window.sources.reading.isVisible(), "the lesson")
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Escape)
    assert not window.sources.isVisible(), "the lesson is closed, and the sources do not take its place"
    window.focus_chat()
    assert window.sources.isVisible() and window.actions_["sources"].isEnabled()


def test_esc_closes_the_source_before_it_leads_back_to_the_chat(running: RunningWindow) -> None:
    page, window = items_page(running), running.window
    page.open_source.trigger()
    reading = window.sources.reading
    running.wait_for(lambda: reading.isVisible() and bool(reading.text.toPlainText()), "the lesson")
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Escape)
    assert not window.sources.isVisible()
    assert shows_study(window) and page.list.hasFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Escape)
    assert not shows_study(window)


def test_a_page_of_nothing_has_the_keyboard_and_a_way_back(open_window: Opener) -> None:
    running = open_window()
    window, pane = running.window, study_pane(running.window)
    running.activate()
    for name in ("items", "guide", "glossary", "progress", "review", "quiz", "stale", "making"):
        window.chat.composer.edit.setFocus()
        study_controller(window).show_page(name)
        assert pane.back.isVisible()
        focus = window.focusWidget()
        assert focus is not None and pane.isAncestorOf(focus) and focus.isVisible(), name
        press(running, Qt.Key.Key_Escape)
        assert not shows_study(window) or pane.current == "overview", name
    press(running, Qt.Key.Key_Escape)
    assert not shows_study(window)


def test_items_are_filtered_edited_deleted_and_brought_back(running: RunningWindow) -> None:
    page = items_page(running)
    assert listed(page) == [
        "What matters most?",
        "What lives in a sourdough starter?",
        "A starter is flour and […].",
    ]
    choose(page, "What lives in a sourdough starter?")
    assert "automatic" in page.detail.toPlainText() and STARTER in page.detail.toPlainText()
    QTest.keyClicks(page.search, "oven scale")
    running.wait_for(lambda: listed(page) == ["What matters most?"], "the filter by words")
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    running.wait_for(lambda: len(listed(page)) == 3, "all items")
    page.kinds.setCurrentText("Gap text")
    assert listed(page) == ["A starter is flour and […]."]
    page.kinds.setCurrentIndex(0)

    choose(page, "What matters most?")
    page.edit.trigger()
    dialog = page.findChild(EditDialog)
    assert dialog is not None
    dialog.fields["others"].setPlainText("A scale")
    assert not dialog.save.isEnabled() and "among the wrong" in dialog.problem.text()
    dialog.fields["others"].setPlainText("An oven\nA bowl")
    dialog.save.click()
    running.wait_for(lambda: "edited" in page.detail.toPlainText(), "the edited item")
    assert "A bowl" in page.detail.toPlainText()

    running.activate()
    page.list.setFocus()
    page.list.selectAll()
    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    assert listed(page) == []
    page.undo_bar.timer.stop()  # on a busy machine the lists may take longer than it is shown
    running.wait_for(lambda: deck_sizes(running) == {TIDES_TITLE: 1}, "the deletion of the deck's last items")
    running.wait_for(lambda: listed(page) == ["What pulls?"], "the other deck")
    QTest.mouseClick(page.undo_bar.undo, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: len(listed(page)) == 3, "the items that came back")
    kept = {item.text for item in study_of(running.rag).items()}
    assert ItemText("What matters most?", "A scale", ("An oven", "A bowl")) in kept


def test_a_suspended_card_is_found_and_taken_up_again(running: RunningWindow) -> None:
    page = items_page(running)
    assert not page.resume.isEnabled()
    card = next(item for item in study_of(running.rag).items() if item.kind is ItemKind.CARD)
    running.window.actions_["study_review"].trigger()
    study_of(running.rag).reviews.suspend(card.item_id)
    study_controller(running.window).show_page("items")
    page.search.setText("SUSPENDED")
    running.wait_for(lambda: listed(page) == [card.text.front], "the one that is suspended")
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    running.wait_for(lambda: listed(page) == [], "that none is suspended")
    page.search.clear()
    running.wait_for(lambda: len(listed(page)) == 3, "all items")
    assert not any(item.suspended for item in study_of(running.rag).items())


def test_items_move_to_the_deck_of_another_course_also_of_one_without_a_deck(running: RunningWindow) -> None:
    page, window = items_page(running), running.window
    page.list.selectAll()
    page.move_to.trigger()
    dialog = page.findChild(QInputDialog)
    assert dialog is not None
    offered = set(dialog.comboBoxItems())
    assert TIDES_TITLE in offered and BREAD_TITLE not in offered
    (empty,) = (
        title for title in offered if title not in {deck.course_title for deck in study_pane(window).decks}
    )
    dialog.setTextValue(empty)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert listed(page) == []
    counts = {TIDES_TITLE: 1, empty: 3}
    running.wait_for(lambda: deck_sizes(running) == counts, "the decks")


def test_all_that_was_deleted_one_after_the_other_is_brought_back(running: RunningWindow) -> None:
    page = items_page(running)
    choose(page, "What matters most?")
    for _ in range(2):
        page.delete.trigger()
    assert page.undo_bar.text.text() == "Deleted 2 items"
    page.undo_bar.timer.stop()  # on a busy machine the deletion may take longer than it is shown
    running.wait_for(lambda: deck_sizes(running) == {BREAD_TITLE: 1, TIDES_TITLE: 1}, "the deletion")
    QTest.mouseClick(page.undo_bar.undo, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: deck_sizes(running) == {BREAD_TITLE: 3, TIDES_TITLE: 1}, "what was deleted")


def test_the_list_keeps_its_place_and_what_is_selected_as_items_come(running: RunningWindow) -> None:
    page = items_page(running)
    repository, rag = study_of(running.rag).repository, running.rag
    more = [item_on(rag, BREAD_TITLE, STARTER, front=f"Question {n}") for n in range(40)]
    deck = repository.deck_of(BREAD_TITLE)
    repository.add(deck, more)
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: len(listed(page)) == 43, "the items")
    choose(page, "Question 20")
    chosen = page.list.currentIndex().data(ITEM_ROLE)
    before = page.list.visualRect(page.list.currentIndex()).top()
    assert page.list.verticalScrollBar().value() > 0
    repository.add(deck, [item_on(rag, BREAD_TITLE, SCALE, front=f"Earlier {n}") for n in range(7)])
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: len(listed(page)) == 50, "more items")
    assert page.list.selected() == [chosen]
    assert page.list.currentIndex().data(ITEM_ROLE) == chosen
    assert page.list.visualRect(page.list.currentIndex()).top() == before


def test_enter_presses_the_button_that_has_the_keyboard(running: RunningWindow) -> None:
    window = running.window
    study_controller(window).show_page("items", BREAD_TITLE)
    study_pane(window).back.setFocus()
    QTest.keyClick(study_pane(window).back, Qt.Key.Key_Return)
    assert not shows_study(window)


def test_the_tabs_fit_a_small_window_and_stay_where_they_are(running: RunningWindow) -> None:
    tabs = study_pane(running.window).tabs
    running.window.resize(800, 600)
    places = set()
    for name in ("overview", "items", "marks", "plan"):
        study_controller(running.window).show_page(name)
        QTest.qWait(0)
        places.add(tabs.y())
        assert tabs.tabRect(tabs.count() - 1).right() <= tabs.width()
    assert len(places) == 1


@pytest.fixture
def english_again(qapp: QApplication) -> Iterator[None]:
    yield
    install_translations(qapp, "en")


@pytest.mark.usefixtures("english_again")
def test_the_study_guide_and_the_glossary_lead_to_the_sentences(running: RunningWindow) -> None:
    repository, rag, window = study_of(running.rag).repository, running.rag, running.window
    point = item_on(rag, BREAD_TITLE, SCALE, ItemKind.POINT, "Tools", "A **scale** beats an oven.")
    other = item_on(rag, BREAD_TITLE, STARTER, ItemKind.POINT, "Starters", "Yeast lives there.")
    term = item_on(rag, BREAD_TITLE, STARTER, ItemKind.TERM, "Sourdough starter", "Flour and water")
    kitchen = item_on(rag, BREAD_TITLE, SCALE, ItemKind.TERM, "Kitchen", "Where a scale stands")
    repository.add(repository.deck_of(BREAD_TITLE), [other, point, term, kitchen])
    study_controller(window).show_page("guide", BREAD_TITLE)
    guide = study_pane(window).page("guide")
    assert isinstance(guide, TextPage)
    running.wait_for(lambda: "Yeast" in guide.view.toPlainText(), "the study guide")
    text = guide.view.toPlainText()
    assert text.index("Tools") < text.index("A scale beats an oven.\u2060 [1]") < text.index("Starters")
    guide.view.setFocus()
    QTest.keyClick(guide.view, Qt.Key.Key_Tab)
    QTest.keyClick(guide.view, Qt.Key.Key_Return)
    reading = window.sources.reading
    running.wait_for(lambda: SCALE in reading.text.toPlainText(), "the lesson")
    assert SCALE in [one.cursor.selectedText() for one in reading.text.extraSelections()]
    study_controller(window).show_page("glossary")
    glossary = study_pane(window).page("glossary")
    assert isinstance(glossary, TextPage)
    running.wait_for(lambda: "Flour and water" in glossary.view.toPlainText(), "the glossary")
    glossary.view.setFocus()
    QTest.keyClick(glossary.view, Qt.Key.Key_Tab)
    QTest.keyClick(glossary.view, Qt.Key.Key_Return)
    running.wait_for(lambda: SCALE in reading.text.toPlainText(), "the lesson of the first term")
    running.activate()
    glossary.open_find()
    QTest.keyClicks(glossary.search, "tide")
    running.wait_for(lambda: not glossary.view.isVisible(), "no such term")
    assert "Nothing found" in [label.text() for label in glossary.findChildren(QLabel) if label.isVisible()]
    assert glossary.search.hasFocus()
    assert glossary.dismiss() and not glossary.dismiss(), "nothing is left to dismiss"
    running.wait_for(glossary.view.isVisible, "all terms again")
