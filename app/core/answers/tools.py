"""The tools the model may use: searching the library, and reading lessons and the outline of a course.

A tool never fails because of what the model asked: wrong arguments, an unknown course or an empty result
come back as text the model can act on.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.core.answers.prompts import load_prompt, mend_surrogates, one_line
from app.core.answers.providers.base import ToolDefinition, ToolOutcome
from app.core.answers.sources import Library, SourceRegistry, full_heading, heading
from app.domain.courses import Course, LessonInfo
from app.domain.errors import LecternError
from app.domain.events import LookupStarted, ReadingStarted, SearchStarted
from app.domain.messages import Message
from app.domain.scope import Scope, includes
from app.domain.search import SearchHit, SearchResults
from app.domain.sources import OUTLINE, Source, SourceState, nearest_lessons
from app.domain.words import one_spaced

SEARCH_TOOL = "search_course_content"
OUTLINE_TOOL = "get_course_outline"
READING_TOOL = "read_lesson"
_LONGEST_TEXT = 1000
_LARGEST_NUMBER = 10**9
_MOST_REWORDINGS = 3
_MOST_TEXTS = 10  # of a list


class BadCall(Exception):
    """The model called a tool in a way it cannot be called; the message tells the model why."""


class _Tool:
    def __init__(self, library: Library, registry: SourceRegistry, scope: Scope) -> None:
        self._library = library
        self._registry = registry
        self._scope = scope


class CourseSearchTool(_Tool):
    """Searches passages, never outside the user's scope; the registry numbers what it finds."""

    def __init__(self, library: Library, registry: SourceRegistry, scope: Scope) -> None:
        super().__init__(library, registry, scope)
        course_name = "Search only this course; a part of its title is enough."
        lesson_number = "Search only this lesson. Lessons may start at 0."
        rewordings = "Up to three other ways to say the query, each as the material may put it."
        terms = "Technical terms and names that the material would use."
        self.definition = _definition(
            SEARCH_TOOL,
            query={"type": "string", "description": "What to find."},
            rewordings=_list_of_texts(rewordings, _MOST_REWORDINGS),
            terms=_list_of_texts(terms, _MOST_TEXTS),
            course_name={"type": "string", "description": course_name},
            lesson_number={"type": "integer", "description": lesson_number},
        )

    def announce(
        self, query: str, course_name: str | None = None, lesson_number: int | None = None, **_: object
    ) -> SearchStarted:
        return SearchStarted(query, course_name, lesson_number)

    def execute(
        self,
        query: str,
        course_name: str | None = None,
        lesson_number: int | None = None,
        rewordings: Sequence[str] = (),
        terms: Sequence[str] = (),
    ) -> ToolOutcome:
        """Search and return the passages that are new, with remarks on those that are not."""
        others = (*rewordings[:_MOST_REWORDINGS], *filter(None, [" ".join(terms)]))
        return self.take(self.find(query, course_name, lesson_number, others), course_name, lesson_number)

    def find(
        self,
        query: str,
        course_name: str | None = None,
        lesson_number: int | None = None,
        rewordings: Sequence[str] = (),
    ) -> SearchResults:
        """Search and enter nothing."""
        results = self._library.retrieve(
            query, course_name, lesson_number, self._scope, None, rewordings=rewordings
        )
        return replace(results, hits=tuple(hit for hit in results.hits if self._reaches(hit)))

    def keep(self, sources: Sequence[Source]) -> tuple[Source, ...]:
        """Enter the sources of an earlier answer that the library and the scope still hold."""
        hits = [
            source.hit
            for source in sources
            if source.hit.chunk_index != OUTLINE
            and self._reaches(source.hit)
            and self._library.source_state(source) is SourceState.CURRENT
        ]
        return tuple(self._registry.add(hits)[0])

    def take(
        self,
        results: SearchResults,
        course_name: str | None = None,
        lesson_number: int | None = None,
        *,
        remark_known: bool = True,
    ) -> ToolOutcome:
        """Record what was found; return the text for the model."""
        if not results.hits:
            return ToolOutcome(str(results.message or _nothing_found(course_name, lesson_number)))
        new, known = self._registry.add(results.hits)
        notes = [str(results.message)] if results.message else []
        if results.covered is False:
            nearest = "; ".join(full_heading(one.hit) for one in nearest_lessons(self._registry.sources))
            notes.append(f"Nothing in the courses matches this well. Nearest lessons: {nearest}.")
            if results.missing:
                notes.append(f"No passage contains {' or '.join(map(repr, results.missing))}.")
        if known and remark_known:
            listed = ", ".join(f"[{source.n}] {heading(source.hit)}" for source in known)
            advice = "" if new else " Answer from these, or search with other words."
            notes.append(f"Found again, given above already: {listed}.{advice}")
        return ToolOutcome("\n".join(notes), tuple(new))

    def _reaches(self, hit: SearchHit) -> bool:
        return includes(self._scope, hit.course_title, hit.lesson_number)


