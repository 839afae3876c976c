"""Courses, sources and exchanges as the side panes get them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.conversations import Exchange, ExchangeState
from app.domain.courses import Course, LessonInfo, LibraryCounts
from app.domain.search import SearchHit
from app.domain.sources import Citation, Source

if TYPE_CHECKING:
    from app.domain.documents import Anchor

PASSAGE = (
    "Prompt caching stores the part of a prompt that stays the same between requests. "
    "The next request that begins with it is cheaper and quicker, because that part is read from the cache. "
    "A cached part lives for five minutes and every use renews it. "
    "Put what never changes first: tools, then the system prompt, then the documents. "
    "What changes with each question goes last, since one changed character ends the match."
)


def lesson(number: int | None, title: str, passages: int = 7, link: str | None = None) -> LessonInfo:
    return LessonInfo(number, title, link, passages)


def course(
    title: str, lessons: int = 3, *, link: str | None = None, sample: bool = False, passages: int = 7
) -> Course:
    names = ("Introduction", "What changes and what stays", "Where to go from here")
    infos = tuple(
        lesson(n, names[n % 3], passages, f"https://example.org/{n}" if n % 2 == 0 else None)
        for n in range(lessons)
    )
    return Course(title, "A. Teacher", link, lessons * passages, (f"{title}.txt",), infos, sample)


def samples() -> tuple[Course, ...]:
    titles = (
        "How Retrieval-Augmented Generation Works",
        "Statistics for Beginners",
        "The History of Writing",
        "Using Lectern",
    )
    return tuple(
        course(title, 6 + n, sample=True, link="https://example.org") for n, title in enumerate(titles)
    )


def counts(courses: tuple[Course, ...]) -> LibraryCounts:
    return LibraryCounts(len(courses), len(courses), sum(item.passages for item in courses))


def source(
    n: int,
    text: str = PASSAGE,
    *,
    start: int = 1000,
    lesson_number: int | None = 5,
    link: str | None = "https://example.org/5",
    anchor: Anchor | None = None,
    course_title: str = "Building Towards Computer Use",
    lesson_title: str = "Prompt Caching",
    pages: tuple[int, int] | None = None,
) -> Source:
    hit = SearchHit(
        rank=n,
        score=1 / n,
        course_title=course_title,
        lesson_number=lesson_number,
        lesson_title=lesson_title,
        chunk_index=n,
        text=text,
        path="course.txt",
        start=start,
        end=start + len(text),
        anchor=anchor,
        link=link,
        document_id=1,
        pages=pages,
    )
    return Source(n, f"ref-{n}", hit, ((start, start + len(text)),), "0" * 64)


def citation(of: Source, quote: str, *, verified: bool = True) -> Citation:
    at = of.hit.text.find(quote)
    start = of.hit.start + max(at, 0)
    return Citation(of.n, 0, 10, start, start + len(quote), quote, verified)


def exchange(
    sources: tuple[Source, ...], citations: tuple[Citation, ...], *, exchange_id: int = 1
) -> Exchange:
    return Exchange(
        id=exchange_id,
        parent_id=None,
        question="What is prompt caching?",
        answer="It stores the part that stays the same.",
        state=ExchangeState.DONE,
        sources=sources,
        citations=citations,
        model="a-model",
    )
