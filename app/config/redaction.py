"""Removes API keys from everything that is logged or shown."""

import base64
import logging
import os
import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import quote

KEY_VARIABLE = "ANTHROPIC_API_KEY"
TOKEN_VARIABLE = "LECTERN_CHROMA_TOKEN"
"""Of a library on a server."""

_KEY = re.compile(
    r"\bsk-[\w-]{8,}|\bgsk_\w{16,}|\bAIza[\w-]{20,}"
    r"|\bck-\w{16,}|(?<=x-api-key: )\S+|(?<=x-chroma-token: )\S+|(?<=Bearer )[\w.~+/=-]{8,}",
    re.IGNORECASE,
)
# Of variables, such as OPENAI_API_KEY, HF_TOKEN or AWS_SECRET_ACCESS_KEY. The desktop's token for bringing a
# window forward is no secret, and Qt needs it.
_SECRET_NAME = re.compile(
    r"(?!XDG_ACTIVATION_TOKEN$)(ANTHROPIC_"
    r"|(.*_)?(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$))",
    re.IGNORECASE,
)
_HIDDEN = "[key hidden]"
_SHORTEST = 6  # a shorter "key" would match inside ordinary words
# Of keys in running text: local servers take any word for a key, such as "ollama", and answers use words.
_SHORTEST_IN_TEXT = 12
_TELLING = 8  # characters that give away something of a key

# Global, because logging is. Keys of servers other than Anthropic's can look like anything, so each key is
# registered here when it is first read or typed.
_known: set[str] = set()


def hide(key: str) -> None:
    """Hide a key in everything that is redacted from now on."""
    if len(key.strip()) >= _SHORTEST:
        _known.add(key.strip())


def redact(text: str) -> str:
    """Return ``text`` without anything that is or looks like a key."""
    own = [os.environ.get(name, "").strip() for name in (KEY_VARIABLE, TOKEN_VARIABLE)]
    known = {*_known, *(key for key in own if len(key) >= _SHORTEST)}
    ordered = sorted(known, key=len, reverse=True)
    for spelling in (spelling for key in ordered for spelling in _spellings(key)):
        text = text.replace(spelling, _HIDDEN)  # whole ones first: keys may have parts in common
    text = _KEY.sub(_HIDDEN, text)
    for key in ordered:
        text = hide_key(text, key)
    return text


def hide_key(text: str, key: str) -> str:
    """Return ``text`` without ``key``, plain or encoded, and without its telling parts, blanks or not."""
    for spelling in _spellings(key) if key else ():
        text = text.replace(spelling, _HIDDEN)
    size = max(_TELLING, len(key) // 4)
    parts = {key[at : at + size] for at in range(len(key) - size + 1)}
    places = [at for at, sign in enumerate(text) if not sign.isspace()]
    bare = "".join(text[at] for at in places)
    spans: list[tuple[int, int]] = []
    for at in range(len(bare) - size + 1):
        if bare[at : at + size] in parts:
            first = spans.pop()[0] if spans and places[at] <= spans[-1][1] else places[at]
            spans.append((first, places[at + size - 1]))
    for first, last in reversed(spans):
        text = text[:first] + _HIDDEN + text[last + 1 :]
    return text


class KeyFilter:
    """Hides a key, plain or encoded, in a text that comes in pieces."""

    def __init__(self, key: str) -> None:
        is_word = len(key) < _SHORTEST_IN_TEXT or not any(map(str.isdigit, key))
        self._spellings = () if is_word else _spellings(key)
        self.held = ""  # the end of the text so far, as long as it may be the beginning of the key

    def write(self, piece: str) -> str:
        """Take the next piece and return what can be shown."""
        text = self.held + piece
        for spelling in self._spellings:
            text = text.replace(spelling, _HIDDEN)
        longest = max((_overlap(text, spelling) for spelling in self._spellings), default=0)
        shown = len(text) - longest
        self.held = text[shown:]
        return text[:shown]

    def finish(self) -> str:
        """Return what was held back, since no more comes; a telling part of the key stays hidden."""
        held, self.held = self.held, ""
        return held if len(held) < _TELLING else _HIDDEN

    def hide(self, text: str) -> str:
        """Return a text that is complete without the key."""
        for spelling in self._spellings:
            text = text.replace(spelling, _HIDDEN)
        return text


@cache
def _spellings(key: str) -> tuple[str, ...]:
    """Return the ways in which a key is commonly written, the longest first."""
    raw = key.encode("utf-8", "replace")
    found = {key, quote(key, safe=""), "".join(f"%{byte:02X}" for byte in raw), raw.hex(), *_in_base64(raw)}
    return tuple(sorted(found, key=len, reverse=True))


def _in_base64(raw: bytes) -> Iterator[str]:
    """Yield the characters that stand for these bytes alone, wherever in a longer text they begin."""
    for shift in range(3) if len(raw) >= _TELLING else ():
        first, last = (0, 2, 3)[shift], (shift + len(raw)) * 8 // 6
        yield base64.b64encode(bytes(shift) + raw).decode()[first:last]
        yield base64.urlsafe_b64encode(bytes(shift) + raw).decode()[first:last]


def _overlap(text: str, word: str) -> int:
    """Return how many characters at the end of ``text`` are the beginning of ``word``, but not all of it."""
    longest = min(len(text), len(word) - 1)
    return next((size for size in range(longest, 0, -1) if text.endswith(word[:size])), 0)


def is_secret(name: str, value: str) -> bool:
    """Whether an environment variable is or may be a secret, by its name or its value."""
    return _SECRET_NAME.match(name) is not None or redact(value) != value


class RedactingFormatter(logging.Formatter):
    """Hides keys in formatted records, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
