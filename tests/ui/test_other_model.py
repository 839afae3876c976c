"""Another embedding model in the real window: chosen in the settings, or found at start."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from app.config.settings import Settings, load_settings
from app.core.embedding.embedder import Embedder
from app.core.embedding.model_files import find_model
from app.domain.cancel import CancelToken
from app.domain.embedding_models import MULTILINGUAL
from app.domain.events import FileDone
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets import show_dialogs as show
from tests.support.courses import KeptEmbedder, library
from tests.support.file_dialogs import choose_files
from tests.support.hub_server import HubServer
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.conftest import OtherModel

pytestmark = pytest.mark.slow


@pytest.fixture
def open_window(
    qtbot: QtBot, tmp_path: Path, data_dir: Path, other_model: OtherModel
) -> Iterator[Callable[..., RunningWindow]]:
    opened: list[RunningWindow] = []
    shutil.rmtree(other_model.cache / "models" / "hub", ignore_errors=True)  # nothing has been downloaded

    def open_one(embedding_model: str = "") -> RunningWindow:
        folder = other_model.folder if embedding_model else None
        running = RunningWindow(
            tmp_path,
            other_model.cache,
            embedder=KeptEmbedder(folder, other_model.cache),
            settings=Settings(embedding_model=embedding_model),
            data_dir=data_dir,
        )
        opened.append(running)
        running.open()
        running.wait_until_ready(samples=False)
        return running

    yield open_one
    for running in opened:
        running.close()


def open_settings(running: RunningWindow) -> SettingsDialog:
    running.window.open_settings()
    dialog = running.window.findChild(SettingsDialog)
    assert dialog is not None
    return dialog


def choose(dialog: SettingsDialog, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    choose_files(monkeypatch, folder)
    dialog.show_page("languages")
    field = dialog.languages.model
    field.box.setCurrentIndex(field.box.count() - 1)
    field.choose_button.click()


def close(dialog: SettingsDialog) -> None:
    (button,) = (one for one in dialog.findChildren(QPushButton) if one.text() == "Save")
    button.click()


def dimensions(running: RunningWindow) -> set[int]:
    return {len(vector) for vector in running.rag.catalog.courses.vectors().values()}


def shown(running: RunningWindow) -> str:
    return " ".join(label.text() for label in running.window.ingest_status.findChildren(QLabel))


def test_a_model_chosen_in_the_settings_embeds_everything_at_once(
    open_window: Callable[..., RunningWindow],
    tmp_path: Path,
    other_model: OtherModel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.rmtree(find_model(other_model.folder, other_model.cache).graph, ignore_errors=True)
    running = open_window()
    assert dimensions(running) == {384}
    dialog = open_settings(running)
    choose(dialog, monkeypatch, other_model.folder)
    close(dialog)
    running.wait_for(lambda: "Getting ready (first time only)…" in shown(running), "the export", 120)
    running.ask("How is a sourdough starter fed?")
    assert dimensions(running) == {384}, "asked before the new model is ready"
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "embedding to end", 120)
    assert dimensions(running) == {16}
    assert not running.rag.reindex.needed()
    assert load_settings(tmp_path / "settings.json").embedding_model == str(other_model.folder)
    assert "Read 3 files" in shown(running)
    running.ask("How is a sourdough starter fed?")


def test_a_library_of_another_model_is_embedded_again_at_start(
    open_window: Callable[..., RunningWindow], other_model: OtherModel
) -> None:
    running = open_window(str(other_model.folder))
    running.wait_for(
        lambda: dimensions(running) == {16} and not running.window.ingest_controller.is_reading,
        "embedding",
        120,
    )
    assert not running.rag.reindex.needed()
    assert "Read 3 files" in shown(running)
    running.close()
    again = open_window(str(other_model.folder))
    assert not again.window.ingest_controller.is_reading, "what is done is not done again at the next start"


def test_what_was_cut_short_is_done_again_at_the_next_start(
    open_window: Callable[..., RunningWindow], data_dir: Path, other_model: OtherModel
) -> None:
    with library(data_dir, Embedder(None, other_model.cache)) as rag:
        rag.reindex.choose_model(str(other_model.folder))
        events = rag.reindex.run(CancelToken())
        assert any(isinstance(event, FileDone) for event in events)  # the first; no further
        events.close()
    running = open_window()  # with the model that the library was embedded with at first
    running.wait_for(
        lambda: not running.rag.reindex.needed() and not running.window.ingest_controller.is_reading,
        "embedding",
        120,
    )
    assert dimensions(running) == {384}
    assert "Read 3 files" in shown(running)


def test_a_folder_without_a_model_is_refused_in_the_dialog_and_by_the_library(
    open_window: Callable[..., RunningWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = open_window()
    dialog = open_settings(running)
    said: list[str] = []
    monkeypatch.setattr(show, "show_error", lambda _parent, _title, sentence: said.append(sentence))
    choose(dialog, monkeypatch, tmp_path)
    close(dialog)
    running.wait_for(lambda: bool(said), "the folder to be refused")
    assert said.pop().endswith("It has no modules.json, so it is not a sentence-transformers model.")
    assert dialog.isVisible()
    dialog.reject()

    before = running.window.settings
    running.workers.library.save_settings(Settings(embedding_model=str(tmp_path))).run(running.window)
    running.wait_for(lambda: bool(said), "the sentence")
    assert "cannot be used as an embedding model" in said[0]
    assert running.window.settings == before
    assert running.rag.settings.embedding_model == ""
    assert not (tmp_path / "settings.json").exists()


def test_what_was_cancelled_is_offered_and_resumed_with_one_click(
    open_window: Callable[..., RunningWindow], other_model: OtherModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = open_window()
    bar = running.window.offer_bar
    dialog = open_settings(running)
    choose(dialog, monkeypatch, other_model.folder)
    close(dialog)
    ingest = running.window.ingest_controller
    running.wait_for(lambda: ingest.is_reading, "embedding to begin")
    assert not bar.isVisible()
    ingest.cancel()
    running.wait_for(lambda: not ingest.is_reading, "embedding to stop", 120)
    running.wait_for(bar.isVisible, "the offer")
    assert "You can search meanwhile." in bar.text.text()
    running.ask("How is a sourdough starter fed?")
    bar.action.click()
    assert not bar.isVisible()
    running.wait_for(lambda: dimensions(running) == {16} and not ingest.is_reading, "embedding", 120)
    running.ask("How is a sourdough starter fed?")
    assert not bar.isVisible(), "nothing is left to do"


def test_a_model_of_the_hub_is_downloaded_in_view_of_the_user(
    open_window: Callable[..., RunningWindow], other_model: OtherModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HubServer(other_model.folder, "tiny/window") as server:
        server.stand_in(monkeypatch)
        server.hold_after = 100_000
        running = open_window()
        bar, ingest = running.window.offer_bar, running.window.ingest_controller
        dialog = open_settings(running)
        dialog.show_page("languages")
        field = dialog.languages.model
        field.box.setCurrentIndex(field.box.findData(MULTILINGUAL))
        close(dialog)
        running.wait_for(lambda: "Downloading window" in shown(running), "the download", 120)
        running.wait_for(server.holding.is_set, "the middle of it", 120)
        running.ask("How is a sourdough starter fed?")
        assert dimensions(running) == {384}, "asked meanwhile"
        ingest.cancel()
        running.wait_for(lambda: not ingest.is_reading, "the download to stop", 120)
        running.wait_for(bar.isVisible, "the offer to resume")

        server.hold_after = None
        server.go_on.set()
        server.status = 503
        bar.action.click()
        running.wait_for(lambda: "overloaded or out of order (503)" in shown(running), "the reason", 120)
        running.wait_for(bar.isVisible, "the offer to resume")
        assert "overloaded or out of order (503)" in bar.text.text()

        server.status = 0
        bar.action.click()
        running.wait_for(lambda: dimensions(running) == {16} and not ingest.is_reading, "embedding", 120)
    running.ask("How is a sourdough starter fed?")
    assert not bar.isVisible()


GERMAN = (
    "Die Gezeiten entstehen durch die Anziehung von Mond und Sonne. Bei Neumond ist die Flut am höchsten."
)


def read_german(running: RunningWindow, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for lesson in ("Gezeiten", "Strömungen", "Wellen"):
        (folder / f"{lesson}.txt").write_text(f"{lesson}. {GERMAN}", encoding="utf-8")
    running.window.ingest_controller.read([folder])
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "reading", 120)


def test_material_in_another_language_brings_one_offer_of_the_model_for_it(
    open_window: Callable[..., RunningWindow], tmp_path: Path
) -> None:
    running = open_window()
    bar = running.window.offer_bar
    running.ask("How is a sourdough starter fed?")
    assert not bar.isVisible(), "all is in English"
    read_german(running, tmp_path / "Meereskunde")
    running.wait_for(bar.isVisible, "the offer")
    assert "not in English" in bar.text.text()
    assert "488 MB" in bar.text.text()
    read_german(running, tmp_path / "Wetterkunde")
    running.wait_for(bar.isVisible, "the offer, which nobody has declined")
    bar.close_button.click()
    running.ask("How is a sourdough starter fed?")
    assert not bar.isVisible()
    running.close()
    again = open_window()
    again.ask("Wann ist die Flut am höchsten, und warum?")
    assert not again.window.offer_bar.isVisible(), "it is offered once"


def test_the_offer_is_taken_with_one_click(
    open_window: Callable[..., RunningWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    running = open_window()
    bar = running.window.offer_bar
    read_german(running, tmp_path / "Meereskunde")
    running.wait_for(bar.isVisible, "the offer")
    bar.action.click()
    running.wait_for(lambda: "cannot be reached" in shown(running), "the attempt to download", 120)
    assert load_settings(tmp_path / "settings.json").embedding_model == "multilingual"
    running.wait_for(bar.isVisible, "the offer to resume")
    assert bar.action.text() == "Resume"
    bar.close_button.click()
    running.ask("How is a sourdough starter fed?")
    assert not bar.isVisible(), "offered once for each attempt"


def test_questions_in_another_language_bring_the_offer_too(open_window: Callable[..., RunningWindow]) -> None:
    running = open_window()
    for question in ("Wann ist die Flut am höchsten?", "Wie füttert man einen Sauerteig?"):
        running.ask(question)
        assert not running.window.offer_bar.isVisible()
    running.ask("Warum gibt es zweimal am Tag Ebbe und Flut?")
    running.wait_for(running.window.offer_bar.isVisible, "the offer")
