"""The dialogs of the trash, of backups, and of importing a library."""

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTreeWidgetItem, QWidget

from app.domain.keeping import Backup, BackupReason, TrashEntry
from app.domain.plain_text import harmless
from app.ui.widgets.building import stack
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import column_list
from app.ui.widgets.numbers import files_text
from app.ui.widgets.text_labels import plain_label, plain_tool_tip
from app.ui.widgets.theme import Theme

_MOST_PATHS = 10  # in a tool tip


class TrashDialog(Dialog):
    """A row for what was removed of one course at one time."""

    restore_requested = Signal(object)  # tuple of the documents to restore
    empty_requested = Signal(int)  # delete everything, this many items; nothing has been confirmed yet

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Trash"),
            parent,
            heading=self.tr("Trash"),
            text=self.tr("Removed courses and files are kept for 30 days. Your own files are never touched."),
        )
        self._entries: tuple[TrashEntry, ...] = ()
        columns = (self.tr("Course"), self.tr("Files"), self.tr("Removed"))
        self.list = column_list(columns, self.tr("Removed courses and files"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._note = plain_label(self.tr("Loading…"), "muted")
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = stack(self._note, self.list)
        self.body.addWidget(self._pages)
        self.empty = self.add_button(self.tr("Empty trash…"), self._empty, at_left=True)
        self.restore = self.add_button(self.tr("Restore"), self._restore)
        self.add_close()
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self._update_buttons()
        self.resize_to(600, 400)

    def set_entries(self, entries: Sequence[TrashEntry]) -> None:
        self._entries = tuple(entries)
        self.list.clear()
        for entry in self._entries:
            removed = QDateTime.fromSecsSinceEpoch(int(entry.removed))
            course = harmless(entry.course_title)
            date = QLocale().toString(removed, QLocale.FormatType.ShortFormat)
            item = QTreeWidgetItem([course, files_text(len(entry.paths)), date])
            names = "\n".join(PurePath(path).name for path in entry.paths[:_MOST_PATHS])
            item.setToolTip(0, plain_tool_tip(f"{course}\n{harmless(names)}"))
            self.list.addTopLevelItem(item)
        self._note.setText(self.tr("The trash is empty."))
        self._pages.setCurrentWidget(self.list if self._entries else self._note)
        if first := self.list.topLevelItem(0):
            self.list.setCurrentItem(first)
        self._update_buttons()

    def _update_buttons(self) -> None:
        self.restore.setEnabled(bool(self.list.selectedItems()))
        self.empty.setEnabled(bool(self._entries))

    def _empty(self) -> None:
        self.empty_requested.emit(sum(entry.items for entry in self._entries))

    def _restore(self) -> None:
        rows = [self.list.indexOfTopLevelItem(item) for item in self.list.selectedItems()]
        documents = tuple(key for row in rows for key in self._entries[row].documents)
        if documents:
            self.restore_requested.emit(documents)


class BackupsDialog(Dialog):
    """A row for each backup, newest first; restores one.

    ``problem`` says why the library cannot be opened; empty if it can.
    """

    restore_requested = Signal(object)  # the Backup; nothing has been confirmed yet

    def __init__(self, backups: Sequence[Backup], problem: str = "", parent: QWidget | None = None) -> None:
        theme = Theme.current()
        kept = self.tr("Your current library is kept and joins this list.")
        if problem:
            kept = self.tr("What is left of the library is kept with the backups.")
        super().__init__(
            self.tr("Restore a backup"),
            parent,
            heading=self.tr("Your library cannot be opened") if problem else self.tr("Restore a backup"),
            text=kept if backups else "",
            picture=theme.pixmap("warning", 28, theme.danger) if problem else None,
        )
        if problem:
            self.head.insertWidget(1, plain_label(problem, selectable=True))
        self._backups = tuple(backups)
        columns = (self.tr("Made"), self.tr("Reason"), self.tr("Size"))
        self.list = column_list(columns, self.tr("Backups"))
        none = self.tr("There are no backups yet.")
        if problem:
            none = self.tr(
                "There is no backup. Close Lectern and run “lectern doctor --repair” to save what it can."
            )
        note = plain_label(none, "muted")
        note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.body.addWidget(self.list if backups else note)
        self._fill()
        if backups:
            self.add_button(self.tr("Cancel"), self.reject)
            self.restore = self.add_button(self.tr("Restore"), self._restore, kind="primary", is_default=True)
            self.list.setFocus()
        else:
            self.add_close()
        self.resize_to(600, 400)

    def _fill(self) -> None:
        reasons = {
            BackupReason.DAILY: self.tr("Daily"),
            BackupReason.REPLACE: self.tr("Before the library was replaced"),
            BackupReason.REBUILD: self.tr("Before the library was rebuilt"),
            BackupReason.RESTORE: self.tr("Before a backup was restored"),
            BackupReason.UPGRADE: self.tr("Before an upgrade of Lectern"),
        }
        for backup in self._backups:
            moment = QDateTime.fromSecsSinceEpoch(int(backup.made.timestamp()))
            made = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
            size = QLocale().formattedDataSize(backup.size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
            self.list.addTopLevelItem(QTreeWidgetItem([made, reasons[backup.reason], size]))
        if first := self.list.topLevelItem(0):
            self.list.setCurrentItem(first)

    def _restore(self) -> None:
        if current := self.list.currentItem():
            self.restore_requested.emit(self._backups[self.list.indexOfTopLevelItem(current)])


class ImportDialog(Dialog):
    """Adds the file to the library, or replaces the library with it if ``is_replacing``.

    ``held`` says what the library holds; ``backed_up``: the settings give space to backups.
    """

    def __init__(self, name: str, held: str, parent: QWidget | None = None, *, backed_up: bool) -> None:
        super().__init__(
            self.tr("Import library"),
            parent,
            heading=self.tr("Import {name}").format(name=name),
            text=self.tr("Courses and chats that are in both are kept once. Your settings stay."),
        )
        self.is_replacing = False
        loss = self.tr(
            "Replacing deletes {held}, your chats and the trash for good, and applies the settings in the "
            "file. Export your library first if you may want it back."
        )
        if backed_up:
            loss = self.tr(
                "Replacing deletes {held}, your chats and the trash, and applies the settings in the file. A "
                "backup is made first if the space for backups is large enough; Settings › Library restores "
                "it."
            )
        self.loss = plain_label(loss.format(held=held), "danger-caption")
        self.loss.setMinimumWidth(420)
        self.body.addWidget(self.loss)
        self.replace = self.add_button(self.tr("Replace library"), self._replace, kind="danger")
        self.add = self.add_cancel_and(self.tr("Add to my library"))

    def _replace(self) -> None:
        self.is_replacing = True
        self.accept()
