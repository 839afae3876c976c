"""Finds the candidates for a question, by meaning and words; :mod:`app.core.search.choosing` ranks them."""

import json
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from app.core.documents.text.languages import certain_language_of, language_of
from app.core.search.choosing import CANDIDATES, NO_WORDS_ASKED, Gathered, Words
from app.core.search.coverage import absent_words
from app.core.search.filters import MetadataFilter
from app.core.search.index import SearchIndex
from app.core.search.lexical import TextIndex, Vocabulary
from app.core.search.pieces import compared
from app.core.search.ranking import LEXICAL_WEIGHT, StoredChunk, blended_vector, blended_weights, naming
from app.core.search.remote import RemoteSearch
from app.core.search.terms import question_terms
from app.core.storage import codec
from app.core.storage.catalog import Catalog
from app.core.storage.database import Database
from app.core.storage.passages import Condition
from app.core.storage.sql import IN_KEYS
from app.domain.embedding_models import CosineScale
from app.domain.figures import FigureLabel, labels_in

# Passages that are compared: the nearest by Chroma, and with them the best by the question's words.
_NEAREST, _BY_WORDS = 200, 600
_NAMING = 200  # passages that name a figure of the question
_CORRECTED = 3  # words of a question; a comparison with the words of a big library takes 3 ms
_FEW = 5000  # passages that pass a filter; comparing them takes no longer than asking Chroma
# From this share of all passages on, Chroma is asked for more, without the filter: one that names 180 courses
# takes it half a second among 100,000 passages.
_MOST, _SLACK = 0.25, 1.5
_CACHED_CHUNKS = 2500  # about 20 MB; a passage never changes under its key
_LAST_KEY = 2**62

Scores = tuple["NDArray[np.int64]", "NDArray[np.float32]"]
"""Keys of passages, and what each is worth."""


