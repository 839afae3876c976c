from __future__ import annotations

import time

import pytest

from app.core.answers.proof.claims import claim_spans


def claims(answer: str) -> list[str]:
    return [answer[start:end] for start, end in claim_spans(answer)]


@pytest.mark.parametrize(
    "answer",
    [
        "Great question, thank you!",
        "# The price of a cached prompt",
        "**The price of a prompt**",
        "What does a cached prompt cost?",
        "These are the steps of it:",
        "Let me know if you want more.",
        "I could not find that in your courses.",
        "The lessons do not mention photosynthesis anywhere.",
        "Sure, I can explain that.",
        "Of course! Here are the main points.",
        "Der Kurs behandelt das Thema nicht.",
        "El curso no menciona la fotosíntesis.",
        "Dazu steht in den Unterlagen leider nichts, kein Wort.",
        "```\nprint(the price of prompts)\n```",
        "| model | price |\n|---|---|",
        "| the small one | 3 dollars for a million tokens |",
        "Yes.",
        "",
    ],
)
def test_some_sentences_claim_nothing(answer: str) -> None:
    assert claims(answer) == []


@pytest.mark.parametrize(
    "answer",
    [
        "Sure, the cache lives for 90 years.",
        "Of course the cache lives for 90 years.",
        "Natürlich lebt der Cache 90 Jahre.",
        "Here is the reason: the cache lives for 90 years.",
        "I found that the cache lives for 90 years.",
        "The source code does not contain comments.",
        "Im Kurs lernt man, dass der Cache nicht 90 Jahre lebt.",
        "El curso dura un año y no dos.",
    ],
)
def test_a_friendly_beginning_hides_no_claim(answer: str) -> None:
    assert claims(answer) == [answer]


def test_what_is_said_of_the_course_is_a_claim_wherever_it_stands() -> None:
    answer = (
        "A prompt costs $3. It is cached.\n\n1. The cache lives for five minutes.\n"
        "   - It is **cheap** to read.\n\n> The text is not encrypted at all.\n\n"
        "| model | price |\n|---|---|\n| the small one | 3 dollars |\n"
    )
    assert claims(answer) == [
        "A prompt costs $3.",
        "It is cached.",
        "The cache lives for five minutes.",
        "It is **cheap** to read.",
        "The text is not encrypted at all.",
    ]


@pytest.mark.parametrize("unit", ["word ", "It is so. ", "the material ", "**", "[", "a|", "\n", "`", "> "])
def test_reading_takes_time_in_proportion_to_the_text(unit: str) -> None:
    def seconds(count: int) -> float:
        began = time.thread_time()
        claim_spans(unit * count)
        return time.thread_time() - began

    assert seconds(40_000) < 6 * seconds(10_000) + 0.3
