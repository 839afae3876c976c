"""Commits documents that were read to the library, and gives a course another title."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.core.courses.arrangement import Arrangement
from app.core.courses.placement import description_of, put_into_place, renaming
from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.text.languages import language_of
from app.core.documents.text.passages import ChunkSettings, chunk_document, document_sentences, piece_text
from app.core.search.pieces import cut_pieces, index_chunks
from app.core.storage import codec, sql
from app.core.storage.catalog import put_corrections
from app.core.storage.documents import FileStamp, NewDocument
from app.domain.errors import UnreadableFile, UserError
from app.domain.events import FileDone, FileStatus, IngestEvent, IngestProgress
from app.domain.messages import Message
from app.domain.scope import with_renamed

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder, ReadyMade
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.domain.cancel import CancelToken
    from app.domain.courses import Correction, Facts, Place
    from app.domain.documents import CourseChunk, DocumentText, ParsedDocument


_KNOWN = 0.01  # share of the bytes after which the time left can be estimated
_EMBED_AT_ONCE = 64  # passages per progress event: about a second of work


@dataclass(slots=True)
class RunCounts:
    """Counts of one run, in bytes because a file's passages are unknown until it has been read."""

    token: CancelToken
    files_total: int = 0
    bytes_total: int = 0
    started: float = 0.0
    files_done: int = 0
    bytes_passed: int = 0
    bytes_worked: int = 0
    embedded: int = 0
    embed_seconds: float = 0.0

    def begin(self, sizes: Sequence[int]) -> None:
        """Start the clock for files of these sizes."""
        self.files_total, self.bytes_total = len(sizes), sum(sizes)
        self.started = time.monotonic()

    def finish(self, size: int) -> None:
        self.files_done += 1
        self.bytes_passed += size

    def seconds(self) -> float:
        """Return the duration of the run without pauses."""
        return time.monotonic() - self.started - self.token.seconds_rested

    def event(self, path: str, fraction: float, size: int) -> IngestProgress:
        """Return the progress when ``fraction`` of a file of ``size`` bytes is embedded."""
        worked = self.bytes_worked + fraction * size
        passed = self.bytes_passed + fraction * size
        rate = self.embedded / self.embed_seconds if self.embed_seconds else 0.0
        is_known = worked > _KNOWN * self.bytes_total
        left = (self.bytes_total - passed) * self.seconds() / worked if is_known else None
        share = min(passed / self.bytes_total, 1.0) if self.bytes_total else 0.0
        return IngestProgress(path, self.files_done, self.files_total, share, rate, left)


