"""A question with one right answer among wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.messages import Message
from app.features.study.kinds.base import EXPLAINED, AnkiNote, Field, Kind
from app.features.study.model.names import ItemKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.features.study.model.names import ItemText


class Choice(Kind):
    name = ItemKind.CHOICE
    fields = (
        Field("front", 400, "question", "The question, which names its subject."),
        Field("back", 250, "answer", "The right answer, as short as it can be."),
        Field("others", 250, "wrong_answers", "Three wrong answers.", shape="list"),
        EXPLAINED,
    )
    is_quiz = True
    has_choices = True
    anki = AnkiNote(1_795_000_004, ("Question", "Options", "Answer"), "{{Question}}{{Options}}", "{{Answer}}")

    def problem(self, text: ItemText) -> Message | None:
        if found := super().problem(text):
            return found
        if not text.others:
            return Message("study.no_wrong_answer")
        is_among = text.back.casefold() in map(str.casefold, text.others)
        return Message("study.right_among_wrong") if is_among else None

    def anki_fields(
        self, text: ItemText, to_html: Callable[[str], str], options: tuple[str, ...]
    ) -> tuple[str, ...]:
        listed = "".join(f"<li>{to_html(option)}</li>" for option in options)
        return to_html(text.front), f'<ol type="A">{listed}</ol>', to_html(text.back)
