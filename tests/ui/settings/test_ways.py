"""The tiles of the ways to a model: their text follows what is there, and one click chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel

from app.config.settings import Settings, load_settings
from app.core.answers.providers import found_servers
from app.core.local_models import service
from app.domain.sources import Support
from app.ui.settings.settings_dialog import SettingsDialog
from tests.support.hub_server import HubServer
from tests.support.model_programs import ModelProgram
from tests.support.running_window import RunningWindow
from tests.support.small_gguf import write_gguf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.ui.settings.answers_page import AnswersPage
    from app.ui.settings.ways import WayTile
    from tests.support.courses import KeptEmbedder

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def open_with(
    qapp: QApplication,
    tmp_path: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
    data_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[..., RunningWindow]]:
    monkeypatch.setattr(found_servers, "_SECONDS", 10.0)  # other tests keep the doubles waiting
    opened: list[RunningWindow] = []

    def open_with(*programs: ModelProgram, key: str = "", settings: Settings | None = None) -> RunningWindow:
        running = RunningWindow(
            tmp_path,
            model_cache,
            key=key,
            embedder=embedder,
            data_dir=data_dir,
            programs=programs,
            settings=settings,
        )
        opened.append(running)
        running.open()
        running.wait_until_ready(samples=False)
        return running

    yield open_with
    for running in opened:
        running.close()


def welcome_tile(running: RunningWindow, way: str) -> WayTile:
    tile = running.window.settings_controller.tiles.tiles[way]
    running.wait_for(lambda: tile.line.text() not in ("", "Looking…"), "the tiles")
    return tile


def settings_dialog(running: RunningWindow) -> SettingsDialog:
    if running.window.settings_controller.dialog is None:
        running.window.open_settings()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    return dialog


def test_one_click_on_the_welcome_chooses_a_model_that_is_ready(
    open_with: Callable[..., RunningWindow], tmp_path: Path
) -> None:
    with ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000), ("llama3.2", 2_000_000_000)) as ollama:
        running = open_with(ollama)
        tile = welcome_tile(running, "Ollama")
        running.wait_for(tile.isVisible, "Ollama to be found")
        assert tile.line.text() == "qwen3:4b (2.5 GB), llama3.2 (2.0 GB)"
        assert not welcome_tile(running, "LM Studio").isVisible(), "the welcome stays calm"
        QTest.mouseClick(tile.button, LEFT)
        running.wait_for(lambda: not tile.isVisible(), "the offer to go")
        saved = load_settings(tmp_path / "settings.json")
        assert (saved.provider, saved.base_url, saved.model, saved.short_prompts) == (
            "anthropic",
            f"http://localhost:{ollama.port}",
            "qwen3:4b",
            True,
        )
        assert running.window.settings_controller.model_button.text() == "qwen3:4b"


def test_the_text_follows_the_state(open_with: Callable[..., RunningWindow]) -> None:
    with ModelProgram("LM Studio", ("a", 0)) as studio:
        running = open_with(studio)
        tile = welcome_tile(running, "LM Studio")
        running.wait_for(lambda: tile.line.text() == "a" and tile.button.text() == "Use", "its model")
        studio.models = [(name, 0) for name in "abcde"]
        running.window.settings_controller.model_button.menu().aboutToShow.emit()
        running.wait_for(lambda: tile.line.text() == "a, b and 3 more", "all of its models")
        studio.models = []
        running.window.settings_controller.ways.look()
        running.wait_for(
            lambda: tile.line.text() == "Running, without a model. Load one in LM Studio.", "no model"
        )
        assert not tile.isVisible(), "there is nothing to do about it on the welcome"
        studio.body = b"<html>"
        running.window.settings_controller.ways.look()
        running.wait_for(lambda: tile.line.text().startswith("Not running"), "another program to be none")


def test_in_the_settings_all_ways_are_there_and_a_click_is_saved_with_the_rest(
    open_with: Callable[..., RunningWindow], tmp_path: Path
) -> None:
    with ModelProgram("llama.cpp", ("qwen.gguf", 1_100_000_000)) as llama:
        running = open_with(llama)
        dialog = settings_dialog(running)
        tiles = dialog.answers.ways.tiles
        running.wait_for(
            lambda: tiles["llama.cpp"].button.text() == "Use",
            "llama.cpp to be found",
        )
        dialog.list.setFocus()
        running.wait_for(dialog.list.hasFocus, "the keyboard")
        for way in ("Claude", "local", "Ollama"):
            QTest.keyClick(dialog, Qt.Key.Key_Tab)
            assert tiles[way].button.hasFocus(), "Tab goes from top to bottom"
        assert all(tile.isVisible() for tile in tiles.values())
        assert tiles["Ollama"].line.text().startswith("Not running, or not installed.")
        assert tiles["Ollama"].button.text() == "Open website"
        QTest.mouseClick(tiles["llama.cpp"].button, LEFT)
        assert tiles["llama.cpp"].line.text() == "In use once you save: qwen.gguf"
        assert not tiles["llama.cpp"].button.isVisible()
        assert dialog.answers.base_url.text() == f"http://localhost:{llama.port}"
        dialog.reject()
        assert not load_settings(tmp_path / "settings.json").base_url, "nothing was saved"
        dialog = settings_dialog(running)
        QTest.mouseClick(dialog.answers.ways.tiles["llama.cpp"].button, LEFT)
        QTest.mouseClick(dialog.save_button, LEFT)
        running.wait_for(lambda: running.window.settings.model == "qwen.gguf", "the settings")
        llama.body = b""
        dialog = settings_dialog(running)
        tile = dialog.answers.ways.tiles["llama.cpp"]
        running.wait_for(lambda: "not running" in tile.line.text(), "that it does not run any more")
        assert tile.line.text().startswith("In use, but")


def test_the_model_menu_names_what_can_be_used_instead(open_with: Callable[..., RunningWindow]) -> None:
    with ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000)) as ollama:
        running = open_with(ollama)
        menu = running.window.settings_controller.model_button.menu()
        running.wait_for(lambda: len(menu.actions()) == 2, "Ollama")
        assert [action.text() for action in menu.actions()] == ["Ollama", "Set up…"]
        menu.actions()[0].trigger()
        running.wait_for(lambda: running.window.settings.model == "qwen3:4b", "the settings")


def test_claude_needs_a_key(open_with: Callable[..., RunningWindow]) -> None:
    running = open_with()
    QTest.mouseClick(welcome_tile(running, "Claude").button, LEFT)
    dialog = settings_dialog(running)
    running.wait_for(dialog.answers.key.edit.hasFocus, "the keyboard to be in the line for the key")
    dialog.reject()


def test_claude_is_one_click_away_where_there_is_a_key(open_with: Callable[..., RunningWindow]) -> None:
    with ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000)) as ollama:
        running = open_with(ollama, key="sk-ant-test")
        menu = running.window.settings_controller.model_button.menu()
        menu.aboutToShow.emit()
        running.wait_for(lambda: menu.actions()[0].text() == "Ollama", "Ollama")
        menu.actions()[0].trigger()
        running.wait_for(lambda: running.window.settings.model == "qwen3:4b", "the settings")
        running.wait_for(lambda: menu.actions()[0].text() == "Claude", "Claude")
        menu.actions()[0].trigger()
        running.wait_for(lambda: not running.window.settings.base_url, "Claude to be used")
        assert not running.window.settings.short_prompts


def test_nothing_is_chosen_against_the_environment(
    open_with: Callable[..., RunningWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LECTERN_MODEL", "another")
    with ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000)) as ollama:
        running = open_with(ollama)
        tile = welcome_tile(running, "Ollama")
        running.wait_for(tile.isVisible, "Ollama to be found")
        assert not tile.button.isVisible()


def test_ollama_pulls_the_recommended_model_and_it_is_used(
    open_with: Callable[..., RunningWindow], tmp_path: Path
) -> None:
    with ModelProgram("Ollama") as ollama:
        ollama.hold_after = 800_000_000
        running = open_with(ollama)
        tile = welcome_tile(running, "Ollama")
        running.wait_for(lambda: tile.button.text() == "Download", "Ollama to be found")
        assert tile.line.text().startswith("Running, without a model. Recommended: qwen3:")
        QTest.mouseClick(tile.button, LEFT)
        running.wait_for(lambda: tile.line.text().startswith("800 MB of 2.4 GB, "), "bytes and rate")
        assert tile.line.text().endswith("left")
        QTest.mouseClick(tile.button, LEFT)
        running.wait_for(lambda: tile.button.text() == "Download", "the end of the download")
        assert ollama.ended.wait(30), "Ollama goes on with what nobody waits for"
        assert not running.window.settings.base_url
        ollama.hold_after = None
        QTest.mouseClick(tile.button, LEFT)
        running.wait_for(lambda: running.window.settings.base_url != "", "the model to be used")
        assert running.window.settings.model == ollama.pulled[-1]


def test_a_pull_goes_on_where_ollama_is_too_busy_to_list_its_models(
    open_with: Callable[..., RunningWindow],
) -> None:
    with ModelProgram("Ollama") as ollama, ModelProgram("LM Studio") as studio:
        ollama.hold_after = 800_000_000
        running = open_with(ollama, studio)
        tile = welcome_tile(running, "Ollama")
        running.wait_for(lambda: tile.button.text() == "Download", "Ollama to be found")
        QTest.mouseClick(tile.button, LEFT)
        assert tile.button.text() == "Cancel"
        ollama.body, studio.models = b"", [("a", 0)]
        running.window.settings_controller.ways.look()
        running.wait_for(lambda: welcome_tile(running, "LM Studio").line.text() == "a", "what there is now")
        assert tile.button.text() == "Cancel"
        QTest.mouseClick(tile.button, LEFT)
        running.wait_for(lambda: tile.line.text().startswith("Not running"), "the end of the download")


def test_why_a_pull_failed_stays_until_the_next_try(open_with: Callable[..., RunningWindow]) -> None:
    with ModelProgram("Ollama") as ollama:
        ollama.fails = "no such host"
        running = open_with(ollama)
        tile = welcome_tile(running, "Ollama")
        running.wait_for(lambda: tile.button.text() == "Download", "Ollama to be found")
        QTest.mouseClick(tile.button, LEFT)
        running.wait_for(lambda: "no such host" in tile.line.text(), "the reason")
        ollama.fails = ""
        running.wait_for(lambda: tile.button.text() == "Download", "the button")
        QTest.mouseClick(tile.button, LEFT)
        running.wait_for(lambda: running.window.settings.base_url != "", "the model to be used")


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub with the only model on the list of those that Lectern runs itself."""
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "small.gguf").write_bytes(bytes(3_000_000))
    with HubServer(folder) as hub:
        hub.offer(monkeypatch)
        monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path / "cache"))
        yield hub


