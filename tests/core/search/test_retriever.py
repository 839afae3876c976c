from __future__ import annotations

import multiprocessing
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.domain.cancel import CancelToken
from app.domain.documents import Anchor
from app.domain.scope import Scope
from tests.support.courses import TITLES, ingest
from tests.support.format_samples import pdf, text_page

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.search import SearchHit


def best(rag: RAGSystem, question: str) -> SearchHit:
    return rag.search.retrieve(question).hits[0]


def test_a_passage_over_several_pages_says_which_and_where_its_best_sentence_stands(
    rag: RAGSystem, tmp_path: Path
) -> None:
    pages = [
        [
            "Whales breathe air through the blowhole on top of their heads, as animals on land do through",
            "their noses, and come up for it every few minutes on a calm day out at sea.",
        ],
        [
            "The milk of whales is as thick as toothpaste, which keeps it together in the water while the",
            "calf drinks, and half of it is fat, so that the calf doubles its weight in a week.",
        ],
        [
            "Some of them dive for two hours without a breath and go deeper than any submarine that was",
            "ever built for people, down to where no light of the sun has ever been seen.",
        ],
    ]
    path = tmp_path / "whales.pdf"
    path.write_bytes(
        pdf([text_page([(72, 700 - 14 * n, line) for n, line in enumerate(lines)]) for lines in pages])
    )
    ingest(rag, path)
    hit = best(rag, "How thick is the milk of whales?")
    assert (hit.anchor, hit.pages) == (Anchor("page", 2), (1, 3))


def test_by_meaning_without_a_word_in_common(rag: RAGSystem) -> None:
    assert best(rag, "lunar gravity and water levels").course_title == "Tides and Currents"
    assert best(rag, "leaven for loaves").lesson_title == "Sourdough starters"


def test_by_a_word_the_model_does_not_know(rag: RAGSystem, tmp_path: Path) -> None:
    path = tmp_path / "codes.txt"
    lines = "The part is kept on a shelf in the cellar. " * 5
    path.write_text(
        f"Course Title: Spare Parts\n\nLesson 1: Shelves\n{lines}\n\n"
        f"Lesson 2: Bolts\nThe bolt is XK7741Q. {lines}\n",
        encoding="utf-8",
    )
    ingest(rag, path)
    hit = best(rag, "XK7741Q")
    assert (hit.course_title, hit.lesson_number) == ("Spare Parts", 2)
    assert best(rag, "xk7741q").lesson_number == 2


def test_by_what_a_piece_says_itself_where_its_surroundings_tell_nothing(rag: RAGSystem) -> None:
    chunks = rag.database.connection.execute("SELECT id, context, embedding FROM chunks").fetchall()
    alike = chunks[0]["embedding"]
    with rag.database.transaction() as connection:
        for chunk in chunks:
            pieces = len(chunk["context"]) // len(alike)
            connection.execute("UPDATE chunks SET context = ? WHERE id = ?", (alike * pieces, chunk["id"]))
    assert best(rag, "leaven for loaves").lesson_title == "Sourdough starters"
    assert best(rag, "lunar gravity and water levels").lesson_title == "Why the sea rises"


def test_a_removed_passage_is_not_served_from_memory(rag: RAGSystem) -> None:
    assert best(rag, "sourdough").course_title == "Bread Baking at Home"
    rag.courses.remove_courses(["Bread Baking at Home"], CancelToken())
    assert "Bread Baking at Home" not in {
        hit.course_title for hit in rag.search.retrieve("sourdough", limit=20).hits
    }


def test_with_a_scope_and_without_the_same_text_is_best(rag: RAGSystem) -> None:
    everywhere = best(rag, "when do neap tides come?")
    scoped = rag.search.retrieve("when do neap tides come?", scope=Scope(courses=tuple(TITLES))).hits[0]
    assert (scoped.path, scoped.start, scoped.end) == (everywhere.path, everywhere.start, everywhere.end)


def test_from_several_threads_while_the_library_grows(rag: RAGSystem, tmp_path: Path) -> None:
    failures: list[str] = []
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            hit = best(rag, "what is a sourdough starter?")
            if hit.course_title != "Bread Baking at Home":
                failures.append(hit.course_title)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(4):
            path = tmp_path / f"{number}.txt"
            path.write_text(
                f"Course Title: Course {number}\n\nLesson 1: A\nThing {number}.\n", encoding="utf-8"
            )
            ingest(rag, path)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert rag.courses.counts().courses == 7


def hits(rag: RAGSystem, question: str, scope: Scope | None = None) -> list[tuple[str, int]]:
    return [(hit.path, hit.start) for hit in rag.search.retrieve(question, scope=scope).hits]


@pytest.mark.parametrize("scope", [Scope(), Scope(courses=tuple(TITLES[:2]))])
def test_chroma_finds_the_same_as_a_comparison_with_all(
    rag: RAGSystem, monkeypatch: pytest.MonkeyPatch, scope: Scope
) -> None:
    monkeypatch.setattr("app.core.search.retriever._FEW", 0)
    questions = ("lunar gravity and water levels", "how is ink made from oak galls?", "starter")
    assert rag.index.is_open
    found = [hits(rag, question, scope) for question in questions]
    rag.index.close()
    assert [hits(rag, question, scope) for question in questions] == found


def test_an_index_that_is_behind_or_gone_costs_no_hit(rag: RAGSystem) -> None:
    found = hits(rag, "starter")
    rag.database.connection.execute("INSERT INTO index_queue (op, item) VALUES ('course', 'Herons')")
    assert hits(rag, "starter") == found
    rag.database.connection.execute("DELETE FROM index_queue")
    for process in multiprocessing.active_children():
        if process.name == "lectern-index":
            process.kill()
            process.join()
    assert hits(rag, "starter") == found
    assert not rag.index.is_open


def test_vectors_of_another_length_wait_for_the_model(rag: RAGSystem) -> None:
    rag.index.close()
    with rag.database.transaction() as connection:
        connection.execute("UPDATE chunks SET embedding = ? WHERE id = 1", (np.ones(8, "<f2").tobytes(),))
    assert best(rag, "lunar gravity and water levels").course_title == "Tides and Currents"
