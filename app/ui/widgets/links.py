"""Which links the window follows."""

from __future__ import annotations

from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices

_LONGEST_SHOWN = 600
_BREAK = 40  # characters after which a long address may be broken into lines


def is_web_link(link: str | None) -> bool:
    """Return whether ``link`` is an http(s) address with a host; nothing else is ever opened.

    Links come from course files and answers: ``file:``, ``javascript:`` and the like stay inert.
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


def link_question(link: str) -> str:
    """Return what to ask before a link of an answer is opened: where it leads, in full.

    The host stands by itself, since it is easily missed in a long address. An international one is
    shown as it is sent, so that letters that only look alike are seen.
    """
    address = QUrl(link.strip())
    host = address.host(QUrl.ComponentFormattingOption.FullyEncoded)
    shown = address.toString(QUrl.ComponentFormattingOption.FullyEncoded)
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}…"
    lines = "\u200b".join(shown[at : at + _BREAK] for at in range(0, len(shown), _BREAK))
    text = QCoreApplication.translate("Links", "It leads to {host} and opens in your browser:")
    return f"{text.format(host=host)}\n\n{lines}"
