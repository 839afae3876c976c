"""Puts the text of scanned pages between that of the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from app.core.documents.formats import FORMATS, PICTURE_ENDINGS
from app.domain.documents import Anchor, AnchorMark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.documents import AnchorKind, DocumentText

_SLIDES = next(one.endings for one in FORMATS if one.kind == "pptx")
ENDINGS = (".pdf", *_SLIDES, *PICTURE_ENDINGS)  # of files that may have pictures of text
SCANNED = frozenset(("documents.scanned", "documents.picture", "documents.picture_slides"))
"""Messages on files that have no text until it is recognised."""


def with_recognized(document: DocumentText, texts: Mapping[int, str], path: str) -> DocumentText:
    """Return a document with these recognised pages or slides, by number; those without text stay out."""
    kind: AnchorKind = "slide_scan" if PurePath(path).suffix.lower() in _SLIDES else "scan"
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
            marks.append(AnchorMark(length, Anchor(kind, page)))
            add(text)
            if mark is not None:
                add("\n\n")
        if mark is not None:
            marks.append(AnchorMark(length, mark.anchor))
    return replace(document, text="".join(parts), marks=tuple(marks))
