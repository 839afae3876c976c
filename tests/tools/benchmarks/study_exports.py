"""How long giving a large deck away takes, and how much memory.

``python -m tests.tools.benchmarks.study_exports [--items N]`` prints one JSON line: for each form, the
seconds,
the most memory that Python held (traced in a second run) and the size of the file. Half of the items are
plain words; the others hold emphasis, code and a formula. The reference is the package as genanki alone
writes it, of fields that are ready.
"""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
import time
import tracemalloc
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import genanki

from app.domain.messages import rendered
from app.features.study.exports.anki import write_apkg
from app.features.study.exports.exporter import write_csv
from app.features.study.exports.moodle import write_gift, write_moodle
from app.features.study.exports.sheets import sheet_of
from app.features.study.model.names import ExportFormat, ItemKind
from app.features.study.model.reviews import CardState, History, LoggedReview, Rating, Schedule
from tests.support.exported import DECK, item
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.features.study.model.items import Item

_DAY = 86_400.0
_KINDS = (ItemKind.CARD, ItemKind.CHOICE)


def make_items(count: int) -> list[Item]:
    """Return cards and quiz questions of twenty lessons."""
    made = []
    for key in range(1, count + 1):
        plain = key % 4 < 2
        back = "Because the moon pulls it." if plain else f"It is *{key}* as in `f(x)`, so $x^2 = {key}$."
        lesson = (key * 20 // (count + 1), "Why the sea rises")
        front = f"Why does the sea rise for the time number {key}?"
        made.append(item(_KINDS[key % 2], front, back, ("Wind", "Rain"), back, lesson=lesson, key=key))
    return made


def measure(count: int) -> dict[str, Any]:
    """Write the items in all forms."""
    items, now = make_items(count), time.time()
    decks = [(DECK, items)]
    reviews = tuple(LoggedReview(now - day * _DAY, Rating.GOOD, 3, CardState.REVIEW) for day in (9, 5, 1))
    learnt = History(Schedule(now + _DAY, CardState.REVIEW, None, 3.0, 5.0, now - _DAY), reviews)
    histories = {one.item_id: learnt for one in items}

    def sheet(path: Path) -> None:
        parts = sheet_of(decks, ExportFormat.QUIZ, rendered, with_answers=True).parts
        path.write_text("\n".join(parts), encoding="utf-8")

    forms: dict[str, Callable[[Path], object]] = {
        "anki": lambda path: write_apkg(decks, path, histories, now),
        "csv": partial(write_csv, decks),
        "moodle": partial(write_moodle, decks),
        "gift": partial(write_gift, decks),
        "quiz": sheet,
        "genanki alone": partial(_genanki_alone, count),
    }
    with tempfile.TemporaryDirectory() as folder:
        return {"items": count} | {
            name: _measured(write, Path(folder, name)) for name, write in forms.items()
        }


def _measured(write: Callable[[Path], object], path: Path) -> dict[str, float]:
    start = time.perf_counter()
    write(path)
    seconds = time.perf_counter() - start
    tracemalloc.start()
    write(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "seconds": round(seconds, 2),
        "mb": round(most / 1e6, 1),
        "file_mb": round(path.stat().st_size / 1e6, 1),
    }


def _genanki_alone(count: int, path: Path) -> None:
    fields = ["Why does the sea rise?", "Because the moon pulls it."]
    deck = genanki.Deck(1 << 47, "Tides")
    for key in range(count):
        deck.add_note(genanki.Note(genanki.BASIC_MODEL, fields, guid=str(key)))
    with closing(sqlite3.connect(":memory:")) as connection:
        genanki.Package([deck]).write_to_db(connection.cursor(), 0, itertools.count(1))
        connection.commit()
        path.write_bytes(connection.serialize())


if __name__ == "__main__":
    parser = parser_of(__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    print_result(measure(parser.parse_args().items))
