"""Layouts, small buttons and timers, each made in one call; a layout that wraps its row."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.widgets.theme import Theme, fix, scaled

Margins = tuple[int, int, int, int]
_Box = TypeVar("_Box", bound=QBoxLayout)


class Stretch(NamedTuple):
    """An empty space in a row or column that takes a share of the room left over."""

    factor: int = 1


class Cell(NamedTuple):
    """An item of a row or column with its share of the room left over and its alignment."""

    item: QWidget | QLayout
    factor: int = 0
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


Item = QWidget | QLayout | Stretch | Cell | int


def hbox(
    *items: Item, margins: Margins = (0, 0, 0, 0), spacing: int = 0, parent: QWidget | None = None
) -> QHBoxLayout:
    """Lay items out side by side, in ``parent`` if given; a number among them is a gap in pixels."""
    return _fill(QHBoxLayout(), items, margins, spacing, parent)


def vbox(
    *items: Item, margins: Margins = (0, 0, 0, 0), spacing: int = 0, parent: QWidget | None = None
) -> QVBoxLayout:
    """Lay items out below each other; see ``hbox``."""
    return _fill(QVBoxLayout(), items, margins, spacing, parent)


def _fill(box: _Box, items: tuple[Item, ...], margins: Margins, spacing: int, parent: QWidget | None) -> _Box:
    if parent is not None:
        parent.setLayout(box)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for item in items:
        if isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, Stretch):
            box.addStretch(item.factor)
        else:
            cell = item if isinstance(item, Cell) else Cell(item)
            if isinstance(cell.item, QLayout):
                box.addLayout(cell.item, cell.factor)
            else:
                box.addWidget(cell.item, cell.factor, cell.alignment)
    return box


def stack(*pages: QWidget) -> QStackedWidget:
    """Return pages of which one is shown, the first at first."""
    stacked = QStackedWidget()
    for page in pages:
        stacked.addWidget(page)
    return stacked


def scroll_area(inside: QWidget) -> QScrollArea:
    """Return an area as wide as there is room for, which scrolls up and down; Tab passes it by."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    return area


def scrolled(form: QWidget) -> QScrollArea:
    """Return an area for a form that may be higher than a small screen."""
    inside = QWidget()
    vbox(form, Stretch(), parent=inside, margins=(0, 0, 8, 0))
    area = scroll_area(inside)
    area.setMinimumHeight(scaled(120))
    return area


def link_button(
    text: str,
    clicked: Callable[[], object],
    parent: QWidget | None = None,
    *,
    small: bool = False,
    leads_out: bool = False,
) -> QPushButton:
    """Return a button that looks like a link; if it leads out, its icon follows the text."""
    button = QPushButton(text, parent)
    button.setProperty("kind", "link")
    if small:
        button.setProperty("scale", "caption")
    if leads_out:
        button.setIcon(Theme.icon("external-link", "accent"))
        fix(button, icon=14)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    button.clicked.connect(lambda: clicked())
    return button


def push_button(
    text: str, clicked: Callable[[], object], kind: str = "", *, compact: bool = False
) -> QPushButton:
    """Return a button; "primary" marks the main action, compact ones are for rows."""
    button = QPushButton(text)
    button.setProperty("kind", kind or None)
    if compact:
        button.setProperty("compact", True)
        button.setAutoDefault(False)
    button.clicked.connect(lambda: clicked())
    return button


def icon_button(
    name: str,
    size: int,
    clicked: Callable[[], object],
    parent: QWidget | None = None,
    *,
    icon: str = "",
    colour: str = "text",
) -> QToolButton:
    """Return a button with an icon of ``size`` pixels; its name is its tool tip too."""
    button = QToolButton(parent)
    if icon:
        button.setIcon(Theme.icon(icon, colour))
    fix(button, icon=size)
    name_button(button, name)
    button.clicked.connect(lambda: clicked())
    return button


def name_button(button: QToolButton, name: str) -> None:
    button.setToolTip(name)
    button.setAccessibleName(name)


def set_look(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses, and apply the sheet again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def one_shot(parent: QObject, milliseconds: int, slot: Callable[[], object]) -> QTimer:
    """Return a timer that calls ``slot`` once after each start."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer


def shortcut(
    keys: QKeySequence.StandardKey | Qt.Key | str, parent: QWidget, slot: Callable[[], object]
) -> QShortcut:
    """Return a shortcut that works while ``parent`` has the focus, or something inside it.

    PySide drops a context that is given along with a slot: the keys would then work in the whole window.
    """
    made = QShortcut(QKeySequence(keys), parent)
    made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    made.activated.connect(slot)
    return made


class FlowLayout(QLayout):
    """Places items side by side in as many rows as they need, at the right end if ``at_right``.

    Those that can expand share what their row leaves.
    """

    def __init__(self, spacing: int, *widgets: QWidget, at_right: bool = False) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._at_right = at_right
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for widget in widgets:
            self.addWidget(widget)

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
        wide = [item for item, _ in row if item.expandingDirections() & Qt.Orientation.Horizontal]
        x = room.x() + (room.width() - width if self._at_right and not wide else 0)
        for item, size in row:
            if item in wide:
                size.setWidth(size.width() + (room.width() - width) // len(wide))
            item.setGeometry(QRect(QPoint(x, room.y() + (room.height() - size.height()) // 2), size))
            x += size.width() + self.spacing()
