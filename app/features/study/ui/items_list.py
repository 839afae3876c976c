"""The items of a deck under their lessons, the one that is selected, and the dialog that changes it."""

import html
from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QLabel, QListView, QPlainTextEdit, QStyleOptionViewItem, QWidget

from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.features.study.kinds import KINDS, problem_with
from app.features.study.model.items import REMARKS, Item, NewItem, course_order
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.ui.card_html import RichView, as_read, kind_name, marks
from app.markup.formulas import one_line
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.building import link_button
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.messages import shown
from app.ui.widgets.row_delegate import Index, RowDelegate
from app.ui.widgets.source_labels import lesson_name, place_name, source_label
from app.ui.widgets.text_labels import ClampedLabel, plain_label
from app.ui.widgets.theme import Theme, row_height, scaled

_Flag = QItemSelectionModel.SelectionFlag


class ItemsList(QListView):
    """Shows an ItemsModel; rows have one height, so that thousands are laid out at once."""

    def __init__(self) -> None:
        super().__init__()
        self.items = ItemsModel(self)
        self.setModel(self.items)
        self.setItemDelegate(ItemDelegate(self))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedIndexes())

    def selected(self) -> list[Item]:
        return self.items.items_in(self.selected_rows())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep what is at the top of the view there, and what is selected, while other rows come and go."""
        bar, top = self.verticalScrollBar(), self._top()
        item: Item | None = top.data(ITEM_ROLE)
        current: Item | None = self.currentIndex().data(ITEM_ROLE)
        height, chosen = self.visualRect(top).top(), [one.item_id for one in self.selected()]
        yield
        selection = QItemSelection()
        for index in filter(QModelIndex.isValid, map(self.items.find, chosen)):
            selection.select(index, index)
        self.selectionModel().select(selection, _Flag.ClearAndSelect)
        if current is not None:
            self.selectionModel().setCurrentIndex(self.items.find(current.item_id), _Flag.NoUpdate)
        if item is not None and (now := self.items.find(item.item_id)).isValid():
            bar.setValue(bar.value() + self.visualRect(now).top() - height)

    def _top(self) -> QModelIndex:
        """Return the first item that can be seen, not the lesson above it; invalid if there is none."""
        first = self.indexAt(QPoint(1, 1))
        if first.isValid() and first.data(ITEM_ROLE) is None:
            return self.items.index(first.row() + 1)
        return first


_Index = QModelIndex | QPersistentModelIndex


ITEM_ROLE = Qt.ItemDataRole.UserRole + 1  # None on the row of a lesson


class Entry(NamedTuple):
    """An item with the words it is found by, and the name of its lesson."""

    item: Item
    words: str
    lesson: str


class ItemsModel(QStringListModel):
    """Shows the items that match a filter, in the course's order.

    Qt's list asks how many rows there are for each row that it lays out, and calls into Python would take
    longer than all the rest. So the rows are a list of empty strings; :meth:`data` says what they show.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._entries: list[Entry] = []
        self._rows: list[Item | str] = []  # a text is the name of a lesson above its items
        self._row_of: dict[int, int] = {}  # by the keys of the items
        self._is_wanted: Callable[[Item], bool] = lambda _: True
        self._words: list[str] = []

    def set_entries(self, entries: Sequence[Entry]) -> None:
        self._entries = list(entries)
        self._arrange()

    def add(self, item: Item) -> None:
        insort(self._entries, _entry(item), key=lambda entry: course_order(entry.item))
        self._arrange()

    def set_filter(self, is_wanted: Callable[[Item], bool], text: str) -> None:
        """Show only items that hold all words of a text, of those that are wanted."""
        self._is_wanted, self._words = is_wanted, text.casefold().split()
        self._arrange()

    def replace(self, item: Item) -> None:
        """Show an item as it is now; it keeps its row."""
        self._entries = [
            _entry(item) if entry.item.item_id == item.item_id else entry for entry in self._entries
        ]
        if (row := self._row_of.get(item.item_id)) is not None:
            self._rows[row] = item
            self.dataChanged.emit(self.index(row), self.index(row))

    def remove(self, item_ids: Collection[int]) -> None:
        gone = set(item_ids)
        self._entries = [entry for entry in self._entries if entry.item.item_id not in gone]
        self._arrange()

    def find(self, item_id: int) -> QModelIndex:
        """Return the row of an item; invalid if it is not listed."""
        return self.index(self._row_of.get(item_id, -1))

    def items_in(self, rows: Iterable[int]) -> list[Item]:
        return [shown for row in rows if not isinstance(shown := self._rows[row], str)]

    @property
    def total(self) -> int:
        """How many items there are, listed or not."""
        return len(self._entries)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        is_item = index.isValid() and not isinstance(self._rows[index.row()], str)
        return Qt.ItemFlag.ItemIsEnabled | (Qt.ItemFlag.ItemIsSelectable if is_item else _NO_FLAG)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        shown = self._rows[index.row()]
        if isinstance(shown, str):
            return shown if role in (Qt.ItemDataRole.DisplayRole, _SPOKEN) else None
        if role == ITEM_ROLE:
            return shown
        if role == Qt.ItemDataRole.DisplayRole:
            return shown.asked
        if role == _SPOKEN:
            texts = map(one_line, (shown.asked, shown.answered))
            return ", ".join([kind_name(shown.kind), *texts, *marks(shown)])
        return None

    def _arrange(self) -> None:
        self._rows = list(self._listed())
        rows = enumerate(self._rows)
        self._row_of = {shown.item_id: row for row, shown in rows if not isinstance(shown, str)}
        self.setStringList([""] * len(self._rows))

    def _listed(self) -> Iterator[Item | str]:
        shown = filter(self._matches, self._entries)
        for lesson, entries in groupby(shown, key=attrgetter("lesson")):
            yield lesson
            yield from (entry.item for entry in entries)

    def _matches(self, entry: Entry) -> bool:
        return self._is_wanted(entry.item) and all(word in entry.words for word in self._words)


