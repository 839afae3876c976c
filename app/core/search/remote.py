"""Courses on servers, which are searched, read and cited along with the library's own.

A feature provides them as :class:`RemoteCourses`; this module does not know how they are reached. Their
documents have negative keys.
"""

import logging
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.core.search.filters import MetadataFilter
from app.core.search.ranking import StoredChunk
from app.domain.cancel import Cancelled, CancelToken
from app.domain.courses import Course
from app.domain.documents import Anchor, AnchorMark
from app.domain.errors import LecternError
from app.domain.messages import Message
from app.domain.scope import Scope
from app.domain.search import SearchHit, Window
from app.domain.shared import SharedLibrary
from app.domain.sources import LessonText, Source, SourceState

Pieces = Mapping[int, tuple[NDArray[np.int32], NDArray[np.float32]]]
"""Spans of passages' pieces in the document, and their vectors, by the keys of the passages."""

T = TypeVar("T")

_PATIENCE = 3.5, 1.5  # seconds in which servers name the nearest passages, and send the best of these
_FIRST_KEY = 2**50  # above those of any library file
_KEYS = 2**32  # of the passages of one document
_PAGED = ("page", "slide", "cell")

_log = logging.getLogger(__name__)


class PassagePlace(NamedTuple):
    key: int
    lesson: Hashable  # the same for passages of one lesson of one document
    number: int | None  # of the lesson
    title: str  # of the lesson
    start: int
    end: int
    text: str


class CourseText(Protocol):
    def passages(self, number: int | None) -> Sequence[PassagePlace]:
        """Return them in reading order; with a number only those of its lessons. Neighbours may overlap.

        Raises UserError while a server is away.
        """

    def hits(self, windows: Sequence[Window]) -> tuple[SearchHit, ...]:
        """Turn windows of the text of passages into hits; those whose passage is gone are dropped."""

    def pieces(self, passages: Sequence[int]) -> Pieces:
        """Return the pieces of passages, which are without them if another model is taking over."""

    def headings(self, lessons: Iterable[Hashable]) -> Sequence[tuple[Hashable, int, str]]:
        """Return the headings inside lessons, in order of these: lesson, start, and path of headings."""


class RemoteCourses:
    """All courses on servers. Thread-safe; asks a server only where that is said. This one has none."""

    def courses(self) -> tuple[Course, ...]:
        """Return the courses, none of which has the title of an own one."""
        return ()

    def libraries(self) -> tuple[SharedLibrary, ...]:
        """Return the servers of the courses, with their state."""
        return ()

    def searches(
        self, _passage_filter: MetadataFilter
    ) -> tuple[Sequence["RemoteLibrary"], Sequence[Message]]:
        """Return the servers with passages that pass the filter, and a sentence for each not asked now."""
        return (), ()

    def title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """Return the vectors of the courses' titles, of the embedding model in use."""
        return {}

    def text_of(self, _title: str) -> CourseText | None:
        """Return a course's text, which is fetched when it is read; None for an unknown title."""
        return None

    def characters(self, _titles: Iterable[str], _scope: Scope) -> int:
        """Return the approximate length of the text in a scope, for those titles that are on servers."""
        return 0

    def make_source(self, _n: int, hit: SearchHit) -> Source:
        """Return a hit as a source; raises KeyError if its document is not listed any more."""
        raise KeyError(hit.document_id)

    def make_outline_source(self, _n: int, course: Course, _text: str) -> Source:
        """Return an outline as a source; raises KeyError if its course is not listed any more."""
        raise KeyError(course.title)

    def source_state(self, _source: Source) -> SourceState:
        """Return whether a source is still as it was cited, according to the current listing."""
        return SourceState.REMOVED

    def lesson_text(self, _source: Source) -> LessonText | None:
        """Return the lesson of a source, which may be fetched, or the passage alone while that fails.

        None if its document is not listed any more.
        """
        return None

    def close(self) -> None:
        """End all connections; who waits for a server waits no more. Idempotent."""


class NearPassage(NamedTuple):
    """A candidate passage on a server; only the best are fetched as a whole."""

    library: "RemoteLibrary"
    id: str  # what the library calls it
    text: str  # with its course's title
    terms: Collection[int]  # hashes of those of the text
    cosine: float  # of its vector and that of the question


@dataclass(frozen=True, slots=True, eq=False)
class RemotePassage:
    """A passage on a server with all that ranking and showing it need."""

    chunk: StoredChunk  # key and lesson count within its document; see numbered()
    document: int  # negative
    path: str  # that no file has
    course_title: str
    lesson_number: int | None
    lesson_title: str
    chunk_index: int
    link: str | None
    before: str  # what stands between it and the passage before it in its lesson
    anchors: tuple[AnchorMark, ...]  # within it, and the last one before it; ascending


class RemoteLibrary(Protocol):
    """The courses on one server that a filter lets through. Its methods may be called in any thread.

    Attributes:
        host: what the server is called in sentences.
        searched: how many passages pass, about.
    """

    host: str
    searched: int

    def nearest(self, vector: NDArray[np.float32], token: CancelToken) -> list[NearPassage]:
        """Return the passages nearest to a normalized vector, nearest first.

        Raises:
            SharedError: the library cannot be searched now.
            Cancelled: by the token.
        """

    def fetch(self, ids: Sequence[str], token: CancelToken) -> list[RemotePassage]:
        """Return these passages with what ranking needs, except deleted ones; raises as nearest does."""

    def fail(self, reason: Message) -> Message:
        """Record why the library gave no results; return a sentence about it."""


