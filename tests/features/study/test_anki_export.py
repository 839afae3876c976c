"""Packages for Anki: what is in the file, and what Anki's own library makes of it.

For the latter, name a Python that has the package ``anki``, which Lectern itself does without::

    python -m venv /tmp/anki && /tmp/anki/bin/pip install anki
    LECTERN_ANKI_PYTHON=/tmp/anki/bin/python python -m pytest tests/features/study/test_anki_export.py
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import time
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.features.study.exports.anki import write_apkg
from app.features.study.model.items import Deck, QuoteState
from app.features.study.model.names import ItemKind
from app.features.study.model.reviews import CardState, History, LoggedReview, Rating, Schedule
from tests.support.exported import QUOTE, item

if TYPE_CHECKING:
    from app.features.study.model.items import Item

IMPORT = Path(__file__).parents[2] / "support" / "anki_import.py"
ANKI = os.environ.get("LECTERN_ANKI_PYTHON", "")
DECK = Deck(1, "d" * 32, "Tides :: and\x07 Currents")
COURSE = "Tides : and\ufffd Currents"
FIRST, SECOND = f"{COURSE}::01 Why the sea rises", f"{COURSE}::02 Ebb:flow"
NOW = time.time()
DAY = 86_400.0


def items() -> list[Item]:
    ebb = (2, "Ebb::flow")
    made = [
        item(ItemKind.CARD, "What *pulls*, if $x^2$?", "The <b>moon</b>", (), "See [sound:a.mp3].", key=1),
        item(ItemKind.CLOZE, "The {{c1::moon}} pulls {{c2::C++::ocean $x^{2}$}}.", key=2),
        item(ItemKind.TERM, "Tide", "A rise\n\n```python\na[0] = '<'\n```", key=3, lesson=ebb),
        item(ItemKind.CHOICE, "Which one?", "moon", ("sun", "wind"), key=4, lesson=ebb),
        item(ItemKind.SHORT, "Who?", "moon", ("luna",), key=5, lesson=(None, "")),
    ]
    written = [replace(one, created_at=NOW - 9 * DAY, changed_at=NOW - 5 * DAY) for one in made]
    return [*written[:3], replace(written[3], suspended=True), replace(written[4], state=QuoteState.GONE)]


HISTORIES = {
    1: History(
        Schedule(NOW + 10 * DAY, CardState.REVIEW, None, 12.5, 5.5, NOW - 2 * DAY, 1),
        (
            LoggedReview(NOW - 9 * DAY, Rating.GOOD, 3.2, CardState.NEW),
            LoggedReview(NOW - 2 * DAY, Rating.HARD, 100, CardState.REVIEW),
        ),
    ),
    2: History(
        Schedule(NOW + 600, CardState.LEARNING, 0, 0.5, 6.0, NOW - 60),
        (LoggedReview(NOW - 60, Rating.AGAIN, 2, CardState.NEW),),
    ),
    4: History(
        Schedule(NOW - 40 * DAY, CardState.REVIEW, None, 3.0, 5.0, NOW - 50 * DAY),
        (LoggedReview(NOW - 50 * DAY, Rating.GOOD, 2, CardState.NEW),),
    ),
}


def write(
    path: Path, made: list[Item], histories: dict[int, History] | None = None, now: float = NOW
) -> dict[str, list[tuple[Any, ...]]]:
    """Write a package; return the rows of the collection in it."""
    write_apkg([(DECK, made)], path, histories, now)
    with zipfile.ZipFile(path) as package, closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(package.read("collection.anki2"))
        return {
            table: connection.execute(f"SELECT * FROM {table}").fetchall()
            for table in ("col", "notes", "cards", "revlog")
        }


def test_what_did_not_change_has_the_same_ids_and_times_in_every_package(tmp_path: Path) -> None:
    made = items()
    first = write(tmp_path / "first.apkg", made)
    edited = replace(made[0], text=replace(made[0].text, back="The sun"), changed_at=NOW + 5)
    second = write(tmp_path / "second.apkg", [edited, *made[1:]], now=NOW + 100)

    def notes(rows: dict[str, list[tuple[Any, ...]]]) -> dict[str, tuple[Any, ...]]:
        return {row[1]: row[2:] for row in rows["notes"]}  # by guid

    old, new = notes(first), notes(second)
    assert set(old) == set(new) == {one.uid for one in made}
    assert [uid for uid in old if old[uid] != new[uid]] == [edited.uid]
    assert new[edited.uid][1] == int(NOW + 5) > old[edited.uid][1]
    models, decks = (json.loads(first["col"][0][at]) for at in (9, 10))
    assert (models, decks.keys()) == (
        json.loads(second["col"][0][9]),
        json.loads(second["col"][0][10]).keys(),
    )
    assert {deck["name"] for deck in decks.values()} == {"Default", COURSE, FIRST, SECOND}
    assert [row[6:8] for row in first["cards"]] == [(0, 0)] * 5  # all new, though one is suspended
    assert first["revlog"] == []


def test_what_was_learnt_goes_along_if_that_is_wished(tmp_path: Path) -> None:
    rows = write(tmp_path / "deck.apkg", items(), HISTORIES)

    ids = {row[0]: int(row[1], 16) for row in rows["notes"]}
    cards = {ids[row[1]]: row[6:14] for row in rows["cards"]}
    assert cards[1] == (2, 2, 10, 12, 2500, 2, 1, 0)
    assert cards[2] == (1, 1, int(NOW + 600), 0, 2500, 1, 0, 1001)
    assert cards[3] == (0, 0, 3, 0, 0, 0, 0, 0)
    assert cards[4] == (2, -1, -40, 10, 2500, 1, 0, 0)
    data = {ids[row[1]]: json.loads(row[17] or "{}") for row in rows["cards"]}
    assert data[1] == {"s": 12.5, "d": 5.5, "lrt": int(NOW - 2 * DAY)}
    (card,) = (row[0] for row in rows["cards"] if ids[row[1]] == 1)
    assert [row[3:] for row in rows["revlog"] if row[1] == card] == [
        (3, 7, 0, 0, 3200, 0),
        (2, 12, 7, 2500, 60_000, 1),
    ]


@pytest.mark.skipif(not ANKI, reason="LECTERN_ANKI_PYTHON names no Python with Anki's library")
def test_anki_takes_it_once_and_later_only_what_has_changed(tmp_path: Path) -> None:
    made = items()
    write(tmp_path / "first.apkg", made, HISTORIES)
    moved = replace(
        item(ItemKind.CARD, "What pulls?", "The sun", key=1, lesson=(3, "Elsewhere")),
        created_at=NOW,
        changed_at=NOW + 5,
    )
    write(tmp_path / "later.apkg", [moved, *made[1:]], HISTORIES, now=NOW + 100)
    packages = [str(tmp_path / name) for name in ("first.apkg", "first.apkg", "later.apkg", "later.apkg")]

    done = subprocess.run([ANKI, str(IMPORT), *packages], capture_output=True, check=True)

    report = json.loads(done.stdout)
    first, again, later, last = report["imports"]
    assert report["sound"]
    assert [one["log"] for one in report["imports"]] == [
        [5, 0, 0, 0],
        [0, 0, 5, 0],
        [0, 1, 4, 0],
        [0, 0, 5, 0],
    ]
    assert first["rows"] == again["rows"]
    assert later["rows"] == last["rows"]
    assert set(first["decks"]) == {"Default", COURSE, FIRST, SECOND}
    cards = [first["cards"][one.uid] for one in made]
    assert [card["deck"] for card in cards] == [FIRST, FIRST, SECOND, SECOND, COURSE]
    assert cards[0]["fields"] == {
        "Question": r"What <em>pulls</em>, if \(x^2\)?",
        "Answer": "The &lt;b&gt;moon&lt;/b&gt;",
        "Explanation": "See &#91;sound:a.mp3].",
        "Quote": QUOTE,
        "Source": "Tides and Currents, Lesson 1: Why the sea rises",
    }
    assert [card["tags"] for card in cards[3:]] == [
        ["Tides_:_and\ufffd_Currents::02_Ebb:flow"],
        ["source::gone", "Tides_:_and\ufffd_Currents"],
    ]
    assert [card["kind"] for card in cards] == [[2, 2], [1, 1], [0, 0], [2, -1], [0, 0]]
    assert [cards[at]["due"] for at in (0, 3)] == [10, -40]
    assert (cards[0]["interval"], cards[0]["reps"], cards[0]["lapses"]) == (12, 2, 1)
    assert cards[0]["memory"] == [12.5, 5.5]
    assert first["reviews"] == 4
    assert "[...]" in cards[1]["question"] and "moon" not in cards[1]["question"].split('">[')[1]
    assert QUOTE in cards[1]["answer"]
    assert "a[0] = &#x27;&lt;&#x27;" in cards[2]["answer"]
    assert [card["plays"] for card in cards] == [0] * 5
    changed = later["cards"][moved.uid]
    assert changed["fields"]["Answer"] == "The sun"
    assert changed["fields"]["Source"].endswith("Lesson 3: Elsewhere")
    assert changed["due"] == 10
    assert later["reviews"] == 4
