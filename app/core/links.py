"""Finds the place of the library that a link leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.core.search.ranking import Window
from app.core.storage.codec import decode_spans
from app.core.study.alignment import Version, folded
from app.domain.errors import UserError
from app.domain.file_paths import base_name
from app.domain.links import LessonLink, PlaceLink, parse_link
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.stale import QuotePlace

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from app.core.search.service import SearchService
    from app.core.storage.database import Database
    from app.core.storage.passages import PassageRepository
    from app.domain.courses import Course

_MOST_DOCUMENTS = 8  # whose text is read for one link
_SHOWN_AS = 1  # number of the source


class _Document(NamedTuple):
    document_id: int
    is_same: bool  # its file has the content that the link names


class LinkFinder:
    """Thread-safe; only reads."""

    def __init__(
        self,
        database: Database,
        passages: PassageRepository,
        search: SearchService,
        courses: Callable[[], Sequence[Course]],
    ) -> None:
        self._db = database
        self._passages = passages
        self._search = search
        self._courses = courses

    def find(self, text: str) -> QuotePlace:
        """Return the place that a link leads to, also where its text has moved within its course.

        Raises:
            UserError: it is no link, or leads to what the library does not have.
        """
        link = parse_link(text)
        if isinstance(link, LessonLink):
            if title := self._listed(link):
                beginning = self._search.lesson_source(link.course, link.number, *title)
                return QuotePlace(beginning, beginning.hit.start, beginning.hit.start)
            raise _not_here(link.course)
        for document in self._candidates(link):
            if place := self._place_in(document, link):
                return place
        raise _not_here(link.course)

    def _listed(self, link: LessonLink) -> tuple[str] | None:
        """Return the title, which may be empty, of the lesson as it is listed."""
        lessons = (course.lessons for course in self._courses() if course.title == link.course)
        for lesson in next(lessons, ()):
            if lesson.number == link.number and link.title in ("", lesson.title):
                return (lesson.title,)
        return None

    def _candidates(self, link: PlaceLink) -> list[_Document]:
        """Return the documents that may have the place, likeliest first: by content, name and course."""
        rows = self._db.connection.execute(
            """SELECT d.id, d.path, d.sha256, c.title FROM documents AS d
               JOIN courses AS c ON c.id = d.course_id WHERE d.trashed_at IS NULL ORDER BY d.id"""
        )
        found = []
        for row in rows:
            same = bool(link.digest) and row["sha256"].startswith(link.digest)
            named = bool(link.name) and base_name(row["path"]) == link.name
            within = row["title"] == link.course
            # Without words, another content says nothing of the place.
            if same or (link.words and (named or within)):
                found.append(((not same, not (named and within), not within), _Document(row["id"], same)))
        return [document for _, document in sorted(found)[:_MOST_DOCUMENTS]]

    def _place_in(self, document: _Document, link: PlaceLink) -> QuotePlace | None:
        row = self._db.connection.execute(
            "SELECT text, sentences FROM documents WHERE id = ?", (document.document_id,)
        ).fetchone()
        if row is None:  # removed meanwhile
            return None
        version = Version(row["text"], [(a, b) for a, b in decode_spans(row["sentences"]).tolist()])
        span = _span_in(version, link)
        passage = span and self._passage(document.document_id, span[0])
        if not span or not passage:
            return None
        start, end = min(passage["start"], span[0]), max(passage["end"], span[1])
        hits = self._passages.hits([Window(passage["id"], start, end, 1.0, span[0])])
        try:
            return QuotePlace(self._search.make_source(_SHOWN_AS, hits[0]), *span) if hits else None
        except KeyError:  # removed meanwhile
            return None

    def _passage(self, document_id: int, start: int) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._db.connection.execute(
            """SELECT id, start, "end" FROM chunks WHERE document_id = ?1
               ORDER BY start > ?2, abs(start - ?2) LIMIT 1""",
            (document_id, start),
        ).fetchone()
        return row


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
