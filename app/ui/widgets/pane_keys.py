"""Keys of a pane that also mean something to the whole window."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

_NO_KEYPAD = ~Qt.KeyboardModifier.KeypadModifier
_NO_SHIFT = ~Qt.KeyboardModifier.ShiftModifier


class PaneKey(QObject):
    """Runs a command on a key pressed in a pane; an action of the window with the same key gives way.

    A QShortcut in the pane would not do: Qt runs neither of two shortcuts with one key.
    """

    def __init__(
        self, pane: QWidget, keys: QKeySequence.StandardKey | str, act: Callable[[], object]
    ) -> None:
        super().__init__(pane)
        self._keys, self._act = QKeySequence(keys), act
        pane.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key when Qt asks whose it is, and act when it comes."""
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        if _pressed(event) != self._keys:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self._act()
        return True


def _pressed(event: QKeyEvent) -> QKeySequence:
    """Return the key without what a keyboard needs to type it: ``+`` may take Shift, or a keypad."""
    modifiers = event.modifiers() & _NO_KEYPAD
    if Qt.Key.Key_Space < event.key() < Qt.Key.Key_A:
        modifiers &= _NO_SHIFT
    return QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
