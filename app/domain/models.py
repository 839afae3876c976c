"""The library's nouns: courses, lessons, passages, hits, sources, citations, conversations.

Every class is frozen: a value that crosses a thread can not change under its reader.
All positions are character offsets into a document's text *as read* (newlines as LF, a
byte-order mark dropped), end exclusive, so ``document.text[start:end]`` is always exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

AnchorKind = Literal["page", "slide", "seconds", "heading", "cell"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where in the original file a position lies, in the terms of its format.

    Attributes:
        kind: ``page``, ``slide`` and ``cell`` count from 1; ``seconds`` is a time in the
            recording; ``heading`` is a path such as ``"Part › Chapter"``.
        value: the number or the path.
    """

    kind: AnchorKind
    value: int | float | str

    def as_dict(self) -> dict[str, int | float | str]:
        """Return the form of the command line, such as ``{"page": 3}``."""
        return {self.kind: self.value}


@dataclass(frozen=True, slots=True)
class AnchorMark:
    """An anchor that holds from ``start`` on, until the next mark."""

    start: int
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What a reader makes of one file.

    Attributes:
        text: the whole text, newlines as LF.
        marks: anchors in order of ``start``; empty where the format has none.
        sha256: of the bytes it was made of; empty where it was not made of a file.
    """

    text: str
    marks: tuple[AnchorMark, ...] = ()
    sha256: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson of a course as a span of one document.

    Attributes:
        number: the number in its marker; None where the file has no lesson markers.
        title: may be empty.
        link: the lesson's address, or None.
        start: first character of the lesson's content (after marker and link line).
        end: one past its last character.
    """

    number: int | None
    title: str
    link: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with what its header and lesson markers say.

    ``lessons`` are in order of position and do not overlap; text before the first marker that is
    not header is a lesson with ``number=None``.

    Attributes:
        has_header: ``course_title`` comes from a header, not from the first line or the file's name.
        heading: the heading it begins with; empty where it begins with none.
        is_marked: it has lesson markers.
    """

    course_title: str
    course_link: str | None
    instructor: str | None
    text: str
    marks: tuple[AnchorMark, ...]
    lessons: tuple[Lesson, ...]
    has_header: bool = False
    heading: str = ""
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class CourseChunk:
    """One passage: what is found.

    Attributes:
        start: first character in the document.
        end: one past the last; ``text == document.text[start:end]``.
        lesson: index into the document's ``lessons``.
        text: the exact slice.
    """

    start: int
    end: int
    lesson: int
    text: str


@dataclass(frozen=True, slots=True)
class LessonInfo:
    """A lesson as listed: ``passages`` counts its searchable passages."""

    number: int | None
    title: str
    link: str | None
    passages: int


@dataclass(frozen=True, slots=True)
class Course:
    """A course as listed, with its lessons in order; a lesson of several files is listed once.

    Attributes:
        files: paths, in the order of their lessons.
        description: what a README says about it, in a few lines; None without one.
    """

    title: str
    instructor: str | None
    link: str | None
    passages: int
    files: tuple[str, ...]
    lessons: tuple[LessonInfo, ...]
    is_sample: bool = False
    description: str | None = None


@dataclass(frozen=True, slots=True)
class LibraryCounts:
    """Totals of what can be searched."""

    courses: int
    documents: int
    passages: int


@dataclass(frozen=True, slots=True)
class Scope:
    """What the user restricted a question to; an empty scope is the whole library.

    Attributes:
        courses: exact course titles; empty means all.
        lessons: pairs (course title, lesson number) that narrow a course to some of its lessons;
            the number is None for text outside the lessons.
        up_to: pairs (course title, N) that keep lessons after N out; passages without a lesson stay.
    """

    courses: tuple[str, ...] = ()
    lessons: tuple[tuple[str, int | None], ...] = ()
    up_to: tuple[tuple[str, int], ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether nothing is restricted."""
        return not (self.courses or self.lessons or self.up_to)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One passage found, best first by ``rank`` (from 1).

    ``score`` lies in 0…1, higher is better. It orders the hits of one search; between searches it
    only tells a question that the library covers from one it does not, see :data:`COVERED_SCORE`.
    """

    rank: int
    score: float
    course_title: str
    lesson_number: int | None
    lesson_title: str
    chunk_index: int
    text: str
    path: str
    start: int
    end: int
    anchor: Anchor | None
    link: str | None
    document_id: int


COVERED_SCORE = 0.40 / 1.3
"""A search whose best hit scores less has most likely found nothing that answers it.

