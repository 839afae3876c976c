from __future__ import annotations

import random

import pytest

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.text.passages import ChunkSettings, chunk_document, document_sentences
from app.core.documents.text.sentences import sentence_spans
from app.domain.documents import Anchor, AnchorMark, CourseChunk, DocumentText, Lesson, ParsedDocument
from tests.support.texts import random_text


def parse(text: str) -> ParsedDocument:
    return DocumentProcessor().parse(DocumentText(text), "file.md")


def chunked(text: str, size: int = 800, overlap: int = 100) -> list[CourseChunk]:
    parsed = parse(text)
    return chunk_document(parsed, ChunkSettings(size, overlap), document_sentences(parsed))


def numbered(count: int) -> str:
    """Return sentences of 30 characters each."""
    return " ".join(f"This is sentence number {number:04d}." for number in range(count))


def test_a_short_text_is_one_passage() -> None:
    text = "Course Title: T\n\n  One.\nTwo.  \n"
    (chunk,) = chunked(text)
    assert chunk.text == "One.\nTwo."
    assert text[chunk.start : chunk.end] == chunk.text


def test_passages_are_whole_sentences_that_overlap() -> None:
    text = numbered(60)
    chunks = chunked(text)
    assert len(chunks) > 2
    for before, after in zip(chunks, chunks[1:], strict=False):
        assert 600 < len(before.text) <= 800
        shared = text[after.start : before.end]
        # As many whole sentences as fit into 100 characters: three of 29 with the spaces between.
        assert len(shared) == 3 * 29 + 2
        assert shared.startswith("This is") and shared.endswith(".")


def test_no_overlap_if_none_is_wanted_or_none_fits() -> None:
    for text, overlap in ((numbered(60), 0), (numbered(60), 28), (("Word " * 30 + ". ") * 20, 100)):
        chunks = chunked(text, overlap=overlap)
        assert len(chunks) > 1
        assert all(before.end < after.start for before, after in zip(chunks, chunks[1:], strict=False))


def test_a_passage_stays_within_its_lesson() -> None:
    text = f"Lesson 0: Zero\n{numbered(3)}\nLesson 1: One\n{numbered(3)}\nLesson 1: Again\n{numbered(40)}"
    chunks = chunked(text)
    assert [chunk.lesson for chunk in chunks][:3] == [0, 1, 2]
    lessons = parse(text).lessons
    for chunk in chunks:
        lesson = lessons[chunk.lesson]
        assert lesson.start <= chunk.start < chunk.end <= lesson.end
        assert "Lesson" not in chunk.text


def test_sentences_of_the_whole_text_do_as_well() -> None:
    """A sentence that runs over a border counts for each lesson with its part."""
    text = "Course Title: T\nLesson 1: One\nno stop here\nLesson 2: Two\nnor here"
    parsed = parse(text)
    chunks = chunk_document(parsed, ChunkSettings(), sentence_spans(text))
    assert [(chunk.lesson, chunk.text) for chunk in chunks] == [(0, "no stop here"), (1, "nor here")]


def test_a_long_sentence_is_cut_between_words() -> None:
    text = "word " * 1000
    chunks = chunked(text)
    assert [len(chunk.text) for chunk in chunks][:-1] == [799] * (len(chunks) - 1)
    assert " ".join(chunk.text for chunk in chunks) == text.strip()


def test_an_endless_word_is_cut_between_characters() -> None:
    text = "x" * 2000
    assert [len(chunk.text) for chunk in chunked(text)] == [800, 800, 400]
    accented = "e\u0301" * 1000
    assert all(chunk.text[0] == "e" and chunk.text[-1] == "\u0301" for chunk in chunked(accented, 799))
    family = "👩\u200d👩\u200d👧" * 300
    assert all(chunk.text[0] != "\u200d" and chunk.text[-1] != "\u200d" for chunk in chunked(family, 801))
    assert "".join(chunk.text for chunk in chunked("\u0301" * 3000)) == "\u0301" * 3000


def test_a_table_is_kept_whole_where_it_fits() -> None:
    table = "\n".join(["| Glacier | Metres |", *(f"| Number {number} | {number} |" for number in range(9))])
    texts = [chunk.text for chunk in chunked(f"{numbered(4)}\n\n{table}\n\n{numbered(4)}", 260, 20)]
    assert table in texts
    assert all(len(chunk.text) <= 100 for chunk in chunked(table, 100, 0))


