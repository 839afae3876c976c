"""What was removed from the library, to restore it or delete it for good."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.numbers import files_text
from app.ui.widgets.text_labels import plain_label, plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.trash import TrashEntry

_MOST_PATHS = 10  # in a tool tip


class TrashDialog(Dialog):
    """A row for what was removed of one course at one time."""

    restore_requested = Signal(object)  # tuple of the documents to restore
    empty_requested = Signal()  # delete everything; nothing has been confirmed yet

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Trash"),
            parent,
            heading=self.tr("Trash"),
            text=self.tr("Removed courses and files are kept for 30 days. Your own files are never touched."),
        )
        self._entries: tuple[TrashEntry, ...] = ()
        self.list = self._make_list()
        self._note = plain_label(self.tr("Loading…"), "muted")
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._note)
        self._pages.addWidget(self.list)
        self.body.addWidget(self._pages)
        self.empty = self.add_button(self.tr("Empty trash…"), self.empty_requested.emit, at_left=True)
        self.restore = self.add_button(self.tr("Restore"), self._restore)
        self.add_close()
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self._update_buttons()
        self.resize(600, 400)

    def set_entries(self, entries: Sequence[TrashEntry]) -> None:
        self._entries = tuple(entries)
        self.list.clear()
        for entry in self._entries:
            removed = QDateTime.fromSecsSinceEpoch(int(entry.removed))
            date = QLocale().toString(removed, QLocale.FormatType.ShortFormat)
            item = QTreeWidgetItem([entry.course_title, files_text(len(entry.paths)), date])
            names = "\n".join(PurePath(path).name for path in entry.paths[:_MOST_PATHS])
            item.setToolTip(0, plain_tool_tip(f"{entry.course_title}\n{names}"))
            self.list.addTopLevelItem(item)
        self._note.setText(self.tr("The trash is empty."))
        self._pages.setCurrentWidget(self.list if self._entries else self._note)
        if first := self.list.topLevelItem(0):
            self.list.setCurrentItem(first)
        self._update_buttons()

    def _make_list(self) -> QTreeWidget:
        rows = QTreeWidget()
        rows.setHeaderLabels([self.tr("Course"), self.tr("Files"), self.tr("Removed")])
        rows.setAccessibleName(self.tr("Removed courses and files"))
        rows.setRootIsDecorated(False)
        rows.setUniformRowHeights(True)
        rows.setAllColumnsShowFocus(True)
        rows.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = rows.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        return rows

    def _update_buttons(self) -> None:
        self.restore.setEnabled(bool(self.list.selectedItems()))
        self.empty.setEnabled(bool(self._entries))

    def _restore(self) -> None:
        rows = [self.list.indexOfTopLevelItem(item) for item in self.list.selectedItems()]
        documents = tuple(key for row in rows for key in self._entries[row].documents)
        if documents:
            self.restore_requested.emit(documents)
