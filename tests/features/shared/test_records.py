"""Passages as records: everything a reader needs comes back, within a server's limits, and nothing else."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.config.settings import Settings
from app.core.search.pieces import compared
from app.features.shared.connection import Found, Record
from app.features.shared.model import SharedCourse
from app.features.shared.records import (
    DocumentRecords,
    collection_metadata,
    decode_passage,
    is_listed,
    lesson_text,
    refusal,
    split_value,
)
from tests.support.courses import KeptEmbedder, ingest, library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.core.storage.documents import WholeDocument
    from app.features.shared.records import SharedPassage

pytestmark = pytest.mark.slow

MODEL = "model@0123"
DIMENSION = 384


@pytest.fixture
def rag(data_dir: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """A teacher's library of three courses; that of the folder is a student's."""
    with library(data_dir, embedder, index=False) as opened:
        yield opened


def _documents(rag: RAGSystem, title: str) -> list[WholeDocument]:
    found = [rag.catalog.documents.whole(one.path) for one in rag.catalog.documents.of_course(title)]
    return [document for document in found if document is not None]


def _records(rag: RAGSystem, document: WholeDocument) -> list[Record]:
    records = DocumentRecords(document, "name.txt", MODEL)
    vectors = rag.catalog.documents.vectors([passage.key for passage in document.passages])
    return [records.record(n, vectors[passage.key]) for n, passage in enumerate(document.passages)]


def _as_found(record: Record) -> Found:
    """Return what a server gives for a record: JSON has been in between."""
    return Found(record.id, record.document, json.loads(json.dumps(record.metadata)))


def _decoded(records: list[Record]) -> list[SharedPassage]:
    found = [decode_passage(_as_found(record), DIMENSION) for record in records]
    return [passage for passage in found if passage is not None]


def _as_pieces(spans: list[tuple[int, int]], step: float = 0.005) -> str:
    steps = np.full(len(spans), step, "<f4").tobytes()
    numbers = b"\1" * DIMENSION * len(spans)
    return base64.b64encode(np.array(spans, "<u2").tobytes() + steps + numbers).decode()


def _assert_within_limits(record: Record) -> None:
    assert len((record.document or "").encode()) <= 16_384
    assert len(record.id.encode()) <= 128
    assert len(record.metadata) <= 32
    for name, value in record.metadata.items():
        assert len(name.encode()) <= 36
        assert len(str(value).encode()) <= 4_096
        assert isinstance(value, str | int | float)


def test_a_passage_comes_back_with_all_that_searching_and_reading_need(rag: RAGSystem) -> None:
    for title in rag.catalog.courses.titles():
        for document in _documents(rag, title):
            records = _records(rag, document)
            stored = rag.catalog.documents.vectors([passage.key for passage in document.passages])
            for passage, shared, record in zip(document.passages, _decoded(records), records, strict=True):
                lesson = document.lessons[passage.lesson]
                assert (shared.text, shared.start, shared.end) == (passage.text, passage.start, passage.end)
                assert (shared.lesson_number, shared.lesson_title) == (lesson.number, lesson.title)
                assert (shared.link, shared.lesson) == (lesson.link, passage.lesson)
                vectors = stored[passage.key]
                assert (shared.spans == vectors.spans).all()
                exact = compared(vectors.context, vectors.own)
                found = shared.vectors.reshape(exact.shape)
                assert np.abs(found - exact).max() <= np.abs(exact).max() / 254 + 1e-6
                assert (record.vector == vectors.embedding).all()


def test_the_text_of_a_lesson_is_put_together_exactly(rag: RAGSystem) -> None:
    for title in rag.catalog.courses.titles():
        for document in _documents(rag, title):
            passages = _decoded(_records(rag, document))
            for position, lesson in enumerate(document.lessons):
                of_lesson = [passage for passage in passages if passage.lesson == position]
                start, text = lesson_text(of_lesson)
                assert (start, text) == (lesson.start, document.text[lesson.start : lesson.end])


def test_a_passage_that_is_missing_leaves_the_others_in_their_places(rag: RAGSystem) -> None:
    document = _documents(rag, "Bread Baking at Home")[0]
    first, *_, last = _decoded(_records(rag, document))
    start, text = lesson_text([first, last])
    assert text[first.start - start : first.end - start] == first.text
    assert text[last.start - start : last.end - start] == last.text


def test_a_version_is_the_same_for_the_same_content_only(rag: RAGSystem) -> None:
    document = _documents(rag, "Bread Baking at Home")[0]
    uid = DocumentRecords(document, "a.txt", MODEL).shared.uid
    assert DocumentRecords(document, "a.txt", MODEL).shared.uid == uid
    others = [DocumentRecords(document, "b.txt", MODEL), DocumentRecords(document, "a.txt", "other@0")]
    assert uid not in {other.shared.uid for other in others}


def _sentence(number: int) -> str:
    return f"Satz {number} über Zahnräder, Öl und Reibung erklärt „{'gearing ' * (number % 5)}“. "


@pytest.mark.parametrize("size", [200, 1500, 4000])
def test_no_record_exceeds_what_a_cloud_accepts(embedder: KeptEmbedder, tmp_path: Path, size: int) -> None:
    texts = {
        "long.md": "\n\n".join(f"# Seite {page}\n\n{_sentence(page)}" for page in range(300)),
        "short.txt": "Course Title: Tiny\n\nLesson 1: One\nOne sentence is all there is.",
        "rare.txt": "Course Title: 漢字\n\nLesson 1: 漢\n" + "漢字の話をする。" * 600,
        "words.txt": "Course Title: Words\n\nLesson 1: No. Go.\n" + "Go. Do. " * 600,
    }
    folder = tmp_path / "limits"
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    with library(tmp_path / "data", embedder, Settings(chunk_size=size), index=False) as rag:
        ingest(rag, folder)
        for title in rag.catalog.courses.titles():
            for document in _documents(rag, title):
                records = _records(rag, document)
                for record in records:
                    _assert_within_limits(record)
                assert len(_decoded(records)) == len(document.passages)


UNFIT: list[dict[str, Any]] = [
    {"document": "0" * 32},
    {"n": -1},
    {"start": 2**40},
    {"end": 0},
    {"lesson_number": "first"},
    {"anchors": '{"a": 1}'},
    {"anchors": "[" * 3000},
    {"anchors": '[[0, "page", "three"]]'},
    {"anchors": '[[0, "script", 1]]'},
    {"anchors": '[[0, "seconds", NaN]]'},
    {"pieces": ""},
    {"pieces": "!!!!"},
    {"pieces": base64.b64encode(b"\0" * 391).decode()},
    {"pieces": base64.b64encode(b"\xff" * 392).decode()},
    {"pieces": _as_pieces([(0, 5)], step=1.0)},
    {"pieces": _as_pieces([(5, 5)])},
    {"pieces": _as_pieces([(5, 9), (0, 4)])},
    {"pieces": base64.b64encode(b"\0\0\0\0" + b"\0\0\xc0\x7f" + b"\0" * 384).decode()},
]


@pytest.mark.parametrize("changed", UNFIT, ids=lambda changed: str(changed)[:40])
def test_a_record_with_something_wrong_in_it_is_no_passage(rag: RAGSystem, changed: dict[str, Any]) -> None:
    record = _records(rag, _documents(rag, "Tides and Currents")[0])[0]
    assert decode_passage(Found(record.id, record.document, record.metadata), DIMENSION) is not None
    assert (
        decode_passage(Found(record.id, record.document, {**record.metadata, **changed}), DIMENSION) is None
    )


def test_texts_are_cut_and_anchors_sorted(rag: RAGSystem) -> None:
    record = _records(rag, _documents(rag, "Tides and Currents")[0])[0]
    changed = {
        "lesson_title": "\ud800" + "x" * 5000,
        "anchors": '[[5, "heading", "\\ud800"], [0, "page", 1]]',
    }
    passage = decode_passage(Found(record.id, record.document, {**record.metadata, **changed}), DIMENSION)
    assert passage is not None
    assert passage.lesson_title == "?" + "x" * 3999
    assert [mark.anchor.value for mark in passage.anchors] == [1, "?"]


def test_a_record_without_text_or_metadata_is_no_passage(rag: RAGSystem) -> None:
    record = _records(rag, _documents(rag, "Tides and Currents")[0])[0]
    for found in (
        Found(record.id),
        Found(record.id, None, record.metadata),
        Found(record.id, "Another text", record.metadata),
        Found(record.id, "x" * 20_000, {**record.metadata, "end": 20_000 + int(record.metadata["start"])}),
        Found("another id", record.document, record.metadata),
    ):
        assert decode_passage(found, DIMENSION) is None
    assert decode_passage(Found(record.id, record.document, record.metadata), DIMENSION + 1) is None


def test_html_in_a_text_is_text(rag: RAGSystem) -> None:
    record = _records(rag, _documents(rag, "Tides and Currents")[0])[0]
    text = "<script>alert(1)</script>"
    start = int(record.metadata["start"])
    hostile = {**record.metadata, "end": start + len(text), "sentences": "[]", "anchors": "[]"}
    hostile["pieces"] = _as_pieces([(0, len(text))])
    passage = decode_passage(Found(record.id, text, hostile), DIMENSION)
    assert passage is not None
    assert passage.text == text


def test_a_passage_of_more_pieces_than_anybody_writes_is_none(rag: RAGSystem) -> None:
    record = _records(rag, _documents(rag, "Tides and Currents")[0])[0]

    def with_pieces(count: int) -> Found:
        packed = _as_pieces([(n, n + 1) for n in range(count)])
        metadata = {
            **record.metadata,
            **split_value("pieces", packed),
            "end": int(record.metadata["start"]) + 500,
        }
        return Found(record.id, "x" * 500, {**metadata, "sentences": "[]", "anchors": "[]"})

    assert decode_passage(with_pieces(90), DIMENSION) is not None
    assert decode_passage(with_pieces(200), DIMENSION) is None


def test_a_passage_outside_of_what_its_document_lists_is_told(rag: RAGSystem) -> None:
    document = _documents(rag, "Tides and Currents")[0]
    shared = DocumentRecords(document, "name.txt", MODEL).shared
    passages = _decoded(_records(rag, document))
    course = SharedCourse(passages[0].course, "Tides and Currents", None, None, "", (), (shared,))
    assert all(is_listed(passage, course, shared) for passage in passages)
    first = passages[0]
    for changed in (
        {"course": "0" * 32},
        {"document": "0" * 32},
        {"n": shared.passages},
        {"lesson": len(shared.lessons)},
        {"lesson_number": 99},
        {"start": first.start + 2**30, "end": first.end + 2**30},
        {"after": "x" * 4000},
    ):
        assert not is_listed(replace(first, **changed), course, shared)


def test_a_collection_of_somebody_else_or_another_model_is_refused_with_a_reason() -> None:
    ours = collection_metadata(MODEL, DIMENSION)
    assert refusal(ours, MODEL, DIMENSION) is None
    assert "holds no library" in str(refusal(None, MODEL, DIMENSION))
    assert "holds no library" in str(refusal({"hnsw:space": "cosine"}, MODEL, DIMENSION))
    assert "another version" in str(refusal({**ours, "schema": 2}, MODEL, DIMENSION))
    assert "embedding model other" in str(refusal({**ours, "model": "other@1"}, MODEL, DIMENSION))
    assert "embedding model" in str(refusal({**ours, "dimension": 768}, MODEL, DIMENSION))
