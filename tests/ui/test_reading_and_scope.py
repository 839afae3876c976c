"""From a mark to the sentence in its lesson, and questions restricted to courses, in the real window."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QModelIndex, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QColor, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget

from app.domain.scope import Scope, only_course, taught_so_far
from app.ui.reading.source_card import SourceCard
from app.ui.widgets.theme import Theme
from app.workers.job import Lane
from tests.support.chat_builders import hints, search_all, searched
from tests.support.conversing import ask, chat_text, click_link, click_row, show_chats
from tests.support.quoting import edit
from tests.support.scripted_turns import Cite, Text, ToolUse, Turn, search_results
from tests.support.source_cards import marked
from tests.support.study_window import study_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener, RunningWindow

LEFT = Qt.MouseButton.LeftButton
BREAD, TIDES, INK = "Bread Baking at Home", "Tides and Currents", "A Short History of Ink"
RIVERS = """\
Course Title: Rivers
Course Link: https://example.org/rivers

Lesson 1: Where rivers begin
{filling}
A spring is where ground water comes to light. Many springs together make a brook.
{filling}

Lesson 2: Where rivers end
{filling}
A delta grows where a river drops its mud into a still sea. The Nile has one.
{filling}
"""
SPRING = "A spring is where ground water comes to light. "
DELTA = "A delta grows where a river drops its mud into a still sea. "


@pytest.fixture
def rivers(tmp_path: Path) -> Path:
    file = tmp_path / "rivers" / "rivers.txt"
    file.parent.mkdir()
    write_rivers(file)
    return file


def write_rivers(file: Path, extra: str = "") -> None:
    filling = "Water runs downhill and never tires of it. " * 80
    file.write_text(RIVERS.format(filling=filling) + extra, encoding="utf-8")


def add(running: RunningWindow, file: Path) -> None:
    running.window.ingest_controller.add_paths([file.parent])
    running.wait_until_read()


def in_sight(view: QWidget) -> bool:
    """Return whether pixels of the highlight's colour are in what is seen of ``view``."""
    image = view.grab().toImage()
    wanted = QColor(Theme.light().highlight).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(0, image.width(), 2))


def cards_in_sight(running: RunningWindow) -> bool:
    area = running.window.sources.list.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    return in_sight(area.viewport())


def lesson_in_sight(running: RunningWindow) -> bool:
    return in_sight(running.window.sources.reading.text.viewport())


def press(key: Qt.Key) -> None:
    """Press a key where the focus is."""
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClick(widget, key)


def focused_card() -> SourceCard | None:
    widget = QApplication.focusWidget()
    return widget if isinstance(widget, SourceCard) else None


def block_of(body: dict[str, Any], sentence: str) -> Cite:
    """Return the true citation of a sentence in the results of a request."""
    for number, result in enumerate(search_results(body)):
        for at, block in enumerate(result["content"]):
            if sentence.strip() in block["text"]:
                return Cite(number, at, at + 1)
    message = f"{sentence} was not found"
    raise AssertionError(message)


def ask_about_rivers(running: RunningWindow, server: AnthropicServer) -> None:
    """Get an answer with two good citations, of two lessons, and a false one between them."""

    def answer(body: dict[str, Any]) -> Turn:
        if not search_results(body):
            call = ToolUse("search_course_content", {"query": "springs, and deltas of mud"})
            return Turn(call, stop_reason="tool_use")
        spring, delta = block_of(body, SPRING), block_of(body, DELTA)
        return Turn(
            Text("Springs are ground water.", citations=(spring,)),
            Text(" Deltas are made of gold.", citations=(Cite(delta.result, cited_text="All is gold."),)),
            Text(" Mud makes a delta.", citations=(delta,)),
        )

    server.answer_with(answer)
    ask(running, "Where do rivers begin and end?")


# ---- from a mark to the sentence ----


