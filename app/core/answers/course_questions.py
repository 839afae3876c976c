"""Questions to begin a course with, which the cheapest model writes; kept is what the course answers."""

import asyncio
import logging
import re
from collections.abc import Mapping

from app.core.answers.prompts import one_line
from app.core.answers.providers.base import ModelSettings
from app.core.answers.service import AnswerService
from app.core.answers.side_request import ask_cheapest, known_error
from app.core.answers.sources import Library
from app.core.conversations.session_manager import SessionManager
from app.core.courses.service import CourseService
from app.domain.plain_text import harmless
from app.domain.scope import Scope

_MOST = 6
_TOKENS = 400
_LENGTH = range(12, 121)  # characters
_LONGEST_WAIT = 60  # seconds
_SIGNS = re.compile(r"^[\s\d.)*#\"“„«»>-]+|[\s*\"”“»«]+$")  # around a question in a list

_log = logging.getLogger(__name__)


class QuestionWriter:
    """Has questions written for courses, one request each, and keeps them in the library."""

    def __init__(
        self, answers: AnswerService, sessions: SessionManager, library: Library, courses: CourseService
    ) -> None:
        self._answers = answers
        self._sessions = sessions
        self._library = library
        self._courses = courses

    async def write(self, title: str, connection: ModelSettings) -> bool:
        """Write the questions of a course; return whether that worked. Their cost counts like an answer's."""
        if await asyncio.to_thread(self._answers.is_budget_spent):
            return False
        try:
            async with asyncio.timeout(_LONGEST_WAIT * connection.second):
                lessons = await asyncio.to_thread(self._courses.beginnings, title)
                reply, usage = await ask_cheapest(
                    connection,
                    self._answers.make_provider,
                    "course_questions",
                    _material(title, lessons),
                    _TOKENS,
                )
                await asyncio.to_thread(self._sessions.record_unsaved, usage)
                answered = [one for one in _questions(reply) if await self._is_answered(one, title)]
        except Exception as error:  # there are other suggestions
            _log.info("No questions were written for a course: %s", known_error(error))
            return False
        await asyncio.to_thread(self._courses.keep_questions, title, answered[:_MOST])
        return True

    async def _is_answered(self, question: str, title: str) -> bool:
        scope = Scope(courses=(title,))
        results = await asyncio.to_thread(self._library.retrieve, question, None, None, scope, None)
        return bool(results.covered and results.hits)


def _material(title: str, lessons: Mapping[str, str]) -> str:
    parts = (f"## {one_line(name)}\n{text}" for name, text in lessons.items())
    return "\n\n".join((f"Course: {one_line(title)}", *parts))


def _questions(reply: str) -> list[str]:
    lines = dict.fromkeys(_SIGNS.sub("", line) for line in harmless(reply).split("\n"))
    good = (line for line in lines if line.endswith("?") and len(line) in _LENGTH and "\ufffd" not in line)
    return list(good)[: 2 * _MOST]
