"""Pictures of the embedding model: a chat in another language, choosing, downloading, resuming."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest

from app.domain.embedding_models import MULTILINGUAL
from app.ui.settings.settings_dialog import SettingsDialog
from tests.support.anthropic_server import AnthropicServer
from tests.support.hub_server import HubServer
from tests.support.model_folders import make_model
from tests.support.scripted_turns import Cite, Text, Turn

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_SIZE, _ARRIVED = 90_000_000, 37_000_000  # bytes
_COURSE = """Course Title: Grundlagen der Meereskunde
Course Instructor: A. Lehrerin

Lesson 1: Die Gezeiten
Die Gezeiten entstehen durch die Anziehung von Mond und Sonne. Bei Vollmond und Neumond stehen beide in
einer Linie mit der Erde; dann ist die Flut besonders hoch, und man spricht von einer Springtide. Bei
Halbmond ziehen sie im rechten Winkel zueinander, und die Nipptide bleibt niedrig.

Lesson 2: Die Strömungen
Der Wind treibt das Wasser an der Oberfläche. In der Tiefe sinkt kaltes, salziges Wasser ab und fließt
langsam zum Äquator.
"""
_QUESTION = "Wann ist eine Springtide, und warum ist sie so hoch?"
_ANSWER = Turn(
    Text("Eine Springtide gibt es **bei Vollmond und bei Neumond**.", citations=(Cite(0, 1, 2),)),
    Text(
        " Dann stehen Mond und Sonne in einer Linie mit der Erde, und ihre Anziehung entsteht gemeinsam.",
        citations=(Cite(0, 0, 2),),
    ),
)


def embedding_model_states(pictures: Pictures) -> None:
    """Take what the model for all languages is for, and the way to it."""
    with AnthropicServer() as server, pictures.window(server) as (running, folder):
        _ask_in_german(pictures, running, server, folder / "Meereskunde")
        _choose(pictures, running)
        _download(pictures, running, folder / "published")


def _ask_in_german(pictures: Pictures, running: RunningWindow, server: AnthropicServer, folder: Path) -> None:
    folder.mkdir()
    (folder / "meereskunde.txt").write_text(_COURSE, encoding="utf-8")
    for topic in ("Ebbe und Flut", "Wellen"):  # so that a third of the library is German
        text = (
            f"Course Title: {topic}\n\nLesson 1: {topic}\nDiese Lektion beschreibt das Meer an der Küste.\n"
        )
        (folder / f"{topic}.txt").write_text(text, encoding="utf-8")
    ingest = running.window.ingest_controller
    ingest.read([folder])
    running.wait_for(running.window.offer_bar.isVisible, "the offer of the model for all languages")
    pictures.take(running, "all-languages-offered")
    server.script(_ANSWER)
    running.ask(_QUESTION)
    pictures.take(running, "chat-in-german")


def _choose(pictures: Pictures, running: RunningWindow) -> None:
    running.window.open_settings()
    dialog = running.window.findChild(SettingsDialog)
    assert dialog is not None
    dialog.show_page("languages")
    field = dialog.languages.model
    for kind, name in ((1, "all-languages"), (2, "another-model")):
        field.box.setFocus()
        field.box.setCurrentIndex(kind)
        QTest.qWait(100)
        pictures.take(running, name)
    dialog.reject()


def _download(pictures: Pictures, running: RunningWindow, folder: Path) -> None:
    """Take a download that goes on, one that was cancelled, and one that failed."""
    window = running.window
    make_model(folder, weights=bytes(_SIZE))
    name = "intfloat/multilingual-e5-small"
    with pytest.MonkeyPatch.context() as patch, HubServer(folder, name, hold_after=_ARRIVED) as hub:
        hub.stand_in(patch)
        settings = replace(window.settings, embedding_model=MULTILINGUAL)
        running.workers.library.save_settings(settings).run(window)
        running.wait_for(hub.holding.is_set, "the middle of the download")
        QTest.qWait(600)
        pictures.take(running, "downloading")
        window.ingest_controller.cancel()
        running.wait_for(window.offer_bar.isVisible, "the offer to resume")
        pictures.take(running, "download-cancelled")
        hub.hold_after, hub.status = None, 503
        hub.go_on.set()
        window.offer_bar.action.click()
        running.wait_for(window.offer_bar.isVisible, "the offer to resume")
        pictures.take(running, "download-failed")
