"""A library in memory: a few documents, searched by the words they share with the query."""

from __future__ import annotations

import hashlib
import re
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.courses import Course, LessonInfo
from app.domain.errors import LibraryUnusable
from app.domain.messages import Message
from app.domain.search import LessonPart, SearchHit, SearchResults
from app.domain.sources import OUTLINE, Source, SourceState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.scope import Scope

CACHING = (
    "Prompt caching stores the beginning of a prompt on the server. "
    "A cached prompt is read at a tenth of the usual price. "
    "The cache lives for five minutes after each use."
)
TOOLS = "A tool is described by a name and a schema. The model asks for a call, the program runs it."
OPENING = "Welcome to the course about computer use. It has two lessons."
INK = "Iron gall ink was made from oak galls. It darkens as it dries."


@dataclass(frozen=True)
class Passage:
    """One passage of the library: a document of its own."""

    course: str
    lesson: int | None
    text: str


DEFAULT_PASSAGES = (
    Passage("Computer Use", 0, OPENING),
    Passage("Computer Use", 1, CACHING),
    Passage("Computer Use", 2, TOOLS),
    Passage("History of Writing", 1, INK),
)


class SmallLibrary:
    """Implements what answering needs of a library.

    Attributes:
        passages: documents by their id.
        searches: the arguments of every search, in order.
        entered: is set when a search begins.
        may_finish: a search waits for it; set unless a test clears it.
    """

    def __init__(self, *passages: Passage) -> None:
        self.passages = dict(enumerate(passages or DEFAULT_PASSAGES, 1))
        self.searches: list[tuple[str, str | None, int | None]] = []
        self.entered = threading.Event()
        self.may_finish = threading.Event()
        self.may_finish.set()

    @property
    def searches_by_model(self) -> list[tuple[str, str | None, int | None]]:
        """The searches after the one that Lectern makes itself for every question."""
        return self.searches[1:]

    def retrieve(
        self,
        query: str,
        course_name: str | None,
        lesson_number: int | None,
        scope: Scope,
        limit: int | None,
        *,
        rewordings: Sequence[str] = (),
    ) -> SearchResults:
        """Return passages that share a word with the query; ``scope`` is left to the caller."""
        self.searches.append((query, course_name, lesson_number))
        self.entered.set()
        self.may_finish.wait(60)
        titles = {item.course for item in self.passages.values()}
        course = next((title for title in titles if (course_name or "").lower() in title.lower()), None)
        if course_name and course is None:
            nearest = ", ".join(sorted(titles))
            message = Message("search.no_course_nearest", name=course_name, titles=nearest)
            return SearchResults(query, None, (), message)
        wanted = _words(" ".join((query, *rewordings)))
        found = []
        for document_id, item in self.passages.items():
            shared = len(wanted & _words(item.text))
            if shared and (not course_name or item.course == course) and lesson_number in (None, item.lesson):
                found.append((shared, document_id, item))
        found.sort(key=lambda entry: -entry[0])
        hits = tuple(
            _hit(rank, document_id, item)
            for rank, (_, document_id, item) in enumerate(found[: limit or 5], 1)
        )
        return SearchResults(query, course if course_name else None, hits)

    def titles(self) -> tuple[str, ...]:
        """Return the titles of all courses."""
        return tuple(sorted({item.course for item in self.passages.values()}))

    def source_state(self, source: Source) -> SourceState:
        """Nothing ever changes here."""
        return SourceState.CURRENT

    def outline(self, course_name: str, scope: Scope) -> Course | str:
        """Return the course whose title holds the name."""
        for title in sorted({item.course for item in self.passages.values()}):
            if course_name.lower() in title.lower():
                numbers = [item.lesson for item in self.passages.values() if item.course == title]
                lessons = tuple(LessonInfo(n, f"Part {n}", f"https://example.org/{n}", 1) for n in numbers)
                return Course(title, "Ada Example", "https://example.org", len(lessons), (), lessons)
        return f"No course found matching '{course_name}'."

    def read_lesson(
        self, course_name: str, lesson_number: int | None, part: int, scope: Scope
    ) -> LessonPart | str:
        """Return a lesson in one part."""
        hits = tuple(
            _hit(1, document_id, item)
            for document_id, item in self.passages.items()
            if course_name.lower() in item.course.lower() and lesson_number in (None, item.lesson)
        )
        return LessonPart(hits, part, 1) if hits else f"No lesson found matching '{course_name}'."

    def place_asked_for(self, question: str, scope: Scope) -> None:
        """No question asks for all of a lesson here."""

    def digest(self, course_title: str, lesson_number: int | None, scope: Scope) -> None:
        """No lesson is told in its own sentences here."""

    def whole(self, scope: Scope, characters: int) -> tuple[SearchHit, ...]:
        """Nothing is sent along whole from here."""
        return ()

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        """Return the outline, one sentence a line."""
        document_id = next(key for key, item in self.passages.items() if item.course == course.title)
        hit = replace(_hit(1, document_id, Passage(course.title, None, text)), chunk_index=OUTLINE)
        lines = tuple(found.span() for found in re.finditer(r"[^\n]+", text))
        return Source(n, f"outline:{course.title}", hit, lines, "hash")

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return the hit with its sentences."""
        text = self.passages[hit.document_id].text
        spans = [found.span() for found in re.finditer(r"[^.!?\s][^.!?]*[.!?]*", text)]
        inside = tuple(span for span in spans if span[0] >= hit.start and span[1] <= hit.end)
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Source(n, f"passage:{hit.document_id}:{hit.start}", hit, inside, digest)


class CoveringLibrary(SmallLibrary):
    """One that says whether it covers a question.

    Attributes:
        covered: what it says of questions it has passages for.
        fails: whether every search fails.
    """

    covered: bool | None = True
    fails = False

    def retrieve(
        self,
        query: str,
        course_name: str | None,
        lesson_number: int | None,
        scope: Scope,
        limit: int | None,
        *,
        rewordings: Sequence[str] = (),
    ) -> SearchResults:
        """Search, and say whether the question is covered."""
        if self.fails:
            raise LibraryUnusable(Message("search.nothing"))
        results = super().retrieve(query, course_name, lesson_number, scope, limit, rewordings=rewordings)
        return replace(results, covered=self.covered if results.hits else None)


def _hit(rank: int, document_id: int, item: Passage) -> SearchHit:
    return SearchHit(
        rank=rank,
        score=1 / rank,
        course_title=item.course,
        lesson_number=item.lesson,
        lesson_title="",
        chunk_index=document_id,
        text=item.text,
        path=f"/courses/{document_id}.txt",
        start=0,
        end=len(item.text),
        anchor=None,
        link=None,
        document_id=document_id,
    )


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}
