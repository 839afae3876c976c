"""Finds windows of text for a question: candidates by meaning and words, ranked by their pieces."""

from __future__ import annotations

import re
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from app.core.documents.text.languages import certain_language_of, language_of
from app.core.documents.text.sentences import sentence_spans
from app.core.search.chroma.store import IndexDamaged
from app.core.search.coverage import absent_words, weigh
from app.core.search.lexical import TextIndex
from app.core.search.named_figures import favoured, naming
from app.core.search.pieces import compared
from app.core.search.ranking import LEXICAL_WEIGHT, StoredChunk, Window, best_passages, best_text, rank
from app.core.search.reranking import reranked
from app.core.search.terms import question_terms, term_hashes
from app.core.search.vectors import StoredVectors
from app.core.search.wordings import blended_vector, blended_weights
from app.core.storage import codec
from app.domain.cosine_scale import IDENTITY
from app.domain.figures import labels_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from app.core.search.chroma.vector_store import VectorStore
    from app.core.search.coverage import Evidence
    from app.core.search.ranking import RankedPieces
    from app.core.search.reranking import Scores
    from app.core.search.vectors import MetadataFilter, VectorSnapshot
    from app.core.storage.database import Database
    from app.domain.cosine_scale import CosineScale

_CANDIDATES = 80  # passages whose pieces are ranked
_BY_WORDS = 1000  # passages with the question's words, compared exactly beside those from Chroma
_NAMING = 200  # passages that name a figure of the question
_CORRECTED = 3  # words of a question; a comparison with the words of a big library takes 3 ms
_SMALL = 150_000  # passages; up to here comparing all takes no longer than asking Chroma
_SHORTLIST = 4000  # passages compared exactly after all were compared coarsely
_CACHED_CHUNKS = 2500  # about 20 MB; a passage never changes under its key


