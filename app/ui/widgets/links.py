"""Which links the window opens."""

from __future__ import annotations

from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices

_LONGEST_SHOWN = 600
_BREAK = 40  # characters after which a long address may wrap


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


def link_question(link: str) -> str:
    """Return what to ask before opening a link of an answer, with its full address.

    The host is named on its own, since it is easily missed in a long address. International hosts are
    shown in Punycode, so that look-alike letters show.
    """
    address = QUrl(link.strip())
    host = address.host(QUrl.ComponentFormattingOption.FullyEncoded)
    shown = address.toString(QUrl.ComponentFormattingOption.FullyEncoded)
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}…"
    lines = "\u200b".join(shown[at : at + _BREAK] for at in range(0, len(shown), _BREAK))
    text = QCoreApplication.translate("Links", "This link opens {host} in your browser:")
    return f"{text.format(host=host)}\n\n{lines}"
