"""A question and its answer."""

from app.features.study.kinds.base import EXPLANATION, AnkiNote, Field, Kind
from app.features.study.model.names import ItemKind


class Card(Kind):
    name = ItemKind.CARD
    fields = (
        Field("front", 400, "question", "The question, which names its subject."),
        Field("back", 600, "answer", "The right answer, as short as it can be."),
        EXPLANATION,
    )
    is_scheduled = True
    is_chosen_first = True
    anki = AnkiNote(1_795_000_001, ("Question", "Answer"), "{{Question}}", "{{Answer}}")
