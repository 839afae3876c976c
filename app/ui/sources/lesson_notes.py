"""What is said of a lesson that does not stand as it was cited, and whether it still holds a source."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.sources import SourceState

if TYPE_CHECKING:
    from app.domain.sources import LessonText, Source

tr = partial(QCoreApplication.translate, "ReadingView")


def holds(lesson: LessonText, source: Source) -> bool:
    """Return whether the source's passage is part of the lesson shown."""
    shown, hit = lesson.source, source.hit
    same_file = shown.hit.document_id == hit.document_id
    same_text = shown.document_sha256 == source.document_sha256
    start, end = hit.start - lesson.start, hit.end - lesson.start
    # The document may have been read in another way between two answers.
    return same_file and same_text and start >= 0 and lesson.text[start:end] == hit.text


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
