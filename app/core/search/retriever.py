"""Finds the candidates for a question, by meaning and words; :mod:`app.core.search.choosing` ranks them."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from app.core.documents.text.languages import certain_language_of, language_of
from app.core.search.choosing import CANDIDATES, NO_WORDS_ASKED, Gathered, Words
from app.core.search.chroma.store import IndexDamaged
from app.core.search.coverage import absent_words
from app.core.search.lexical import TextIndex, Vocabulary
from app.core.search.named_figures import naming
from app.core.search.pieces import compared
from app.core.search.ranking import LEXICAL_WEIGHT, StoredChunk
from app.core.search.terms import question_terms
from app.core.search.vectors import StoredVectors
from app.core.search.wordings import blended_vector, blended_weights
from app.core.storage import codec
from app.domain.figures import labels_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from app.core.search.chroma.vector_store import VectorStore
    from app.core.search.remote import RemoteSearch
    from app.core.search.vectors import MetadataFilter, VectorSnapshot
    from app.core.storage.database import Database
    from app.domain.cosine_scale import CosineScale
    from app.domain.figures import FigureLabel

_BY_WORDS = 1000  # passages with the question's words, compared exactly beside those from Chroma
_NAMING = 200  # passages that name a figure of the question
_CORRECTED = 3  # words of a question; a comparison with the words of a big library takes 3 ms
_SMALL = 1_000_000  # passages; up to here comparing all takes no longer than asking Chroma
_SHORTLIST = 4000  # passages compared exactly after all were compared coarsely, at least
_SHORTLISTED = 50  # of so many one, in a big library
_CACHED_CHUNKS = 2500  # about 20 MB; a passage never changes under its key


class Retriever:
    """Finds passages; ``embed`` gives the normalised vector of a question. Thread-safe."""

    def __init__(
        self,
        database: Database,
        vector_store: VectorStore,
        embed: Callable[[str], NDArray[np.float32]],
    ) -> None:
        self._db = database
        self.vectors = StoredVectors(database)
        self._text_index = TextIndex(database)
        self._vector_store = vector_store
        self._embed = embed
        self._cache: OrderedDict[int, StoredChunk] = OrderedDict()
        self._guard = Lock()
        self._embedding = ThreadPoolExecutor(1, "question")

    def forget(self) -> None:
        """Forget all passages: their keys may mean others now."""
        with self._guard:
            self._cache.clear()

    def gather(
        self,
        question: str,
        passage_filter: MetadataFilter,
        course_ids: dict[str, int],
        *,
        scale: CosineScale | None,
        rewordings: Sequence[str] = (),
        remote: RemoteSearch,
    ) -> Gathered:
        """Find candidates of the own library, and what is nearest on servers.

        ``course_ids`` are keys by title; ``scale`` is of the model's cosines, None while the stored vectors
        come from another model: then words alone count, and no server is asked. ``rewordings`` are searched
        for along with the question, and do not count as evidence: whoever wrote them may have guessed.
        """
        passages = self.vectors.current()
        chosen = passages.passing(passage_filter, course_ids)
        rows = np.flatnonzero(chosen)
        if not len(rows) and not remote:
            return Gathered(question, NO_WORDS_ASKED, (), scale, (), (), remote, 0)
        # The model takes longest and does not hold the interpreter, so words are looked up meanwhile.
        texts = (question, *rewordings)
        embedded = [self._embedding.submit(self._embed, text) for text in texts if scale]
        low, high = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, 0)
        chosen = chosen[low:high]
        near = remote.nearest(blended_vector([each.result() for each in embedded])) if remote else []
        further = Vocabulary([each.text for each in near])
        words, score = self._compare_words(texts, passages, chosen, low, further)
        vectors = [vector.result() for vector in embedded]
        vector = blended_vector(vectors) if vectors else None
        everything = len(rows) > _SMALL and len(rows) + len(passages.gone) == len(passages.keys)
        scaled = vector * scale.factor if vector is not None and scale else None  # all that the order needs
        best = self._best_offsets(score, scaled, passages, low, everything=everything)
        named = self._naming(labels_in(question), passages, chosen, low)
        own = self._load(passages.keys[low + np.union1d(best, named)].tolist())
        return Gathered(question, words, vectors, scale, own, near, remote, len(rows) + remote.searched)

    def _words_of(
        self, texts: Sequence[str], further: Vocabulary
    ) -> tuple[list[dict[str, Sequence[str]]], dict[str, list[str]]]:
        """Return the words of each text by their stems, and the other terms for all of them."""
        wordings: list[dict[str, Sequence[str]]] = []
        forms: dict[str, list[str]] = {}
        for text in texts:
            # Left out by a wrong guess, as of "war crimes", a word is not searched for at all.
            wordings.append(question_terms(text, certain_language_of(text)))
            forms.update(self._text_index.other_forms(wordings[-1], language_of(text), further))
        return wordings, forms

    def _compare_words(
        self,
        texts: Sequence[str],
        passages: VectorSnapshot,
        chosen: NDArray[np.bool_],
        low: int,
        further: Vocabulary,
    ) -> tuple[Words, NDArray[np.float32]]:
        """Look up the words of a question and its rewordings in the chosen passages from ``low`` on.

        Returns them with other terms for them, those of misspelt words among these, and the passages' scores.
        """
        wordings, forms = self._words_of(texts, further)
        index = self._text_index
        first, last = _keys_of(passages, chosen, low)
        words = {stem: spelt for wording in wordings for stem, spelt in wording.items()}
        rarity, holders = index.look_up(words, first, last, forms, further)
        held = {stem: passages.rows_of(keys) - low for stem, keys in holders.items()}
        asked = [stem for stem in held if stem in wordings[0]]

        def stands(word: str, *, begins: bool) -> bool:
            expression = f'"{word}" *' if begins else f'"{word}"'
            return index.stands(expression, first, last) or further.stands(word, begins=begins)

        absent = {
            stem: words[stem]
            for stem in asked
            if not chosen[held[stem]].any() and not further.count((stem, *forms.get(stem, ())))
        }
        lacking = absent_words(absent, stands)
        spelt = {
            stem: terms for stem in islice(lacking, _CORRECTED) if (terms := index.spellings(stem, further))
        }
        if spelt:
            forms.update(spelt)
            found, holders = index.look_up({stem: words[stem] for stem in spelt}, first, last, spelt, further)
            rarity.update(found)
            held.update({stem: passages.rows_of(keys) - low for stem, keys in holders.items()})
        weights = blended_weights(wordings, rarity)
        score = np.zeros(len(chosen), np.float32)
        for stem, rows in held.items():
            score[rows] += LEXICAL_WEIGHT * weights[stem]
        score[~chosen] = -np.inf
        return Words(wordings, forms, rarity, lacking), score

    def _naming(
        self,
        labels: Sequence[FigureLabel],
        passages: VectorSnapshot,
        chosen: NDArray[np.bool_],
        low: int,
    ) -> NDArray[np.int64]:
        """Return the offsets of chosen passages that name one of the figures."""
        if not labels:
            return np.empty(0, np.int64)
        first, last = _keys_of(passages, chosen, low)
        rows = passages.rows_of(self._text_index.matching(naming(labels), first, last)) - low
        return rows[chosen[rows]][:_NAMING]

    def _best_offsets(
        self,
        score: NDArray[np.float32],
        vector: NDArray[np.float32] | None,
        passages: VectorSnapshot,
        low: int,
        *,
        everything: bool,
    ) -> NDArray[np.int64]:
        """Return the offsets with the highest sums of score and product with the vector, if there is one."""
        if vector is None:
            score[score == 0] = -np.inf
            return _best(score, CANDIDATES)
        nearest = self._nearest(vector) if everything else None
        if nearest is not None:
            by_words = _best(score, _BY_WORDS)
            rows = np.union1d(by_words[score[by_words] > 0], passages.rows_of(nearest) - low)
            rows = rows[(rows >= 0) & (rows < len(score))]
        elif passages.axes is not None and len(score) > _SHORTLIST:
            coarse = passages.coarse_cosines(slice(low, low + len(score)), vector)
            rows = _best(score + coarse, max(_SHORTLIST, len(score) // _SHORTLISTED))
        else:
            rows = np.flatnonzero(score > -np.inf)
        sums = score[rows] + passages.cosines(low + rows, vector)
        return rows[_best(sums, CANDIDATES)]

    def _nearest(self, vector: NDArray[np.float32]) -> list[int] | None:
        """Return Chroma's nearest passages; None where it is closed, damaged or behind the library."""
        behind = self._db.connection.execute("SELECT 1 FROM index_queue LIMIT 1").fetchone()
        if not self._vector_store.is_open or behind:
            return None
        try:
            return self._vector_store.search(vector, CANDIDATES)
        except IndexDamaged:
            return None

    def _load(self, keys: Sequence[int]) -> list[StoredChunk]:
        """Return the passages that still exist, in the order of their keys."""
        with self._guard:
            found = {key: self._cache[key] for key in keys if key in self._cache}
        missing = [key for key in keys if key not in found]
        for row in self._db.connection.execute(
            f"""SELECT id, lesson_id, start, text, pieces, terms, context, vectors
                FROM chunks WHERE id IN ({",".join("?" * len(missing))})""",
            missing,
        ):
            *stored, context, own = row
            vectors = compared(codec.decode_vector(context), codec.decode_vector(own))
            found[row["id"]] = StoredChunk._make((*stored, vectors))
        with self._guard:
            for key, chunk in found.items():
                self._cache[key] = chunk
                self._cache.move_to_end(key)
            while len(self._cache) > _CACHED_CHUNKS:
                self._cache.popitem(last=False)
        return [found[key] for key in keys if key in found]


def _keys_of(passages: VectorSnapshot, chosen: NDArray[np.bool_], low: int) -> tuple[int, int]:
    """Return the keys of the first and the last of the passages from ``low`` on; of none, an empty range."""
    if not len(chosen):
        return 1, 0
    return int(passages.keys[low]), int(passages.keys[low + len(chosen) - 1])


def _best(score: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Return the indexes of the highest scores, in no order, without those of minus infinity."""
    best = np.argpartition(-score, limit)[:limit] if limit < len(score) else np.arange(len(score))
    return best[score[best] > -np.inf]
