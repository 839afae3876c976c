"""The library as it is searched: passages, outlines, scopes and sources."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.search.choosing import Findings, choose
from app.core.search.coverage import is_covered, is_taught
from app.core.search.filters import MetadataFilter
from app.core.search.lessons import LessonReader, OwnText
from app.core.search.named_places import (
    named_course,
    place_asked_for,
    resolve,
    subject_of_lesson,
    syllabus_words,
)
from app.core.search.remote import CourseText, RemoteCourses, RemoteSearch, hit_of
from app.core.search.retriever import Retriever
from app.core.search.sources import SourceReader
from app.core.search.terms import content_terms
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.scope import Scope, includes
from app.domain.search import LessonDigest, LessonPart, SearchHit, SearchResults, rated
from app.domain.sources import NO_SOURCE, LessonText, Source, SourceState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.config.settings import CurrentSettings
    from app.core.embedding.embedder import Embedder
    from app.core.search.index import SearchIndex
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.domain.courses import Course

_log = logging.getLogger(__name__)

_HITS_WITHIN_CHARACTERS = 30  # at most, where the length of their text is limited instead


class SearchService:
    """Thread-safe.

    ``has_same_model`` tells whether the stored vectors are the embedder's.

    Attributes:
        remote: the courses on servers that are searched beside the own ones; a feature sets them.
    """

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: SearchIndex,
        embedder: Embedder,
        has_same_model: Callable[[], bool],
        settings: CurrentSettings,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._embedder = embedder
        self._has_same_model = has_same_model
        self._settings = settings
        self.remote = RemoteCourses()
        self._sources = SourceReader(database)
        self._lessons = LessonReader(self._text_of)
        self._retriever = Retriever(database, catalog, index, embedder.embed_query)

    def forget(self) -> None:
        """Drop what is cached of the library, because another one has taken its place."""
        self._retriever.forget()

    def retrieve(
        self,
        query: str,
        course_name: str | None = None,
        lesson_number: int | None = None,
        scope: Scope | None = None,
        limit: int | None = None,
        max_chars: int | None = None,
        rewordings: Sequence[str] = (),
        without: str = "",
    ) -> SearchResults:
        """Find passages in two stages: the course by its name, then its passages.

        Args:
            query: in any words.
            course_name: a title, part of one, initials, or what it is about.
            lesson_number: only this lesson; 0 is a lesson like any other.
            scope: what the user restricted the question to; always enforced.
            limit: passages at most; the setting by default.
            max_chars: of all texts together, instead of passages of the usual size.
            rewordings: of the query, and terms that the material may use; found is what fits all of them.
            without: path of a file in which nothing is looked for.
        """
        titles: tuple[str, ...] | None = None
        message = None
        if course_name is not None and course_name.strip():
            titles, message = self._resolve(course_name)
            if not titles:
                return SearchResults(query, None, (), message)
        if limit is None:
            usual = self._settings.value.passages_per_search
            limit = usual if max_chars is None else _HITS_WITHIN_CHARACTERS
        if words := syllabus_words(query):
            rewordings = (*rewordings, words)
            named = named_course(query, self.titles())
            titles = (named,) if titles is None and named else titles
        chosen = None if titles is None else frozenset(titles)
        passage_filter = MetadataFilter(chosen, lesson_number, scope or Scope(), without)
        found, hits = self._look(query, passage_filter, limit, max_chars, rewordings)
        message = message or next(iter(found.problems), None)
        if not hits and message is None:
            message = self._why_nothing(titles, lesson_number)
        title = titles[0] if titles and len(titles) == 1 else None
        evidence = found.evidence
        # Without vectors the scores come from words alone and say nothing about coverage.
        if evidence is None or not hits:
            return SearchResults(query, title, hits, message)
        covered = is_covered(evidence)
        hits = rated(hits, covered=covered, missing=evidence.missing)
        return SearchResults(query, title, hits, message, covered, evidence.missing, is_taught(evidence))

    def _look(
        self,
        query: str,
        passage_filter: MetadataFilter,
        limit: int,
        max_chars: int | None,
        rewordings: Sequence[str],
    ) -> tuple[Findings, tuple[SearchHit, ...]]:
        """Search as asked, and again if the library has changed meanwhile."""
        settings = self._settings.value
        while True:
            generation = self._db.meta("generation")
            scale = self._embedder.scale if self._has_same_model() else None
            asked = self.remote.searches(passage_filter) if scale else ((), ())
            with self._embedder.searching:
                gathered = self._retriever.gather(
                    query, passage_filter, scale=scale, rewordings=rewordings, remote=RemoteSearch(*asked)
                )
            found = choose(gathered, limit, passage_size=settings.chunk_size, characters=max_chars)
            hits = self._hits(found)
            # A document replaced in between may be found in neither of its versions.
            if hits or generation == self._db.meta("generation"):
                return found, hits

    def _hits(self, found: Findings) -> tuple[SearchHit, ...]:
        """Return what was found as hits, without passages that have left the library since."""
        if not found.remote:
            return self._catalog.passages.hits(found.windows)
        hits: list[SearchHit] = []
        for window in found.windows:
            if window.key in found.remote:
                hits.append(hit_of(window, found.remote))
            else:
                hits += self._catalog.passages.hits([window])
        return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))

    def titles(self) -> tuple[str, ...]:
        """Return the titles of all courses in order, the library's own first."""
        return (*self._catalog.courses.titles(), *(course.title for course in self.remote.courses()))

    def courses(self) -> tuple[Course, ...]:
        """Return all courses in order, the library's own first."""
        return (*self._catalog.courses.all(), *self.remote.courses())

    def outline(self, course_name: str, scope: Scope) -> Course | str:
        """Return one course with its lessons, or a sentence saying why not."""
        title, why_none = self._one_course(course_name, scope)
        if title is None:
            return why_none
        course = next((course for course in self.courses() if course.title == title), None)
        if course is None:
            return f"The course {title!r} was removed."
        last = dict(scope.up_to).get(title)
        if last is None:
            return course
        kept = tuple(item for item in course.lessons if item.number is None or item.number <= last)
        return replace(course, lessons=kept)

    def read_lesson(
        self, course_name: str, lesson_number: int | None, part: int, scope: Scope
    ) -> LessonPart | str:
        """Return a part of a lesson, from 1, or of a whole course, or a sentence saying why there is none."""
        title, why_none = self._one_course(course_name, scope)
        if title is None:
            return why_none
        try:
            found = self._lessons.read(title, lesson_number, part, scope)
        except UserError as error:  # a server is away
            return str(error)
        if found.hits:
            return found
        named = f"'{title}'" if lesson_number is None else f"Lesson {lesson_number} of '{title}'"
        if found.parts:
            return f"{named} has {found.parts} part{'s' if found.parts > 1 else ''}."
        return f"{named} has no text that this question may use; the outline lists the lessons."

    def lesson_source(self, course_title: str, number: int | None, title: str, path: str = "") -> Source:
        """Return the beginning of a lesson as it is listed, or of one of its files, to read it from there.

        Raises UserError if it has no text, or its server is away.
        """
        if path:
            passages = self.lesson(course_title, number, title)
            hit = next((one for one in passages if one.path == path), None)
        else:
            hit = self._lessons.beginning(course_title, number, title)
        if hit is None:
            raise UserError(Message("search.lesson_without_text"))
        return self.make_source(NO_SOURCE, hit)

    def source_at(self, hit: SearchHit, position: int) -> Source:
        """Return the passage at a position of a document that has been read again since a hit was found.

        Raises UserError if it has left the library.
        """
        passages = self.lesson(hit.course_title, hit.lesson_number, hit.lesson_title)
        own = [one for one in passages if one.path == hit.path]
        if not own:
            raise UserError(Message("search.lesson_without_text"))
        return self.make_source(NO_SOURCE, next((one for one in own if one.end > position), own[-1]))

    def lesson(self, course_title: str, number: int | None, title: str) -> tuple[SearchHit, ...]:
        """Return the text of a lesson as it is listed, in reading order.

        Raises UserError if its server is away.
        """
        return self._lessons.listed(course_title, number, title)

    def place_asked_for(self, question: str, scope: Scope) -> tuple[str, int | None] | Message | None:
        """Return the course and the lesson that a question asks about as a whole, such as for a summary.

        See :func:`~app.core.search.named_places.place_asked_for`. A lesson on some subject is the first
        whose title names it, or that of the passage which is found first.
        """
        if subject := subject_of_lesson(question):
            asked = content_terms(subject)
            titled = (
                (course.title, lesson.number)
                for course in self._catalog.courses.all()
                for lesson in course.lessons
                if lesson.number is not None
                and includes(scope, course.title, lesson.number)
                and asked <= content_terms(lesson.title)
            )
            if asked and (place := next(titled, None)):
                return place
            found = self.retrieve(subject, scope=scope, limit=1)
            hit = found.hits[0] if found.hits and found.covered else None
            return (hit.course_title, hit.lesson_number) if hit and hit.lesson_number is not None else None
        return place_asked_for(question, scope, self.titles, self._with_lesson)

    def digest(self, course_title: str, lesson_number: int | None, scope: Scope) -> LessonDigest | None:
        """Return a lesson, or a whole course, in a few of its own sentences.

        None if it has none in the scope, or its server is away.
        """
        try:
            return self._lessons.digest(course_title, lesson_number, scope)
        except UserError as error:
            _log.info("There is no digest: %s", error)
            return None

    def whole(self, scope: Scope, characters: int) -> tuple[SearchHit, ...]:
        """Return all text that a question is restricted to, in reading order.

        None of it if the question is not restricted, or there are more characters than given.
        """
        if scope.is_everything:
            return ()
        named = {*scope.courses, *(title for title, _ in scope.lessons)}
        titles = [title for title in self.titles() if not named or title in named]
        # What is elsewhere is fetched only if it may all be sent.
        if self.remote.characters(titles, scope) > characters:
            return ()
        try:
            return self._lessons.whole(titles, scope, characters)
        except UserError as error:
            _log.info("Not all of the scope can be sent along: %s", error)
            return ()

    def scope_of(self, course_name: str | None, lesson_number: int | None) -> Scope:
        """Return the scope of a course's name and a lesson's number; raises UserError for an unknown name."""
        titles = self.titles()
        if course_name:
            titles, message = self._resolve(course_name)
            if not titles and message:
                raise UserError(message)
        if lesson_number is not None:
            return Scope(lessons=tuple((title, lesson_number) for title in titles))
        return Scope(courses=titles if course_name else ())

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return a hit as source ``n``; raises KeyError if the document has left the library."""
        holder = self.remote if hit.document_id < 0 else self._sources
        return holder.make_source(n, hit)

    def source_of(self, hit: SearchHit) -> Source | None:
        """Return a hit as the only source; None if its document has left the library."""
        try:
            return self.make_source(1, hit)
        except KeyError:
            return None

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        """Return a course's outline as source ``n``, one sentence a line.

        Raises KeyError if the course's file has left the library.
        """
        holder = self.remote if course.server else self._sources
        return holder.make_outline_source(n, course, text)

    def source_state(self, source: Source) -> SourceState:
        """Return how a source stands to the current library; no file is looked at, and no server asked."""
        if source.hit.document_id < 0:
            state = self.remote.source_state(source)
            if state is not SourceState.REMOVED:
                return state
        return self._sources.source_state(source)

    def lesson_text(self, source: Source, cited: tuple[int, int] | None = None) -> LessonText:
        """Return the whole lesson a source is from, or the whole document where no lesson contains it.

        If the cited text is in the trash, or gone since the file was read again with other content, only the
        passage is left, which every source keeps. If the sentence ``cited`` is in a current document, return
        its text, counted so that the sentence has its place.
        """
        found = self.remote.lesson_text(source) if source.hit.document_id < 0 else None
        return found or self._sources.lesson_text(source, cited)

    def _text_of(self, title: str) -> CourseText:
        return self.remote.text_of(title) or OwnText(self._catalog, title)

    def _with_lesson(self, number: int) -> tuple[str, ...]:
        """Return the titles of the courses that have a lesson of this number."""
        others = self.remote.courses()
        found = [one.title for one in others if any(lesson.number == number for lesson in one.lessons)]
        return (*self._catalog.courses.with_lesson(number), *found)

    def _one_course(self, course_name: str, scope: Scope) -> tuple[str | None, str]:
        """Return the title of the one course in a scope that a name means, or why there is none."""
        titles, message = self._resolve(course_name)
        if not titles:
            return None, str(message)
        if len(titles) > 1:
            return None, f"'{course_name}' fits several courses: {'; '.join(titles)}. Name one of them."
        allowed = {*scope.courses, *(course for course, _ in scope.lessons)}
        if allowed and titles[0] not in allowed:
            return None, f"The user restricted this question to: {'; '.join(sorted(allowed))}."
        return titles[0], ""

    def _resolve(self, course_name: str) -> tuple[tuple[str, ...], Message | None]:
        with self._embedder.searching:
            return resolve(course_name, self.titles(), self._title_vectors, self._embedder.likeness_to)

    def _title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        own = self._catalog.courses.vectors() if self._has_same_model() else {}
        return {**self.remote.title_vectors(), **own}

    def _why_nothing(self, titles: tuple[str, ...] | None, lesson_number: int | None) -> Message:
        if not self._catalog.courses.counts().passages and not self.remote.courses():
            return Message("search.empty_library")
        courses = "; ".join(titles or ())
        if lesson_number is None:
            if not courses:
                return Message("search.nothing")
            return Message("search.nothing_in_courses", titles=courses)
        if not courses:
            return Message("search.nothing_in_lesson", lesson=lesson_number)
        return Message("search.nothing_in_lesson_of_courses", titles=courses, lesson=lesson_number)
