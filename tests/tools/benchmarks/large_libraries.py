"""Libraries of a million passages, made in minutes: rows written straight into the library file.

:mod:`tests.tools.benchmarks.libraries` has the program itself read and cut files, which takes an hour for
half a
million passages. Here texts, words and vectors are made up in the same way, but the rows are written as
the program would write them. The first course of such a library is a real one, read by the program.
"""

from __future__ import annotations

import shutil
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from app.core.search.pieces import PIECE_CHARACTERS
from app.core.search.terms import term_hashes, tokenize
from app.core.storage import codec, sql
from tests.support.courses import ingest, library
from tests.tools.benchmarks.libraries import KEPT, MadeUpVectors, Maker, write_courses

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from app.core.storage.database import Database

VERSION = 1
_PER_COURSE = 500
_PER_LESSON = 50
_CHARACTERS = 720  # of a passage
_SPREAD = 0.5  # length of what a piece's vector differs by from its passage's

Span = tuple[int, int]


def made_large(passages: int, *, kept: Path = KEPT) -> Path:
    """Return the data directory of a library with about so many passages; its Chroma is empty."""
    folder = kept / f"large-{passages}-v{VERSION}"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        write_courses(folder / "courses", min(_PER_COURSE, passages // 2))
        with library(folder / "data", MadeUpVectors(Maker(2)), index=False) as rag:
            rag.database.set_meta("samples", "none")
            ingest(rag, folder / "courses")
            _fill(rag.database, passages - rag.courses.counts().passages)
        (folder / "complete").touch()
    return folder / "data"


def _fill(database: Database, passages: int) -> None:
    maker = Maker(4)
    database.connection.execute("PRAGMA synchronous = OFF")
    while passages > 0:
        with database.transaction() as connection:
            _write_course(database, maker, min(_PER_COURSE, passages))
            sql.touch(connection)
        passages -= _PER_COURSE
    database.write("DELETE FROM index_queue")


def _write_course(database: Database, maker: Maker, passages: int) -> None:
    connection = database.connection
    title = maker.title()
    texts = [maker.text(_CHARACTERS) for _ in range(passages)]
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)]).tolist()
    course = sql.insert(connection, "courses", title=title, embedding=codec.encode_vectors(maker.vectors(1)))
    document = sql.insert(
        connection,
        "documents",
        id=sql.next_document(connection),
        course_id=course,
        path=f"/courses/{course}.txt",
        size=starts[-1],
        mtime_ns=0,
        sha256=f"{course:064x}",
        text="\n".join(texts),
        sentences=codec.encode_spans(list(zip(starts, starts[1:], strict=False))),
        marked=1,
        language="en",
    )
    lessons = [
        sql.insert(
            connection,
            "lessons",
            document_id=document,
            position=number,
            number=number,
            title=maker.title(),
            start=starts[first],
            end=starts[min(first + _PER_LESSON, passages)],
        )
        for number, first in enumerate(range(0, passages, _PER_LESSON))
    ]
    vectors = maker.vectors(passages)
    for number, text in enumerate(texts):
        spans = _pieces(text)
        near = _near(vectors[number], len(spans), number)
        terms = [(piece, _hashes_in(text[start:end])) for piece, (start, end) in enumerate(spans)]
        sql.insert(
            connection,
            "chunks",
            course_id=course,
            document_id=document,
            lesson_id=lessons[number // _PER_LESSON],
            lesson_number=number // _PER_LESSON,
            chunk_index=number,
            start=starts[number],
            end=starts[number] + len(text),
            text=text,
            pieces=codec.encode_spans([(starts[number] + a, starts[number] + b) for a, b in spans]),
            vectors=codec.encode_vectors(near),
            context=codec.encode_vectors(near),
            embedding=codec.encode_vectors(_normalised(near.mean(0))),
            terms=codec.encode_terms(_pairs(terms)),
        )
    sql.index_documents(connection, [document])


def _pieces(text: str) -> list[Span]:
    """Cut behind sentences, like :func:`app.core.search.pieces.cut_pieces`, but by full stops alone."""
    spans: list[Span] = []
    start = 0
    while start < len(text):
        end = text.rfind(". ", start, start + PIECE_CHARACTERS) + 1
        end = end if end > start and len(text) - start > PIECE_CHARACTERS else 0
        end = end or min(start + PIECE_CHARACTERS, len(text))
        spans.append((start, end))
        start = end
    return spans


def _near(vector: NDArray[np.float32], count: int, seed: int) -> NDArray[np.float32]:
    noise = np.random.default_rng(seed).standard_normal((count, len(vector)), np.float32)
    return _normalised(vector + noise * (_SPREAD / np.sqrt(len(vector))))


def _normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def _pairs(terms: list[tuple[int, set[int]]]) -> NDArray[np.uint32]:
    return np.array([(piece, term) for piece, found in terms for term in found], np.uint32)


def _hashes_in(text: str) -> set[int]:
    return {term for word in text.split() for term in _hashes_of(word)}


@lru_cache(200_000)  # all there are
def _hashes_of(word: str) -> tuple[int, ...]:
    return tuple(term_hashes({term for _, term in tokenize([word])}).tolist())
