"""Libraries on servers as the search sees them: :mod:`app.core.search.shelf` says what it asks of them."""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from app.core.search.pieces import passage_terms
from app.core.search.ranking import StoredChunk
from app.core.search.shelf import Near, ShelfPassage
from app.core.search.terms import hashed_terms
from app.core.storage import codec
from app.domain.errors import SharedError
from app.domain.messages import Message
from app.domain.shared import ServerState
from app.features.shared.catalogue import shared_id, shared_path
from app.features.shared.fields import Unusable, checked_text
from app.features.shared.filters import passing, where
from app.features.shared.patterns import words_condition
from app.features.shared.record import BATCH, CONTENT
from app.features.shared.records import TEXT_BYTES, decode_passage, is_listed
from app.features.shared.words import LibraryWords

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.vectors import MetadataFilter
    from app.domain.cancel import CancelToken
    from app.domain.figures import FigureLabel
    from app.features.shared.catalogue import Catalogue
    from app.features.shared.record import Found
    from app.features.shared.records import SharedPassage
    from app.features.shared.service import Searchable, SharedLibraries

_SLOW = 1.5  # seconds for words …
_WITHOUT_WORDS = 300.0  # … after which a server is not asked for them so long
_ROUNDING = 0.01  # of cosine distances: that of equal vectors may be a little less than 0
_NOT_LIVE = 60.0  # seconds for which a document stays unknown: a publisher may switch to it any time
_ENGLISH = frozenset(("en", ""))


class SharedShelves:
    """Gives the shelves of all libraries on servers whose courses are known. Thread-safe."""

    def __init__(self, libraries: SharedLibraries) -> None:
        self._libraries = libraries
        self._shelves: dict[str, ServerShelf] = {}

    def __call__(self) -> list[ServerShelf]:
        found = []
        for searchable in self._libraries.known():
            key = searchable.subscription.address.key
            shelf = self._shelves.setdefault(key, ServerShelf(self._libraries))
            shelf.searchable = searchable
            found.append(shelf)
        return found


class ServerShelf:
    """One library on a server. Thread-safe.

    Attributes:
        searchable: its catalogue and subscription of now.
    """

    searchable: Searchable

    def __init__(self, libraries: SharedLibraries) -> None:
        self._libraries = libraries
        self._slow_until = 0.0
        self._words: tuple[Catalogue, frozenset[str], LibraryWords] | None = None
        self._not_live: tuple[Catalogue | None, tuple[str, ...], float] = (None, (), 0.0)

    def view(self, passage_filter: MetadataFilter) -> ServerView | Message | None:
        """Return what a filter passes; None if that is nothing, a sentence if the server is not asked."""
        view = ServerView(self, passage_filter)
        if view.is_empty:
            return None
        refused = self.searchable.refused
        return view if refused is None else _not_searched(view.host, refused)

    def words(self, searchable: Searchable, courses: frozenset[str]) -> LibraryWords:
        """Return the terms of courses of a catalogue; what was looked up of those asked for last is kept."""
        kept = self._words
        if kept is None or kept[0] is not searchable.catalogue or kept[1] != courses:
            words = LibraryWords([searchable.catalogue.words[uid] for uid in courses])
            self._words = kept = (searchable.catalogue, courses, words)
        return kept[2]

    def not_live(self) -> tuple[str, ...]:
        """Return documents that the server has and its catalogue does not list, as it was found lately."""
        catalogue, documents, until = self._not_live
        return documents if catalogue is self.searchable.catalogue and time.monotonic() < until else ()

    def found_not_live(self, documents: set[str]) -> None:
        """Remember documents that the catalogue of now does not list."""
        known = self.not_live()
        until = self._not_live[2] if known else time.monotonic() + _NOT_LIVE
        self._not_live = self.searchable.catalogue, tuple(dict.fromkeys((*documents, *known))), until

    def renew(self, token: CancelToken) -> None:
        """Fetch the catalogue anew, unless that was done a moment ago; raises SharedError."""
        subscription = self.searchable.subscription
        subscription.renew(token)
        same = (one for one in self._libraries.searchable() if one.subscription is subscription)
        self.searchable = next(same, self.searchable)

    def keep(self, found: Sequence[SharedPassage]) -> None:
        """Let passages be at hand for who shows them."""
        self.searchable.subscription.passages.keep(found)
        self.searchable.subscription.worked()

    def may_ask_for_words(self, now: float) -> bool:
        """Return whether looking for words has not been slow, or impossible, of late."""
        return self._slow_until < now

    def words_are_slow(self) -> None:
        """Look for words no more for a while: big libraries of small servers are searched by meaning."""
        self._slow_until = time.monotonic() + _WITHOUT_WORDS

    def fail(self, error: SharedError) -> Message:
        """Note the failure; return a sentence for who searched the server."""
        self.searchable.subscription.failed(error)
        return _not_searched(self.searchable.subscription.address.host, error.message)


