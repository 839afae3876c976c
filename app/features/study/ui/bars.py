"""A list of rows with bars: the decks, how well lessons are known, what falls due."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QListView, QStyleOptionViewItem

from app.domain.plain_text import harmless
from app.ui.widgets.row_delegate import Index, RowDelegate
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Iterable

_BAR = Qt.ItemDataRole.UserRole + 1
_HEIGHT = 8  # of a bar, in pixels
_THINNEST = 2.0


class Fill(Enum):
    FULL = 1
    HATCHED = 2


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: a name, a few words at its end, and the parts of the bar below as shares of its width.

    Without parts there is no bar, and the name is bold.
    """

    name: str
    words: str
    parts: tuple[tuple[float, float, Fill], ...] = ()


class BarList(QListView):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._rows = QStandardItemModel(self)
        self.setAccessibleName(name)
        self.setModel(self._rows)
        self.setItemDelegate(_Delegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)

    def show_rows(self, rows: Iterable[Bar]) -> None:
        self._rows.clear()
        for bar in rows:
            name = harmless(bar.name)
            item = QStandardItem(name)
            item.setData(bar, _BAR)
            spoken = f"{name}: {bar.words}" if bar.words else name
            item.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(plain_tool_tip(name))
            self._rows.appendRow(item)

    @property
    def texts(self) -> list[str]:
        """What the rows say, in words."""
        rows = range(self._rows.rowCount())
        return [self._rows.item(at).data(Qt.ItemDataRole.AccessibleTextRole) for at in rows]


class _Delegate(RowDelegate):
    height = 44

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, scaled(self.height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index)
        bar: Bar = index.data(_BAR)
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        painter.save()
        if not bar.parts:
            self.paint_at_right(painter, area, option.font, bar.words, area.width() * 2 // 3)
            self.paint_name(painter, area, bold, index.data())
        else:
            line = QRect(area.left(), area.top() + 4, area.width(), QFontMetrics(option.font).height())
            below = QRectF(area.left(), line.bottom() + 4, area.width(), scaled(_HEIGHT))
            self.paint_at_right(painter, line, option.font, bar.words)
            self.paint_name(painter, line, option.font, index.data())
            _paint_bar(painter, below, bar.parts)
        painter.restore()


def _paint_bar(painter: QPainter, ground: QRectF, parts: tuple[tuple[float, float, Fill], ...]) -> None:
    theme = Theme.current()
    brushes = {
        Fill.FULL: QBrush(QColor(theme.accent)),
        Fill.HATCHED: QBrush(QColor(theme.accent), Qt.BrushStyle.BDiagPattern),
    }
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.surface_alt))
    painter.drawRoundedRect(ground, 2, 2)
    for start, end, fill in parts:
        if end <= start:
            continue
        width = max((end - start) * ground.width() - 1, _THINNEST)
        left = ground.left() + start * ground.width()
        if QApplication.isRightToLeft():
            left = ground.right() - start * ground.width() - width
        painter.fillRect(QRectF(left, ground.top(), width, ground.height()), brushes[fill])
