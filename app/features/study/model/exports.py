"""What of the decks is given away, and in which form."""

from dataclasses import dataclass
from enum import StrEnum

from app.features.study.model.items import QUIZ, SCHEDULED, ItemKind


class ExportFormat(StrEnum):
    ANKI = "anki"
    CSV = "csv"
    MOODLE = "moodle"
    GIFT = "gift"
    GUIDE = "guide"
    QUIZ = "quiz"
    GLOSSARY = "glossary"


SUFFIXES: dict[ExportFormat, tuple[str, ...]] = {
    ExportFormat.ANKI: (".apkg",),
    ExportFormat.CSV: (".csv",),
    ExportFormat.MOODLE: (".xml",),
    ExportFormat.GIFT: (".gift", ".txt"),
    ExportFormat.GUIDE: (".md", ".pdf"),
    ExportFormat.QUIZ: (".md", ".pdf"),
    ExportFormat.GLOSSARY: (".md", ".pdf"),
}
"""How the names of files end, the usual ending first. Only the window writes PDF."""

KINDS: dict[ExportFormat, tuple[ItemKind, ...]] = {
    ExportFormat.ANKI: (*SCHEDULED, *QUIZ),
    ExportFormat.CSV: tuple(ItemKind),
    ExportFormat.MOODLE: QUIZ,
    ExportFormat.GIFT: QUIZ,
    ExportFormat.GUIDE: (ItemKind.POINT,),
    ExportFormat.QUIZ: QUIZ,
    ExportFormat.GLOSSARY: (ItemKind.TERM,),
}
"""The kinds of items that each form holds."""


@dataclass(frozen=True, slots=True)
class StudyExport:
    """What to write."""

    deck_ids: tuple[int, ...]
    format: ExportFormat
    with_schedule: bool = False  # to Anki: how well the cards are known, and which are suspended
    with_answers: bool = True  # of a quiz on paper: on a page of their own


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed: a title, and parts in Markdown that each begin on a page of their own."""

    title: str
    parts: tuple[str, ...]
