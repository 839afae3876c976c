"""Making study material in the window: by a model, and without one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel

from app.domain.messages import Message
from app.domain.model_servers import Spending
from app.features.study.making import MakeEstimate
from app.features.study.model.names import ItemKind
from app.features.study.ui.make_dialog import MakeDialog
from app.features.study.ui.making_page import MakingPage
from tests.support.courses import ingest, library
from tests.support.making import BIRDS, FACTS, Teacher, write_birds
from tests.support.running_window import RunningWindow
from tests.support.scripted_turns import Gate, Text, Turn, Wait
from tests.support.study import study_of
from tests.support.study_window import shows_study, study_pane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from pytestqt.qtbot import QtBot

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.courses import KeptEmbedder

_GOATS = "The slopes above the valley are green in spring, and people graze their goats there until winter."
VOLCANOES = f"""Course Title: Volcanoes

Lesson 1: Below the ground

**magma**: the substance that people of the valley fear the most

{_GOATS} {_GOATS}
"""


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory, embedder: KeptEmbedder) -> Path:
    """A closed library of a course of five lessons, and one that marks a term."""
    place = tmp_path_factory.mktemp("birds")
    folder = write_birds(place / "courses")
    (folder / "volcanoes.md").write_text(VOLCANOES, encoding="utf-8")
    with library(place / "data", embedder) as rag:
        ingest(rag, folder)
    return place / "data"


@pytest.fixture
def open_birds(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, birds: Path
) -> Iterator[Callable[[AnthropicServer | None], RunningWindow]]:
    """Open a window on a copy of that library."""
    data_dir = Path(shutil.copytree(birds, tmp_path / "data"))
    opened: list[RunningWindow] = []

    def open_one(server: AnthropicServer | None) -> RunningWindow:
        url, key = (server.url, server.key) if server else ("", "")
        running = RunningWindow(
            tmp_path, model_cache, base_url=url, key=key, embedder=embedder, data_dir=data_dir
        )
        opened.append(running)
        running.open()
        running.wait_until_ready(samples=False)
        return running

    yield open_one
    for running in opened:
        running.close()


def dialog_of(running: RunningWindow) -> MakeDialog:
    running.window.actions_["study_make"].trigger()
    dialog = running.window.findChild(MakeDialog)
    assert dialog is not None
    return dialog


def page_of(running: RunningWindow) -> MakingPage:
    page = study_pane(running.window).page("making")
    assert isinstance(page, MakingPage)
    return page


def test_a_model_makes_cards_whose_sentences_stand_in_the_course(
    open_birds: Callable[[AnthropicServer | None], RunningWindow], server: AnthropicServer
) -> None:
    running = open_birds(server)
    server.answer_with(Teacher(bad=1))
    dialog = dialog_of(running)
    assert dialog.origin.currentText() == BIRDS
    dialog.kinds[ItemKind.CLOZE].setChecked(False)
    dialog.number.setValue(5)
    running.wait_for(lambda: "passages" in dialog.cost.text(), "the price")
    assert "$" in dialog.cost.text()
    dialog.make.click()
    page = page_of(running)
    running.wait_for(lambda: not page.is_running, "the end")
    items = study_of(running.rag).items()
    assert len(items) == 5 and {item.quote for item in items} <= FACTS.keys()
    assert page.bar.isHidden() and "5" in page.sentence.text()
    assert "passages covered" in page.sentence.text()
    assert "Cost: $" in page.details.text()
    running.wait_for(lambda: study_pane(running.window).decks[0].items == 5, "the deck")
    page.show_deck_button.click()
    assert study_pane(running.window).current == "items"


def test_what_is_being_made_goes_on_in_the_chat_and_can_be_stopped(
    open_birds: Callable[[AnthropicServer | None], RunningWindow], server: AnthropicServer
) -> None:
    running, gate, teacher = open_birds(server), Gate(), Teacher()

    def held(body: dict[str, Any]) -> Turn:
        turn = teacher(body)
        return Turn(*turn.items[:2], Wait(gate), *turn.items[2:], stop_reason=turn.stop_reason)

    server.answer_with(held)
    dialog = dialog_of(running)
    dialog.make.click()
    page, window = page_of(running), running.window
    running.wait_for(lambda: page.list.model().rowCount() > 1, "the first item")
    window.actions_["focus_question"].trigger()
    assert not shows_study(window)
    assert page.is_running
    window.actions_["study_make"].trigger()
    assert shows_study(window) and study_pane(window).current == "making"
    page.stop.click()
    running.wait_for(lambda: not page.is_running, "the end")
    gate.open()
    made = len(study_of(running.rag).items())
    assert 1 <= made <= 2, "what was there when it was stopped"
    running.wait_for(lambda: study_pane(window).decks[0].items == made, "the deck")
    assert "topped" in page.sentence.text() and not page.show_deck_button.isHidden()


def test_what_the_budget_cannot_pay_is_said_before_it_is_begun(
    open_birds: Callable[[AnthropicServer | None], RunningWindow], server: AnthropicServer
) -> None:
    running = open_birds(server)
    running.workers.spent.emit(Spending(dollars=9.999999, budget=10))
    dialog = dialog_of(running)
    running.wait_for(lambda: dialog.make.text() == "Make anyway", "the price")
    dialog.way.setCurrentIndex(1)
    running.wait_for(lambda: "free of charge" in dialog.cost.text(), "the price of the other way")
    assert dialog.make.text() == "Make"
    dialog.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    running.workers.spent.emit(Spending(dollars=10.0, budget=10))
    dialog = dialog_of(running)
    running.wait_for(lambda: "budget is spent" in dialog.cost.text(), "the budget")
    assert not dialog.make.isEnabled()
    dialog.way.setCurrentIndex(1)
    assert dialog.make.isEnabled()
    dialog.reject()


def test_without_a_model_a_course_is_offered_before_the_open_chat(
    open_birds: Callable[[AnthropicServer | None], RunningWindow],
) -> None:
    running = open_birds(None)
    running.ask("What do birds eat?")
    dialog = dialog_of(running)
    assert dialog.origin.currentText() == BIRDS
    assert dialog.origin.findText("The open chat") > 0


def test_what_holds_nothing_to_ask_about_cannot_be_made_from(
    open_birds: Callable[[AnthropicServer | None], RunningWindow], server: AnthropicServer
) -> None:
    running = open_birds(server)
    server.script(Turn(Text("Hello.")))
    running.ask("Hello!")
    dialog = dialog_of(running)
    for is_automatic, said in ((False, "passages"), (True, "0 marked terms, made on this computer")):
        dialog.way.setCurrentIndex(int(is_automatic))
        dialog.origin.setCurrentIndex(dialog.origin.findText("The open chat"))
        running.wait_for(lambda: not dialog.make.isEnabled(), "the answer that nothing can be made")
        assert dialog.cost.text() == (
            "No answer of this chat cites a passage that is still in your own courses."
        )
        dialog.origin.setCurrentIndex(dialog.origin.findText(BIRDS))
        assert dialog.make.isEnabled()
        running.wait_for(lambda said=said: said in dialog.cost.text(), "the price")  # type: ignore[misc]
        assert dialog.make.isEnabled() is not is_automatic
    dialog.show_estimate(MakeEstimate(3, 900, 0.1, Message("study.on_server"), terms=2))
    assert dialog.make.isEnabled()
    assert dialog.cost.text().endswith("not from those on a server.")
    dialog.reject()


def test_without_a_key_what_is_made_is_automatic_and_said_to_be(
    open_birds: Callable[[AnthropicServer | None], RunningWindow],
) -> None:
    running = open_birds(None)
    window = running.window
    window.actions_["study_overview"].trigger()
    overview = study_pane(window).page("overview")
    assert any("marked as automatic" in label.text() for label in overview.findChildren(QLabel))
    dialog = dialog_of(running)
    assert not dialog.kinds[ItemKind.CARD].isEnabled()
    assert not dialog.kinds[ItemKind.CARD].isChecked()
    assert dialog.origin.currentText() == BIRDS, "the first course"
    dialog.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window.sidebar.show_course("Volcanoes")
    dialog = dialog_of(running)
    assert dialog.origin.currentText() == "Volcanoes", "the course that is selected"
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    assert any(text.startswith("On this computer: ") for text in labels), "what would need no key is named"
    assert dialog.request.automatic and set(dialog.request.kinds) == {ItemKind.CLOZE, ItemKind.TERM}
    running.wait_for(lambda: "marked term" in dialog.cost.text(), "the count")
    assert dialog.cost.text() == "1 marked term; for questions about everything else connect a model."
    dialog.make.click()
    page = page_of(running)
    running.wait_for(lambda: not page.is_running, "the end")
    items = study_of(running.rag).items()
    assert "magma" in {item.text.front for item in items}
    assert all(item.automatic for item in items)
    assert page.list.model().rowCount() == len(items) + 1, "with the row of the lesson"
