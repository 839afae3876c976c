"""Finds the text a source was taken from, even after its file has changed or left the library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.core.storage.codec import decode_spans
from app.domain.sources import LessonText, Source, SourceState

if TYPE_CHECKING:
    import sqlite3

    from app.domain.search import SearchHit


def source_of(connection: sqlite3.Connection, n: int, hit: SearchHit) -> Source:
    """Return a hit as source ``n``, with its sentences, the file's hash and a reference.

    Raises:
        KeyError: the document has left the library.
    """
    # Without its text: a book's takes longer to read than the rest of a search.
    row = connection.execute(
        "SELECT sha256, sentences FROM documents WHERE id = ?", (hit.document_id,)
    ).fetchone()
    if row is None:
        raise KeyError(hit.document_id)
    spans = decode_spans(row["sentences"])
    inside = spans[(spans[:, 0] < hit.end) & (spans[:, 1] > hit.start)].clip(hit.start, hit.end)
    sentences = tuple((start, end) for start, end in inside.tolist())
    return Source(n, f"lectern:{hit.document_id}:{hit.start}-{hit.end}", hit, sentences, row["sha256"])


def source_state(connection: sqlite3.Connection, source: Source) -> SourceState:
    """Return how a source stands to the library of now; files are not looked at."""
    return _find(connection, source)[0]


def lesson_text(connection: sqlite3.Connection, source: Source) -> LessonText:
    """Return the whole lesson a source is from.

    The cited text may lie in the trash, or be gone since the file was read again with other content. Then
    only the passage is left, which every source keeps.
    """
    state, row = _find(connection, source)
    path = row["path"] if row is not None else source.hit.path
    text, start, is_whole = source.hit.text, source.hit.start, False
    if row is not None and row["sha256"] == source.document_sha256:
        first, last = _lesson_span(connection, row["id"], source)
        stored = connection.execute(
            "SELECT substr(text, ? + 1, ? - ?) AS lesson FROM documents WHERE id = ?",
            (first, last, first, row["id"]),
        ).fetchone()["lesson"]
        inside = slice(source.hit.start - first, source.hit.end - first)
        if stored[inside] == source.hit.text:  # the same bytes may have been read in another way
            text, start, is_whole = stored, first, True
    return LessonText(source, state, text, start, is_whole, path, _is_file(path))


def _find(connection: sqlite3.Connection, source: Source) -> tuple[SourceState, sqlite3.Row | None]:
    """Return the state, and the source's document or the one that replaced it."""
    sha256, path = source.document_sha256, source.hit.path
    rows = connection.execute(
        """SELECT id, path, sha256, trashed_at IS NOT NULL AS trashed FROM documents
           WHERE sha256 = :sha256 OR path = :path
           ORDER BY trashed, id <> :id, path <> :path, id""",
        {"id": source.hit.document_id, "sha256": sha256, "path": path},
    ).fetchall()
    same = [row for row in rows if row["sha256"] == sha256]
    if same and not same[0]["trashed"]:
        return SourceState.CURRENT, same[0]
    for row in rows:  # not by key, which a later document may have
        if not row["trashed"] and row["path"] == path:
            return SourceState.CHANGED, same[0] if same else row
    return SourceState.REMOVED, same[0] if same else None


def _lesson_span(connection: sqlite3.Connection, document_id: int, source: Source) -> tuple[int, int]:
    """Return the span of the source's lesson, or of the whole document where no lesson contains it."""
    row = connection.execute(
        """SELECT start, "end" FROM lessons WHERE document_id = ? AND start <= ? AND "end" >= ?
           ORDER BY position LIMIT 1""",
        (document_id, source.hit.start, source.hit.end),
    ).fetchone()
    if row is not None:
        return row["start"], row["end"]
    length = connection.execute("SELECT length(text) FROM documents WHERE id = ?", (document_id,))
    return 0, int(length.fetchone()[0])


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a drive that is gone, or a name no file can have
        return False
