"""The command palette: a field over the window, and what it finds, best first."""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import shiboken6
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QFrame, QListView, QStyleOptionViewItem, QWidget

from app.domain.words import in_words
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, Stretch, hbox, vbox
from app.ui.widgets.row_delegate import GAP, Index, RowDelegate
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, row_height, scaled

# What each word of a query costs an entry, from the start of its name to the initials of its words.
_FIRST, _START, _INSIDE, _ELSEWHERE, _INITIALS = 0, 10, 20, 30, 40
_LONGEST, _LONG = 80, 20  # of two names, both with the word, the shorter one comes first
_TOP = QModelIndex()
_WIDTH, _ROW, _MOST_ROWS = 620, 34, 10
_MARGIN, _ABOVE = 16, 48
_MOST_FOUND = 100
_DETAIL_SHARE = 5, 11  # of a row, at most
_ICON = 16
_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: 1 - _MOST_ROWS,
    Qt.Key.Key_PageDown: _MOST_ROWS - 1,
}


class EntryKind(IntEnum):
    """Kinds of entries; the value is what one costs beside a command that matches as well."""

    COMMAND = 0
    COURSE = 1
    LESSON = 3
    CHAT = 4
    OTHER = 6  # of a feature


@dataclass(slots=True)
class PaletteEntry:
    """Something to choose."""

    kind: EntryKind
    title: str
    detail: str
    choose: Callable[[], object]
    more: str = ""
    icon: QIcon | None = None
    _key: str = field(init=False)
    _other: str = field(init=False)

    def __post_init__(self) -> None:
        self._key, self._other = in_words(self.title), in_words(self.more)

    def cost(self, words: Iterable[str]) -> int | None:
        """Return how far the entry is from the words, in any order; None if one is not in it."""
        total = int(self.kind) + min(len(self._key), _LONGEST) // _LONG
        for word in words:
            price = _price(word, self._key)
            if price is None:
                if f" {word}" not in f" {self._other}":
                    return None
                price = _ELSEWHERE
            total += price
        return total


def best(entries: Iterable[PaletteEntry], typed: str, most: int) -> list[PaletteEntry]:
    """Return the entries that match what was typed, the best first; equal ones stay in their order."""
    words = in_words(typed).split()
    found = ((cost, at, entry) for at, entry in enumerate(entries) if (cost := entry.cost(words)) is not None)
    return [entry for _, _, entry in heapq.nsmallest(most, found)]


def _price(word: str, key: str) -> int | None:
    at = key.find(word)
    if at == 0:
        return _FIRST
    if at > 0:
        return _START if f" {word}" in key else _INSIDE
    return _INITIALS if _has_initials(word, key) else None


def _has_initials(letters: str, key: str) -> bool:
    return len(letters) > 1 and letters in "".join(word[0] for word in key.split())


_ICONS = {
    EntryKind.COURSE: "book",
    EntryKind.LESSON: "lesson",
    EntryKind.CHAT: "chat",
}


