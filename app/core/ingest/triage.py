"""Decides which files are read, and why the others are not."""

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

EXCLUDED = Message("ingest.excluded")


def triage(
    item: FoundFile,
    known: Mapping[str, FileRecord],
    failures: Mapping[str, Failure],
    is_left_out: Callable[[str], bool],
) -> FileDone | None:
    """Return the result for a file that is not read; None for one to read.

    Args:
        item: the file.
        known: the library's documents by path.
        failures: files that could not be read before, by path.
        is_left_out: whether the user excluded a path.
    """
    path = str(item.path)
    if item.skipped:
        return FileDone(path, FileStatus.SKIPPED, reason=item.skipped)
    if item.failed:
        return FileDone(path, FileStatus.FAILED, reason=item.failed)
    if is_left_out(path):
        return FileDone(path, FileStatus.SKIPPED, reason=EXCLUDED)
    record = known.get(path)
    if record and (record.size, record.mtime_ns) == (item.size, item.mtime_ns):
        return FileDone(path, FileStatus.UNCHANGED, record.course_title, record.passages)
    failure = failures.get(path)
    if failure and (failure.size, failure.mtime_ns) == (item.size, item.mtime_ns):
        return FileDone(path, FileStatus.FAILED, reason=failure.reason)
    reason = why_not_read(item.path, item.size)
    return None if reason is None else FileDone(path, FileStatus.FAILED, reason=reason)
