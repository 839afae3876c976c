"""The files of the library, to be found and taken out of it."""

from __future__ import annotations

import os
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.ui.widgets.counts import files_text
from app.ui.widgets.file_table import lay_out
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.courses import Course
    from app.ui.shell.theme import Theme

_Index = QModelIndex | QPersistentModelIndex


class _Column(IntEnum):
    NAME = 0
    COURSE = 1
    FOLDER = 2


class _File(NamedTuple):
    """A file of the library; ``words`` are what is searched."""

    path: str
    name: str
    folder: str
    course: str
    words: str


class FilesModel(QAbstractTableModel):
    """A row a file, those that a text is found in.

    Attributes:
        files: of the library.
        shown: those of them that have a row.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._muted = QColor(theme.text_muted)
        self.files: list[_File] = []
        self._wanted = ""
        self.shown: list[_File] = []

    def set_courses(self, courses: Sequence[Course]) -> None:
        """Show the files of these courses."""
        self.files = []
        for course in courses:
            for path in course.files:
                folder, name = os.path.split(path)
                words = f"{path}\n{course.title}".casefold()
                self.files.append(_File(path, name, folder, course.title, words))
        self._show()

    def set_filter(self, text: str) -> None:
        """Show only files whose path or course contains ``text``."""
        self._wanted = text.strip().casefold()
        self._show()

    def below(self, folder: str) -> list[str]:
        """Return all files in a folder and those in it, shown or not."""
        start = folder.rstrip(os.sep) + os.sep
        return [file.path for file in self.files if file.path.startswith(start)]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of files that are shown."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return 3."""
        return len(_Column)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        """Return name, course or folder, and the path as the tool tip."""
        file = self.shown[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (file.name, file.course, file.folder)[index.column()]
            case Qt.ItemDataRole.ForegroundRole if index.column() != _Column.NAME:
                return self._muted
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(file.path)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's QVariant
        """Return the heading of a column."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("File"), self.tr("Course"), self.tr("Folder"))[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def _show(self) -> None:
        self.beginResetModel()
        self.shown = [file for file in self.files if self._wanted in file.words]
        self.endResetModel()


class FilesDialog(QDialog):
    """A table of files that can be searched; some, a folder's or all can be removed.

    Signals:
        remove_requested: tuple of paths; nothing has been confirmed yet.
    """

    remove_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Files in the library"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._model = FilesModel(theme)
        self._model.setParent(self)
        self.heading = QLabel()
        self.heading.setProperty("role", "lead")
        note = QLabel(self.tr("What is removed here stays on your disk, and in the trash for 30 days."))
        note.setProperty("role", "muted")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter by file, folder or course"))
        self.filter.setAccessibleName(self.tr("Filter files"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.table = self._make_table()
        frame = QFrame()
        frame.setProperty("panel", "card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(8, 4, 8, 8)
        inside.addWidget(self.table)
        heads = QVBoxLayout()
        heads.setSpacing(4)
        heads.addWidget(self.heading)
        heads.addWidget(note)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(heads)
        layout.addWidget(self.filter)
        layout.addWidget(frame, 1)
        layout.addLayout(self._make_buttons())
        self.resize(820, 560)
        self.table.selectionModel().selectionChanged.connect(self._update_buttons)
        self.filter.setFocus()

    def set_courses(self, courses: Sequence[Course]) -> None:
        """Show the files of the library as it is now."""
        row = self.table.currentIndex().row()
        self._model.set_courses(courses)
        self._tell()
        if row >= 0:  # where one was
            self.table.setCurrentIndex(self._model.index(min(row, len(self._model.shown) - 1), 0))

    def _make_table(self) -> QTableView:
        table = QTableView()
        lay_out(table, self._model, self.tr("Files in the library"))
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.horizontalHeader().resizeSection(_Column.COURSE, 220)
        removal = QAction(self.tr("Remove"), table)
        removal.setShortcut(QKeySequence(QKeySequence.StandardKey.Delete))
        removal.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        removal.triggered.connect(self._ask_removal)
        table.addAction(removal)
        return table

    def _make_buttons(self) -> QHBoxLayout:
        self.remove_all = QPushButton(self.tr("Remove everything…"))
        self.remove_all.clicked.connect(lambda: self._ask([file.path for file in self._model.files]))
        self.remove_folder = QPushButton(self.tr("Remove folder…"))
        self.remove_folder.clicked.connect(self._ask_folder)
        self.remove = QPushButton(self.tr("Remove"))
        self.remove.clicked.connect(self._ask_removal)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.remove_all)
        row.addStretch()
        for button in (self.remove_folder, self.remove, close):
            row.addWidget(button)
        for button in (self.remove_all, self.remove_folder, self.remove):
            button.setAutoDefault(False)
        return row

    def _filter(self, text: str) -> None:
        self._model.set_filter(text)
        self._tell()

    def _tell(self) -> None:
        self.heading.setText(files_text(len(self._model.shown)))
        self._update_buttons()

    def _chosen(self) -> list[_File]:
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self._model.shown[row] for row in rows]

    def _update_buttons(self) -> None:
        chosen = self.table.selectionModel().hasSelection()
        self.remove.setEnabled(chosen)
        self.remove_folder.setEnabled(chosen)
        self.remove_all.setEnabled(bool(self._model.files))

    def _ask_removal(self) -> None:
        self._ask([file.path for file in self._chosen()])

    def _ask_folder(self) -> None:
        folders = dict.fromkeys(file.folder for file in self._chosen())
        self._ask(list(dict.fromkeys(path for folder in folders for path in self._model.below(folder))))

    def _ask(self, paths: Sequence[str]) -> None:
        if paths:
            self.remove_requested.emit(tuple(paths))
