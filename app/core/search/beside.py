"""Asks libraries on servers while the own one is searched, within a bounded time.

Each is asked for the passages nearest in meaning, and then, if the question has rare words that stand in
others, for the nearest of those. The same numbers decide as in the own library which become candidates.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.core.search.terms import term_hashes, tokenize
from app.core.search.vocabulary import SharedWords, Vocabulary
from app.core.search.wordings import blended_vector
from app.core.storage import codec
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from app.core.search.ranking import StoredChunk
    from app.core.search.shelf import Near, Shelf, ShelfPassage, ShelfView
    from app.core.search.vectors import MetadataFilter
    from app.domain.figures import FigureLabel

_PATIENCE = 5.0  # seconds in all
_AT_ONCE = 8  # servers
_HOLDERS = 600  # passages with rare words, counted from the rarest word on
_SHORTEST = 2  # letters of a word that is looked for in a server's texts


class Wanted(NamedTuple):
    """What a search looks for besides the meaning of its question."""

    forms: Sequence[Sequence[str]]  # of each word, as terms
    labels: Sequence[FigureLabel]  # figures


class Found(NamedTuple):
    """What the libraries gave.

    Attributes:
        near: different passages, with the products of their vectors and the question's.
        words: those of the libraries that answered.
        searched: how many passages of theirs pass the filter, about.
    """

    near: Sequence[Near]
    words: SharedWords
    searched: int


class Beside:
    """Begins searches of the libraries on servers; ``shelves`` gives those of now. Thread-safe."""

    def __init__(self, shelves: Callable[[], Sequence[Shelf]]) -> None:
        self._shelves = shelves
        self._threads = ThreadPoolExecutor(_AT_ONCE, "shared library")  # starts them when they are needed

    def begin(self, passage_filter: MetadataFilter) -> SharedSearch:
        """Return a search in what the filter passes, which asks nobody yet."""
        seen = [shelf.view(passage_filter) for shelf in self._shelves()]
        problems = [view for view in seen if isinstance(view, Message)]
        views = [view for view in seen if view is not None and not isinstance(view, Message)]
        return SharedSearch(views, problems, self._threads)

    def nothing(self) -> SharedSearch:
        """Return a search that asks nobody."""
        return SharedSearch((), (), self._threads)


class SharedSearch:
    """One search; false if there is nothing to be asked.

    Attributes:
        words: of all libraries that it will ask.
        problems: a sentence for each that is not asked, or did not answer.
    """

    def __init__(
        self, views: Sequence[ShelfView], problems: Sequence[Message], threads: ThreadPoolExecutor
    ) -> None:
        self.words = SharedWords(views)
        self._views = views
        self.problems = list(problems)
        self._threads = threads
        self._token = CancelToken()
        self._wanted: Future[Wanted] = Future()
        self._asked: list[tuple[ShelfView, Future[list[Near]]]] = []
        self._deadline = 0.0

    def __bool__(self) -> bool:
        return bool(self._views)

    def ask(self, vectors: Sequence[Future[NDArray[np.float32]]]) -> None:
        """Ask for what is nearest to the vectors of a question and its rewordings, once they are there."""
        self._deadline = time.monotonic() + _PATIENCE
        if vectors:
            self._asked = [
                (view, self._threads.submit(_near, view, vectors, self._wanted, self._token))
                for view in self._views
            ]

    def look_for(self, wanted: Wanted) -> None:
        """Say what else is looked for; without it no library finishes."""
        self._wanted.set_result(wanted)

    def stop(self) -> None:
        """Ask no more; returns at once."""
        self._token.cancel()
        self._wanted.cancel()

    def found(self) -> Found:
        """Wait for the answers, as long as they may take."""
        wait([asked for _, asked in self._asked], max(self._deadline - time.monotonic(), 0))
        near: list[Near] = []
        answered: list[ShelfView] = []
        chosen = []
        for view, asked in self._asked:
            if not asked.done():
                self.problems.append(view.too_slow())
                continue
            try:
                passages = asked.result()
            except Cancelled:
                continue
            except LecternError as error:
                self.problems.append(error.message)
                continue
            near += passages
            answered.append(view)
            chosen.append(_terms_in(passages) if view.parts_courses else view.chosen)
        self._token.cancel()
        searched = sum(view.searched for view in answered)
        return Found(near, SharedWords(answered, chosen), searched)


def holding(chunks: Sequence[StoredChunk], forms: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    """Return whether each word, by its forms, stands in each passage or its heading: (words, passages)."""
    terms = codec.decode_terms(b"".join(chunk.terms for chunk in chunks))[:, 1]
    owner = np.repeat(np.arange(len(chunks)), [len(chunk.terms) // codec.PAIR_BYTES for chunk in chunks])
    held = np.zeros((len(forms), len(chunks)), bool)
    for word, of_word in enumerate(forms):
        held[word, owner[np.isin(terms, term_hashes(of_word))]] = True
    return held


def _near(
    view: ShelfView,
    vectors: Sequence[Future[NDArray[np.float32]]],
    wanted: Future[Wanted],
    token: CancelToken,
) -> list[Near]:
    """Ask one library; returns the products of vectors instead of cosines."""
    vector = blended_vector([each.result() for each in vectors])
    length = float(np.linalg.norm(vector)) or 1.0
    found = view.nearest(vector / length, token)
    forms, labels = wanted.result()
    terms = _rare(view, [each.passage for each in found], forms)
    if terms or labels:
        found = [*found, *view.holding(vector / length, terms, labels, token)]
    different = {(each.passage.document, each.passage.chunk.key): each for each in found}
    return [each._replace(cosine=each.cosine * length) for each in different.values()]


def _rare(view: ShelfView, found: Sequence[ShelfPassage], forms: Sequence[Sequence[str]]) -> list[str]:
    """Return the rarest words, in all forms, that stand in more passages than those found."""
    held = holding([each.chunk for each in found], forms).sum(1).tolist()
    counts = [sum(map(view.chosen.count, of_word)) for of_word in forms]
    terms: list[str] = []
    holders = 0
    for word in sorted(range(len(forms)), key=counts.__getitem__):
        holders += counts[word]
        if holders > _HOLDERS:
            break
        if counts[word] > held[word]:
            terms += [form for form in forms[word] if len(form) >= _SHORTEST and view.chosen.count(form)]
    return terms


def _terms_in(found: Sequence[Near]) -> Vocabulary:
    texts = [f"{each.passage.chunk.text} {each.passage.lesson_title}" for each in found]
    return Vocabulary([Counter(term for _, term in tokenize(texts))])
