from __future__ import annotations

import numpy as np
import pytest

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.text.passages import ChunkSettings, chunk_document, document_sentences, piece_text
from app.core.search.pieces import cut_pieces, index_chunks
from app.core.search.terms import term_hashes
from app.domain.documents import Anchor, AnchorMark, CourseChunk, DocumentText, ParsedDocument

SENTENCES = " ".join(f"Sentence number {n} talks about animal {n} and its habits." for n in range(40))
TEXT = f"Course Title: Zoo\n\nLesson 0: Birds\n{SENTENCES}\n\nLesson 1: Fish\n{SENTENCES}\n"


def cut(text: str, size: int = 800, overlap: int = 100) -> tuple[ParsedDocument, list[CourseChunk]]:
    parsed = DocumentProcessor().parse(DocumentText(text), "zoo.txt")
    sentences = document_sentences(parsed)
    chunks = chunk_document(parsed, ChunkSettings(size, overlap), sentences)
    return parsed, cut_pieces(parsed, chunks, sentences)


def test_pieces_are_short_in_order_and_do_not_overlap() -> None:
    parsed, chunks = cut(TEXT)
    spans = [span for item in chunks for span in item.pieces]
    assert len(spans) > len(chunks)
    assert all(0 < end - start <= 200 for start, end in spans)
    assert all(before[1] <= after[0] for before, after in zip(spans, spans[1:], strict=False))
    # Together they hold every sentence.
    joined = " ".join(piece_text(parsed.text, span) for span in spans)
    assert joined == f"{SENTENCES} {SENTENCES}"


def test_pieces_lie_inside_their_passage() -> None:
    _, chunks = cut(TEXT)
    for item in chunks:
        assert all(item.start <= start < end <= item.end for start, end in item.pieces)


def test_a_long_sentence_is_cut_softly_and_without_loss() -> None:
    sentence = "Herons " + ", ".join(f"wait at pond {n}" for n in range(60)) + "."
    parsed, chunks = cut(f"Course Title: Long\n\nLesson 1: A\n{sentence}\n")
    spans = [span for item in chunks for span in item.pieces]
    assert all(end - start <= 400 for start, end in spans)
    texts = [piece_text(parsed.text, span) for span in spans]
    assert " ".join(texts) == sentence
    inner = [piece_text(parsed.text, span) for item in chunks for span in item.pieces[:-1]]
    assert inner
    assert all(text.endswith(",") for text in inner)


@pytest.mark.parametrize("text", ["x" * 5000, "word " * 2000, "\u6f22" * 3000, "a\n" * 900])
def test_text_without_sentences(text: str) -> None:
    parsed, chunks = cut(f"Course Title: Odd\n\nLesson 1: A\n{text}\n")
    spans = [span for item in chunks for span in item.pieces]
    assert "".join(piece_text(parsed.text, span) for span in spans).replace(" ", "") == "".join(text.split())


def test_a_passage_stands_under_its_lesson_its_heading_or_its_course() -> None:
    _, chunks = cut(TEXT)
    assert {item.heading for item in chunks} == {"Birds", "Fish"}
    document = DocumentText(
        "Intro words here.\n\nMore words there.\n", (AnchorMark(18, Anchor("heading", "A › B")),)
    )
    parsed = DocumentProcessor().parse(document, "notes.md")
    sentences = document_sentences(parsed)
    chunks = cut_pieces(parsed, chunk_document(parsed, ChunkSettings(20, 0), sentences), sentences)
    assert [item.heading for item in chunks] == [parsed.course_title, "A › B"]


def test_vectors_are_blended_within_a_lesson_only() -> None:
    parsed, chunks = cut(TEXT)
    count = sum(len(item.pieces) for item in chunks)
    birds = sum(len(item.pieces) for item in chunks if item.heading == "Birds")
    vectors = np.zeros((count, 384), np.float32)
    vectors[:birds, 0] = vectors[birds:, 1] = 1
    headings = {"Birds": np.eye(384, dtype=np.float32)[2], "Fish": np.eye(384, dtype=np.float32)[2]}
    indexed = index_chunks(parsed, chunks, vectors, headings)
    assert len(indexed) == len(chunks)
    for item in indexed:
        assert item.context.shape == item.vectors.shape == (len(item.chunk.pieces), 384)
        assert np.linalg.norm(item.context, axis=1) == pytest.approx(1, abs=1e-5)
        assert np.linalg.norm(item.embedding) == pytest.approx(1, abs=1e-5)
        own, other = (0, 1) if item.chunk.heading == "Birds" else (1, 0)
        assert (item.context[:, own] > 0.9).all()
        assert (item.context[:, other] == 0).all()
        assert (item.context[:, 2] > 0).all()


def test_terms_say_in_which_piece_a_word_stands() -> None:
    parsed, chunks = cut("Course Title: Zoo\n\nLesson 1: Birds\nHerons wait. Herons fish.\n")
    vectors = np.ones((1, 384), np.float32)
    (indexed,) = index_chunks(parsed, chunks, vectors, {"Birds": vectors[0]})
    pairs = {(int(piece), int(term)) for piece, term in indexed.terms}
    assert len(pairs) == len(indexed.terms)
    assert pairs == {(0, term) for term in term_hashes(["heron", "wait", "fish"]).tolist()}