@dataclass(eq=False, slots=True)
class Storing:
    """Stores the documents of one run.

    Attributes:
        chunking: sizes of the passages.
        progress: is updated; its token is checked between batches of passages.
        reuse: keep the stored vectors of unchanged pieces; False if another model made them.
    """

    catalog: Catalog
    embedder: Embedder | ReadyMade
    chunking: ChunkSettings
    progress: RunCounts
    reuse: bool
    _names: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def store(
        self,
        parsed: ParsedDocument,
        stamp: FileStamp,
        facts: Facts | None,
        place: Place | None,
        *,
        is_sample: bool,
        replaces: int | None,
    ) -> Generator[IngestEvent, None, FileDone]:
        """Split, embed and commit a document that has the course and lessons of its place.

        ``facts`` are what it says about its place itself, if known; without a ``place`` it is a course of
        its own. ``replaces`` is the key of the document that it replaces.

        Raises:
            UnreadableFile: it contains only a header.
        """
        # A document that the user removes during embedding, which may take minutes, must stay removed.
        can_be_removed = replaces is not None and self.catalog.documents.is_searchable(replaces)
        sentences = document_sentences(parsed)
        cut = cut_pieces(parsed, chunk_document(parsed, self.chunking, sentences), sentences)
        if not cut:
            raise UnreadableFile(Message("ingest.header_without_text", name=Path(stamp.path).name))
        vectors, embedded = yield from self._embed(parsed, cut, stamp)
        names = self._embed_names({item.heading for item in cut} | {parsed.course_title})
        chunks = index_chunks(parsed, cut, vectors, names)
        new = NewDocument(
            stamp,
            parsed,
            sentences,
            chunks,
            names[parsed.course_title],
            is_sample,
            facts=facts,
            placed=place is not None and place.placed,
            description=description_of(parsed) if place is not None and place.about else None,
            language=language_of(parsed.text),
        )
        if self.catalog.documents.commit(new, replaces, unless_removed=can_be_removed) is None:
            return FileDone(stamp.path, FileStatus.REMOVED, None, 0, embedded)
        status = FileStatus.ADDED if replaces is None else FileStatus.CHANGED
        return FileDone(stamp.path, status, parsed.course_title, len(chunks), embedded)

    def store_again(
        self, document_id: int, place: Place | None = None, text: DocumentText | None = None
    ) -> Generator[IngestEvent, None, FileDone]:
        """Store a document again: in its own place unless another is given, and so with its text."""
        documents = self.catalog.documents
        record = documents.record(document_id)
        place = place or record.place
        text = text or documents.text(document_id)
        parsed = DocumentProcessor().parse(text, Path(record.path).name)
        return (
            yield from self.store(
                put_into_place(parsed, place),
                record,
                record.facts,
                place,
                is_sample=record.is_sample,
                replaces=document_id,
            )
        )

    def _embed_names(self, names: set[str]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors of headings and titles, reusing those of the previous document."""
        known = {name: self._names[name] for name in names & self._names.keys()}
        if new := sorted(names - known.keys()):
            known.update(zip(new, self.embedder.embed_passages(new, self.progress.token), strict=True))
        self._names = known
        return known

    def _embed(
        self, parsed: ParsedDocument, cut: Sequence[CourseChunk], stamp: FileStamp
    ) -> Generator[IngestEvent, None, tuple[NDArray[np.float32], int]]:
        """Embed pieces that have no vector; return all vectors in order and the number of new passages."""
        texts = [[piece_text(parsed.text, span) for span in item.pieces] for item in cut]
        vectors = self.catalog.passages.piece_vectors(stamp.path) if self.reuse else {}
        before = self.progress.embedded
        for start in range(0, len(cut), _EMBED_AT_ONCE):
            self.progress.token.check()
            yield self.progress.event(stamp.path, start / len(cut), stamp.size)
            batch = texts[start : start + _EMBED_AT_ONCE]
            missing = list(dict.fromkeys(text for pieces in batch for text in pieces if text not in vectors))
            self.progress.embedded += sum(any(text not in vectors for text in pieces) for pieces in batch)
            began = time.monotonic()
            if missing:
                vectors.update(
                    zip(missing, self.embedder.embed_passages(missing, self.progress.token), strict=True)
                )
            self.progress.embed_seconds += time.monotonic() - began
        embedded = self.progress.embedded - before
        return np.stack([vectors[text] for pieces in texts for text in pieces]), embedded


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
        sql.index_documents(connection, documents)
        sql.queue_courses(connection, documents)
        put_corrections(connection, corrections)
        _rename_in_chats(connection, old, new)
        for follow in database.hooks.course_renamed:
            follow(connection, old, new)
        sql.touch(connection)


def _corrections(catalog: Catalog, old: str, new: str) -> dict[str, Correction]:
    records = catalog.documents.of_course(old)
    roots = {path: bool(one_course) for path, one_course in catalog.places.folders().items()}
    placed = {record.path for record in records if record.place.placed}
    files = [record.path for record in records]
    return renaming(old, new, catalog.places.corrections(), files, placed, Arrangement(roots).folder_of)


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
        """UPDATE sources SET hit = json_set(hit, '$.course_title', ?1), course_title = ?1
           WHERE course_title = ?2""",
        (new, old),
    )
