"""Scanned pages are found like others once they have been recognised, and are marked as such."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pypdfium2
import pytest

from app.domain.cancel import Cancelled, CancelToken
from app.domain.events import IngestDone, RecognizingPages
from tests.support.courses import ingest, library, outcome, reasons
from tests.support.make_format_samples import pdf, text_page
from tests.support.scans import TEXTS, page_of, picture_of, scan

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.events import IngestEvent
    from app.domain.search import SearchHit
    from tests.support.courses import KeptEmbedder

MEMBRANE = "What does the cell membrane separate?"
FIRST = "The harbour master counts ships every morning before the fog lifts from the bay."
SECOND = "Pilots board large vessels outside the breakwater when the wind allows it."


def recognize(rag: RAGSystem, token: CancelToken | None = None) -> list[IngestEvent]:
    return list(rag.ingest.recognize(token or CancelToken()))


def first_hit(rag: RAGSystem, question: str) -> SearchHit:
    return rag.search.retrieve(question).hits[0]


def mixed() -> bytes:
    """Return a PDF of a page with text and one that is a picture of it."""
    whole = pypdfium2.PdfDocument(pdf([text_page([(72, 700, FIRST), (72, 686, SECOND)])]))
    whole.import_pages(pypdfium2.PdfDocument(scan(picture_of(page_of(TEXTS["English"])))))
    out = io.BytesIO()
    whole.save(out)
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "Biology"
    folder.mkdir()
    return folder


def test_a_scanned_file_joins_its_course(tmp_path: Path, folder: Path, embedder: KeptEmbedder) -> None:
    (folder / "01 Cells.pdf").write_bytes(scan(picture_of(page_of(TEXTS["English"]))))
    (folder / "02 Notes.txt").write_text("Mitochondria are the power plants.", encoding="utf-8")
    with library(tmp_path / "library", embedder, index=False) as rag:
        done = ingest(rag, folder)
        assert outcome(done.files)["01 Cells.pdf"] == "failed"
        assert "contains no text" in (reasons(done.files)["01 Cells.pdf"] or "")
        assert rag.ingest.may_have_scans()
        events = recognize(rag)
        assert [event.total for event in events if isinstance(event, RecognizingPages)] == [1]
        report = events[-1]
        assert isinstance(report, IngestDone)
        assert outcome(report.files) == {"01 Cells.pdf": "added"}
        hit = first_hit(rag, MEMBRANE)
        assert hit.anchor is not None
        assert hit.anchor.as_dict() == {"page": 1, "recognized": True}
        assert "The cell membrane separates the interior of the cell" in hit.text
        assert hit.course_title == "Biology"
        assert rag.ingest.failures() == ()
        assert not rag.ingest.may_have_scans()
        assert recognize(rag) == []


def test_a_scanned_page_joins_the_others(tmp_path: Path, folder: Path, embedder: KeptEmbedder) -> None:
    (folder / "harbour.pdf").write_bytes(mixed())
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        recognize(rag)
        places = [first_hit(rag, question).anchor for question in (MEMBRANE, FIRST)]
        assert [place and place.as_dict() for place in places] == [
            {"page": 2, "recognized": True},
            {"page": 1},
        ]
        # Read again from the file, without recognising it again.
        pages = [event for event in ingest_again(rag, folder) if isinstance(event, RecognizingPages)]
        assert pages == []
        assert first_hit(rag, MEMBRANE).anchor == places[0]


def ingest_again(rag: RAGSystem, folder: Path) -> list[IngestEvent]:
    ingest(rag, folder, clear=True)
    return recognize(rag)


def test_what_was_recognised_before_a_cancel_is_kept(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    picture = picture_of([(72, 700, "A page about tides and harbours")])
    (folder / "scan.pdf").write_bytes(scan(picture, picture, picture))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        token = CancelToken()
        with pytest.raises(Cancelled):
            for event in rag.ingest.recognize(token):
                if isinstance(event, RecognizingPages) and event.done == 2:
                    token.cancel()
        assert rag.courses.counts().documents == 0
        # A run that has no time does one page.
        rest = list(rag.ingest.recognize(CancelToken(), 0))
        assert [event.done for event in rest if isinstance(event, RecognizingPages)] == [2]
        assert rag.courses.counts().documents == 1


def test_without_the_models_nothing_is_marked_as_recognised(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "scan.pdf").write_bytes(scan(picture_of([(72, 700, "A page about tides and harbours")])))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        with monkeypatch.context() as missing:
            missing.setitem(sys.modules, "rapidocr", None)
            assert not rag.ingest.may_have_scans()
            assert recognize(rag) == []
        assert rag.ingest.may_have_scans()


def test_a_file_that_has_no_text_stays_a_failure(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "stripes.pdf").write_bytes(scan(picture_of([])))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        recognize(rag)
        assert [failure.path for failure in rag.ingest.failures()] == [str(folder / "stripes.pdf")]
        kept = list((tmp_path / "library" / "ocr").iterdir())
        assert len(kept) == 1
        (folder / "stripes.pdf").unlink()
        recognize(rag)
        assert list((tmp_path / "library" / "ocr").iterdir()) == []
