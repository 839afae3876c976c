"""The left side of the window: courses and chats in tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.ui.courses.sidebar import HEADER_HEIGHT

if TYPE_CHECKING:
    from app.ui.chats.chats_pane import ChatsPane
    from app.ui.courses.sidebar import CourseSidebar

COURSES, CHATS = 0, 1


class SidePanel(QWidget):
    """Two tabs, as high as the bars beside them, over two panes."""

    def __init__(self, courses: CourseSidebar, chats: ChatsPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(self.tr("Sidebar"))
        self.tabs.addTab(self.tr("Courses"))
        self.tabs.addTab(self.tr("Chats"))
        self.tabs.setFixedHeight(HEADER_HEIGHT)
        self._pages = QStackedWidget()
        self._pages.addWidget(courses)
        self._pages.addWidget(chats)
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self._pages, 1)

    def show_tab(self, number: int) -> None:
        self.tabs.setCurrentIndex(number)