def test_a_click_on_a_mark_lands_on_the_sentence_in_its_lesson(
    open_window: Opener, server: AnthropicServer, rivers: Path
) -> None:
    running = open_window(server)
    add(running, rivers)
    ask_about_rivers(running, server)
    (conversation,) = running.rag.conversations.all()
    (exchange,) = running.rag.conversations.exchanges(conversation.id)
    made = [one for one in exchange.citations if not one.is_found]
    assert [one.verified for one in made] == [True, False, True]
    first, _, last = (one.source_n for one in made)
    assert first != last
    running.window.actions_["sources"].setChecked(False)
    assert not running.window.sources.isVisible()

    click_link(running, f"[{first}]")
    running.wait_for(lambda: focused_card() is not None, "the card to take the focus")
    running.wait_for(lambda: cards_in_sight(running), "the cited sentence in the pane")
    card = focused_card()
    assert card is not None
    assert card.source.n == first
    assert marked(card.passage.edit) == (SPRING.strip(),)

    QTest.keyClick(card, Qt.Key.Key_Return)
    running.wait_for(lambda: lesson_in_sight(running), "the cited sentence in the lesson")
    reading = running.window.sources.reading
    assert marked(reading.text) == (SPRING.strip(),)
    assert reading.text.toPlainText().lstrip().startswith("Water runs downhill")
    assert reading.text.verticalScrollBar().value() > 0, "the sentence stands far down in the lesson"

    QTest.mouseClick(reading.next, LEFT)
    running.wait_for(lambda: DELTA.strip() in marked(reading.text), "the other lesson")
    running.wait_for(lambda: lesson_in_sight(running), "its sentence")
    assert SPRING not in reading.text.toPlainText()
    assert reading.position.text() == "2 of 2"

    click_link(running, f"[{first}]")
    running.wait_for(lambda: SPRING.strip() in marked(reading.text), "the first lesson again")
    running.wait_for(lambda: lesson_in_sight(running), "its sentence again")
    assert running.window.sources.is_reading


@pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")  # for the tool tip
def test_a_mark_is_opened_by_the_keyboard_alone(
    open_window: Opener, server: AnthropicServer, rivers: Path
) -> None:
    running = open_window(server)
    add(running, rivers)
    ask_about_rivers(running, server)
    transcript = running.window.chat.transcript
    transcript.setFocus()
    running.wait_for(transcript.hasFocus, "the focus")
    running.window.sources.hide()
    for _ in range(2):  # past the link below the question
        QTest.keyClick(transcript, Qt.Key.Key_Right)
    QTest.keyClick(transcript, Qt.Key.Key_Return)
    running.wait_for(lambda: focused_card() is not None, "the card to take the focus")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: lesson_in_sight(running), "the sentence in the lesson")
    keys_work_where_the_focus_is(running)
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: focused_card() is not None, "the way back")


