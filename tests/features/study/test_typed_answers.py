"""Typed answers are compared leniently, and what differs is found where it stands."""

import pytest

from app.features.study.grading import compare
from app.features.study.kinds import filled, gaps, with_gaps


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("wild yeast and BACTERIA", "Wild yeast and bacteria."),
        ("the mitochondrion", "Mitochondrion"),
        ("cafe", "Café"),
        ("  well known ", "well-known"),
        ("3,5", "3.5"),
        ("−5", "-5"),
        ("strasse", "Straße"),
        ("a median", "the **median**"),
        ("-", "-"),
        ("<=", "<="),
        ("n−1", "$n-1$"),
        ("e^-x", "$e^{-x}$"),
        ("der Größenvergleich", "Grossenvergleich"),
        ("el corazon", "Corazón"),
        ("2, the middle value", "`2`: the **middle** value"),
    ],
)
def test_what_means_the_same_is_right(typed: str, answer: str) -> None:
    assert compare(typed, [answer]).is_right


@pytest.mark.parametrize(
    ("typed", "answer", "wrong", "missing"),
    [
        ("mitocondria", "mitochondria", ["mitocondria"], ["mitochondria"]),
        ("the mode", "median", ["mode"], ["median"]),
        ("5", "-5", ["5"], ["-5"]),
        ("35", "3.5", ["35"], ["3.5"]),
        ("", "yeast", [], ["yeast"]),
        ("yeast", "yeast and bacteria", [], ["and bacteria"]),
        ("yeast, salt and water", "yeast and water", ["salt"], []),
        ("x < y", "x > y", ["<"], [">"]),
        ("+", "-", ["+"], ["-"]),
        ("e^x", "$e^{-x}$", [], ["-"]),
        ("x*2", "`x**2`", [], ["*"]),
    ],
)
def test_what_differs_is_marked_in_both(
    typed: str, answer: str, wrong: list[str], missing: list[str]
) -> None:
    found = compare(typed, [answer])
    assert not found.is_right
    assert [typed[slice(*span)] for span in found.wrong] == wrong
    assert [found.answer[slice(*span)] for span in found.missing] == missing


def test_the_nearest_of_several_answers_counts() -> None:
    found = compare("tyson corner", ["Washington", "Tysons Corner", "Virginia"])
    assert found.answer == "Tysons Corner"
    assert compare("virginia", ["Washington", "Virginia"]).is_right


def test_an_answer_is_compared_and_returned_as_it_is_read() -> None:
    found = compare("the mode", ["the **median**"])
    assert (found.answer, found.missing) == ("the median", ((4, 10),))
    assert not compare("x*2", ["`x**2`"]).is_right  # it is code


def test_gaps_hold_braces_and_colons() -> None:
    text = "{{c1::x^{2}}} is of {{c2::std::vector}}, not {{of a gap}}."
    assert gaps(text) == ("x^{2}", "std::vector")
    assert with_gaps(text) == "[…] is of […], not {{of a gap}}."
    assert filled(text) == "x^{2} is of std::vector, not {{of a gap}}."
