"""The dialogs of the Help menu: about Lectern, its licences and keys."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QTextCursor
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app import __version__
from app.config.paths import licences_file
from app.ui.widgets.building import set_look, vbox
from app.ui.widgets.dialog import Dialog, room_for
from app.ui.widgets.pane_keys import PaneKey, PaneShortcut
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.text_labels import long_text, plain_label
from app.ui.widgets.theme import Theme, scaled
from app.workers.job import read_text_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from app.ui.shell.actions import MenuCommand

_LINES_A_TURN = 400  # laid out in a few milliseconds
_NATIVE = QKeySequence.SequenceFormat.NativeText
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class AboutDialog(Dialog):
    """Name, version, licence, and the folder of the library."""

    def __init__(self, data_dir: Path, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("About Lectern"),
            parent,
            heading="Lectern",
            text=self.tr("Version {0} · MIT licence").format(__version__),
            picture=Theme.current().pixmap("app", 64),
        )
        set_look(self.heading, "role", "title")
        about = self.tr(
            "Ask your course material in plain words. Files, index and chats stay on this computer; only "
            "your questions and passages of your courses go to the model you choose."
        )
        self.body.addWidget(plain_label(about, "muted"))
        # A path has no spaces to wrap at: an invisible break is allowed after each separator.
        breakable = str(data_dir).replace("/", "/\u200b").replace("\\", "\\\u200b")
        path = plain_label(breakable, selectable=True)
        self.body.addLayout(vbox(plain_label(self.tr("Your library is in"), "caption"), path, spacing=4))
        self.body.addStretch()
        folder = QUrl.fromLocalFile(str(data_dir))
        open_folder = self.tr("Open data folder")
        self.add_button(open_folder, lambda: QDesktopServices.openUrl(folder), at_left=True)
        if (file := licences_file()) is not None:
            self.add_button(self.tr("Licences…"), lambda: LicencesDialog(file, self).open(), at_left=True)
        self.add_close().setFocus()
        self.setFixedWidth(min(scaled(480), room_for(self).width()))


class LicencesDialog(Dialog):
    """Shows a long text piece by piece, so that the window stays responsive."""

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(
            self.tr("Licences"),
            parent,
            heading=self.tr("Software in Lectern"),
            text=self.tr("Lectern includes this software under these licences."),
        )
        self._more = QTimer(self, interval=0)
        self._more.timeout.connect(self._show_more)
        self.text = long_text(self.tr("Loading…"), self.tr("Licences"), Theme.current())
        self.text.setUndoRedoEnabled(False)
        self.body.addWidget(self.text)
        self.add_close()
        self.resize_to(860, 600)
        self.text.setFocus()
        read_text_file(path, self._begin)

    def _begin(self, text: str) -> None:
        self.text.clear()
        missing = self.tr("Lectern can't read its licence file. Reinstall Lectern to restore it.")
        self._lines = iter((text or missing).splitlines(keepends=True))
        self._more.start()

    def _show_more(self) -> None:
        piece = "".join(islice(self._lines, _LINES_A_TURN))
        if not piece:
            self._more.stop()
        # Not appendPlainText, which scrolls along.
        end = QTextCursor(self.text.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        end.insertText(piece)


class KeysDialog(Dialog):
    """Lists the commands of the menus and of the panes of a window."""

    def __init__(self, commands: Iterable[MenuCommand], window: QWidget) -> None:
        super().__init__(self.tr("Keyboard shortcuts"), window, heading=self.tr("Keyboard shortcuts"))
        self.filter = SearchBox(self.tr("Search commands and keys"), self.tr("Clear"), Theme.current())
        self.list = self._make_list()
        for menu, name, action in commands:
            if action.objectName():
                self._add(menu, name, _shown(action.shortcuts()))
        keys: list[PaneKey | PaneShortcut] = list(window.findChildren(PaneKey))
        for key in (*keys, *window.findChildren(PaneShortcut)):
            if key.text:
                self._add(self.tr("Panes"), key.text, _shown(key.keys()))
        for text, shown in self._everywhere():
            self._add(self.tr("In every list, field and answer"), text, shown)
        self.list.expandAll()
        self.body.addWidget(self.filter)
        self.body.addWidget(self.list, 1)
        self.add_close()
        self.resize_to(560, 640)
        self.filter.textChanged.connect(self._search)
        for on in (self.filter.down_pressed, self.filter.returnPressed):
            on.connect(self.list.setFocus)
        self.list.setCurrentItem(next(self._rows()))
        self.list.setFocus()

    def _make_list(self) -> QTreeWidget:
        rows = QTreeWidget()
        rows.setHeaderLabels([self.tr("Command"), self.tr("Keys")])
        rows.setAccessibleName(self.tr("Commands"))
        rows.setRootIsDecorated(False)
        rows.setItemsExpandable(False)
        rows.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        rows.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        rows.header().setStretchLastSection(False)
        rows.headerItem().setTextAlignment(1, _RIGHT)
        return rows

    def _add(self, group: str, text: str, keys: str) -> None:
        """Add a row below a heading; a command that several panes have stands there once."""
        heading = next((top for top in self._headings() if top.text(0) == group), None)
        if heading is None:
            heading = QTreeWidgetItem(self.list, [group])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = heading.font(0)
            font.setBold(True)
            heading.setFont(0, font)
        if all(row.text(0) != text for row in _below(heading)):
            QTreeWidgetItem(heading, [text, keys]).setTextAlignment(1, _RIGHT)

    def _everywhere(self) -> tuple[tuple[str, str], ...]:
        """Return what keys mean in all windows."""
        key = Qt.Key
        texts = (
            (self.tr("Send the question, open an entry, follow a link"), key.Key_Return),
            (self.tr("Stop the answer, close, go back"), key.Key_Escape),
            (self.tr("Tick a lesson, show all of a source, show what a citation says"), key.Key_Space),
            (self.tr("Previous link of an answer"), key.Key_Left),
            (self.tr("Next link of an answer"), key.Key_Right),
            (self.tr("Rename"), key.Key_F2),
            (self.tr("Remove a course, delete a chat"), key.Key_Delete),
        )
        return (
            *((text, _shown([QKeySequence(one)])) for text, one in texts),
            (self.tr("Choose a course while writing a question"), "@"),
        )

    def _headings(self) -> Iterator[QTreeWidgetItem]:
        tops = (self.list.topLevelItem(at) for at in range(self.list.topLevelItemCount()))
        return (top for top in tops if top is not None)

    def _rows(self) -> Iterator[QTreeWidgetItem]:
        return (row for heading in self._headings() for row in _below(heading))

    def _search(self, text: str) -> None:
        wanted = text.strip().casefold()
        for row in self._rows():
            row.setHidden(wanted not in f"{row.text(0)} {row.text(1)}".casefold())
        for heading in self._headings():
            heading.setHidden(all(row.isHidden() for row in _below(heading)))
        shown = [row for row in self._rows() if not row.isHidden()]
        if shown and self.list.currentItem() not in shown:
            self.list.setCurrentItem(shown[0])


def _below(heading: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    rows = (heading.child(at) for at in range(heading.childCount()))
    return (row for row in rows if row is not None)


def _shown(keys: Iterable[QKeySequence]) -> str:
    return "  ".join(key.toString(_NATIVE) for key in keys)
