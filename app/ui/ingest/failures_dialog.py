"""The files that were not read, and why."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.domain.events import FileDone, FileStatus
from app.ui.widgets.file_table import lay_out
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.ui.shell.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_FILE, _REASON = 0, 1


class FailuresModel(QAbstractTableModel):
    """A row a file: its name and the reason; the whole path is in the tool tip."""

    def __init__(self, files: Sequence[FileDone]) -> None:
        super().__init__()
        self.files = tuple(files)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of files."""
        return 0 if parent.isValid() else len(self.files)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return 2."""
        return 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        """Return name or reason, and path and reason as the tool tip."""
        file = self.files[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return PurePath(file.path).name if index.column() == _FILE else file.reason
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tool_tip(f"{file.path}\n{file.reason or ''}")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's QVariant
        """Return the heading of a column."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.tr("File") if section == _FILE else self.tr("Reason")
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class FailuresDialog(QDialog):
    """A table of files with reasons, and the chosen one in full below it; both can be copied.

    Signals:
        retry_requested: tuple of the FileDone to be read again; the dialog closes.
    """

    retry_requested = Signal(object)

    def __init__(self, files: Sequence[FileDone], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Files that were not read"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._model = FailuresModel(files)
        self._model.setParent(self)
        self.table = self._make_table()
        self.details = QLabel()
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        self.details.setWordWrap(True)
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.details.setMinimumHeight(3 * self.details.fontMetrics().lineSpacing())
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

        frame = QFrame()
        frame.setProperty("panel", "card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(8, 4, 8, 8)
        inside.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(self._make_head(theme))
        layout.addWidget(frame, 1)
        layout.addWidget(self.details)
        layout.addLayout(self._make_buttons())
        self.table.selectionModel().currentRowChanged.connect(self._show_details)
        self.table.selectionModel().selectionChanged.connect(self._update_buttons)
        if files:
            self.table.selectRow(0)
        self.resize(680, 480)

    def copy(self, files: Iterable[FileDone]) -> None:
        """Put path and reason of ``files`` on the clipboard, a line each."""
        lines = (f"{file.path}\t{file.reason or ''}" for file in files)
        QGuiApplication.clipboard().setText("\n".join(lines))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the chosen rows on Ctrl+C."""
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
            self.copy(self._model.files[row] for row in rows)
        else:
            super().keyPressEvent(event)

    def _make_head(self, theme: Theme) -> QHBoxLayout:
        failed = sum(file.status is FileStatus.FAILED for file in self._model.files)
        left_out = len(self._model.files) - failed
        parts = []
        if failed:
            parts.append(self.tr("%Ln file(s) failed", None, failed))
        if left_out:
            parts.append(self.tr("%Ln file(s) skipped", None, left_out))
        picture = QLabel()
        picture.setPixmap(theme.pixmap("warning", 20, theme.warning, self.devicePixelRatioF()))
        title = QLabel(", ".join(parts))
        title.setProperty("role", "lead")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(picture)
        head.addWidget(title)
        head.addStretch()
        return head

    def _make_table(self) -> QTableView:
        table = _Table()
        lay_out(table, self._model, self.tr("Files that were not read"))
        return table

    def _make_buttons(self) -> QHBoxLayout:
        copy = QPushButton(self.tr("Copy all"))
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: self.copy(self._model.files))
        self.retry = QPushButton(self.tr("Retry"))
        self.retry.setAutoDefault(False)
        self.retry.clicked.connect(lambda: self._ask_retry(self._chosen()))
        failed = self._failed(self._model.files)
        self.retry_all = QPushButton(self.tr("Retry all"))
        self.retry_all.setAutoDefault(False)
        self.retry_all.clicked.connect(lambda: self._ask_retry(failed))
        self.retry.setVisible(bool(failed))
        self.retry_all.setVisible(len(failed) > 1)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(copy)
        row.addStretch()
        for button in (self.retry, self.retry_all, close):
            row.addWidget(button)
        return row

    def _chosen(self) -> list[FileDone]:
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return self._failed(self._model.files[row] for row in rows)

    def _failed(self, files: Iterable[FileDone]) -> list[FileDone]:
        """Return those that trying again may help; what is left out stays so."""
        return [file for file in files if file.status is FileStatus.FAILED]

    def _ask_retry(self, files: Sequence[FileDone]) -> None:
        self.retry_requested.emit(tuple(files))
        self.accept()

    def _update_buttons(self) -> None:
        self.retry.setEnabled(bool(self._chosen()))

    def _show_details(self, current: QModelIndex) -> None:
        if current.isValid():
            file = self._model.files[current.row()]
            self.details.setText(f"{file.path}\n{file.reason or ''}")


class _Table(QTableView):
    """Leaves Ctrl+C to the dialog: Qt's own copies one cell. Enter closes, as it does elsewhere."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass on what is the dialog's."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter or event.matches(QKeySequence.StandardKey.Copy):
            event.ignore()
        else:
            super().keyPressEvent(event)
