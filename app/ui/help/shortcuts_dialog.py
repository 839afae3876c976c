"""The keys of the menus."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHeaderView, QMenu, QMenuBar, QTreeWidget, QTreeWidgetItem, QWidget

from app.ui.widgets.dialog import Dialog


class ShortcutsDialog(Dialog):
    """Lists every command of the menus that has a key, menu by menu."""

    def __init__(self, bar: QMenuBar, parent: QWidget) -> None:
        super().__init__(self.tr("Keyboard shortcuts"), parent, heading=self.tr("Keyboard shortcuts"))
        self.list = QTreeWidget()
        self.list.setHeaderLabels([self.tr("Command"), self.tr("Keys")])
        self.list.setAccessibleName(self.tr("Keyboard shortcuts"))
        self.list.setRootIsDecorated(False)
        self.list.setItemsExpandable(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        for entry in bar.actions():
            self._add(entry)
        self.list.expandAll()
        self.body.addWidget(self.list)
        self.add_close()
        self.resize(520, 600)
        self.list.setFocus()

    def _add(self, entry: QAction) -> None:
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        heading = QTreeWidgetItem(self.list, [_plain(entry.text())])
        font = heading.font(0)
        font.setBold(True)
        heading.setFont(0, font)
        for action in menu.actions():
            if not action.shortcut().isEmpty():
                keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                row = QTreeWidgetItem(heading, [_plain(action.text()), keys])
                row.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _plain(text: str) -> str:
    return text.replace("&", "").rstrip("…")