_SPOKEN = Qt.ItemDataRole.AccessibleTextRole
_NO_FLAG = Qt.ItemFlag.NoItemFlags


def arranged(items: Iterable[Item]) -> list[Entry]:
    """Return items in the course's order, to be shown; takes a while for thousands, in any thread."""
    return [_entry(item) for item in sorted(items, key=course_order)]


def _entry(item: Item) -> Entry:
    text, hit = item.text, item.source.hit
    words = "\n".join((text.front, text.back, *text.others, text.explanation, item.quote, *marks(item)))
    is_mark = item.kind is ItemKind.MARK  # which are listed of all courses
    lesson = source_label(hit) if is_mark else lesson_name(hit) or harmless(hit.course_title)
    return Entry(item, words.casefold(), lesson)


_RIGHT = Qt.TextElideMode.ElideRight


class ItemDelegate(RowDelegate):
    """What an item asks, its answer below, its kind and marks at the end."""

    height = 46

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height(row_height(self.height)))  # both lines grow

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index)
        item: Item | None = index.data(ITEM_ROLE)
        painter.save()
        if item is None:
            bold = QFont(option.font)
            bold.setWeight(QFont.Weight.DemiBold)
            self.paint_name(painter, area.adjusted(0, scaled(10), 0, 0), bold, index.data())
        else:
            self._paint_item(painter, area, option.font, item)
        painter.restore()

    def _paint_item(self, painter: QPainter, area: QRect, font: QFont, item: Item) -> None:
        kind = [] if item.kind is ItemKind.MARK else [kind_name(item.kind)]
        self.paint_at_right(painter, area, font, " · ".join([*kind, *marks(item)]), area.width() // 2)
        small = self.small(font)
        line, below = QFontMetrics(font).lineSpacing(), QFontMetrics(small).lineSpacing()
        top = area.center().y() + 1 - (line + below * bool(item.answered)) // 2
        self.paint_name(painter, QRect(area.left(), top, area.width(), line), font, one_line(item.asked))
        under = QRect(area.left(), top + line, area.width(), below)
        painter.setFont(small)
        painter.setPen(QColor(Theme.current().text_muted))
        answer = QFontMetrics(small).elidedText(one_line(item.answered), _RIGHT, area.width())
        painter.drawText(under, answer)


_TICK = "✓"


class ItemDetail(RichView):
    """Shows one item; of several, how many they are."""

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__(formulas)
        self._items: Sequence[Item] = ()
        self._shown = ""
        self.setAccessibleName(self.tr("Selected item"))
        self.document().setDocumentMargin(12)
        formulas.came_late.connect(self._draw)

    def show_items(self, items: Sequence[Item]) -> None:
        self._items = items
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._shown = ""
        self._draw()

    def _draw(self) -> None:
        drawn = self._html()
        if drawn != self._shown:  # else it would be scrolled to its beginning
            self._shown = drawn
            self.show_html(drawn)

    def _html(self) -> str:
        if len(self._items) == 1:
            return self._html_of(self._items[0])
        some = self.tr("%Ln item(s) selected", None, len(self._items)) if self._items else ""
        return f"<p>{html.escape(some)}</p>"

    def _html_of(self, item: Item) -> str:
        text, kind, render = item.text, KINDS[item.kind], self.html_of
        right = f"{_TICK} {text.back}" if kind.has_choices else text.back
        front, answers = kind.question(text) if kind.statement(text) else text.front, [right, *text.others]
        name = html.escape(" · ".join([kind_name(item.kind), *marks(item)]))
        below = "".join(render(part) for part in (*answers, text.explanation) if part)
        quote = self.tr("“{0}”").format(as_read(item.source, item.quote))
        hit, remark = item.source.hit, REMARKS.get(item.state)
        is_mark = item.kind is ItemKind.MARK  # which are listed of all courses
        lesson, said = (source_label(hit), "") if is_mark else (lesson_name(hit), quote)
        place = ", ".join(filter(None, (lesson, place_name(hit))))
        footer = "<br>".join(map(html.escape, filter(None, (said, place, shown(remark) if remark else ""))))
        return f'<p class="name">{name}</p>{render(front)}{below}<p class="footer">{footer}</p>'


_LINES, _FEW_LINES = 3, 2  # the latter of an explanation
_LINE = 22  # pixels


class EditDialog(Dialog):
    """A field for each part of an item; what cannot be learnt cannot be saved."""

    def __init__(self, item: NewItem, parent: QWidget) -> None:
        title = self.tr("Edit: {0}") if isinstance(item, Item) else self.tr("New: {0}")
        super().__init__(title.format(kind_name(item.kind)), parent, heading=kind_name(item.kind))
        self._kind, self._was = KINDS[item.kind], item.text
        self.fields: dict[str, QPlainTextEdit] = {}
        for part in self._kind.fields:
            name = shown(Message(f"study.field_{part.name or part.part}"))
            said = getattr(item.text, part.part)
            field = QPlainTextEdit(said if isinstance(said, str) else "\n".join(said))
            field.setAccessibleName(name)
            field.setTabChangesFocus(True)
            lines = _FEW_LINES if part.part == "explanation" else _LINES
            field.setMinimumHeight(scaled(lines * _LINE))
            label = QLabel(name)
            label.setBuddy(field)
            self.fields[part.part] = field
            self.body.addWidget(label)
            self.body.addWidget(field, lines)
            field.textChanged.connect(self._check)
            if part.shape == "gaps":
                self.body.addWidget(link_button(self.tr("Make the selection a gap"), self._make_gap))
        if item.kind is ItemKind.MARK:
            self.body.insertWidget(0, ClampedLabel(as_read(item.source, item.quote), _LINES, self))
        self.problem = plain_label("", "danger-caption")
        self.body.addWidget(self.problem)
        self.body.setSpacing(6)
        self.save = self.add_cancel_and(self.tr("Save"))
        self.resize_to(560, 360)
        self.save.setEnabled(problem_with(item.kind, item.text) is None)
        next(iter(self.fields.values())).setFocus()

    @property
    def text(self) -> ItemText:
        parts = {part: field.toPlainText().strip() for part, field in self.fields.items()}
        others = self._was.others
        if "others" in parts:
            lines = map(str.strip, parts.pop("others").splitlines())
            others = tuple(filter(None, lines))
        return replace(self._was, others=others, **parts)

    def _make_gap(self) -> None:
        cursor = self.fields["front"].textCursor()
        if chosen := cursor.selectedText().strip():
            cursor.insertText(f"{{{{c1::{chosen}}}}}")

    def _check(self) -> None:
        problem = problem_with(self._kind.name, self.text)
        said = problem if self.text != self._was else None  # only once something was typed
        self.problem.setText(shown(said) if said else "")
        self.save.setEnabled(problem is None)
