"""The frame of the main window: where its parts are placed, and its theme."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.config.settings import Settings
from app.ui.chat.chat_pane import ChatPane
from app.ui.chat.chats_pane import ConversationsPane
from app.ui.library.sidebar import HEADER_HEIGHT, CourseSidebar
from app.ui.shell.actions import Actions
from app.ui.shell.pane_room import SIDEBAR_WIDTH, SOURCES_WIDTH
from app.ui.widgets.accessibility import announce, reduce_motion
from app.ui.widgets.building import Cell, hbox, one_shot, stack, vbox
from app.ui.widgets.pane_keys import with_keys
from app.ui.widgets.text_labels import ElidedLabel
from app.ui.widgets.theme import Theme, apply_ground, apply_sheet, fix, scaled, theme_for

_Style = Qt.ToolButtonStyle
_WORDY = 400  # pixels of a toolbar with words
_LEAST_WIDTH, _LEAST_HEIGHT = 780, 480
COURSES, CHATS = range(2)  # the tabs


class SidePanel(QWidget):
    """Two tabs, as high as the bars beside them, over two panes."""

    def __init__(self, courses: CourseSidebar, chats: ConversationsPane) -> None:
        super().__init__()
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(self.tr("Sidebar"))
        self.setAccessibleName(self.tabs.accessibleName())
        self.tabs.addTab(self.tr("Courses"))
        self.tabs.addTab(self.tr("Chats"))
        fix(self.tabs, height=HEADER_HEIGHT)
        pages = stack(courses, chats)
        self.tabs.currentChanged.connect(pages.setCurrentIndex)
        vbox(self.tabs, Cell(pages, 1), parent=self)
        self._courses = courses

    def show_course(self, title: str) -> None:
        """Show the courses, with one of them selected and unfolded."""
        self.tabs.setCurrentIndex(COURSES)
        self._courses.show_course(title)


class TopBar(QWidget):
    """The name of the chat between buttons; as high as the headers of the panes beside it."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Toolbar"))
        fix(self, height=HEADER_HEIGHT)
        self._with_text: list[QToolButton] = []
        self._buttons = hbox(spacing=4)
        self.add_button(actions["new_chat"])
        right = _button(actions["settings"]), _button(actions["sources"])
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.title.setProperty("role", "strong")
        hbox(
            _button(actions["sidebar"]),
            self._buttons,
            4,
            Cell(self.title, 1),
            *right,
            parent=self,
            spacing=4,
            margins=(8, 0, 8, 0),
        )
        self._chat = self._name = ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the words away where there is no room for them."""
        super().resizeEvent(event)
        style = _Style.ToolButtonTextBesideIcon
        for button in self._with_text:
            button.setToolButtonStyle(style if self.width() >= scaled(_WORDY) else _Style.ToolButtonIconOnly)

    def show_title(self, title: str) -> None:
        """Name the chat on show, here and in the title of the window; nothing for a new one."""
        self._chat = title
        self._show()

    def show_name(self, name: str) -> None:
        """Name the pane that is in the chat's place; empty if the chat is on show."""
        self._name = name
        self._show()

    def add_button(self, action: QAction) -> None:
        self._with_text.append(_button(action))
        self._buttons.addWidget(self._with_text[-1])

    def _show(self) -> None:
        title = self._name or self._chat
        self.title.setText("" if self._name else title)
        self.window().setWindowTitle(f"{title} – Lectern" if title else "Lectern")


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    fix(button, icon=20)
    button.setAutoRaise(True)

    def show_name() -> None:
        button.setAccessibleName(action.iconText())
        button.setToolTip(with_keys(action.iconText(), action.shortcuts()))

    action.changed.connect(show_name)
    show_name()
    return button


def lay_out(
    window: QMainWindow, side: QWidget, bars: Sequence[QWidget], centre: QWidget, sources: QWidget
) -> QSplitter:
    """Place the panes beside each other, the bars above the middle one; return the splitter between them."""
    window.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
    middle = QWidget()
    vbox(*bars, Cell(centre, 1), parent=middle)
    splitter = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
    for pane in (side, middle, sources):
        splitter.addWidget(pane)
    splitter.setStretchFactor(1, 1)
    splitter.setSizes([SIDEBAR_WIDTH, _LEAST_WIDTH, SOURCES_WIDTH])
    window.setCentralWidget(splitter)
    window.menuBar().setAccessibleName(QCoreApplication.translate("Layout", "Menu bar"))
    window.statusBar().setAccessibleName(QCoreApplication.translate("Layout", "Status bar"))
    window.statusBar().messageChanged.connect(lambda text: announce(window, text))
    return splitter


class Themed(Protocol):
    """A part with texts that are drawn in the colours of the theme."""

    def set_theme(self, theme: Theme) -> None: ...


class ThemeSwitch(QObject):
    """Passes the theme of the setting, or of the desktop, to the application and to ``parts``."""

    def __init__(self, theme: Theme, settings: Settings, parts: Sequence[Themed], parent: QObject) -> None:
        super().__init__(parent)
        self._theme, self._settings, self._parts = theme, settings, parts
        self._sheet_soon = one_shot(self, 0, self._apply_sheet)
        self._parts_soon = one_shot(self, 0, self._show)
        reduce_motion(settings.reduce_motion)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_desktop)

    def apply(self, settings: Settings) -> None:
        """Use the theme and the size of text that are set.

        The style sheet and the parts follow in turns of their own: all at once would stall the window.
        """
        self._settings = settings
        reduce_motion(settings.reduce_motion)
        theme, application = theme_for(settings.theme, settings.text_size), QApplication.instance()
        if theme is not self._theme and isinstance(application, QApplication):
            self._theme = theme
            for window in application.topLevelWidgets():
                window.setUpdatesEnabled(False)
            apply_ground(application, theme)
            self._sheet_soon.start()

    def _apply_sheet(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        apply_sheet(application, self._theme)
        self._parts_soon.start()

    def _show(self) -> None:
        for part in self._parts:
            part.set_theme(self._theme)
        for window in QApplication.topLevelWidgets():
            window.setUpdatesEnabled(True)

    def _follow_desktop(self) -> None:
        if self._settings.theme == "system":
            self.apply(self._settings)


class Centre(QStackedWidget):
    """Shows one of them; the others stay as they are, such as the chat with its draft and its running answer.

    A pane of a feature has a method ``open_find``, as the chat has.
    """

    changed = Signal(bool)  # whether a pane has taken the chat's place

    def __init__(self, chat: ChatPane) -> None:
        super().__init__()
        self._chat = chat
        self.addWidget(chat)
        self.currentChanged.connect(lambda _: self.changed.emit(self.currentWidget() is not chat))

    def show_chat(self) -> None:
        self.setCurrentWidget(self._chat)

    def open_find(self) -> None:
        getattr(self.currentWidget(), "open_find", self._chat.open_find)()
