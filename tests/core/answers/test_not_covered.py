from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.answers.passage_answer import passage_answer, worth_showing
from app.core.answers.tools import SEARCH_TOOL, ToolManager
from app.domain.conversations import Exchange, ExchangeState
from app.domain.scope import Scope
from app.domain.search import COVERED_SCORE, SearchResults, are_covered
from app.domain.sources import Citation, Claim, Source, Support, nearest_lessons
from app.markup.markdown_html import markdown_to_html
from tests.support.small_library import Passage, SmallLibrary

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem

FAR = COVERED_SCORE - 0.01
NEAR = COVERED_SCORE + 0.01


class FarLibrary(SmallLibrary):
    """Finds as usual, and says how good it is."""

    covered: bool | None = False

    def retrieve(self, *arguments: object, **rewordings: object) -> SearchResults:
        return replace(super().retrieve(*arguments, **rewordings), covered=self.covered)  # type: ignore[arg-type]


def source(n: int, lesson: int | None, score: float, link: str | None = None) -> Source:
    library = SmallLibrary(Passage("Tides", lesson, f"Water rises at place {n}."))
    (hit,) = library.retrieve("Water rises", None, None, Scope(), 5).hits
    hit = replace(hit, score=score, link=link, lesson_title=f"Part *{lesson}*" if lesson else "")
    return Source(n, f"ref:{n}", hit, ((0, len(hit.text)),), "0" * 64)


def exchange(*sources: Source, **changes: object) -> Exchange:
    start = Exchange(1, None, "?", "!", ExchangeState.DONE, sources=sources, model="claude-sonnet-5-5")
    return replace(start, **changes)  # type: ignore[arg-type]


def test_the_best_hit_decides() -> None:
    assert are_covered([source(1, 1, NEAR).hit, source(2, 2, FAR).hit]) is True
    assert are_covered([source(1, 1, FAR).hit, source(2, 2, FAR).hit]) is False
    assert are_covered([]) is None


def test_an_exchange_knows() -> None:
    assert exchange(source(1, 1, FAR)).covered is False
    assert exchange(source(1, 1, FAR), source(2, 1, NEAR)).covered is True
    assert exchange().covered is None


def test_an_answer_that_takes_nothing_from_its_sources_says_no() -> None:
    near = source(1, 1, NEAR)
    elsewhere = Claim(0, 1, Support.NOT_FROM_COURSES)
    assert exchange(near).covered is True, "small talk, or a question back"
    assert exchange(near, claims=(elsewhere,)).covered is False
    assert exchange(near, claims=(elsewhere, Claim(0, 1, Support.IN_LINE))).covered is True
    wrong = Claim(0, 1, Support.NOT_FOUND)
    assert exchange(near, claims=(wrong,)).covered is True, "a mistake says nothing about the courses"
    assert exchange(near, claims=(elsewhere,), model=None).covered is True


def test_an_exchange_knows_the_words_that_its_searches_did_not_find() -> None:
    lacking = [replace(source(n, n, FAR).hit, missing=words) for n, words in ((1, ("Jupiter",)), (2, ()))]
    sources = [replace(source(1, 1, FAR), hit=hit) for hit in lacking]
    assert exchange(*sources).missing == ("Jupiter",)


def test_a_verified_citation_is_proof() -> None:
    far = source(1, 1, FAR)
    verified = Citation(1, 0, 1, 0, 5, "Water", verified=True)
    assert exchange(far, citations=(verified,)).covered is True
    assert exchange(far, citations=(replace(verified, verified=False),)).covered is False
    assert exchange(far, citations=(verified,), model=None).covered is False, "passages cite themselves"


