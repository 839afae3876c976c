"""Finds the place of the library that a link leads to."""

from collections.abc import Callable

from app.core.documents.text.alignment import Version, comparable
from app.core.search.service import SearchService
from app.core.storage.database import Database
from app.core.storage.documents import DocumentTexts
from app.core.storage.passages import PassageRepository
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.file_paths import base_name
from app.domain.links import LessonLink, PlaceLink, as_in_link, parse_link
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.scope import Scope
from app.domain.search import Window
from app.domain.sources import QuotePlace

_MOST_DOCUMENTS = 8  # whose text is read for one link
_MOST_PASSAGES = 10  # of a course on a server, in which its words are looked for


class LinkFinder:
    """Thread-safe; only reads.

    Args:
        database: the library.
        passages: its passages.
        search: lists all courses, and finds passages of those on servers, too.
        prepare: waits until passages can be searched for.
    """

    def __init__(
        self,
        database: Database,
        passages: PassageRepository,
        search: SearchService,
        prepare: Callable[[CancelToken], None],
    ) -> None:
        self._rows = DocumentTexts(database)
        self._passages = passages
        self._search = search
        self._prepare = prepare

    def find(self, text: str, token: CancelToken | None = None) -> QuotePlace:
        """Return the place that a link leads to, even if its text has moved within its course.

        May ask a server. ``token`` stops waiting for the embedding model, which that needs.

        Raises:
            UserError: it is no link, or leads to what neither the library nor a server has.
            Cancelled: by the token.
        """
        link = parse_link(text)
        if isinstance(link, LessonLink):
            if named := self._listed(link):
                beginning = self._search.lesson_source(*named)
                return QuotePlace(beginning, beginning.hit.start, beginning.hit.start)
            raise _not_here(link.course)
        for document_id in self._candidates(link):
            if place := self._place_in(document_id, link):
                return place
        if place := self._place_on_server(link, token or CancelToken()):
            return place
        raise _not_here(link.course)

    def _listed(self, link: LessonLink) -> tuple[str, int | None, str] | None:
        """Return the course, number and title, which may be empty, of the lesson as it is listed.

        A number that no other lesson of the course has is enough, also if the title has changed.
        """
        for course in self._search.courses():
            if as_in_link(course.title) == link.course:
                lessons = [lesson for lesson in course.lessons if lesson.number == link.number]
                titled = [lesson for lesson in lessons if link.title in ("", as_in_link(lesson.title))]
                if not titled and link.number is not None and len(lessons) == 1:
                    titled = lessons
                if titled:
                    return course.title, link.number, titled[0].title
        return None

    def _candidates(self, link: PlaceLink) -> list[int]:
        """Return the documents that may have the place: of the same content, of that name, with its words."""
        found: list[tuple[bool, bool, int]] = []
        for document in self._rows.live():
            same = bool(link.digest) and document.sha256.startswith(link.digest)
            # Without words, another content says nothing of the place.
            named = bool(link.words and link.name) and base_name(document.path) == link.name
            if same or named:
                found.append((not same, document.course != link.course, document.document_id))
        likely = [document_id for *_, document_id in sorted(found)[:_MOST_DOCUMENTS]]
        with_words = self._rows.documents_with(link.words, link.course) if link.words else []
        return list(dict.fromkeys((*likely, *with_words)))

    def _place_in(self, document_id: int, link: PlaceLink) -> QuotePlace | None:
        try:
            span = _span_in(Version(*self._rows.text(document_id)), link)
            if span is None:
                return None
            key, start, end = self._rows.passage_at(document_id, span[0])
        except KeyError:  # removed meanwhile
            return None
        hits = self._passages.hits([Window(key, min(start, span[0]), max(end, span[1]), 1.0, span[0])])
        source = self._search.source_of(hits[0]) if hits else None
        return QuotePlace(source, *span) if source else None

    def _place_on_server(self, link: PlaceLink, token: CancelToken) -> QuotePlace | None:
        """Look for the words in a course on a server, whose text is not here."""
        named = next((course for course in self._search.courses() if course.title == link.course), None)
        if named is None or not named.server or not link.words:
            return None
        self._prepare(token)
        scope = Scope(courses=(named.title,))
        for hit in self._search.retrieve(link.words, scope=scope, limit=_MOST_PASSAGES).hits:
            if (source := self._search.source_of(hit)) is None:  # removed meanwhile
                continue
            first = hit.start
            version = Version(hit.text, [(start - first, end - first) for start, end in source.sentences])
            here = link._replace(place=_moved(link.place, -first))
            if span := _span_in(version, here):
                return QuotePlace(source, span[0] + first, span[1] + first)
        return None


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
    if said.strip() and comparable(said).startswith(comparable(link.words)):
        return start, min(end, len(version.text))
    if not link.words:
        return None if link.place else next(iter(version.sentences), None)
    found = version.find(link.words, start)
    if found is None:
        return None
    ends = (last for first, last in version.sentences if first < found[1] <= last)
    return found[0], next(ends, found[1])
