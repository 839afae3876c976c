"""What the menus Edit and View do, and F6."""

from collections.abc import Callable, Sequence
from functools import partial

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QMenu, QPlainTextEdit, QWidget

from app.config.settings import Settings
from app.ui.settings.controller import SettingsController
from app.ui.shell.actions import Actions
from app.ui.widgets.pane_keys import pressed

_FULL_SCREEN = Qt.WindowState.WindowFullScreen


class Commands(QObject):
    """Adds the commands of Edit and View, and gives keys of the menus precedence over those of fields."""

    def __init__(
        self,
        actions: Actions,
        window: QMainWindow,
        panes: Sequence[QWidget],
        find: Callable[[], object],
        settings: SettingsController,
    ) -> None:
        super().__init__(window)
        self._actions, self._window, self._panes, self._open_find = actions, window, panes, find
        self._edits: list[QAction] = []
        self._themes: dict[str, QAction] = {}
        self._add_edit()
        self._add_view(settings)
        window.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._watch_field)  # type: ignore[union-attr]

    def _add_edit(self) -> None:
        key = QKeySequence.StandardKey
        for section, name, text, standard in (
            ("undo", "undo", self.tr("&Undo"), key.Undo),
            ("undo", "redo", self.tr("&Redo"), key.Redo),
            ("clipboard", "cut", self.tr("Cu&t"), key.Cut),
            ("clipboard", "copy", self.tr("&Copy"), key.Copy),
            ("clipboard", "paste", self.tr("&Paste"), key.Paste),
            ("clipboard", "select_all", self.tr("Select &all"), key.SelectAll),
        ):
            run = partial(self._pass_on, standard, name)
            self._edits.append(self._actions.add(f"edit/{section}", name, text, run, standard))
        self._actions.add("edit/find", "find", self.tr("&Find…"), self._find, key.Find, "search")

    def _add_view(self, settings: SettingsController) -> None:
        add = self._actions.add
        next_pane, previous_pane = partial(self._step_pane, 1), partial(self._step_pane, -1)
        add("view/focus", "next_pane", self.tr("&Next pane"), next_pane, "F6")
        add("view/focus", "previous_pane", self.tr("&Previous pane"), previous_pane, "Shift+F6")
        larger, smaller, usual = (partial(settings.zoom, steps) for steps in (1, -1, 0))
        add("view/zoom", "larger", self.tr("&Larger text"), larger, "Ctrl++; Ctrl+=", "zoom-in")
        add("view/zoom", "smaller", self.tr("S&maller text"), smaller, "Ctrl+-", "zoom-out")
        add("view/zoom", "usual_size", self.tr("Normal text si&ze"), usual, "Ctrl+0")
        menu, group = QMenu(self.tr("&Theme"), self._window), QActionGroup(self)
        for name, text in (
            ("system", self.tr("&Match system")),
            ("light", self.tr("&Light")),
            ("dark", self.tr("&Dark")),
        ):
            choose = partial(settings.choose_theme, name)
            theme = self._themes[name] = add("view/theme", f"theme_{name}", text, choose)
            theme.setCheckable(True)
            group.addAction(theme)
            menu.addAction(theme)
        self._actions.add_menu("view/look", menu)
        full, keys = self.tr("F&ull screen"), QKeySequence.StandardKey.FullScreen
        add("view/look", "full_screen", full, None, keys).triggered.connect(self._toggle_full_screen)

    def show_settings(self, settings: Settings) -> None:
        self._themes[settings.theme].setChecked(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show whether the window fills the screen, which the desktop can change too.

        A field with the keyboard has keys of its own on some systems, such as Ctrl+K, which deletes the rest
        of a line on Linux and macOS: those of the menus come first.
        """
        if watched is self._window:
            if event.type() == QEvent.Type.WindowStateChange:
                self._actions["full_screen"].setChecked(self._window.isFullScreen())
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
        key = pressed(event)
        others = (one for one in self._window.actions() if one not in self._edits and one.isEnabled())
        found = any(key in action.shortcuts() for action in others)
        if found:
            event.ignore()
        return found

    def _pass_on(self, standard: QKeySequence.StandardKey | QKeySequence, name: str) -> bool:
        """Press a key where the keyboard is, so that each widget does what it does by key."""
        widget, action = self._window.focusWidget(), self._actions[name]
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
        keys = self._actions["find"].shortcut()
        if keys.isEmpty() or not self._pass_on(keys, "find"):
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
