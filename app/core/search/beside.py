"""Asks libraries on servers while the own one is searched, within a bounded time.

Each is asked for the passages nearest in meaning, and then, if the question has rare words that stand in
others, for the nearest of those. The same numbers decide as in the own library which become candidates; of
these the rest is fetched.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from app.core.search.terms import term_hashes, tokenize
from app.core.search.vocabulary import SharedWords
from app.core.search.wordings import blended_vector
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from app.core.search.shelf import Near, Shelf, ShelfPassage, ShelfView, Terms
    from app.core.search.vectors import MetadataFilter
    from app.domain.figures import FigureLabel

T = TypeVar("T")

_log = logging.getLogger(__name__)

_PATIENCE = 5.0  # seconds in all
_FETCHING = 1.5  # of these at least for what is fetched last; words that take longer are done without
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
        views: the library of each.
        words: those of the libraries that answered.
        searched: how many passages of theirs pass the filter, about.
    """

    near: Sequence[Near]
    views: Sequence[ShelfView]
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
        self.problems = list(problems)
        self._views = views
        self._threads = threads
        self._token, self._token_of_words = CancelToken(), CancelToken()
        self._wanted: Future[Wanted] = Future()
        self._asked: list[_Asked] = []
        self._until = 0.0  # by time.monotonic()

    def __bool__(self) -> bool:
        return bool(self._views)

    def ask(self, vectors: Sequence[Future[NDArray[np.float32]]]) -> None:
        """Ask for what is nearest to the vectors of a question and its rewordings, once they are there."""
        self._until = time.monotonic() + _PATIENCE
        for view in self._views if vectors else ():
            nearest = self._threads.submit(_nearest, view, vectors, self._token)
            words = vectors, self._wanted, nearest, self._token_of_words
            self._asked.append(_Asked(view, nearest, self._threads.submit(_holding, view, *words)))

    def look_for(self, wanted: Wanted) -> None:
        """Say what else is looked for; without it no library finishes."""
        self._wanted.set_result(wanted)

    def stop(self) -> None:
        """Ask no more; returns at once."""
        self._token.cancel()
        self._token_of_words.cancel()
        self._wanted.cancel()

    def found(self) -> Found:
        """Wait for what may be candidates, as long as that may take."""
        try:
            wait([each.nearest for each in self._asked], self._left)
            wait([each.holding for each in self._asked], self._left - _FETCHING)
        except BaseException:
            self.stop()
            raise
        self._token_of_words.cancel()
        near: list[Near] = []
        views: list[ShelfView] = []
        answered: list[ShelfView] = []
        chosen: list[Terms] = []
        for view, nearest, more in self._asked:
            passages = self._result(view, nearest)
            if passages is None:
                continue
            if more.done() and not more.exception():
                passages = list({each.id: each for each in (*passages, *more.result())}.values())
            near += passages
            views += [view] * len(passages)
            answered.append(view)
            chosen.append(_TermsOf(passages) if view.parts_courses else view.chosen)
        return Found(near, views, SharedWords(answered, chosen), sum(view.searched for view in answered))

    def fetch(self, found: Found, chosen: Sequence[int]) -> list[ShelfPassage]:
        """Fetch some of what was found, in the time that is left; the search is over then."""
        ids: dict[ShelfView, list[str]] = {}
        for at in chosen:
            ids.setdefault(found.views[at], []).append(found.near[at].id)
        asked = {
            view: self._threads.submit(view.fetch, of_view, self._token) for view, of_view in ids.items()
        }
        try:
            wait(asked.values(), self._left)
            results = [self._result(view, passages) for view, passages in asked.items()]
        finally:
            self.stop()
        return [passage for passages in results for passage in passages or ()]

    @property
    def _left(self) -> float:
        return max(self._until - time.monotonic(), 0.0)

    def _result(self, view: ShelfView, asked: Future[list[T]]) -> list[T] | None:
        """Return what a library gave; None if that is nothing, and its problem is noted."""
        if not asked.done():
            self.problems.append(view.fail(Message("server.slow", server=view.host)))
            return None
        try:
            return asked.result()
        except LecternError as error:
            self.problems.append(error.message)
        except Cancelled:  # the library is being closed
            pass
        except Exception:  # an answer that nobody thought of must not take the other results with it
            _log.exception("The courses on %s cannot be searched.", view.host)
            self.problems.append(view.fail(Message("server.unusable_answer", server=view.host)))
        return None


class _Asked(NamedTuple):
    """What one library is asked: the passages that are nearest, and those with rare words."""

    view: ShelfView
    nearest: Future[list[Near]]
    holding: Future[list[Near]]


def holding(near: Sequence[Near], forms: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    """Return whether each word, by its forms, stands in each passage: (words, passages)."""
    hashes = [set(term_hashes(of_word).tolist()) for of_word in forms]
    held = [[not of_word.isdisjoint(each.terms) for each in near] for of_word in hashes]
    return np.array(held, bool).reshape(len(forms), len(near))


class _TermsOf:
    """The terms of some passages."""

    def __init__(self, near: Sequence[Near]) -> None:
        self._near = near

    def count(self, term: str) -> int:
        return int(holding(self._near, [[term]]).sum())

    def beginning(self, begin: str) -> Sequence[str]:
        return [term for term in self._terms if term.startswith(begin)]

    @cached_property
    def _terms(self) -> list[str]:
        return sorted({term for _, term in tokenize([each.text for each in self._near])})


def _nearest(
    view: ShelfView, vectors: Sequence[Future[NDArray[np.float32]]], token: CancelToken
) -> list[Near]:
    vector, length = _unit([each.result() for each in vectors])
    return [each._replace(cosine=each.cosine * length) for each in view.nearest(vector, token)]


def _holding(
    view: ShelfView,
    vectors: Sequence[Future[NDArray[np.float32]]],
    wanted: Future[Wanted],
    nearest: Future[list[Near]],
    token: CancelToken,
) -> list[Near]:
    forms, labels = wanted.result()
    terms = _rare(view, nearest.result(), forms)
    if not terms and not labels:
        return []
    vector, length = _unit([each.result() for each in vectors])
    return [each._replace(cosine=each.cosine * length) for each in view.holding(vector, terms, labels, token)]


def _unit(vectors: Sequence[NDArray[np.float32]]) -> tuple[NDArray[np.float32], float]:
    """Return the blended vector of a question at length 1, and its length, by which cosines count."""
    vector = blended_vector(vectors)
    length = float(np.linalg.norm(vector)) or 1.0
    return vector / np.float32(length), length


def _rare(view: ShelfView, found: Sequence[Near], forms: Sequence[Sequence[str]]) -> list[str]:
    """Return the rarest words, in all forms, that stand in more passages than those found."""
    held = holding(found, forms).sum(1).tolist()
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
