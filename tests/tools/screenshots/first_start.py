"""The first minutes, and a library that cannot be opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from tests.support.running_window import RunningWindow
from tests.tools.screenshots.pictures import MODEL_CACHE, settle

if TYPE_CHECKING:
    from tests.tools.screenshots.pictures import Pictures

QUESTION = "Why does a retrieval system cut documents into chunks, and how large should they be?"


def first_start_states(pictures: Pictures) -> None:
    """Take the first start, the samples, a question without a model, and a library that is no folder."""
    with pictures.window(is_ready=False) as (running, _):
        pictures.take(running, "opening")
        running.wait_until_ready(samples=False)
        pictures.take(running, "first-start")
        running.wait_until_ready()
        pictures.take(running, "samples")
        edit = running.window.chat.composer.edit
        QTest.keyClicks(edit, "How large should a chunk of text be")
        pictures.take(running, "question-written")
        edit.clear()
        running.ask(QUESTION)
        pictures.take(running, "search-only-answer")
        running.window.sources.activate(1)
        pictures.take_with_sources(running, "source-of-a-quotation")


def failed_library(pictures: Pictures, folder: Path) -> None:
    """Take a library that cannot be opened."""
    Path(folder, "data").write_text("not a directory", encoding="utf-8")
    running = RunningWindow(folder, MODEL_CACHE, theme=pictures.theme, settings=pictures.settings())
    running.open()
    running.wait_for(lambda: running.window.has_failed, "the failure")
    pictures.take(running, "library-failed")
    running.close()
    settle()
