"""Removes API keys from everything that is logged or shown."""

import logging
import os
import re

KEY_VARIABLE = "ANTHROPIC_API_KEY"

_KEY = re.compile(r"\bsk-[\w-]{8,}|(?<=x-api-key: )\S+|(?<=Bearer )[\w.-]{8,}", re.IGNORECASE)
# Of variables, such as OPENAI_API_KEY, HF_TOKEN or AWS_SECRET_ACCESS_KEY. The desktop's token for bringing a
# window forward is no secret, and Qt needs it.
_SECRET_NAME = re.compile(
    r"(?!XDG_ACTIVATION_TOKEN$)(ANTHROPIC_"
    r"|(.*_)?(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$))",
    re.IGNORECASE,
)
_HIDDEN = "[key hidden]"
_SHORTEST = 6  # a shorter "key" would match inside ordinary words

# Global, because logging is. Keys of servers other than Anthropic's can look like anything, so each key is
# registered here when it is first read or typed.
_known: set[str] = set()


def hide(key: str) -> None:
    """Hide a key in everything that is redacted from now on."""
    if len(key.strip()) >= _SHORTEST:
        _known.add(key.strip())


def redact(text: str) -> str:
    """Return ``text`` without anything that is or looks like a key."""
    own = os.environ.get(KEY_VARIABLE, "").strip()
    for key in sorted({*_known, own} - {""}, key=len, reverse=True):
        text = text.replace(key, _HIDDEN)
    return _KEY.sub(_HIDDEN, text)


def is_secret(name: str, value: str) -> bool:
    """Whether an environment variable is or may be a secret, by its name or its value."""
    return _SECRET_NAME.match(name) is not None or redact(value) != value


class RedactingFormatter(logging.Formatter):
    """Hides keys in formatted records, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
