"""One library for a class, in the window: published, subscribed to, read, away and back, on a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.domain.shared import ServerState
from app.ui.library.course_model import Role
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.dialog import Dialog
from tests.support.accessible_tree import tree_of
from tests.support.anthropic_server import AnthropicServer
from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.courses import library
from tests.support.publishing import contents, publish
from tests.support.running_window import RunningWindow
from tests.support.shared_window import controller_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from app.domain.shared import ServerAddress
    from tests.support.courses import KeptEmbedder
    from tests.support.running_window import Opener

INK, TIDES, BREAD = "A Short History of Ink", "Tides and Currents", "Bread Baking at Home"
TOKEN = "a-token-of-the-class-of-2026"
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def published(data_dir: Path, embedder: KeptEmbedder, chroma_database: ServerAddress) -> ServerAddress:
    """A database that a teacher has published two courses to."""
    with library(data_dir, embedder) as teacher:
        publish(teacher, chroma_database, INK, TIDES)
    return chroma_database


@pytest.fixture
def proxy(published: ServerAddress) -> Iterator[ChromaProxy]:
    with ChromaProxy(published.url, token=TOKEN) as running:
        yield running


@pytest.fixture
def student(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, published: ServerAddress
) -> Iterator[RunningWindow]:
    """A window on a library without courses, and without the teacher's files."""
    running = RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=tmp_path / "student")
    running.open()
    running.wait_until_ready(samples=False)
    yield running
    running.close()


def name(address: ServerAddress) -> str:
    return f"{address.host} · {address.database}"


def rows(running: RunningWindow) -> list[str]:
    model = running.window.sidebar.tree.courses
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def state(running: RunningWindow) -> ServerState | None:
    libraries = controller_of(running).libraries
    return libraries[0].state if libraries else None


def type_into(field: QWidget, text: str) -> None:
    field.setFocus()
    QTest.keyClicks(field, text)


def press(button: QAbstractButton) -> None:
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)


def nameless(widget: QWidget) -> list[str]:
    """Return what can be reached and has no name for a screen reader."""
    roles = ("Button", "EditableText", "CheckBox", "ComboBox", "Tree", "List")
    return [str(node) for node in tree_of(widget) if str(node.role).endswith(roles) and not node.name]


def subscribe(running: RunningWindow, address: ServerAddress) -> None:
    """Subscribe by the keyboard alone: the first attempt lacks the token."""
    window, controller = running.window, controller_of(running)
    window.actions_["shared_libraries"].trigger()
    running.wait_for(lambda: controller.dialog is not None, "the list")
    assert controller.dialog is not None
    dialog = controller.dialog
    press(dialog.add)
    assert nameless(dialog) == []
    form = dialog.form
    type_into(form.address, address.url)
    press(form.more)
    type_into(form.database, address.database)
    press(dialog.subscribe)
    running.wait_for(lambda: form.focusWidget() is form.token, "the refusal")
    assert "wants a token" in dialog.about.text()
    assert rows(running) == []
    assert form.token.echoMode() is form.token.EchoMode.Password
    type_into(form.token, TOKEN)
    QTest.keyClick(form.token, Qt.Key.Key_Return)
    running.wait_for(lambda: dialog.list.isVisible(), "the catalogue")


def test_a_new_library_may_begin_with_that_of_a_class(
    student: RunningWindow, published: ServerAddress, proxy: ChromaProxy
) -> None:
    welcome, controller = student.window.chat.welcome, controller_of(student)
    [begin] = [one for one in welcome.findChildren(QAbstractButton) if one.text().startswith("Subscribe")]
    student.wait_for(begin.isVisible, "the ways to begin")
    press(begin)
    assert controller.dialog is not None and controller.dialog.form.isVisible()
    controller.dialog.reject()
    controller_of(student).operations.subscribe(proxy.address_of(published), TOKEN).run(student.window)
    student.wait_for(lambda: not begin.isVisible(), "the ways to ask")


