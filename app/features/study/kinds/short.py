"""A question whose answer is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.study.kinds.base import EXPLAINED, AnkiNote, Field, Kind
from app.features.study.model.names import ItemKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.features.study.model.names import ItemText


class Short(Kind):
    name = ItemKind.SHORT
    fields = (
        Field("front", 400, "question", "The question, which names its subject."),
        Field("back", 120, "answer", "The right answer, as short as it can be."),
        Field("others", 250, "also_right", "Other right answers; at most four.", "list", required=False),
        EXPLAINED,
    )
    is_quiz = True
    anki = AnkiNote(
        1_795_000_005,
        ("Question", "Answer", "Other answers"),
        "{{Question}}<br>{{type:Answer}}",
        "{{Answer}}{{#Other answers}}<div>{{Other answers}}</div>{{/Other answers}}",
    )

    def answers(self, text: ItemText) -> tuple[str, ...]:
        return text.back, *text.others

    def anki_fields(
        self, text: ItemText, to_html: Callable[[str], str], options: tuple[str, ...]
    ) -> tuple[str, ...]:
        return to_html(text.front), to_html(text.back), "<br>".join(map(to_html, text.others))
