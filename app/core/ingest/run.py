"""Reads the files of a plan and stores them as documents."""

import hashlib
import os
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from app.core.courses.placement import FoundFile, only_number_differs, put_into_place
from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.formats import why_not_opened
from app.core.documents.reading import ReadingProcess
from app.core.documents.recordings import has_captions, is_recording
from app.core.documents.transcript_text import text_of
from app.core.ingest.commit import Storing
from app.core.ingest.discovery import is_gone, is_reachable
from app.core.ingest.plan import UNHEARD, RunPlan
from app.core.ocr.kept_texts import SCANNED, with_recognized
from app.core.storage.documents import FileRecord, FileStamp
from app.domain.cancel import CancelToken
from app.domain.documents import DocumentText, ParsedDocument
from app.domain.errors import FileNotOpened, ReaderStopped, UnreadableFile, UserError
from app.domain.events import FileDone, FileStarted, FileStatus, IngestDone, IngestEvent
from app.domain.file_paths import root_of
from app.domain.messages import Message
from app.domain.plain_text import shown_name

_HASH_BLOCK = 1 << 20


class Ingestion:
    """Adds files to the library, or stores its documents again; for one run."""

    def __init__(self, storing: Storing) -> None:
        self._storing = storing
        self._catalog = storing.catalog
        self._token = storing.progress.token

    def run(
        self, plan: RunPlan, *, is_sample: bool = False, gone: Collection[str] = ()
    ) -> Generator[IngestEvent, None, Collection[str]]:
        """Carry out a plan; documents committed before a cancel stay.

        Returns the files that failed for reasons outside of them, to be read by the next run.

        Args:
            plan: of folders and files. Its folders and corrections are stored, so that a file keeps its
                place in its course when it is added on its own later.
            is_sample: mark the courses as samples and do not store the folders.
            gone: individually chosen files, removed if they no longer exist.

        Raises:
            LibraryUnusable: the library cannot be written.
        """
        titles_before = set(self._catalog.courses.titles())
        mounts = {path for path in plan.chosen if os.path.ismount(path)}
        run = _Run(self._storing, plan, is_sample=is_sample)
        plan.places.remember(folders=not is_sample)
        yield from run.read()
        # Files on a drive that was disconnected during the run are not gone.
        listed = [path for path in plan.chosen if is_reachable(Path(path), was_mount=path in mounts)]
        yield from run.remove_missing(listed, gone)
        yield from run.move_misplaced()
        done = self._done(run.done.values(), len(set(self._catalog.courses.titles()) - titles_before))
        yield done._replace(folders=tuple(folder for folder in plan.places.folders if folder.is_new))
        return run.undecided

    def reindex(self, records: Sequence[FileRecord] | None = None) -> Iterator[IngestEvent]:
        """Split and embed documents again from their stored text, after a change of settings or model.

        Those given leave the trash; by default, it does so with all searchable documents.
        """
        is_everything = records is None
        if records is None:
            records = list(self._catalog.documents.files().values())
        self._storing.progress.begin([record.size for record in records])
        done: list[FileDone] = []
        for index, record in enumerate(records, 1):
            self._token.check()
            yield FileStarted(record.path, index, len(records))
            if is_everything and not self._catalog.documents.is_searchable(record.document_id):
                continue  # removed during the run
            result = yield from self._storing.store_again(record.document_id)
            self._storing.progress.finish(record.size)
            done.append(result)
            yield result
        yield self._done(done, 0)

    def store_text(self, record: FileRecord, text: DocumentText) -> Generator[IngestEvent, None, FileDone]:
        """Store a document again with another text."""
        return (yield from self._storing.store_again(record.document_id, text=text))

    def _done(self, files: Iterable[FileDone], courses_added: int) -> IngestDone:
        progress, counts = self._storing.progress, self._catalog.courses.counts()
        return IngestDone(
            tuple(files),
            counts,
            progress.seconds(),
            progress.embedded,
            courses_added,
            to_read=progress.files_total,
        )