def test_a_student_subscribes_and_removes_and_takes_that_back_and_misses_a_course(
    student: RunningWindow,
    published: ServerAddress,
    proxy: ChromaProxy,
    data_dir: Path,
    embedder: KeptEmbedder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    controller = controller_of(student)
    address = proxy.address_of(published)
    subscribe(student, address)
    student.wait_for(lambda: state(student) is ServerState.READY, "the server to be ready")
    assert rows(student) == [name(address), INK, TIDES]
    listed = controller.dialog
    assert listed is not None
    first = listed.list.currentItem()
    assert first is not None and [first.text(column) for column in range(3)] == [
        name(address),
        "2",
        "ready",
    ]
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or TOKEN.encode() not in file.read_bytes(), file
    monkeypatch.setattr(show, "confirm", lambda *_: True)
    press(listed.remove)
    student.wait_for(lambda: rows(student) == [], "the courses to go")
    listed.accept()


def test_shared_courses_are_read_and_asked_and_a_server_that_is_away_hinders_nothing(
    student: RunningWindow, published: ServerAddress, proxy: ChromaProxy
) -> None:
    window, controller = student.window, controller_of(student)
    address = proxy.address_of(published)
    controller_of(student).operations.subscribe(address, TOKEN).run(window)
    student.wait_for(lambda: rows(student) == [name(address), INK, TIDES], "the courses")
    model = window.sidebar.tree.courses
    tides = model.find(TIDES)
    assert tides.data(Role.FILES) == ()
    lesson = model.index(1, 0, tides)
    window.sidebar.lesson_requested.emit(
        TIDES, lesson.data(Role.LESSON_NUMBER), lesson.data(Role.LESSON_TITLE)
    )
    reading = window.sources.reading
    student.wait_for(lambda: "their pull adds up" in reading.text.toPlainText(), "the lesson")
    assert reading.reason.text() == f"This lesson is on {address.host}." and reading.reason.isVisible()
    assert not reading.open_file.isVisible()

    student.ask("When do spring tides come?")
    exchange = window.chat_controller.exchange(window.chat_controller.last_exchange_id)
    assert exchange is not None and exchange.sources[0].hit.course_title == TIDES
    window.sources.show_exchange(exchange)
    window.sources.activate(1)
    shown = [label.text() for label in window.sources.findChildren(QLabel)]
    assert any(text.endswith(f"on {address.host}") for text in shown)

    proxy.fault = Fault(status=503)
    student.ask("Why is it away?")
    student.wait_for(lambda: state(student) is ServerState.AWAY, "the server to be away")
    controller.open()
    assert controller.dialog is not None
    press(controller.dialog.check)
    student.wait_for(lambda: state(student) is ServerState.CHECKING, "the check")
    student.wait_for(lambda: state(student) is ServerState.AWAY, "the server to be away")
    assert rows(student) == [name(address), INK, TIDES], "the last catalogue is kept"
    assert "Your own courses are searched as usual." in controller.dialog.about.text()
    student.ask("What is a neap tide?")
    proxy.fault = None
    press(controller.dialog.check)
    student.wait_for(lambda: state(student) is ServerState.READY, "the server to be back")
    controller.dialog.accept()


@pytest.mark.slow
def test_an_answer_of_a_model_says_which_courses_it_was_written_without(
    qtbot: QtBot,
    tmp_path: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
    published: ServerAddress,
    proxy: ChromaProxy,
) -> None:
    address = proxy.address_of(published)
    said = f"The courses on {address.host} were not searched."
    with AnthropicServer() as server:
        folder, key = tmp_path / "student", server.key
        running = RunningWindow(
            tmp_path, model_cache, embedder=embedder, data_dir=folder, base_url=server.url, key=key
        )
        running.open()
        running.wait_until_ready(samples=False)
        controller_of(running).operations.subscribe(address, TOKEN).run(running.window)
        running.wait_for(lambda: len(rows(running)) == 3, "the courses")
        transcript = running.window.chat.transcript
        running.ask("When do spring tides come?")
        proxy.fault = Fault(status=503)
        running.ask("What is a neap tide?")
        running.wait_for(lambda: said in transcript.toPlainText(), "what was not searched")
        assert transcript.toPlainText().count(said) == 1, "not below the answer before"
        running.close()


def test_a_teacher_publishes_stops_and_sees_what_has_changed(
    open_window: Opener, chroma_database: ServerAddress
) -> None:
    running = open_window()
    controller = controller_of(running)
    running.window.actions_["publish"].trigger()
    dialog = controller.publishing
    assert dialog is not None and not dialog.isModal() and nameless(dialog) == []
    form, courses = dialog.form, dialog.list
    assert not dialog.chosen and not dialog.publish.isEnabled(), "nothing is chosen for anybody"
    type_into(form.address, chroma_database.url)
    press(form.more)
    type_into(form.database, chroma_database.database)
    courses.setFocus()
    courses.setCurrentItem(courses.findItems(INK, Qt.MatchFlag.MatchExactly)[0])
    QTest.keyClick(courses, Qt.Key.Key_Space)
    assert list(dialog.chosen) == [INK]
    press(dialog.publish)
    press(dialog.stop)
    running.wait_for(lambda: not dialog.is_publishing, "the end")
    assert dialog.state.text().startswith("Stopped.") and dialog.publish.text() == "Resume"
    press(dialog.publish)
    running.wait_for(lambda: dialog.state.text().startswith("Published."), "the course to be published")
    assert set(contents(chroma_database)) == {INK}
    press(dialog.publish)
    running.wait_for(
        lambda: courses.findItems(INK, Qt.MatchFlag.MatchExactly)[0].text(1) == "unchanged", "the second time"
    )
    dialog.accept()
    running.window.actions_["publish"].trigger()
    again = controller.publishing
    assert again is not None and again.chosen == (INK,)
    assert again.form.chosen() == chroma_database
    again.accept()

    running.workers.library.change(
        "Removing", lambda rag, token: rag.courses.remove_courses((INK,), token)
    ).run(running.window)
    running.wait_for(lambda: INK not in rows(running), "the course to go")
    running.window.actions_["publish"].trigger()
    last = controller.publishing
    assert last is not None and last.chosen == ()
    for title in (TIDES, BREAD):
        last.list.setCurrentItem(last.list.findItems(title, Qt.MatchFlag.MatchExactly)[0])
        QTest.keyClick(last.list, Qt.Key.Key_Space)
    press(last.publish)
    running.wait_for(lambda: last.state.text().startswith("Published."), "all courses to be published")
    assert set(contents(chroma_database)) == {TIDES, BREAD}
    assert last.list.findItems(INK, Qt.MatchFlag.MatchExactly)[0].text(1) == "removed"
    press(last.publish)
    running.window.close()
    assert controller.publishing is None, "it goes with the window"


def test_a_teacher_removes_a_course_from_the_server(
    open_window: Opener, published: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = open_window()
    controller = controller_of(running)
    controller_of(running).operations.subscribe(published, "").run(running.window)
    running.wait_for(lambda: bool(controller.libraries), "the subscription")
    running.window.actions_["publish"].trigger()
    dialog = controller.publishing
    assert dialog is not None and not dialog.remove.isEnabled()
    asked: list[str] = []

    def confirm(*arguments: object) -> bool:
        asked.append(str(arguments[2]))
        return len(asked) > 1

    monkeypatch.setattr(show, "confirm", confirm)
    courses = dialog.list
    bread, ink = (courses.findItems(title, Qt.MatchFlag.MatchExactly)[0] for title in (BREAD, INK))
    ink.setCheckState(0, Qt.CheckState.Checked)
    press(dialog.remove)
    assert asked[0].endswith(f"\n\n{INK}") and not dialog.is_publishing
    bread.setCheckState(0, Qt.CheckState.Checked)
    press(dialog.remove)
    running.wait_for(lambda: not dialog.is_publishing, "the refusal")
    assert dialog.state.text().startswith(f"“{BREAD}” does not name one course on the server.")
    assert dialog.publish.text() == "Publish" and set(contents(published)) == {INK, TIDES}
    bread.setCheckState(0, Qt.CheckState.Unchecked)
    press(dialog.remove)
    running.wait_for(lambda: dialog.state.text() == "Removed from the server.", "the removal")
    assert ink.text(1) == "removed" and set(contents(published)) == {TIDES}
    assert not dialog.publish.hasFocus(), "Enter would publish it again"


def test_servers_are_asked_again_every_ten_minutes(
    student: RunningWindow, published: ServerAddress, proxy: ChromaProxy
) -> None:
    window, controller = student.window, controller_of(student)
    address = proxy.address_of(published)
    controller_of(student).operations.subscribe(address, TOKEN).run(window)
    student.wait_for(lambda: state(student) is ServerState.READY, "the subscription")
    [timer] = controller.findChildren(QTimer)
    assert timer.isActive() and timer.interval() == 600_000
    checks: list[ServerState] = []
    student.workers.shared_listed.connect(lambda libraries: checks.append(libraries[0].state))

    def done(times: int) -> bool:
        return checks == [ServerState.CHECKING, ServerState.READY] * times

    for _ in range(2):
        timer.timeout.emit()
    student.wait_for(lambda: done(1), "the one check after ten minutes")
    controller.check(address)
    student.wait_for(lambda: done(2), "the check that was asked for, and no other")


def test_who_has_no_courses_is_offered_to_add_some(student: RunningWindow) -> None:
    wanted: list[None] = []
    controller = controller_of(student)
    controller.add_folder_requested.disconnect()  # it would open the system's dialog, and wait
    controller.add_folder_requested.connect(lambda: wanted.append(None))
    student.window.actions_["publish"].trigger()
    assert controller.publishing is None
    [offer] = [one for one in student.window.findChildren(Dialog) if one.isVisible()]
    assert "Sample courses are not published." in " ".join(one.text() for one in offer.findChildren(QLabel))
    QTest.keyClick(offer, Qt.Key.Key_Return)
    assert wanted == [None]
