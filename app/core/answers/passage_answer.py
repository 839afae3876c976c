"""An answer without a model: the passages themselves, best first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.models import Citation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.models import SearchResults, Source

# What Markdown would read as syntax inside a passage.
_SYNTAX = re.compile(r"([\\`*_{}\[\]<>#+|~!&$])")
_LIST_START = re.compile(r"^(\s*)([-=]|\d+[.)])", re.MULTILINE)


def passage_answer(results: SearchResults, sources: Sequence[Source]) -> tuple[str, tuple[Citation, ...]]:
    """Return Markdown that quotes each source under its course and lesson, and a citation for each.

    Args:
        results: of the search; its message is shown first.
        sources: its hits as numbered sources.
    """
    answer = f"{_literal(results.message)}\n\n" if results.message else ""
    if not sources and not answer:
        answer = "Nothing in your courses matches this question. Try other words.\n\n"
    citations = []
    for source in sources:
        hit = source.hit
        lesson = "" if hit.lesson_number is None else f"Lesson {hit.lesson_number}"
        place = ": ".join(part for part in (lesson, hit.lesson_title) if part)
        heading = f"**{_literal(place or hit.course_title)}**"
        if place:
            heading += f" · {_literal(hit.course_title)}"
        begin = len(answer) + len(heading) + len("\n\n")
        quoted = "\n".join(f"> {line}" for line in _paragraphs(hit.text))
        answer += f"{heading}\n\n{quoted}"
        citations.append(Citation(source.n, begin, len(answer), hit.start, hit.end, hit.text, verified=True))
        answer += "\n\n"
    return answer.rstrip("\n"), tuple(citations)


def _paragraphs(text: str) -> list[str]:
    """Return the lines of a passage: hard-wrapped lines joined, blank lines kept."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines.extend(("", _literal(paragraph)))
    return lines[1:]


def _literal(text: str | None) -> str:
    folded = " ".join((text or "").split())
    return _LIST_START.sub(r"\1\\\2", _SYNTAX.sub(r"\\\1", folded))
