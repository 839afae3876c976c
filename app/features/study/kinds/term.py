"""A term and the course's own definition; together they are the glossary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.study.kinds.base import EXPLANATION, AnkiNote, Field, Kind
from app.features.study.model.names import ItemKind

if TYPE_CHECKING:
    from app.features.study.kinds.base import FactsOfPassage, Span
    from app.features.study.model.names import ItemText


class Term(Kind):
    name = ItemKind.TERM
    fields = (
        Field("front", 120, "term", "The term.", "line"),
        Field("back", 600, "definition", "Its definition in the words of the quotation.", "line"),
        EXPLANATION,
    )
    is_scheduled = True
    is_automatic = True
    is_in_course_words = True
    has_wording_alone = True  # the names of different things may mean much the same
    anki = AnkiNote(1_795_000_003, ("Term", "Definition"), "<b>{{Term}}</b>", "{{Definition}}")

    def heading(self, text: ItemText) -> str:
        return f"## {text.front}"

    def secrets(self, text: ItemText) -> tuple[str, tuple[str, ...]]:
        return "", ()

    def quoted(self, text: ItemText) -> tuple[str, ...]:
        return (text.back,)

    def wrong(self, facts: FactsOfPassage, text: ItemText, quoted: Span) -> str:
        return "" if facts.names(text.front) else "The passage has no such term."

    def defined(self, term: str, said: str, sentence: str) -> tuple[str, str] | None:
        return term, said
