"""What comes of an answer's claims and citations when the whole answer is held against its sources."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.answers.proof.examination import examine
from app.core.answers.sources import SourceRegistry
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.scope import Scope
from app.domain.sources import NO_SOURCE, Citation, Source, Support
from tests.support.small_library import Passage, SmallLibrary

if TYPE_CHECKING:
    from app.core.embedding.embedder import Embedder
    from app.domain.events import AnswerExamined
    from tests.support.courses import KeptEmbedder

STORES = "Prompt caching stores the beginning of a prompt on the server."
PRICE = "A cached prompt is read at a tenth of the usual price, so 1,000 tokens cost $3 instead of $30."
LIVES = "The cache lives for five minutes after each use."
RAG = "RAG was introduced in 2020 by Patrick Lewis and his team at Facebook."
NOT = "The model does not learn from your prompts."
LIBRARY = (
    Passage("Computer Use", 1, f"{STORES} {PRICE} {LIVES}"),
    Passage("Retrieval", 2, f"{RAG} It joins a search with a language model."),
    Passage("Privacy", 3, f"{NOT} They are deleted within 30 days."),
)


def sources(*passages: Passage) -> tuple[Source, ...]:
    library = SmallLibrary(*(passages or LIBRARY))
    registry = SourceRegistry(library)
    for item in library.passages.values():
        registry.add(library.retrieve(item.text, None, None, Scope(), 1).hits)
    return registry.sources


def quoting(answer: str, claim: str, n: int, quote: str) -> Citation:
    """Return a citation as the provider's, checked."""
    start = answer.index(claim)
    source = sources()[n - 1]
    begin = source.hit.start + source.hit.text.index(quote)
    return Citation(n, start, start + len(claim), begin, begin + len(quote), quote, verified=True)


def marking(answer: str, claim: str, n: int) -> Citation:
    """Return a citation as a mark ``[n]`` makes it."""
    start = answer.index(claim)
    hit = sources()[n - 1].hit
    return Citation(n, start, start + len(claim), hit.start, hit.end, "", verified=True)


def exam(
    answer: str,
    *citations: Citation,
    given: tuple[Source, ...] | None = None,
    embedder: Embedder | None = None,
) -> AnswerExamined:
    exchange = Exchange(1, None, "?", answer, ExchangeState.DONE, model="claude-sonnet-5-5")
    exchange = replace(exchange, sources=sources() if given is None else given, citations=citations)
    return examine(exchange, CancelToken(), embedder)


def support_of(answer: str, given: tuple[Source, ...] | None = None) -> list[Support]:
    return [claim.support for claim in exam(answer, given=given).claims]


def test_an_exact_quotation_does_not_make_another_claim_true() -> None:
    answer = "RAG was invented in 1492."
    examined = exam(answer, quoting(answer, answer, 2, RAG))
    (claim,), (citation,) = examined.claims, examined.citations
    assert claim.support is Support.QUOTE_FOUND
    assert str(claim.reason) == "The source says 2020, not 1492."
    assert (citation.verified, citation.support) == (True, Support.QUOTE_FOUND)


def test_two_shared_words_do_not_make_a_mark_true() -> None:
    answer = "Prompt caching deletes your hard disk after every query."
    examined = exam(answer, marking(answer, answer[:-1], 1))
    assert [claim.support for claim in examined.claims] == [Support.NOT_FOUND]
    (citation,) = examined.citations
    assert (citation.verified, citation.support) == (False, Support.NOT_FOUND)


def test_a_mark_that_stands_cites_the_sentence_that_shows_the_claim() -> None:
    answer = "Cached prompts cost a tenth of the usual price."
    examined = exam(answer, marking(answer, answer[:-1], 1))
    assert [claim.support for claim in examined.claims] == [Support.IN_LINE]
    (citation,) = examined.citations
    assert (citation.verified, citation.support, citation.cited_text) == (True, Support.IN_LINE, PRICE)
    assert LIBRARY[0].text[citation.start : citation.end] == PRICE