class CourseOutlineTool(_Tool):
    """Says what a course consists of, within the user's scope."""

    def __init__(self, library: Library, registry: SourceRegistry, scope: Scope) -> None:
        super().__init__(library, registry, scope)
        title = {"type": "string", "description": "Title or a part of it."}
        self.definition = _definition(OUTLINE_TOOL, course_name=title)

    def announce(self, course_name: str) -> SearchStarted:
        return SearchStarted(course_name, course_name=course_name)

    def execute(self, course_name: str) -> ToolOutcome:
        found = self._library.outline(course_name, self._scope)
        if isinstance(found, str):
            return ToolOutcome(found)
        lessons = [lesson for lesson in found.lessons if includes(self._scope, found.title, lesson.number)]
        if not lessons and found.lessons:
            title = one_line(found.title)
            return ToolOutcome(f"The course {title!r} is outside what the question was restricted to.")
        text = outline_text(found, lessons)
        known = self._registry.sources
        source = self._registry.add_outline(found, text)
        if source is None or source in known:
            return ToolOutcome(text)
        return ToolOutcome(sources=(source,))


class LessonReadingTool(_Tool):
    """Gives a lesson or a whole course in order, within the user's scope."""

    def __init__(self, library: Library, registry: SourceRegistry, scope: Scope) -> None:
        super().__init__(library, registry, scope)
        number = "The lesson to read. Leave it out to read the whole course in order."
        self.definition = _definition(
            READING_TOOL,
            course_name={"type": "string", "description": "Title or a part of it."},
            lesson_number={"type": "integer", "description": number},
            part={"type": "integer", "description": "Which part to read, from 1 on; 1 if left out."},
        )

    def place_asked_for(self, question: str) -> tuple[str, int | None] | None:
        """Return the course and lesson (None: all lessons) that a question asks about as a whole."""
        place = self._library.place_asked_for(question, self._scope)
        return None if isinstance(place, Message) else place

    def central(self, course_name: str, lesson_number: int | None) -> tuple[SearchHit, ...]:
        """Return what stands for all of a lesson or a course best, in order."""
        digest = self._library.digest(course_name, lesson_number, self._scope)
        return digest.parts if digest else ()

    def announce(
        self, course_name: str, lesson_number: int | None = None, part: int | None = None
    ) -> ReadingStarted:
        return ReadingStarted(course_name, lesson_number, part or 1)

    def execute(
        self, course_name: str, lesson_number: int | None = None, part: int | None = None
    ) -> ToolOutcome:
        found = self._library.read_lesson(course_name, lesson_number, part or 1, self._scope)
        if isinstance(found, str):
            return ToolOutcome(found)
        new, known = self._registry.add(found.hits)
        whole = "This is all of it." if found.parts == 1 else f"This is part {found.part} of {found.parts}."
        if not known:
            return ToolOutcome(whole, tuple(new))
        above = ", ".join(f"[{source.n}]" for source in known)
        return ToolOutcome(f"{whole} Given above already: {above}.", tuple(new))


Tool = CourseSearchTool | CourseOutlineTool | LessonReadingTool


