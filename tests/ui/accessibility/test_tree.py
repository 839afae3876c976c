"""The tree that a screen reader walks, in the main states of the window and in its dialogs."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QDialog, QTabBar

from app.domain.courses import LibraryCounts
from app.domain.events import FileDone, FileStatus, IngestDone, IngestProgress
from app.domain.messages import LITERAL, Message
from app.domain.scope import Scope
from app.features.study.model.names import ItemKind
from app.features.study.ui.items_page import ItemsPage
from app.ui.library.file_dialogs import FailuresDialog
from app.ui.library.plan_dialog import MoveDialog
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.dialog import CrashDialog, MessageDialog
from tests.support.accessible_tree import Node, tree_of
from tests.support.study import BREAD_TITLE, STARTER, add_item
from tests.support.study_window import study_controller, study_jobs, study_pane

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.ui.shell.main_window import MainWindow
    from tests.support.running_window import Opener, RunningWindow

Role = QAccessible.Role
# Parts that only hold others, whose names would be said in vain; and what Qt makes of scroll bars.
FRAMES = {
    Role.Client,
    Role.LayeredPane,
    Role.Border,
    Role.Grip,
    Role.Pane,
    Role.ScrollBar,
    Role.Separator,
    Role.Splitter,
}
PANES = ("SidePanel", "ChatPane", "SourcesPane", "TopBar", "QStatusBar", "QMenuBar")
DIALOGS = ("settings", "files", "trash", "restore_backup", "guide", "shortcuts", "about", "changes", "report")


def nameless(nodes: list[Node]) -> list[str]:
    """Return the nodes that say nothing of themselves though they show or do something."""
    found = []
    for before, node in pairwise([nodes[0], *nodes]):
        shows = node.is_focusable or node.role not in {*FRAMES, Role.StaticText}  # its text is its name
        is_further_column = before.role == node.role == Role.TreeItem
        if not node.name.strip() and shows and not is_further_column:
            found.append(f"{node.role.name} {node.path}")
    return found


def names(nodes: list[Node], role: QAccessible.Role) -> list[str]:
    return [node.name for node in nodes if node.role == role]


def states_of(running: RunningWindow) -> dict[str, list[Node]]:
    """Return the tree in each of the states that a student sees most."""
    window, trees = running.window, {}
    trees["welcome"] = tree_of(window)
    running.ask("What is a sourdough starter?")
    window.set_scope(Scope(courses=(running.rag.courses.all()[0].title,)))
    trees["answer"] = tree_of(window)
    window.chat.open_find()
    trees["find"] = tree_of(window)
    window.chat.search.dismiss()
    window.sources.read(1)
    running.wait_for(lambda: window.sources.reading.isVisible(), "the lesson")
    running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "its text")
    trees["lesson"] = tree_of(window)
    window.search_chats()
    trees["chats"] = tree_of(window)
    window.chat.show_notice("Something failed.", "danger")
    status = window.ingest_status
    status.begin()
    status.handle(IngestProgress("a.md", 3, 40, 0.3, 31.2, 40.0))
    trees["reading"] = tree_of(window)
    unread = FileDone("b.pdf", FileStatus.FAILED, reason=Message(LITERAL, text="This file is empty."))
    status.handle(IngestDone((unread,), LibraryCounts(1, 1, 1), 1.0, 0, 0, to_read=1))
    window.offer_bar.offer("Another model reads more languages.", "Download")
    trees["done"] = tree_of(window)
    return trees


def test_everything_has_a_name_in_every_state(open_window: Opener) -> None:
    running = open_window()
    trees = states_of(running)
    assert {state: found for state, nodes in trees.items() if (found := nameless(nodes))} == {}
    assert all(len(nodes) > 60 for nodes in trees.values())
    panes = {node.path.rpartition("/")[2]: node.name for node in trees["answer"]}
    assert [pane for pane in PANES if not panes.get(pane)] == []
    assert "Reading progress" in names(trees["reading"], Role.ProgressBar)
    assert names(trees["done"], Role.Graphic)[-1] == "Warning"


def test_roles_and_values_say_what_can_be_done(open_window: Opener) -> None:
    running = open_window()
    nodes = states_of(running)["answer"]
    assert {"Courses", "Chats"} <= set(names(nodes, Role.PageTab))
    assert {"Send", "New chat", "Settings"} <= set(names(nodes, Role.Button))
    assert "Question" in names(nodes, Role.EditableText)
    cards = [node for node in nodes if node.path.endswith("/SourceCard")]
    assert cards
    assert all(card.name.startswith("Source ") and card.description for card in cards)
    (bar,) = running.window.side.findChildren(QTabBar)
    assert not nameless(tree_of(bar))


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
@pytest.mark.parametrize("name", DIALOGS)
def test_everything_in_a_dialog_has_a_name(open_window: Opener, name: str) -> None:
    running = open_window()
    seen: list[tuple[str, list[Node]]] = []
    timer = QTimer(interval=50)
    timer.timeout.connect(partial(_look_and_close, running.window, seen))
    timer.start()
    actions = running.window.actions_
    actions[name].trigger()
    running.wait_for(lambda: bool(seen), "the dialog")
    timer.stop()
    title, nodes = seen[0]
    assert title
    assert nameless(nodes) == []
    assert len(nodes) > 3


def test_everything_on_the_pages_of_the_settings_has_a_name(open_window: Opener) -> None:
    running = open_window()
    running.window.open_settings()
    dialog = running.window.settings_controller.dialog
    assert isinstance(dialog, SettingsDialog)
    for page in ("answers", "library", "appearance", "languages", "advanced"):
        dialog.show_page(page)
        QApplication.processEvents()
        assert nameless(tree_of(dialog)) == [], page
    dialog.close()


_PAGES = ("overview", "review", "quiz", "items", "guide", "glossary", "progress", "stale")


def test_everything_on_the_pages_and_in_the_dialogs_of_study_has_a_name(open_window: Opener) -> None:
    running = open_window()
    window, pane = running.window, study_pane(running.window)
    for kind in (ItemKind.CARD, ItemKind.CHOICE, ItemKind.POINT, ItemKind.TERM):
        add_item(running.rag, BREAD_TITLE, STARTER, kind)
    study_jobs(running.window).list_decks().run(window)
    running.wait_for(lambda: len(pane.decks) == 1, "the deck")
    for name in (*_PAGES, "making", "items"):
        study_controller(window).show_page(name)
        running.wait_for(lambda: nameless(tree_of(window)) == [], name)
    page = pane.page("items")
    assert isinstance(page, ItemsPage)
    running.wait_for(page.edit.isEnabled, "the items")
    for action in (
        page.edit,
        page.move_to,
        window.actions_["study_make"],
        window.actions_["study_export"],
    ):
        action.trigger()
        (dialog,) = (one for one in window.findChildren(QDialog) if one.isVisible())
        assert dialog.windowTitle() and nameless(tree_of(dialog)) == []
        dialog.close()


def _look_and_close(window: MainWindow, seen: list[tuple[str, list[Node]]]) -> None:
    found = [one for one in (*window.findChildren(QDialog), QApplication.activeModalWidget()) if one]
    for dialog in found:
        if dialog.isVisible() and dialog.windowTitle():
            seen.append((dialog.windowTitle(), tree_of(dialog)))
            dialog.close()
            return


def test_everything_in_a_problem_has_a_name(qtbot: QtBot) -> None:
    reason = Message(LITERAL, text="This file is empty.")
    dialogs = (
        MessageDialog("Lectern", "Something failed."),
        CrashDialog("Traceback", None),
        FailuresDialog([FileDone("a.pdf", FileStatus.FAILED, reason=reason)]),
        MoveDialog(2, ["Course A"]),
    )
    for dialog in dialogs:
        qtbot.addWidget(dialog)
        dialog.show()
        assert nameless(tree_of(dialog)) == [], type(dialog)
