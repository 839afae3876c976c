"""What is done once files were read: questions are written, and models offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.library.background_jobs import QuestionWriting
from app.ui.settings.model_offers import ModelOffers

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from app.ui.shell.main_window import MainWindow
    from app.workers.workers import Workers


def connect_reading(window: MainWindow, workers: Workers, memory: QSettings) -> ModelOffers:
    """Return what offers models in a window; ``memory`` keeps what was offered."""
    reading = window.ingest_controller
    offers = ModelOffers(window.offer_bar, workers, lambda: window.settings, memory)
    questions = QuestionWriting(workers, lambda: window.settings, window)

    def look() -> None:
        if not reading.is_reading:
            offers.look()

    window.chat_controller.answering_changed.connect(look)
    reading.finished.connect(look)
    reading.finished.connect(questions.look)
    offers.resume_requested.connect(reading.reindex)
    reading.begun.connect(offers.withdraw)
    reading.reindex_failed.connect(offers.note_failure)
    return offers
