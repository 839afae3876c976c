"""An answer without a model: the passages themselves, best first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.domain.messages import Message
from app.domain.sources import Citation, nearest_lessons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.search import SearchHit, SearchResults
    from app.domain.sources import Source

# Of the best passage's score. In 82 passages that answered a question none was below 0.6.
_WORTH_SHOWING = 0.4

# What Markdown would read as syntax inside a passage.
_SYNTAX = re.compile(r"([\\`*_{}\[\]<>#+|~!&$])")
_LIST_START = re.compile(r"^(\s*)([-=]|\d+[.)])", re.MULTILINE)


def worth_showing(hits: Sequence[SearchHit]) -> tuple[SearchHit, ...]:
    """Leave out hits, best first, that a small library returns only for lack of better ones."""
    return tuple(hit for hit in hits if hit.score >= _WORTH_SHOWING * hits[0].score)


def passage_answer(results: SearchResults, sources: Sequence[Source]) -> tuple[str, tuple[Citation, ...]]:
    """Return Markdown that quotes each source under its course and lesson, and a citation for each.

    Args:
        results: of the search; its message comes first.
        sources: its hits as numbered sources.
    """
    text = f"{_literal(str(results.message))}\n\n" if results.message else ""
    if not sources and not text:
        text = f"{Message('answers.nothing_matches')}\n\n"
    citations: list[Citation] = []
    if sources and results.covered is False:
        text, citations = _not_covered(text, sources)
    for source in sources:
        hit = source.hit
        heading = f"**{_literal(_place(source) or hit.course_title)}**"
        if _place(source):
            heading += f" · {_literal(hit.course_title)}"
        begin = len(text) + len(heading) + len("\n\n")
        quoted = "\n".join(f"> {line}" for line in _paragraphs(hit.text))
        text += f"{heading}\n\n{quoted}"
        citations.append(Citation(source.n, begin, len(text), hit.start, hit.end, hit.text, verified=True))
        text += "\n\n"
    return text.rstrip("\n"), tuple(citations)


def _not_covered(text: str, sources: Sequence[Source]) -> tuple[str, list[Citation]]:
    """Say that the question is not covered and name the closest lessons, each with its mark."""
    text += f"{Message('answers.not_covered')}\n\n"
    citations = []
    for source in nearest_lessons(sources):
        hit = source.hit
        place = _literal(_place(source) or hit.course_title)
        text += "- "
        begin = len(text)
        text += f"[{place}]({_address(hit.link)})" if _is_web(hit.link) else f"**{place}**"
        if _place(source):
            text += f" · {_literal(hit.course_title)}"
        citations.append(Citation(source.n, begin, len(text), hit.start, hit.end, hit.text, verified=True))
        text += "\n"
    return f"{text}\n{Message('answers.passages_found')}\n\n", citations


def _place(source: Source) -> str:
    lesson = "" if source.hit.lesson_number is None else f"Lesson {source.hit.lesson_number}"
    return ": ".join(part for part in (lesson, source.hit.lesson_title) if part)


def _is_web(link: str | None) -> bool:
    return bool(link) and str(link).lower().startswith(("http://", "https://"))


def _address(link: str | None) -> str:
    """Return an address without the characters that would end a Markdown link."""
    return quote(link or "", safe=":/?#[]@!$&'*+,;=%~-._")


def _paragraphs(text: str) -> list[str]:
    """Return the lines of a passage: hard-wrapped lines joined, blank lines kept."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines.extend(("", _literal(paragraph)))
    return lines[1:]


def _literal(text: str | None) -> str:
    folded = " ".join((text or "").split())
    return _LIST_START.sub(r"\1\\\2", _SYNTAX.sub(r"\\\1", folded))
