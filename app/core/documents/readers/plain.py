"""Plain text; the content alone decides which encoding a file is in.

In order: a byte-order mark; UTF-8 as it stands; UTF-16 without a mark; UTF-8 with a few damaged bytes; what
chardet makes of a sample.
"""

import codecs
import re
from collections import defaultdict
from contextlib import suppress

from app.core.documents.readers import ReaderError
from app.domain.documents import DocumentText

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16, whose little-endian mark is the beginning of this one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
# The encodings people have saved text in. The full list of chardet adds mainframe and regional ones that
# differ from these in a few characters only.
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "iso8859-15", "iso8859-2", "mac-roman", "cp850")
_OTHER = (
    *("cp1251", "koi8-r", "koi8-u", "cp866", "iso8859-5", "cp1253", "iso8859-7", "cp1255", "cp1256", "cp874"),
    *("cp932", "euc_jis_2004", "gb18030", "big5hkscs", "cp949"),
)
_WESTERN_BONUS = 0.003  # confidence; one or two accents say little, and most such files are in cp1252

# Control characters that no text has: all of C0 but TAB, LF, VT, FF, CR, SUB (the old end-of-file
# mark), ESC (Japanese mail) and BS.
_CONTROLS = bytes({*range(32), 127} - {8, 9, 10, 11, 12, 13, 26, 27})
_CONTROL_CHARACTERS = re.compile(
    "[\x00-\x07\x0e-\x19\x1c-\x1f\x7f\x80-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]"
)
_HIGH = re.compile(rb"[\x80-\xff]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]++")
_ASCII_LETTER = re.compile(rb"[A-Za-z]")
# ASCII with the quotes, dashes, €, £ and ° of cp1252 where they belong: beside a word, not inside one.
_PUNCTUATED = re.compile(
    rb"(?:[\x00-\x7f]|(?<![A-Za-z\x80-\xff])[\x80\x91-\x97\xa3\xb0](?![\x80-\xff])"
    rb"|(?<![\x80-\xff])[\x80\x91-\x97\xa3\xb0](?![A-Za-z\x80-\xff])"
    rb"|(?<=[A-Za-z])[\x92\x96\x97](?=[A-Za-z]))*+"
)
# Characters that only UTF-16 in the right byte order shows often: space, newline and the CJK stops.
_FREQUENT = re.compile("[ \n\u3000\u3001\u3002\uff0c]")

_SAMPLE = 64 * 2**10
_PIECES = 8
_DAMAGE_ALLOWED = 0.001


def read_text(data: bytes) -> DocumentText:
    return DocumentText(decoded(data))


def head(data: bytes) -> str:
    """Return a file's first characters, good enough to look for signs that are ASCII in every encoding."""
    return data[:4096].decode("latin-1").replace("\x00", "").lstrip("\xff\xfe\xef\xbb\xbf")


def decoded(data: bytes) -> str:
    """Return a file's text with LF as newline; raise ReaderError if it has none."""
    return decode(data).replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes) -> str:
    """Decode the bytes of a text file; raise ReaderError if they are none.

    A byte-order mark is dropped; newlines stay as they are. A stray NUL, which neither a text widget nor a
    C string survives, becomes U+FFFD, so that all positions hold; so do single bytes that do not fit.
    """
    text = None
    for mark, encoding in _MARKS:
        if text is None and data.startswith(mark):
            text = _decode_with_damage(data[len(mark) :], encoding)
    if text is None:
        text = _decode_unmarked(data)
    step = max(len(text) // 4, 1)
    part = "".join(text[at : at + _SAMPLE] for at in range(0, len(text), step))
    if len(_CONTROL_CHARACTERS.findall(part)) > len(part) / 50:
        raise ReaderError("documents.not_text")
    return text.replace("\x00", "\ufffd")


def _decode_unmarked(data: bytes) -> str:
    # Too many NULs or other control bytes for a text of one-byte units.
    nulls = data.count(0)
    controls = len(data) - len(data.translate(None, _CONTROLS)) - nulls
    is_binary = nulls > len(data) / 1000 or controls > len(data) / 50
    with suppress(UnicodeDecodeError):
        text = data.decode("utf-8")
        if b"\x1b$" in data[:_SAMPLE]:
            with suppress(UnicodeDecodeError):
                return data.decode("iso2022_jp")  # seven-bit, so it passes for UTF-8
        if not is_binary:
            return text
    if (wide := _decode_wide(data)) is not None:
        return wide
    if is_binary:
        raise ReaderError("documents.not_text")
    sample = _sample(data)
    text = sample.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    sound = sum(1 for character in text if character > "\x7f") - damaged
    return data.decode("utf-8", "replace") if sound >= 4 * damaged else _decode_guessed(data, sample)


def _decode_with_damage(data: bytes, encoding: str) -> str | None:
    """Decode, allowing a few places that do not fit (at least one: a file cut off at its end)."""
    text = data.decode(encoding, "replace")
    damage = text.count("\ufffd")
    return text if damage <= max(1, len(text) * _DAMAGE_ALLOWED) else None


def _decode_wide(data: bytes) -> str | None:
    """Decode UTF-16 without a mark, known by its spaces, newlines and stops; None if it is not."""
    best, best_share = "", 0.01
    for encoding in ("utf-16-le", "utf-16-be"):
        text = data[:_SAMPLE].decode(encoding, "replace")
        share = len(_FREQUENT.findall(text)) / max(len(text), 1)
        is_clean = len(_CONTROL_CHARACTERS.findall(text)) <= len(text) / 200
        if share >= best_share and is_clean and text.count("\ufffd") <= max(1, len(text) * _DAMAGE_ALLOWED):
            best, best_share = encoding, share
    return _decode_with_damage(data, best) if best else None


def _sample(data: bytes) -> bytes:
    """Return up to 64 KiB of lines from all over the file that are not all ASCII."""
    if len(data) <= _SAMPLE:
        return data
    lines = [line for line in data.splitlines(keepends=True) if not line.isascii()]
    sample = b"".join(lines[:: sum(map(len, lines)) // _SAMPLE + 1])
    first = _HIGH.search(sample)
    begin = max(0, first.start() - 100) if first else 0  # of a line that may be the whole file
    return sample[begin : begin + _SAMPLE]


def _decode_guessed(data: bytes, sample: bytes) -> str:
    """Decode as most of some pieces of a sample look: a damaged byte rules its encoding out in one only."""
    if _PUNCTUATED.fullmatch(sample):
        return data.decode("cp1252", "replace")
    import chardet  # 35 ms, and needed for few files

    high = len(_HIGH.findall(sample))
    letters = len(_ASCII_LETTER.findall(sample))
    is_other = high > letters or 2 * high > 3 * len(_HIGH_RUN.findall(sample))
    encodings = _LATIN + _OTHER if is_other else _LATIN
    guesses: defaultdict[str, float] = defaultdict(float)
    lines = sample.splitlines(keepends=True)
    for number in range(_PIECES):
        piece = b"".join(lines[number::_PIECES])
        if not piece.isascii():
            found = chardet.detect_all(piece, True, compat_names=False, include_encodings=encodings)
            bonus = _WESTERN_BONUS / len(_HIGH.findall(piece))
            best = max(
                found, key=lambda one: one["confidence"] + bonus * (one["encoding"] in ("cp1252", None))
            )
            guesses[best["encoding"] or "cp1252"] += best["confidence"]
    for encoding in sorted(guesses, key=guesses.__getitem__, reverse=True):
        if (text := _decode_with_damage(data, encoding)) is not None:
            return text
    raise ReaderError("documents.not_text")
