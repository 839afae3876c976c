"""The numbers of a text, in figures and words, with their units."""

import re
from math import isclose, isfinite
from typing import NamedTuple

from app.domain.words import folded

_MOST_NUMBERS = 60  # of one sentence; a table in one line has more
_LONGEST = 30  # digits that are read
_TOKEN = re.compile(
    r"(?P<figures>(?:(?<![\w.,])[-−])?(?<![^\W\d_])\d++(?:[.,'’\u202f\u00a0]\d++)*+)|[^\W\d_]++|[%$€£¥]"
)
_BEFORE_UNIT = re.compile(r"[ \-\u00a0\u202f]?")
_CURRENCIES = "$€£¥"

_IN_WORDS = """
    zero null cero|one eins uno|two zwei dos twice|three third drei tres|four fourth vier cuatro
    five fifth funf cinco|six sixth sechs seis|seven seventh sieben siete|eight eighth acht ocho
    nine ninth neun nueve|ten tenth zehn diez|eleven elf once|twelve zwolf doce|thirteen dreizehn trece
    fourteen vierzehn catorce|fifteen funfzehn quince|sixteen sechzehn dieciseis|seventeen siebzehn
    eighteen achtzehn|nineteen neunzehn|twenty zwanzig veinte"""
_NUMBER_WORDS = {
    word: float(number)
    for number, row in enumerate(_IN_WORDS.strip().replace("\n", "|").split("|"))
    for word in row.split()
}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_NUMBER_WORDS |= {word: 10.0 * tens for tens, word in enumerate(_TENS, 2)}
_NOT_ASKED = frozenset(("one", "once", "twice"))  # other words too: no source must have them


def _table(text: str) -> dict[str, float]:
    """Return the words of "60: minute minutes" with their numbers; rows end with a bar."""
    rows = (row.split(":") for row in text.split("|"))
    return {word: float(factor) for factor, words in rows for word in words.split()}


_SCALES = _table(
    "12: dozen|100: hundred hundreds|1e3: k thousand thousands tausend mil|1e12: trillion trillions"
    "|1e6: million millions millionen millones mio|1e9: billion billions bn milliarde milliarden mrd"
)
# Beginnings of the words of units, of which a text may have other forms.
_DIMENSIONS = {
    "time": "1e-3: ms|1: s sec secon sekun segundo segundos|60: min minut|3600: h hour stund hora"
    "|86400: day tag tage tagen dia"
    "|604800: week woche seman|2629800: month monat mes mese|31557600: year jahr jahre ano",
    "length": "1e-9: nm|1e-3: mm|1e-2: cm centi zenti|1: m meter metre metro|1e3: km kilom"
    "|0.3048: foot feet ft|0.0254: inch inche|1609.344: mile meile milla",
    "mass": "1e-3: mg|1: g gram gramm gramo|1e3: kg kilo kilog|1e6: ton tonne tonel",
    "data": "1: byte|1e3: kb|1e6: mb megab|1e9: gb gigab",
    "share": "1: % perce proze",
    "points": "1: percentage",
    "dollars": "1: $ dolla dolar usd",
    "euros": "1: € euro eur",
    "pounds": "1: £ gbp",
    "yen": "1: ¥ yen",
}
_UNITS = {
    word: (dimension, factor)
    for dimension, text in _DIMENSIONS.items()
    for word, factor in _table(text).items()
}


def _unit(word: str) -> tuple[str, float] | None:
    return _UNITS.get(word) or _UNITS.get((word.rstrip("s") or word)[:5])


class Number(NamedTuple):
    values: tuple[float, ...]  # what it may mean: "1.234" is one thing in English, another in German
    shown: str  # as written, with its unit
    start: int
    end: int
    unit: str = ""  # what its unit measures; empty without one
    factor: float = 1.0  # of its unit
    is_asked: bool = True  # a claim with this number needs a source for it

    def equals(self, other: "Number") -> bool:
        """Whether this number in a claim equals the other one, in a source."""
        if self.unit and other.unit and self.unit != other.unit:
            return False
        mine, theirs = (self.factor, other.factor) if self.unit and other.unit else (1.0, 1.0)
        return any(_is_near(one * mine, two * theirs) for one in self.values for two in other.values)


def _is_near(claimed: float, said: float) -> bool:
    """Whether two numbers are the same, or the first is the other one rounded, as 76 is for 76.25."""
    rounds = isfinite(said) and said != int(said) and abs(said) >= 1
    return isclose(claimed, said) or (rounds and claimed in (round(said), round(said, 1)))


def numbers_of(text: str) -> tuple[Number, ...]:
    """Return the numbers of one sentence, in order."""
    tokens = list(_TOKEN.finditer(text))
    words = [folded(token.group()) for token in tokens]
    found: list[Number] = []
    at = 0
    while at < len(tokens) and len(found) < _MOST_NUMBERS:
        first, word = at, words[at]
        is_scale = word in _SCALES and len(word) > 3  # "a thousand"
        if not (tokens[at]["figures"] or word in _NUMBER_WORDS or is_scale):
            at += 1
            continue
        values = _values(tokens[at].group()) if tokens[at]["figures"] else (_NUMBER_WORDS.get(word, 1.0),)
        at += not is_scale
        if word in _TENS and at < len(tokens) and 0 < _NUMBER_WORDS.get(words[at], 0) < 10:
            values, at = (values[0] + _NUMBER_WORDS[words[at]],), at + 1  # twenty-five
        while at < len(tokens) and words[at] in _SCALES:
            values, at = tuple(value * _SCALES[words[at]] for value in values), at + 1
        start, end, unit = tokens[first].start(), tokens[at - 1].end(), None
        if start and text[start - 1] in _CURRENCIES:
            unit, start = _UNITS[text[start - 1]], start - 1
        elif at < len(tokens) and _BEFORE_UNIT.fullmatch(text, end, tokens[at].start()):
            is_percent = words[at : at + 2] in (["por", "ciento"], ["per", "cent"])
            unit = _UNITS["%"] if is_percent else _unit(words[at])
            end = tokens[at + is_percent].end() if unit else end
        asked = word not in _NOT_ASKED and (not is_scale or unit is not None)
        found.append(Number(values, text[start:end], start, end, *(unit or ("", 1.0)), is_asked=asked))
    return tuple(found)


def _values(written: str) -> tuple[float, ...]:
    """Return what a number in figures may mean; of a version or a list such as 3.5.1 its first part."""
    sign = "-" if written[0] in "-−" else ""
    first, *others = re.findall(r"\d+", written)
    separators = re.findall(r"[^\d−-]", written)
    joined = float(f"{sign}{first}{''.join(others)}"[:_LONGEST])
    is_grouped = len(first) <= 3 and all(len(part) == 3 for part in others)
    if not separators or (is_grouped and (len(separators) > 1 or separators[0] not in ".,")):
        return (joined,)
    if separators.count(separators[-1]) > 1:
        return (float(f"{sign}{first}"[:_LONGEST]),)
    whole = f"{sign}{first}{''.join(others[:-1])}"[:_LONGEST]
    decimal = float(f"{whole}.{others[-1][:_LONGEST]}")
    return (joined, decimal) if is_grouped else (decimal,)
