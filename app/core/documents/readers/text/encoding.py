"""Bytes to text: which encoding a file is in, decided by its content alone.

In order: a byte-order mark; UTF-8 as it is; UTF-8 with a few damaged bytes; UTF-16 without a mark;
Western and Central European tables (:mod:`app.core.documents.readers.text.latin`); charset-normalizer for
every other script. Only a sample of a large file is looked at to guess; the whole file is then decoded.
"""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from app.core.documents.readers.text.latin import best_latin_encoding, looks_latin

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16, whose little-endian mark is the beginning of this one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
# What charset-normalizer may answer: the tables people have saved text in. Its full list brings in
# mainframe and regional tables that differ from these in a few characters only.
_TABLES = (
    *("cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257", "mac_roman", "cp850"),
    *("cp1251", "koi8_r", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic", "cp1253", "iso8859_7"),
    *("cp1255", "cp1256", "cp874", "cp932", "euc_jp", "gb18030", "big5", "cp949"),
)
_LATIN_TABLES = frozenset(_TABLES[:7])

# Control characters that no text has: all of C0 but TAB, LF, VT, FF, CR, SUB (the old end-of-file
# mark), ESC (Japanese mail) and BS.
_CONTROLS = bytes({*range(32), 127} - {8, 9, 10, 11, 12, 13, 26, 27})
_CONTROL_CHARACTERS = re.compile(
    "[\x00-\x07\x0e-\x19\x1c-\x1f\x7f\x80-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]"
)
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_SEPARATOR = re.compile(rb"[\n ]")
_CHARACTER_END = re.compile(rb"[!-/:-~]")
# Signs that only UTF-16 in the right byte order shows often: space, newline and the CJK stops.
_FREQUENT = re.compile("[ \n\u3000\u3001\u3002\uff0c]")

_SAMPLE = 64 * 2**10
_WINDOWS = 16
_DAMAGE_ALLOWED = 0.001


class NotTextError(ValueError):
    """The bytes are no text in any encoding that is known here."""


def decode(data: bytes) -> str:
    """Decode the bytes of a text file.

    A byte-order mark is dropped, nothing else is: newlines stay as they are. A stray NUL, which
    neither a text widget nor a C string survives, becomes U+FFFD, so that all positions hold; so do
    single bytes that do not fit the encoding of the rest.

    Args:
        data: the whole content of a file.

    Returns:
        The text, without NUL.

    Raises:
        NotTextError: the bytes are not text.
    """
    text = _decode_marked(data)
    if text is None:
        text = _decode_unmarked(data)
    _check_characters(text)
    return text.replace("\x00", "\ufffd")


def _decode_marked(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = _decode_with_damage(data[len(mark) :], encoding)
            if text is not None:
                return text
    return None


def _decode_unmarked(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if text:
        if b"\x1b$" in data[:_SAMPLE] and (japanese := _decode_strictly(data, "iso2022_jp")):
            return japanese  # seven-bit, so it passes for UTF-8
        if not _is_binary(data):
            return text
    wide = _decode_wide(data)
    if wide is not None:
        return wide
    if _is_binary(data):
        raise NotTextError
    if _mostly_utf8(data):
        return data.decode("utf-8", "replace")
    return _decode_guessed(data)


def _is_binary(data: bytes) -> bool:
    """Whether there are too many NULs and other control bytes for a text of one-byte units."""
    nulls = data.count(0)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    return nulls > len(data) / 1000 or controls - nulls > len(data) / 50


def _decode_strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _decode_with_damage(data: bytes, encoding: str) -> str | None:
    """Decode, allowing a few places that do not fit (at least one: a file cut off at its end)."""
    text = _decode_strictly(data, encoding)
    if text is not None:
        return text
    text = data.decode(encoding, "replace")
    damage = text.count("\ufffd")
    return text if damage <= max(1, len(text) * _DAMAGE_ALLOWED) else None


def _decode_wide(data: bytes) -> str | None:
    """Decode UTF-16 without a mark, known by its spaces, newlines and stops; None if it is not."""
    sample = data[:_SAMPLE]
    sample = sample[: len(sample) // 2 * 2]
    best, best_share = "", 0.01
    for encoding in ("utf-16-le", "utf-16-be"):
        text = sample.decode(encoding, "replace")
        if not text or text.count("\ufffd") > max(1, len(text) * _DAMAGE_ALLOWED):
            continue
        share = len(_FREQUENT.findall(text)) / len(text)
        if share >= best_share and len(_CONTROL_CHARACTERS.findall(text)) <= len(text) / 200:
            best, best_share = encoding, share
    return _decode_with_damage(data, best) if best else None


def _mostly_utf8(data: bytes) -> bool:
    """Whether far more non-ASCII sequences are sound UTF-8 than damaged."""
    sample = _sample(data).decode("utf-8", "replace")
    damaged = sample.count("\ufffd")
    sound = sum(1 for character in sample if character > "\x7f") - damaged
    return sound >= 4 * damaged


def _decode_guessed(data: bytes) -> str:
    sample = _sample(data)
    if looks_latin(sample):
        return _decode_latin(data, sample)
    for match in from_bytes(sample, cp_isolation=list(_TABLES)):
        if match.encoding in _LATIN_TABLES:
            return _decode_latin(data, sample)
        text = _decode_with_damage(data, match.encoding)
        if text is not None:
            return text
    if len(sample) < 200:  # too short for statistics; a person would see mostly readable words
        return _decode_latin(data, sample)
    raise NotTextError


def _decode_latin(data: bytes, sample: bytes) -> str:
    return data.decode(best_latin_encoding(sample), "replace")


def _sample(data: bytes) -> bytes:
    """Return up to 64 KiB of what tells encodings apart: places that are not all ASCII.

    No window begins or ends inside a multi-byte sequence of any encoding in question: none of them
    has a newline or a space within one.
    """
    if len(data) <= _SAMPLE:
        return data
    size = _SAMPLE // _WINDOWS
    windows = []
    position = 0
    for number in range(_WINDOWS):
        position = max(position, len(data) * number // _WINDOWS)
        found = _NON_ASCII.search(data, position)
        if not found:
            break
        begin = _window_begin(data, position, found.start(), size)
        if begin is None:
            continue
        windows.append(_without_cut_end(data[begin : begin + size]))
        position = begin + size
    return b"\n".join(windows)


def _window_begin(data: bytes, position: int, non_ascii: int, size: int) -> int | None:
    """Return a sure beginning of a character near the first byte that is not ASCII, or None."""
    if position == 0:
        return max(data.rfind(b"\n", 0, non_ascii), data.rfind(b" ", 0, non_ascii)) + 1
    before = max(data.rfind(b"\n", position, non_ascii), data.rfind(b" ", position, non_ascii))
    if before >= 0:
        return before + 1
    after = _SEPARATOR.search(data, position, position + size)
    return after.end() if after else None


def _without_cut_end(window: bytes) -> bytes:
    separator = max(window.rfind(b"\n"), window.rfind(b" "))
    if separator > 0:
        return window[:separator]
    # An ASCII byte ends a character, alone or as the second of two; digits may stand inside four.
    ends = [match.end() for match in _CHARACTER_END.finditer(window)]
    return window[: ends[-1]] if ends else window[: len(window) // 2 * 2]


def _check_characters(text: str) -> None:
    """Refuse a reading full of control characters and other non-characters."""
    step = max(len(text) // 4, 1)
    part = "".join(text[at : at + _SAMPLE] for at in range(0, len(text), step))
    if len(_CONTROL_CHARACTERS.findall(part)) > len(part) / 50:
        raise NotTextError