class Retriever:
    """Finds passages; ``embed`` gives the normalized vector of a question. Thread-safe."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: SearchIndex,
        embed: Callable[[str], NDArray[np.float32]],
    ) -> None:
        self._db = database
        self._passages = catalog.passages
        self._text_index = TextIndex(database)
        self._index = index
        self._embed = embed
        self._cache: OrderedDict[int, StoredChunk] = OrderedDict()
        self._guard = Lock()
        self._beside = ThreadPoolExecutor(1, "words")

    def forget(self) -> None:
        """Forget all passages: their keys may mean others now."""
        with self._guard:
            self._cache.clear()

    def gather(
        self,
        question: str,
        passage_filter: MetadataFilter,
        *,
        scale: CosineScale | None,
        rewordings: Sequence[str] = (),
        remote: RemoteSearch,
    ) -> Gathered:
        """Find candidates in the user's library, and what is nearest on servers.

        ``scale`` is of the model's cosines, None while the stored vectors come from another model: then words
        alone count, and no server is asked. ``rewordings`` are searched for along with the question, and do
        not count as evidence: whoever wrote them may have guessed.
        """
        passing = None if passage_filter.is_everything else self._passages.keys(passage_filter.condition())
        searched = self._text_index.passages() if passing is None else len(passing)
        if not searched and not remote:
            return Gathered(question, NO_WORDS_ASKED, (), scale, (), {}, (), remote, 0)
        texts = (question, *rewordings)

        def look_up(further: Vocabulary) -> Future[tuple[Words, Scores]]:
            return self._beside.submit(self._compare_words, texts, passing, further)

        # The model takes longest and does not hold the interpreter, so words are looked up meanwhile.
        looked_up = None if remote else look_up(Vocabulary())
        vectors = [self._embed(text) for text in texts] if scale else []
        near = remote.nearest(blended_vector(vectors)) if remote else []
        looked_up = looked_up or look_up(Vocabulary([each.text for each in near], remote.searched))
        words, found = looked_up.result()
        if vectors and scale and searched:
            vector = blended_vector(vectors) * scale.factor  # all that the order needs
            found = self._compare(vector, found, passage_filter, passing)
        best = found[0][_best(found[1], CANDIDATES)].tolist()
        own = self._load(sorted({*best, *self._naming(labels_in(question), passing)}))
        uses = self._passages.uses([chunk.key for chunk in own])
        return Gathered(question, words, vectors, scale, own, uses, near, remote, searched + remote.searched)

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
        self, texts: Sequence[str], passing: NDArray[np.int64] | None, further: Vocabulary
    ) -> tuple[Words, Scores]:
        """Look up the words of a question and its rewordings.

        Returns them with other terms for them, including corrections of misspelt words, and the scores by
        words of the passages that pass and contain any of them; None for ``passing`` means all.
        """
        wordings, forms = self._words_of(texts, further)
        index = self._text_index
        first, last = _range_of(passing)
        words = {stem: spelt for wording in wordings for stem, spelt in wording.items()}
        rarity, holders = index.look_up(words, first, last, forms, further)
        held = {stem: _passing(keys, passing) for stem, keys in holders.items()}

        def stands(word: str, *, begins: bool) -> bool:
            expression = f'"{word}" *' if begins else f'"{word}"'
            return index.stands(expression, first, last) or further.stands(word, begins=begins)

        absent = {
            stem: words[stem]
            for stem, keys in held.items()
            if stem in wordings[0] and not len(keys) and not further.count((stem, *forms.get(stem, ())))
        }
        lacking = absent_words(absent, stands)
        spelt = {
            stem: terms for stem in islice(lacking, _CORRECTED) if (terms := index.spellings(stem, further))
        }
        if spelt:
            forms.update(spelt)
            found, holders = index.look_up({stem: words[stem] for stem in spelt}, first, last, spelt, further)
            rarity.update(found)
            held.update({stem: _passing(keys, passing) for stem, keys in holders.items()})
        weights = blended_weights(wordings, rarity)
        keys = np.unique(np.concatenate([np.empty(0, np.int64), *held.values()]))
        score = np.zeros(len(keys), np.float32)
        for stem, having in held.items():
            score[np.searchsorted(keys, having)] += LEXICAL_WEIGHT * weights[stem]
        return Words(wordings, forms, rarity, lacking), (keys, score)

    def _naming(self, labels: Sequence[FigureLabel], passing: NDArray[np.int64] | None) -> list[int]:
        """Return the passages that name one of the figures and pass."""
        if not labels:
            return []
        keys = self._text_index.matching(naming(labels), *_range_of(passing))
        return [int(key) for key in _passing(keys, passing)[:_NAMING]]

    def _compare(
        self,
        vector: NDArray[np.float32],
        by_words: Scores,
        passage_filter: MetadataFilter,
        passing: NDArray[np.int64] | None,
    ) -> Scores:
        """Return the scores of passages by words, and their products with a vector.

        These are the best by words and the ones nearest by Chroma; all that pass the filter where these are
        few or Chroma cannot tell.
        """
        total = self._text_index.passages()
        number = total if passing is None else len(passing)
        if passing is not None and number <= _FEW:
            return self._sums(vector, by_words, passage_filter.condition())
        # Where all that have any of the words are compared, the rest can only be the nearest.
        limit = CANDIDATES if len(by_words[0]) <= _BY_WORDS else _NEAREST
        asked, share = passage_filter, number / max(total, number)
        if passing is not None and share >= _MOST:
            asked, limit = MetadataFilter(), math.ceil(_SLACK * limit / share)
        # Meanwhile, Chroma does not hold the interpreter.
        compared = self._beside.submit(self._compare_best, vector, by_words)
        nearest = self._index.nearest(vector, asked, limit)
        found, sums = compared.result()
        if nearest is None:
            return self._sums(vector, by_words, passage_filter.condition())
        further, more = self._sums(vector, by_words, nearest)
        is_new = np.isin(further, found, invert=True)
        if passing is not None:
            is_new &= np.isin(further, passing)
        return np.concatenate([found, further[is_new]]), np.concatenate([sums, more[is_new]])

    def _compare_best(self, vector: NDArray[np.float32], by_words: Scores) -> Scores:
        """Compare the best passages by words, and load the best of these, most of which stay."""
        keys, score = by_words
        among = json.dumps(keys[_best(score, _BY_WORDS)].tolist())
        found, sums = self._sums(vector, by_words, (f"k.id {IN_KEYS}", [among]))
        self._load(found[_best(sums, CANDIDATES)].tolist())
        return found, sums

    def _sums(self, vector: NDArray[np.float32], by_words: Scores, condition: Condition) -> Scores:
        """Return what the passages that meet a condition are worth by words and vector."""
        keys, score = by_words
        found, sums = self._passages.cosines(vector, condition)
        at = np.searchsorted(keys, found)
        sums += np.where(np.append(keys, -1)[at] == found, np.append(score, 0)[at], 0)
        return found, sums

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


def _range_of(passing: NDArray[np.int64] | None) -> tuple[int, int]:
    """Return the first and the last key; of none, an empty range."""
    if passing is None:
        return 0, _LAST_KEY
    return (int(passing[0]), int(passing[-1])) if len(passing) else (1, 0)


def _passing(keys: NDArray[np.int64], passing: NDArray[np.int64] | None) -> NDArray[np.int64]:
    if passing is None:
        return keys
    at = np.searchsorted(passing, keys)
    passes: NDArray[np.bool_] = np.append(passing, -1)[at] == keys
    return keys[passes]


def _best(score: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Return the indexes of the highest scores, in no order, without scores of minus infinity."""
    best = np.argpartition(-score, limit)[:limit] if limit < len(score) else np.arange(len(score))
    return best[score[best] > -np.inf]
