"""The texts the model is told, kept as Markdown under ``resources/prompts``.

Nothing in them changes from one question to the next, so that a server can cache them: no dates, no
names of courses. What belongs to one question, such as its scope, goes into the user's turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.config.paths import resource_path

if TYPE_CHECKING:
    from app.domain.scope import Scope

_LONGEST_TITLE = 200


def load_prompt(name: str) -> str:
    """Return the text of ``resources/prompts/<name>.md`` without its final newline.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return resource_path(f"resources/prompts/{name}.md").read_text(encoding="utf-8").strip()


def one_line(text: str) -> str:
    """Fold white space: a title from a file must not look like a paragraph of its own."""
    folded = " ".join(text.split())
    return folded if len(folded) <= _LONGEST_TITLE else folded[: _LONGEST_TITLE - 1] + "…"


def scope_note(scope: Scope) -> str:
    """Return the sentence about the scope for the user's turn; empty for the whole library."""
    if scope.is_everything:
        return ""
    return load_prompt("scope").replace("{scope}", _described(scope))


def _described(scope: Scope) -> str:
    limits: dict[str, int] = {}
    for title, last in scope.up_to:
        limits[title] = min(last, limits.get(title, last))
    lessons: dict[str, list[int | None]] = {}
    for title, number in scope.lessons:
        if title not in scope.courses:
            lessons.setdefault(title, []).append(number)
    parts = [_quoted(title) + _limit(limits, title) for title in scope.courses]
    parts += [f"{_quoted(title)} {_lessons(lessons[title])}{_limit(limits, title)}" for title in lessons]
    if not parts:
        only = [f"{_quoted(title)} only{_limit(limits, title)}" for title in limits]
        parts = ["all courses, but " + " and ".join(only)]
    return "; ".join(parts)


def _lessons(numbers: list[int | None]) -> str:
    numbered = sorted(number for number in numbers if number is not None)
    words = ["text outside the lessons"] if None in numbers else []
    if numbered:
        words.append(f"{'lesson' if len(numbered) == 1 else 'lessons'} {', '.join(map(str, numbered))}")
    return " and ".join(words)


def _quoted(title: str) -> str:
    return f"“{one_line(title)}”"


def _limit(limits: dict[str, int], title: str) -> str:
    return f" up to lesson {limits[title]}" if title in limits else ""