class ServerView:
    """What a filter passes of a library on a server. See :class:`app.core.search.shelf.ShelfView`."""

    def __init__(self, shelf: ServerShelf, passage_filter: MetadataFilter) -> None:
        self._shelf = shelf
        self._filter = passage_filter
        self._choose()
        catalogue, courses = self._searchable.catalogue, self._searchable.courses
        self.host = self._searchable.subscription.address.host
        self.passages = sum(catalogue.courses[uid].passages for uid in courses)
        self.searched = self._passing.passages
        self.languages = catalogue.languages
        self.parts_courses = bool(self._passing.parts)

    def _choose(self) -> None:
        """Apply the filter to the catalogue of now."""
        self._searchable = self._shelf.searchable
        catalogue, courses = self._searchable.catalogue, self._searchable.courses
        self._passing = passing(catalogue.courses, courses, self._filter)

    @property
    def is_empty(self) -> bool:
        return not self._passing.uids

    @cached_property
    def terms(self) -> LibraryWords:
        return self._shelf.words(self._searchable, self._searchable.courses)

    @cached_property
    def chosen(self) -> LibraryWords:
        uids = self._passing.uids
        if len(uids) == len(self._searchable.courses):
            return self.terms
        return LibraryWords([self._searchable.catalogue.words[uid] for uid in uids])

    def nearest(self, vector: NDArray[np.float32], token: CancelToken) -> list[Near]:
        """Return those of the passages that come nearest to a vector; see the protocol."""
        with self._noting_failure():
            return self._query(vector, None, token)

    def holding(
        self,
        vector: NDArray[np.float32],
        terms: Sequence[str],
        labels: Sequence[FigureLabel],
        token: CancelToken,
    ) -> list[Near]:
        """Return the nearest of those with one of the terms or figures; see the protocol."""
        words = words_condition(terms, labels, has_accents=not self.languages <= _ENGLISH)
        began = time.monotonic()
        if words is None or not self._shelf.may_ask_for_words(began):
            return []
        done = False
        try:
            found = self._query(vector, words, token)
            done = True
        finally:
            if not done or time.monotonic() > began + _SLOW:
                self._shelf.words_are_slow()
        return found

    def fail(self, reason: Message) -> Message:
        """Note why the library gave nothing; see the protocol."""
        return self._shelf.fail(SharedError(reason, ServerState.AWAY))

    def fetch(self, ids: Sequence[str], token: CancelToken) -> list[ShelfPassage]:
        """Return these passages as they are ranked; see the protocol."""
        with self._noting_failure():
            records = self._searchable.subscription.connection.get(
                CONTENT, ids=ids, documents=True, metadatas=True, cancel=token
            )
        dimension = self._dimension
        decoded = [decode_passage(record, dimension) for record in records]
        live = [each for each in decoded if each is not None and self._is_live(each)]
        self._shelf.keep(live)
        return _made(_ascending(live), self._searchable)

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except SharedError as error:
            raise SharedError(self._shelf.fail(error), error.state) from error

    def _query(
        self, vector: NDArray[np.float32], words: dict[str, Any] | None, token: CancelToken
    ) -> list[Near]:
        """Query the server, and once more if it has documents that its catalogue does not list.

        A publisher may have switched to them since the catalogue was fetched, or be about to; or they are
        what is left of a course that was removed.
        """
        self._dimension = len(vector)
        began = time.monotonic()
        found, strange = self._ask(vector, words, token)
        if strange:
            self._shelf.renew(token)
            self._choose()
            if self._searchable.subscription.checked > began:  # an older catalogue says nothing of them
                self._shelf.found_not_live(strange - self._searchable.catalogue.documents.keys())
            found, _ = self._ask(vector, words, token)
        documents = self._searchable.catalogue.documents
        titles = [documents[_document(record.id)][0].title for record in found]
        terms = hashed_terms([f"{title} {each.document}" for title, each in zip(titles, found, strict=True)])
        return [
            Near(record.id, record.document or "", of_record, 1.0 - (record.distance or 0.0))
            for record, of_record in zip(found, terms, strict=True)
        ]

    def _ask(
        self, vector: NDArray[np.float32], words: dict[str, Any] | None, token: CancelToken
    ) -> tuple[list[Found], set[str]]:
        """Return records that pass, and the documents that nobody knows."""
        condition, is_exact = where(self._passing, self._shelf.not_live())
        records = self._searchable.subscription.connection.query(
            CONTENT, vector, BATCH, where=condition, words=words, metadatas=not is_exact, cancel=token
        )
        documents = self._searchable.catalogue.documents
        found = []
        strange = set()
        for record in records:
            uid = _document(record.id)
            if not _is_whole(record):
                continue
            if uid not in documents:
                strange.add(uid)
            elif documents[uid][0].uid in self._passing.uids and (is_exact or self._passes(record)):
                found.append(record)
        return found, strange - set(self._shelf.not_live())

    def _passes(self, record: Found) -> bool:
        passage = decode_passage(record, self._dimension)
        return passage is not None and self._is_live(passage)

    def _is_live(self, passage: SharedPassage) -> bool:
        known = self._searchable.catalogue.documents.get(passage.document)
        is_same = known is not None and is_listed(passage, *known)
        return is_same and self._passing.has(passage.course, passage.lesson_number)


