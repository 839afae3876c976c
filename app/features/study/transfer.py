"""Copies decks, their items and how well these are known from one library file into another.

An item is the same everywhere by its uid. If both libraries have it, the text edited last counts, as do the
last result of a quiz question and the last suspension or resumption; the logs are united, and the schedule of
the later review counts.
"""

import json
import sqlite3
import uuid
from dataclasses import astuple, replace
from typing import Any

from app.core.storage import codec, sql
from app.core.storage.codec import check_hit, fits, require, without
from app.core.storage.database import LibraryCopy
from app.features.study.exams import exam_of
from app.features.study.model.items import Difficulty, QuoteState
from app.features.study.model.names import ItemKind
from app.features.study.model.reviews import CardState, Rating
from app.features.study.store.items import TEXTS, insert_deck, passage_columns, return_decks
from app.features.study.store.reviews import put_schedule, schedule_of

_LATEST = 32_503_680_000.0  # the year 3000; what lies beyond cannot be shown as a date everywhere
_MOST = 1e9  # of stabilities and of lapses
_CHANGED = (*TEXTS, "edited", "changed_at")
# Of copies changed at the same moment, or at none that is known, the one that is kept out of reviews holds.
_WITHHELD = ("withheld_at", "suspended", "buried_until")
_UID = frozenset("0123456789abcdef")


def copy_decks(merge: LibraryCopy) -> None:
    """Copy the decks that are not in the trash; the documents were copied before.

    Raises:
        Inconsistent: the source contradicts itself.
        ValueError, TypeError, KeyError, AttributeError: a stored value cannot be decoded.
    """
    return_decks(merge.target)
    for row in merge.read("SELECT * FROM decks WHERE trashed_at IS NULL ORDER BY id"):
        deck = _deck(merge, row)
        for item in merge.read(
            "SELECT id FROM items WHERE deck_id = ? AND deleted_at IS NULL ORDER BY id", row["id"]
        ):
            merge.token.check()
            _unite_reviews(merge, item["id"], _put_item(merge, item["id"], deck))
        for exam in merge.rows_of("practice_exams", "deck_id", row["id"]):
            _put_exam(merge, exam, deck)


def _deck(merge: LibraryCopy, row: sqlite3.Row) -> int:
    """Return the key of the deck of the same course in the target, a new one if there is none."""
    values = {name: row[name] for name in ("uid", "course_title", "created_at")}
    require(_is_uid(row["uid"]) and _is_moment(row["created_at"]))
    query = "SELECT id FROM decks WHERE course_title = ? AND trashed_at IS NULL"
    there = merge.target.execute(query, (row["course_title"],)).fetchone()
    if there is not None:
        return int(there["id"])
    if merge.target.execute("SELECT 1 FROM decks WHERE uid = ?", (row["uid"],)).fetchone() is not None:
        values["uid"] = uuid.uuid4().hex  # renamed there, or in the trash
    return insert_deck(merge.target, values)


def _put_item(merge: LibraryCopy, item_id: int, deck: int) -> int:
    """Copy an item, or the newer parts of one that is there; return its key in the target."""
    (row,) = merge.rows_of("items", "id", item_id)
    values = _checked_item(merge, row)
    known = merge.target.execute(
        """SELECT i.id, i.edited, i.changed_at, ifnull(i.quiz_at, 0) AS quiz_at,
                  i.withheld_at, i.suspended, i.buried_until, d.trashed_at IS NOT NULL AS is_trashed
           FROM items AS i JOIN decks AS d ON d.id = i.deck_id WHERE i.uid = ?""",
        (row["uid"],),
    ).fetchone()
    if known is None:
        return sql.insert(merge.target, "items", deck_id=deck, **values)
    newer = {"deck_id": deck} if known["is_trashed"] else {}
    # One also changes when its sentence moves or its course is renamed: what was edited outlasts that.
    if (row["edited"], row["changed_at"]) > (known["edited"], known["changed_at"]):
        newer |= {name: values[name] for name in _CHANGED}
        newer["changed_at"] = max(row["changed_at"], known["changed_at"])
    if (row["quiz_at"] or 0) > known["quiz_at"]:
        newer |= {name: values[name] for name in ("quiz_right", "quiz_at")}
    if tuple(row[name] or 0 for name in _WITHHELD) > tuple(known[name] or 0 for name in _WITHHELD):
        newer |= {name: values[name] for name in _WITHHELD}
    if newer:
        columns = ", ".join(f"{name} = ?" for name in newer)
        merge.target.execute(f"UPDATE items SET {columns} WHERE id = ?", (*newer.values(), known["id"]))
    return int(known["id"])