def test_a_block_of_code_is_kept_whole_where_it_fits() -> None:
    code = "```python\n" + "\n".join(f"line_{number} = {number}\n" for number in range(30)) + "```"
    text = numbered(20) + "\n" + code + "\n" + numbered(20)
    assert sum(code in chunk.text for chunk in chunked(text)) == 1
    assert not any(code in chunk.text for chunk in chunked(text, size=300))


def test_a_heading_goes_with_what_follows() -> None:
    text = numbered(25) + "\n\n## A heading\n\n" + numbered(30)
    holding = [chunk.text for chunk in chunked(text, overlap=0) if "## A heading" in chunk.text]
    assert all(not text.endswith("## A heading") for text in holding)


def test_a_scrap_at_the_end_is_shared_out() -> None:
    chunks = chunked(numbered(28), overlap=0)
    assert [len(chunk.text) > 350 for chunk in chunks] == [True, True]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (800, 800), (800, -1), (100, 200)])
def test_settings_that_do_not_fit(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        ChunkSettings(size, overlap)


@pytest.mark.parametrize("seed", range(60))
def test_passages_of_any_text(seed: int) -> None:
    chance = random.Random(seed)
    body = random_text(chance, 6000)
    text = f"Course Title: T\n\nLesson 1: One\n{body}\nLesson 2: Two\n{random_text(chance, 2000)}"
    size = chance.choice((200, 500, 800, 4000))
    overlap = chance.choice((0, 50, 100, size // 2))
    parsed = parse(text)
    sentences = document_sentences(parsed)
    chunks = chunk_document(parsed, ChunkSettings(size, overlap), sentences)
    check_passages(parsed, chunks, size, overlap)
    starts = {start for start, _ in sentences}
    for start, end in sentences:
        holding = [chunk for chunk in chunks if chunk.start < end and chunk.end > start]
        assert holding
        if end - start <= size:
            assert any(chunk.start <= start and end <= chunk.end for chunk in holding)
    long = [(start, end) for start, end in sentences if end - start > size]
    for chunk in chunks:
        assert chunk.start in starts or any(start < chunk.start < end for start, end in long)


def check_passages(parsed: ParsedDocument, chunks: list[CourseChunk], size: int, overlap: int) -> None:
    """Exact slices in order, within a lesson and the size, each with something new, nothing left out."""
    covered = 0
    for number, chunk in enumerate(chunks):
        lesson = parsed.lessons[chunk.lesson]
        before = chunks[number - 1] if number else None
        assert chunk.text == parsed.text[chunk.start : chunk.end] == chunk.text.strip()
        assert lesson.start <= chunk.start < chunk.end <= lesson.end
        assert len(chunk.text) <= size
        if before and before.lesson == chunk.lesson:
            assert chunk.start > before.start and chunk.end > before.end
            assert before.end - chunk.start <= overlap
            assert not parsed.text[covered : chunk.start].strip()
        else:
            assert not parsed.text[max(covered, lesson.start) : chunk.start].strip()
        covered = chunk.end
    last = parsed.lessons[chunks[-1].lesson] if chunks else parsed.lessons[-1]
    assert not parsed.text[covered : last.end].strip()


def test_a_new_slide_begins_a_new_passage_unless_that_leaves_a_scrap() -> None:
    slides = [
        "# Why\n\n" + "Food runs short in winter. " * 10,
        "# So\n\nThey leave.",
        "# How\n\n" + "They fly. " * 40,
    ]
    text, marks = "", []
    for number, slide in enumerate(slides, 1):
        marks.append(AnchorMark(len(text), Anchor("slide", number)))
        text += slide.strip() + "\n\n"
    parsed = ParsedDocument("Birds", None, None, text, tuple(marks), (Lesson(None, "", None, 0, len(text)),))
    chunks = chunk_document(parsed, ChunkSettings(), document_sentences(parsed))
    assert [chunk.start for chunk in chunks] == [0, marks[1].start]
    assert chunks[1].text.startswith("# So")
    assert "# How" in chunks[1].text


def test_a_fence_stays_with_the_code_next_to_it() -> None:
    text = numbered(5) + "\n```python\n" + "print('a line of code')\n" * 40 + "```\n" + numbered(3)
    passages = [chunk.text for chunk in chunked(text, size=200, overlap=0)]
    assert any("```python\nprint('a line of code')" in passage for passage in passages)
    assert not any(passage.endswith("```python") or passage.startswith("```\n") for passage in passages)
