"""Scanned pages are recognized by themselves in the real window, unless that is switched off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.support.courses import write_courses
from tests.support.running_window import RunningWindow
from tests.support.scans import picture_of, scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from tests.support.courses import KeptEmbedder


@pytest.fixture
def running(qapp: QApplication, tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RunningWindow]:
    running = RunningWindow(tmp_path, tmp_path, embedder=embedder)
    running.rag.open()
    running.rag.database.set_meta("samples", "added")
    running.rag.database.close()
    running.open()
    running.wait_until_ready(samples=False)
    yield running
    running.close()


def write_scans(folder: Path) -> Path:
    write_courses(folder)
    (folder / "lighthouse.pdf").write_bytes(scan(picture_of([(72, 700, "The lighthouse warns every ship.")])))
    return folder


def documents(running: RunningWindow) -> int:
    return running.rag.courses.counts().documents


@pytest.mark.slow
def test_scans_are_recognised_after_everything_else(running: RunningWindow, tmp_path: Path) -> None:
    read: list[int] = []
    running.window.ingest_controller.finished.connect(lambda _: read.append(documents(running)))
    running.window.ingest_controller.read([write_scans(tmp_path / "courses")])
    running.wait_for(lambda: read[-1:] == [4], "the recognized scan")
    assert sorted(set(read)) == [3, 4]  # a sync of the folder may come in between
    hit = running.rag.search.retrieve("what warns every ship?").hits[0]
    assert hit.text == "The lighthouse warns every ship."
    assert not running.window.ingest_status.is_reading


@pytest.mark.slow
def test_scans_are_left_alone_until_they_are_wanted(running: RunningWindow, tmp_path: Path) -> None:
    window = running.window
    settings = replace(window.settings, recognize_text=False)
    running.workers.library.save_settings(settings).run(window)
    running.wait_for(lambda: not window.settings.recognize_text, "the setting")
    window.ingest_controller.read([write_scans(tmp_path / "courses")])
    running.wait_for(lambda: documents(running) == 3, "the other files")
    running.wait_for(lambda: not window.ingest_controller.is_reading, "the end of reading")
    window.scan_recognition.apply()
    assert not window.ingest_controller.is_reading
    running.workers.library.save_settings(replace(settings, recognize_text=True)).run(window)
    running.wait_for(lambda: documents(running) == 4, "the recognized scan")