class ToolManager:
    """The tools of one answer and the registry of the sources they find."""

    def __init__(self, library: Library, scope: Scope) -> None:
        self._library = library
        self.registry = SourceRegistry(library)
        self.search = CourseSearchTool(library, self.registry, scope)
        self.outline = CourseOutlineTool(library, self.registry, scope)
        self.reading = LessonReadingTool(library, self.registry, scope)
        tools: tuple[Tool, ...] = (self.search, self.outline, self.reading)
        self._tools = {tool.definition.name: tool for tool in tools}

    def titles(self) -> tuple[str, ...]:
        return self._library.titles()

    def get_tool_definitions(self) -> tuple[ToolDefinition, ...]:
        return tuple(tool.definition for tool in self._tools.values())

    def announce(self, name: str, tool_input: object) -> LookupStarted | None:
        """Return what to show while this call runs; None when the call is wrong."""
        try:
            tool, arguments = self._checked(name, tool_input)
        except BadCall:
            return None
        return tool.announce(**arguments)

    def execute_tool(self, name: str, tool_input: object) -> ToolOutcome:
        """Run a call, whatever the model asked for. Blocks for as long as the search takes."""
        try:
            tool, arguments = self._checked(name, tool_input)
            return tool.execute(**arguments)
        except BadCall as wrong:
            return ToolOutcome(str(wrong), is_error=True)
        except LecternError as failure:
            return ToolOutcome(f"The search did not work: {failure}", is_error=True)

    def _checked(self, name: str, tool_input: object) -> tuple[Tool, dict[str, Any]]:
        tool = self._tools.get(name)
        if tool is None:
            raise BadCall(f"There is no tool named {one_line(name)!r}. Tools: {', '.join(self._tools)}.")
        if not isinstance(tool_input, dict):
            raise BadCall(f"{name} takes an object with named arguments.")
        try:
            return tool, checked_arguments(tool.definition.parameters, tool_input)
        except BadCall as wrong:
            raise BadCall(f"{name}: {wrong}") from None


def _list_of_texts(description: str, most: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "maxItems": most, "description": description}


def _definition(name: str, **parameters: dict[str, Any]) -> ToolDefinition:
    """Return the definition of a tool described in ``resources/prompts``; the first argument is required."""
    schema = {
        "type": "object",
        "properties": parameters,
        "required": list(parameters)[:1],
        "additionalProperties": False,
    }
    return ToolDefinition(name, load_prompt(name), schema)


def checked_arguments(schema: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that say something, as the schema's types; kind to numbers written as text."""
    known = schema["properties"]
    unknown = [one_line(str(name)) for name in arguments if name not in known]
    if unknown:
        raise BadCall(f"unknown argument {', '.join(unknown)}; it takes {', '.join(known)}.")
    read = {"string": _text, "integer": _whole_number, "array": _texts}
    given = {name: read[known[name]["type"]](name, value) for name, value in arguments.items()}
    checked = {name: value for name, value in given.items() if value is not None}
    for name in schema["required"]:
        if name not in checked:
            raise BadCall(f"{name} is missing: {known[name]['description']}")
    return checked


def _text(name: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadCall(f"{name} must be text.")
    whole = mend_surrogates(value[: 4 * _LONGEST_TEXT]).replace("\0", " ")
    return one_spaced(whole)[:_LONGEST_TEXT].strip() or None


def _texts(name: str, value: object) -> tuple[str, ...] | None:
    """Return the texts of a list; a single text counts as a list of one."""
    texts = value if isinstance(value, list) else [value]
    read = (_text(name, text) for text in texts[:_MOST_TEXTS])
    return tuple(text for text in read if text is not None) or None


def _whole_number(name: str, value: object) -> int | None:
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.strip().isdecimal():
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _LARGEST_NUMBER:
        raise BadCall(f"{name} must be a whole number from 0 on.")
    return value


def _nothing_found(course_name: str | None, lesson_number: int | None) -> str:
    where = f" in a course named {one_line(course_name)!r}" if course_name else ""
    if lesson_number is not None:
        where += f" in lesson {lesson_number}"
    return f"No passage was found{where}. The material may not cover this."


def outline_text(course: Course, lessons: Sequence[LessonInfo] | None = None) -> str:
    """Return what a course consists of, a line a lesson; of its lessons all, unless some are given."""
    lessons = course.lessons if lessons is None else lessons
    lines = [f"Course: {one_line(course.title)}"]
    if course.instructor:
        lines.append(f"Instructor: {one_line(course.instructor)}")
    if course.link:
        lines.append(f"Link: {one_line(course.link)}")
    numbered = [lesson for lesson in lessons if lesson.number is not None]
    lines.append(f"Lessons: {len(numbered)}" if numbered else "Lessons: not numbered")
    for lesson in lessons:
        label = "Without number" if lesson.number is None else f"Lesson {lesson.number}"
        title = f": {one_line(lesson.title)}" if lesson.title else ""
        link = f" ({one_line(lesson.link)})" if lesson.link else ""
        lines.append(f"{label}{title}{link}")
    return "\n".join(lines)
