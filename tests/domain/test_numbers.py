from __future__ import annotations

import pytest

from app.domain.numbers import numbers_of


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It costs $5.3 million.", [5_300_000]),
        ("About 3,5 km or 1,000 m", [3.5, 1000]),
        ("twenty-five students and three dozen teachers", [25, 36]),
        ("200k tokens, a thousand times", [200_000, 1000]),
        ("1.234,56 Euro, zwei Millionen, 12 Prozent", [1234.56, 2_000_000, 12]),
        ("on 2018-03-23", [2018, 3, 23]),
        ("the 3rd prize, the fourth season", [3, 4]),
        ("a version 3.5.1 of it", [3]),
        ("no numbers at all", []),
    ],
)
def test_numbers_are_read_however_they_are_written(text: str, values: list[float]) -> None:
    assert [number.values[0] for number in numbers_of(text)] == values


@pytest.mark.parametrize(
    ("claimed", "said"),
    [
        ("90 %", "89.6 percent"),
        ("60 minutes", "one hour"),
        ("1,000", "a thousand"),
        ("the 2nd of May", "May 2"),
        ("76 million", "76,000,000"),
    ],
)
def test_the_same_number_is_known(claimed: str, said: str) -> None:
    mine, theirs = numbers_of(claimed)[0], numbers_of(said)
    assert any(mine.equals(other) for other in theirs)


@pytest.mark.parametrize(
    ("claimed", "said"),
    [
        ("52", "25"),
        ("90 %", "88.6 %"),
        ("5 million", "5 billion"),
        ("5 minutes", "5 hours"),
        ("$5", "€5"),
        ("5 percentage points", "5 percent"),
        ("2017", "2018"),
    ],
)
def test_another_number_is_told_apart(claimed: str, said: str) -> None:
    mine, theirs = numbers_of(claimed)[0], numbers_of(said)
    assert not any(mine.equals(other) for other in theirs)


def test_numbers_of_any_length_are_read() -> None:
    assert numbers_of("9" * 5000)
    assert numbers_of("1," * 5000 + "1" + ".1" * 5000)