def test_from_the_welcome_to_a_cited_answer_with_two_clicks_and_a_question(
    tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, qapp: QApplication, hub: HubServer
) -> None:
    write_gguf(hub.folder / "small.gguf", "Chunking is the act of cutting documents into such units [1].")
    running = RunningWindow(
        tmp_path, model_cache, embedder=embedder, settings=Settings(passages_per_search=1)
    )
    running.open()
    running.wait_until_ready(samples=False)
    window = running.window
    tile = welcome_tile(running, "local")
    QTest.mouseClick(tile.button, LEFT)
    running.wait_for(lambda: window.settings.provider == "local", "the model to be used")
    QTest.mouseClick(window.chat.welcome.samples, LEFT)
    running.wait_for(lambda: running.rag.courses.counts().courses == 4 and window.is_ready, "the samples")
    QTest.keyClicks(window.chat.composer.edit, "What is chunking?")
    QTest.keyClick(window.chat.composer.edit, Qt.Key.Key_Return)
    running.wait_for(lambda: window.chat_controller.last_exchange_id > 0, "the answer to begin")
    running.wait_for(lambda: not window.chat_controller.is_answering, "the answer")
    exchange = window.chat_controller.exchange(window.chat_controller.last_exchange_id)
    assert exchange is not None
    assert exchange.answer.startswith("Chunking is the act of cutting documents into such units")
    assert exchange.model == "Small"
    assert [citation.support for citation in exchange.citations] == [Support.STANDS]
    running.close()


