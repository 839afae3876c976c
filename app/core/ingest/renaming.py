"""Gives a course another title, without reading or embedding anything again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.core.courses.arrangement import Arrangement
from app.core.courses.placement import renaming
from app.core.search.pieces import heading_of, with_heading
from app.core.storage import codec, sql
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.scope import with_renamed
from app.features.study.store import decks

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.domain.courses import Correction


def check_title(catalog: Catalog, old: str, new: str) -> None:
    """Raise UserError if a course cannot have a title because another one has it."""
    if old not in catalog.courses.titles():
        raise UserError(Message("ingest.unknown_name", name=old))
    others = {title.casefold(): title for title in catalog.courses.ids() if title != old}
    if other := others.get(new.casefold()):
        is_there = other in catalog.courses.titles()
        raise UserError(Message("ingest.title_taken" if is_there else "ingest.title_in_trash", title=other))


def rename_course(
    database: Database, catalog: Catalog, old: str, new: str, vector: NDArray[np.float32]
) -> None:
    """Rename a course in one transaction: in the search, in all conversations and decks, and for later runs.

    Passages keep their keys and vectors, so sources still lead to them. Only where a file has no heading at
    all do its vectors hold a little of the old title, until it is read again. ``vector`` is that of the
    new title.
    """
    corrections = _corrections(catalog, old, new)
    with database.transaction() as connection:
        rows = connection.execute(
            "SELECT id FROM documents WHERE course_id = (SELECT id FROM courses WHERE title = ?)", (old,)
        )
        documents = [row["id"] for row in rows]
        sql.unindex(connection, documents)
        connection.execute(
            "UPDATE courses SET title = ?, embedding = ? WHERE title = ?",
            (new, codec.encode_vectors(vector), old),
        )
        _put_terms(connection, documents, new)
        sql.index_documents(connection, documents)
        sql.queue_courses(connection, documents)
        connection.executemany(
            "INSERT OR REPLACE INTO corrections (path, course_title, left_out) VALUES (?, ?, ?)",
            [(path, item.course, int(bool(item.left_out))) for path, item in corrections.items()],
        )
        _rename_in_chats(connection, old, new)
        decks.rename_deck(connection, old, new)
        sql.touch(connection)


def _corrections(catalog: Catalog, old: str, new: str) -> dict[str, Correction]:
    records = catalog.documents.of_course(old)
    roots = {path: bool(one_course) for path, one_course in catalog.places.folders().items()}
    placed = {record.path for record in records if record.place.placed}
    files = [record.path for record in records]
    return renaming(old, new, catalog.places.corrections(), files, placed, Arrangement(roots).folder_of)


def _put_terms(connection: sqlite3.Connection, documents: Sequence[int], course: str) -> None:
    """Let the title's words count for each passage, as :func:`index_chunks` does."""
    rows = connection.execute(
        f"""SELECT k.id, k.terms, l.title, d.marked,
                   (SELECT value FROM anchors AS a WHERE a.document_id = d.id AND kind = 'heading'
                    AND a.start <= k.start ORDER BY a.start DESC LIMIT 1) AS above
            FROM chunks AS k JOIN lessons AS l ON l.id = k.lesson_id
            JOIN documents AS d ON d.id = k.document_id WHERE d.id {sql.IN_KEYS}""",
        (sql.keys(documents),),
    ).fetchall()
    renamed = []
    for row in rows:
        above = str(row["above"] or "")
        heading = heading_of(row["title"], above, course, is_marked=bool(row["marked"]))
        terms = with_heading(codec.decode_terms(row["terms"]), course, heading)
        renamed.append((codec.encode_terms(terms), row["id"]))
    connection.executemany("UPDATE chunks SET terms = ? WHERE id = ?", renamed)


def _rename_in_chats(connection: sqlite3.Connection, old: str, new: str) -> None:
    """Rename it where questions are restricted to it, and in the sources of answers."""
    for table in ("conversations", "exchanges"):
        rows = connection.execute(
            f"SELECT id, scope FROM {table} WHERE instr(scope, ?)", (json.dumps(old, ensure_ascii=False),)
        ).fetchall()
        scopes = ((with_renamed(codec.decode_scope(row["scope"]), old, new), row["id"]) for row in rows)
        connection.executemany(
            f"UPDATE {table} SET scope = ? WHERE id = ?",
            [(codec.encode_part(scope), key) for scope, key in scopes],
        )
    connection.execute(
        """UPDATE sources SET hit = json_set(hit, '$.course_title', ?)
           WHERE json_extract(hit, '$.course_title') = ?""",
        (new, old),
    )
