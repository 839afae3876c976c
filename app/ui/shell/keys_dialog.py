"""The page of keys: every command with the keys it has, and a field to change them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.ui.widgets.announcements import announce
from app.ui.widgets.building import Cell, hbox, link_button, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.search_box import SearchBox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ui.shell.key_bindings import KeyBindings

_NAME = Qt.ItemDataRole.UserRole  # of the row's command


class KeyField(QKeySequenceEdit):
    """Takes the next key with its modifiers; Backspace means none, Escape and Tab lead on as elsewhere."""

    chosen = Signal(QKeySequence)  # empty for none

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMaximumSequenceLength(1)
        self.editingFinished.connect(self._finish)
        for part in (self, *self.findChildren(QLineEdit)):
            part.setAccessibleName(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bare = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if bare and event.key() == Qt.Key.Key_Escape:
            event.ignore()
        elif bare and event.key() == Qt.Key.Key_Backspace:
            self.setKeySequence(QKeySequence())
            self.chosen.emit(QKeySequence())
        else:
            super().keyPressEvent(event)

    def _finish(self) -> None:
        if not self.keySequence().isEmpty():
            self.chosen.emit(self.keySequence())


class KeysDialog(Dialog):
    """A change is in effect at once; a key that another command has is taken from it only when asked."""

    def __init__(self, bindings: KeyBindings, parent: QWidget) -> None:
        super().__init__(self.tr("Keyboard shortcuts"), parent, heading=self.tr("Keyboard shortcuts"))
        self._bindings = bindings
        self._act: Callable[[], object] = lambda: None  # what the line below the field offers
        self._rows: dict[str, QTreeWidgetItem] = {}
        self.filter = SearchBox(self.tr("Search commands and keys"), self.tr("Clear"), Theme.current())
        self.list = self._make_list()
        self.field = KeyField(self.tr("New key"), self)
        self.reset = self.add_button(self.tr("Reset"), self._reset)
        self.reset_all = self.add_button(self.tr("Reset all"), self._reset_all, at_left=True)
        self.message = plain_label("", "caption")
        self.offer = link_button("", self._follow_offer, small=True)
        self._label = plain_label("")
        self._label.setBuddy(self.field)
        self._build()
        self._fill()
        self.filter.textChanged.connect(self._search)
        for on in (self.filter.down_pressed, self.filter.returnPressed):
            on.connect(self.list.setFocus)
        self.list.currentItemChanged.connect(lambda *_: self._show_chosen())
        self.list.itemActivated.connect(lambda *_: self.field.setFocus())
        self.field.chosen.connect(self._take)
        self.list.setCurrentItem(next(iter(self._rows.values())))
        self.list.setFocus()

    # ---- building ----

    def _make_list(self) -> QTreeWidget:
        rows = QTreeWidget()
        rows.setHeaderLabels([self.tr("Command"), self.tr("Keys")])
        rows.setAccessibleName(self.tr("Commands"))
        rows.setRootIsDecorated(False)
        rows.setItemsExpandable(False)
        rows.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        rows.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        rows.header().setStretchLastSection(False)
        rows.headerItem().setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return rows

    def _build(self) -> None:
        line = hbox(Cell(self._label, 1), Cell(self.field, 1), spacing=8)
        below = hbox(Cell(self.message, 1), self.offer, spacing=8)
        self.body.addWidget(self.filter)
        self.body.addWidget(self.list, 1)
        self.body.addLayout(vbox(line, below, spacing=4))
        stops = self.filter, self.list, self.field, self.offer, self.reset_all, self.reset
        close = self.add_close(is_default=False)  # Enter chooses a command
        for before, after in pairwise((*stops, close)):
            self.setTabOrder(before, after)
        self.resize_to(560, 640)

    def _fill(self) -> None:
        groups: dict[str, QTreeWidgetItem] = {}
        for command in self._bindings.commands.values():
            if command.group not in groups:
                groups[command.group] = self._heading(command.group)
            row = self._rows[command.name] = _row(groups[command.group], command.text)
            row.setData(0, _NAME, command.name)
        everywhere = self._heading(self.tr("In every list, field and answer"))
        everywhere.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for text, keys in self._everywhere():
            _row(everywhere, text).setText(1, keys)
        self.list.expandAll()
        self._show_keys()

    def _heading(self, text: str) -> QTreeWidgetItem:
        heading = QTreeWidgetItem(self.list, [text])
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = heading.font(0)
        font.setBold(True)
        heading.setFont(0, font)
        return heading

    def _everywhere(self) -> tuple[tuple[str, str], ...]:
        """Return what the keys mean that cannot be changed."""
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
        native = QKeySequence.SequenceFormat.NativeText
        return (
            *((text, QKeySequence(one).toString(native)) for text, one in texts),
            (self.tr("Choose a course while writing a question"), "@"),
        )

    # ---- what is shown ----

    def _show_keys(self) -> None:
        for name, row in self._rows.items():
            keys = (key.toString(QKeySequence.SequenceFormat.NativeText) for key in self._bindings.keys(name))
            row.setText(1, "  ".join(keys))
            font = self.list.font()
            font.setBold(self._bindings.is_changed(name))
            row.setFont(1, font)
        self.reset_all.setEnabled(any(map(self._bindings.is_changed, self._rows)))

    def _show_chosen(self) -> None:
        """Let the key of the chosen command be changed."""
        name, command = self._chosen(), self._bindings.commands.get(self._chosen())
        can_change = command is not None and not command.is_fixed
        self._label.setText(self.tr("New key for “{0}”").format(command.text) if command else "")
        self.field.setEnabled(can_change)
        self.reset.setEnabled(can_change and self._bindings.is_changed(name))
        keys = self._bindings.keys(name) if command else []
        self.field.setKeySequence(keys[0] if keys else QKeySequence())
        fixed = command is not None and command.is_fixed
        self._tell(self.tr("Every program uses this key, so it can't be changed.") if fixed else "")

    def _chosen(self) -> str:
        row = self.list.currentItem()
        return str(row.data(0, _NAME) or "") if row is not None else ""

    def _tell(self, sentence: str, offer: str = "", act: Callable[[], object] | None = None) -> None:
        self.message.setText(sentence)
        announce(self.field, sentence)
        self.offer.setText(offer)
        self.offer.setVisible(act is not None)
        self._act = act or (lambda: None)

    def _search(self, text: str) -> None:
        wanted = text.strip().casefold()
        for at in range(self.list.topLevelItemCount()):
            heading = self.list.topLevelItem(at)
            assert heading is not None
            children = (heading.child(row) for row in range(heading.childCount()))
            rows = [row for row in children if row is not None]
            for row in rows:
                row.setHidden(wanted not in f"{row.text(0)} {row.text(1)}".casefold())
            heading.setHidden(all(row.isHidden() for row in rows))
        shown = [row for row in self._rows.values() if not row.isHidden()]
        if shown and self.list.currentItem() not in shown:
            self.list.setCurrentItem(shown[0])

    # ---- changing ----

    def _take(self, key: QKeySequence) -> None:
        """Give the chosen command the key, unless it cannot have it or another command has it."""
        name = self._chosen()
        if key in self._bindings.keys(name):
            self._tell("")
        elif key.isEmpty():
            self._assign(name, key)
        elif refusal := self._bindings.refusal(name, key):
            self._tell(refusal)
        elif owner := self._bindings.owner(key, name):
            text = self.tr("{keys} is “{command}”.").format(
                keys=key.toString(QKeySequence.SequenceFormat.NativeText),
                command=self._bindings.commands[owner].text,
            )
            self._tell(text, self.tr("Use it here instead"), lambda: self._assign(name, key))
        else:
            self._assign(name, key)

    def _assign(self, name: str, key: QKeySequence) -> None:
        self._bindings.assign(name, key)
        self._show_keys()
        self._show_chosen()

    def _follow_offer(self) -> None:
        self._act()
        self.list.setFocus()  # the link has gone

    def _reset(self) -> None:
        self._bindings.reset(self._chosen())
        self._show_keys()
        self._show_chosen()

    def _reset_all(self) -> None:
        before = self._bindings.replace({})
        self._show_keys()
        self._show_chosen()
        self._tell(
            self.tr("All keys are back to their defaults."), self.tr("Undo"), lambda: self._undo(before)
        )

    def _undo(self, before: dict[str, str]) -> None:
        self._bindings.replace(before)
        self._show_keys()
        self._show_chosen()


def _row(heading: QTreeWidgetItem, text: str) -> QTreeWidgetItem:
    row = QTreeWidgetItem(heading, [text])
    row.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return row