def _document(record_id: str) -> str:
    """Return the uid of the document that a record is a passage of."""
    return record_id.rpartition("_")[0]


def _is_whole(record: Found) -> bool:
    """Return whether the record of a query has what it must have; nobody knows what a server sends."""
    try:
        checked_text(record.document, TEXT_BYTES)
    except Unusable:
        return False
    return record.distance is not None and -_ROUNDING <= record.distance <= 2 + _ROUNDING


def _ascending(found: Sequence[SharedPassage]) -> list[SharedPassage]:
    """Return passages in the order of their documents, without those that reach back: no window runs so."""
    kept: list[SharedPassage] = []
    for each in sorted(found, key=lambda each: (each.document, each.n)):
        if not kept or kept[-1].document != each.document or kept[-1].spans[-1, 0] <= each.spans[0, 0]:
            kept.append(each)
    return kept


def _made(found: Sequence[SharedPassage], searchable: Searchable) -> list[ShelfPassage]:
    """Return passages of live documents as they are ranked."""
    made, address = [], searchable.subscription.address
    for each in found:
        spans = (each.spans - each.start).tolist()
        pieces = [each.text[start:end] for start, end in spans]
        terms = passage_terms(pieces, each.course_title, each.heading)
        course, document = searchable.catalogue.documents[each.document]
        made.append(
            ShelfPassage(
                chunk=StoredChunk(
                    key=each.n,
                    lesson=each.lesson,
                    start=each.start,
                    text=each.text,
                    pieces=codec.encode_spans(each.spans.tolist()),
                    terms=codec.encode_terms(terms),
                    vectors=each.vectors,
                ),
                document=shared_id(address.key, document.uid),
                path=shared_path(address, document),
                course_title=course.title,
                lesson_number=each.lesson_number,
                lesson_title=each.lesson_title,
                chunk_index=each.chunk_index,
                link=each.link or course.link,
                before=each.before,
                anchors=each.anchors,
            )
        )
    return made


def _not_searched(host: str, reason: Message) -> Message:
    return Message("search.not_shared", server=host, reason=reason)
