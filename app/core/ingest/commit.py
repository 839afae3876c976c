"""From a document's text to its committed passages: cut, embed, then one transaction."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.core.courses.facts import description_of
from app.core.documents.text.passages import ChunkSettings, chunk_document, document_sentences, piece_text
from app.core.search.pieces import cut_pieces, index_chunks
from app.core.storage.records import FileStamp, NewDocument
from app.domain.errors import UnreadableFile
from app.domain.events import FileDone, FileStatus, IngestEvent, IngestProgress
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray

    from app.core.storage.catalog import Catalog
    from app.domain.cancel import CancelToken
    from app.domain.courses import Facts, Place
    from app.domain.documents import CourseChunk, ParsedDocument

_EMBED_AT_ONCE = 64  # passages between two progress events: about a second of work


class PassageEmbedder(Protocol):
    """What ingestion needs of the embedding model."""

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return one normalised row a text, in the order given."""


@dataclass(slots=True)
class Progress:
    """Counts of one run; bytes stand for work, since passages are only known once a file is read."""

    files_total: int
    bytes_total: int
    token: CancelToken
    started: float = field(default_factory=time.monotonic)
    files_done: int = 0
    bytes_passed: int = 0
    bytes_worked: int = 0
    embedded: int = 0
    embed_seconds: float = 0.0

    def seconds(self) -> float:
        """Return how long the run has taken, without the time it was paused."""
        return time.monotonic() - self.started - self.token.seconds_rested

    def event(self, path: str, fraction: float, size: int) -> IngestProgress:
        """Describe the run while ``fraction`` of a file of ``size`` bytes is embedded."""
        worked = self.bytes_worked + fraction * size
        passed = self.bytes_passed + fraction * size
        rate = self.embedded / self.embed_seconds if self.embed_seconds else 0.0
        left = None
        if worked:
            left = (self.bytes_total - passed) * self.seconds() / worked
        return IngestProgress(path, self.files_done, self.files_total, self.embedded, rate, left)


class Storing:
    """Stores documents whole.

    Args:
        catalog: of the library.
        embedder: the embedding model.
        chunking: how passages are cut.
        reuse: keep the stored vectors of pieces that are still there; not when they come from
            another embedding model.
    """

    def __init__(
        self,
        catalog: Catalog,
        embedder: PassageEmbedder,
        chunking: ChunkSettings,
        *,
        reuse: bool,
    ) -> None:
        self._catalog = catalog
        self._embedder = embedder
        self._chunking = chunking
        self._reuse = reuse
        self._names: dict[str, NDArray[np.float32]] = {}

    def store(
        self,
        parsed: ParsedDocument,
        stamp: FileStamp,
        facts: Facts | None,
        place: Place | None,
        progress: Progress,
        token: CancelToken,
        *,
        is_sample: bool,
        replaces: int | None,
    ) -> Generator[IngestEvent, None, FileDone]:
        """Cut, embed and commit a document.

        Args:
            parsed: with the course and lessons of its place.
            stamp: of its file.
            facts: what it says about its place itself; None where they are not known.
            place: where it belongs; None for a course of its own.
            progress: of the run; counts on.
            token: checked between batches of passages.
            is_sample: of the course.
            replaces: key of the document in whose place it comes.

        Raises:
            UnreadableFile: there is nothing in it but a header.
        """
        # Embedding takes seconds or minutes, in which it can be removed: it must not come back by itself.
        can_be_removed = replaces is not None and self._catalog.documents.is_searchable(replaces)
        sentences = document_sentences(parsed)
        cut = cut_pieces(parsed, chunk_document(parsed, self._chunking, sentences), sentences)
        if not cut:
            raise UnreadableFile(Message("ingest.header_without_text", name=Path(stamp.path).name))
        vectors, embedded = yield from self._embed(parsed, cut, stamp, progress, token)
        names = self._embed_names({item.heading for item in cut} | {parsed.course_title}, token)
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
        )
        if self._catalog.documents.commit(new, replaces, unless_removed=can_be_removed) is None:
            return FileDone(stamp.path, FileStatus.REMOVED, None, 0, embedded)
        status = FileStatus.ADDED if replaces is None else FileStatus.CHANGED
        return FileDone(stamp.path, status, parsed.course_title, len(chunks), embedded)

    def _embed_names(self, names: set[str], token: CancelToken) -> dict[str, NDArray[np.float32]]:
        """Return the vectors of headings and titles; where files are small, most were in the file before."""
        known = {name: self._names[name] for name in names & self._names.keys()}
        if new := sorted(names - known.keys()):
            known.update(zip(new, self._embedder.embed_passages(new, token), strict=True))
        self._names = known
        return known

    def _embed(
        self,
        parsed: ParsedDocument,
        cut: Sequence[CourseChunk],
        stamp: FileStamp,
        progress: Progress,
        token: CancelToken,
    ) -> Generator[IngestEvent, None, tuple[NDArray[np.float32], int]]:
        """Embed the pieces that have no vector yet.

        Returns all pieces' vectors in order, and how many passages had a new piece.
        """
        texts = [[piece_text(parsed.text, span) for span in item.pieces] for item in cut]
        vectors = self._catalog.passages.piece_vectors(stamp.path) if self._reuse else {}
        embedded = 0
        for start in range(0, len(cut), _EMBED_AT_ONCE):
            token.check()
            yield progress.event(stamp.path, start / len(cut), stamp.size)
            batch = texts[start : start + _EMBED_AT_ONCE]
            missing = list(dict.fromkeys(text for pieces in batch for text in pieces if text not in vectors))
            touched = sum(any(text not in vectors for text in pieces) for pieces in batch)
            began = time.monotonic()
            if missing:
                vectors.update(zip(missing, self._embedder.embed_passages(missing, token), strict=True))
            progress.embedded += touched
            progress.embed_seconds += time.monotonic() - began
            embedded += touched
        return np.stack([vectors[text] for pieces in texts for text in pieces]), embedded
