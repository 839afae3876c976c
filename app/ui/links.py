"""Which links the window follows."""

from __future__ import annotations

from urllib.parse import urlsplit


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