def keys_work_where_the_focus_is(running: RunningWindow) -> None:
    """Search in the chat and in the lesson beside it, and edit a question, each closed by Escape."""
    chat, reading = running.window.chat, running.window.sources.reading
    lesson = QApplication.focusWidget()
    assert lesson is not None
    QTest.keyClick(lesson, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert (chat.search.bar.isVisible(), reading.texts.find_bar.isVisible()) == (False, True)
    press(Qt.Key.Key_Escape)
    chat.transcript.setFocus()
    running.wait_for(chat.transcript.hasFocus, "the focus")
    QTest.keyClick(chat.transcript, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert (chat.search.bar.isVisible(), reading.texts.find_bar.isVisible()) == (True, False)
    press(Qt.Key.Key_Escape)
    assert not chat.search.bar.isVisible()
    chat.transcript.edit_requested.emit(running.window.chat_controller.last_exchange_id)
    running.wait_for(chat.composer.cancel.isVisible, "the question to edit")
    press(Qt.Key.Key_Escape)
    assert not chat.composer.cancel.isVisible()
    assert running.window.sources.is_reading, "Escape in the chat leaves the lesson alone"
    lesson.setFocus()
    running.wait_for(lesson.hasFocus, "the focus")


def test_a_changed_sentence_is_said_and_the_passage_kept(
    open_window: Opener, server: AnthropicServer, rivers: Path
) -> None:
    running = open_window(server)
    add(running, rivers)
    ask_about_rivers(running, server)

    def badges() -> list[str]:
        labels = running.window.sources.findChildren(QLabel)
        return [one.text() for one in labels if one.isVisible() and one.property("role") == "badge"]

    assert badges() == []
    counted: list[int] = []
    study_jobs(running.window).stale_counted.connect(lambda counts, _: counted.append(counts))
    edit(rivers, DELTA, f"Look closely. {DELTA}")
    add(running, rivers)
    running.wait_for(lambda: bool(counted), "the comparison with the library")
    click_link(running, "[1]")
    running.wait_for(lambda: focused_card() is not None, "the card")
    press(Qt.Key.Key_Return)
    reading = running.window.sources.reading
    running.wait_for(lambda: "Look closely." in reading.text.toPlainText(), "the lesson as it is now")
    running.wait_for(lambda: lesson_in_sight(running), "the cited sentence at its new place")
    assert "has changed" not in reading.notice.text() and badges() == []
    edit(rivers, DELTA, DELTA.replace("its mud", "all mud"))
    add(running, rivers)
    running.wait_for(lambda: "has changed" in reading.notice.text(), "what became of the sentence")
    running.wait_for(lambda: lesson_in_sight(running), "the cited sentence")
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: badges() == ["changed since"], "the badge")
    running.window.sources.read(1)
    running.wait_for(lambda: lesson_in_sight(running), "the passage as it was")
    running.window.library_controller.remove_course("Rivers")
    running.wait_for(lambda: "no longer in the library" in reading.notice.text(), "the removal")
    QTest.keyClick(reading.text, Qt.Key.Key_Escape)
    running.wait_for(lambda: "no longer in the library" in badges(), "the badge of the removal")


class FileOpener(QObject):
    """Stands where the system's programs are."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Note what was to be opened."""
        self.opened.append(url.toLocalFile())


def test_the_file_opens_in_the_systems_program_unless_it_is_gone(
    open_window: Opener, server: AnthropicServer, rivers: Path
) -> None:
    running = open_window(server)
    add(running, rivers)
    ask_about_rivers(running, server)
    opener = FileOpener()
    QDesktopServices.setUrlHandler("file", opener, "open")  # type: ignore[arg-type]  # the stub is wrong
    try:
        running.window.sources.read(1)
        reading = running.window.sources.reading
        running.wait_for(lambda: bool(reading.text.toPlainText()), "the lesson")
        assert opener.opened == []
        QTest.mouseClick(reading.open_file, LEFT)
        assert opener.opened == [str(rivers)]
        rivers.unlink()
        running.window.sources.check()
        running.wait_for(lambda: not reading.open_file.isEnabled(), "the file to be missed")
        assert "no longer exists" in reading.reason.text()
    finally:
        QDesktopServices.unsetUrlHandler("file")


# ---- lessons of the sidebar ----


def test_a_lesson_is_read_from_the_sidebar_and_left_again(open_window: Opener) -> None:
    running = open_window()
    window = running.window
    tree, sources = window.sidebar.tree, window.sources
    assert not sources.isVisible()
    course = row_of(running, BREAD)
    tree.setFocus()
    tree.setCurrentIndex(course)
    QTest.keyClick(tree, Qt.Key.Key_Return)
    tree.setCurrentIndex(tree.model().index(1, 0, course))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    running.wait_for(lambda: "wild yeast" in sources.reading.text.toPlainText(), "the lesson")
    assert sources.isVisible()
    assert window.actions_["sources"].isChecked()
    assert "Kneading lines up" not in sources.reading.text.toPlainText()
    assert QApplication.focusWidget() is sources.reading.text
    tree.setCurrentIndex(tree.model().index(2, 0, course))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    running.wait_for(lambda: "Kneading lines up" in sources.reading.text.toPlainText(), "the next lesson")
    press(Qt.Key.Key_Escape)
    assert not sources.isVisible()
    assert tree.hasFocus()


def test_after_a_lesson_of_the_sidebar_the_sources_of_the_answer_are_still_there(
    open_window: Opener,
) -> None:
    running = open_window()
    ask(running, "sourdough starter")
    sources = running.window.sources
    running.wait_for(sources.isVisible, "the sources")
    running.window.sources_controller.read_lesson(TIDES, 2, "Spring tides and neap tides")
    running.wait_for(lambda: "Neap tides come" in sources.reading.text.toPlainText(), "the lesson")
    press(Qt.Key.Key_Escape)
    assert sources.isVisible()
    assert not sources.is_reading
    assert "sourdough" in " ".join(card.text() for card in sources.findChildren(QLabel)).lower()


@contextmanager
def busy(running: RunningWindow, key: str) -> Iterator[None]:
    """Keep jobs of a key waiting."""
    began, done = Event(), Event()

    def wait(*_: object) -> None:
        began.set()
        done.wait(30)

    running.workers.job(Lane.READ, "Waiting", wait, key=key).run(running.workers)
    running.wait_for(began.is_set, "the thread to be busy")
    try:
        yield
    finally:
        done.set()


def test_a_lesson_opens_while_the_library_gets_ready(open_window: Opener) -> None:
    running = open_window()
    text = running.window.sources.reading
    with busy(running, "library"):
        running.window.sources_controller.read_lesson(TIDES, 2, "Spring tides and neap tides")
        running.wait_for(lambda: "Neap tides come" in text.text.toPlainText(), "the lesson")


def test_a_lesson_that_takes_time_to_open_says_so_at_once(open_window: Opener) -> None:
    running = open_window()
    sources = running.window.sources
    with busy(running, "conversations"):
        running.window.sources_controller.read_lesson(TIDES, 2, "Spring tides and neap tides")
        running.wait_for(sources.isVisible, "the pane")
        assert sources.reading.text.placeholderText() == "Opening the lesson…"
        shown = [label.text() for label in sources.findChildren(QLabel) if label.isVisible()]
        assert {TIDES, "Lesson 2: Spring tides and neap tides"} <= set(shown)
    running.wait_for(lambda: "Neap tides come" in sources.reading.text.toPlainText(), "the lesson")


# ---- scope ----


def row_of(running: RunningWindow, title: str) -> QModelIndex:
    model = running.window.sidebar.tree.model()
    return next(model.index(at, 0) for at in range(model.rowCount()) if model.index(at, 0).data() == title)


def tick(running: RunningWindow, title: str) -> None:
    tree, index = running.window.sidebar.tree, row_of(running, title)
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.check_box(index).center())


