"""What the Edit, View and Help menus do, and F6."""

from collections.abc import Callable, Sequence
from functools import partial

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QPlainTextEdit, QWidget

from app.config.settings import Settings
from app.ui.shell.actions import Actions
from app.ui.shell.help_controller import HelpController
from app.ui.widgets.pane_keys import pressed

_FULL_SCREEN = Qt.WindowState.WindowFullScreen


class Commands(QObject):
    """Connects the actions that need no controller of a pane."""

    def __init__(
        self,
        actions: Actions,
        window: QMainWindow,
        panes: Sequence[QWidget],
        find: Callable[[], object],
        helps: HelpController,
    ) -> None:
        super().__init__(window)
        self._actions, self._window, self._panes, self._open_find = actions, window, panes, find
        for standard, action in actions.edits.items():
            action.triggered.connect(lambda _=False, key=standard, one=action: self._pass_on(key, one))
        actions.find.triggered.connect(self._find)
        actions.full_screen.triggered.connect(self._toggle_full_screen)
        actions.next_pane.triggered.connect(lambda: self._step_pane(1))
        actions.previous_pane.triggered.connect(lambda: self._step_pane(-1))
        self._connect_help(helps)
        window.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._watch_field)  # type: ignore[union-attr]

    def _connect_help(self, helps: HelpController) -> None:
        for action, show in (
            (self._actions.guide, helps.show_guide),
            (self._actions.changes, helps.show_changes),
            (self._actions.report, helps.show_report),
            (self._actions.about, helps.show_about),
        ):
            action.triggered.connect(show)

    def show_settings(self, settings: Settings) -> None:
        self._actions.themes[settings.theme].setChecked(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show whether the window fills the screen, which the desktop can change too.

        A field with the keyboard has keys of its own on some systems, such as Ctrl+K, which deletes the rest
        of a line on Linux and macOS: those of the menus come first.
        """
        if watched is self._window:
            if event.type() == QEvent.Type.WindowStateChange:
                self._actions.full_screen.setChecked(self._window.isFullScreen())
        elif event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return self._is_of_window(event)
        return False

    def _watch_field(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and shiboken6.isValid(before):
            before.removeEventFilter(self)
        if isinstance(now, QLineEdit | QPlainTextEdit) and now.window() is self._window:
            now.installEventFilter(self)

    def _is_of_window(self, event: QKeyEvent) -> bool:
        """Leave a key of the window to it; Edit's mean what they mean to the field."""
        key, edits = pressed(event), self._actions.edits.values()
        others = (action for action in self._window.actions() if action not in edits and action.isEnabled())
        found = any(key in action.shortcuts() for action in others)
        if found:
            event.ignore()
        return found

    def _pass_on(self, standard: QKeySequence.StandardKey | QKeySequence, action: QAction) -> bool:
        """Press a key where the keyboard is, so that each widget does what it does by key."""
        widget = self._window.focusWidget()
        if widget is None:
            return False
        keys = QKeySequence(standard)[0]  # type: ignore[index]  # missing in PySide's stubs
        event = QKeyEvent(QEvent.Type.KeyPress, keys.key(), keys.keyboardModifiers())
        action.setEnabled(False)  # or a key that nobody takes would come back
        try:
            QApplication.sendEvent(widget, event)
        finally:
            action.setEnabled(True)
        return event.isAccepted()

    def _find(self) -> None:
        """Search the pane with the keyboard, or else the conversation."""
        keys = self._actions.find.shortcut()
        if keys.isEmpty() or not self._pass_on(keys, self._actions.find):
            self._open_find()

    def _toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ _FULL_SCREEN)

    def _step_pane(self, steps: int) -> None:
        """Give the keyboard to the next pane on show, where it was there before."""
        panes = [pane for pane in self._panes if pane.isVisible()]
        focus = self._window.focusWidget()
        here = next((n for n, pane in enumerate(panes) if focus and pane.isAncestorOf(focus)), None)
        at = (-1 if steps > 0 else 0) if here is None else here
        pane = panes[(at + steps) % len(panes)]
        # Not along the chain of focus: PySide takes each widget for the owner of the next one, and forgets a
        # scroll bar along with the card before it.
        stops = [widget for widget in pane.findChildren(QWidget) if _takes_keys(widget)]
        before = pane.focusWidget()
        if before in stops:
            before.setFocus(Qt.FocusReason.TabFocusReason)
        elif stops:
            min(stops, key=partial(_place, pane)).setFocus(Qt.FocusReason.TabFocusReason)


def _takes_keys(widget: QWidget) -> bool:
    by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(by_tab) and widget.isVisible() and widget.isEnabled()


def _place(pane: QWidget, widget: QWidget) -> tuple[int, int]:
    place = widget.mapTo(pane, QPoint())
    return place.y(), place.x()