def test_what_an_examined_answer_claims_decides_not_its_quotations() -> None:
    far = source(1, 1, FAR)
    quoted = Citation(1, 0, 1, 0, 5, "Water", verified=True, support=Support.QUOTE_FOUND)
    failed = Claim(0, 1, Support.QUOTE_FOUND)
    assert exchange(far, citations=(quoted,), claims=(failed,)).covered is False
    assert exchange(far, citations=(quoted,)).covered is False
    shown = exchange(far, citations=(quoted,), claims=(failed, Claim(1, 2, Support.IN_LINE)))
    assert shown.covered is True
    assert (shown.in_line_count, len(shown.claims)) == (1, 2)


def test_the_nearest_lessons_are_few_and_different() -> None:
    sources = [
        source(1, 4, 0.1),
        source(2, 1, 0.3),
        source(3, 1, 0.2),
        source(4, 2, 0.25),
        source(5, 3, 0.15),
    ]
    assert [item.n for item in nearest_lessons(sources)] == [2, 4, 5]
    assert nearest_lessons([]) == ()


def test_without_a_model_the_answer_says_so_and_names_the_lessons() -> None:
    sources = (source(1, 3, FAR, "https://example.org/a (b)"), source(2, None, FAR / 2, "file:///etc/passwd"))
    results = SearchResults("?", None, tuple(item.hit for item in sources), None, covered=False)
    text, citations = passage_answer(results, sources)
    assert text.startswith("Your courses do not seem to cover this. These lessons come closest:\n\n- ")
    assert r"- [Lesson 3: Part \*3\*](https://example.org/a%20%28b%29) · Tides" in text
    assert "- **Tides**\n" in text
    assert "file:" not in text
    assert "> Water rises at place 1." in text
    assert [citation.source_n for citation in citations] == [1, 2, 1]
    for citation in citations:
        assert 0 <= citation.answer_start < citation.answer_end <= len(text)


def test_brackets_of_a_passage_make_no_formula_and_no_link() -> None:
    one = source(1, 3, FAR, "https://example.org/a")
    hit = replace(
        one.hit, lesson_title="Tides [draft]", text="[Picture: the moon] and [this](http://x.org) $5"
    )
    text, _ = passage_answer(
        SearchResults("?", None, (hit,), None, False),
        (replace(one, hit=hit, sentences=((hit.start, hit.start + len(hit.text)),)),),
    )
    html = markdown_to_html(text)
    assert "<p>[Picture: the moon] and [this](" in html
    assert '<a href="https://example.org/a">Lesson 3: Tides (draft)</a>' in html
    assert "<em>Lesson 3: Tides [draft] · Tides</em>" in html
    assert "formula" not in html


@pytest.mark.parametrize("covered", [True, None])
def test_without_a_model_nothing_is_said_otherwise(covered: bool | None) -> None:
    one = source(1, 3, NEAR)
    text, _ = passage_answer(SearchResults("?", None, (one.hit,), None, covered), (one,))
    assert "cover" not in text


def test_the_model_is_told(library: SmallLibrary) -> None:
    far = FarLibrary()
    tools = ToolManager(far, Scope())
    outcome = tools.execute_tool(SEARCH_TOOL, {"query": "prompt caching"})
    said = outcome.text
    assert said == "Nothing in the courses matches this well. Nearest lessons: Computer Use - Lesson 1."
    assert outcome.sources, "the passages are there all the same"
    far.covered = None
    assert "matches this well" not in tools.execute_tool(SEARCH_TOOL, {"query": "tool schema"}).plain_text


def test_in_a_library_of_tides_a_question_about_tides_is_covered(rag: RAGSystem) -> None:
    assert rag.search.retrieve("When do spring tides come?").covered is True
    assert rag.search.retrieve("Who wrote the opera The Magic Flute?").covered is False


def test_a_library_without_anything_says_nothing_of_it(rag: RAGSystem) -> None:
    assert rag.search.retrieve("tides", lesson_number=99).covered is None


def test_without_a_model_only_what_comes_near_the_best_is_shown() -> None:
    hits = tuple(source(n, n, score).hit for n, score in ((1, 0.6), (2, 0.3), (3, 0.1)))
    assert worth_showing(hits) == hits[:2]
    assert worth_showing(()) == ()
