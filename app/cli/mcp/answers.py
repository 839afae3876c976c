"""Answers to the calls of an assistant, as text and as data."""

from typing import Any, NamedTuple

from app.cli.output import fields, place_name
from app.core.answers.prompts import one_line
from app.core.answers.sources import full_heading
from app.core.answers.tools import BadCall, checked_arguments, outline_text
from app.core.rag_system import RAGSystem
from app.domain.links import LessonLink, link_to, link_to_lesson, parse_link
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.scope import Scope
from app.domain.search import SearchHit

SEARCH, OUTLINE = "search_course_content", "get_course_outline"
_MOST_TITLES = 100  # listed for a client that knows none
MOST_PASSAGES = 30
_LONGEST_LESSON = 400_000  # characters of a lesson that is read


class Answer(NamedTuple):
    text: str
    data: dict[str, Any] | None = None
    is_error: bool = False


class Listed(NamedTuple):
    uri: str
    name: str
    description: str


def call(rag: RAGSystem, name: str, schema: dict[str, Any], arguments: dict[str, Any]) -> Answer:
    """Answer a call of a tool; what is wrong with it is said in one sentence."""
    tool = _search if name == SEARCH else _outline
    try:
        return tool(rag, **checked_arguments(schema, arguments))
    except BadCall as wrong:
        return Answer(f"{name}: {wrong}", is_error=True)


def lessons(rag: RAGSystem) -> list[Listed]:
    """Return all lessons that can be read, in the order in which the courses list them."""
    return [
        Listed(
            link_to_lesson(course.title, lesson.number, lesson.title),
            _lesson_name(lesson.number, lesson.title),
            one_line(harmless(course.title)),
        )
        for course in rag.search.courses()
        for lesson in course.lessons
        if lesson.passages
    ]


def read(rag: RAGSystem, uri: str) -> str:
    """Return the text of a lesson, or around a place that a search found.

    Raises:
        UserError: the library has no such lesson or place.
    """
    place = rag.links.find(uri)
    if isinstance(parse_link(uri), LessonLink):
        hit = place.source.hit  # its beginning
        found = rag.search.lesson(hit.course_title, hit.lesson_number, hit.lesson_title)
        text = "\n\n".join(one.text for one in found)
    else:
        text = rag.search.lesson_text(place.source, (place.start, place.end)).text
    return harmless(text[:_LONGEST_LESSON])


def _search(
    rag: RAGSystem,
    query: str,
    course_name: str | None = None,
    lesson_number: int | None = None,
    limit: int | None = None,
) -> Answer:
    if limit is not None and not 1 <= limit <= MOST_PASSAGES:
        raise BadCall(f"limit must be a whole number from 1 to {MOST_PASSAGES}.")
    results = rag.search.retrieve(query, course_name, lesson_number, limit=limit)
    sources = filter(None, map(rag.search.source_of, results.hits))  # without what was just removed
    found = [(source.hit, link_to(source)) for source in sources]
    passages = [_passage(hit, link) for hit, link in found]
    said = [str(results.message)] if results.message else []
    if results.covered is False:
        said.append("Nothing in the courses matches this well; the nearest passages follow.")
    said += [_as_text(hit, link) for hit, link in found]
    data = {
        "query": query,
        "course_title": results.course_title,
        "message": str(results.message) if results.message else None,
        "covered": results.covered,
        "missing": list(results.missing),
        "passages": passages,
    }
    return Answer("\n\n".join(said) or "Nothing was found.", data)


def _passage(hit: SearchHit, link: str) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "score": round(hit.score, 4),
        "course_title": harmless(hit.course_title),
        "lesson_number": hit.lesson_number,
        "lesson_title": harmless(hit.lesson_title),
        "place": place_name(hit),
        "server": hit.server or None,
        "lesson_link": hit.link,
        "lectern_link": link,
        "text": harmless(hit.text),
    }


def _as_text(hit: SearchHit, link: str) -> str:
    lines = [f"{hit.rank}. {harmless(full_heading(hit))}"]
    if place := place_name(hit):
        lines.append(f"Place: {place}")
    if hit.server:
        lines.append(f"Server: {hit.server}")
    return "\n".join((*lines, f"Link: {link}", harmless(hit.text).strip()))


def _outline(rag: RAGSystem, course_name: str | None = None) -> Answer:
    if course_name is None:
        return _all_courses(rag)
    course = rag.search.outline(course_name, Scope())
    if isinstance(course, str):
        titles = "; ".join(harmless(title) for title in rag.search.titles()[:_MOST_TITLES])
        return Answer(f"{course} Courses: {titles}." if titles else course, is_error=True)
    listed = [
        {
            **fields(lesson, "number", "link", "passages"),
            "title": harmless(lesson.title),
            "lectern_link": link_to_lesson(course.title, lesson.number, lesson.title),
        }
        for lesson in course.lessons
    ]
    data = {
        "title": harmless(course.title),
        "instructor": course.instructor and harmless(course.instructor),
        **fields(course, "link", "passages"),
        "server": course.server or None,
        "lessons": listed,
    }
    return Answer(harmless(outline_text(course)), data)


def _all_courses(rag: RAGSystem) -> Answer:
    courses = rag.search.courses()
    if not courses:
        return Answer(str(Message("search.empty_library")), {"courses": []})
    lines, listed = [], []
    for course in courses:
        title, count = one_line(harmless(course.title)), len(course.lessons)
        place = f", on {course.server}" if course.server else ""
        lines.append(f"{title} ({count} {'lesson' if count == 1 else 'lessons'}{place})")
        listed.append({"title": title, "lessons": count, "server": course.server or None})
    return Answer("\n".join(lines), {"courses": listed})


def _lesson_name(number: int | None, title: str) -> str:
    title = one_line(harmless(title))
    if number is None:
        return title or "Without number"
    return f"Lesson {number}: {title}" if title else f"Lesson {number}"
