"""What is said of a lesson that does not stand as it was cited, and whether it still holds a source."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.sources import SourceState

if TYPE_CHECKING:
    from app.domain.sources import Citation, LessonText, Source

tr = partial(QCoreApplication.translate, "ReadingView")


def holds(lesson: LessonText, source: Source, cited: Citation | None = None) -> bool:
    """Return whether the source's passage, or a cited sentence of it, is part of the lesson shown."""
    shown, hit = lesson.source, source.hit
    if (shown.hit.document_id, shown.document_sha256) != (hit.document_id, source.document_sha256):
        return False
    # The document may have been read in another way between two answers, or changed elsewhere.
    spans = [(hit.start, hit.end), *([(cited.start, cited.end)] if cited else [])]
    return any(
        start >= lesson.start
        and lesson.text[start - lesson.start : end - lesson.start] == source.text(start, end)
        for start, end in spans
    )


def notes_on(lesson: LessonText, refusal: str, *, is_misquoted: bool) -> list[str]:
    """Return sentences on a lesson; ``refusal`` says why its pages are not shown."""
    sentences = []
    if lesson.state is SourceState.CHANGED:
        sentences.append(tr("The file has changed since this answer was written."))
    elif lesson.state is SourceState.REMOVED:
        sentences.append(tr("The file is no longer in the library."))
    if not lesson.is_whole:
        sentences.append(tr("You see the passage as it was then."))
    if refusal:
        sentences.append(refusal)
    if is_misquoted:
        sentences.append(tr("A quotation from this source is not in this text."))
    return sentences
