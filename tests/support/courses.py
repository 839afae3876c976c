"""Three tiny courses, and a library of them on real parts."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.domain.cancel import CancelToken
from app.domain.events import FileDone, IngestDone
from app.main import FEATURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.domain.events import IngestEvent

SERVICES = [feature.add_services for feature in FEATURES]

BREAD = """\
Course Title: Bread Baking at Home
Course Link: https://example.org/bread
Course Instructor: Mira Holt

Lesson 0: Before you start
Lesson Link: https://example.org/bread/0
A kitchen scale matters more than an expensive oven. Flour is weighed in grams, never measured in cups.

Lesson 1: Sourdough starters
Lesson Link: https://example.org/bread/1
A sourdough starter is flour and water in which wild yeast and bacteria live. It is fed once a day.
A starter that doubles within six hours is ready to raise a loaf.

Lesson 2: Kneading and proofing
Kneading lines up the gluten so that the dough can hold gas. Dough proofs slowly in a cold kitchen.
"""

TIDES = """\
Course Link: https://example.org/tides
Course Title: Tides and Currents
Course Instructor: Jon Apsley

Lesson 1: Why the sea rises
The moon pulls the ocean into two bulges. Most coasts therefore see two high tides a day.

Lesson 2: Spring tides and neap tides
When sun and moon stand in line, their pull adds up and spring tides follow. Neap tides come a week later.
"""

INK = """\
Course Title: A Short History of Ink

# A Short History of Ink

Lamp black was mixed with gum arabic in ancient Egypt.

## Oak galls

Iron gall ink was made from oak galls and vitriol. It darkens as it dries and bites into the parchment.
"""

FILES = {"bread.txt": BREAD, "tides.txt": TIDES, "ink.md": INK}
TITLES = ["A Short History of Ink", "Bread Baking at Home", "Tides and Currents"]


class KeptEmbedder(Embedder):
    """The real one, kept loaded from one library to the next."""

    def close(self) -> None:
        """Stay loaded; :meth:`release` lets go."""

    def release(self) -> None:
        """Let go of the model."""
        super().close()


def write_courses(folder: Path) -> Path:
    """Write the three files into a folder and return it, with all links resolved."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder.resolve()


@contextmanager
def library(
    data_dir: Path,
    embedder: Embedder,
    settings: Settings | None = None,
    *,
    index: bool = True,
    read_only: bool = False,
    now: Callable[[], float] = time.time,
) -> Iterator[RAGSystem]:
    """Open a library in full, and close it."""
    rag = RAGSystem(data_dir, settings or Settings(), embedder, SERVICES, read_only=read_only, now=now)
    rag.open()
    try:
        embedder.prepare(CancelToken())
        if index:
            open_index(rag)
        yield rag
    finally:
        rag.close()


def open_index(rag: RAGSystem) -> None:
    """Open Chroma and bring it up to date."""
    for _ in rag.open_index(CancelToken()):
        pass


def ingest(rag: RAGSystem, *paths: Path, token: CancelToken | None = None, clear: bool = False) -> IngestDone:
    """Add folders and files; return what came of it."""
    return last_report(rag.ingest.add_course_folder(paths, token or CancelToken(), clear=clear))


def last_report(events: Iterator[IngestEvent]) -> IngestDone:
    """Run an ingestion to its end and return its last report."""
    return [event for event in events if isinstance(event, IngestDone)][-1]


def outcome(files: Sequence[FileDone]) -> dict[str, str]:
    """Return name → status."""
    return {Path(file.path).name: file.status.value for file in files}


def reasons(files: Sequence[FileDone]) -> dict[str, str | None]:
    """Return name → reason."""
    return {Path(file.path).name: str(file.reason) if file.reason else None for file in files}


def document_text(rag: RAGSystem, document_id: int) -> str:
    """Return the whole text of a document as read."""
    return rag.catalog.documents.text(document_id).text