def _checked_item(merge: LibraryCopy, row: sqlite3.Row) -> dict[str, Any]:
    ItemKind(row["kind"]), Difficulty(row["difficulty"]), QuoteState(row["state"])
    others = json.loads(row["others"])
    require(isinstance(others, list) and all(isinstance(other, str) for other in others))
    require(_is_uid(row["uid"]) and 0 <= row["start"] <= row["end"])
    moments = ("created_at", "changed_at", "buried_until", "quiz_at", "withheld_at")
    require(all(_is_moment(row[name] or 0) for name in moments))
    sentences = codec.decode_sentences(row["sentences"])
    require(all(fits(position, int) for span in sentences for position in span))
    hit = codec.decode_hit(row["hit"])
    check_hit(hit)
    # A document that was not copied has no key here; 0 is no document's.
    values = without(row, "id", "deck_id")
    values.update(
        document_id=merge.known.get(row["document_id"], 0),
        **passage_columns(replace(hit, document_id=merge.known.get(hit.document_id, 0))),
    )
    return values


def _unite_reviews(merge: LibraryCopy, item_id: int, key: int) -> None:
    there = {
        (row["at"], row["rating"])
        for row in merge.target.execute("SELECT at, rating FROM reviews WHERE item_id = ?", (key,))
    }
    lacking = []
    for row in merge.rows_of("reviews", "item_id", item_id):
        Rating(row["rating"]), CardState(row["state"])
        require(_is_moment(row["at"]) and 0 <= row["seconds"] <= _MOST)
        if (row["at"], row["rating"]) not in there:
            lacking.append((key, row["at"], row["rating"], row["seconds"], row["state"]))
    merge.target.executemany(
        "INSERT INTO reviews (item_id, at, rating, seconds, state) VALUES (?, ?, ?, ?, ?)", lacking
    )
    for row in merge.rows_of("schedules", "item_id", item_id):
        _check_schedule(row)
        mine = merge.target.execute("SELECT last_review FROM schedules WHERE item_id = ?", (key,)).fetchone()
        if mine is None or mine["last_review"] < row["last_review"]:
            put_schedule(merge.target, key, schedule_of(row))


def _put_exam(merge: LibraryCopy, row: sqlite3.Row, deck: int) -> None:
    """Copy an exam that was finished, unless it is there."""
    query = "SELECT 1 FROM practice_exams WHERE deck_id = ? AND started_at = ?"
    if row["finished_at"] is None or merge.target.execute(query, (deck, row["started_at"])).fetchone():
        return
    require(_is_moment(row["started_at"]) and _is_moment(row["finished_at"]))
    for _, lesson, points, _, share in map(astuple, exam_of(row).tasks):
        require((lesson[0] is None or fits(lesson[0], int)) and fits(lesson[1], str))
        require(fits(points, int | float) and fits(share or 0.0, int | float))
    sql.insert(merge.target, "practice_exams", **(without(row, "id", "deck_id") | {"deck_id": deck}))


def _check_schedule(row: sqlite3.Row) -> None:
    """Refuse what FSRS could not go on with."""
    is_in_days = CardState(row["state"]) is CardState.REVIEW
    require(_is_moment(row["due"]) and _is_moment(row["last_review"]))
    require(0 < row["stability"] <= _MOST and 1 <= row["difficulty"] <= 10 and 0 <= row["lapses"] <= _MOST)
    require(row["step"] is None if is_in_days else row["step"] in range(100))


def _is_moment(value: Any) -> bool:  # noqa: ANN401 - whatever the row holds
    return fits(value, int | float) and 0 <= value < _LATEST


def _is_uid(text: str) -> bool:
    return len(text) == 32 and _UID.issuperset(text)
