"""The files of the library, and those that could not be read completely."""

import os
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.courses import Course
from app.domain.events import FileDone, FileStatus
from app.ui.widgets.building import link_button
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import FileTable, FileTableModel, in_card
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import files_text
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme


class _File(NamedTuple):
    """A file of the library; the filter looks in ``words``."""

    path: str
    name: str
    folder: str
    course: str
    words: str

    @classmethod
    def of(cls, path: str, course: Course) -> "_File":
        folder, name = os.path.split(path)
        return cls(path, name, folder, course.title, f"{path}\n{course.title}".casefold())


class FilesDialog(Dialog):
    """A table of files with a filter; removes the selected ones, their folders, or everything."""

    remove_requested = Signal(object)  # tuple of paths; nothing has been confirmed yet

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Files"),
            parent,
            heading=files_text(0),
            text=self.tr("Removed files stay on your disk, and in the trash for 30 days."),
        )
        self._files: list[_File] = []
        self._model: FileTableModel[_File] = FileTableModel(
            (self.tr("File"), self.tr("Course"), self.tr("Folder")),
            lambda file: (file.name, file.course, file.folder),
            lambda file: file.path,
            self,
        )
        self.table = FileTable(self._model, self.windowTitle(), lambda file: file.path)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.horizontalHeader().resizeSection(1, 220)
        delete, context = QKeySequence(QKeySequence.StandardKey.Delete), Qt.ShortcutContext.WidgetShortcut
        removal = QAction(self.tr("Remove"), self.table, shortcut=delete, shortcutContext=context)
        removal.triggered.connect(self._remove_selected)
        self.table.addAction(removal)
        hint = self.tr("Filter by file, folder or course")
        self.filter = QLineEdit(placeholderText=hint, clearButtonEnabled=True)
        self.filter.setAccessibleName(self.tr("Filter files"))
        self.filter.textChanged.connect(self._show_files)
        self.body.addWidget(self.filter)
        self.body.addWidget(in_card(self.table), 1)
        self.remove_all = self.add_button(
            self.tr("Remove everything…"), lambda: self._request_removal(self._files), at_left=True
        )
        self.remove_folder = self.add_button(self.tr("Remove folder…"), self._remove_folders)
        self.remove = self.add_button(self.tr("Remove"), self._remove_selected)
        self.add_close()
        self.table.selectionModel().selectionChanged.connect(self._update_buttons)
        self._update_buttons()
        self.filter.setFocus()
        self.resize_to(820, 560)

    def set_courses(self, courses: Sequence[Course]) -> None:
        """Show the files of the library as it is now; the current row stays where it was."""
        row = self.table.currentIndex().row()
        self._files = [_File.of(path, course) for course in courses for path in course.files]
        self._show_files()
        if row >= 0:
            self.table.setCurrentIndex(self._model.index(min(row, len(self._model.files) - 1), 0))

    def _show_files(self) -> None:
        wanted = self.filter.text().strip().casefold()
        self._model.set_files(file for file in self._files if wanted in file.words)
        self.heading.setText(files_text(len(self._model.files)))
        self._update_buttons()

    def _update_buttons(self) -> None:
        has_selection = self.table.selectionModel().hasSelection()
        self.remove.setEnabled(has_selection)
        self.remove_folder.setEnabled(has_selection)
        self.remove_all.setEnabled(bool(self._files))

    def _remove_selected(self) -> None:
        self._request_removal(self.table.selected_files())

    def _remove_folders(self) -> None:
        """Remove all files below the folders of the selected ones, whether the filter shows them or not."""
        starts = tuple({file.folder.rstrip(os.sep) + os.sep for file in self.table.selected_files()})
        self._request_removal([file for file in self._files if file.path.startswith(starts)])

    def _request_removal(self, files: Sequence[_File]) -> None:
        if files:
            self.remove_requested.emit(tuple(file.path for file in files))


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
            self.tr("Files that could not be read") if self._files else self.tr("Files without text"),
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
