"""Finds the place of the library that a link leads to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.search.ranking import Window
from app.core.storage.codec import decode_spans
from app.core.storage.stale import StaleRepository
from app.core.study.alignment import Version, folded
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.file_paths import base_name
from app.domain.links import LessonLink, PlaceLink, parse_link
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.scope import Scope
from app.domain.stale import QuotePlace

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from app.core.search.service import SearchService
    from app.core.storage.database import Database
    from app.core.storage.passages import PassageRepository
    from app.domain.courses import Course

_MOST_DOCUMENTS = 8  # whose text is read for one link
_MOST_PASSAGES = 10  # of a course on a server, in which its words are looked for
_SHOWN_AS = 1  # number of the source


class LinkFinder:
    """Thread-safe; only reads.

    Args:
        database: the library.
        passages: its passages.
        search: finds passages of courses on servers, too.
        courses: lists all courses, those on servers last.
        prepare: waits until passages can be searched for.
    """

    def __init__(
        self,
        database: Database,
        passages: PassageRepository,
        search: SearchService,
        courses: Callable[[], Sequence[Course]],
        prepare: Callable[[CancelToken], None],
    ) -> None:
        self._db = database
        self._rows = StaleRepository(database)
        self._passages = passages
        self._search = search
        self._courses = courses
        self._prepare = prepare

    def find(self, text: str, token: CancelToken | None = None) -> QuotePlace:
        """Return the place that a link leads to, also where its text has moved within its course.

        May ask a server. ``token`` stops waiting for the embedding model, which that needs.

        Raises:
            UserError: it is no link, or leads to what neither the library nor a server has.
            Cancelled: by the token.
        """
        link = parse_link(text)
        if isinstance(link, LessonLink):
            if title := self._listed(link):
                beginning = self._search.lesson_source(link.course, link.number, *title)
                return QuotePlace(beginning, beginning.hit.start, beginning.hit.start)
            raise _not_here(link.course)
        for document_id in self._candidates(link):
            if place := self._place_in(document_id, link):
                return place
        if place := self._place_on_server(link, token or CancelToken()):
            return place
        raise _not_here(link.course)

    def _listed(self, link: LessonLink) -> tuple[str] | None:
        """Return the title, which may be empty, of the lesson as it is listed."""
        lessons = (course.lessons for course in self._courses() if course.title == link.course)
        for lesson in next(lessons, ()):
            if lesson.number == link.number and link.title in ("", lesson.title):
                return (lesson.title,)
        return None

    def _candidates(self, link: PlaceLink) -> list[int]:
        """Return the documents that may have the place: of the same content, of that name, with its words."""
        rows = self._db.connection.execute(
            """SELECT d.id, d.path, d.sha256, c.title FROM documents AS d
               JOIN courses AS c ON c.id = d.course_id WHERE d.trashed_at IS NULL ORDER BY d.id"""
        )
        found: list[tuple[bool, bool, int]] = []
        for row in rows:
            same = bool(link.digest) and row["sha256"].startswith(link.digest)
            # Without words, another content says nothing of the place.
            named = bool(link.words and link.name) and base_name(row["path"]) == link.name
            if same or named:
                found.append((not same, row["title"] != link.course, row["id"]))
        likely = [document_id for *_, document_id in sorted(found)[:_MOST_DOCUMENTS]]
        with_words = self._rows.documents_with(link.words, link.course) if link.words else []
        return list(dict.fromkeys((*likely, *with_words)))

    def _place_in(self, document_id: int, link: PlaceLink) -> QuotePlace | None:
        row = self._db.connection.execute(
            "SELECT text, sentences FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        if row is None:  # removed meanwhile
            return None
        version = Version(row["text"], [(a, b) for a, b in decode_spans(row["sentences"]).tolist()])
        span = _span_in(version, link)
        passage = span and self._passage(document_id, span[0])
        if not span or not passage:
            return None
        start, end = min(passage["start"], span[0]), max(passage["end"], span[1])
        hits = self._passages.hits([Window(passage["id"], start, end, 1.0, span[0])])
        try:
            return QuotePlace(self._search.make_source(_SHOWN_AS, hits[0]), *span) if hits else None
        except KeyError:  # removed meanwhile
            return None

    def _place_on_server(self, link: PlaceLink, token: CancelToken) -> QuotePlace | None:
        """Look for the words in a course on a server, whose text is not here."""
        named = next((course for course in self._courses() if course.title == link.course), None)
        if named is None or not named.server or not link.words:
            return None
        self._prepare(token)
        scope = Scope(courses=(named.title,))
        for hit in self._search.retrieve(link.words, scope=scope, limit=_MOST_PASSAGES).hits:
            try:
                source = self._search.make_source(_SHOWN_AS, hit)
            except KeyError:  # removed meanwhile
                continue
            first = hit.start
            version = Version(hit.text, [(start - first, end - first) for start, end in source.sentences])
            here = replace(link, place=_moved(link.place, -first))
            if span := _span_in(version, here):
                return QuotePlace(source, span[0] + first, span[1] + first)
        return None

    def _passage(self, document_id: int, start: int) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._db.connection.execute(
            """SELECT id, start, "end" FROM chunks WHERE document_id = ?1
               ORDER BY start > ?2, abs(start - ?2) LIMIT 1""",
            (document_id, start),
        ).fetchone()
        return row


def _moved(place: tuple[int, int] | None, by: int) -> tuple[int, int] | None:
    """Return a place counted from elsewhere; None if it lies before that."""
    return (place[0] + by, place[1] + by) if place and place[0] + by >= 0 else None


def _not_here(course: str) -> UserError:
    if course:
        return UserError(Message("links.not_here_in_course", course=harmless(course)))
    return UserError(Message("links.not_here"))


def _span_in(version: Version, link: PlaceLink) -> tuple[int, int] | None:
    """Return where the place stands now: as the link says, or where its words have gone."""
    start, end = link.place or (0, 0)
    said = version.text[start:end]
    if said.strip() and folded(said).startswith(folded(link.words)):
        return start, min(end, len(version.text))
    if not link.words:
        return None if link.place else next(iter(version.sentences), None)
    found = version.find(link.words, start)
    if found is None:
        return None
    ends = (last for first, last in version.sentences if first < found[1] <= last)
    return found[0], next(ends, found[1])
