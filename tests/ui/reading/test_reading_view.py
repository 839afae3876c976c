"""The reading view: a lesson with its citations, and the way to it and back."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from app.domain.sources import Citation, LessonText, Source, SourceState
from app.ui.markup.typeset import LiteralSource
from app.ui.widgets.theme import Theme
from tests.support.pace import slowness
from tests.support.side_data import PASSAGE, citation, exchange, source
from tests.support.source_cards import card, marked

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.ui.reading.sources_pane import SourcesPane

LEFT = Qt.MouseButton.LeftButton
QUOTE = "A cached part lives for five minutes and every use renews it."
BEFORE = "A sentence of this lesson that comes before the passage. " * 60 + "\n\n"
AFTER = "\n\n" + "A sentence of this lesson that comes after the passage. " * 60
START = 1000


def lesson(
    of: Source, *, state: SourceState = SourceState.CURRENT, whole: bool = True, exists: bool = True
) -> LessonText:
    """Return the lesson around a passage, as the library would give it."""
    if not whole:
        return LessonText(of, state, of.hit.text, of.hit.start, False, "/courses/course.txt", exists)
    text = BEFORE + PASSAGE + AFTER
    return LessonText(of, state, text, of.hit.start - len(BEFORE), True, "/courses/course.txt", exists)


@pytest.fixture
def panel(panel: SourcesPane) -> SourcesPane:
    panel.window().resize(340, 600)
    return panel


def test_a_title_cannot_turn_the_pane_around(panel: SourcesPane) -> None:
    turned = replace(source(1), hit=replace(source(1).hit, course_title="A\u202egnp.exe\x1b[31m"))
    panel.show_exchange(exchange((turned,), ()))
    seen = [one.text() for one in panel.findChildren(QLabel)] + [card(panel, 1).accessibleName()]
    panel.read(1)
    seen += texts(panel)
    assert sum("A\ufffdgnp.exe\ufffd[31m" in one for one in seen) >= 3
    assert not any(character in one for one in seen for character in "\u202e\x1b")


def highlight_in_sight(panel: SourcesPane) -> bool:
    """Return whether pixels of the highlight's colour are in what the user sees of the lesson."""
    image = panel.reading.text.viewport().grab().toImage()
    wanted = QColor(Theme.light().highlight).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(0, image.width(), 2))


def texts(panel: SourcesPane) -> list[str]:
    return [one.text() for one in panel.reading.findChildren(QLabel) if one.isVisible() and one.text()]


def button(panel: SourcesPane, text: str) -> QPushButton:
    found = [one for one in panel.reading.findChildren(QPushButton) if one.text() == text and one.isVisible()]
    assert len(found) == 1
    return found[0]


def open_first(qtbot: QtBot, panel: SourcesPane, *citations: Citation, sources: tuple[Source, ...]) -> None:
    """Show an answer and read its source 1 by the keyboard."""
    panel.show_exchange(exchange(sources, citations))
    panel.activate(1)
    qtbot.waitUntil(card(panel.list, 1).hasFocus)
    with qtbot.waitSignal(panel.reading.lesson_requested) as asked:
        QTest.keyClick(card(panel.list, 1), Qt.Key.Key_Return)
    assert asked.args == [sources[0]]
    assert panel.is_reading
    assert not panel.reading.notice.isVisible()


