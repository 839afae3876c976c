"""Which table of Latin letters a text was saved in.

Western, Central European, Turkish and Baltic tables give most bytes *some* letter, so nothing fails
to decode: "è" of one is "č" of another. What tells them apart is whether the letters belong to one
language and whether they stand where letters stand.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

# The letters outside ASCII of each language, as lower case.
_LANGUAGES = (
    "áéíóúñüçïòàè",  # Spanish, Catalan
    "àâçéèêëîïôûùüœæ",  # French
    "äöüßé",  # German
    "àèéìíòóùú",  # Italian
    "ãõáéíóúâêôçàü",  # Portuguese
    "åäöéü",  # Swedish, Finnish
    "æøåéòôóê",  # Danish, Norwegian
    "ëïéèüöêçá",  # Dutch
    "áðéíóúýþæö",  # Icelandic
    "ąćęłńóśźż",  # Polish
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíĺľňóôŕšťúýž",  # Slovak
    "áéíóöőúüű",  # Hungarian
    "ăâîșțşţ",  # Romanian
    "čćđšž",  # Croatian, Slovenian, Serbian in Latin letters
    "çğıöşüâîû",  # Turkish
    "ąčęėįšųūž",  # Lithuanian
    "āčēģīķļņšūž",  # Latvian
    "äõöüšž",  # Estonian
)
_LOWER = {"İ": "ı"}  # lower() makes two characters of the first

# In order of how common files in them are: the first of equals wins.
_CANDIDATES = (
    ("cp1252", (0, 1, 2, 3, 4, 5, 6, 7, 8, 18)),
    ("cp1250", (9, 10, 11, 12, 13, 14)),
    ("iso8859_2", (9, 10, 11, 12, 13, 14)),
    ("cp1254", (15,)),
    ("cp1257", (16, 17, 18)),
    ("iso8859_15", (0, 1, 2, 3, 4, 5, 6, 7, 8, 18)),
    ("mac_roman", (0, 1, 2, 3, 4, 5, 6, 7)),
    ("cp850", (0, 1, 2, 3, 4, 5, 6, 7, 8)),
    ("cp437", (0, 1, 2, 5)),
    ("cp852", (9, 10, 11, 12, 13, 14)),
    ("mac_latin2", (9, 10, 11, 12)),
)
# Signs that texts in any of the languages have, and that say nothing unless they stand inside a word.
_NEUTRAL = frozenset("\u00a0«»‹›“”„‘’‚–—…•·§°©®™€£¥¿¡½¼¾²³¹µ±×÷ªº†‰´¨\u00ad")
_JOINING = frozenset("’‘–—·…\u00ad")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_HIGH_BYTE_IN_WORD = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]|[\x80-\xff](?=[A-Za-z])")
_ASCII_LETTER = re.compile(rb"[A-Za-z]")
_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_LOOKED_AT = 4000


def looks_latin(sample: bytes) -> bool:
    """Say whether the bytes are words of ASCII letters with some accented ones among them."""
    high = len(_HIGH_BYTE.findall(sample))
    low = len(_ASCII_LETTER.findall(sample))
    beside = len(_HIGH_BYTE_IN_WORD.findall(sample))
    if high * 2 > low or beside * 2 < high:
        return False
    return max(_score(sample, *candidate) for candidate in _CANDIDATES) >= 0.7


def best_latin_encoding(sample: bytes) -> str:
    """Return the Python name of the table under which the bytes read best.

    Args:
        sample: text in a one-byte encoding of Latin letters, mostly.
    """
    return max(_CANDIDATES, key=lambda candidate: _score(sample, *candidate))[0]


def _score(sample: bytes, encoding: str, languages: tuple[int, ...]) -> float:
    """Rate a reading from 0 to 1: half for letters of one language, half for letters of any."""
    text = sample.decode(encoding, "replace")
    letters: Counter[str] = Counter()
    misses = 0
    for match in islice(_NON_ASCII.finditer(text), _LOOKED_AT):
        at = match.start()
        letter = match.group()
        before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
        if letter in _NEUTRAL:
            misses += letter not in _JOINING and before.isalpha() and after.isalpha()
        elif letter.isupper() and before.islower():
            misses += 1
        else:
            letters[_LOWER.get(letter, letter.lower())] += 1
    total = letters.total() + misses
    if total == 0:
        return 1.0
    one = max(sum(letters[letter] for letter in _LANGUAGES[number]) for number in languages)
    family = set().union(*(_LANGUAGES[number] for number in languages))
    return 0.5 * (one + sum(letters[letter] for letter in family)) / total