def test_a_model_is_downloaded_to_this_computer_and_used(
    open_with: Callable[..., RunningWindow], hub: HubServer
) -> None:
    hub.hold_after = 2_000_000
    running = open_with()
    tile = welcome_tile(running, "local")
    assert tile.line.text().startswith("Free, private, slower. Small (3 MB, Apache-2.0), about ")
    QTest.mouseClick(tile.button, LEFT)
    running.wait_for(hub.holding.is_set, "half of the model")
    running.wait_for(lambda: " of 3 MB" in tile.line.text(), "the progress")
    QTest.mouseClick(tile.button, LEFT)
    running.wait_for(lambda: tile.button.text() == "Continue", "the end of the download")
    assert tile.line.text().startswith("Small: ") and tile.line.text().endswith(" of 3 MB downloaded.")
    assert running.window.settings.provider == "anthropic"
    hub.hold_after = None
    hub.go_on.set()
    QTest.mouseClick(tile.button, LEFT)
    running.wait_for(lambda: running.window.settings.provider == "local", "the model to be used")
    running.wait_for(lambda: running.window.settings_controller.has_model, "the model")
    assert running.window.settings.model == "small"
    dialog = settings_dialog(running)
    tiles = dialog.answers.ways.tiles
    running.wait_for(lambda: tiles["local"].line.text() == "In use: Small", "the state")
    running.wait_for(lambda: running.window.settings_controller.model_button.text() == "Small", "its name")


