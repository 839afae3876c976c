"""Answers without a model as pages that can be read."""

from __future__ import annotations

from dataclasses import replace

from app.core.answers.passage_answer import passage_answer, without_escapes
from app.domain.scope import Scope
from app.domain.search import SearchResults
from app.domain.sources import Source
from app.markup.markdown_html import markdown_to_html
from tests.support.small_library import Passage, SmallLibrary

QUESTION = "What is the stride of chunks?"
CODE = "It cuts:\n\n  def split(text):\n      return text[0:5]\n\nThat is all."


def source(n: int, lesson: int, *sentences: str, path: str = "notes.txt") -> Source:
    text = " ".join(sentences)
    (hit,) = SmallLibrary(Passage("Chunks", lesson, "chunks")).retrieve("chunks", None, None, Scope(), 5).hits
    hit = replace(hit, path=path, text=text, start=0, end=len(text))
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return Source(n, f"ref:{n}", hit, tuple(spans), "0" * 64)


def page(*sources: Source) -> str:
    """Return the answer, after a look at its citations."""
    results = SearchResults(QUESTION, None, tuple(one.hit for one in sources), None, covered=True)
    text, citations = passage_answer(results, sources)
    for citation in citations:
        quoted = without_escapes(text[citation.answer_start : citation.answer_end])
        assert quoted.startswith("> ")
        assert citation.cited_text.split()[0].strip("#") in quoted
    return text


def test_each_lesson_has_one_heading_and_its_passages_below() -> None:
    text = page(source(1, 2, "One."), source(2, 5, "Two."), source(3, 2, "Three."))
    headings = [line for line in text.split("\n") if line.startswith("### ")]
    assert len(headings) == 2
    assert headings[0].startswith("### Lesson 2")
    assert text.index("One.") < text.index("Three.") < text.index("Two.")


def test_the_best_sentence_of_a_lesson_comes_first() -> None:
    one = source(1, 2, "It works.", "Overlap costs space.")
    two = source(2, 2, "See below.", "The stride of the chunks is 700.")
    text = page(one, two)
    assert text.split("\n\n")[1] == "> **The stride of the chunks is 700.**"
    assert "**" not in page(source(1, 2, "The stride of the chunks is 700.", "It works.")), "it is first"
    assert "**" not in page(source(1, 2, "It works.", "Nothing fits.")), "none answers the question"


def test_bold_words_of_markdown_leave_no_signs_in_the_best_sentence() -> None:
    bold = "The **stride** of the chunks is __7__**00**."
    marked = page(source(1, 2, "It works.", bold, path="notes.md"))
    assert marked.split("\n\n")[1] == "> **The stride of the chunks is 700.**"
    assert r"\*\*stride\*\*" in page(source(1, 2, "It works.", bold, path="notes.txt"))


def test_code_and_items_of_plain_text_keep_their_lines() -> None:
    html = markdown_to_html(page(source(1, 2, CODE)))
    assert "def split(text):\n    return text[0:5]" in html
    assert "<pre>" in html
    items = markdown_to_html(page(source(1, 2, "There are\nthree:\n- one\n- two *stars*\n- three")))
    assert "<p>There are three:</p>" in items
    assert "<p>- two *stars*</p>" in items


def test_markdown_is_typeset_and_stays_in_its_quotation() -> None:
    marked = (
        "## Cutting\n\n- **one**\n- two\n\n<script>x</script> [a](file:///etc/passwd)\n\n```python\nx = 1"
    )
    text = page(source(1, 2, marked, path="notes.md"), source(2, 3, "After it."))
    html = markdown_to_html(text)
    assert "<strong>one</strong>" in html
    assert "x = 1" in html
    assert "<script" not in html
    assert "file:" not in html
    assert "<p>After it.</p>" in html, "the code that was cut off ends with its quotation"
    inside = markdown_to_html(page(source(1, 2, "y = 2\n```\n\nAnd **so** on.", path="notes.md")))
    assert "<pre>" in inside.partition("<strong>so</strong>")[0], "it began inside code"
