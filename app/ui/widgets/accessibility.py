"""What screen readers announce, and whether anything may move by itself."""

import ctypes
import re
import sys
from functools import cache

from PySide6.QtCore import QCoreApplication, QObject, QSettings
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QProgressBar, QToolTip, QWidget

_FIGURES = re.compile(r"\d+")
_REDUCED = "reducedMotion"  # name of a Qt property
_CLIENT_AREA_ANIMATION = 0x1042  # of SystemParametersInfo


def announce(source: QObject, text: str, *, urgent: bool = False) -> None:
    """Have screen readers say ``text``; if ``urgent``, at once, interrupting what they say."""
    if not text:
        return
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # whose many names take 4 ms to make

    if QAccessible.isActive():
        event = QAccessibleAnnouncementEvent(source, text)
        politeness = QAccessible.AnnouncementPoliteness
        event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
        QAccessible.updateAccessibility(event)


def show_briefly(widget: QWidget, text: str) -> None:
    """Show a word or two at the pointer that go by themselves, and let a screen reader say them."""
    QToolTip.showText(QCursor.pos(), text, widget)
    announce(widget, text)


class Announcer:
    """Announces what a line says, not each of its figures while they change."""

    def __init__(self, source: QObject) -> None:
        self._source = source
        self._last = ""

    def show(self, text: str, *, urgent: bool = False) -> None:
        """Announce a text unless the last one differs from it only in its figures."""
        kind = _FIGURES.sub("", text)
        if kind != self._last:
            announce(self._source, text, urgent=urgent)
        self._last = kind


def reduce_motion(reduced: bool) -> None:
    """Let nothing move by itself from now on, or what the system allows."""
    if (application := QCoreApplication.instance()) is not None:
        application.setProperty(_REDUCED, reduced)


def show_waiting(bar: QProgressBar, *, still: int = 0) -> None:
    """Animate a progress bar, or show ``still`` out of 1 where motion is unwanted."""
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
