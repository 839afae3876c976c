"""Takes API keys out of what is logged or shown."""

from __future__ import annotations

import logging
import os
import re

KEY_VARIABLE = "ANTHROPIC_API_KEY"

_KEY = re.compile(r"\bsk-[\w-]{8,}|(?<=x-api-key: )\S+|(?<=Bearer )[\w.-]{8,}", re.IGNORECASE)
_HIDDEN = "[key hidden]"
_SHORTEST = 6  # a shorter "key" would be found in the middle of ordinary words

# Logging is one for the whole process, and so is what must not be in it. Keys of servers other than
# Anthropic's can look like anything: each is made known here when it is first read or typed.
_known: set[str] = set()


def hide(key: str) -> None:
    """Keep a key out of everything that is redacted from now on."""
    if len(key.strip()) >= _SHORTEST:
        _known.add(key.strip())


def redact(text: str) -> str:
    """Return ``text`` without anything that is, or looks like, a key."""
    own = os.environ.get(KEY_VARIABLE, "").strip()
    for key in sorted({*_known, own} - {""}, key=len, reverse=True):
        text = text.replace(key, _HIDDEN)
    return _KEY.sub(_HIDDEN, text)


class RedactingFormatter(logging.Formatter):
    """Formats a record, traceback included, and hides keys in the result."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the finished lines."""
        return redact(super().format(record))
