"""Numbers of a sentence, in figures and words, with units; dates and months among them."""

import re
from dataclasses import dataclass, replace

from app.core.answers.proof.words import (
    AMBIGUOUS_NUMBERS,
    HEDGES,
    LESS_THAN,
    MONTHS,
    MORE_THAN,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    SCALES,
    UNCERTAIN_MONTHS,
    UNITS,
)

MONTH = "month"
ORDINAL = "ordinal"
_TOKEN = re.compile(
    r"(?P<date>(?<!\d)\d{4}-\d{2}-\d{2}(?!\d))"
    r"|(?P<number>(?:(?<![\w.,])[-−])?(?<![^\W\d_])\d+(?:[.,'’\u202f\u00a0]\d+)*)"
    r"(?P<suffix>[^\W\d_]{1,3}(?![^\W_]))?"
    r"|(?P<word>[^\W\d_]+)"
    r"|(?P<sign>[%$€£¥]|°[cf]\b)",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’\u202f\u00a0]\d{3})+")
_GREAT_NUMBERS = ("hundred", "thousand", "million", "billion")
_CURRENCIES = "$€£¥"
_LABEL = re.compile(r"(?<![^\W\d_])([^\W\d_]{3,}) (?:[#nN]o?\.? ?)?\Z")
_BETWEEN_DAY_AND_MONTH = re.compile(r"(?:st|nd|rd|th)?[.,]? ?(?:(?:of|de) )?")
_BEFORE_MONTHS = frozenset("in of since until by last next during early late mid from".split())  # noqa: SIM905
_MOST_NUMBERS = 60
_LARGEST = 1e200  # infinity would be near every number
_ROUNDING = 0.1  # how far "about" goes


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or a month, with what it counts."""

    values: tuple[float, ...]  # what it may mean: "1.234" is one thing in English, another in German
    shown: str  # as written, with its unit
    start: int = 0  # in the sentence
    end: int = 0
    kind: str = ""  # MONTH, ORDINAL or ""
    unit: str = ""  # what its unit measures; empty without one
    factor: float = 1.0  # of its unit
    label: str = ""  # the word before it, as in "lesson 3", in lower case
    head: str = ""  # the word after it, as in "3 lessons"
    bound: int = 0  # 1 for "more than", -1 for "less than"
    is_hedged: bool = False
    is_asked: bool = True  # a claim with this number needs a source for it
    beside: float = 0.0  # of a month its day, of a day its month, 0 if unknown

    @property
    def is_year(self) -> bool:
        return not self.unit and any(_is_year(value) for value in self.values)

    def equals(self, other: "Number") -> bool:
        """Whether this, of a claim, is what the other one of a source says."""
        if (self.kind == MONTH) is not (other.kind == MONTH):
            return False
        if self.beside and other.beside and self.beside != other.beside:
            return False  # 9 April, 9 November
        convertible = self.unit and self.unit == other.unit and self.factor != other.factor
        mine, theirs = (self.factor, other.factor) if convertible else (1.0, 1.0)
        return any(
            self._is_near(one * mine, another * theirs) for one in self.values for another in other.values
        )

    def _is_near(self, claimed: float, said: float) -> bool:
        if abs(claimed - said) <= 1e-9 * max(abs(claimed), abs(said)):
            return True
        if self.is_hedged and self.kind == "":
            return abs(claimed - said) <= _ROUNDING * abs(said) and abs(said) >= 2 and not _is_year(said)
        if said != int(said) and abs(said) >= 1:  # rounded as in "76" for 76.25
            places = len(f"{claimed:.6f}".rstrip("0").split(".")[1])
            return places < 3 and round(said, places) == claimed
        return False

    def contradicts(self, other: "Number") -> bool:
        """Whether equal numbers are of things that cannot be the same."""
        if self.unit and other.unit and self.unit != other.unit:
            return True
        if self.unit and other.unit == self.unit and self.kind == other.kind == "":
            mine = {value * self.factor for value in self.values}
            theirs = {value * other.factor for value in other.values}
            return not any(abs(one - two) <= 0.02 * max(one, two) for one in mine for two in theirs)
        return self.bound * other.bound == -1


def numbers_of(text: str) -> tuple[Number, ...]:
    """Return the numbers of one sentence, in order; a table in one line has more than are looked at."""
    tokens = list(_TOKEN.finditer(text))
    found: list[Number] = []
    at = 0
    while at < len(tokens) and len(found) < _MOST_NUMBERS:
        token = tokens[at]
        if token["date"]:
            year, month, day = token["date"].split("-")
            found += [
                Number((float(year),), year),
                Number((float(month),), month, kind=MONTH, beside=float(day)),
                Number((float(day),), day, beside=float(month)),
            ]
            at += 1
        elif token["number"]:
            at = _read_figures(text, tokens, at, found)
        elif token["word"]:
            at = _read_word(text, tokens, at, found)
        else:
            at += 1
    return tuple(_dated(text, found))


def _dated(text: str, found: list[Number]) -> list[Number]:
    """Return the numbers, months and their days told of each other."""
    for at in range(len(found) - 1):
        one, two = found[at : at + 2]
        month, day = (one, two) if one.kind == MONTH else (two, one)
        is_day = day.kind != MONTH and not day.unit and 1 <= day.values[0] <= 31
        if (
            month.kind != MONTH
            or not is_day
            or one.beside
            or not two.end
            or text[two.end : two.end + 1] == ":"
        ):
            continue
        if _BETWEEN_DAY_AND_MONTH.fullmatch(text[one.end : two.start]):
            shown = text[one.start : two.end]
            found[at] = replace(one, beside=two.values[0], shown=shown)
            found[at + 1] = replace(two, beside=one.values[0], shown=shown)
    return found


def _read_figures(text: str, tokens: list[re.Match[str]], at: int, found: list[Number]) -> int:
    """Add the number at a place; return the place after it."""
    token = tokens[at]
    values = _values(token["number"])
    suffix = (token["suffix"] or "").lower()
    kind = ORDINAL if suffix in ("st", "nd", "rd", "th") else ""
    before = text[max(0, token.start() - 5) : token.start()]
    if len(token["number"]) == 2 and (before[-1:] in "'’‘" and before or suffix == "s"):
        values += tuple(value + 1900 for value in values)  # the '80s
    if len(token["number"]) == 2 and re.fullmatch(r"\d{4}[-–/]", before):
        values += tuple(float(before[:2]) * 100 + value for value in values)  # 2017–18
    if token["suffix"] and suffix not in ("st", "nd", "rd", "th", "s") and suffix not in SCALES | UNITS:
        found.append(Number(values, token.group(), is_asked=False))  # "3D", which is a word
        return at + 1
    return _finish(text, tokens, at, at + 1, values, kind, found, suffix)


def _read_word(text: str, tokens: list[re.Match[str]], at: int, found: list[Number]) -> int:
    word = tokens[at]["word"].lower()
    if word in MONTHS and _is_month(text, tokens, at):
        place = tokens[at].span()
        found.append(Number((float(MONTHS[word]),), tokens[at]["word"], *place, kind=MONTH))
        return at + 1
    if word in ORDINAL_WORDS:
        article = text[: tokens[at].start()].lower().split()[-1:]
        if article and article[0] in ("a", "one") and ORDINAL_WORDS[word] > 2:  # a tenth of
            found.append(Number((1 / ORDINAL_WORDS[word],), word, unit="share", is_asked=False))
        asked = word not in ("first", "second")
        found.append(
            Number(
                (ORDINAL_WORDS[word],),
                word,
                *tokens[at].span(),
                kind=ORDINAL,
                is_asked=asked,
                head=_head(tokens, at + 1),
            )
        )
        return at + 1
    if word in _GREAT_NUMBERS:
        alone = text[: tokens[at].start()].lower().split()[-1:] not in (["a"], ["one"])
        return _finish(text, tokens, at, at + 1, (SCALES[word],), "", found, "", asked=not alone)
    if word not in NUMBER_WORDS:
        return at + 1
    value, after = _spoken(tokens, at)
    asked = word not in AMBIGUOUS_NUMBERS or after > at + 1
    return _finish(text, tokens, at, after, (value,), "", found, "", asked=asked)


def _spoken(tokens: list[re.Match[str]], at: int) -> tuple[float, int]:
    """Return the value of number words such as "twenty-five", and the place after them."""
    value = NUMBER_WORDS[tokens[at]["word"].lower()]
    if value >= 20 and value % 10 == 0 and at + 1 < len(tokens):
        ones = NUMBER_WORDS.get((tokens[at + 1]["word"] or "").lower(), 0)
        close = tokens[at + 1].start() - tokens[at].end() == 1
        if close and 1 <= ones <= 9 and ones == int(ones):
            return value + ones, at + 2
    return value, at + 1


def _finish(
    text: str,
    tokens: list[re.Match[str]],
    at: int,
    after: int,
    values: tuple[float, ...],
    kind: str,
    found: list[Number],
    suffix: str,
    *,
    asked: bool = True,
) -> int:
    """Add a number with its scale, unit and surroundings; return the place after it."""
    begin, end = tokens[at].start(), tokens[after - 1].end()
    scale = SCALES.get(suffix, 1.0)
    unit = UNITS.get(suffix) if suffix not in ("", "s", *SCALES) else None
    while after < len(tokens) and (tokens[after]["word"] or "").lower() in SCALES:
        scale *= SCALES[tokens[after]["word"].lower()]
        end = tokens[after].end()
        after += 1
    if begin and text[begin - 1] in _CURRENCIES:
        unit, begin = UNITS[text[begin - 1]], begin - 1
    elif unit is None and after < len(tokens):
        unit, end, after = _unit(text, tokens, after, end)
    earlier = [word.lower() for word in re.findall(r"[^\W\d_]+", text[max(0, begin - 24) : begin])[-3:]]
    bound = 1 if MORE_THAN.intersection(earlier) else -1 if LESS_THAN.intersection(earlier) else 0
    number = Number(
        tuple(max(-_LARGEST, min(value * scale, _LARGEST)) for value in values),
        text[begin:end],
        begin,
        end,
        kind,
        *(unit or ("", 1.0)),
        label=_label(text[max(0, begin - 24) : begin]),
        head=_head(tokens, after),
        bound=bound,
        is_hedged=bool(HEDGES.intersection(earlier)) or text[max(0, begin - 2) : begin].strip() == "~",
        is_asked=asked,
    )
    found.append(number)
    return after


def _unit(
    text: str, tokens: list[re.Match[str]], after: int, end: int
) -> tuple[tuple[str, float] | None, int, int]:
    token = tokens[after]
    gap = text[end : token.start()]
    name = token.group().lower()
    if len(gap) > 2 or gap.strip(" -\u00a0\u202f") or name not in UNITS:
        if name == "per" and after + 1 < len(tokens) and tokens[after + 1].group().lower() == "cent":
            return UNITS["percent"], tokens[after + 1].end(), after + 2
        return None, end, after
    return UNITS[name], token.end(), after + 1


def _label(before: str) -> str:
    word = _LABEL.search(before)
    return word.group(1).lower() if word else ""


def _head(tokens: list[re.Match[str]], at: int) -> str:
    token = tokens[at] if at < len(tokens) else None
    return (token["word"] or "").lower() if token else ""


def _values(written: str) -> tuple[float, ...]:
    figures = written.replace("−", "-")
    meanings: list[float] = []
    if _GROUPED.fullmatch(figures.lstrip("-")):
        meanings.append(float(re.sub(r"[^\d-]", "", figures)))
    separators = re.findall(r"[^\d-]", figures)
    if not separators:
        return (float(figures[:300]),)
    whole, _, decimals = figures.rpartition(separators[-1])
    if separators[-1] in ".," and separators.count(separators[-1]) == 1:
        meanings.append(float(re.sub(r"[^\d-]", "", whole)[:300] + "." + decimals[:20]))
    elif not meanings:  # a version or a list such as "3.5.1": its parts
        meanings += [float(part[:300]) for part in re.findall(r"\d+", figures)]
    return tuple(meanings)


def _is_month(text: str, tokens: list[re.Match[str]], at: int) -> bool:
    token = tokens[at]
    if token["word"].lower() not in UNCERTAIN_MONTHS:
        return True
    if not token["word"][0].isupper():
        return False
    beside = [tokens[place] for place in (at - 1, at + 1) if 0 <= place < len(tokens)]
    if any(other["number"] for other in beside):
        return True
    before = beside[0].group().lower() if at else ""
    return before in _BEFORE_MONTHS


def _is_year(value: float) -> bool:
    return 1000 <= value <= 2100 and value == int(value)
