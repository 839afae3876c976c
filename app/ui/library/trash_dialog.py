"""What was removed from the library: to be brought back, or deleted for good."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.ui.widgets.counts import files_text
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.trash import TrashEntry

_MOST_PATHS = 10  # in a tool tip


class TrashDialog(QDialog):
    """A row for what was removed of one course at one time.

    Signals:
        restore_requested: tuple of the documents to bring back.
        empty_requested: all is to be deleted; nothing has been confirmed yet.
    """

    restore_requested = Signal(object)
    empty_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Trash"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._entries: tuple[TrashEntry, ...] = ()
        title = QLabel(self.tr("Trash"))
        title.setProperty("role", "lead")
        text = QLabel(self.tr("What was removed is kept for 30 days. Your files are never touched."))
        text.setProperty("role", "muted")
        text.setWordWrap(True)
        self.list = self._make_list()
        self._nothing = QLabel(self.tr("Looking…"))
        self._nothing.setProperty("role", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self.list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        heads = QVBoxLayout()
        heads.setSpacing(4)
        heads.addWidget(title)
        heads.addWidget(text)
        layout.addLayout(heads)
        layout.addWidget(self._pages, 1)
        layout.addLayout(self._make_buttons())
        self.resize(600, 400)
        self._update_buttons()

    def set_entries(self, entries: Sequence[TrashEntry]) -> None:
        """Show what is in the trash now."""
        self._entries = tuple(entries)
        self.list.clear()
        for entry in self._entries:
            when = QDateTime.fromSecsSinceEpoch(int(entry.removed))
            item = QTreeWidgetItem(
                [
                    entry.course_title,
                    files_text(len(entry.paths)),
                    QLocale().toString(when, QLocale.FormatType.ShortFormat),
                ]
            )
            names = "\n".join(PurePath(path).name for path in entry.paths[:_MOST_PATHS])
            item.setToolTip(0, plain_tool_tip(f"{entry.course_title}\n{names}"))
            self.list.addTopLevelItem(item)
        self._nothing.setText(self.tr("The trash is empty."))
        self._pages.setCurrentWidget(self.list if self._entries else self._nothing)
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)
        self._update_buttons()

    def _make_list(self) -> QTreeWidget:
        rows = QTreeWidget()
        rows.setHeaderLabels([self.tr("Course"), self.tr("Files"), self.tr("Removed")])
        rows.setAccessibleName(self.tr("What was removed"))
        rows.setRootIsDecorated(False)
        rows.setUniformRowHeights(True)
        rows.setAllColumnsShowFocus(True)
        rows.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = rows.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        rows.itemSelectionChanged.connect(self._update_buttons)
        return rows

    def _make_buttons(self) -> QHBoxLayout:
        self.empty = QPushButton(self.tr("Empty trash…"))
        self.empty.setAutoDefault(False)
        self.empty.clicked.connect(self.empty_requested)
        self.restore = QPushButton(self.tr("Restore"))
        self.restore.setAutoDefault(False)
        self.restore.clicked.connect(self._restore)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.empty)
        row.addStretch()
        row.addWidget(self.restore)
        row.addWidget(close)
        return row

    def _update_buttons(self) -> None:
        if hasattr(self, "restore"):
            self.restore.setEnabled(bool(self.list.selectedItems()))
            self.empty.setEnabled(bool(self._entries))

    def _restore(self) -> None:
        rows = [self.list.indexOfTopLevelItem(item) for item in self.list.selectedItems()]
        chosen = tuple(key for row in rows for key in self._entries[row].documents)
        if chosen:
            self.restore_requested.emit(chosen)
