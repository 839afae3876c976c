"""Decks as a table for spreadsheets (CSV)."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from app.domain.plain_text import for_spreadsheet
from app.features.study.exports.wording import line

if TYPE_CHECKING:
    from pathlib import Path

    from app.features.study.model.items import Deck, Item

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
