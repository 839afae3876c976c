"""What core yields while it works. Workers emit each event as a signal; the command line prints them."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from app.domain.conversations import Exchange
from app.domain.courses import LibraryCounts, PlannedFolder
from app.domain.keeping import LibraryExported, LibraryImported, TransferProgress
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.sources import Citation, Claim, Source


class FileStatus(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    MOVED = "moved"
    REMOVED = "removed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class FileStarted:
    """A file is about to be read; ``index`` counts from 1 to ``total``, the number of files to read."""

    path: str
    index: int
    total: int


_WITHOUT_TEXT = frozenset(
    [
        *("documents.none_recognized", "documents.picture", "ingest.data_file", "ingest.illustration"),
        *("ingest.no_lesson", "ingest.no_text_data", "ingest.no_text_picture", "ingest.not_regular"),
        *("ingest.of_a_program", "ingest.translation"),
    ]
)
"""Reasons for which files are not read that nobody has to do anything about."""


class FileDone(NamedTuple):
    """A file was processed; a failed one never stops the rest."""

    path: str
    status: FileStatus
    course_title: str | None = None
    passages: int = 0  # of the file, now in the library
    embedded: int = 0  # number of passages that had to be embedded
    reason: Message | None = None  # why it was skipped or failed, or what of it could not be read

    @property
    def is_incomplete(self) -> bool:
        """Whether it is in the library, but without all of its parts."""
        return self.reason is not None and self.status in (FileStatus.ADDED, FileStatus.CHANGED)

    @property
    def holds_no_text(self) -> bool:
        """Whether it is a picture or data, as lie beside lessons, and so nothing to ask about is lost."""
        return self.reason is not None and self.reason.id in _WITHOUT_TEXT


class IngestProgress(NamedTuple):
    path: str
    files_done: int
    files_total: int  # to read, without those that are in the library already or left out
    share: float  # of the bytes to read, from 0 to 1; grows within a file too
    passages_per_second: float  # over this run; 0 until something is embedded
    seconds_left: float | None  # an estimate from the bytes left, or None while unknown


class RecognizingPages(NamedTuple):
    """The text of a file's scanned pages is being recognized."""

    path: str
    done: int
    total: int


class Hearing(NamedTuple):
    """A recording is being transcribed."""

    path: str
    heard: float  # seconds of it
    total: float  # seconds it lasts; 0 where that is unknown
    rate: float  # seconds of sound heard in one second, in this run; 0 until something is heard


class IngestDone(NamedTuple):
    """The run is over; ``files`` has one event per file, in order.

    ``folders`` are the chosen ones, now that it is decided whether each is one course.
    """

    files: tuple[FileDone, ...]
    counts: LibraryCounts
    seconds: float
    passages_embedded: int
    courses_added: int
    folders: tuple[PlannedFolder, ...] = ()
    to_read: int = 0  # number of files that were to be read, whatever came of them


class IndexProgress(NamedTuple):
    """The Chroma index is being updated from the library."""

    done: int
    total: int


class CourseRenamed(NamedTuple):
    """A course has another title, in the library and in all conversations."""

    old: str
    new: str


IngestEvent = (
    FileStarted
    | FileDone
    | IngestProgress
    | RecognizingPages
    | Hearing
    | IngestDone
    | IndexProgress
    | CourseRenamed
    | TransferProgress
    | LibraryExported
    | LibraryImported
)


class AnswerStarted(NamedTuple):
    """The question is stored; the answer goes into this exchange."""

    exchange: Exchange
    conversation_id: int


class SearchStarted(NamedTuple):
    query: str
    course_name: str | None = None
    lesson_number: int | None = None


class ReadingStarted(NamedTuple):
    """A lesson, or a whole course, is read in order; ``part`` counts from 1."""

    course_name: str
    lesson_number: int | None = None
    part: int = 1


LookupStarted = SearchStarted | ReadingStarted


class SourcesFound(NamedTuple):
    """New sources of this answer, numbered after the earlier ones; may be empty."""

    sources: tuple[Source, ...]


class AnswerWaiting(NamedTuple):
    """The server asked for a pause; ``seconds`` are left, 0 when the request is sent again."""

    seconds: int
    reason: Message


@dataclass(frozen=True, slots=True)
class ModelLoading:
    """A model on this computer is loaded into the memory, which takes seconds."""


@dataclass(frozen=True, slots=True)
class PassagesInstead:
    """What follows are the passages themselves, because what the model wrote is no answer."""


class PassagesAtOnce(NamedTuple):
    """Passages to read while a model reads them, which takes a small one some seconds."""

    text: str  # Markdown, as of an answer without a model
    citations: tuple[Citation, ...]


class AnswerText(NamedTuple):
    text: str


class AnswerCitation(NamedTuple):
    citation: Citation


@dataclass(frozen=True, slots=True)
class AnswerChecking:
    """The whole text is there, and is about to be compared with its sources."""


class AnswerExamined(NamedTuple):
    """The whole answer was compared with its sources; ``citations`` replace those reported before."""

    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]


class AnswerUsage(NamedTuple):
    usage: Usage


class AnswerDone(NamedTuple):
    exchange: Exchange


class AnswerInterrupted(NamedTuple):
    """The answer ended early; its text so far is saved in ``exchange``.

    ``exchange.state`` says whether the user stopped it or it failed, ``exchange.error`` why.
    """

    exchange: Exchange


AnswerEvent = (
    AnswerStarted
    | SearchStarted
    | ReadingStarted
    | SourcesFound
    | AnswerWaiting
    | ModelLoading
    | PassagesInstead
    | PassagesAtOnce
    | AnswerText
    | AnswerCitation
    | AnswerChecking
    | AnswerExamined
    | AnswerUsage
    | AnswerDone
    | AnswerInterrupted
)


class WatchedPath(NamedTuple):
    """A folder or single file whose changes the library follows."""

    path: Path  # absolute, links resolved
    is_folder: bool  # what it was when chosen, whatever is there now
    fingerprint: str = ""  # of its files when the library last read all of them; empty for never
    was_mount: bool = False  # it, or a single file's folder, was then the root of a drive or share

    @property
    def folder(self) -> Path:
        return self.path if self.is_folder else self.path.parent


class FolderSettled(NamedTuple):
    """Files have changed, and nobody has written to them for a while."""

    watched: WatchedPath  # where, with the current fingerprint; empty while files are `unsettled`
    unsettled: frozenset[str] = frozenset()  # files that are still being written, to be read later


class FolderLost(NamedTuple):
    """The path is unreachable: a share is offline, a drive unplugged, or it was moved or deleted."""

    path: Path


class FolderFound(NamedTuple):
    """The path is reachable again. Changes made meanwhile follow as ``FolderSettled``."""

    path: Path


WatchEvent = FolderSettled | FolderLost | FolderFound
