"""A reading view whose pages are drawn by the real process, without a library."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import pytest
from PySide6.QtWidgets import QMainWindow

from app.config.settings import Settings
from app.core.documents.document_reader import read_document
from app.core.embedding.embedder import Embedder
from app.core.ocr.kept_texts import with_recognized
from app.core.ocr.recognizer import Recognizer
from app.core.rag_system import RAGSystem
from app.domain.cancel import CancelToken
from app.domain.documents import DocumentText
from app.domain.sources import Citation
from app.ui.reading.sources_controller import PagesController
from app.ui.reading.sources_pane import SourcesPane
from app.ui.widgets.messages import shown
from app.ui.widgets.theme import Theme, apply_theme
from app.workers.workers import Workers
from tests.support.set_pages import lesson_of
from tests.support.side_data import exchange

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from app.domain.sources import LessonText


class Opener(Protocol):
    def __call__(self, data: bytes, *cited: str, is_changed: bool = False) -> SourcesPane: ...


@pytest.fixture
def open_pdf(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Opener]:
    """Show a PDF as the source of an answer that cites some of its sentences, at the first of them."""
    apply_theme(qapp, Theme.light())
    workers = Workers()
    workers.rag = RAGSystem(tmp_path / "data", Settings(), Embedder(None, tmp_path))
    workers.is_running = True
    workers.reading.start()
    window = QMainWindow()
    qtbot.addWidget(window)
    pane = SourcesPane()
    controller = PagesController(pane.reading.pages, workers)
    window.setCentralWidget(pane)
    window.resize(420, 700)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)

    def open_pages(lesson: LessonText) -> None:
        controller.open(
            lesson,
            partial(pane.reading.show_pages, lesson),
            lambda message: pane.reading.refuse_pages(lesson, shown(message)),
        )

    pane.reading.pages_requested.connect(open_pages)
    pane.reading.pages_left.connect(controller.close)

    def open_one(data: bytes, *cited: str, is_changed: bool = False) -> SourcesPane:
        path = tmp_path / ("tides.pdf" if data.startswith(b"%PDF") else "tides.png")
        path.write_bytes(data)
        sha256 = hashlib.sha256(data).hexdigest()
        if path.suffix == ".pdf":
            document = replace(read_document(path), sha256=sha256)
        else:
            with Recognizer() as recognizer:
                text, lines = recognizer.page_text(path, 1, CancelToken())
            workers.rag.catalog.recognized.keep_lines(sha256, 1, lines)
            document = with_recognized(DocumentText("", (), sha256), {1: text}, str(path))
        lesson = lesson_of(document, str(path))
        found = replace(
            lesson.source, hit=replace(lesson.source.hit, text=document.text, start=0, end=len(document.text))
        )
        lesson = replace(lesson, source=found)
        citations = [_citation(document.text, number, sentence) for number, sentence in enumerate(cited)]
        if is_changed:
            path.write_bytes(data + b"\n")
        pane.show_exchange(exchange((found,), tuple(citations)))
        pane.read(1)
        pane.reading.show_lesson(lesson)
        return pane

    yield open_one
    workers.reading.close()
    workers.reading.wait()
    workers.rag.close()
    window.close()


def _citation(text: str, number: int, sentence: str) -> Citation:
    start = text.index(sentence)
    return Citation(1, number, number + 1, start, start + len(sentence), sentence, True)
