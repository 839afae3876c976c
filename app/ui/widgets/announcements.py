"""What screen readers say of changes that happen away from the keyboard's focus."""

import re

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCursor
from PySide6.QtWidgets import QToolTip, QWidget

_FIGURES = re.compile(r"\d+")


def announce(source: QObject, text: str, *, urgent: bool = False) -> None:
    """Let a screen reader say ``text``; if ``urgent``, at once, in place of what it is saying."""
    if text and QAccessible.isActive():
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
