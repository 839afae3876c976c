"""Writes decks to a file, whole or not at all; as a table for spreadsheets here."""

from __future__ import annotations

import csv
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from app.config.files import replace_file, writing
from app.domain.errors import UserError
from app.domain.messages import Message, rendered
from app.domain.plain_text import for_spreadsheet
from app.features.study.exports.moodle import write_gift, write_moodle
from app.features.study.exports.sheets import sheet_of
from app.features.study.exports.wording import line
from app.features.study.kinds import QUIZ, SCHEDULED
from app.features.study.model.items import Deck, Item, Sheet, StudyExport, course_order
from app.features.study.model.names import ExportFormat, ItemKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.features.study.store.items import StudyRepository
    from app.features.study.store.reviews import ReviewRepository


_COLUMNS = (
    *("course", "lesson", "lesson_title", "kind", "front", "back", "others", "explanation", "quote"),
    *("source", "difficulty", "language", "state", "uid"),
)


def write_csv(decks: list[tuple[Deck, list[Item]]], path: Path) -> None:
    """Write one row an item, as RFC 4180 has it, with the mark by which Excel knows UTF-8."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        for deck, items in decks:
            writer.writerows(map(for_spreadsheet, _row(deck, item)) for item in items)


def _row(deck: Deck, item: Item) -> tuple[str, ...]:
    hit, text = item.source.hit, item.text
    number = "" if hit.lesson_number is None else str(hit.lesson_number)
    others = "\n".join(map(line, text.others))
    said = (item.kind, text.front, text.back, others, text.explanation, item.quote)
    about = (hit.path, item.difficulty, item.language, item.state, item.uid)
    return (deck.course_title, number, hit.lesson_title, *said, *about)


class _Form(NamedTuple):
    """The kinds of items that a form of export holds."""

    kinds: tuple[ItemKind, ...]
    write: Callable[[list[tuple[Deck, list[Item]]], Path], None] | None = None  # None: printed, or for Anki


_FORMS = {
    ExportFormat.ANKI: _Form((*SCHEDULED, *QUIZ)),
    ExportFormat.CSV: _Form(tuple(ItemKind), write_csv),
    ExportFormat.MOODLE: _Form(QUIZ, write_moodle),
    ExportFormat.GIFT: _Form(QUIZ, write_gift),
    ExportFormat.GUIDE: _Form((ItemKind.POINT,)),
    ExportFormat.QUIZ: _Form(QUIZ),
    ExportFormat.GLOSSARY: _Form((ItemKind.TERM,)),
    ExportFormat.MARKS: _Form((ItemKind.MARK,)),
}


class StudyExporter:
    """Thread-safe. ``now`` returns seconds since the epoch."""

    def __init__(
        self, repository: StudyRepository, reviews: ReviewRepository, now: Callable[[], float]
    ) -> None:
        self._repository = repository
        self._reviews = reviews
        self._now = now

    def write(
        self,
        export: StudyExport,
        path: Path,
        say: Callable[[Message], str] = rendered,
        draw: Callable[[Sheet, Path], object] | None = None,
    ) -> int:
        """Write decks to a file, replacing an existing one; return how many items it holds.

        ``say`` translates what is printed; ``draw`` writes a sheet; without it, Markdown is written. Raises
        UserError if there is nothing to write, or the file cannot be written.
        """
        decks = self._decks(export)
        if not decks:
            raise UserError(Message("study_export.nothing"))
        with writing(path):
            replace_file(path, self._writer(export, decks, say, draw or _write_markdown))
        return sum(len(items) for _, items in decks)

    def _writer(
        self,
        export: StudyExport,
        decks: list[tuple[Deck, list[Item]]],
        say: Callable[[Message], str],
        draw: Callable[[Sheet, Path], object],
    ) -> Callable[[Path], object]:
        if write := _FORMS[export.format].write:
            return partial(write, decks)
        if export.format is ExportFormat.ANKI:
            # Imported late so that the program starts sooner.
            from app.features.study.exports.anki import write_apkg

            keys = [item.item_id for _, items in decks for item in items]
            histories = self._reviews.histories(keys) if export.with_schedule else None
            return partial(write_apkg, decks, histories=histories, now=self._now())
        return partial(draw, sheet_of(decks, export.format, say, with_answers=export.with_answers))

    def _decks(self, export: StudyExport) -> list[tuple[Deck, list[Item]]]:
        """Return the decks that have something to write, each with its items in the course's order."""
        chosen = [deck for deck in self._repository.decks() if deck.deck_id in export.deck_ids]
        kinds = _FORMS[export.format].kinds
        found = ((deck, self._repository.items(deck.deck_id, kinds)) for deck in chosen)
        return [(deck, sorted(items, key=course_order)) for deck, items in found if items]


def _write_markdown(sheet: Sheet, path: Path) -> None:
    path.write_text("\n---\n\n".join(sheet.parts), encoding="utf-8", newline="\n")