class RemoteSearch:
    """One search of libraries on servers, within a bounded time; false if there are none.

    Attributes:
        problems: a sentence for each library that is not asked, or did not answer.
        searched: how many passages of those that answered pass the filter.
    """

    def __init__(self, libraries: Sequence[RemoteLibrary] = (), problems: Sequence[Message] = ()) -> None:
        self.problems = list(problems)
        self.searched = 0
        self._libraries = libraries

    def __bool__(self) -> bool:
        return bool(self._libraries)

    def nearest(self, vector: NDArray[np.float32]) -> list[NearPassage]:
        """Return the nearest passages of each library, with their products with the vector as cosines."""
        length = float(np.linalg.norm(vector)) or 1.0
        unit = vector / np.float32(length)
        found = self._ask(
            {each: partial(each.nearest, unit) for each in self._libraries}, seconds=_PATIENCE[0]
        )
        self.searched = sum(library.searched for library in found)
        return [each._replace(cosine=each.cosine * length) for of_one in found.values() for each in of_one]

    def fetch(self, chosen: Iterable[NearPassage]) -> list[RemotePassage]:
        ids: dict[RemoteLibrary, list[str]] = {}
        for passage in chosen:
            ids.setdefault(passage.library, []).append(passage.id)
        questions = {library: partial(library.fetch, of_one) for library, of_one in ids.items()}
        found = self._ask(questions, seconds=_PATIENCE[1])
        return [passage for of_one in found.values() for passage in of_one]

    def _ask(
        self, questions: Mapping[RemoteLibrary, Callable[[CancelToken], list[T]]], seconds: float
    ) -> dict[RemoteLibrary, list[T]]:
        """Ask several libraries at once, each in a thread of its own, so that no slow one delays another."""
        if not questions:
            return {}
        token = CancelToken()
        pool = ThreadPoolExecutor(len(questions), "class library")
        asked = {library: pool.submit(question, token) for library, question in questions.items()}
        try:
            late = wait(asked.values(), seconds).not_done
        finally:
            token.cancel()
            pool.shutdown(wait=False)
        answers: dict[RemoteLibrary, list[T]] = {}
        for library, answer in asked.items():
            if answer in late:
                self.problems.append(library.fail(Message("server.slow", server=library.host)))
                continue
            try:
                answers[library] = answer.result()
            except LecternError as error:
                self.problems.append(error.message)
            except Cancelled:  # the library is being closed
                pass
            except Exception:  # an unforeseen answer must not take the other results with it
                _log.exception("The courses on %s cannot be searched.", library.host)
                self.problems.append(library.fail(Message("server.unusable_answer", server=library.host)))
        return answers


def numbered(found: Sequence[RemotePassage]) -> dict[int, RemotePassage]:
    """Return different passages by keys of one search: ascending, consecutive for neighbours in a lesson."""
    documents = {document: at for at, document in enumerate(sorted({each.document for each in found}))}
    keyed: dict[int, RemotePassage] = {}
    for each in sorted(found, key=lambda each: (documents[each.document], each.chunk.key)):
        keyed[_FIRST_KEY + documents[each.document] * _KEYS + each.chunk.key] = each
    return keyed


def chunks_of(keyed: Mapping[int, RemotePassage]) -> list[StoredChunk]:
    """Return the passages of :func:`numbered` as they are ranked."""
    return [
        each.chunk._replace(key=key, lesson=key - each.chunk.key + each.chunk.lesson)
        for key, each in keyed.items()
    ]


def hit_of(window: Window, keyed: Mapping[int, RemotePassage]) -> SearchHit:
    """Return a window that begins in one of the passages as a hit, with any rank."""
    first = last = keyed[window.key]
    text, key = first.chunk.text, window.key
    while first.chunk.start + len(text) < window.end and (following := keyed.get(key := key + 1)):
        last = following
        gap = following.chunk.start - first.chunk.start - len(text)
        text += following.before.rjust(gap)[-gap:] if gap > 0 else ""
        text += following.chunk.text[max(-gap, 0) :]
    marks = sorted({*first.anchors, *last.anchors}, key=lambda mark: mark.start)
    anchor = anchor_at(marks, window.best)
    start = window.start - first.chunk.start
    return SearchHit(
        rank=1,
        score=window.score,
        course_title=first.course_title,
        lesson_number=first.lesson_number,
        lesson_title=first.lesson_title,
        chunk_index=first.chunk_index,
        text=text[start : start + window.end - window.start],
        path=first.path,
        start=window.start,
        end=window.end,
        anchor=anchor,
        link=first.link,
        document_id=first.document,
        pages=pages_of(anchor, anchor_at(marks, window.start), anchor_at(marks, window.end - 1)),
    )


def anchor_at(marks: Iterable[AnchorMark], position: int) -> Anchor | None:
    before = [mark for mark in marks if mark.start <= position]
    return max(before, key=lambda mark: mark.start).anchor if before else None


def pages_of(anchor: Anchor | None, first: Anchor | None, last: Anchor | None) -> tuple[int, int] | None:
    """Return the first and last page, slide or cell of a window, if they differ.

    ``anchor`` is that of its best piece, ``first`` and ``last`` are those of its ends; they may be headings.
    """
    if anchor is None or first is None or last is None or anchor.kind not in _PAGED:
        return None
    if first.kind != anchor.kind or last.kind != anchor.kind or first.value == last.value:
        return None
    return int(first.value), int(last.value)
