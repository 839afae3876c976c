"""The files of the library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import FileTable, FileTableModel, in_card
from app.ui.widgets.numbers import files_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.courses import Course

_MOST_PATHS = 10  # in a tool tip


class _File(NamedTuple):
    """A file of the library; the filter looks in ``words``."""

    path: str
    name: str
    folder: str
    course: str
    words: str

    @classmethod
    def of(cls, path: str, course: Course) -> _File:
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
