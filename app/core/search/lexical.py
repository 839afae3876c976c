"""Lexical search: finds the passages that contain a question's words, with SQLite's FTS5."""

import os.path
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from app.core.documents.text.languages import ENGLISH, has_stems, stem_of
from app.core.search.terms import frequencies, rarity, tokenize
from app.core.storage.database import Database

# Passages examined for a question's words, the rarest word first. A word beyond that occurs in so many
# that it cannot change which are best, and takes longest to look up.
_EXAMINED = 6000
_NONE = np.empty(0, np.int64)
_NO_OTHERS: Mapping[str, Sequence[str]] = {}
_LAST = chr(0x10FFFF)  # behind every letter

_SHORTEST_SHARED = 3  # letters that all forms of a word begin with
_MOST_FORMS = 30  # of a word; beyond them its stem is too short to tell
_SHORTEST_MISSPELT = 5  # letters; among shorter words too many are alike
_RIGHT_LETTERS = 2  # at the beginning, where people mistype least
_ALIKE = 0.8  # ratio of letters in common of two spellings
_MOST_SPELLINGS = 2  # of a word
_KEPT = 200  # beginnings of words; to read those with "in" takes 16 ms among 100,000 passages
_MOST_WORDS = 50  # whose other forms are looked up, of a text that was pasted as a question


class Vocabulary:
    """The terms of further passages, which count along with those of the index; false without any.

    ``passages`` is how many there are, of which only these texts are known.
    """

    def __init__(self, texts: Sequence[str] = (), passages: int = 0) -> None:
        self.passages = max(len(texts), passages)
        self._counts = frequencies(texts) if texts else {}

    def __bool__(self) -> bool:
        return bool(self.passages)

    def count(self, terms: Iterable[str]) -> int:
        """Return in how many passages one of the terms occurs; one with several may count more than once."""
        return min(sum(self._counts.get(term, 0) for term in terms), self.passages)

    def beginning(self, begin: str) -> list[str]:
        """Return all terms that begin so."""
        return [term for term in self._counts if term.startswith(begin)]

    def stands(self, word: str, *, begins: bool) -> bool:
        """Return whether there is a word or, with ``begins``, a word that begins with it."""
        terms = [term for _, term in tokenize([word])] if self._counts else []
        if begins:
            return any(self.beginning(term) for term in terms)
        return any(term in self._counts for term in terms)


_NO_WORDS = Vocabulary()


