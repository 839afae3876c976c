"""Where the parts of the main window are placed: side panel, top bar, chat and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.ui.courses.sidebar import HEADER_HEIGHT
from app.ui.widgets.building import Cell, Stretch, hbox, vbox

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from app.ui.chats.pane import ConversationsPane
    from app.ui.courses.sidebar import CourseSidebar
    from app.ui.shell.actions import Actions

_LEAST_WIDTH, _LEAST_HEIGHT = 720, 480
_FIRST_WIDTH, _FIRST_HEIGHT = 1280, 820
_SIDEBAR_WIDTH, _SOURCES_WIDTH = 280, 340
COURSES, CHATS = 0, 1


class SidePanel(QWidget):
    """Two tabs, as high as the bars beside them, over two panes."""

    def __init__(
        self, courses: CourseSidebar, chats: ConversationsPane, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(self.tr("Sidebar"))
        self.tabs.addTab(self.tr("Courses"))
        self.tabs.addTab(self.tr("Chats"))
        self.tabs.setFixedHeight(HEADER_HEIGHT)
        self._pages = QStackedWidget()
        self._pages.addWidget(courses)
        self._pages.addWidget(chats)
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        vbox(self.tabs, Cell(self._pages, 1), parent=self)

    def show_tab(self, number: int) -> None:
        self.tabs.setCurrentIndex(number)


class TopBar(QWidget):
    """Buttons for the actions; as high as the headers of the panes beside it."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEADER_HEIGHT)
        left = _button(actions.sidebar), _button(actions.new_chat, with_text=True)
        right = _button(actions.settings), _button(actions.sources)
        hbox(*left, Stretch(), *right, parent=self, spacing=4, margins=(8, 0, 8, 0))


def _button(action: QAction, *, with_text: bool = False) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(20, 20))
    button.setAutoRaise(True)
    name = action.text().replace("&", "").rstrip("…")
    keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
    button.setAccessibleName(name)
    button.setToolTip(f"{name} ({keys})" if keys else name)
    if with_text:
        button.setText(name)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button


def lay_out(
    window: QMainWindow, side: QWidget, top_bar: QWidget, chat: QWidget, sources: QWidget
) -> QSplitter:
    """Place the panes beside each other, the bar above the chat; return the splitter between them."""
    window.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
    window.resize(_FIRST_WIDTH, _FIRST_HEIGHT)
    middle = QWidget()
    vbox(top_bar, Cell(chat, 1), parent=middle)
    splitter = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
    for pane in (side, middle, sources):
        splitter.addWidget(pane)
    splitter.setStretchFactor(1, 1)
    splitter.setSizes([_SIDEBAR_WIDTH, _FIRST_WIDTH, _SOURCES_WIDTH])
    window.setCentralWidget(splitter)
    return splitter
