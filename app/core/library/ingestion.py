"""From files to committed documents: read, cut, embed, then one transaction a document."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.core.documents.chunking import ChunkSettings, chunk_document, document_sentences
from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.readers import KNOWN_BUT_UNREAD
from app.core.documents.reading_process import ReadingProcess
from app.core.library.discovery import FoundFile, discover
from app.core.library.records import FileStamp, NewDocument
from app.core.search.pieces import CutChunk, cut_pieces, index_chunks, piece_text
from app.domain.errors import UnreadableFile, UserError
from app.domain.events import (
    FileDone,
    FileStarted,
    FileStatus,
    IngestDone,
    IngestEvent,
    IngestProgress,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from numpy.typing import NDArray

    from app.core.library.catalog import Catalog, FileRecord
    from app.core.search.terms import Terms
    from app.domain.cancel import CancelToken
    from app.domain.models import DocumentText, ParsedDocument

_EMBED_AT_ONCE = 64  # passages between two progress events: about a second of work
_HASH_BLOCK = 1 << 20


class PassageEmbedder(Protocol):
    """What ingestion needs of the embedding model."""

    def embed_passages(
        self, texts: Sequence[str], token: CancelToken, on_batch: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """Return one normalised row a text, in the order given."""


@dataclass(slots=True)
class _Progress:
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


class Ingestion:
    """Brings files into the library. One run at a time.

    Args:
        reuse: keep the stored vectors of pieces that are still there; not when they come from
            another embedding model.
    """

    def __init__(
        self,
        catalog: Catalog,
        embedder: PassageEmbedder,
        terms: Terms,
        chunking: ChunkSettings,
        *,
        reuse: bool = True,
    ) -> None:
        self._reuse = reuse
        self._terms = terms
        self._catalog = catalog
        self._embedder = embedder
        self._chunking = chunking
        self._processor = DocumentProcessor()
        self._reading = ReadingProcess()

    def run(
        self, paths: Sequence[Path], token: CancelToken, *, is_sample: bool = False, clear: bool = False
    ) -> Iterator[IngestEvent]:
        """Add or refresh folders and files; every document committed before a cancel stays.

        Args:
            paths: folders and files.
            token: checked between files and between batches of passages.
            is_sample: mark the courses as samples.
            clear: put everything that is in the library into the trash first.

        Raises:
            UserError: a path is gone.
            LibraryUnusable: the library can not be written.
            Cancelled: the token was cancelled.
        """
        found = discover(paths)
        if clear:
            self._catalog.trash([record.document_id for record in self._catalog.files().values()])
        known = self._catalog.files()
        titles_before = set(self._catalog.course_titles())
        progress = _Progress(len(found), sum(item.size for item in found), token)
        done: list[FileDone] = []
        with self._reading:
            for index, item in enumerate(found, 1):
                token.check()
                yield FileStarted(str(item.path), index, len(found))
                result = yield from self._one_file(item, known, progress, token, is_sample)
                progress.files_done += 1
                progress.bytes_passed += item.size
                done.append(result)
                yield result
        for result in self._remove_gone(paths, {str(item.path) for item in found}):
            done.append(result)
            yield result
        added = set(self._catalog.course_titles()) - titles_before
        yield IngestDone(
            tuple(done), self._catalog.counts(), progress.seconds(), progress.embedded, len(added)
        )

    def cut_again(
        self, token: CancelToken, records: Sequence[FileRecord] | None = None
    ) -> Iterator[IngestEvent]:
        """Cut and embed documents anew from their stored text, without their files.

        For new chunk settings or another embedding model. Each document is swapped as a whole.

        Args:
            token: stops between two documents.
            records: which; one in the trash comes out of it. None for all that can be searched.
        """
        if records is None:
            records = list(self._catalog.files().values())
        progress = _Progress(len(records), sum(record.size for record in records), token)
        done: list[FileDone] = []
        for index, record in enumerate(records, 1):
            token.check()
            yield FileStarted(record.path, index, len(records))
            stamp, document, is_sample = self._catalog.stored_document(record.document_id)
            result = yield from self._store(
                document, stamp, progress, token, is_sample=is_sample, replaces=record
            )
            progress.files_done += 1
            progress.bytes_passed += record.size
            done.append(result)
            yield result
        yield IngestDone(tuple(done), self._catalog.counts(), progress.seconds(), progress.embedded, 0)

    def _one_file(
        self,
        item: FoundFile,
        known: dict[str, FileRecord],
        progress: _Progress,
        token: CancelToken,
        is_sample: bool,
    ) -> Generator[IngestEvent, None, FileDone]:
        path = str(item.path)
        if item.skipped:
            return FileDone(path, FileStatus.SKIPPED, reason=item.skipped)
        if item.failed:
            return FileDone(path, FileStatus.FAILED, reason=item.failed)
        if item.path.suffix.lower() in KNOWN_BUT_UNREAD:
            return FileDone(path, FileStatus.FAILED, reason=f"Not yet read: {item.path.suffix.lower()}")
        record = known.get(path)
        if record and (record.size, record.mtime_ns) == (item.size, item.mtime_ns):
            return _done(record, FileStatus.UNCHANGED)
        reason = self._catalog.failure(path, item.size, item.mtime_ns)
        if reason:
            return FileDone(path, FileStatus.FAILED, reason=reason)
        try:
            stamp = FileStamp(path, item.size, item.mtime_ns, _sha256(item.path, token))
            if record and record.sha256 == stamp.sha256:
                self._catalog.moved(record.document_id, stamp)
                return _done(record, FileStatus.UNCHANGED)
            twin = self._catalog.file_with_content(stamp.sha256) if record is None else None
            if twin:
                return self._twin(twin, stamp)
            document = self._reading.read(item.path, token)
            result = yield from self._store(
                document, stamp, progress, token, is_sample=is_sample, replaces=record
            )
        except UnreadableFile as error:
            # What the content is to blame for is remembered until it changes.
            self._catalog.set_failure(path, item.size, item.mtime_ns, str(error))
            return FileDone(path, FileStatus.FAILED, reason=str(error))
        except (_TitleTaken, _NotOpened) as error:
            # Not remembered: they are mended without a change to this file.
            return FileDone(path, FileStatus.FAILED, reason=str(error))
        progress.bytes_worked += item.size
        return result

    def _twin(self, twin: FileRecord, stamp: FileStamp) -> FileDone:
        """Deal with a file whose content is already in the library under another path."""
        if Path(twin.path).exists():
            name = Path(twin.path).name
            return FileDone(stamp.path, FileStatus.SKIPPED, reason=f"It has the same content as {name}.")
        self._catalog.moved(twin.document_id, stamp)
        return FileDone(stamp.path, FileStatus.MOVED, twin.course_title, twin.passages)

    def _store(
        self,
        document: DocumentText,
        stamp: FileStamp,
        progress: _Progress,
        token: CancelToken,
        *,
        is_sample: bool,
        replaces: FileRecord | None,
    ) -> Generator[IngestEvent, None, FileDone]:
        parsed = self._processor.parse(document, Path(stamp.path).name)
        replaces = self._owner_of_title(parsed.course_title, stamp.path, replaces)
        sentences = document_sentences(parsed)
        cut = cut_pieces(parsed, chunk_document(parsed, self._chunking, sentences), sentences)
        if not cut:
            message = f"{Path(stamp.path).name} has a header but no text."
            raise UnreadableFile(message)
        vectors, embedded = yield from self._embed(parsed, cut, stamp, progress, token)
        headings = sorted({item.heading for item in cut})
        of_headings = self._embedder.embed_passages([*headings, parsed.course_title], token)
        chunks = index_chunks(
            parsed, cut, vectors, dict(zip(headings, of_headings[:-1], strict=True)), self._terms
        )
        new = NewDocument(stamp, parsed, sentences, chunks, of_headings[-1], is_sample)
        self._catalog.commit(new, replaces.document_id if replaces else None)
        status = FileStatus.CHANGED if replaces else FileStatus.ADDED
        return FileDone(stamp.path, status, parsed.course_title, len(chunks), embedded)

    def _embed(
        self,
        parsed: ParsedDocument,
        cut: Sequence[CutChunk],
        stamp: FileStamp,
        progress: _Progress,
        token: CancelToken,
    ) -> Generator[IngestEvent, None, tuple[NDArray[np.float32], int]]:
        """Embed the pieces that have no vector yet.

        Returns all pieces' vectors in order, and how many passages had a new piece.
        """
        texts = [[piece_text(parsed.text, span) for span in item.pieces] for item in cut]
        vectors = self._catalog.piece_vectors(stamp.path) if self._reuse else {}
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

    def _owner_of_title(self, title: str, path: str, replaces: FileRecord | None) -> FileRecord | None:
        """Return the document this file takes the place of.

        Raises:
            _TitleTaken: another file that is still there has this course title.
        """
        others = [record for record in self._catalog.files_of_course(title) if record.path != path]
        for other in others:
            if Path(other.path).exists():
                raise _TitleTaken(Path(path).name, title, other.path)
        # A file of this title that is gone was renamed and edited at once: this is its new version.
        return replaces or (others[0] if others else None)

    def _remove_gone(self, paths: Sequence[Path], present: set[str]) -> list[FileDone]:
        """Put documents into the trash whose file is no longer in a folder that was just listed."""
        roots = [Path(path).resolve() for path in paths]
        folders = [root for root in roots if root.is_dir()]
        gone = [
            record
            for record in self._catalog.files().values()
            if record.path not in present
            and any(Path(record.path).is_relative_to(folder) for folder in folders)
            and not Path(record.path).exists()
        ]
        self._catalog.trash([record.document_id for record in gone])
        return [FileDone(record.path, FileStatus.REMOVED, record.course_title) for record in gone]


class _TitleTaken(UserError):
    """Two files claim one course."""

    def __init__(self, name: str, title: str, other: str) -> None:
        super().__init__(
            f"{name} has the course title “{title}”, which {other} already has. "
            "Give one of them another title and add it again."
        )


class _NotOpened(UserError):
    """A file's permissions, disk or network are to blame."""

    def __init__(self, name: str, error: OSError) -> None:
        super().__init__(f"{name} can not be opened ({error.strerror or error}). Check its permissions.")


def _done(record: FileRecord, status: FileStatus) -> FileDone:
    return FileDone(record.path, status, record.course_title, record.passages)


def _sha256(path: Path, token: CancelToken) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_HASH_BLOCK):
                token.check()
                digest.update(block)
    except OSError as error:
        raise _NotOpened(path.name, error) from error
    return digest.hexdigest()
