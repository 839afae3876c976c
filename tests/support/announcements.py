"""Hears what Qt tells screen readers, as a screen reader's bridge would."""

from __future__ import annotations

import ctypes
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
import shiboken6
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent

if TYPE_CHECKING:
    from collections.abc import Iterator

_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_FOLDER = Path(PySide6.__file__).parent
_LIBRARIES = {"win32": "Qt6Gui.dll", "darwin": "Qt/lib/QtGui.framework/Versions/A/QtGui"}
_NAMES = {"win32": "?installUpdateHandler@QAccessible@@SAP6AXPEAVQAccessibleEvent@@@ZP6AX0@Z@Z"}


@contextmanager
def announcements() -> Iterator[list[str]]:
    """Collect what is announced; urgent announcements begin with "!"."""
    library = ctypes.CDLL(str(_FOLDER / _LIBRARIES.get(sys.platform, "Qt/lib/libQt6Gui.so.6")))
    name = _NAMES.get(sys.platform, "_ZN11QAccessible20installUpdateHandlerEPFvP16QAccessibleEventE")
    install = getattr(library, name)  # PySide does not have it
    install.restype, install.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    heard: list[str] = []

    def hear(address: int) -> None:
        event = shiboken6.wrapInstance(address, QAccessibleEvent)
        assert isinstance(event, QAccessibleEvent)
        if event.type() == QAccessible.Event.Announcement:
            said = shiboken6.wrapInstance(address, QAccessibleAnnouncementEvent)
            assert isinstance(said, QAccessibleAnnouncementEvent)
            is_urgent = said.politeness() == QAccessible.AnnouncementPoliteness.Assertive
            heard.append(f"!{said.message()}" if is_urgent else said.message())

    handler = _HANDLER(hear)
    QAccessible.setActive(True)
    before = install(ctypes.cast(handler, ctypes.c_void_p))
    try:
        yield heard
    finally:
        install(before)
        QAccessible.setActive(False)