def test_a_mark_of_the_wrong_passage_fails_and_the_right_one_is_found() -> None:
    answer = "Cached prompts cost a tenth of the usual price."
    examined = exam(answer, marking(answer, answer[:-1], 2))
    assert [claim.support for claim in examined.claims] == [Support.IN_LINE]
    wrong, found = examined.citations
    assert (wrong.source_n, wrong.verified, wrong.support) == (2, False, Support.NOT_FOUND)
    assert (found.source_n, found.is_found, found.cited_text) == (1, True, PRICE)


def test_the_sentences_are_found_where_the_model_made_no_mark() -> None:
    answer = "The cache lives for 5 minutes. RAG was introduced by Patrick Lewis in 2020."
    examined = exam(answer)
    assert all(claim.support.is_good for claim in examined.claims)
    assert [(one.is_found, one.verified) for one in examined.citations] == [(True, True)] * 2
    assert [one.cited_text for one in examined.citations] == [LIVES, RAG]
    assert answer[: examined.citations[0].answer_end] == "The cache lives for 5 minutes."


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("The cache lives for 15 minutes after each use.", "The source says five minutes, not 15 minutes."),
        ("The cache lives for five hours after each use.", "The source says five minutes, not five hours."),
        ("RAG was introduced in 2021 by Patrick Lewis.", "The source says 2020, not 2021."),
        ("RAG was introduced in 2020 by Ada Lovelace.", "The sources do not mention Ada Lovelace."),
        ("RAG was introduced in 2020 by Isaac Newton.", "The sources do not mention Isaac Newton."),
        ("The model learns from your prompts.", "The source denies this: “learns”."),
        ("Prompt caching does not store the prompt.", "The source does not deny this: “store”."),
        ("The cache lives for six minutes after each use.", "The source says five minutes, not six minutes."),
        ("The prompts are deleted within 90 days.", "The source says 30 days, not 90 days."),
        ("A cached prompt of 1,000 tokens costs €3.", "The sources do not mention €3."),
        (
            'The course says that caching stores "every prompt for ever".',
            "These words are in none of the sources: “every prompt for ever”.",
        ),
    ],
)
def test_what_does_not_agree_is_said(claim: str, reason: str) -> None:
    (examined,) = exam(claim).claims
    assert (examined.support, str(examined.reason)) == (Support.NOT_FOUND, reason)


@pytest.mark.parametrize(
    "claim",
    [
        "The cache lives for 300 seconds after each use.",
        "The cache expires about five minutes after its last use; it lives that long.",
        "RAG was introduced at Facebook by Lewis's team in 2020.",
        "Your prompts are not used for the model to learn from.",
        "A thousand cached tokens cost 3 dollars.",
        "Servers store the beginning of a prompt with prompt caching.",
        "What the server stores is the beginning of a prompt.",
        "**Prompt caching** stores the `beginning` of a prompt on the [server](https://example.org).",
        "Lesson 1 says that prompt caching stores the beginning of a prompt on the server.",
        "As lessons 1 and 3 say, prompt caching stores the beginning of a prompt on the server.",
        "**Computer Use - Lesson 1**: the cache lives for five minutes after each use.",
    ],
)
def test_the_same_in_other_words_is_in_line(claim: str, embedder: KeptEmbedder) -> None:
    (examined,) = exam(claim, embedder=embedder).claims
    assert (examined.support.is_good, examined.reason) == (True, None)


def test_what_is_nearly_copied_stands_there() -> None:
    assert support_of(LIVES) == [Support.STANDS]
    assert support_of("The cache lives for five minutes after use.") == [Support.STANDS]
    (claim,) = exam("A cache of prompts is alive for some five minutes.").claims
    assert claim.support is not Support.STANDS


