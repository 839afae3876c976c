"""Pictures of giving study material away, for ``tests.tools.screenshots``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.study.ui.export_dialog import ExportDialog
from tests.support.study import study_of
from tests.support.study_window import study_jobs, study_pane
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from tests.tools.screenshots.pictures import Pictures


def export_states(pictures: Pictures) -> None:
    """Take the dialog with its options for Anki and for paper."""
    with pictures.window() as (running, _):
        repository = study_of(running.rag).repository
        for title in running.rag.catalog.courses.titles():
            repository.deck_of(title)
        study_jobs(running.window).list_decks().run(running.window)
        running.wait_for(lambda: bool(study_pane(running.window).decks), "the decks")
        running.window.actions_["study_export"].trigger()
        settle()
        dialog = running.window.findChild(ExportDialog)
        assert dialog is not None
        for form in ("anki.apkg", "quiz.pdf"):
            dialog.form.setCurrentIndex(dialog.form.findData(form))
            settle()
            pictures.take(running, f"study-export-{form.partition('.')[0]}")
        dialog.reject()
