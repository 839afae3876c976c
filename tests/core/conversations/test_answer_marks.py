from __future__ import annotations

from app.core.conversations.markdown_export import answer_with_marks
from app.domain.sources import NO_SOURCE, Citation


def cited(answer: str, *, verified: bool = True, start: int = 0, n: int = 1, of: str = "") -> Citation:
    end = answer.index(of) + len(of) if of else len(answer)
    return Citation(n, start, end, 0, 10, "text", verified)


def test_marks_stand_behind_their_claims() -> None:
    answer = "It stores. It is cheap.\n"
    marked = answer_with_marks(
        answer,
        [cited(answer, n=2, of="cheap"), cited(answer, of="stores."), cited(answer, n=3, of="stores.")],
    )
    assert marked == "It stores. [1][3] It is cheap [2].\n"


def test_what_could_not_be_verified_says_so() -> None:
    answer = "It is free."
    assert answer_with_marks(answer, [cited(answer, n=2, verified=False)]) == (
        "It is free. [2: could not be verified]"
    )
    assert answer_with_marks(answer, [cited(answer, n=NO_SOURCE, verified=False)]) == (
        "It is free. [could not be verified]"
    )


def test_the_same_mark_is_not_repeated_in_one_place() -> None:
    answer = "It stores."
    assert answer_with_marks(answer, [cited(answer), cited(answer)]) == "It stores. [1]"


def test_a_mark_does_not_become_a_link() -> None:
    answer = "It stores(a lot)."
    assert answer_with_marks(answer, [cited(answer, of="stores")]) == "It stores [1] (a lot)."


def test_a_mark_does_not_become_code() -> None:
    answer = "So:\n\n```python\ncache = True\n```\n\nDone."
    assert answer_with_marks(answer, [cited(answer, of="True")]) == (
        "So:\n\n```python\ncache = True\n```\n\n[1]\n\nDone."
    )


def test_positions_outside_the_answer_do_no_harm() -> None:
    marks = [Citation(1, 0, 99, 0, 1, "", True), Citation(2, 0, -5, 0, 1, "", True)]
    assert answer_with_marks("Yes.", marks) == "[2]Yes. [1]"
    assert answer_with_marks("", []) == ""
