"""Which keys the commands of the window and its panes have: as delivered, or as the user has set them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence

from app.ui.widgets.menus import menu_commands, plain_name
from app.ui.widgets.pane_keys import PaneKey, PaneShortcut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QMainWindow, QWidget

    SetKeys = Callable[[Sequence[QKeySequence]], None]

FIXED = "fixedKeys"  # a property of actions whose keys are the system's
_FOLDER = "keys"
_PORTABLE = QKeySequence.SequenceFormat.PortableText
_MODIFIERS = Qt.KeyboardModifier
_STRONG = _MODIFIERS.ControlModifier | _MODIFIERS.AltModifier | _MODIFIERS.MetaModifier
# Keys that lead through every window, with any modifier or none.
_RESERVED = {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab}


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its keys as delivered.

    Attributes:
        name: in the file.
        text: what it is called.
        group: its menu, or where it works.
        keys: as delivered.
        is_fixed: whether they stay.
        is_plain: whether a letter will do.
    """

    name: str
    text: str
    group: str
    keys: tuple[QKeySequence, ...]
    is_fixed: bool = False
    is_plain: bool = False


class KeyBindings(QObject):
    """Gives the commands of a window their keys and keeps what is changed.

    No key has two commands: one that is given a key takes it from the command that had it.
    """

    changed = Signal()

    def __init__(self, window: QMainWindow, memory: QSettings) -> None:
        """Find all commands of the menus and of panes, and apply what was changed earlier."""
        super().__init__(window)
        self._window, self._memory = window, memory
        self.commands: dict[str, Command] = {}
        self._holders: dict[str, list[SetKeys]] = {}
        bar = window.menuBar()
        mnemonics = ((QKeySequence.mnemonic(entry.text()), plain_name(entry)) for entry in bar.actions())
        self._menus = {key.toString(_PORTABLE): name for key, name in mnemonics}
        for menu, name, action in menu_commands(bar):
            if action.objectName():
                keys, fixed = tuple(action.shortcuts()), bool(action.property(FIXED))
                self._add(Command(action.objectName(), name, menu, keys, fixed), action.setShortcuts)
        self._add_panes(window, self.tr("Lessons and answers"))
        self._kept = self._read()
        self._apply()

    def adopt(self, pane: QWidget, name: str) -> None:
        """Give the commands of a pane that was made later their keys, too."""
        self._add_panes(pane, name)
        self._kept |= self._read()
        self._apply()

    def show_page(self) -> None:
        # Imported late so that the window paints sooner.
        from app.ui.shell.keys_dialog import KeysDialog

        KeysDialog(self, self._window).open()

    def keys(self, name: str) -> list[QKeySequence]:
        """Return the keys that a command has now."""
        if (kept := self._kept.get(name)) is not None:
            return [QKeySequence(kept)] if kept else []
        taken = set(self._kept.values())
        return [key for key in self.commands[name].keys if key.toString(_PORTABLE) not in taken]

    def is_changed(self, name: str) -> bool:
        """Return whether a command has other keys than as delivered, perhaps since another has them."""
        return tuple(self.keys(name)) != self.commands[name].keys

    def owner(self, key: QKeySequence, other_than: str) -> str:
        """Return the name of the other command that has a key now; empty if none has."""
        others = (name for name in self.commands if name != other_than)
        return next((name for name in others if key in self.keys(name)), "")

    def refusal(self, name: str, key: QKeySequence) -> str:
        """Say why a command cannot have a key; empty if it can."""
        pressed = key[0]  # type: ignore[index]  # missing in PySide's stubs
        is_function = Qt.Key.Key_F1 <= pressed.key() <= Qt.Key.Key_F35
        shown = key.toString(QKeySequence.SequenceFormat.NativeText)
        if pressed.key() in _RESERVED:
            return self.tr("{keys} moves around in every window and can't be used.").format(keys=shown)
        is_weak = not (is_function or pressed.keyboardModifiers() & _STRONG)
        if is_weak and not self.commands[name].is_plain:
            return self.tr("{keys} is needed for typing. Add Ctrl or Alt.").format(keys=shown)
        if menu := self._menus.get(key.toString(_PORTABLE)):
            return self.tr("{keys} opens the menu “{menu}”.").format(keys=shown, menu=menu)
        owner = self.commands.get(self.owner(key, name))
        fixed = owner.text if owner is not None and owner.is_fixed else ""
        if key == QKeySequence(Qt.Key.Key_F2):  # of lists and trees, which have no command for it
            fixed = self.tr("Rename")
        taken = self.tr("{keys} is “{command}” in every program.")
        return taken.format(keys=shown, command=fixed) if fixed else ""

    def assign(self, name: str, key: QKeySequence) -> None:
        """Give a command a key, or none if ``key`` is empty; the command that had it loses it."""
        text = key.toString(_PORTABLE)
        lost = {other: "" for other, kept in self._kept.items() if text and kept == text}
        self.replace({**self._kept, **lost, name: text})

    def reset(self, name: str) -> None:
        """Give a command back its keys as delivered, also those that another command was given."""
        own = {key.toString(_PORTABLE) for key in self.commands[name].keys}
        kept = {other: text for other, text in self._kept.items() if other != name and text not in own}
        self.replace(kept)

    def replace(self, kept: dict[str, str]) -> dict[str, str]:
        """Keep other changes than before, none for the keys as delivered; return those before."""
        before, self._kept = self._kept, kept
        self._memory.remove(_FOLDER)
        for name, text in kept.items():
            self._memory.setValue(f"{_FOLDER}/{name}", text)
        self._apply()
        return before

    # ---- internals ----

    def _add_panes(self, within: QWidget, group: str) -> None:
        of_panes: list[PaneKey | PaneShortcut] = list(within.findChildren(PaneKey))
        for key in (*of_panes, *within.findChildren(PaneShortcut)):
            if key.command:
                keys = tuple(key.keys())
                self._add(Command(key.command, key.text, group, keys, is_plain=key.is_plain), key.set_keys)

    def _add(self, command: Command, set_keys: SetKeys) -> None:
        self.commands.setdefault(command.name, command)
        self._holders.setdefault(command.name, []).append(set_keys)

    def _read(self) -> dict[str, str]:
        """Return what was changed: the keys of commands as text, empty for none."""
        texts = ((name, self._memory.value(f"{_FOLDER}/{name}")) for name in self.commands)
        return {
            name: str(text)
            for name, text in texts
            if text is not None and QKeySequence(str(text)).toString(_PORTABLE) == text
        }

    def _apply(self) -> None:
        for name, holders in self._holders.items():
            keys = self.keys(name)
            for set_keys in holders:
                set_keys(keys)
        self.changed.emit()