def scope(running: RunningWindow) -> list[str]:
    return searched(running.window.chat)


def found_courses(running: RunningWindow) -> set[str]:
    (conversation, *_) = running.rag.conversations.all()
    return {s.hit.course_title for s in running.rag.conversations.exchanges(conversation.id)[-1].sources}


def test_a_tick_restricts_search_only_answers_too(open_window: Opener) -> None:
    running = open_window()
    ask(running, "sourdough starter")
    assert BREAD in found_courses(running)
    tick(running, TIDES)
    assert scope(running) == [TIDES]
    ask(running, "sourdough starter")
    assert found_courses(running) == {TIDES}
    tick(running, TIDES)
    assert scope(running) == []
    ask(running, "sourdough starter")
    assert BREAD in found_courses(running)


@pytest.mark.qt_log_ignore("This plugin does not support")  # a list that takes the keyboard
def test_the_scope_is_told_to_the_model_enforced_and_kept(
    open_window: Opener, server: AnthropicServer
) -> None:
    running = open_window(server)
    edit = running.window.chat.composer.edit
    QTest.keyClicks(edit, "What is new? @bread")
    running.wait_for(edit.completion.list.isVisible, "the list of courses")
    QTest.keyClick(edit.completion.list, Qt.Key.Key_Return)
    assert scope(running) == [BREAD]
    server.script(
        Turn(
            ToolUse("search_course_content", {"query": "spring tides", "course_name": TIDES}),
            stop_reason="tool_use",
        ),
        Turn(Text("Nothing here.")),
    )
    QTest.keyClick(edit, Qt.Key.Key_Return)
    running.wait_for(lambda: "Nothing here." in chat_text(running), "the answer")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    first, second = server.message_requests
    sent = str(first["messages"][-1]["content"])
    assert f"restricted this question to “{BREAD}”" in sent
    assert "@" not in sent
    assert "spring tides follow" not in str(second["messages"])
    (conversation,) = running.rag.conversations.all()
    (exchange,) = running.rag.conversations.exchanges(conversation.id)
    assert exchange.question == "What is new?"
    assert exchange.scope == only_course(BREAD)
    assert {source.hit.course_title for source in exchange.sources} == {BREAD}


def test_what_has_been_taught_so_far(open_window: Opener) -> None:
    running = open_window()
    running.window.sidebar.scope_changed.emit(taught_so_far(TIDES, 1))
    assert scope(running) == [f"{TIDES} · up to lesson 1"]
    ask(running, "When do spring tides and neap tides come?")
    (conversation,) = running.rag.conversations.all()
    (exchange,) = running.rag.conversations.exchanges(conversation.id)
    assert exchange.scope == taught_so_far(TIDES, 1)
    assert {source.hit.lesson_number for source in exchange.sources} == {1}
    ticks = running.window.sidebar.tree.model()
    state = ticks.index(2, 0).data(Qt.ItemDataRole.CheckStateRole)
    assert Qt.CheckState(state) is Qt.CheckState.PartiallyChecked


def test_a_conversation_remembers_its_scope(open_window: Opener) -> None:
    running = open_window()
    tick(running, BREAD)
    ask(running, "sourdough starter")
    running.window.new_chat()
    search_all(running.window.chat)
    ask(running, "spring tides")
    assert scope(running) == []
    rows = show_chats(running)
    running.wait_for(lambda: rows.model().rowCount() == 2, "both chats in the list")
    click_row(running, rows, "sourdough starter")
    running.wait_for(lambda: scope(running) == [BREAD], "the scope of the first chat")
    assert running.window.chat_controller.scope == only_course(BREAD)
    click_row(running, rows, "spring tides")
    running.wait_for(lambda: scope(running) == [], "the scope of the second")


def test_a_removed_course_is_dropped_from_the_scope_visibly(open_window: Opener) -> None:
    running = open_window()
    running.window.set_scope(Scope(courses=(INK, BREAD)))
    running.window.library_controller.remove_course(BREAD)
    running.wait_for(lambda: scope(running) == [INK], "the course to leave the scope")
    chat = running.window.chat
    assert f"“{BREAD}”" in hints(chat)
    assert running.window.chat_controller.scope == only_course(INK)
    running.window.library_controller.remove_course(INK)
    running.wait_for(lambda: "Questions now search all courses" in hints(chat), "everything again")
    assert running.window.chat_controller.scope == Scope()
