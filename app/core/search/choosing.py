"""Ranks what was found for a question, here and on servers, and chooses what to show of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.core.documents.text.sentences import sentence_spans
from app.core.search.coverage import CoverageEvidence, weigh
from app.core.search.named_places import syllabus_words
from app.core.search.ranking import (
    LEXICAL_WEIGHT,
    RankedPieces,
    StoredChunk,
    best_passages,
    best_text,
    blended_vector,
    blended_weights,
    by_use,
    favoured,
    rank,
)
from app.core.search.remote import NearPassage, RemotePassage, RemoteSearch, chunks_of, numbered
from app.core.search.terms import term_hashes
from app.domain.courses import Use
from app.domain.embedding_models import IDENTITY, CosineScale
from app.domain.figures import labels_in
from app.domain.messages import Message
from app.domain.search import Window

CANDIDATES = 80  # passages whose pieces are ranked


class Words(NamedTuple):
    """The words of a question and its rewordings.

    Attributes:
        wordings: those of each text, by their stems.
        forms: other terms that count as a stem.
        rarity: how rare each stem is.
        lacking: the question's words, by their stems, that have no relative in what is searched.
    """

    wordings: Sequence[Mapping[str, Sequence[str]]]
    forms: Mapping[str, Sequence[str]]
    rarity: Mapping[str, float]
    lacking: Mapping[str, str]

    def forms_of(self, stem: str) -> tuple[str, ...]:
        """Return all terms that count as a stem, itself first."""
        return (stem, *self.forms.get(stem, ()))


NO_WORDS_ASKED = Words((), {}, {}, {})


class Gathered(NamedTuple):
    """What was found for a question in the own library and on servers.

    Attributes:
        vectors: of the question and its rewordings; none while the library's come from another model.
        scale: of their cosines.
        own: candidates of the own library, ascending by key.
        uses: what those that are no teaching texts are for, by key.
        near: passages on servers, of which the best become candidates.
        remote: who fetches these.
        searched: how many passages pass the filter.
    """

    question: str
    words: Words
    vectors: Sequence[NDArray[np.float32]]
    scale: CosineScale | None
    own: Sequence[StoredChunk]
    uses: Mapping[int, Use]
    near: Sequence[NearPassage]
    remote: RemoteSearch
    searched: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search found.

    Attributes:
        windows: of text, best first.
        evidence: whether they answer the question; None where that cannot be told.
        remote: the passages on servers among which they are, by key.
        problems: a sentence for each server that could not be asked.
    """

    windows: Sequence[Window] = ()
    evidence: CoverageEvidence | None = None
    remote: Mapping[int, RemotePassage] = field(default_factory=dict)
    problems: Sequence[Message] = ()


def choose(gathered: Gathered, limit: int, *, passage_size: int, characters: int | None) -> Findings:
    """Return at most ``limit`` windows, and whether they answer the question.

    Each has at most ``passage_size`` characters, or all together ``characters``.
    """
    question, words, vectors, scale = gathered.question, gathered.words, gathered.vectors, gathered.scale
    keyed = _fetched(gathered)
    candidates = [*gathered.own, *chunks_of(keyed)]
    problems = gathered.remote.problems
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
        evidence = weigh(question, words.lacking, alone, gathered.searched)
    about = bool(syllabus_words(question))
    ranked = by_use(ranked, gathered.uses, about=about)
    ranked, is_named = favoured(ranked, labels_in(question))
    is_named = is_named or (about and Use.ABOUT in gathered.uses.values())
    evidence = evidence and evidence._replace(is_named=is_named)
    if characters is None:
        windows = best_passages(ranked, limit, passage_size)
    else:
        windows = best_text(ranked, limit, characters) or [_cut(candidates, ranked, characters)]
    return Findings(windows, evidence, keyed, problems)


def _fetched(gathered: Gathered) -> dict[int, RemotePassage]:
    """Fetch the best of what is near on servers, by what the own library chooses its candidates by."""
    words, near = gathered.words, gathered.near
    if not near:
        return {}
    weights = blended_weights(words.wordings, words.rarity)
    hashes = [set(term_hashes(words.forms_of(stem)).tolist()) for stem in weights]
    held = np.array([[not of_word.isdisjoint(each.terms) for each in near] for of_word in hashes], bool)
    values = np.array([each.cosine for each in near], np.float32) * (gathered.scale or IDENTITY).factor
    values += LEXICAL_WEIGHT * (np.array(list(weights.values()), np.float32) @ held.reshape(len(weights), -1))
    if labels := set(labels_in(gathered.question)):
        values[[not labels.isdisjoint(labels_in(each.text)) for each in near]] = np.inf
    best = np.argsort(-values, kind="stable")[:CANDIDATES].tolist()
    return numbered(gathered.remote.fetch([near[at] for at in best]))


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
