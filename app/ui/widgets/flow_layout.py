"""A row of items that continues below where it does not fit."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem


class FlowLayout(QLayout):
    """Places items side by side in as many rows as they need, at the right end if ``at_right``."""

    def __init__(self, spacing: int, *, at_right: bool = False) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._at_right = at_right
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in sizes) + self.spacing() * (len(sizes) - 1)
        return QSize(max(width, 0), max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        least = QSize(0, 0)
        for item in self._shown():
            least = least.expandedTo(item.minimumSize())
        return least

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the items if ``move``, centred in their rows; return the height they take."""
        rows: list[list[tuple[QLayoutItem, QSize]]] = [[]]
        used = 0
        for item in self._shown():
            size = item.sizeHint().boundedTo(QSize(rect.width(), item.sizeHint().height()))
            if rows[-1] and used + size.width() > rect.width():
                rows.append([])
                used = 0
            rows[-1].append((item, size))
            used += size.width() + self.spacing()
        y = rect.y()
        for row in rows:
            height = max((size.height() for _, size in row), default=0)
            if move:
                self._place(row, QRect(rect.x(), y, rect.width(), height))
            y += height + self.spacing()
        return y - self.spacing() - rect.y()

    def _place(self, row: list[tuple[QLayoutItem, QSize]], room: QRect) -> None:
        width = sum(size.width() for _, size in row) + self.spacing() * (len(row) - 1)
        x = room.x() + (room.width() - width if self._at_right else 0)
        for item, size in row:
            item.setGeometry(QRect(QPoint(x, room.y() + (room.height() - size.height()) // 2), size))
            x += size.width() + self.spacing()