def test_a_lesson_that_no_source_is_from_is_said() -> None:
    (claim,) = exam("Lesson 7 says that prompt caching stores the beginning of a prompt.").claims
    assert (claim.support, str(claim.reason)) == (Support.NOT_FOUND, "The sources do not mention 7.")


def test_naming_a_lesson_is_no_fault_in_another_language() -> None:
    answer = "In Lektion 1 steht, dass der Cache nach jeder Nutzung 17 Minuten lebt."
    (claim,) = exam(answer).claims
    assert str(claim.reason) == "The sources do not mention 17 Minuten."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The UN adopted the charter in 1945.", "The United Nations adopted the charter in 1945."),
        ("Most Canadians adopted the charter in 1945.", "Canada adopted the charter in 1945, as most did."),
        ("In 1945 the charter was adopted: Everybody signed.", "In 1945 the charter was adopted and signed."),
        ("Die Vereinten Nationen nahmen die Charta 1945 an.", "Die Charta nahmen 1945 alle Nationen an."),
    ],
)
def test_other_forms_of_a_name_and_nouns_are_not_missed(claim: str, source: str) -> None:
    (examined,) = exam(claim, given=sources(Passage("Law", 1, source))).claims
    assert examined.reason is None


def test_what_the_question_names_is_known() -> None:
    given = sources(Passage("Law", 1, "The charter was adopted in the year of peace by all nations."))
    exchange = Exchange(
        1, None, "When did Norway adopt it?", "Norway adopted the charter.", ExchangeState.DONE
    )
    (claim,) = examine(replace(exchange, model="m", sources=given), CancelToken()).claims
    assert claim.reason is None


def test_a_number_without_end_is_not_every_number() -> None:
    endless = f"9{' million' * 60} minutes"
    assert support_of(f"The cache lives for {endless} after each use.") == [Support.NOT_FOUND]
    given = sources(Passage("Computer Use", 1, f"The cache lives for {endless} after each use."))
    assert support_of("The cache lives for 5 minutes after each use.", given) == [Support.NOT_FOUND]


def test_a_claim_may_rest_on_several_sentences_together(embedder: KeptEmbedder) -> None:
    answer = "Prompt caching stores the beginning of a prompt for five minutes at a tenth of the usual price."
    (claim,) = exam(answer, embedder=embedder).claims
    assert claim.support.is_good


def test_what_has_nothing_to_do_with_the_courses_is_said_to_be_so() -> None:
    answer = "Volcanoes in Iceland erupt every few years. Their lava flows into the sea."
    assert support_of(answer) == [Support.NOT_FROM_COURSES] * 2
    assert support_of(answer, given=()) == [Support.NOT_FROM_COURSES] * 2


def test_a_mark_without_any_source_fails() -> None:
    answer = "Prompt caching stores the beginning."
    invented = Citation(NO_SOURCE, 0, len(answer), 0, 0, "", verified=False)
    examined = exam(answer, invented, given=())
    assert [claim.support for claim in examined.claims] == [Support.NOT_FOUND]
    assert [citation.support for citation in examined.citations] == [Support.NOT_FOUND]


def test_only_sentences_that_say_something_about_the_course_are_claims() -> None:
    answer = (
        "Great question!\n\n## Prompt caching in the course\n\nHere is how it works:\n\n"
        f"- **Storing**: {STORES}\n- {LIVES}\n\n```python\ncache.store(prompt, minutes=5)\n```\n\n"
        "The material does not say who invented it. Do you want to know more? Let me know!"
    )
    examined = exam(answer)
    claims = [answer[claim.answer_start : claim.answer_end] for claim in examined.claims]
    assert claims == [f"**Storing**: {STORES}", LIVES]
    assert all(claim.support.is_good for claim in examined.claims)


