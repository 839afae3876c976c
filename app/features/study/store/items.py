"""Decks and their items in the library file.

Decks follow their courses: into the trash and back, and to another title. A deck is in the trash if all
documents of its course are; one whose course has left the library in another way stays. Functions run inside
the caller's transaction.
"""

import json
import sqlite3
import time
import uuid
from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any

from app.core.storage import codec, sql
from app.core.storage.database import Database
from app.domain.search import SearchHit
from app.domain.sources import Source
from app.features.study.model.items import Deck, Difficulty, Item, LessonMark, NewItem, QuoteState
from app.features.study.model.names import MADE, ItemKind, ItemText

TEXTS = tuple(part.name for part in fields(ItemText))
"""The columns of what an item says."""
_AS_STORED = ("start", "end", "quote", "language", "uid", "deck_id", "created_at", "changed_at", "now")


class StudyRepository:
    """Reads and writes decks and items. Each method is one transaction; thread-safe.

    Deleted items stay until the next start, so that deleting can be undone; nothing else sees them.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def decks(self) -> tuple[Deck, ...]:
        """Return the decks with items or marks, by title; what is due is not counted here."""
        rows = self._db.connection.execute(
            """SELECT d.id, d.uid, d.course_title, count(*) - sum(i.kind = 'mark') AS items
               FROM decks AS d JOIN items AS i ON i.deck_id = d.id AND i.deleted_at IS NULL
               WHERE d.trashed_at IS NULL GROUP BY d.id"""
        )
        found = (Deck(row["id"], row["uid"], row["course_title"], row["items"]) for row in rows)
        return tuple(sorted(found, key=lambda deck: deck.course_title.casefold()))

    def deck_of(self, course_title: str) -> int:
        """Return the key of a course's deck, a new one if it has none."""
        with self._db.transaction() as connection:
            query = "SELECT id FROM decks WHERE course_title = ? AND trashed_at IS NULL"
            row = connection.execute(query, (course_title,)).fetchone()
            if row is not None:
                return int(row["id"])
            values = {"uid": uuid.uuid4().hex, "course_title": course_title, "created_at": time.time()}
            return insert_deck(connection, values)

    def course_of(self, document_id: int) -> str | None:
        """Return the title of the course that a document belongs to now; None if it has left the library."""
        query = """SELECT c.title FROM documents AS d JOIN courses AS c ON c.id = d.course_id
                   WHERE d.id = ? AND d.trashed_at IS NULL"""
        row = self._db.connection.execute(query, (document_id,)).fetchone()
        return None if row is None else str(row["title"])

    def items(self, deck_id: int | None = None, kinds: Collection[ItemKind] = MADE) -> tuple[Item, ...]:
        """Return the items of a deck, or of all, oldest first; of some kinds, by default no marks."""
        rows = self._db.connection.execute(
            """SELECT i.* FROM items AS i JOIN decks AS d ON d.id = i.deck_id
               WHERE i.deleted_at IS NULL AND d.trashed_at IS NULL AND i.deck_id = ifnull(:deck, i.deck_id)
               AND i.kind IN (SELECT value FROM json_each(:kinds)) ORDER BY i.id""",
            {"deck": deck_id, "kinds": json.dumps(list(kinds))},
        )
        return tuple(map(item_of, rows))

    def item(self, item_id: int) -> Item | None:
        """Return an item; None if it was deleted, or is in the trash with its deck."""
        query = """SELECT i.* FROM items AS i JOIN decks AS d ON d.id = i.deck_id
                   WHERE i.id = ? AND i.deleted_at IS NULL AND d.trashed_at IS NULL"""
        row = self._db.connection.execute(query, (item_id,)).fetchone()
        return None if row is None else item_of(row)

    def add(self, deck_id: int, items: Sequence[NewItem]) -> tuple[int, ...]:
        """Store items, all or none; return their keys."""
        with self._db.transaction() as connection:
            return tuple(_insert(connection, deck_id, item) for item in items)

    def edit(self, item_id: int, text: ItemText) -> None:
        columns = _columns(text)
        said = ", ".join(f"{name} = ?" for name in columns)
        self._db.write(
            f"UPDATE items SET {said}, edited = 1, changed_at = ? WHERE id = ?",
            [(*columns.values(), time.time(), item_id)],
        )

    def places(self, kinds: Collection[ItemKind] = ()) -> list[tuple[int, int, int]]:
        """Return where the quotes of items stand now: document, start and end."""
        rows = self._db.connection.execute(
            """SELECT i.document_id, i.start, i."end" FROM items AS i JOIN decks AS d ON d.id = i.deck_id
               WHERE i.deleted_at IS NULL AND d.trashed_at IS NULL AND i.state = 'current'
               AND (:kinds = '[]' OR i.kind IN (SELECT value FROM json_each(:kinds)))""",
            {"kinds": json.dumps(list(kinds))},
        )
        return [tuple(row) for row in rows]

    def marks_in(self, document_id: int) -> list[LessonMark]:
        rows = self._db.connection.execute(
            """SELECT i.id, i.start, i."end", i.quote, i.back
               FROM items AS i JOIN decks AS d ON d.id = i.deck_id
               WHERE i.document_id = ? AND i.kind = 'mark' AND i.state = 'current'
               AND i.deleted_at IS NULL AND d.trashed_at IS NULL ORDER BY i.start""",
            (document_id,),
        )
        return [LessonMark(*row) for row in rows]

    def marks(self) -> list[tuple[int, str, str, str]]:
        """Return the key of every mark, its course, what is marked, and the note."""
        rows = self._db.connection.execute(
            """SELECT i.id, d.course_title, i.front, i.back
               FROM items AS i JOIN decks AS d ON d.id = i.deck_id
               WHERE i.kind = 'mark' AND i.deleted_at IS NULL AND d.trashed_at IS NULL ORDER BY i.id DESC"""
        )
        return [tuple(row) for row in rows]

    def note_result(self, item_id: int, *, is_right: bool) -> None:
        self._db.write(
            "UPDATE items SET quiz_right = ?, quiz_at = ? WHERE id = ?",
            [(int(is_right), time.time(), item_id)],
        )

    def delete(self, item_ids: Sequence[int]) -> None:
        """Delete items, until :meth:`restore` or the next start."""
        self._db.write(
            f"UPDATE items SET deleted_at = ? WHERE id {sql.IN_KEYS}", [(time.time(), sql.keys(item_ids))]
        )

    def restore(self, item_ids: Sequence[int]) -> None:
        self._db.write(f"UPDATE items SET deleted_at = NULL WHERE id {sql.IN_KEYS}", [(sql.keys(item_ids),)])

    def sweep(self) -> None:
        """Delete for good what was deleted before, and the decks that are empty."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM items WHERE deleted_at IS NOT NULL")
            connection.execute("DELETE FROM decks WHERE id NOT IN (SELECT deck_id FROM items)")

    def move(self, item_ids: Sequence[int], deck_id: int) -> None:
        """Put items into another deck; how well they are known stays."""
        self._db.write(
            f"UPDATE items SET deck_id = ? WHERE id {sql.IN_KEYS}", [(deck_id, sql.keys(item_ids))]
        )


def item_of(row: sqlite3.Row) -> Item:
    hit = codec.decode_hit(row["hit"])
    sentences = codec.decode_sentences(row["sentences"])
    said = {part: row[part] for part in TEXTS} | {"others": tuple(json.loads(row["others"]))}
    stored: dict[str, Any] = {name: row[name] for name in _AS_STORED}
    return Item(
        **stored | {name: bool(row[name]) for name in ("automatic", "edited", "suspended")},
        kind=ItemKind(row["kind"]),
        text=ItemText(**said),
        source=Source(1, row["uid"], hit, sentences, row["document_sha256"]),
        difficulty=Difficulty(row["difficulty"]),
        item_id=row["id"],
        state=QuoteState(row["state"]),
        quiz_right=None if row["quiz_right"] is None else bool(row["quiz_right"]),
    )


def passage_columns(hit: SearchHit) -> dict[str, object]:
    """Return the columns of an item for its passage."""
    return {
        "hit": codec.encode_part(hit),
        "course_title": hit.course_title,
        "lesson_number": hit.lesson_number,
        "lesson_title": hit.lesson_title,
    }


def _insert(connection: sqlite3.Connection, deck_id: int, item: NewItem) -> int:
    return sql.insert(
        connection,
        "items",
        uid=uuid.uuid4().hex,
        deck_id=deck_id,
        kind=item.kind,
        **_columns(item.text),
        difficulty=item.difficulty,
        language=item.language,
        automatic=int(item.automatic),
        created_at=(now := time.time()),
        changed_at=now,
        document_id=item.source.hit.document_id,
        document_sha256=item.source.document_sha256,
        start=item.start,
        end=item.end,
        quote=item.quote,
        **passage_columns(item.source.hit),
        sentences=codec.encode_sentences(item.source.sentences),
    )


def _columns(text: ItemText) -> dict[str, str]:
    others = json.dumps(text.others, ensure_ascii=False)
    return {part: getattr(text, part) for part in TEXTS} | {"others": others}


_LIVE_COURSES = "SELECT course_id FROM documents WHERE trashed_at IS NULL"


def trash_decks(connection: sqlite3.Connection, document_ids: Sequence[int], moment: float) -> None:
    """Move the decks of courses to the trash of which documents were the last outside it."""
    connection.execute(
        f"""UPDATE decks SET trashed_at = ? WHERE trashed_at IS NULL AND course_id NOT IN ({_LIVE_COURSES})
            AND course_id IN (SELECT course_id FROM documents WHERE id {sql.IN_KEYS})""",
        (moment, sql.keys(document_ids)),
    )


def return_decks(connection: sqlite3.Connection) -> None:
    """Restore the decks of courses that are no longer in the trash, merging each with one made since.

    A deck whose course had left the library belongs to the one that has its title now.
    """
    _link(connection)
    rows = connection.execute(
        f"""SELECT id, course_title FROM decks WHERE trashed_at IS NOT NULL
            AND (course_id IS NULL OR course_id IN ({_LIVE_COURSES})) ORDER BY id"""
    ).fetchall()
    for row in rows:
        _put(connection, row["id"], row["course_title"])


def delete_decks(connection: sqlite3.Connection) -> None:
    """Delete the decks in the trash whose courses were deleted for good."""
    connection.execute("DELETE FROM decks WHERE trashed_at IS NOT NULL AND course_id IS NULL")


def rename_deck(connection: sqlite3.Connection, old: str, new: str) -> None:
    """Give the deck of a course the course's new title; if there is one with that title, join both."""
    row = connection.execute(
        """SELECT id FROM decks WHERE trashed_at IS NULL
           AND course_id = (SELECT id FROM courses WHERE title = ?)""",
        (new,),
    ).fetchone()
    if row is not None:
        _put(connection, row["id"], new)
    connection.execute(
        """UPDATE items SET hit = json_set(hit, '$.course_title', ?1), course_title = ?1, changed_at = ?2
           WHERE course_title = ?3""",
        (new, time.time(), old),
    )


def insert_deck(connection: sqlite3.Connection, values: dict[str, Any]) -> int:
    key = sql.insert(connection, "decks", **values)
    _link(connection)
    return key


def _link(connection: sqlite3.Connection) -> None:
    """Let decks without a course refer to the one that has their title."""
    connection.execute(
        """UPDATE decks SET course_id = (SELECT id FROM courses WHERE title = course_title)
           WHERE course_id IS NULL"""
    )


def _put(connection: sqlite3.Connection, deck_id: int, title: str) -> None:
    """Assign a deck to a course, or merge it into the course's deck."""
    query = "SELECT id FROM decks WHERE course_title = ? AND trashed_at IS NULL AND id <> ?"
    other = connection.execute(query, (title, deck_id)).fetchone()
    if other is None:
        connection.execute(
            "UPDATE decks SET course_title = ?, trashed_at = NULL WHERE id = ?", (title, deck_id)
        )
        return
    connection.execute("UPDATE items SET deck_id = ? WHERE deck_id = ?", (other["id"], deck_id))
    connection.execute("UPDATE practice_exams SET deck_id = ? WHERE deck_id = ?", (other["id"], deck_id))
    connection.execute("DELETE FROM decks WHERE id = ?", (deck_id,))
    _link(connection)
