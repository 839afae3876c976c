"""Puts the text of scanned pages between that of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.documents import Anchor, AnchorMark, DocumentText

if TYPE_CHECKING:
    from collections.abc import Mapping

SCANNED = "documents.scanned"  # the message on a file that has pages, but no text at all


def with_recognized(document: DocumentText, texts: Mapping[int, str]) -> DocumentText:
    """Return a document of pages with these recognised ones, by number; pages without text stay out."""
    parts: list[str] = []
    marks: list[AnchorMark] = []
    length = taken = 0

    def add(text: str) -> None:
        nonlocal length
        parts.append(text)
        length += len(text)

    waiting = sorted((page, text) for page, text in texts.items() if text)
    for mark in (*document.marks, None):
        end = len(document.text) if mark is None else mark.start
        add(document.text[taken:end])
        taken = end
        while waiting and (mark is None or waiting[0][0] < float(mark.anchor.value)):
            page, text = waiting.pop(0)
            if length and not parts[-1].endswith("\n\n"):
                add("\n\n")
            marks.append(AnchorMark(length, Anchor("scan", page)))
            add(text)
            if mark is not None:
                add("\n\n")
        if mark is not None:
            marks.append(AnchorMark(length, mark.anchor))
    return DocumentText("".join(parts), tuple(marks), document.sha256)
