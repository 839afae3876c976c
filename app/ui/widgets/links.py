"""Which links the window opens."""

from urllib.parse import urlsplit

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def is_web_link(link: str | None) -> bool:
    """Return whether ``link`` is an http(s) address with a host; nothing else is ever opened.

    Links come from course files and answers, so ``file:``, ``javascript:`` and the like do nothing.
    """
    if not link:
        return False
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)


def open_link(link: str) -> bool:
    """Open a web address in the browser; return whether that worked."""
    return is_web_link(link) and QDesktopServices.openUrl(QUrl(link.strip()))
