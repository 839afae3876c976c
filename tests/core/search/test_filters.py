"""A filter passes the same lessons here, in SQLite and in Chroma."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.search.filters import MetadataFilter
from app.domain.scope import Scope
from tests.support.courses import ingest, library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

# Two courses with lessons 0 to 2, and a passage before the first lesson.
TITLES = {1: "Bread", 2: "Tides"}
PASSAGES = [(course, lesson) for course in (1, 2) for lesson in (None, 0, 1, 2)]
EVERYTHING = set(PASSAGES)


@pytest.fixture(scope="module")
def lessons_of(tmp_path_factory: pytest.TempPathFactory, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    folder = tmp_path_factory.mktemp("filters")
    for title in TITLES.values():
        parts = [
            f"Lesson {number}: Part {number}\nThis is part {number} of {title}.\n" for number in range(3)
        ]
        text = "\n".join([f"Course Title: {title}\n", f"Before the lessons of {title}.\n", *parts])
        (folder / f"{title}.txt").write_text(text, encoding="utf-8")
    with library(folder / "data", embedder) as rag:
        ingest(rag, *folder.glob("*.txt"))
        yield rag


def lessons(course: int, *numbers: int | None) -> set[tuple[int, int | None]]:
    return {(course, number) for number in numbers}


@pytest.mark.parametrize(
    ("passages", "expected"),
    [
        (MetadataFilter(), EVERYTHING),
        (MetadataFilter(frozenset({"Bread"})), lessons(1, None, 0, 1, 2)),
        (MetadataFilter(frozenset({"Bread", "Tides"})), EVERYTHING),
        (MetadataFilter(frozenset({"Unknown"})), set()),
        (MetadataFilter(frozenset()), set()),
        (MetadataFilter(lesson_number=0), {(1, 0), (2, 0)}),
        (MetadataFilter(frozenset({"Tides"}), 0), {(2, 0)}),
        (MetadataFilter(frozenset({"Tides"}), 7), set()),
        (MetadataFilter(scope=Scope(courses=("Bread",))), lessons(1, None, 0, 1, 2)),
        (MetadataFilter(scope=Scope(courses=("Unknown",))), set()),
        (MetadataFilter(scope=Scope(lessons=(("Bread", 0), ("Tides", 2)))), {(1, 0), (2, 2)}),
        (
            MetadataFilter(scope=Scope(courses=("Bread",), lessons=(("Tides", 1),))),
            lessons(1, None, 0, 1, 2) | {(2, 1)},
        ),
        (MetadataFilter(scope=Scope(up_to=(("Bread", 0),))), lessons(1, None, 0) | lessons(2, None, 0, 1, 2)),
        (MetadataFilter(scope=Scope(courses=("Bread",), up_to=(("Bread", 1),))), lessons(1, None, 0, 1)),
        (MetadataFilter(frozenset({"Tides"}), scope=Scope(courses=("Bread",))), set()),
        (MetadataFilter(None, 2, Scope(up_to=(("Bread", 1),))), {(2, 2)}),
    ],
)
def test_what_passes(
    passages: MetadataFilter, expected: set[tuple[int, int | None]], lessons_of: RAGSystem
) -> None:
    rag = lessons_of
    assert {one for one in PASSAGES if passages.includes(TITLES[one[0]], one[1])} == expected
    keys = rag.catalog.passages.keys(passages.condition()).tolist()
    assert passing(rag, keys) == expected
    if passages.courses != frozenset():  # Chroma takes no empty list
        nearest = rag.index.nearest(np.ones(384, np.float32), passages, 20)
        assert nearest is not None
        assert passing(rag, rag.catalog.passages.keys(nearest).tolist()) == expected


def passing(rag: RAGSystem, keys: list[int]) -> set[tuple[int, int | None]]:
    numbers = {title: number for number, title in TITLES.items()}
    records = [metadata for *_, metadata in rag.catalog.passages.chunk_records(keys)]
    return {(numbers[str(one["course_title"])], one.get("lesson_number")) for one in records}  # type: ignore[misc]
