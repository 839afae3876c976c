"""Where the terms of a glossary stand in their course."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TermPlace:
    """One of the lessons that use a term."""

    lesson_number: int | None
    lesson_title: str
    times: int  # in this lesson
    passage: int  # key of the first one there that uses it
    start: int  # of that passage in its document
    end: int
