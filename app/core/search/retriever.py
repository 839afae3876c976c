"""From a question to windows of text: candidates by meaning and by words, ranked by their pieces."""

from __future__ import annotations

import re
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.core.documents.sentences import sentence_spans
from app.core.search.ranking import StoredChunk, Window, best_passages, best_text, rank
from app.core.search.terms import term_hashes
from app.core.search.vector_store import IndexDamaged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.core.library.database import Database
    from app.core.search.passage_filter import PassageFilter
    from app.core.search.ranking import RankedPieces
    from app.core.search.stored_vectors import StoredVectors
    from app.core.search.terms import Terms
    from app.core.search.text_index import TextIndex
    from app.core.search.vector_store import VectorStore

_CANDIDATES = 100  # passages taken from each side
_SMALL = 20_000  # passages: 2 ms to compare with all
_CACHED_CHUNKS = 4000  # about 20 MB; passages never change under a key


class QuestionEmbedder(Protocol):
    """What a search needs of the embedding model."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return one normalised vector."""


class Retriever:
    """Finds passages. Thread-safe."""

    def __init__(
        self,
        database: Database,
        vectors: StoredVectors,
        text_index: TextIndex,
        vector_store: VectorStore | None,
        terms: Terms,
        embedder: QuestionEmbedder,
    ) -> None:
        self._db = database
        self._vectors = vectors
        self._text_index = text_index
        self._vector_store = vector_store
        self._terms = terms
        self._embedder = embedder
        self._cache: OrderedDict[int, StoredChunk] = OrderedDict()
        self._guard = Lock()

    def load(self) -> None:
        """Load what the first search would have to wait for: seconds of a big library."""
        self._vectors.load()

    def find(
        self,
        question: str,
        passage_filter: PassageFilter,
        course_ids: dict[str, int],
        limit: int,
        *,
        passage_size: int,
        characters: int | None = None,
        by_meaning: bool = True,
    ) -> list[Window]:
        """Return the best windows of text, best first.

        Args:
            question: in any words.
            passage_filter: what may be looked at.
            course_ids: keys of the courses by title.
            limit: at most this many windows.
            passage_size: characters of a window.
            characters: instead, of all windows together.
            by_meaning: off while the stored vectors come from another model.
        """
        where, values = passage_filter.where(course_ids)
        words = self._terms.of_question(question)
        weights = self._text_index.weights(words)
        keys = set(self._text_index.search(words, weights, _CANDIDATES, where, values))
        vector = None
        if by_meaning:
            vector = self._embedder.embed_query(question)
            keys.update(self._nearest(vector, where, values))
        candidates = self._load(sorted(keys))
        if not candidates:
            return []
        neighbours = {key + step for key in keys for step in (-1, 1)} - keys
        lessons = {chunk.lesson for chunk in candidates}
        around = [chunk for chunk in self._load(sorted(neighbours)) if chunk.lesson in lessons]
        hashes = term_hashes(weights).tolist()
        ranked = rank(candidates, around, vector, dict(zip(hashes, weights.values(), strict=True)))
        if characters is not None:
            return best_text(ranked, limit, characters) or [_cut(candidates, ranked, characters)]
        return best_passages(ranked, limit, passage_size)

    def _nearest(self, vector: NDArray[np.float32], where: str, values: Sequence[int]) -> list[int]:
        """Return the nearest passages: by Chroma, or exactly where it can not serve."""
        if where != "1":
            rows = self._db.connection.execute(
                f"""SELECT chunks.id FROM chunks JOIN documents ON documents.id = document_id
                    WHERE trashed_at IS NULL AND {where}""",
                values,
            )
            return self._vectors.nearest(vector, _CANDIDATES, [row[0] for row in rows])
        if self._vector_store is None or not self._vector_store.is_open or self._is_small() or self._behind():
            return self._vectors.nearest(vector, _CANDIDATES)
        try:
            return self._vector_store.search(vector, _CANDIDATES)
        except IndexDamaged:
            return self._vectors.nearest(vector, _CANDIDATES)

    def _is_small(self) -> bool:
        """Whether a product over all vectors is quicker than asking Chroma."""
        row = self._db.connection.execute("SELECT max(id) FROM chunks").fetchone()
        return (row[0] or 0) <= _SMALL

    def _behind(self) -> bool:
        """Whether Chroma has not been told everything yet."""
        return self._db.connection.execute("SELECT 1 FROM index_queue LIMIT 1").fetchone() is not None

    def _load(self, keys: Sequence[int]) -> list[StoredChunk]:
        """Return searchable passages in the order of their keys; those that are gone are left out."""
        with self._guard:
            found = {key: self._cache[key] for key in keys if key in self._cache}
        missing = [key for key in keys if key not in found]
        for start in range(0, len(missing), 500):
            batch = missing[start : start + 500]
            for row in self._db.connection.execute(
                f"""SELECT k.id, k.lesson_id, k.start, k.text, k.pieces, k.context, k.terms
                    FROM chunks AS k JOIN documents AS d ON d.id = k.document_id
                    WHERE d.trashed_at IS NULL AND k.id IN ({",".join("?" * len(batch))})""",
                batch,
            ):
                pieces = np.frombuffer(row["pieces"], "<i4").reshape(-1, 2)
                found[row["id"]] = StoredChunk(
                    key=row["id"],
                    lesson=row["lesson_id"],
                    start=row["start"],
                    text=row["text"],
                    pieces=pieces,
                    context=np.frombuffer(row["context"], "<f2").reshape(len(pieces), -1).astype(np.float32),
                    terms=np.frombuffer(row["terms"], "<u4").reshape(-1, 2),
                )
        with self._guard:
            for key, chunk in found.items():
                self._cache[key] = chunk
                self._cache.move_to_end(key)
            while len(self._cache) > _CACHED_CHUNKS:
                self._cache.popitem(last=False)
        return [found[key] for key in keys if key in found]


def _cut(candidates: Sequence[StoredChunk], ranked: RankedPieces, characters: int) -> Window:
    """Return the beginning of the best piece where not even that fits: whole sentences, or words."""
    best = best_passages(ranked, 1, characters)[0]
    chunk = next(chunk for chunk in candidates if chunk.key == best.key)
    text = chunk.text[best.start - chunk.start : best.end - chunk.start]
    whole = [end for _, end in sentence_spans(text) if end <= characters]
    spaces = [found.start() for found in re.finditer(r"(?<=\S)\s", text[: characters + 1])]
    length = (whole or spaces or [characters])[-1]
    return Window(best.key, best.start, best.start + length, best.score)
