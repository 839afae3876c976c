"""Makes false claims of true ones, one fact at a time, by rules that know nothing of how they are caught."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FIGURES = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w]*-\d)")
_NAME = re.compile(r"(?<=[a-z,;] )(?:[A-Z][\w’'.]+)(?: (?:of |the |de )?[A-Z][\w’']+)*")
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()  # noqa: SIM905
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|will|would|can|could|should|may|might|must|does|do|did)\b(?! not|n't)",
    re.I,
)
_NOT = re.compile(r"\b(?:not |never |n't\b)", re.I)
_UNITS = {
    "percent": "percentage points", "%": " dollars", "minutes": "hours", "minute": "hour", "hours": "days",
    "seconds": "minutes", "days": "weeks", "weeks": "months", "months": "years", "years": "months",
    "million": "billion", "billion": "million", "thousand": "million", "miles": "kilometres", "km": "miles",
    "kilometers": "miles", "meters": "feet", "feet": "metres", "inches": "feet", "dollars": "euros", "$": "€",
    "€": "£", "£": "$", "gigabytes": "megabytes", "kg": "tonnes", "pounds": "tons", "hour": "day",
    "day": "week",
    "year": "month", "month": "year", "nm": "mm", "mm": "cm", "cm": "m",
}  # fmt: skip
_QUANTITIES = {
    "more": "less", "less": "more", "most": "least", "largest": "smallest", "smallest": "largest",
    "highest": "lowest", "lowest": "highest", "higher": "lower", "lower": "higher", "first": "last",
    "last": "first", "before": "after", "after": "before", "increase": "decrease", "increases": "decreases",
    "increased": "decreased", "decrease": "increase", "decreases": "increases", "decreased": "increased",
    "all": "none", "many": "few", "few": "many", "always": "never", "never": "always", "larger": "smaller",
    "smaller": "larger", "youngest": "oldest", "oldest": "youngest", "younger": "older", "older": "younger",
    "earlier": "later", "later": "earlier", "both": "neither", "every": "no", "faster": "slower",
    "slower": "faster", "longer": "shorter", "shorter": "longer", "minimum": "maximum", "maximum": "minimum",
    "over": "under", "majority": "minority", "dozens": "hundreds", "hundreds": "thousands",
    "thousands": "millions", "best": "worst", "large": "small", "small": "large", "high": "low",
    "low": "high",
}  # fmt: skip


def altered(claim: str, names: Sequence[str], seed: int) -> Iterator[tuple[str, str]]:
    """Yield (kind, false claim), at most one of each kind; ``names`` take the place of those in the claim."""
    chance = random.Random(f"{seed} {claim}")
    for kind, change in (
        ("number", _number),
        ("date", _date),
        ("name", _name),
        ("negation", _negation),
        ("unit", _unit),
        ("quantity", _quantity),
    ):
        changed = change(claim, chance, names)
        if changed and changed != claim:
            yield kind, changed


def names_in(claim: str) -> list[str]:
    """Return the names in a claim, as far as a simple rule finds them; no months and no days."""
    return [name for name in _NAME.findall(claim) if not set(name.split()) & {*_MONTHS, "I"}]


def _one_of(found: list[re.Match[str]], chance: random.Random) -> re.Match[str] | None:
    return chance.choice(found) if found else None


def _put(claim: str, found: re.Match[str], text: str) -> str:
    return claim[: found.start()] + text + claim[found.end() :]


def _number(claim: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = [*_NUMBER_WORDS, *_ORDINALS]
    found = [*_FIGURES.finditer(claim), *re.finditer(rf"\b({'|'.join(words)})\b", claim)]
    chosen = _one_of(found, chance)
    if chosen is None:
        return None
    written = chosen.group()
    if written in words:
        row = _NUMBER_WORDS if written in _NUMBER_WORDS else _ORDINALS
        return _put(claim, chosen, chance.choice([word for word in row if word != written]))
    if len(written) == 2 and chance.random() < 0.5 and written[0] != written[1] and written[1] != "0":
        return _put(claim, chosen, written[::-1])
    at = chance.choice([place for place, sign in enumerate(written) if sign.isdigit()][-2:])
    digit = chance.choice([sign for sign in "123456789" if sign != written[at]])
    return _put(claim, chosen, written[:at] + digit + written[at + 1 :])


def _date(claim: str, chance: random.Random, names: Sequence[str]) -> str | None:
    chosen = _one_of(list(re.finditer(rf"\b({'|'.join(_MONTHS)})\b", claim)), chance)
    if chosen is None:
        return None
    return _put(claim, chosen, chance.choice([month for month in _MONTHS if month != chosen.group()]))


def _name(claim: str, chance: random.Random, names: Sequence[str]) -> str | None:
    found = [name for name in _NAME.finditer(claim) if name.group() in names_in(claim)]
    chosen = _one_of(found, chance)
    others = [name for name in names if name not in claim and not set(name.split()) & set(claim.split())]
    if chosen is None or not others:
        return None
    return _put(claim, chosen, chance.choice(others))


def _negation(claim: str, chance: random.Random, names: Sequence[str]) -> str | None:
    denied = _NOT.search(claim)
    if denied:
        return _put(claim, denied, "")
    chosen = _AUXILIARY.search(claim)
    return _put(claim, chosen, f"{chosen.group()} not") if chosen else None


def _unit(claim: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = "|".join(re.escape(unit) for unit in _UNITS if unit.isalpha())
    found = list(re.finditer(rf"(?<=[\d\w] )({words})\b|(?<=\d)%|[$€£](?=\d)", claim))
    chosen = _one_of(
        [
            one
            for one in found
            if re.search(
                r"[\d]|\b(?:two|three|four|five|six|ten)\b", claim[max(0, one.start() - 12) : one.end() + 2]
            )
        ],
        chance,
    )
    return _put(claim, chosen, _UNITS[chosen.group()]) if chosen else None


def _quantity(claim: str, chance: random.Random, names: Sequence[str]) -> str | None:
    chosen = _one_of(list(re.finditer(rf"\b({'|'.join(_QUANTITIES)})\b", claim)), chance)
    return _put(claim, chosen, _QUANTITIES[chosen.group()]) if chosen else None
