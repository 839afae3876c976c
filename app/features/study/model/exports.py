"""What of the decks is exported."""

from dataclasses import dataclass

from app.features.study.model.names import ExportFormat


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