``python -m tests.benchmarks.not_covered`` prints how often that is wrong, both ways.
"""

_NEAREST = 3


def are_covered(hits: Sequence[SearchHit]) -> bool | None:
    """Return whether the hits are near enough to what was asked; None where there are none."""
    return max(hit.score for hit in hits) >= COVERED_SCORE if hits else None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The answer to one search.

    Attributes:
        query: as asked.
        course_title: what the course name was resolved to; None without one, with no match, or
            with several.
        hits: best first.
        message: one sentence where the result needs explaining (no such course, several courses
            searched, an empty library), else None.
        covered: False where even the best hit is so far from the question that the material most
            likely does not answer it; None where that can not be said.
    """

    query: str
    course_title: str | None
    hits: tuple[SearchHit, ...]
    message: str | None = None
    covered: bool | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A passage shown with an answer, numbered from 1 within its exchange.

    Attributes:
        n: the number in the citation mark.
        ref: our unique id of the passage within the exchange, as sent to the model.
        hit: where it stands.
        sentences: spans of its sentences in the document, in order; the citable units.
        document_sha256: of the file when it was read, to notice that it has changed since.
    """

    n: int
    ref: str
    hit: SearchHit
    sentences: tuple[tuple[int, int], ...]
    document_sha256: str


def nearest_lessons(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the best source of each of the few lessons that come nearest, best first."""
    best: dict[tuple[str, int | None, str], Source] = {}
    for source in sorted(sources, key=lambda source: -source.hit.score):
        hit = source.hit
        best.setdefault((hit.course_title, hit.lesson_number, hit.lesson_title), source)
    return tuple(best.values())[:_NEAREST]


@dataclass(frozen=True, slots=True)
class Citation:
    """A span of the answer tied to a span of a source's document.

    Attributes:
        source_n: number of the source.
        answer_start: first character of the claim in the answer's plain Markdown without marks.
        answer_end: one past its last; the mark stands here.
        start: first cited character in the document.
        end: one past the last cited character.
        cited_text: as the model quoted it.
        verified: whether ``cited_text`` stands at ``start:end`` in the library's text.
    """

    source_n: int
    answer_start: int
    answer_end: int
    start: int
    end: int
    cited_text: str
    verified: bool


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer, summed over its requests.

    Attributes:
        input_tokens: those that were neither read from the server's cache nor written to it.
        cost: US dollars by the price list of that day; None where the model is not on it.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.prompt_tokens + self.output_tokens

    @property
    def prompt_tokens(self) -> int:
        """All that were sent."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: Usage) -> Usage:
        """Return the sum, field by field."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


class ExchangeState(StrEnum):
    """Where an exchange stands; only ``DONE`` ones are sent as history."""

    WRITING = "writing"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn as the model is sent it."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer.

    Attributes:
        id: opaque.
        parent_id: the exchange before it on its branch; None for the first.
        model: who answered; None when the passages themselves are the answer.
        error: why it failed, or what is to be said of an answer that is not simply complete.
        seconds: from the question to the end of the answer.
        siblings: the exchanges that follow the same one, itself included, oldest first; each
            begins a branch of its own.
    """

    id: int
    parent_id: int | None
    question: str
    answer: str
    state: ExchangeState
    scope: Scope = field(default_factory=Scope)
    sources: tuple[Source, ...] = ()
    citations: tuple[Citation, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    stop_reason: str | None = None
    error: str | None = None
    seconds: float = 0.0
    siblings: tuple[int, ...] = ()

    @property
    def covered(self) -> bool | None:
        """Whether what was found is near enough to the question; None where nothing was searched.

        A verified citation is proof that it is, whatever the scores say.
        """
        if self.model is not None and any(citation.verified for citation in self.citations):
            return True
        return are_covered([source.hit for source in self.sources])


BEFORE_ALL = 0
"""As the parent of an exchange: it is to be a first one, beside the first there is."""

INTERRUPTED = "interrupted"
"""Stop reason of an answer that ended with the process that wrote it."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as listed; ``updated`` is seconds since the epoch."""

    id: int
    title: str
    updated: float
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class ConversationHit:
    """A place in the conversations that a search found.

    Attributes:
        conversation: where it was found.
        exchange_id: the exchange; None where only the title fits.
        snippet: the words around what was found, on one line.
        marks: spans of ``snippet`` that were searched for.
    """

    conversation: Conversation
    exchange_id: int | None
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class OpenedConversation:
    """One branch of a conversation, oldest exchange first."""

    conversation: Conversation
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that a server offers.

    Attributes:
        id: as it is asked for.
        name: for people.
        deprecated: still answers, but is headed for retirement.
        retires: the day it is to be retired, as ``2026-11-30``; None if none is set.
        max_input_tokens: its context window; None where the server does not say.
    """

    id: str
    name: str
    deprecated: bool = False
    retires: str | None = None
    max_input_tokens: int | None = None