def test_enter_on_a_card_opens_the_lesson_at_the_cited_sentence(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    open_first(qtbot, panel, citation(found, QUOTE), sources=(found,))
    panel.reading.show_lesson(lesson(found))
    qtbot.waitUntil(lambda: highlight_in_sight(panel))
    assert marked(panel.reading.text) == (QUOTE,)
    whole = BEFORE + PASSAGE + AFTER
    qtbot.waitUntil(lambda: panel.reading.text.toPlainText().replace("\u200b", "").lstrip() == whole)
    assert panel.reading.text.hasFocus()
    assert "Building Towards Computer Use" in texts(panel)
    assert "Lesson 5: Prompt Caching" in texts(panel)
    assert panel.reading.position.text() == "1 of 1"


def test_a_click_on_read_in_lesson_does_the_same(qtbot: QtBot, panel: SourcesPane) -> None:
    panel.show_exchange(exchange((source(1),), ()))
    read = next(b for b in card(panel.list, 1).findChildren(QPushButton) if b.text() == "Read in lesson")
    with qtbot.waitSignal(panel.reading.lesson_requested):
        QTest.mouseClick(read, LEFT)
    assert panel.is_reading


@pytest.mark.parametrize("how", ["button", "escape", "alt left"])
def test_the_way_back_leads_to_the_source(qtbot: QtBot, panel: SourcesPane, how: str) -> None:
    found = source(1)
    open_first(qtbot, panel, sources=(found, source(2)))
    panel.reading.show_lesson(lesson(found))
    if how == "button":
        QTest.mouseClick(button(panel, "Sources"), LEFT)
    elif how == "escape":
        QTest.keyClick(panel.reading.text, Qt.Key.Key_Escape)
    else:
        QTest.keyClick(panel.reading.text, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert not panel.is_reading
    qtbot.waitUntil(card(panel.list, 1).hasFocus)


def test_from_citation_to_citation_across_lessons(qtbot: QtBot, panel: SourcesPane) -> None:
    first, second = source(1), replace(source(2), hit=replace(source(2).hit, document_id=2))
    marks = (
        citation(first, QUOTE),
        replace(citation(second, "What changes with each question goes last"), answer_end=40),
        replace(citation(first, "Put what never changes first"), answer_end=60),
    )
    open_first(qtbot, panel, *marks, sources=(first, second))
    panel.reading.show_lesson(lesson(first))
    assert set(marked(panel.reading.text)) == {QUOTE, "Put what never changes first"}
    assert panel.reading.position.text() == "1 of 3"
    assert not panel.reading.previous.isEnabled()
    with qtbot.waitSignal(panel.reading.lesson_requested) as asked:
        QTest.mouseClick(panel.reading.next, LEFT)
    assert asked.args == [second]
    assert panel.reading.text.toPlainText() == ""
    assert not panel.reading.open_file.isEnabled()
    panel.reading.show_lesson(lesson(first))  # came too late
    assert panel.reading.text.toPlainText() == ""
    panel.reading.show_lesson(lesson(second))
    qtbot.waitUntil(lambda: highlight_in_sight(panel))
    assert marked(panel.reading.text) == ("What changes with each question goes last",)
    QTest.keyClick(panel.reading.text, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    panel.reading.show_lesson(lesson(first))
    assert panel.reading.position.text() == "3 of 3"
    assert not panel.reading.next.isEnabled()
    with qtbot.waitSignal(panel.reading.lesson_requested):
        QTest.keyClick(panel.reading.text, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert panel.reading.position.text() == "2 of 3"


def test_within_one_lesson_nothing_is_asked_for_again(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    marks = (citation(found, QUOTE), replace(citation(found, "Put what never changes first"), answer_end=40))
    open_first(qtbot, panel, *marks, sources=(found,))
    panel.reading.show_lesson(lesson(found))
    with qtbot.assertNotEmitted(panel.reading.lesson_requested):
        QTest.mouseClick(panel.reading.next, LEFT)
    assert panel.reading.position.text() == "2 of 2"
    qtbot.waitUntil(lambda: highlight_in_sight(panel))


def test_a_mark_activated_while_reading_leads_to_its_lesson(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1), source(2, start=5000)
    open_first(qtbot, panel, sources=found)
    panel.reading.show_lesson(lesson(found[0]))
    with qtbot.waitSignal(panel.reading.lesson_requested) as asked:
        panel.activate(2)
    assert asked.args == [found[1]]
    assert panel.is_reading


def test_a_number_that_quotes_nothing_is_not_blamed_for_a_quotation(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    mark = replace(citation(found, QUOTE, verified=False), cited_text="")
    open_first(qtbot, panel, mark, sources=(found,))
    panel.reading.show_lesson(lesson(found))
    assert "quotation" not in panel.reading.notice.text()


def test_an_unverified_citation_highlights_nothing_and_is_said(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    open_first(qtbot, panel, citation(found, QUOTE, verified=False), sources=(found,))
    panel.reading.show_lesson(lesson(found))
    QTest.qWait(0)
    assert marked(panel.reading.text) == ()
    assert not highlight_in_sight(panel)
    assert "is not in this text" in panel.reading.notice.text()
    assert panel.reading.notice.isVisible()
    assert panel.reading.position.text() == ""


def test_a_citation_that_names_nothing_sent_harms_nothing(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    nothing = Citation(0, 0, 5, 0, 0, "made up", verified=False)
    panel.begin(1)
    panel.add_sources((found,))
    panel.add_citation(nothing)
    panel.activate(0)
    panel.read(0)
    assert not panel.is_reading
    open_first(qtbot, panel, nothing, citation(found, QUOTE), sources=(found,))
    panel.reading.show_lesson(lesson(found))
    assert marked(panel.reading.text) == (QUOTE,)
    assert panel.reading.position.text() == "1 of 1"


@pytest.mark.parametrize(
    ("state", "whole", "said", "badge"),
    [
        (SourceState.CHANGED, False, "The file has changed", "changed since"),
        (SourceState.REMOVED, True, "no longer in the library", "no longer in the library"),
        (SourceState.REMOVED, False, "no longer in the library", "no longer in the library"),
    ],
)
def test_what_became_of_a_file_is_said_and_the_passage_kept(
    qtbot: QtBot, panel: SourcesPane, state: SourceState, whole: bool, said: str, badge: str
) -> None:
    found = source(1)
    with qtbot.waitSignal(panel.check_requested) as asked:
        panel.show_exchange(exchange((found, source(2)), (citation(found, QUOTE),)))
    panel.show_states(asked.args[0], {1: state, 2: SourceState.CURRENT})
    badges = [label for label in card(panel.list, 1).findChildren(QLabel) if label.text() == badge]
    assert len(badges) == 1
    assert badges[0].isVisible()
    assert badge in card(panel.list, 1).accessibleName()
    assert marked(card(panel.list, 1).passage.edit) == (QUOTE,)
    others = [label.text() for label in card(panel.list, 2).findChildren(QLabel) if label.isVisible()]
    assert badge not in others
    panel.read(1)
    panel.reading.show_lesson(lesson(found, state=state, whole=whole))
    assert said in panel.reading.notice.text()
    assert PASSAGE in panel.reading.text.toPlainText()
    assert marked(panel.reading.text) == (QUOTE,)
    assert ("as it was then" in panel.reading.notice.text()) is not whole


def test_states_of_another_answer_are_ignored(panel: SourcesPane) -> None:
    panel.show_exchange(exchange((source(1),), ()))
    panel.show_states(99, {1: SourceState.REMOVED})
    assert "no longer in the library" not in card(panel.list, 1).accessibleName()


def test_the_file_is_opened_on_the_click_only(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    opened: list[str] = []
    panel.reading.file_requested.connect(opened.append)
    open_first(qtbot, panel, sources=(found,))
    panel.reading.show_lesson(lesson(found))
    assert not opened
    QTest.mouseClick(button(panel, "Open file"), LEFT)
    assert opened == ["/courses/course.txt"]


def test_a_missing_file_cannot_be_opened_and_it_is_said_why(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    open_first(qtbot, panel, sources=(found,))
    panel.reading.show_lesson(lesson(found, exists=False))
    assert not button(panel, "Open file").isEnabled()
    assert "The file no longer exists." in texts(panel)
    assert "/courses/course.txt" in button(panel, "Open file").toolTip()


def test_the_lesson_page_is_opened_only_by_a_web_link(
    qtbot: QtBot, panel: SourcesPane, opened_links: list[str]
) -> None:
    found = source(1), source(2, link="javascript:alert(1)")
    open_first(qtbot, panel, sources=found)
    panel.reading.show_lesson(lesson(found[0]))
    QTest.mouseClick(button(panel, "Open lesson"), LEFT)
    assert opened_links == ["https://example.org/5"]
    panel.read(2)
    assert not [
        b for b in panel.reading.findChildren(QPushButton) if b.text() == "Open lesson" and b.isVisible()
    ]


def test_a_look_at_the_library_leaves_the_reader_where_they_are(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    open_first(qtbot, panel, citation(found, QUOTE), sources=(found,))
    panel.reading.show_lesson(lesson(found))
    qtbot.waitUntil(lambda: highlight_in_sight(panel))
    QTest.keyClick(panel.reading.text, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert panel.reading.text.verticalScrollBar().value() == 0
    with qtbot.waitSignal(panel.reading.lesson_requested):
        panel.check()
    panel.reading.show_lesson(lesson(found, state=SourceState.REMOVED))
    QTest.qWait(0)
    assert panel.reading.text.verticalScrollBar().value() == 0
    assert "no longer in the library" in panel.reading.notice.text()


def test_markup_in_a_lesson_is_shown_literally(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    open_first(qtbot, panel, sources=(found,))
    text = "<b>bold</b><img src='file:///etc/passwd'><script>alert(1)</script> &amp;"
    panel.reading.show_lesson(replace(lesson(found), text=text, start=START))
    assert panel.reading.text.toPlainText().lstrip() == text


def test_the_next_answer_closes_the_lesson(qtbot: QtBot, panel: SourcesPane) -> None:
    open_first(qtbot, panel, sources=(source(1),))
    panel.begin(77)
    assert not panel.is_reading
    panel.clear()
    assert not panel.is_reading


def test_another_theme_colours_the_highlight(qtbot: QtBot, panel: SourcesPane) -> None:
    found = source(1)
    open_first(qtbot, panel, citation(found, QUOTE), sources=(found,))
    panel.reading.show_lesson(lesson(found))
    qtbot.waitUntil(lambda: highlight_in_sight(panel))
    panel.set_theme(Theme.dark())
    qtbot.waitUntil(lambda: bool(panel.reading.text.extraSelections()) and not highlight_in_sight(panel))
    (selection,) = panel.reading.text.extraSelections()
    assert selection.format.background().color().name() == Theme.dark().highlight


# ---- long texts ----

SENTENCE = "The quick brown fox jumps over the lazy dog and tells of it at length. "


@pytest.mark.parametrize(
    "text",
    [
        (SENTENCE * 5 + "\n") * 2_900,
        SENTENCE * 14_500,
        "速い茶色の狐がのろまな犬を飛び越える。" * 50_000,
        "x" * 1_000_000,
    ],
    ids=["paragraphs", "one line", "one line without spaces", "one word"],
)
def test_a_megabyte_is_shown_without_holding_up_the_window(
    qtbot: QtBot, panel: SourcesPane, text: str
) -> None:
    at = len(text) * 9 // 10
    quote = text[at : at + 60].replace("\n", " ")
    found = source(1, text[at - 200 : at + 600], start=at - 200)
    cited = Citation(1, 0, 5, at, at + 60, quote, verified=True)
    open_first(qtbot, panel, cited, sources=(found,))
    began = time.thread_time()
    panel.reading.show_lesson(LessonText(found, SourceState.CURRENT, text, 0, True, "/a.txt", True))
    QApplication.processEvents()
    assert time.thread_time() - began < 0.5 * slowness()
    qtbot.waitUntil(lambda: highlight_in_sight(panel))
    (shown,) = marked(panel.reading.text)
    assert shown == text[at : at + 60].strip()


def test_endless_lines_are_broken_behind_sentences() -> None:
    text = ("Ein Satz mit 🦊 darin. " * 400) + "\nEnde 🦊🦊 hier."
    source = LiteralSource(text)
    parts = [text[slice(*source.span(at))] for at in range(len(source))]
    assert "".join(parts) == text
    assert max(map(len, parts)) <= 4_000
    assert all(part.endswith(". ") for part in parts[:-2])
    assert [source.block_at(source.span(at)[0]) for at in range(len(source))] == list(range(len(source)))
