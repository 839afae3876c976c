"""Has the scanned pages of the library's files recognized, and adds their text."""

import os
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from app.core.ingest.discovery import is_gone, is_reachable
from app.core.ingest.run import Ingestion, sha256_of
from app.core.ocr.kept_texts import ENDINGS, SCANNED, ScannedPages, with_recognized
from app.core.ocr.networks import is_installed
from app.core.ocr.recognizer import NotFinished, NotRecognized, Recognizer
from app.core.storage.catalog import Catalog
from app.core.storage.documents import FileRecord
from app.domain.cancel import CancelToken
from app.domain.events import FileDone, FileStatus, IngestDone, IngestEvent, RecognizingPages
from app.domain.messages import Message
from app.domain.plain_text import shown_name


class Recognition:
    """Goes through the library's files that may have pictures of text, and those without any; for one run.

    What is recognized is kept page by page, so a run that is cancelled loses nothing. ``read`` reads a file
    that had no text.
    """

    def __init__(
        self,
        catalog: Catalog,
        ingestion: Ingestion,
        read: Callable[[Path], Iterator[IngestEvent]],
        token: CancelToken,
    ) -> None:
        self._catalog = catalog
        self._ingestion = ingestion
        self._read = read
        self._token = token
        self._texts = catalog.recognized
        self._began = time.monotonic()
        self._done: list[FileDone] = []
        self._digests = catalog.documents.digests()

    def run(self, seconds: float, only: Collection[str] | None) -> Iterator[IngestEvent]:
        """Recognize pages until all are, or ``seconds`` have passed."""
        is_left = only is not None
        with Recognizer() as recognizer:
            for path, record in files_with_scans(self._catalog):
                if only is not None and str(path) not in only:
                    continue
                self._token.check()
                scanned = self._scanned_pages(recognizer, path, record)
                if scanned is None:
                    is_deleted = is_gone(path) and is_reachable(path.parent, was_mount=False)
                    is_left = is_left or not is_deleted
                    continue
                yield from self._recognize(recognizer, path, scanned, seconds)
                if scanned.waiting:
                    is_left = True
                    if time.monotonic() - self._began > seconds:
                        break
                elif any(scanned.texts.values()):
                    yield from self._add(path, record, scanned)
                elif record is None:
                    self._give_up(path)
        if not is_left:
            self._texts.forget_others(self._digests)
        if self._done:
            duration, counts = time.monotonic() - self._began, self._catalog.courses.counts()
            embedded = sum(file.embedded for file in self._done)
            yield IngestDone(tuple(self._done), counts, duration, embedded, 0)

    def _scanned_pages(
        self, recognizer: Recognizer, path: Path, record: FileRecord | None
    ) -> ScannedPages | None:
        """Return what is known of a file's scanned pages; None if it is not there, or has changed."""
        version = _version(path)
        if version is None:
            return None
        known = self._texts.of(record.sha256) if record else None
        if known is not None and record is not None:
            is_same = version == (record.size, record.mtime_ns)
            return known if is_same or sha256_of(path, self._token) == record.sha256 else None
        try:
            found = recognizer.scanned_pages(path, self._token)
        except NotFinished:
            return None
        except NotRecognized:
            found = ScannedPages(record.sha256 if record else "", ())
        if not found.sha256 or (record is not None and found.sha256 != record.sha256):
            return None  # its next version is read first
        if _version(path) != version:  # a drive that was disconnected says nothing of the file
            return None
        self._digests.add(found.sha256)
        known = self._texts.of(found.sha256)
        if known is None:
            self._texts.keep(found)
        return known or found

    def _recognize(
        self, recognizer: Recognizer, path: Path, scanned: ScannedPages, seconds: float
    ) -> Iterator[IngestEvent]:
        version = _version(path)
        for page in scanned.waiting:
            yield RecognizingPages(str(path), len(scanned.texts), len(scanned.pages))
            try:
                text, lines = recognizer.page_text(path, page, self._token)
            except NotFinished:
                break
            except NotRecognized:
                text, lines = "", []  # so that it does not stop the pages behind it
            if version is None or _version(path) != version:
                break
            if lines:
                self._texts.keep_lines(scanned.sha256, page, lines)
            scanned.texts[page] = text
            self._texts.keep(scanned)
            if time.monotonic() - self._began > seconds:
                break

    def _give_up(self, path: Path) -> None:
        """Say of a file without any text that none was recognized either; unless it has just changed."""
        key = str(path), *(_version(path) or (0, 0))
        if key in self._catalog.failures.known():
            self._catalog.failures.add(*key, Message("documents.none_recognized", name=shown_name(path)))

    def _add(self, path: Path, record: FileRecord | None, scanned: ScannedPages) -> Iterator[IngestEvent]:
        if record is not None:
            text = self._catalog.documents.text(record.document_id)
            whole = with_recognized(text, scanned.texts, record.path)
            done = yield from self._ingestion.store_text(record, whole)
            self._done.append(done)
            yield done
            return
        for event in self._read(path):
            if isinstance(event, FileDone):
                self._done.append(event)
                if event.status is not FileStatus.FAILED:  # it may be a copy of another
                    self._catalog.failures.forget([event.path])
            if not isinstance(event, IngestDone):
                yield event


def _version(path: Path) -> tuple[int, int] | None:
    """Return what tells two versions of a file apart; None if it is out of reach."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def files_with_scans(catalog: Catalog) -> Iterator[tuple[Path, FileRecord | None]]:
    """Yield the files that may have scanned pages whose text is not in the library yet.

    None without the models: what cannot be recognized here may be elsewhere.
    """
    if not is_installed():
        return
    whole, files = catalog.documents.recognized(), catalog.documents.files()
    for path, record in files.items():
        if path.lower().endswith(ENDINGS) and record.document_id not in whole:
            known = catalog.recognized.of(record.sha256)
            if known is None or known.waiting or any(known.texts.values()):
                yield Path(path), record
    for (path, _, _), reason in catalog.failures.known().items():
        if reason.id in SCANNED and path not in files:
            yield Path(path), None
