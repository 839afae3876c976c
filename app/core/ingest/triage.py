"""Which of the files that were found are read, and why the others are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.documents.document_reader import why_not_read
from app.domain.events import FileDone, FileStatus
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.core.ingest.discovery import FoundFile
    from app.core.storage.documents import FileRecord
    from app.core.storage.failures import Failure

LEFT_OUT = Message("ingest.excluded")


def triaged(
    item: FoundFile,
    known: Mapping[str, FileRecord],
    failures: Mapping[str, Failure],
    is_left_out: Callable[[str], bool],
) -> FileDone | None:
    """Return what becomes of a file that is not to be read; None for one that is.

    Args:
        item: as it was found.
        known: the documents of the library.
        failures: files that could not be read before.
        is_left_out: whether a person left a file out.
    """
    path = str(item.path)
    if item.skipped:
        return FileDone(path, FileStatus.SKIPPED, reason=item.skipped)
    if item.failed:
        return FileDone(path, FileStatus.FAILED, reason=item.failed)
    if is_left_out(path):
        return FileDone(path, FileStatus.SKIPPED, reason=LEFT_OUT)
    record = known.get(path)
    if record and is_as_known(item, record):
        return FileDone(path, FileStatus.UNCHANGED, record.course_title, record.passages)
    failure = failures.get(path)
    if failure and (failure.size, failure.mtime_ns) == (item.size, item.mtime_ns):
        return FileDone(path, FileStatus.FAILED, reason=failure.reason)
    reason = why_not_read(item.path, item.size)
    return None if reason is None else FileDone(path, FileStatus.FAILED, reason=reason)


def is_as_known(item: FoundFile, record: FileRecord) -> bool:
    """Whether a file has the size and time with which it was read."""
    return (record.size, record.mtime_ns) == (item.size, item.mtime_ns)
