"""Values of records: cut to what a server accepts, and checked when they come from one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.features.shared.connection import Value

VALUE_BYTES = 4_000  # of a value in the metadata; Chroma's cloud accepts 4,096
LARGEST = 2**31 - 1
"""The largest whole number that is accepted; positions in a document are 32-bit."""


class Unusable(Exception):  # internal: whoever decodes a record drops it
    """A value is missing, or not as it should be."""


def fitted(text: str, most: int = VALUE_BYTES) -> str:
    """Return as much of a text as fits into so many bytes."""
    if len(text) * 4 <= most:
        return text
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def kept(text: str | None) -> str | None:
    """Return a text that is of no use when cut, such as a link; None if it does not fit."""
    return text if text and fitted(text) == text else None


def split_value(name: str, text: str) -> dict[str, Value]:
    """Return an ASCII text under as many names as it takes: ``name``, ``name_1`` and so on."""
    starts = range(0, max(len(text), 1), VALUE_BYTES)
    return {
        f"{name}_{index}" if index else name: text[start : start + VALUE_BYTES]
        for index, start in enumerate(starts)
    }


def checked_text(value: object, most: int = VALUE_BYTES) -> str:
    """Return a text of at most so many bytes."""
    if not isinstance(value, str) or len(value) > most:
        raise Unusable("text")
    try:
        size = len(value.encode())
    except UnicodeEncodeError:  # half a character
        size = most + 1
    if size > most:
        raise Unusable("text")
    return value


def whole(value: object, least: int = 0) -> int:
    """Return a whole number up to :data:`LARGEST`."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= LARGEST:
        raise Unusable("number")
    return value


class Fields:
    """The metadata of a record of unknown origin; whatever is not as asked for raises Unusable."""

    def __init__(self, metadata: Mapping[str, Value] | None) -> None:
        if not isinstance(metadata, Mapping):
            raise Unusable("metadata")
        self._metadata = metadata

    def __contains__(self, name: str) -> bool:
        return name in self._metadata

    def text(self, name: str, default: str | None = None) -> str:
        return checked_text(self._metadata.get(name, default))

    def number(self, name: str) -> int:
        """Return a whole number from 0 to :data:`LARGEST`."""
        return whole(self._metadata.get(name))

    def moment(self, name: str) -> float:
        """Return seconds since the epoch."""
        value = self._metadata.get(name)
        if not isinstance(value, int | float) or not 0 <= value <= LARGEST * 8:
            raise Unusable(name)
        return float(value)

    def joined(self, name: str, most: int) -> str:
        """Return what :func:`split_value` has split into so many parts at most."""
        parts = [self.text(name)]
        while (further := f"{name}_{len(parts)}") in self._metadata:
            parts.append(self.text(further))
        if len(parts) > most:
            raise Unusable(name)
        return "".join(parts)

    def items(self, name: str) -> list[object]:
        """Return a list in JSON, empty if there is none."""
        try:
            found = json.loads(self.text(name, "[]"))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, list):
            raise Unusable(name)
        return found
