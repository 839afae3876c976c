"""The library as it is searched: passages, outlines, scopes and sources."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.documents.recordings import begins_as_recording, find_recording
from app.core.search.choosing import choose
from app.core.search.course_resolver import resolve
from app.core.search.coverage import is_covered, is_taught
from app.core.search.lessons import LessonReader
from app.core.search.named_places import asks_for_all, courses_of_lesson, named_course, named_lesson
from app.core.search.retriever import Retriever
from app.core.search.shelf import hit_of
from app.core.search.vectors import MetadataFilter
from app.core.storage.codec import decode_spans
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.pages import PageStart
from app.domain.recordings import Cue, Recording
from app.domain.scope import Scope, includes
from app.domain.search import LessonDigest, LessonPart, SearchHit, SearchResults, rated
from app.domain.sources import NO_SOURCE, OUTLINE, LessonText, Source, SourceState

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from app.config.settings import CurrentSettings
    from app.core.embedding.embedder import Embedder
    from app.core.embedding.reranker import Reranker
    from app.core.ingest.reindex import ReindexService
    from app.core.search.choosing import Findings
    from app.core.search.chroma.vector_store import VectorStore
    from app.core.search.shelf import Shelf
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.domain.courses import Course

_HITS_WITHIN_CHARACTERS = 30  # at most, where the length of their text is limited instead


class SearchService:
    """Thread-safe. Searches are exact while Chroma is not open.

    ``shelves`` gives the libraries on servers that are searched beside the own one.
    """

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        vector_store: VectorStore,
        embedder: Embedder,
        reindex: ReindexService,
        settings: CurrentSettings,
        reranker: Reranker,
        shelves: Callable[[], Sequence[Shelf]] = tuple,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._embedder = embedder
        self._reindex = reindex
        self._settings = settings
        self._reranker = reranker
        self._lessons = LessonReader(catalog)
        self._retriever = Retriever(database, vector_store, embedder.embed_query, shelves)

    def forget(self) -> None:
        """Forget what was read of the library, because another one has taken its place."""
        self._retriever.forget()

    def load_vectors(self) -> None:
        """Load the stored vectors now instead of with the first search."""
        self._retriever.vectors.current()

    def retrieve(
        self,
        query: str,
        course_name: str | None = None,
        lesson_number: int | None = None,
        scope: Scope | None = None,
        limit: int | None = None,
        max_chars: int | None = None,
        rewordings: Sequence[str] = (),
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
        """
        titles: tuple[str, ...] | None = None
        message = None
        if course_name is not None and course_name.strip():
            titles, message = self._resolve(course_name)
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
                scale = self._embedder.scale if self._reindex.has_same_model() else None
                gathered = self._retriever.gather(
                    query, passage_filter, self._catalog.courses.ids(), scale=scale, rewordings=rewordings
                )
            found = choose(
                gathered,
                limit,
                passage_size=settings.chunk_size,
                characters=max_chars,
                scores=self._reranker.scores if settings.reranking_model else None,
            )
            hits = self._hits(found)
            # A document replaced in between may be found in neither of its versions.
            if hits or generation == self._db.meta("generation"):
                break
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

    def _hits(self, found: Findings) -> tuple[SearchHit, ...]:
        """Return what was found as hits, without passages that have left the library since."""
        if not found.shared:
            return self._catalog.passages.hits(found.windows)
        hits: list[SearchHit] = []
        for window in found.windows:
            if window.key in found.shared:
                hits.append(hit_of(window, found.shared))
            else:
                hits += self._catalog.passages.hits([window])
        return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))

    def titles(self) -> tuple[str, ...]:
        """Return the titles of all courses, in order."""
        return self._catalog.courses.titles()

    def outline(self, course_name: str, scope: Scope) -> Course | str:
        """Return one course with its lessons, or a sentence saying why not."""
        title, why_none = self._one_course(course_name, scope)
        if title is None:
            return why_none
        course = next(course for course in self._catalog.courses.all() if course.title == title)
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
        found = self._lessons.read(title, lesson_number, part, scope)
        if found.hits:
            return found
        named = f"'{title}'" if lesson_number is None else f"Lesson {lesson_number} of '{title}'"
        if found.parts:
            return f"{named} has {found.parts} part{'s' if found.parts > 1 else ''}."
        return f"{named} has no text that this question may use; the outline lists the lessons."

    def lesson_source(self, course_title: str, number: int | None, title: str) -> Source:
        """Return the beginning of a lesson as it is listed, to read it from there.

        Raises UserError if it has no text.
        """
        hit = self._lessons.beginning(course_title, number, title)
        if hit is None:
            raise UserError(Message("search.lesson_without_text"))
        return self.make_source(NO_SOURCE, hit)

    def place_asked_for(self, question: str, scope: Scope) -> tuple[str, int | None] | Message | None:
        """Return the course and the lesson of which a question asks for all, such as for a summary.

        The lesson is None if that is the whole course. A message says that several lessons can be meant; None
        that the question asks for something else, or names no place where the scope has not one either.
        """
        if not asks_for_all(question):
            return None
        number = named_lesson(question)
        course = named_course(question, self._catalog.courses.titles())
        if number is None and course is not None:
            return course, None
        if number is None:
            named = scope.lessons or tuple((title, None) for title in scope.courses)
            both = bool(scope.lessons and scope.courses)
            return named[0] if len(named) == 1 and not both else None
        titles = (course,) if course else self._catalog.courses.with_lesson(number)
        titles = tuple(title for title in titles if includes(scope, title, number))
        if len(titles) > 1:
            titles = tuple(courses_of_lesson(question, titles)) or titles
        if len(titles) > 1:
            return Message("search.several_lessons", lesson=number, titles="; ".join(titles))
        return (titles[0], number) if titles else None

    def digest(self, course_title: str, lesson_number: int | None, scope: Scope) -> LessonDigest | None:
        """Return a lesson, or a whole course, in a few of its own sentences; None if it has none in scope."""
        return self._lessons.digest(course_title, lesson_number, scope)

    def whole(self, scope: Scope, characters: int) -> tuple[SearchHit, ...]:
        """Return all text that a question is restricted to, in reading order.

        None of it if the question is not restricted, or there are more characters than given.
        """
        return () if scope.is_everything else self._lessons.whole(scope, characters)

    def scope_of(self, course_name: str | None, lesson_number: int | None) -> Scope:
        """Return the scope of a course's name and a lesson's number; raises UserError for an unknown name."""
        titles = self._catalog.courses.titles()
        if course_name:
            titles, message = self._resolve(course_name)
            if not titles and message:
                raise UserError(message)
        if lesson_number is not None:
            return Scope(lessons=tuple((title, lesson_number) for title in titles))
        return Scope(courses=titles if course_name else ())

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return a hit as source ``n``; raises KeyError if the document has left the library."""
        # Without its text: a book's takes longer to read than the rest of a search.
        row = self._db.connection.execute(
            "SELECT sha256, sentences FROM documents WHERE id = ?", (hit.document_id,)
        ).fetchone()
        if row is None:
            raise KeyError(hit.document_id)
        spans = decode_spans(row["sentences"])
        inside = spans[(spans[:, 0] < hit.end) & (spans[:, 1] > hit.start)].clip(hit.start, hit.end)
        sentences = tuple((start, end) for start, end in inside.tolist())
        return Source(n, f"lectern:{hit.document_id}:{hit.start}-{hit.end}", hit, sentences, row["sha256"])

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        """Return a course's outline as source ``n``, one sentence a line.

        Raises KeyError if the course's file has left the library.
        """
        row = self._db.connection.execute(
            "SELECT id, sha256 FROM documents WHERE path = ? AND trashed_at IS NULL", course.files[:1]
        ).fetchone()
        if row is None:
            raise KeyError(course.title)
        hit = SearchHit(
            rank=1,
            score=1.0,
            course_title=course.title,
            lesson_number=None,
            lesson_title="Outline",
            chunk_index=OUTLINE,
            text=text,
            path=course.files[0],
            start=0,
            end=len(text),
            anchor=None,
            link=course.link,
            document_id=row["id"],
        )
        lines = tuple(found.span() for found in re.finditer(r"[^\n]+", text))
        return Source(n, f"lectern:outline:{row['id']}", hit, lines, row["sha256"])

    def source_state(self, source: Source) -> SourceState:
        """Return how a source stands to the library of now; files are not looked at."""
        return self._find(source)[0]

    def lesson_text(self, source: Source, cited: tuple[int, int] | None = None) -> LessonText:
        """Return the whole lesson a source is from, or the whole document where no lesson contains it.

        The cited text may lie in the trash, or be gone since the file was read again with other content.
        Then only the passage is left, which every source keeps. Where the sentence ``cited`` stands in a
        document of now, that is the text, counted so that this sentence has its place.
        """
        hit = source.hit
        state, row = self._find(source)
        if state is not SourceState.CURRENT and cited is not None and (now := self._followed(source, cited)):
            state, row = SourceState.CURRENT, now
            hit = replace(hit, start=cited[0], end=cited[1], text=source.text(*cited))
        path = row["path"] if row is not None else source.hit.path
        text, start, is_whole = source.hit.text, source.hit.start, False
        pages: tuple[PageStart, ...] = ()
        recording = None
        slides: tuple[PageStart, ...] = ()
        if (
            row is not None
            and (state is SourceState.CURRENT or row["sha256"] == source.document_sha256)
            and (moved := self._moved(row["id"], hit)) is not None
        ):
            stored = self._db.connection.execute(
                """SELECT ifnull(l.start, 0) AS start,
                          substr(text, ifnull(l.start, 0) + 1, ifnull("end" - l.start, length(text))) AS text
                   FROM documents AS d LEFT JOIN lessons AS l
                   ON l.document_id = d.id AND l.start <= ? AND "end" >= ?
                   WHERE d.id = ? ORDER BY position LIMIT 1""",
                (hit.start + moved, hit.end + moved, row["id"]),
            ).fetchone()
            text, start, is_whole = stored["text"], stored["start"] - moved, True
            pages = self._starts(row["id"], moved, "page", "scan")
            slides = self._starts(row["id"], moved, "slide", "slide_scan")
            recording = self._recording(row["id"], path, moved)
        exists = os.path.isfile(path)
        return LessonText(source, state, text, start, is_whole, path, exists, pages, recording, slides)

    def _moved(self, document_id: int, hit: SearchHit) -> int | None:
        """Return how far a passage has moved in its document; None if it is not there any more.

        The same bytes may have been read in another way, or a scanned page before it recognized.
        """
        row = self._db.connection.execute(
            """SELECT CASE WHEN substr(text, :start + 1, length(:text)) = :text THEN :start
                      ELSE instr(text, :text) - 1 END AS start FROM documents WHERE id = :id""",
            {"id": document_id, "start": hit.start, "text": hit.text},
        ).fetchone()
        return None if row["start"] < 0 else row["start"] - hit.start

    def _starts(self, document_id: int, moved: int, *kinds: str) -> tuple[PageStart, ...]:
        """Return where the text of each page or slide begins."""
        rows = self._db.connection.execute(
            "SELECT start, value FROM anchors WHERE document_id = ? AND kind IN (?, ?) ORDER BY start",
            (document_id, *kinds),
        )
        return tuple(PageStart(row["start"] - moved, int(row["value"])) for row in rows)

    def _recording(self, document_id: int, path: str, moved: int) -> Recording | None:
        """Return the recording beside a document with times, if there is one now."""
        rows = self._db.connection.execute(
            "SELECT start, value FROM anchors WHERE document_id = ? AND kind = 'seconds' ORDER BY start",
            (document_id,),
        )
        cues = tuple(Cue(row["start"] - moved, float(row["value"])) for row in rows)
        beside = find_recording(path) if cues else None
        return Recording(beside, begins_as_recording(beside), cues) if beside else None

    def _find(self, source: Source) -> tuple[SourceState, sqlite3.Row | None]:
        """Return a source's state, and its document or the one that replaced it."""
        sha256, path = source.document_sha256, source.hit.path
        rows = self._db.connection.execute(
            """SELECT id, path, sha256, trashed_at IS NOT NULL AS trashed FROM documents
               WHERE sha256 = :sha256 OR path = :path
               ORDER BY trashed, id <> :id, path <> :path, id""",
            {"id": source.hit.document_id, "sha256": sha256, "path": path},
        ).fetchall()
        same = next((row for row in rows if row["sha256"] == sha256), None)
        if same is not None and not same["trashed"]:
            return SourceState.CURRENT, same
        for row in rows:  # not by key, which a later document may have
            if not row["trashed"] and row["path"] == path:
                if self._moved(row["id"], source.hit) is not None:  # it changed elsewhere
                    return SourceState.CURRENT, row
                return SourceState.CHANGED, row if same is None else same
        return SourceState.REMOVED, same

    def _followed(self, source: Source, cited: tuple[int, int]) -> sqlite3.Row | None:
        """Return the document in which a cited sentence was found after its own had changed."""
        row: sqlite3.Row | None = self._db.connection.execute(
            """SELECT d.id, d.path, d.sha256 FROM sources AS s JOIN citations AS c
               ON c.exchange_id = s.exchange_id AND c.source_n = s.n AND c.start = ? AND c."end" = ?
               JOIN citation_places AS p ON p.exchange_id = c.exchange_id AND p.position = c.position
               JOIN documents AS d ON d.id = p.document_id AND d.trashed_at IS NULL
               WHERE s.document_id = ? AND s.document_sha256 = ? AND p.state = 'current' LIMIT 1""",
            (*cited, source.hit.document_id, source.document_sha256),
        ).fetchone()
        return row

    def _one_course(self, course_name: str, scope: Scope) -> tuple[str | None, str]:
        """Return the title of the one course in a scope that a name stands for, or why there is none."""
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
        titles = self._catalog.courses.titles()
        with self._embedder.searching:
            vectors = self._catalog.courses.vectors if self._reindex.has_same_model() else dict
            return resolve(course_name, titles, vectors, self._embedder.likeness_to)

    def _why_nothing(self, titles: tuple[str, ...] | None, lesson_number: int | None) -> Message:
        if not self._catalog.courses.counts().passages:
            return Message("search.empty_library")
        courses = "; ".join(titles or ())
        if lesson_number is None:
            if not courses:
                return Message("search.nothing")
            return Message("search.nothing_in_courses", titles=courses)
        if not courses:
            return Message("search.nothing_in_lesson", lesson=lesson_number)
        return Message("search.nothing_in_lesson_of_courses", titles=courses, lesson=lesson_number)
