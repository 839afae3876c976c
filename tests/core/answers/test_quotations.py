"""Answers without a model as pages that can be read."""

from __future__ import annotations

from dataclasses import replace

from app.core.answers.passage_answer import passage_answer, quotation, without_escapes
from app.core.documents.text.sentences import sentence_spans
from app.domain.messages import Message
from app.domain.scope import Scope
from app.domain.search import SearchResults
from app.domain.sources import Source
from app.markup.markdown_html import markdown_to_html
from tests.support.small_library import Passage, SmallLibrary

QUESTION = "What is the stride of chunks?"
CODE = "It cuts the text into chunks by a stride\n  def split(text):\n      return text[0:5]"


def source(n: int, lesson: int, *sentences: str, path: str = "notes.txt") -> Source:
    text = " ".join(sentences)
    (hit,) = SmallLibrary(Passage("Chunks", lesson, "chunks")).retrieve("chunks", None, None, Scope(), 5).hits
    hit = replace(hit, path=path, text=text, start=0, end=len(text))
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return Source(n, f"ref:{n}", hit, tuple(spans), "0" * 64)


def passage(text: str, path: str) -> Source:
    whole = source(1, 2, text, path=path)
    return replace(whole, sentences=tuple(sentence_spans(text)))


def page(*sources: Source) -> str:
    """Return what the answer quotes, after a look at its citations."""
    results = SearchResults(QUESTION, None, tuple(one.hit for one in sources), None, covered=True)
    text, citations = passage_answer(results, sources)
    for citation in citations:
        quoted = without_escapes(text[citation.answer_start : citation.answer_end])
        assert quoted.startswith("> ")
        assert citation.cited_text.split()[1] in quoted
    begin, _, quotations = text.partition("\n\n")
    assert begin == "Nearest passages:"
    return quotations


def test_each_quotation_stands_above_its_place() -> None:
    strides = source(1, 2, "The stride of the chunks is 700 characters.")
    costs = source(2, 5, "Another stride of chunks would cost space.")
    blocks = page(strides, costs).split("\n\n")
    assert [block.startswith("> ") for block in blocks] == [True, False, True, False]
    assert "Lesson 2" in blocks[1]
    assert "Lesson 5" in blocks[3]


def test_the_best_sentences_come_first_and_no_more_than_three() -> None:
    said = ("Overlap between chunks costs space.", "The stride of the chunks is 700.")
    more = ("A stride is a number of a chunk.", "Chunks have a stride or another.")
    text = page(*(source(n, n, one) for n, one in enumerate((*said, *more), 1)))
    assert text.startswith("> The stride of the chunks is 700.\n")
    assert text.count("\n> ") + 1 == 3


def test_an_answer_has_at_most_ninety_words() -> None:
    long = [f"The stride of the chunks is {n} " + "and so on " * 15 + "until it ends." for n in (7, 8, 9)]
    text = page(source(1, 2, *long))
    assert len(text.split()) <= 90 + 10, "the place comes on top"
    assert text.count("> ") == 1


def test_what_does_not_answer_is_not_quoted() -> None:
    marked = source(
        1,
        2,
        "## The stride of chunks",
        "What is the stride of chunks and why does it matter?",
        "stride(chunks) == 700; chunks[3:] += stride",
        "Stride of chunks",
        "They overlap where a chunk is longer than its stride.",
        path="notes.md",
    )
    assert page(marked).startswith("> They overlap where a chunk is longer than its stride.\n")


def test_a_sentence_brings_the_one_it_leans_on() -> None:
    text = page(
        source(1, 2, "Chunks begin every 700 characters.", "This is called the stride of the chunks.")
    )
    assert text.startswith("> Chunks begin every 700 characters. This is called the stride of the chunks.\n")


def test_words_that_are_left_go_to_the_sentence_beside() -> None:
    said = source(
        1, 2, "Take some text.", "The stride of the chunks is 700.", "They overlap by 100 characters."
    )
    assert page(said).startswith("> The stride of the chunks is 700. They overlap by 100 characters.\n")


def test_what_is_asked_for_is_said_where_its_term_is_emphasised() -> None:
    said = source(1, 2, "The stride of the chunks is 700.", path="notes.md")
    called = source(
        2, 2, "What lies between two beginnings is called the **stride of chunks**.", path="notes.md"
    )
    assert page(said, called).startswith("> What lies between two beginnings is called the ")