class TextIndex:
    """Finds passages by their words. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._counted: tuple[str | None, int] = (None, 0)  # generation of the library, passages
        self._known: tuple[str | None, frozenset[str]] = (None, frozenset())  # generation, languages
        self._kept_terms = lru_cache(_KEPT)(self._read_terms)

    def other_forms(
        self, stems: Iterable[str], language: str, further: Vocabulary = _NO_WORDS
    ) -> dict[str, list[str]]:
        """Return the other forms, as terms of the index, in which words of a language stand in it.

        Empty for English, whose words have one term in all forms, and for a language of no document.
        """
        if language == ENGLISH or not has_stems(language):
            return {}
        if language not in self._languages() and not further:
            return {}
        forms = {}
        for stem in islice(stems, _MOST_WORDS):
            common = stem_of(stem, language)
            begin = os.path.commonprefix([stem, common])
            if not stem.isalpha() or len(begin) < _SHORTEST_SHARED:
                continue
            terms = self._terms(begin, further)
            found = [term for term in terms if stem_of(term, language) == common]
            if len(found) <= _MOST_FORMS and (others := [term for term in found if term != stem]):
                forms[stem] = others
        return forms

    def spellings(self, stem: str, further: Vocabulary = _NO_WORDS) -> list[str]:
        """Return the terms of the index that a word which does not stand in it is likely to mean."""
        if len(stem) < _SHORTEST_MISSPELT or not stem.isalpha():
            return []
        terms = self._terms(stem[:_RIGHT_LETTERS], further)
        near = [term for term in terms if abs(len(term) - len(stem)) <= 2]
        return get_close_matches(stem, near, _MOST_SPELLINGS, _ALIKE)

    def look_up(
        self,
        words: Mapping[str, Sequence[str]],
        low: int,
        high: int,
        others: Mapping[str, Sequence[str]] = _NO_OTHERS,
        further: Vocabulary = _NO_WORDS,
    ) -> tuple[dict[str, float], dict[str, NDArray[np.int64]]]:
        """Look up the stems of :func:`~app.core.search.terms.question_terms`.

        ``others`` are further terms that count as one of the stems.

        Returns:
            How rare each stem is, as the natural logarithm of its inverse document frequency; and for each
            that is rare enough the passages that contain it, maybe none, as ascending keys in ``low…high``.
        """
        passages = self.passages()
        # FTS5's own table of frequencies takes three times as long to read.
        query = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
        connection = self._db.connection
        expressions = {
            stem: " OR ".join(f'"{form}"' for form in (forms[0], *others.get(stem, ())))
            for stem, forms in words.items()
        }
        # One after the other: SQLite goes through all open queries with each new one.
        frequency = {
            stem: int(connection.execute(query, (text,)).fetchone()[0]) for stem, text in expressions.items()
        }
        weights = {}
        for stem, found in frequency.items():
            there = further.count((stem, *others.get(stem, ())))
            # The count may be a moment older than the frequencies: never negative.
            weights[stem] = rarity(found + there, max(passages, found) + further.passages)
        share = min((high - low + 1) / max(passages, 1), 1.0)
        holders: dict[str, NDArray[np.int64]] = {}
        examined = 0.0
        for stem in sorted(frequency, key=frequency.__getitem__):
            if examined and examined + frequency[stem] * share > _EXAMINED:
                break
            examined += frequency[stem] * share
            holders[stem] = self.matching(expressions[stem], low, high) if frequency[stem] else _NONE
        return weights, holders

    def matching(self, expression: str, low: int, high: int) -> NDArray[np.int64]:
        """Return the passages that match an expression of FTS5, as ascending keys in ``low…high``."""
        # One row each would take three times as long.
        row = self._db.connection.execute(
            """SELECT group_concat(rowid) FROM passages_fts
               WHERE passages_fts MATCH ? AND rowid BETWEEN ? AND ?""",
            (expression, low, high),
        ).fetchone()
        return np.sort(np.fromstring(row[0], np.int64, sep=",")) if row[0] else _NONE

    def stands(self, expression: str, low: int, high: int) -> bool:
        """Return whether a passage with a key in ``low…high`` matches an expression of FTS5."""
        row = self._db.connection.execute(
            "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1",
            (expression, low, high),
        ).fetchone()
        return row is not None

    def passages(self) -> int:
        """Return the number of passages, counted once for each state of the library."""
        generation = self._db.meta("generation")
        if generation != self._counted[0]:
            self._counted = (generation, self.count())
        return self._counted[1]

    def count(self) -> int:
        return int(self._db.connection.execute("SELECT count(*) FROM passages_fts_docsize").fetchone()[0])

    def _languages(self) -> frozenset[str]:
        generation = self._db.meta("generation")
        if generation != self._known[0]:
            rows = self._db.connection.execute("SELECT DISTINCT language FROM documents")
            self._known = (generation, frozenset(row["language"] for row in rows))
        return self._known[1]

    def _terms(self, begin: str, further: Vocabulary) -> Sequence[str]:
        own = self._kept_terms(begin, self._db.meta("generation"))
        return sorted({*own, *further.beginning(begin)}) if further else own

    def _read_terms(self, begin: str, _generation: str | None) -> tuple[str, ...]:
        rows = self._db.connection.execute(
            "SELECT term FROM passages_vocabulary WHERE term >= ? AND term < ?", (begin, begin + _LAST)
        )
        return tuple(row["term"] for row in rows)
