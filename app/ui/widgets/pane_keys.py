"""Keys that work within a pane."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton, QWidget

from app.ui.widgets.building import name_button

_NO_KEYPAD = ~Qt.KeyboardModifier.KeypadModifier
_NO_SHIFT = ~Qt.KeyboardModifier.ShiftModifier


class PaneKey(QObject):
    """Runs a command on a key pressed in a pane; an action of the window with the same key gives way.

    A QShortcut in the pane would not do: Qt runs neither of two shortcuts with one key. ``text`` is its name
    in the list of keys, unless the menus have it; one that ``is_plain`` does not repeat while it is held.
    """

    def __init__(
        self,
        pane: QWidget,
        keys: QKeySequence.StandardKey | str | tuple[str, ...],
        act: Callable[[], object],
        *,
        text: str = "",
        is_plain: bool = False,
    ) -> None:
        super().__init__(pane)
        self.text, self.is_plain = text, is_plain
        self._keys = [QKeySequence(key) for key in (keys if isinstance(keys, tuple) else (keys,))]
        self._act = act
        pane.installEventFilter(self)

    def keys(self) -> list[QKeySequence]:
        return self._keys

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

    ``text`` is its name in the list of keys. One that ``is_plain``, even a letter, only the pane itself
    takes.
    """

    def __init__(
        self, pane: QWidget, keys: str, act: Callable[[], object], *, text: str, is_plain: bool = False
    ) -> None:
        super().__init__(QKeySequence(keys), pane)
        self.text = text
        context = Qt.ShortcutContext.WidgetShortcut
        self.setContext(context if is_plain else Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.activated.connect(act)


def name_with_keys(button: QToolButton, name: str, key: PaneKey | PaneShortcut) -> None:
    """Name a button, with the key of its command in the tool tip."""
    name_button(button, name)
    button.setToolTip(with_keys(name, key.keys()))


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
