"""Keeps the text of scanned pages by the digest of their file, and puts it between that of other pages."""

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from app.config.files import private_directory, private_file, replace_file
from app.core.documents.formats import FORMATS, PICTURE_ENDINGS
from app.domain.documents import Anchor, AnchorKind, AnchorMark, DocumentText
from app.domain.pages import RecognizedLine, recognized_line


@dataclass(slots=True)
class ScannedPages:
    """The scanned pages of a file that are known, and the texts of those that were recognized."""

    sha256: str
    pages: tuple[int, ...]
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def waiting(self) -> list[int]:
        return [page for page in self.pages if page not in self.texts]


class RecognizedTexts:
    """What was recognized, in two files for each document with scanned pages; derived, so it may be lost.

    Places of lines are appended page by page: they are five times the size of the texts.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, sha256: str) -> ScannedPages | None:
        """Return what is known of a file's scanned pages; None as long as nobody looked for them."""
        try:
            stored = json.loads((self._folder / f"{sha256}.json").read_text(encoding="utf-8"))
            texts = {int(page): str(text) for page, text in stored["texts"].items()}
            return ScannedPages(sha256, tuple(map(int, stored["pages"])), texts)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def keep(self, scanned: ScannedPages) -> None:
        """Store it; raises OSError if the disk does not hold it."""
        private_directory(self._folder)
        text = json.dumps({"pages": scanned.pages, "texts": scanned.texts}, ensure_ascii=False)

        def write(draft: Path) -> None:
            private_file(draft)
            draft.write_text(text, encoding="utf-8")

        replace_file(self._folder / f"{scanned.sha256}.json", write)

    def keep_lines(self, sha256: str, page: int, lines: Sequence[RecognizedLine]) -> None:
        """Store where the lines of a page stand; raises OSError if the disk does not hold it."""
        private_directory(self._folder)
        path = self._folder / f"{sha256}.lines"
        private_file(path)
        with path.open("a", encoding="utf-8") as file:
            # The row before may have been cut short.
            file.write("\n" + json.dumps([page, lines], ensure_ascii=False, separators=(",", ":")))

    def lines(self, sha256: str) -> Mapping[int, Sequence[RecognizedLine]]:
        """Return the lines of the pages of a file that were recognized, as far as they are known."""
        found: dict[int, Sequence[RecognizedLine]] = {}
        path = self._folder / f"{sha256}.lines"
        with suppress(OSError), path.open(encoding="utf-8", errors="replace") as file:
            for row in file:
                with suppress(ValueError, TypeError, KeyError):  # a row that was not finished
                    page, lines = json.loads(row)
                    found[int(page)] = [recognized_line(*line) for line in lines]
        return found

    def forget(self, digests: Collection[str]) -> None:
        """Delete what was kept of files with these digests."""
        for digest in digests:
            with suppress(OSError):
                (self._folder / f"{digest}.json").unlink(missing_ok=True)
                (self._folder / f"{digest}.lines").unlink(missing_ok=True)

    def forget_others(self, digests: Collection[str]) -> None:
        """Delete the texts of all files except those with these digests."""
        with suppress(OSError):
            for file in self._folder.iterdir():
                if file.stem not in digests:
                    file.unlink(missing_ok=True)


_SLIDES = next(one.endings for one in FORMATS if one.kind == "pptx")
ENDINGS = (".pdf", *_SLIDES, *PICTURE_ENDINGS)  # of files that may have pictures of text
SCANNED = frozenset(("documents.scanned", "documents.picture", "documents.picture_slides"))
"""Messages on files that have no text until it is recognized."""


def with_recognized(document: DocumentText, texts: Mapping[int, str], path: str) -> DocumentText:
    """Return a document with these recognized pages or slides, by number; those without text stay out."""
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
