"""The files that were not read completely, and why."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal

from app.domain.events import FileDone, FileStatus
from app.ui.widgets.building import link_button
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import FileTable, FileTableModel, in_card
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QWidget


class FailuresDialog(Dialog):
    """A table of files with reasons, and the selected one in full below it.

    Pictures and data, which lie beside lessons and hold nothing to ask about, are listed on a click.
    """

    retry_requested = Signal(object)  # tuple of the FileDone to read again; the dialog closes

    def __init__(self, files: Sequence[FileDone], parent: QWidget | None = None) -> None:
        theme = Theme.current()
        self._rest = [file for file in files if file.holds_no_text]
        self._files = [file for file in files if not file.holds_no_text]
        super().__init__(
            self.tr("Files that could not be read"),
            parent,
            heading=self._summary(self._files)
            or self.tr("%Ln file(s) without text to ask about", None, len(self._rest)),
            picture=theme.pixmap("warning", 20, theme.warning) if self._files else None,
        )
        self._model: FileTableModel[FileDone] = FileTableModel(
            (self.tr("File"), self.tr("Reason")),
            lambda file: (PurePath(file.path).name, _reason(file)),
            _details,
            self,
        )
        self._model.set_files(self._files or self._rest)
        self.table = FileTable(self._model, self.windowTitle(), lambda file: f"{file.path}\t{_reason(file)}")
        self.details = plain_label("", selectable=True)
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.details.setMinimumHeight(3 * self.details.fontMetrics().lineSpacing())
        self.body.addWidget(in_card(self.table), 1)
        self.show_rest = link_button(
            self.tr("Show %Ln file(s) without text", None, len(self._rest)), self._list_rest
        )
        self.show_rest.setVisible(bool(self._files and self._rest))
        self.body.addWidget(self.show_rest, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.details)
        self._make_buttons()
        self.table.selectionModel().currentRowChanged.connect(self._show_details)
        self.table.selectionModel().selectionChanged.connect(self._update_buttons)
        if files:
            self.table.selectRow(0)
        self.resize_to(680, 480)

    def _make_buttons(self) -> None:
        failed = _failed(self._files)
        self.add_button(self.tr("Copy all"), lambda: self.table.copy(self._model.files), at_left=True)
        self.retry = self.add_button(
            self.tr("Retry"), lambda: self._ask_retry(_failed(self.table.selected_files()))
        )
        self.retry_all = self.add_button(self.tr("Retry all"), lambda: self._ask_retry(failed))
        self.retry.setVisible(bool(_failed([*self._files, *self._rest])))
        self.retry_all.setVisible(len(failed) > 1)
        self.add_close()

    def _summary(self, files: Sequence[FileDone]) -> str:
        failed = len(_failed(files))
        incomplete = sum(file.is_incomplete for file in files)
        skipped = len(files) - failed - incomplete
        parts = (
            self.tr("%Ln file(s) failed", None, failed) if failed else "",
            self.tr("%Ln file(s) incomplete", None, incomplete) if incomplete else "",
            self.tr("%Ln file(s) skipped", None, skipped) if skipped else "",
        )
        return ", ".join(filter(None, parts))

    def _list_rest(self) -> None:
        """List the files below the others that nobody misses."""
        self.show_rest.hide()
        self._model.add_files(self._rest)
        self.table.scrollTo(self._model.index(len(self._files), 0))
        self.table.setFocus()

    def _ask_retry(self, files: Sequence[FileDone]) -> None:
        self.retry_requested.emit(tuple(files))
        self.accept()

    def _update_buttons(self) -> None:
        self.retry.setEnabled(bool(_failed(self.table.selected_files())))

    def _show_details(self, current: QModelIndex) -> None:
        if current.isValid():
            self.details.setText(_details(self.table.file_at(current)))


def _failed(files: Iterable[FileDone]) -> list[FileDone]:
    """Return the files that are worth another try; skipped ones stay skipped."""
    return [file for file in files if file.status is FileStatus.FAILED]


def _details(file: FileDone) -> str:
    return f"{file.path}\n{_reason(file)}"


def _reason(file: FileDone) -> str:
    return shown(file.reason) if file.reason else ""
