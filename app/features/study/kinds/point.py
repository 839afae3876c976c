"""A claim of the study guide, under the heading of its section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.study.kinds.base import Field, Kind
from app.features.study.model.names import ItemKind

if TYPE_CHECKING:
    from app.features.study.kinds.base import FactsOfPassage, Span
    from app.features.study.model.names import ItemText


class Point(Kind):
    name = ItemKind.POINT
    fields = (
        Field("front", 120, "heading", "Of its section.", "line"),
        Field("back", 600, "claim", "What to know."),
    )

    def meaning(self, text: ItemText) -> str:
        return text.back

    def wording(self, text: ItemText) -> str:
        return text.back

    def secrets(self, text: ItemText) -> tuple[str, tuple[str, ...]]:
        return "", ()

    def wrong(self, facts: FactsOfPassage, text: ItemText, quoted: Span) -> str:
        return facts.wrong_statement(text.back, quoted)
