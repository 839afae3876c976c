from __future__ import annotations

import random

import pytest

from app.core.documents.text.sentences import sentence_spans
from tests.support.texts import random_text


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "marked",
    [
        # One sentence ends at each "|".
        "One.| Two!| Three?| Four",
        "Dr. Smith met Mr. J. K. Rowling.| They spoke.",
        "We use tools, e.g. Python, i.e. a language.| It works.",
        "Apples, pears, etc. and plums.| Apples, pears, etc.| Then plums.",
        "Kramer vs. Kramer is a film.| So is this.",
        "See Fig. 3 and Eq. (4).| No. 5 is best.| No.| That is wrong.",
        "The U.S. Army went.| He left the U.S.| He came back.",
        "John F. Kennedy spoke.| By J. Smith.| Take vitamin C.| The rest follows.",
        "He works at Apple Inc. in California.| He left Apple Inc.| The firm stayed.",
        "Smith et al. (2020) show it.| Others do not.",
        "At 5 p.m. Eastern we met.| At 5 p.m.| We left.",
        "Pi is 3.14.| Version v1.2.3 is out.| Open app.py now.| Node.js.| The end.",
        "Go to https://x.org/a.b?c=d.| Next one.",
        "Wait...| What?| Yes... maybe.| So… perhaps.| Well…| No.",
        "wait . . . what.| Then go.",
        "Really?!| Yes!!| Truly.",
        'He asked "Why?" and left.| "Stop!" he cried.| "It ends here."| Then he went.',
        "“It ends.”| ‘So it does.’| (See above.)| Next.",
        "**Bold text.**| Next *one.*| And `code.`| Done.[1]| Cited.[12][13]| Yes.",
        "we did this.| then we did that.| it was approx. five.",
        "St. Louis is big.| Main St.| The end.",
        "So do I.| We go.| In 1984.| The year.| It rained.| 40 degrees.",
        "Released for the console .| Released again , lit . a title .| Then",
        "Das ist z. B. ein Test, d.h. am 3. Oktober.| Ja.| Nr. 5 fehlt.",
        "Es war im 2. Jahrhundert n. Chr. und im 18. Jahrhundert.| Er starb 50 v. Chr.| Die Stadt blieb.",
        "Sus patentes en EE. UU. Shaun Donovan vino.| Ganó.",
        "Où cela échoue-t-il ?| Lorsque « Bonjour ! » dit-il.| « Oui. »| Il part.",
        "¿Qué ocurre?| ¡Nada!| El Sr. Muñoz lo sabe.",
        "この講義では説明します。|なぜ？|「なぜ？」と聞いた。|「終わり。」|次！",
        "为什么？|因为样本大。|好",
        "هل هذا صحيح؟| نعم.| لا",
        "यह एक वाक्य है।| दूसरा वाक्य॥| तीसरा",
    ],
)
def test_where_sentences_end(marked: str) -> None:
    expected = [part.strip() for part in marked.split("|")]
    assert sentences(marked.replace("|", "")) == expected
    # The same hard-wrapped at every space.
    wrapped = marked.replace("|", "").replace(" ", "\n")
    if "." not in wrapped.split("\n"):
        assert sentences(wrapped) == [part.replace(" ", "\n") for part in expected]


def test_a_newline_does_not_end_a_sentence_and_a_blank_line_does() -> None:
    assert sentences("this goes\non and\non\n\nuntil here\n \t\nthen") == [
        "this goes\non and\non",
        "until here",
        "then",
    ]


def test_headings_items_and_rows_are_units() -> None:
    text = (
        "# 1. Title. Not cut\nText that\nwraps. More.\n- item one. Two\n  wrapped\n- item two\n\n1. num\n"
        "2. num\n-----\n| a | b |\n|---|---|\n***\n> quoted\n> on. Two\nSmall\n"
    )
    assert sentences(text) == [
        "# 1. Title. Not cut",
        "Text that\nwraps.",
        "More.",
        "- item one.",
        "Two\n  wrapped",
        "- item two",
        "1. num",
        "2. num",
        "-----",
        "| a | b |",
        "|---|---|",
        "***",
        "> quoted\n> on.",
        "Two",
        "Small",
    ]


def test_an_underlined_heading_is_one_unit() -> None:
    assert sentences("Text.\n\nA title. With a stop\n=====\nMore. Text") == [
        "Text.",
        "A title. With a stop\n=====",
        "More.",
        "Text",
    ]


def test_each_line_of_code_is_a_unit() -> None:
    text = "Look:\n```python\nx = f(1). g\n\n# no heading\ny = 2\n```\nThat is it.\nAnd ``` here"
    assert sentences(text) == [
        "Look:",
        "```python",
        "x = f(1). g",
        "# no heading",
        "y = 2",
        "```",
        "That is it.",
        "And ``` here",
    ]


@pytest.mark.parametrize("indent", ["    ", "\t", "> ", "  > "])
def test_a_sentence_ends_before_code_in_a_list_item_or_a_quotation(indent: str) -> None:
    code = [f"{indent}{line}" for line in ("```js", "f(). g", "h()", "```")]
    text = "\n".join(["- Call it", *code, "- Next"])
    assert sentences(text) == ["- Call it", *(line.strip() for line in code), "- Next"]
    assert sentences("1. ```sh\n   ls. Then\n   ```\nEnd") == ["1. ```sh", "ls. Then", "```", "End"]


def test_numbers_at_the_beginning_of_a_wrapped_line_make_no_list() -> None:
    assert sentences("It was in\n84. Then came\n5) of them") == ["It was in\n84.", "Then came\n5) of them"]


def test_a_range() -> None:
    text = "One. Two. Three."
    assert sentence_spans(text, 5, 9) == [(5, 9)]
    assert sentence_spans(text, 5) == [(5, 9), (10, 16)]
    assert sentence_spans(text, 3, 3) == []
    assert sentence_spans(text, 0, 999) == [(0, 4), (5, 9), (10, 16)]


@pytest.mark.parametrize("text", ["", " ", "\n\n \t\n\u3000"])
def test_nothing(text: str) -> None:
    assert sentence_spans(text) == []


@pytest.mark.parametrize("seed", range(60))
def test_every_character_lies_in_exactly_one_sentence(seed: int) -> None:
    chance = random.Random(seed)
    text = random_text(chance, 3000)
    start = text.find("\n", chance.randrange(1000)) + 1
    end = len(text) - chance.randrange(500)
    position = start
    for begin, stop in sentence_spans(text, start, end):
        assert position <= begin < stop <= end
        assert not text[position:begin].strip()
        assert text[begin:stop].strip() == text[begin:stop]
        position = stop
    assert not text[position:end].strip()
