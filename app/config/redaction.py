"""Takes API keys out of what is logged or shown."""

from __future__ import annotations

import logging
import os
import re

from app.config.secrets import KEY_VARIABLE

_KEY = re.compile(r"\bsk-[\w-]{8,}|(?<=x-api-key: )\S+|(?<=Bearer )[\w.-]{8,}", re.IGNORECASE)
_HIDDEN = "[key hidden]"


def redact(text: str) -> str:
    """Return ``text`` without anything that looks like a key, nor the environment's key."""
    own = os.environ.get(KEY_VARIABLE, "").strip()
    if own:
        text = text.replace(own, _HIDDEN)
    return _KEY.sub(_HIDDEN, text)


class RedactingFormatter(logging.Formatter):
    """Formats a record, traceback included, and hides keys in the result."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the finished lines."""
        return redact(super().format(record))