def test_an_answer_in_another_language_is_not_blamed_for_it(embedder: KeptEmbedder) -> None:
    answer = "Das Prompt-Caching speichert den Anfang eines Prompts auf dem Server."
    assert exam(answer).claims == (), "nothing can be told without the model's vectors"
    examined = exam(answer, embedder=embedder)
    assert [claim.support for claim in examined.claims] == [Support.IN_LINE]
    assert [citation.cited_text for citation in examined.citations] == [STORES]


def test_many_sentences_leave_time_for_every_foreign_claim(embedder: KeptEmbedder) -> None:
    many = " ".join(f"The day number {n} of the year is as long as the night." for n in range(150))
    answer = (
        "Der Mond ist leider aus Käse. Das Prompt-Caching speichert den Anfang eines Prompts auf dem Server."
    )
    examined = exam(answer, given=sources(*LIBRARY, Passage("Days", 1, many)), embedder=embedder)
    assert [claim.support for claim in examined.claims] == [Support.IN_LINE]


def test_a_list_among_the_sources_does_not_let_a_foreign_answer_be_blamed() -> None:
    outline = "Course: Computer Use\nLessons: 3\nLesson 1: Caching\nLesson 2: Retrieval"
    given = sources(*LIBRARY, Passage("Outline of Computer Use", None, outline))
    answer = (
        "Der Cache lebt nach jeder Nutzung noch eine Weile. Die Daten werden gelöscht und das Modell lernt "
        "nicht aus den Eingaben. Der Cache wird nach 17 Minuten gelöscht."
    )
    assert [str(claim.reason) for claim in exam(answer, given=given).claims] == [
        "The sources do not mention 17 Minuten."
    ]
    from_the_list = "Die Lesson 1 ist das Caching und die Lesson 2 ist das Retrieval."
    assert support_of(from_the_list, given=given) == [Support.IN_LINE]


def test_a_number_is_tested_in_every_language() -> None:
    (claim,) = exam("Der Cache wird nach jeder Nutzung für 17 Minuten gehalten.").claims
    assert (claim.support, str(claim.reason)) == (
        Support.NOT_FOUND,
        "The sources do not mention 17 Minuten.",
    )


def test_german_answers_from_german_sources_are_held_against_their_words() -> None:
    given = sources(Passage("Kurs", 1, "Der Cache wird nach jeder Nutzung für fünf Minuten gehalten."))
    answer = "Nach jeder Nutzung wird der Cache für 5 Minuten gehalten. Der Cache wird nicht gehalten."
    assert support_of(answer, given=given) == [Support.IN_LINE, Support.NOT_FOUND]


def test_a_claim_in_other_words_is_in_line_if_it_means_the_same(embedder: KeptEmbedder) -> None:
    answer = "With caching, the server keeps how a prompt begins."
    (claim,) = exam(answer, embedder=embedder).claims
    assert claim.support is Support.IN_LINE


def test_words_and_subject_in_common_are_not_enough(embedder: KeptEmbedder) -> None:
    (claim,) = exam("Prompt caching makes models more honest.", embedder=embedder).claims
    assert (claim.support, claim.reason) == (Support.NOT_FOUND, None)


def test_citations_found_before_are_replaced() -> None:
    first = exam(LIVES)
    again = exam(LIVES, *first.citations)
    assert again == first


def test_a_cancelled_examination_ends_at_once() -> None:
    token = CancelToken()
    token.cancel()
    exchange = Exchange(1, None, "?", LIVES, ExchangeState.DONE, model="m", sources=sources())
    with pytest.raises(Cancelled):
        examine(exchange, token)


@pytest.mark.parametrize(
    "unit", ["The Cache of 17 Prompts is not 5 % Cheap", "a, ", '"so, he ', "1 ", "A.B."]
)
def test_examining_takes_a_bounded_time(unit: str) -> None:
    sentence = (unit + " ") * (1400 // len(unit))
    began = time.thread_time()
    exam(f"It is said that {sentence}.\n\n" * 150)
    assert time.thread_time() - began < 10
