"""Bars that run to and fro while nothing can be counted, which not everybody can bear to see."""

import ctypes
import sys
from functools import cache

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QProgressBar

_REDUCED = "reducedMotion"  # name of a Qt property
_CLIENT_AREA_ANIMATION = 0x1042  # of SystemParametersInfo


def reduce_motion(reduced: bool) -> None:
    """Let nothing move by itself from now on, or what the system allows."""
    if (application := QCoreApplication.instance()) is not None:
        application.setProperty(_REDUCED, reduced)


def show_waiting(bar: QProgressBar, *, still: int = 0) -> None:
    """Let a bar move, or stand still at ``still`` out of 1 where motion is unwanted."""
    application = QCoreApplication.instance()
    is_still = (application is not None and application.property(_REDUCED)) or _system_reduces_motion()
    bar.setRange(0, 1 if is_still else 0)
    bar.setValue(still)


@cache
def _system_reduces_motion() -> bool:
    """Return what Windows or macOS is set to; Qt does not tell, and on other systems desktops differ."""
    if sys.platform == "win32":
        animated = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(animated), 0)
        return not animated.value
    if sys.platform == "darwin":
        return bool(QSettings("apple.com", "universalaccess").value("reduceMotion", False, bool))
    return False
