"""Gives decks away: asks what, asks where, and has the file written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from app.markup.markdown_html import markdown_to_html
from app.ui.widgets.folders import start_folder
from app.ui.widgets.messages import shown

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from app.features.study.model.items import Sheet
    from app.features.study.ui.export_dialog import ExportDialog
    from app.features.study.ui.operations import StudyJobs
    from app.features.study.ui.pane import StudyPane

_FOLDER = "study/export/folder"
_NOT_IN_A_NAME = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_NAME = 60


class DeckExports(QObject):
    """Opens the dialog and saves what is chosen there; ``memory`` keeps the choices and the folder."""

    said = Signal(str)  # a sentence for the status bar

    def __init__(self, pane: StudyPane, jobs: StudyJobs, memory: QSettings) -> None:
        super().__init__(pane)
        self._pane, self._jobs, self._memory = pane, jobs, memory

    def ask(self) -> None:
        if not self._pane.decks:
            self.said.emit(self.tr("There are no decks yet."))
            return
        # Imported late so that the window paints sooner.
        from app.features.study.ui.export_dialog import ExportDialog

        chosen = self._pane.deck.uid if self._pane.deck is not None else ""
        dialog = ExportDialog(self._pane.decks, chosen, self._memory, self._pane.window())
        dialog.accepted.connect(lambda: self._save(dialog))
        dialog.open()

    def _save(self, dialog: ExportDialog) -> None:
        path = self._ask_for_file(dialog)
        if path is not None:
            draw = write_sheet if path.suffix.lower() == ".pdf" else None
            done = self.tr("The decks were saved as {0}.").format(path)
            self.said.emit(self.tr("Saving the decks…"))
            saving = self._jobs.study.export(dialog.export, path, draw, shown)
            saving.run(self, success=lambda _: self.said.emit(done))

    def _ask_for_file(self, dialog: ExportDialog) -> Path | None:
        folder = start_folder(str(self._memory.value(_FOLDER, "")))
        ids = dialog.export.deck_ids
        titles = [deck.course_title for deck in self._pane.decks if deck.deck_id in ids]
        name = titles[0] if len(titles) == 1 else self.tr("Decks")
        name = _NOT_IN_A_NAME.sub(" ", name)[:_LONGEST_NAME].strip(" .") or self.tr("Decks")
        suffix = dialog.offer.suffix
        place = str(Path(folder, f"{name}{suffix}"))
        kinds = f"{dialog.form.currentText()} (*{suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self._pane.window(), dialog.windowTitle(), place, kinds)
        if not chosen:
            return None
        path = Path(chosen)
        self._memory.setValue(_FOLDER, str(path.parent))
        return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


def write_sheet(sheet: Sheet, path: Path) -> None:
    """Write a sheet as PDF."""
    # Imported late so that the window paints sooner.
    from app.ui.markup.typeset import write_pages

    write_pages(sheet.title, map(markdown_to_html, sheet.parts), path)
