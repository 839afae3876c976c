"""The sources of an answer, the citations that tie it to them, and the text to read a source in."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from app.domain.messages import Message
from app.domain.pages import PageRange, PageStart
from app.domain.recordings import Transcription
from app.domain.search import SearchHit

NO_SOURCE = 0
"""``Citation.source_n`` of a citation that names nothing that was sent."""

OUTLINE = -1
"""``SearchHit.chunk_index`` of the outline of a course, which is a source without being a passage."""


@dataclass(frozen=True, slots=True)
class Source:
    """A passage shown with an answer, numbered from 1 within its exchange."""

    n: int
    ref: str  # the passage's unique id within the exchange, as sent to the model
    hit: SearchHit
    sentences: tuple[tuple[int, int], ...]  # their spans in the document, in order: the citable units
    document_sha256: str  # of the file when it was read, to notice later changes

    def text(self, start: int, end: int) -> str:
        """Return what stands between two positions of the document."""
        return self.hit.text[start - self.hit.start : end - self.hit.start]

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self.text(*span) for span in self.sentences)


def nearest_lessons(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the best source of each of the three nearest lessons, best first."""
    best: dict[tuple[str, int | None, str], Source] = {}
    for source in sorted(sources, key=lambda source: -source.hit.score):
        hit = source.hit
        best.setdefault((hit.course_title, hit.lesson_number, hit.lesson_title), source)
    return tuple(best.values())[:3]


class Support(StrEnum):
    """What the library has to say about a claim of an answer."""

    STANDS = "stands"  # quoted, or nearly word for word in the sources
    IN_LINE = "in_line"  # sentences say much the same, and nothing tested disagrees
    QUOTE_FOUND = "quote_found"  # the quoted text stands in the library, but does not show the claim
    NOT_FOUND = "not_found"  # a citation that leads nowhere, or sentences that say something else
    NOT_FROM_COURSES = "not_from_courses"  # no source has anything to do with it

    @property
    def is_good(self) -> bool:
        """Whether a claim is in its sources word for word, or in line with them."""
        return self in (Support.STANDS, Support.IN_LINE)

    @classmethod
    def _missing_(cls, value: object) -> "Support | None":
        return cls.IN_LINE if value == "supported" else None  # of answers stored by earlier versions


def support_words(support: Support) -> Message:
    """Return a few words for a mark, a footnote or a list."""
    return Message(f"answers.{support}")


class Claim(NamedTuple):
    """A sentence of an answer that says something about the course, compared with the sources."""

    answer_start: int  # first character in the answer's Markdown without marks
    answer_end: int  # one past its last
    support: Support
    reason: Message | None = None  # what does not agree, or who judged it

    @property
    def is_judged(self) -> bool:
        """Whether a model has looked at it again."""
        judged = ("answers.second_look_yes", "answers.second_look_no")
        return self.reason is not None and self.reason.id in judged


@dataclass(frozen=True, slots=True)
class Citation:
    """A span of the answer tied to a span of a source's document."""

    source_n: int
    answer_start: int  # first character of the claim in the answer's Markdown without marks
    answer_end: int  # one past its last; the mark stands here
    start: int  # first cited character in the document; `end` is one past the last
    end: int
    cited_text: str  # as the model quoted it
    verified: bool  # whether `cited_text` stands at `start:end` in the library's text
    support: Support | None = None  # of the claim, by these sentences; None while it is not examined
    is_found: bool = False  # Lectern found the sentences; the model made no mark


class SourceState(StrEnum):
    """How a source compares with the library now."""

    CURRENT = "current"  # the library holds exactly the text that was cited
    CHANGED = "changed"  # the file was read again since, with different content
    REMOVED = "removed"  # the file is no longer in the library


class Cue(NamedTuple):
    """Something that is said: where its text begins in the document, and at which second."""

    start: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Recording:
    """The file of a recording and the cues of its transcript, in order of their text."""

    path: str
    is_known: bool  # it begins as recordings do; nothing else is given to a decoder
    cues: tuple[Cue, ...]

    def seconds_at(self, position: int) -> float:
        """Return when what stands at a position of the document is said."""
        index = bisect_right(self.cues, position, key=lambda cue: cue.start) - 1
        return self.cues[max(index, 0)].seconds

    def span_at(self, seconds: float, end: int) -> tuple[int, int] | None:
        """Return the span of what was last said at a second; ``end`` is the end of the document."""
        begun = (index for index, cue in enumerate(self.cues) if cue.seconds <= seconds)
        last = max(begun, key=lambda index: (self.cues[index].seconds, index), default=None)
        if last is None:
            return None
        return self.cues[last].start, self.cues[last + 1].start if last + 1 < len(self.cues) else end


@dataclass(frozen=True, slots=True)
class LessonText:
    source: Source
    state: SourceState
    text: str  # the whole lesson as the library holds it, or only the passage as cited if that text is gone
    start: int  # of `text` in the document, by the count in which the source has its place
    is_whole: bool  # whether `text` is the lesson, not only the passage
    path: str  # the file's last known path
    file_exists: bool  # whether it is still there
    pages: tuple[PageStart, ...] = ()  # of a file with pages, in order
    recording: Recording | None = None  # that lies beside a file with times
    slides: tuple[PageStart, ...] = ()  # of a presentation, those that have text
    transcript: Transcription | None = None  # if it was heard; spans count as `start` does

    def around(self, start: int, end: int) -> PageRange | None:
        """Return the pages around a span of the document, with what was read from them."""
        if not self.pages or not self.is_whole:
            return None
        starts = [page.start for page in self.pages]
        first = max(bisect_right(starts, start) - 2, 0)  # a page before and one after
        last = min(bisect_left(starts, end), len(starts) - 1)
        begin = max(starts[first], self.start)
        close = starts[last + 1] if last + 1 < len(starts) else self.end
        text = self.text[begin - self.start : close - self.start]
        return PageRange(range(self.pages[first].number, self.pages[last].number + 1), text, begin)

    def on_pages(self, pages: range) -> tuple[int, str]:
        """Return what was read from some pages, after where in the document it begins."""
        starts = {page.number: page.start for page in self.pages}
        begin = max(starts.get(pages.start, self.start), self.start)
        return begin, self.text[begin - self.start : starts.get(pages.stop, self.end) - self.start]

    def page_at(self, position: int) -> int:
        starts = [page.start for page in self.pages]
        return self.pages[max(bisect_right(starts, position) - 1, 0)].number

    @property
    def end(self) -> int:
        """One past the last character of ``text`` in the document."""
        return self.start + len(self.text)


class Selection(NamedTuple):
    """What a reader has selected of a document."""

    source: Source  # that the document was opened for
    start: int  # of ``around`` in the document
    around: str  # what the document says there: the same text, or that of the pages it was selected on
    text: str


class QuotePlace(NamedTuple):
    """A span of a passage, to show it in its lesson."""

    source: Source
    start: int  # in the document
    end: int

    @property
    def quote(self) -> str:
        return self.source.text(self.start, self.end)
