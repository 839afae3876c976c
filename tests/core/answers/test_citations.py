from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.citations import AnswerComposer, check_cited
from app.core.answers.providers.base import CitedSentences
from app.core.answers.sources import SourceRegistry
from app.domain.events import AnswerCitation, AnswerText
from app.domain.scope import Scope
from app.domain.sources import NO_SOURCE, Citation
from tests.support.answering import ask, settings_for
from tests.support.scripted_turns import Cite, Cut, Text, ToolUse, Turn
from tests.support.small_library import CACHING, Passage, SmallLibrary

if TYPE_CHECKING:
    from tests.support.anthropic_server import AnthropicServer

SEARCH = ToolUse("search_course_content", {"query": "prompt caching"})
FIRST, SECOND, THIRD = (
    "Prompt caching stores the beginning of a prompt on the server.",
    "A cached prompt is read at a tenth of the usual price.",
    "The cache lives for five minutes after each use.",
)


def registry_of(library: SmallLibrary, query: str = "prompt caching") -> SourceRegistry:
    registry = SourceRegistry(library)
    registry.add(library.retrieve(query, None, None, Scope(), None).hits)
    return registry


@pytest.fixture
def registry(library: SmallLibrary) -> SourceRegistry:
    return registry_of(library)


def cites(registry: SourceRegistry, **changes: Any) -> CitedSentences:  # noqa: ANN401
    return replace(CitedSentences(registry.sources[0].ref, 0, 1, FIRST), **changes)


# From the server's own citations


def test_three_citations_of_which_one_is_false(server: AnthropicServer) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(
            Text("It stores the beginning", citations=(Cite(0, 0, 1),)),
            Text(" and makes it cheap", citations=(Cite(0, 1, 2, cited_text="It costs nothing at all."),)),
            Text(" for a while. ", citations=(Cite(0, 1, 3),)),
            Text("Good luck!"),
        ),
    )
    outcome = ask(settings_for(server))
    assert outcome.text == "It stores the beginning and makes it cheap for a while. Good luck!"
    assert [citation.verified for citation in outcome.citations] == [True, False, True]
    claims = [outcome.text[item.answer_start : item.answer_end] for item in outcome.citations]
    assert claims == ["It stores the beginning", "and makes it cheap", "for a while."]
    quoted = [CACHING[item.start : item.end] for item in outcome.citations]
    assert quoted == [FIRST, SECOND, f"{SECOND} {THIRD}"]


def test_a_citation_comes_right_behind_its_claim(server: AnthropicServer) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(Text("It is cheap", citations=(Cite(0, 1, 2),)), Text(". Good.")),
    )
    events = [
        event for event in ask(settings_for(server)).events if isinstance(event, AnswerText | AnswerCitation)
    ]
    place = next(at for at, event in enumerate(events) if isinstance(event, AnswerCitation))
    before = "".join(event.text for event in events[:place] if isinstance(event, AnswerText))
    assert before == "It is cheap"


def test_sources_are_told_apart_by_their_reference_not_by_their_index(server: AnthropicServer) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(ToolUse("search_course_content", {"query": "oak galls"}), stop_reason="tool_use"),
        Turn(
            Text("Ink darkens", citations=(Cite(1, 1, 2),)),
            Text(" and prompts are cached.", citations=(Cite(0, 0, 1),)),
        ),
    )
    outcome = ask(settings_for(server))
    assert [citation.source_n for citation in outcome.citations] == [2, 1]
    assert all(citation.verified for citation in outcome.citations)
    assert outcome.citations[0].cited_text == "It darkens as it dries."


def test_a_citation_of_nothing_that_was_sent_is_kept_but_not_verified(server: AnthropicServer) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(Text("It is free.", citations=(Cite(0, 0, 1, source="/etc/passwd"),))),
    )
    (citation,) = ask(settings_for(server)).citations
    assert (citation.source_n, citation.verified) == (NO_SOURCE, False)
    assert citation.cited_text == FIRST


def test_the_citation_of_a_claim_that_was_cut_off_still_comes(server: AnthropicServer) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(Text("It stores.", citations=(Cite(0, 0, 1),)), Text(" And", Cut())),
    )
    outcome = ask(settings_for(server))
    assert outcome.error is not None
    assert [citation.verified for citation in outcome.citations] == [True]


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": FIRST.replace("server", "moon")},
        {"quote": FIRST[:20]},
        {"quote": ""},
        {"quote": "   "},
        {"quote": SECOND},
        {"first": 1, "last": 2},
        {"last": 4, "quote": CACHING},
        {"first": -1},
        {"first": 1, "last": 1},
        {"last": -1},
        {"ref": ""},
        {"ref": "another"},
    ],
)
def test_every_kind_of_wrong_citation_fails(registry: SourceRegistry, changes: dict[str, Any]) -> None:
    assert check_cited(registry, cites(registry), 0, 5).verified
    assert not check_cited(registry, cites(registry, **changes), 0, 5).verified


def test_a_citation_that_says_nothing_fails(registry: SourceRegistry) -> None:
    nothing = CitedSentences("", -1, -1, "")
    assert check_cited(registry, nothing, 3, 5) == Citation(NO_SOURCE, 3, 5, 0, 0, "", verified=False)


@pytest.mark.parametrize("between", ["", " ", "\n\n  "])
def test_white_space_between_quoted_sentences_does_not_matter(registry: SourceRegistry, between: str) -> None:
    quote = f"{FIRST}{between}{SECOND}"
    found = check_cited(registry, cites(registry, last=2, quote=quote), 0, 5)
    assert found.verified
    assert CACHING[found.start : found.end] == f"{FIRST} {SECOND}"


def test_a_quotation_over_a_line_break_is_found(library: SmallLibrary) -> None:
    text = "A prompt that is\nlong can be\ncached. It is cheap."
    registry = registry_of(SmallLibrary(Passage("Course", 1, text)))
    quote = "A prompt that is long can be cached."
    found = check_cited(registry, cites(registry, quote=quote), 0, 5)
    assert found.verified
    assert text[found.start : found.end] == "A prompt that is\nlong can be\ncached."


def test_equal_citations_of_one_claim_are_one(registry: SourceRegistry) -> None:
    composer = AnswerComposer(registry)
    composer.write("It stores.")
    composer.cite(cites(registry))
    composer.cite(cites(registry))
    assert len(composer.end_block()) == 1


def test_a_citation_before_its_text_covers_the_text(registry: SourceRegistry) -> None:
    composer = AnswerComposer(registry)
    composer.write("Well. ")
    composer.end_block()
    composer.cite(cites(registry))
    composer.write("It stores")
    composer.write(" it.\n")
    (event,) = composer.end_block()
    assert isinstance(event, AnswerCitation)
    assert (event.citation.answer_start, event.citation.answer_end) == (6, 19)
