"""Ranks what was found for a question, here and on servers, and chooses what to show of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from app.core.documents.text.sentences import sentence_spans
from app.core.search.beside import holding
from app.core.search.coverage import absent_words, weigh
from app.core.search.named_figures import favoured
from app.core.search.ranking import LEXICAL_WEIGHT, Window, best_passages, best_text, rank
from app.core.search.shelf import chunks_of, numbered
from app.core.search.terms import term_hashes
from app.core.search.wordings import blended_vector, blended_weights
from app.domain.cosine_scale import IDENTITY
from app.domain.figures import labels_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from app.core.search.beside import Found, SharedSearch
    from app.core.search.coverage import Evidence, Stands
    from app.core.search.ranking import RankedPieces, StoredChunk
    from app.core.search.shelf import ShelfPassage
    from app.domain.cosine_scale import CosineScale
    from app.domain.messages import Message

CANDIDATES = 80  # passages whose pieces are ranked


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a question and its rewordings.

    Attributes:
        wordings: those of each text, by their stems.
        forms: other terms that count as a stem.
        rarity: how rare each stem is.
        absent: the question's stems that stand in no passage of the own library that passes the filter.
        lacking: the question's words, by their stems, that have no relative in any library.
        stands: tells whether a word stands in what passes of the own library.
    """

    wordings: Sequence[Mapping[str, Sequence[str]]]
    forms: Mapping[str, Sequence[str]]
    rarity: Mapping[str, float]
    absent: Mapping[str, Sequence[str]]
    lacking: Mapping[str, str]
    stands: Stands

    def forms_of(self, stem: str) -> tuple[str, ...]:
        """Return all terms that count as a stem, itself first."""
        return (stem, *self.forms.get(stem, ()))


NO_WORDS_ASKED = Words((), {}, {}, {}, {}, lambda _, begins: False)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for a question in the own library, and who is being asked besides.

    Attributes:
        vectors: of the question and its rewordings; none while the library's come from another model.
        scale: of their cosines.
        own: candidates, ascending by key.
        values: by their keys what they were chosen by; those of infinity stay candidates in any case.
        searched: how many passages pass the filter.
    """

    question: str
    words: Words
    vectors: Sequence[NDArray[np.float32]]
    scale: CosineScale | None
    own: Sequence[StoredChunk]
    values: Mapping[int, float]
    searched: int
    shared: SharedSearch


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search found.

    Attributes:
        windows: of text, best first.
        evidence: whether they answer the question; None where that cannot be told.
        shared: the passages on servers among which they are, by key.
        problems: a sentence for each server that could not be asked.
    """

    windows: Sequence[Window] = ()
    evidence: Evidence | None = None
    shared: Mapping[int, ShelfPassage] = field(default_factory=dict)
    problems: Sequence[Message] = ()


def choose(gathered: Gathered, limit: int, *, passage_size: int, characters: int | None) -> Findings:
    """Return at most ``limit`` windows, and whether they answer the question; waits for servers.

    Each has at most ``passage_size`` characters, or all together ``characters``.
    """
    question, words, vectors, scale = gathered.question, gathered.words, gathered.vectors, gathered.scale
    own: Sequence[StoredChunk] = gathered.own
    keyed: dict[int, ShelfPassage] = {}
    found = None
    if gathered.shared:
        found = gathered.shared.found()
        own, keyed = _candidates(gathered, found)
    candidates = [*own, *chunks_of(keyed)]
    problems = gathered.shared.problems
    if not candidates:
        return Findings(problems=problems)
    first = _first_of_forms(words.forms)
    same = _hashes_of_others(first)
    weights = _hashed(blended_weights(words.wordings, words.rarity), first)
    vector = blended_vector(vectors) if vectors else None
    ranked = rank(candidates, vector, weights, scale or IDENTITY, same)
    evidence = None
    if vectors:
        alone = ranked
        if len(words.wordings) > 1:
            weights = _hashed(blended_weights(words.wordings[:1], words.rarity), first)
            alone = rank(candidates, vectors[0], weights, scale or IDENTITY, same)
        lacking = words.lacking if found is None else _lacking(words, found)
        searched = gathered.searched + (found.searched if found else 0)
        evidence = weigh(question, lacking, alone, searched)
    ranked, is_named = favoured(ranked, labels_in(question))
    evidence = evidence and evidence._replace(is_named=is_named)
    if characters is None:
        windows = best_passages(ranked, limit, passage_size)
    else:
        windows = best_text(ranked, limit, characters) or [_cut(candidates, ranked, characters)]
    return Findings(windows, evidence, keyed, problems)


def _candidates(gathered: Gathered, found: Found) -> tuple[Sequence[StoredChunk], dict[int, ShelfPassage]]:
    """Choose the best of all libraries by what the own one chooses its candidates by."""
    words, scale = gathered.words, gathered.scale or IDENTITY
    weights = blended_weights(words.wordings, words.rarity)
    held = holding(found.near, [words.forms_of(stem) for stem in weights])
    values = np.array([each.cosine for each in found.near], np.float32) * scale.factor
    values += LEXICAL_WEIGHT * (np.array(list(weights.values()), np.float32) @ held)
    if labels := set(labels_in(gathered.question)):
        values[[not labels.isdisjoint(labels_in(each.text)) for each in found.near]] = np.inf
    every = np.concatenate([values, np.array(list(gathered.values.values()), np.float32)])
    least = np.sort(every)[-CANDIDATES] if len(every) > CANDIDATES else -np.inf
    keyed = numbered(gathered.shared.fetch(found, np.flatnonzero(values >= least).tolist()))
    if not keyed:
        return gathered.own, {}
    return [chunk for chunk in gathered.own if gathered.values[chunk.key] >= least], keyed


def _lacking(words: Words, found: Found) -> Mapping[str, str]:
    """Return the question's words without a relative, by what the servers' answers show."""
    absent = {
        stem: spelt
        for stem, spelt in words.absent.items()
        if not found.words.pass_filter(words.forms_of(stem))
    }
    if not absent.keys() - words.lacking.keys():
        return words.lacking

    def stands(word: str, *, begins: bool) -> bool:
        return words.stands(word, begins=begins) or found.words.stands(word, begins=begins)

    return {**words.lacking, **absent_words(absent, stands)}


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


def _cut(candidates: Sequence[StoredChunk], ranked: RankedPieces, characters: int) -> Window:
    """Return the beginning of the best piece, cut after a whole sentence or word."""
    best = best_passages(ranked, 1, characters)[0]
    chunk = next(chunk for chunk in candidates if chunk.key == best.key)
    text = chunk.text[best.start - chunk.start : best.end - chunk.start]
    whole = [end for _, end in sentence_spans(text) if end <= characters]
    spaces = [found.start() for found in re.finditer(r"(?<=\S)\s", text[: characters + 1])]
    length = (whole or spaces or [characters])[-1]
    return Window(best.key, best.start, best.start + length, best.score, best.start)