class _Run:
    """One run over the files of a plan.

    Attributes:
        done: the result for each path, in order.
        undecided: paths of files whose readers were ended from outside.
    """

    def __init__(self, storing: Storing, plan: RunPlan, *, is_sample: bool) -> None:
        self._catalog = storing.catalog
        self._documents = storing.catalog.documents
        self._storing = storing
        self._token = storing.progress.token
        self._plan = plan
        self._is_sample = is_sample
        self._processor = DocumentProcessor()
        self._reading = ReadingProcess()
        self._exchanged: set[str] = set()
        self._known = dict(plan.known)
        self._sizes = {record.size for record in self._known.values()}
        self.done: dict[str, FileDone] = {}
        self.undecided: set[str] = set()
        storing.progress.begin([item.size for item in plan.found if item.path not in plan.settled])

    def read(self) -> Iterator[IngestEvent]:
        started = 0
        with self._reading:
            for item in self._plan.found:
                self._token.check()
                if settled := self._plan.settled.get(item.path):
                    self.done[settled.path] = settled
                    yield settled
                else:
                    started += 1
                    yield FileStarted(str(item.path), started, self._storing.progress.files_total)
                    result = yield from self._one_file(item)
                    self._storing.progress.finish(item.size)
                    self.done[result.path] = result
                    yield result

    def remove_missing(self, folders: Sequence[str], gone_files: Collection[str]) -> Iterator[FileDone]:
        """Move documents to the trash if the user excluded them or their files were deleted.

        Looks below listed folders that are still reachable, and at other files if they no longer exist.
        """
        present = {str(item.path) for item in self._plan.found}
        unheard = {path for path, done in self.done.items() if done.reason == UNHEARD}
        gone = []
        for record in self._documents.files().values():
            below = root_of(record.path, folders) is not None
            expected = below or record.path in gone_files
            path = Path(record.path)
            lacking = expected and record.path not in present and (is_gone(path) or self._is_captioned(path))
            concerned = below or record.path in present
            is_excluded = concerned and self._plan.places.is_left_out(record.path)
            if lacking or is_excluded or record.path in unheard:  # the last are other recordings now
                gone.append(record)
        self._documents.trash([record.document_id for record in gone])
        for record in gone:
            result = FileDone(record.path, FileStatus.REMOVED, record.course_title)
            self.done[record.path] = result
            yield result

    def _is_captioned(self, path: Path) -> bool:
        return is_recording(path) and has_captions(path, self._catalog.transcripts.saved())

    def move_misplaced(self) -> Iterator[IngestEvent]:
        """Move documents to the courses and lessons they belong to, now that every file has been read."""
        untouched = (FileStatus.UNCHANGED, FileStatus.SKIPPED, FileStatus.FAILED)
        changed = any(file.status not in untouched for file in self.done.values())
        # The plan has places for files that turned out to be copies or not to be readable.
        changed |= any(
            self.done[path].status in untouched[1:] for path in self._plan.fresh & self.done.keys()
        )
        misplaced = self._plan.places.misplaced(self._token, changed=changed)
        numbers = {
            document.document_id: place.number
            for document, place in misplaced
            if only_number_differs(document.place, place)
        }
        if numbers:
            self._catalog.places.renumber(numbers)
        for document, place in misplaced:
            if document.document_id in numbers:
                continue
            self._token.check()
            result = yield from self._storing.store_again(document.document_id, place)
            if done := self.done.get(document.path):
                self.done[document.path] = done._replace(course_title=result.course_title)

    # Internals

    def _one_file(self, item: FoundFile) -> Generator[IngestEvent, None, FileDone]:
        path = str(item.path)
        record = self._known.get(path)
        stamp = FileStamp(path, item.size, item.mtime_ns, "")
        try:
            if item.size in self._sizes:  # the library may already have its content
                stamp = replace(stamp, sha256=sha256_of(item.path, self._token))
                if record and record.sha256 == stamp.sha256:
                    self._documents.move(record.document_id, stamp)
                    status = FileStatus.MOVED if path in self._exchanged else FileStatus.UNCHANGED
                    return FileDone(path, status, record.course_title, record.passages)
                twin = self._documents.with_content(stamp.sha256)
                if twin and record is None:
                    return self._twin(twin, stamp)
                if twin and record and twin.path in self._plan.fresh:
                    return self._exchange(record, twin, stamp)
            document = self._heard(item.path, stamp) if is_recording(path) else self._read(item.path)
            result = yield from self._store(document, replace(stamp, sha256=document.sha256), record)
            result = result._replace(reason=document.unread)
        except (_LessonsTaken, FileNotOpened) as error:
            # Not stored, because the cause can be fixed without changing this file.
            status = FileStatus.SKIPPED if error.message == UNHEARD else FileStatus.FAILED
            return FileDone(path, status, reason=error.message)
        except UnreadableFile as error:
            if isinstance(error, ReaderStopped) and error.undecided:
                self.undecided.add(path)
            else:
                self._catalog.failures.add(path, item.size, item.mtime_ns, error.message)
            return FileDone(path, FileStatus.FAILED, reason=error.message)
        self._sizes.add(item.size)
        self._storing.progress.bytes_worked += item.size
        return result

    def _heard(self, path: Path, stamp: FileStamp) -> DocumentText:
        """Return what was heard in a recording."""
        digest = stamp.sha256 or sha256_of(path, self._token)
        heard = self._catalog.transcripts.of(digest)
        if heard is None or not heard.is_whole:
            raise FileNotOpened(UNHEARD)
        document = replace(text_of(heard.vtt), sha256=digest, unread=heard.unread)
        if not document.text:
            raise UnreadableFile(Message("hearing.nothing_said", name=shown_name(path)))
        return document

    def _read(self, path: Path) -> DocumentText:
        """Read a file; the recognized text of scanned pages is inserted between the others."""
        texts = self._catalog.recognized
        try:
            try:
                document = self._reading.read(path, self._token)
            except ReaderStopped:  # once more, in a process in which nothing else is to blame
                document = self._reading.read(path, self._token)
        except UnreadableFile as error:
            known = texts.of(sha256_of(path, self._token)) if error.message.id in SCANNED else None
            if known is None or known.waiting or not any(known.texts.values()):
                raise
            return with_recognized(DocumentText("", (), known.sha256), known.texts, str(path))
        known = texts.of(document.sha256)  # one with some of its pages would count as done
        if known is None or known.waiting:
            return document
        return with_recognized(document, known.texts, str(path))

    def _twin(self, twin: FileRecord, stamp: FileStamp) -> FileDone:
        """Skip or move a file whose content is already in the library under another path."""
        if self._is_separate(twin, stamp):
            name = Path(twin.path).name
            return FileDone(stamp.path, FileStatus.SKIPPED, reason=Message("ingest.same_content", name=name))
        self._documents.move(twin.document_id, stamp)
        return FileDone(stamp.path, FileStatus.MOVED, twin.course_title, twin.passages)

    def _is_separate(self, twin: FileRecord, stamp: FileStamp) -> bool:
        """Whether a document's file still exists and is not the file found."""
        if is_gone(Path(twin.path)):
            return False
        if any(str(item.path) == twin.path for item in self._plan.found):
            return True
        # A file system that ignores case still finds a renamed file under its former name.
        with suppress(OSError):
            return not os.path.samefile(twin.path, stamp.path)
        return True

    def _exchange(self, stale: FileRecord, twin: FileRecord, stamp: FileStamp) -> FileDone:
        """Move a document to the file that now has its content; its former file has changed too."""
        self._documents.exchange(stale, twin, stamp)
        self._known[stamp.path] = replace(twin, path=stamp.path)
        self._known[twin.path] = replace(stale, path=twin.path)
        self._exchanged.add(twin.path)
        return FileDone(stamp.path, FileStatus.MOVED, twin.course_title, twin.passages)

    def _store(
        self, document: DocumentText, stamp: FileStamp, record: FileRecord | None
    ) -> Generator[IngestEvent, None, FileDone]:
        parsed = self._processor.parse(document, Path(stamp.path).name)
        facts = self._plan.places.read_facts(stamp.path, parsed)
        place = self._plan.places.place_of(stamp.path, facts)
        parsed = put_into_place(parsed, place)
        replaces = None if record is None else record.document_id
        if place is None or not place.placed:
            replaces = self._owner_of_lessons(parsed, stamp.path, replaces)
        return (
            yield from self._storing.store(
                parsed, stamp, facts, place, is_sample=self._is_sample, replaces=replaces
            )
        )

    def _owner_of_lessons(self, parsed: ParsedDocument, path: str, replaces: int | None) -> int | None:
        """Return the key of the document that this file replaces.

        Raises:
            _LessonsTaken: another existing file contains the same lessons of the course.
        """
        other = self._documents.with_same_lessons(parsed, path)
        if other is None:
            return replaces
        if not is_gone(Path(other)):
            if not parsed.is_marked:  # numbered by its name, which says nothing of what it holds
                return replaces
            name, title = Path(path).name, parsed.course_title
            raise _LessonsTaken(Message("ingest.lessons_taken", name=name, title=title, other=other))
        # The file with these lessons is gone, so it was renamed and edited; this is its new version.
        return replaces if replaces is not None else self._documents.files()[other].document_id


class _LessonsTaken(UserError):
    """Two files claim the same lessons of one course."""


def sha256_of(path: Path, token: CancelToken) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_HASH_BLOCK):
                token.check()
                digest.update(block)
    except OSError as error:
        raise FileNotOpened(why_not_opened(error, shown_name(path))) from error
    return digest.hexdigest()
