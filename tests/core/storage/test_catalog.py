from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.search.chroma import CATALOG
from app.core.search.lexical import TextIndex
from app.core.storage.codec import decode_spans
from app.domain.cancel import CancelToken
from app.domain.documents import Anchor
from tests.support.courses import BREAD, INK, TITLES, ingest, write_courses

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem


def chroma_ids(rag: RAGSystem) -> int:
    return rag.index.chroma.count()


def test_courses_are_listed_by_title_with_counts_that_add_up(rag: RAGSystem) -> None:
    courses = rag.courses.all()
    assert [course.title for course in courses] == TITLES
    assert all(course.passages == sum(item.passages for item in course.lessons) for course in courses)
    counts = rag.courses.counts()
    assert (counts.courses, counts.documents) == (3, 3)
    assert counts.passages == sum(course.passages for course in courses)


def test_each_title_has_a_normalised_vector(rag: RAGSystem) -> None:
    vectors = rag.catalog.courses.vectors()
    assert tuple(vectors) == rag.catalog.courses.titles() == tuple(TITLES)
    for vector in vectors.values():
        assert vector.shape == (384,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-3)


def test_text_and_sentences_are_stored_as_read(rag: RAGSystem) -> None:
    (record,) = rag.catalog.documents.of_course("Bread Baking at Home")
    text = rag.catalog.documents.text(record.document_id).text
    (stored,) = rag.database.connection.execute(
        "SELECT sentences FROM documents WHERE id = ?", (record.document_id,)
    ).fetchone()
    sentences = decode_spans(stored).tolist()
    assert text == BREAD
    assert len(record.sha256) == 64
    assert "A kitchen scale matters more than an expensive oven." in [text[a:b] for a, b in sentences]
    assert sentences == sorted(sentences)


def test_a_document_that_is_gone(rag: RAGSystem) -> None:
    assert not rag.catalog.documents.is_searchable(10_000)


def test_every_passage_is_an_exact_slice_in_its_lesson(rag: RAGSystem) -> None:
    rows = rag.database.connection.execute(
        """SELECT k.text, k.start, k."end", d.text AS document, l.start AS first, l."end" AS last,
                  k.lesson_number, l.number
           FROM chunks AS k JOIN documents AS d ON d.id = k.document_id
           JOIN lessons AS l ON l.id = k.lesson_id"""
    ).fetchall()
    assert rows
    for row in rows:
        assert row["document"][row["start"] : row["end"]] == row["text"]
        assert row["first"] <= row["start"] < row["end"] <= row["last"]
        assert row["lesson_number"] == row["number"]


def test_chroma_holds_the_passages_in_the_form_of_the_web_version(rag: RAGSystem) -> None:
    rows = rag.database.connection.execute("SELECT id FROM chunks").fetchall()
    records = rag.catalog.passages.chunk_records([row["id"] for row in rows])
    ids = {record[0] for record in records}
    assert len(ids) == len(records) == chroma_ids(rag)
    assert "Bread Baking at Home_0" in ids
    _, embedding, _, zero = next(record for record in records if record[0] == "Bread Baking at Home_0")
    assert (zero["course_title"], zero["lesson_number"], zero["chunk_index"]) == (
        "Bread Baking at Home",
        0,
        0,
    )
    assert embedding.shape == (384,)


def test_headings_are_anchors(rag: RAGSystem, tmp_path: Path) -> None:
    path = tmp_path / "pens.md"
    lines = "A reed pen is cut at an angle. " * 8
    quills = "Feathers of geese are the usual choice. " * 12 + "A quill is hardened in hot sand."
    path.write_text(f"# Pens\n\n{lines}\n\n## Quills\n\n{quills}\n", encoding="utf-8")
    ingest(rag, path)
    hit = rag.search.retrieve("how is a quill hardened?", max_chars=220).hits[0]
    assert hit.text.endswith("A quill is hardened in hot sand.")
    assert hit.anchor == Anchor("heading", "Pens › Quills")
    hit = rag.search.retrieve("iron gall ink").hits[0]
    assert rag.search.retrieve("sourdough").hits[0].anchor is None
    stored = rag.catalog.documents.text(hit.document_id)
    assert stored.text == INK
    assert stored.marks[0].anchor == Anchor("heading", "A Short History of Ink")
    record = rag.catalog.documents.record(hit.document_id)
    assert record.path == hit.path
    assert not record.is_sample


class TestTrash:
    def test_a_removed_course_leaves_every_search_at_once(self, rag: RAGSystem) -> None:
        before = chroma_ids(rag)
        rag.courses.remove_courses(["Bread Baking at Home"], CancelToken())
        assert [course.title for course in rag.courses.all()] == [TITLES[0], TITLES[2]]
        assert "Bread Baking at Home" not in rag.catalog.courses.titles()
        assert not [
            hit for hit in rag.search.retrieve("sourdough starter", limit=20).hits if "bread" in hit.path
        ]
        assert rag.search.retrieve("sourdough", course_name="Bread Baking at Home").hits == ()
        assert chroma_ids(rag) == rag.courses.counts().passages < before
        assert TextIndex(rag.database).count() == rag.courses.counts().passages

    def test_text_and_vectors_stay_until_it_is_emptied(self, rag: RAGSystem) -> None:
        (record,) = rag.catalog.documents.of_course("Bread Baking at Home")
        rag.courses.remove_courses(["Bread Baking at Home"], CancelToken())
        assert rag.catalog.documents.text(record.document_id).text == BREAD
        assert rag.catalog.documents.empty_trash(last=time.time() - 3600) == 0
        assert rag.catalog.documents.empty_trash() == 1
        query = "SELECT count(*) FROM documents WHERE id = ?"
        assert rag.database.connection.execute(query, (record.document_id,)).fetchone()[0] == 0
        assert "Bread Baking at Home" not in rag.catalog.courses.ids()
        left = rag.database.connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
        assert left == rag.courses.counts().passages

    def test_adding_it_again_embeds_nothing(self, rag: RAGSystem, stored_courses: tuple[Path, Path]) -> None:
        rag.courses.remove_courses(TITLES, CancelToken())
        assert rag.courses.counts().passages == 0
        message = rag.search.retrieve("sourdough").message
        assert str(message) == "The library is empty. Add a folder with course files first."
        done = ingest(rag, stored_courses[0])
        assert {file.status.value for file in done.files} == {"added"}
        assert done.passages_embedded == 0
        assert chroma_ids(rag) == rag.courses.counts().passages

    def test_the_catalogue_of_chroma_follows(self, rag: RAGSystem) -> None:
        assert len(rag.index.chroma.ids(CATALOG)) == 3
        rag.courses.remove_courses([TITLES[0]], CancelToken())
        assert len(rag.index.chroma.ids(CATALOG)) == 2

    def test_removing_what_is_not_there(self, rag: RAGSystem) -> None:
        rag.courses.remove_courses(["No such course"], CancelToken())
        assert rag.courses.counts().courses == 3


def test_the_sample_courses_come_once(rag: RAGSystem, tmp_path: Path) -> None:
    assert not rag.ingest.wants_samples()
    ingest(rag, write_courses(tmp_path / "elsewhere"))
    assert not any(course.is_sample for course in rag.courses.all())
