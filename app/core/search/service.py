"""The library as it is searched: passages, outlines, scopes and sources."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.search.course_resolver import CourseResolver, Resolution
from app.core.search.lexical import TextIndex
from app.core.search.metadata_filter import MetadataFilter
from app.core.search.retriever import Retriever
from app.core.search.source_text import lesson_text, source_of, source_state
from app.core.search.vectors import StoredVectors
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.scope import Scope
from app.domain.search import SearchResults, are_covered

if TYPE_CHECKING:
    from app.config.settings import CurrentSettings
    from app.core.embedding.embedder import Embedder
    from app.core.ingest.reindex import ReindexService
    from app.core.search.chroma.vector_store import VectorStore
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.domain.courses import Course
    from app.domain.search import SearchHit
    from app.domain.sources import LessonText, Source, SourceState

_HITS_WITHIN_CHARACTERS = 30  # at most, where the length of their text is limited instead


class SearchService:
    """Thread-safe. Searches are exact while Chroma is not open."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        vector_store: VectorStore,
        embedder: Embedder,
        reindex: ReindexService,
        settings: CurrentSettings,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._embedder = embedder
        self._reindex = reindex
        self._settings = settings
        self._resolver = CourseResolver(embedder.embed_query)
        self._retriever = Retriever(
            database, StoredVectors(database), TextIndex(database), vector_store, embedder.embed_query
        )

    def load_vectors(self) -> None:
        """Load the stored vectors now instead of with the first search."""
        self._retriever.load()

    def retrieve(
        self,
        query: str,
        course_name: str | None = None,
        lesson_number: int | None = None,
        scope: Scope | None = None,
        limit: int | None = None,
        max_chars: int | None = None,
    ) -> SearchResults:
        """Find passages in two stages: the course by its name, then its passages.

        Args:
            query: in any words.
            course_name: a title, part of one, initials, or what it is about.
            lesson_number: only this lesson; 0 is a lesson like any other.
            scope: what the user restricted the question to; always enforced.
            limit: passages at most; the setting by default.
            max_chars: instead of passages of the usual size, windows whose texts together stay
                within this many characters.
        """
        titles: tuple[str, ...] | None = None
        message = None
        if course_name is not None and course_name.strip():
            resolution = self._resolve(course_name)
            titles, message = resolution.titles, resolution.message
            if not titles:
                return SearchResults(query, None, (), message)
        settings = self._settings.value
        if limit is None:
            limit = _HITS_WITHIN_CHARACTERS if max_chars is not None else settings.passages_per_search
        chosen = None if titles is None else frozenset(titles)
        passage_filter = MetadataFilter(chosen, lesson_number, scope or Scope())
        while True:
            generation = self._db.meta("generation")
            with self._embedder.searching:
                by_meaning = self._reindex.has_same_model()
                windows = self._retriever.find(
                    query,
                    passage_filter,
                    self._catalog.courses.ids(),
                    limit,
                    passage_size=settings.chunk_size,
                    characters=max_chars,
                    by_meaning=by_meaning,
                )
            hits = self._catalog.passages.hits(windows)
            # A document replaced in between may be found in neither of its versions.
            if hits or generation == self._db.meta("generation"):
                break
        if not hits and message is None:
            message = self._why_nothing(titles, lesson_number)
        # Without vectors the scores come from words alone and say nothing about coverage.
        covered = are_covered(hits) if by_meaning else None
        return SearchResults(
            query, titles[0] if titles and len(titles) == 1 else None, hits, message, covered
        )

    def outline(self, course_name: str, scope: Scope) -> Course | str:
        """Return one course with its lessons, or a sentence saying why not."""
        resolution = self._resolve(course_name)
        if len(resolution.titles) != 1:
            if not resolution.titles:
                return str(resolution.message)
            return f"'{course_name}' fits several courses: {'; '.join(resolution.titles)}. Name one of them."
        title = resolution.titles[0]
        allowed = {*scope.courses, *(course for course, _ in scope.lessons)}
        if allowed and title not in allowed:
            return f"The user restricted this question to: {'; '.join(sorted(allowed))}."
        course = next(course for course in self._catalog.courses.all() if course.title == title)
        last = dict(scope.up_to).get(title)
        if last is None:
            return course
        kept = tuple(item for item in course.lessons if item.number is None or item.number <= last)
        return replace(course, lessons=kept)

    def scope_of(self, course_name: str | None, lesson_number: int | None) -> Scope:
        """Return the scope that a course's name and a lesson's number stand for.

        Raises:
            UserError: no course has this name.
        """
        titles = self._catalog.courses.titles()
        if course_name:
            resolution = self._resolve(course_name)
            if not resolution.titles and resolution.message:
                raise UserError(resolution.message)
            titles = resolution.titles
        if lesson_number is not None:
            return Scope(lessons=tuple((title, lesson_number) for title in titles))
        return Scope(courses=titles if course_name else ())

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return a hit as source ``n``: with its sentences, the file's hash and a reference."""
        return source_of(self._db.connection, n, hit)

    def source_state(self, source: Source) -> SourceState:
        """Return whether the file of a source has changed or left the library since."""
        return source_state(self._db.connection, source)

    def lesson_text(self, source: Source) -> LessonText:
        """Return the text to read a source in: its whole lesson if the library still has it."""
        return lesson_text(self._db.connection, source)

    def _resolve(self, course_name: str) -> Resolution:
        titles = self._catalog.courses.titles()
        with self._embedder.searching:
            vectors = self._catalog.courses.vectors if self._reindex.has_same_model() else None
            return self._resolver.resolve(course_name, titles, vectors)

    def _why_nothing(self, titles: tuple[str, ...] | None, lesson_number: int | None) -> Message:
        if not self._catalog.courses.counts().passages:
            return Message("search.empty_library")
        courses = "; ".join(titles or ())
        if lesson_number is None:
            return (
                Message("search.nothing_in_courses", titles=courses) if courses else Message("search.nothing")
            )
        if not courses:
            return Message("search.nothing_in_lesson", lesson=lesson_number)
        return Message("search.nothing_in_lesson_of_courses", titles=courses, lesson=lesson_number)
