"""Keys that work in a pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut

from app.ui.widgets.building import name_button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QToolButton, QWidget

_NO_KEYPAD = ~Qt.KeyboardModifier.KeypadModifier
_NO_SHIFT = ~Qt.KeyboardModifier.ShiftModifier


class PaneKey(QObject):
    """Runs a command on a key pressed in a pane; an action of the window with the same key gives way.

    A QShortcut in the pane would not do: Qt runs neither of two shortcuts with one key.

    Args:
        pane: with the keyboard in it, or in a widget inside.
        keys: one or several, unless they are changed.
        act: what to do.
        command: its name in the file of keys. That of a command of the menus, which then means this in the
            pane, or one of the pane's own.
        text: what a command of the pane's own is called on the page of keys.
        is_plain: whether a letter will do, since nothing is typed in the pane but in fields.
    """

    changed = Signal()

    def __init__(
        self,
        pane: QWidget,
        keys: QKeySequence.StandardKey | str | tuple[str, ...],
        act: Callable[[], object],
        *,
        command: str = "",
        text: str = "",
        is_plain: bool = False,
    ) -> None:
        super().__init__(pane)
        self.command, self.text, self.is_plain = command, text, is_plain
        self._keys = [QKeySequence(key) for key in (keys if isinstance(keys, tuple) else (keys,))]
        self._act = act
        pane.installEventFilter(self)

    def keys(self) -> list[QKeySequence]:
        return self._keys

    def set_keys(self, keys: Sequence[QKeySequence]) -> None:
        self._keys = list(keys)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key when Qt asks whose it is, and act when it comes."""
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        if pressed(event) not in self._keys:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress and not (self.is_plain and event.isAutoRepeat()):
            self._act()
        return True


class PaneShortcut(QShortcut):
    """A command of a pane's own, whose key no widget inside the pane gets to see.

    Args:
        pane: with the keyboard in it, or in a widget inside.
        keys: unless they are changed.
        act: what to do.
        command: its name in the file of keys.
        text: what it is called on the page of keys.
        is_plain: whether only the pane itself, where nothing is typed, takes the key, even a letter.
    """

    changed = Signal()

    def __init__(
        self,
        pane: QWidget,
        keys: str,
        act: Callable[[], object],
        *,
        command: str,
        text: str,
        is_plain: bool = False,
    ) -> None:
        super().__init__(QKeySequence(keys), pane)
        self.command, self.text, self.is_plain = command, text, is_plain
        context = Qt.ShortcutContext.WidgetShortcut
        self.setContext(context if is_plain else Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.activated.connect(act)

    def set_keys(self, keys: Sequence[QKeySequence]) -> None:
        self.setKeys(list(keys))
        self.changed.emit()


def name_with_keys(button: QToolButton, name: str, key: PaneKey | PaneShortcut) -> None:
    """Name a button, with the key of its command in the tool tip from now on."""

    def show() -> None:
        name_button(button, name)
        button.setToolTip(with_keys(name, key.keys()))

    key.changed.connect(show)
    show()


def with_keys(name: str, keys: Sequence[QKeySequence]) -> str:
    """Return a name with the first of its keys, such as ``Find (Ctrl+F)``."""
    text = keys[0].toString(QKeySequence.SequenceFormat.NativeText) if keys else ""
    return f"{name} ({text})" if text else name


def pressed(event: QKeyEvent) -> QKeySequence:
    """Return the key without what a keyboard needs to type it: ``+`` may take Shift, or a keypad."""
    modifiers = event.modifiers() & _NO_KEYPAD
    if Qt.Key.Key_Space < event.key() < Qt.Key.Key_A:
        modifiers &= _NO_SHIFT
    return QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
