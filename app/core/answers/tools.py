"""The tools the model may use: searching the library and reading a course's outline.

A tool never fails for what the model asked: wrong arguments, an unknown course or an empty result
come back as text the model can act on. Sources are part of a tool's outcome, nothing is kept aside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from app.core.answers.content_words import mend_surrogates
from app.core.answers.prompts import load_prompt, one_line
from app.core.answers.sources import Library, Passage, SourceRegistry, heading
from app.domain.errors import LecternError
from app.domain.events import SearchStarted
from app.domain.scope import includes
from app.domain.sources import nearest_lessons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.courses import Course, LessonInfo
    from app.domain.scope import Scope
    from app.domain.sources import Source

__all__ = [
    "CourseOutlineTool",
    "CourseSearchTool",
    "Library",
    "SourceRegistry",
    "ToolManager",
    "ToolOutcome",
    "course_tools",
]

SEARCH_TOOL = "search_course_content"
OUTLINE_TOOL = "get_course_outline"
_LONGEST_QUERY = 1000
_LONGEST_NAME = 500


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool call came to.

    Attributes:
        content: blocks for the API: ``search_result`` and ``text``.
        plain_text: the same for servers that know no ``search_result`` blocks.
        sources: passages that this call found first; numbered on from earlier calls.
        is_error: the call itself was wrong.
    """

    content: tuple[dict[str, Any], ...]
    plain_text: str
    sources: tuple[Source, ...] = ()
    is_error: bool = False

    @property
    def has_passages(self) -> bool:
        """Whether it holds passages, new or known."""
        return any(block["type"] == "search_result" for block in self.content)

    @classmethod
    def of_text(cls, text: str, *, is_error: bool = False) -> ToolOutcome:
        """Return an outcome that is only text."""
        return cls(({"type": "text", "text": text},), text, is_error=is_error)


class BadArguments(Exception):
    """The model called a tool with arguments it does not take; the message says which."""


class Tool(Protocol):
    """One tool."""

    @property
    def name(self) -> str:
        """As the model calls it."""

    def definition(self) -> dict[str, Any]:
        """Return name, description and JSON schema of the arguments."""

    def announce(self, arguments: dict[str, Any]) -> SearchStarted:
        """Return what the user is shown while the call runs."""

    def execute(self, arguments: dict[str, Any]) -> ToolOutcome:
        """Run the call. May raise :class:`BadArguments`."""


class ToolManager:
    """The tools of one answer and the ledger their sources are entered in."""

    def __init__(self, ledger: SourceRegistry) -> None:
        self.ledger = ledger
        self._tools: dict[str, Tool] = {}

    def register_tool(self, tool: Tool) -> None:
        """Offer a tool; the order of registering is the order of the definitions."""
        self._tools[tool.name] = tool

    def get_tool_definitions(self) -> list[dict[str, Any]]:
        """Return the definitions, always in the same order, so that they can be cached."""
        return [tool.definition() for tool in self._tools.values()]

    def announce(self, name: str, tool_input: object) -> SearchStarted | None:
        """Return what to show while this call runs; None when the call is wrong."""
        tool = self._tools.get(name)
        if tool is None or not isinstance(tool_input, dict):
            return None
        try:
            return tool.announce(tool_input)
        except BadArguments:
            return None

    def execute_tool(self, name: str, tool_input: object) -> ToolOutcome:
        """Run a call and return its outcome, whatever the model asked for.

        Blocks for as long as the search takes; run it outside an event loop.
        """
        tool = self._tools.get(name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            return ToolOutcome.of_text(
                f"There is no tool named {one_line(name)!r}. Tools: {known}.", is_error=True
            )
        if not isinstance(tool_input, dict):
            return ToolOutcome.of_text(f"{name} takes an object with named arguments.", is_error=True)
        try:
            return tool.execute(tool_input)
        except BadArguments as wrong:
            return ToolOutcome.of_text(f"{name}: {wrong}", is_error=True)
        except LecternError as failure:
            return ToolOutcome.of_text(f"The search did not work: {failure}", is_error=True)

    def search_first(self, query: str) -> ToolOutcome:
        """Search without being asked by the model; return all passages of this answer.

        For servers whose models can not ask. Blocks like :meth:`execute_tool`.
        """
        outcome = self.execute_tool(SEARCH_TOOL, {"query": query})
        passages = self.ledger.passages
        if len(passages) == len(outcome.sources):
            return outcome
        return replace(_outcome(passages, []), sources=outcome.sources)


class CourseSearchTool:
    """Searches passages; never outside the user's scope."""

    name = SEARCH_TOOL

    def __init__(
        self, library: Library, ledger: SourceRegistry, scope: Scope, limit: int | None = None
    ) -> None:
        """Prepare the tool for one answer.

        Args:
            library: what is searched.
            ledger: where the passages found are numbered.
            scope: the user's; holds whatever the model asks for.
            limit: passages a search returns; None for the library's own.
        """
        self._library = library
        self._ledger = ledger
        self._scope = scope
        self._limit = limit

    def definition(self) -> dict[str, Any]:
        """Return name, description and JSON schema of the arguments."""
        return {
            "name": self.name,
            "description": load_prompt(self.name),
            "input_schema": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "What to find."},
                    "course_name": {
                        "type": "string",
                        "description": "Search only this course; a part of its title is enough.",
                    },
                    "lesson_number": {
                        "type": "integer",
                        "description": "Search only this lesson. Lessons may start at 0.",
                    },
                },
                "required": ["query"],
                "additionalProperties": False,
            },
        }

    def announce(self, arguments: dict[str, Any]) -> SearchStarted:
        """Return what the user is shown while the call runs."""
        return SearchStarted(*self._checked(arguments))

    def execute(self, arguments: dict[str, Any]) -> ToolOutcome:
        """Search and return the passages that are new, each a ``search_result``."""
        query, course_name, lesson_number = self._checked(arguments)
        results = self._library.retrieve(query, course_name, lesson_number, self._scope, self._limit)
        hits = [hit for hit in results.hits if includes(self._scope, hit.course_title, hit.lesson_number)]
        if not hits:
            return ToolOutcome.of_text(results.message or _nothing_found(course_name, lesson_number))
        new, known = self._ledger.add(hits)
        notes = [results.message] if results.message else []
        if results.covered is False:
            notes.append(_not_covered(self._ledger.sources))
        if known:
            listed = ", ".join(f"[{passage.source.n}] {passage.heading}" for passage in known)
            notes.append(
                f"Found again, given above already: {listed}."
                + ("" if new else " Answer from these, or search with other words.")
            )
        return _outcome(new, notes)

    def _checked(self, arguments: dict[str, Any]) -> tuple[str, str | None, int | None]:
        _refuse_unknown(arguments, ("query", "course_name", "lesson_number"))
        query = _text(arguments, "query", _LONGEST_QUERY)
        if query is None:
            message = "query is missing; it says what to find."
            raise BadArguments(message)
        return query, _text(arguments, "course_name", _LONGEST_NAME), _lesson_number(arguments)