def test_another_is_offered_where_the_file_of_the_user_is_gone(
    open_with: Callable[..., RunningWindow], hub: HubServer, tmp_path: Path
) -> None:
    running = open_with(settings=Settings(provider="local", model=str(tmp_path / "gone.gguf")))
    tiles = settings_dialog(running).answers.ways.tiles
    running.wait_for(lambda: "Small (3 MB, Apache-2.0)" in tiles["local"].line.text(), "the offer")
    assert tiles["local"].button.text() == "Download"


def test_a_model_on_this_computer_has_one_name(
    open_with: Callable[..., RunningWindow], hub: HubServer
) -> None:
    running = open_with(settings=Settings(provider="local", model="small"))
    button = running.window.settings_controller.model_button
    running.wait_for(lambda: button.text() == "Small", "its name, without a click")


def test_the_settings_lead_back_to_the_file_of_the_user(
    open_with: Callable[..., RunningWindow], hub: HubServer, tmp_path: Path
) -> None:
    own = tmp_path / "tiny.gguf"
    own.write_bytes(b"GGUF")
    running = open_with(settings=Settings(provider="local", model=str(own)))
    assert running.window.settings_controller.model_button.text() == "tiny"
    page = settings_dialog(running).answers
    tile, other = page.ways.tiles["local"], page.ways.tiles["other"]
    running.wait_for(lambda: tile.line.text() == "In use: tiny", "the state")
    assert_is_here(page)
    choose(page.preset, "Groq")
    assert other.line.text() == "Choose a model."
    page.model.setEditText("llama")
    assert other.line.text() == "In use once you save: llama"
    assert tile.line.text() == "Free and private: tiny"
    QTest.mouseClick(tile.button, LEFT)
    assert tile.line.text() == "In use: tiny"
    assert page.chosen_model() == str(own)


def test_a_file_of_the_user_can_be_chosen(open_with: Callable[..., RunningWindow], tmp_path: Path) -> None:
    own = tmp_path / "mine.gguf"
    own.write_bytes(b"GGUF")
    running = open_with()
    dialog = settings_dialog(running)
    QTest.mouseClick(dialog.answers.file, LEFT)
    (chooser,) = dialog.findChildren(QFileDialog)
    chooser.filesSelected.emit([str(own)])
    chooser.reject()
    tile = dialog.answers.ways.tiles["local"]
    running.wait_for(lambda: tile.line.text() == "In use once you save: mine", "the state")
    QTest.mouseClick(dialog.save_button, LEFT)
    running.wait_for(lambda: running.window.settings.model == str(own), "the settings")
    assert running.window.settings.provider == "local"


def test_a_program_on_this_computer_is_no_service(open_with: Callable[..., RunningWindow]) -> None:
    with ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000)) as ollama:
        address = f"http://localhost:{ollama.port}"
        running = open_with(ollama, settings=Settings(base_url=address, model="qwen3:4b"))
        page = settings_dialog(running).answers
        tile = page.ways.tiles["Ollama"]
        running.wait_for(lambda: tile.line.text() == "In use: qwen3:4b", "Ollama")
        assert_is_here(page)
        assert not page.base_url.isVisible()
        ollama.models = [("llama3.2", 2_000_000_000)]  # the other one was deleted
        running.window.settings_controller.ways.look()
        running.wait_for(lambda: tile.line.text() == "llama3.2 (2.0 GB)", "the model that is left")
        assert tile.button.text() == "Use"


def choose(box: QComboBox, name: str) -> None:
    at = box.findText(name, Qt.MatchFlag.MatchStartsWith)
    box.setCurrentIndex(at)
    box.activated.emit(at)


def assert_is_here(page: AnswersPage) -> None:
    """Nothing of services on the web is said where answers come from this computer."""
    assert (page.preset.currentIndex(), page.preset.placeholderText()) == (-1, "On this computer")
    assert not page.key.isVisible()
    said = " ".join(label.text() for label in page.findChildren(QLabel))
    assert "Claude gives" not in said
    assert "The price of" not in said


def test_why_a_download_failed_is_said(open_with: Callable[..., RunningWindow], hub: HubServer) -> None:
    hub.status = 404
    running = open_with()
    tile = welcome_tile(running, "local")
    QTest.mouseClick(tile.button, LEFT)
    running.wait_for(lambda: "could not be downloaded" in tile.line.text(), "the reason")
    assert tile.button.text() == "Download"


def test_a_computer_with_too_little_memory_is_told_so(
    open_with: Callable[..., RunningWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "total_memory", lambda: 4 * 10**9)
    running = open_with()
    tile = welcome_tile(running, "local")
    assert "too little memory" in tile.line.text()
    assert not tile.button.isVisible()