class Retriever:
    """Finds passages; ``embed`` gives the normalised vector of a question. Thread-safe."""

    def __init__(
        self, database: Database, vector_store: VectorStore, embed: Callable[[str], NDArray[np.float32]]
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

    def find(
        self,
        question: str,
        passage_filter: MetadataFilter,
        course_ids: dict[str, int],
        limit: int,
        *,
        passage_size: int,
        characters: int | None = None,
        scale: CosineScale | None,
        rewordings: Sequence[str] = (),
        scores: Scores | None = None,
    ) -> tuple[list[Window], Evidence | None]:
        """Return at most ``limit`` windows of text, best first, and whether they answer the question.

        Each has at most ``passage_size`` characters, or all together ``characters``. ``course_ids`` are keys
        by title; ``scale`` is of the model's cosines, None while the stored vectors come from another model.
        Then, or without windows, there is no evidence. ``rewordings`` are searched for along with the
        question, and do not count as evidence: whoever wrote them may have guessed. ``scores`` reorder the
        best passages, but are no evidence either.
        """
        passages = self.vectors.current()
        chosen = passages.passing(passage_filter, course_ids)
        rows = np.flatnonzero(chosen)
        if not len(rows):
            return [], None
        searched = len(rows)
        # The model takes longest and does not hold the interpreter, so words are looked up meanwhile.
        texts = (question, *rewordings)
        embedded = [self._embedding.submit(self._embed, text) for text in texts if scale]
        wordings, forms = self._words_of(texts)
        low, high = int(rows[0]), int(rows[-1]) + 1
        rarity, score, lacking = self._compare_words(wordings, forms, passages, chosen[low:high], low)
        vectors = [vector.result() for vector in embedded]
        vector = blended_vector(vectors) if vectors else None
        everything = len(rows) > _SMALL and len(rows) + len(passages.gone) == len(passages.keys)
        scaled = vector * scale.factor if vector is not None and scale else None  # all that the order needs
        rows = low + self._best_offsets(score, scaled, passages, low, everything=everything)
        rows = np.union1d(rows, low + self._naming(question, passages, chosen[low:high], low))
        candidates = self._load(passages.keys[rows].tolist())
        if not candidates:
            return [], None
        first = _first_of_forms(forms)
        same = _hashes_of_others(first)
        weights = _hashed(blended_weights(wordings, rarity), first)
        ranked = rank(candidates, vector, weights, scale or IDENTITY, same)
        evidence = None
        if vectors:
            alone = ranked
            if rewordings:
                weights = _hashed(blended_weights(wordings[:1], rarity), first)
                alone = rank(candidates, vectors[0], weights, scale or IDENTITY, same)
            evidence = weigh(question, lacking, alone, searched)
        if scores is not None:
            ranked = reranked(ranked, question, scores)
        ranked, is_named = favoured(ranked, labels_in(question))
        evidence = evidence and evidence._replace(is_named=is_named)
        if characters is None:
            return best_passages(ranked, limit, passage_size), evidence
        return best_text(ranked, limit, characters) or [_cut(candidates, ranked, characters)], evidence

    def _words_of(self, texts: Sequence[str]) -> tuple[list[dict[str, Sequence[str]]], dict[str, list[str]]]:
        """Return the words of each text by their stems, and the other terms for all of them."""
        wordings: list[dict[str, Sequence[str]]] = []
        forms: dict[str, list[str]] = {}
        for text in texts:
            # Left out by a wrong guess, as of "war crimes", a word is not searched for at all.
            wordings.append(question_terms(text, certain_language_of(text)))
            forms.update(self._text_index.other_forms(wordings[-1], language_of(text)))
        return wordings, forms

    def _compare_words(
        self,
        wordings: Sequence[Mapping[str, Sequence[str]]],
        forms: dict[str, list[str]],
        passages: VectorSnapshot,
        chosen: NDArray[np.bool_],
        low: int,
    ) -> tuple[dict[str, float], NDArray[np.float32], dict[str, str]]:
        """Look up the words of a question and its rewordings in the chosen passages from ``low`` on.

        ``forms`` are other terms for the words; those of misspelt words are added. Returns how rare each
        word is, the passages' scores, and the question's words that have no relative there.
        """
        first, last = passages.keys[[low, low + len(chosen) - 1]].tolist()
        words = {stem: spelt for wording in wordings for stem, spelt in wording.items()}
        rarity, holders = self._text_index.look_up(words, first, last, forms)
        held = {stem: passages.rows_of(keys) - low for stem, keys in holders.items()}
        asked = [stem for stem in held if stem in wordings[0]]
        absent = {stem: words[stem] for stem in asked if not chosen[held[stem]].any()}
        lacking = absent_words(absent, lambda text: self._text_index.stands(text, first, last))
        spelt = {
            stem: terms for stem in islice(lacking, _CORRECTED) if (terms := self._text_index.spellings(stem))
        }
        if spelt:
            forms.update(spelt)
            found, holders = self._text_index.look_up(
                {stem: words[stem] for stem in spelt}, first, last, spelt
            )
            rarity.update(found)
            held.update({stem: passages.rows_of(keys) - low for stem, keys in holders.items()})
        weights = blended_weights(wordings, rarity)
        score = np.zeros(len(chosen), np.float32)
        for stem, rows in held.items():
            score[rows] += LEXICAL_WEIGHT * weights[stem]
        score[~chosen] = -np.inf
        return rarity, score, lacking

    def _naming(
        self, question: str, passages: VectorSnapshot, chosen: NDArray[np.bool_], low: int
    ) -> NDArray[np.int64]:
        """Return the offsets of chosen passages that name a figure of the question."""
        labels = labels_in(question)
        if not labels:
            return np.empty(0, np.int64)
        first, last = passages.keys[[low, low + len(chosen) - 1]].tolist()
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
            return _best(score, _CANDIDATES)
        nearest = self._nearest(vector) if everything else None
        if nearest is not None:
            by_words = _best(score, _BY_WORDS)
            rows = np.union1d(by_words[score[by_words] > 0], passages.rows_of(nearest) - low)
            rows = rows[(rows >= 0) & (rows < len(score))]
        elif passages.axes is not None and len(score) > _SHORTLIST:
            coarse = passages.coarse[low : low + len(score)] @ (vector @ passages.axes)
            rows = _best(score + coarse, _SHORTLIST)
        else:
            rows = np.flatnonzero(score > -np.inf)
        return rows[_best(score[rows] + passages.cosines(low + rows, vector), _CANDIDATES)]

    def _nearest(self, vector: NDArray[np.float32]) -> list[int] | None:
        """Return Chroma's nearest passages; None where it is closed, damaged or behind the library."""
        behind = self._db.connection.execute("SELECT 1 FROM index_queue LIMIT 1").fetchone()
        if not self._vector_store.is_open or behind:
            return None
        try:
            return self._vector_store.search(vector, _CANDIDATES)
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


def _hashed(weights: Mapping[str, float], first: Mapping[str, str]) -> dict[int, float]:
    """Return what each word weighs by its hash; what are forms of one word weigh together."""
    summed: dict[str, float] = {}
    for word, weight in weights.items():
        form = first.get(word, word)
        summed[form] = summed.get(form, 0.0) + weight
    return dict(zip(term_hashes(summed).tolist(), summed.values(), strict=True))


def _hashes_of_others(first: Mapping[str, str]) -> dict[int, int]:
    """Return by its hash what each form counts as."""
    others = {form: word for form, word in first.items() if form != word}
    return dict(zip(term_hashes(others).tolist(), term_hashes(others.values()).tolist(), strict=True))


def _first_of_forms(forms: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the word that each form counts as: where several words share one, the first of them."""
    first: dict[str, str] = {}
    for word, others in forms.items():
        every = (word, *others)
        known = next((first[form] for form in every if form in first), word)
        for form in every:
            first.setdefault(form, known)
    return first


def _best(score: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Return the indexes of the highest scores, in no order, without those of minus infinity."""
    best = np.argpartition(-score, limit)[:limit] if limit < len(score) else np.arange(len(score))
    return best[score[best] > -np.inf]


def _cut(candidates: Sequence[StoredChunk], ranked: RankedPieces, characters: int) -> Window:
    """Return the beginning of the best piece, cut after a whole sentence or word."""
    best = best_passages(ranked, 1, characters)[0]
    chunk = next(chunk for chunk in candidates if chunk.key == best.key)
    text = chunk.text[best.start - chunk.start : best.end - chunk.start]
    whole = [end for _, end in sentence_spans(text) if end <= characters]
    spaces = [found.start() for found in re.finditer(r"(?<=\S)\s", text[: characters + 1])]
    length = (whole or spaces or [characters])[-1]
    return Window(best.key, best.start, best.start + length, best.score, best.start)