class CourseOutlineTool:
    """Tells what a course consists of, as far as the user's scope reaches."""

    name = OUTLINE_TOOL

    def __init__(self, library: Library, scope: Scope) -> None:
        self._library = library
        self._scope = scope

    def definition(self) -> dict[str, Any]:
        """Return name, description and JSON schema of the arguments."""
        return {
            "name": self.name,
            "description": load_prompt(self.name),
            "input_schema": {
                "type": "object",
                "properties": {"course_name": {"type": "string", "description": "Title or a part of it."}},
                "required": ["course_name"],
                "additionalProperties": False,
            },
        }

    def announce(self, arguments: dict[str, Any]) -> SearchStarted:
        """Return what the user is shown while the call runs."""
        name = self._checked(arguments)
        return SearchStarted(name, course_name=name)

    def execute(self, arguments: dict[str, Any]) -> ToolOutcome:
        """Return the outline as text."""
        found = self._library.outline(self._checked(arguments), self._scope)
        if isinstance(found, str):
            return ToolOutcome.of_text(found)
        lessons = [lesson for lesson in found.lessons if includes(self._scope, found.title, lesson.number)]
        if not lessons and found.lessons:
            return ToolOutcome.of_text(
                f"The course {one_line(found.title)!r} is outside what the question was restricted to."
            )
        return ToolOutcome.of_text(_outline(found, lessons))

    def _checked(self, arguments: dict[str, Any]) -> str:
        _refuse_unknown(arguments, ("course_name",))
        name = _text(arguments, "course_name", _LONGEST_NAME)
        if name is None:
            message = "course_name is missing."
            raise BadArguments(message)
        return name


def course_tools(library: Library, scope: Scope, limit: int | None = None) -> ToolManager:
    """Return the tools of one answer with a ledger of their own."""
    ledger = SourceRegistry(library)
    manager = ToolManager(ledger)
    manager.register_tool(CourseSearchTool(library, ledger, scope, limit))
    manager.register_tool(CourseOutlineTool(library, scope))
    return manager


def _outcome(new: list[Passage], notes: list[str]) -> ToolOutcome:
    blocks: list[dict[str, Any]] = [
        {
            "type": "search_result",
            "source": passage.source.ref,
            "title": passage.heading,
            "content": [{"type": "text", "text": text} for text in passage.texts],
            "citations": {"enabled": True},
        }
        for passage in new
    ]
    plain = [
        f"Passage [{passage.source.n}]\n[{passage.heading}]\n{' '.join(passage.texts)}" for passage in new
    ]
    if notes:
        blocks.append({"type": "text", "text": "\n".join(notes)})
    return ToolOutcome(tuple(blocks), "\n\n".join([*plain, *notes]), tuple(passage.source for passage in new))


def _nothing_found(course_name: str | None, lesson_number: int | None) -> str:
    where = f" in a course named {one_line(course_name)!r}" if course_name else ""
    if lesson_number is not None:
        where += f" in lesson {lesson_number}"
    return f"No passage was found{where}. The material may not cover this."


def _not_covered(sources: Sequence[Source]) -> str:
    nearest = "; ".join(
        heading(source.hit) + (f" ({one_line(source.hit.lesson_title)})" if source.hit.lesson_title else "")
        for source in nearest_lessons(sources)
    )
    return f"Nothing in the courses matches this well. Nearest lessons: {nearest}."


def _outline(course: Course, lessons: list[LessonInfo]) -> str:
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


def _refuse_unknown(arguments: dict[str, Any], known: tuple[str, ...]) -> None:
    unknown = [one_line(str(name)) for name in arguments if name not in known]
    if unknown:
        message = f"unknown argument {', '.join(unknown)}; it takes {', '.join(known)}."
        raise BadArguments(message)


def _text(arguments: dict[str, Any], name: str, longest: int) -> str | None:
    value = arguments.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        message = f"{name} must be text."
        raise BadArguments(message)
    whole = mend_surrogates(value[: 4 * longest]).replace("\0", " ")
    return " ".join(whole.split())[:longest].strip() or None


def _lesson_number(arguments: dict[str, Any]) -> int | None:
    value = arguments.get("lesson_number")
    if value is None or value == "":
        return None
    if isinstance(value, str):
        digits = value.strip()
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
        message = "lesson_number must be a whole number from 0 on."
        raise BadArguments(message)
    return value