def test_sentences_that_stand_side_by_side_are_one_quotation() -> None:
    text = page(source(1, 2, "Text is cut into chunks by a stride.", "The stride of the chunks is 700."))
    assert text.startswith("> Text is cut into chunks by a stride. The stride of the chunks is 700.\n")


def test_what_stands_between_two_sentences_makes_them_one_quotation() -> None:
    fillers = ("Take some text.", "It may be long.", "It may be short.", "Cut it up.")
    text = page(source(1, 2, "The stride of chunks is 700.", *fillers, "A stride of chunks may be 100."))
    assert text.startswith("> The stride of chunks is 700. Take some text. It may be long. It may be short.")
    assert text.count("> ") == 1


def test_code_and_lists_come_with_the_sentence_that_introduces_them_on_their_own_lines() -> None:
    code = (
        "Choose the stride so:\n\n```sh\nchunks --stride 700\n\n  --overlap 100\n```\n\nWait until it ends."
    )
    html = markdown_to_html(page(passage(code, "notes.md")))
    assert html.startswith("<blockquote><p>Choose the stride so:</p><pre>")
    assert "chunks --stride 700\n\n  --overlap 100</code></pre><p>Wait until it ends." in html
    slides = "The stride is one of these:\n• *short*\n• rather\nlong\n\nNothing follows here, then."
    html = markdown_to_html(page(passage(slides, "slides.pdf")))
    assert "<p>The stride is one of these:</p><ul>" in html
    assert "<li>*short*</li>\n<li>rather long</li>\n</ul><p>Nothing" in html


def test_lines_of_plain_text_that_are_indented_stay_lines() -> None:
    html = markdown_to_html(page(source(1, 2, CODE)))
    assert "def split(text):\n    return text[0:5]" in html
    assert "<pre>" in html


def test_indented_lines_keep_their_layout_and_an_item_that_wraps_is_one_line() -> None:
    code = "    def stride(chunks):\n        return 700\n    print(stride(chunks))"
    one = passage(code, "notes.txt")
    html = markdown_to_html(quotation(one, code.index("def"), len(code), 0)[0])
    assert "def stride(chunks):\n    return 700\nprint" in html
    cut = "-- The stride --\n    $ stride 700\n  -- Chunks --"
    assert "-- The stride --\n  $ stride 700\n-- Chunks" in markdown_to_html(page(source(1, 2, cut)))
    item = "  - The stride of chunks is the\n      number 700 and never another"
    html = markdown_to_html(page(passage(item.replace("\n      ", "\n    "), "notes.txt")))
    assert "<p>The stride of chunks is the number 700" in html


def test_signs_of_plain_text_mean_nothing() -> None:
    html = markdown_to_html(page(source(1, 2, "The stride *of* the chunks is <b>700</b> of [these](x).")))
    assert "*of*" in html
    assert "<b>" not in html


def test_markdown_is_typeset_and_stays_in_its_quotation() -> None:
    marked = "- The **stride** of chunks <script>x</script> is [700](file:///etc/passwd), as $x^2$ shows."
    html = markdown_to_html(page(source(1, 2, marked, path="notes.md"), source(2, 3, "They come after it.")))
    assert "<strong>stride</strong>" in html
    assert "<li>" not in html, "a sentence alone is no list"
    assert "<script" not in html
    assert "file:" not in html


def test_what_stands_in_for_a_models_answer_is_introduced_once() -> None:
    one = source(1, 2, "The stride of the chunks is 700.")
    results = SearchResults(QUESTION, None, (one.hit,), Message("answers.passages_instead"))
    text, _ = passage_answer(results, [one])
    assert text.startswith("The model gave no answer. These passages were found:\n\n> The stride")


def test_where_nothing_is_a_sentence_the_best_source_is_shown() -> None:
    plain = markdown_to_html(page(source(1, 2, "x = 1\n", "y = 2")))
    assert "x = 1\n y = 2" in plain
    assert "<pre>" in plain
    cut = page(source(1, 2, "```python", "\nx = 1\ny = 2", path="notes.md"), source(2, 3, "z = 3"))
    assert "> ```python \n> x = 1\n> y = 2\n> ```\n" in cut