class Palette(QWidget):
    """Covers the window while it is open; Escape, a click beside it and a choice close it.

    The field keeps the keyboard, so the arrow keys and Tab move in the list.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window, self._entries = window, list[PaletteEntry]()
        self._before: QWidget | None = None  # had the keyboard
        self.field = SearchBox(self.tr("Search commands, courses, lessons, chats"), self.tr("Clear"))
        self.list = QListView()
        self.rows = _Rows(self)
        self._nothing = plain_label("", "muted")
        self._card = QFrame()
        self._build()
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._choose)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._choose)
        window.installEventFilter(self)
        self.hide()

    def open_with(self, entries: Sequence[PaletteEntry]) -> None:
        """Open with these entries, which are shown in their order until something is typed."""
        if self.isHidden():
            self._before = self._window.focusWidget()
            self._place()
            self.field.clear()
            self.show()
            self.raise_()
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr]
        self._entries = list(entries)
        self._search()

    def dismiss(self) -> None:
        """Close, and give the keyboard back to where it was."""
        if self.isHidden():
            return
        QApplication.instance().focusChanged.disconnect(self._follow_focus)  # type: ignore[union-attr]
        had_focus = self.field.hasFocus()
        before, self._before = self._before, None
        self.hide()
        if had_focus and before is not None and shiboken6.isValid(before):
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    # ---- Qt ----

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self._place()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        return False

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Move in the list: there is nothing else to go to."""
        self._step(1 if forwards else -1)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._card.geometry().contains(event.position().toPoint()):
            self.dismiss()

    # ---- internals ----

    def _build(self) -> None:
        self._card.setProperty("panel", "card")
        self._card.setObjectName("palette")
        self.list.setModel(self.rows)
        self.list.setItemDelegate(_RowPainter(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(self.tr("Found"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        parts = self.field, self._nothing, Cell(self.list, 1)
        vbox(*parts, margins=(8, 8, 8, 8), spacing=8, parent=self._card)
        across = hbox(Stretch(), Cell(self._card, 1000), Stretch())
        vbox(across, Stretch(), margins=(_MARGIN, _ABOVE, _MARGIN, _MARGIN), parent=self)

    def _place(self) -> None:
        self.setGeometry(self._window.rect())
        self._card.setMaximumWidth(scaled(_WIDTH))
        taken = _ABOVE + _MARGIN + self.field.sizeHint().height() + 3 * 8
        fitting = (self.height() - taken) // row_height(_ROW)
        shown = max(1, min(_MOST_ROWS, fitting, self.rows.rowCount()))
        self.list.setFixedHeight(shown * row_height(_ROW))

    def _search(self) -> None:
        typed = self.field.text()
        found = best(self._entries, typed, _MOST_FOUND) if typed.strip() else self._entries
        self.rows.show(found)
        self._nothing.setText(self.tr("Nothing matches “{0}”.").format(typed.strip()))
        self._nothing.setVisible(not found)
        self.list.setVisible(bool(found))
        self._place()
        self._go_to(0)

    def _press(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return True
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None:
            self._step(step)
        return step is not None

    def _step(self, steps: int) -> None:
        """Move in the list; a single step goes round."""
        last = self.rows.rowCount() - 1
        wanted = self.list.currentIndex().row() + steps
        if abs(steps) == 1 and not 0 <= wanted <= last:
            wanted = 0 if steps > 0 else last
        self._go_to(min(max(wanted, 0), last))

    def _go_to(self, row: int) -> None:
        index = self.rows.index(row)
        self.list.setCurrentIndex(index)
        # The keyboard stays in the field, so a screen reader is told here.
        told = index.data(Qt.ItemDataRole.AccessibleTextRole) if index.isValid() else self._nothing.text()
        announce(self.field, told)

    def _choose(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            entry = self.rows.entry(index)
            self.dismiss()
            entry.choose()

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Close when the keyboard goes elsewhere in the window."""
        if now is not None and now is not self.field and now.window() is self._window:
            self.dismiss()


class _Rows(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._found: Sequence[PaletteEntry] = ()

    def show(self, found: Sequence[PaletteEntry]) -> None:
        self.beginResetModel()
        self._found = found
        self.endResetModel()

    def entry(self, index: Index) -> PaletteEntry:
        return self._found[index.row()]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        return 0 if parent.isValid() else len(self._found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        entry = self.entry(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (entry.title, entry.detail)))
        return None


class _RowPainter(RowDelegate):
    """Icon, name, and at the right the keys of a command or what an entry belongs to."""

    height = _ROW

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rows = index.model()
        assert isinstance(rows, _Rows)
        entry = rows.entry(index)
        area = self.paint_ground(painter, option, index)
        painter.save()
        size = scaled(_ICON)
        icon = entry.icon or (Theme.icon(_ICONS[entry.kind]) if entry.kind in _ICONS else None)
        if icon is not None:
            icon.paint(painter, QRect(area.left(), area.center().y() - size // 2 + 1, size, size))
        area.setLeft(area.left() + size + GAP)
        part, whole = _DETAIL_SHARE
        self.paint_at_right(painter, area, option.font, entry.detail, area.width() * part // whole)
        self.paint_name(painter, area, option.font, entry.title)
        painter.restore()
