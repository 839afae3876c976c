"""Scanned pages are found like others once they have been recognized, and are marked as such."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest

from app.domain.cancel import Cancelled, CancelToken
from app.domain.events import FileStarted, IngestDone, RecognizingPages
from tests.support.courses import ingest, library, outcome, reasons
from tests.support.format_samples import pdf, text_page
from tests.support.scans import TEXTS, page_of, picture_of, scan, slides_of, stored_as

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PIL import Image

    from app.core.rag_system import RAGSystem
    from app.domain.documents import Anchor
    from app.domain.events import IngestEvent
    from app.domain.search import SearchHit
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

MEMBRANE = "What does the cell membrane separate?"
FIRST = "The harbour master counts ships every morning before the fog lifts from the bay."
SECOND = "Pilots board large vessels outside the breakwater when the wind allows it."

NONE = "contains no text, and none could be recognized in its pictures."


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
        # Read again from the file, without recognizing it again.
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
        assert [(failure.path, str(failure.reason)) for failure in rag.ingest.failures()] == [
            (str(folder / "stripes.pdf"), f"stripes.pdf {NONE}")
        ]
        assert not rag.ingest.may_have_scans()
        kept = list((tmp_path / "library" / "ocr").iterdir())
        assert len(kept) == 1
        (folder / "stripes.pdf").unlink()
        recognize(rag)
        assert list((tmp_path / "library" / "ocr").iterdir()) == []


def tides(*words: str) -> bytes:
    return scan(*(picture_of([(72, 700, f"A page about tides, harbours and {word}")]) for word in words))


def pages_done(events: Iterable[IngestEvent]) -> list[int]:
    return [event.done for event in events if isinstance(event, RecognizingPages)]


def test_a_file_read_again_between_two_runs_gets_all_its_pages(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "scan.pdf").write_bytes(tides("ships", "pilots"))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        assert pages_done(rag.ingest.recognize(CancelToken(), 0)) == [0]
        list(rag.ingest.retry([folder], CancelToken()))
        assert rag.courses.counts().documents == 0
        assert pages_done(recognize(rag)) == [1]
        assert "pilots" in first_hit(rag, "Who are the pilots?").text


def test_a_drive_that_was_disconnected_is_looked_at_again(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "harbour.pdf").write_bytes(mixed())
    (folder / "scan.pdf").write_bytes(tides("ships", "pilots"))
    away = tmp_path / "away"
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        found = rag.ingest.recognize(CancelToken())
        while not isinstance(event := next(found), RecognizingPages) or event.total != 2:
            pass
        folder.rename(away)  # while the first of two pages is recognized
        assert pages_done(found) == []
        assert recognize(rag) == []
        away.rename(folder)
        assert pages_done(recognize(rag)) == [0, 1]
        assert rag.courses.counts().documents == 2


def test_a_file_that_was_changed_is_read_before_it_is_recognised(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "harbour.pdf").write_bytes(mixed())
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        for event in rag.ingest.recognize(CancelToken()):
            if isinstance(event, RecognizingPages):
                (folder / "harbour.pdf").write_bytes(tides("ships", "pilots"))
        assert first_hit(rag, FIRST).anchor is not None
        assert {anchor.kind for anchor in anchors(rag)} == {"page"}


def anchors(rag: RAGSystem) -> list[Anchor]:
    records = rag.catalog.documents.files().values()
    return [
        mark.anchor for record in records for mark in rag.catalog.documents.text(record.document_id).marks
    ]


def test_a_cancel_while_a_recognised_file_is_stored_loses_nothing(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "scan.pdf").write_bytes(tides("ships"))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        token = CancelToken()
        with pytest.raises(Cancelled):
            for event in rag.ingest.recognize(token):
                if isinstance(event, FileStarted):
                    token.cancel()
        assert [failure.path for failure in rag.ingest.failures()] == [str(folder / "scan.pdf")]
        assert pages_done(recognize(rag)) == []
        assert rag.courses.counts().documents == 1
        assert rag.ingest.failures() == ()


def test_only_some_files_are_recognised_if_wanted(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "one.pdf").write_bytes(tides("ships"))
    (folder / "two.pdf").write_bytes(tides("pilots"))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        done = list(rag.ingest.recognize(CancelToken(), only={str(folder / "two.pdf")}))
        assert pages_done(done) == [0]
        assert [Path(path).name for path in rag.catalog.documents.files()] == ["two.pdf"]


def test_a_source_is_still_read_in_its_lesson_after_a_page_before_it_was_recognised(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    whole = pypdfium2.PdfDocument(scan(picture_of(page_of(TEXTS["English"]))))
    whole.import_pages(pypdfium2.PdfDocument(pdf([text_page([(72, 700, FIRST), (72, 686, SECOND)])])))
    whole.save(str(folder / "harbour.pdf"))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        source = rag.search.make_source(1, first_hit(rag, FIRST))
        recognize(rag)
        lesson = rag.search.lesson_text(source)
        assert lesson.is_whole
        assert "The cell membrane" in lesson.text
        begin, end = source.hit.start - lesson.start, source.hit.end - lesson.start
        assert lesson.text[begin:end] == source.hit.text
        assert [page.number for page in lesson.pages] == [1, 2]
        assert lesson.page_at(source.hit.start) == 2


def test_what_is_deleted_for_good_leaves_no_recognised_text(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "scan.pdf").write_bytes(tides("ships"))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        recognize(rag)
        rag.courses.remove_courses(("Biology",), CancelToken())
        kept = tmp_path / "library" / "ocr"
        assert {file.suffix for file in kept.iterdir()} == {".json", ".lines"}
        list(rag.trash.empty(CancelToken()))
        assert list(kept.iterdir()) == []


def test_a_copy_of_a_scan_is_no_failure_once_it_is_recognised(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    data = tides("ships")
    for name in ("one.pdf", "two.pdf"):
        (folder / name).write_bytes(data)
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        assert pages_done(recognize(rag)) == [0]
        assert rag.courses.counts().documents == 1
        assert rag.ingest.failures() == ()


LIGHTHOUSE = "The lighthouse warns every ship."
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="processes are ended otherwise")


def picture() -> Image.Image:
    return picture_of([(72, 700, LIGHTHOUSE)]).crop((0, 0, 1275, 300))


def test_pictures_in_a_folder_are_lessons(tmp_path: Path, folder: Path, embedder: KeptEmbedder) -> None:
    (folder / "01 Coast.pdf").write_bytes(pdf([text_page([(72, 700, FIRST)])]))
    (folder / "02 Board.png").write_bytes(stored_as(picture(), "PNG"))
    (folder / "03 Broken.jpg").write_bytes(stored_as(picture(), "JPEG")[:999])
    with library(tmp_path / "library", embedder, index=False) as rag:
        done = ingest(rag, folder)
        states = {"01 Coast.pdf": "added", "02 Board.png": "failed", "03 Broken.jpg": "failed"}
        assert outcome(done.files) == states
        why = reasons(done.files)
        assert (why["02 Board.png"] or "").startswith(
            "02 Board.png is a picture. Lectern recognizes the text"
        )
        assert "damaged" in (why["03 Broken.jpg"] or "")
        assert pages_done(recognize(rag)) == [0]
        hit = first_hit(rag, "What warns ships?")
        assert hit.text == LIGHTHOUSE
        assert (hit.lesson_number, Path(hit.path).name) == (2, "02 Board.png")
        assert hit.anchor is not None
        assert hit.anchor.as_dict() == {"page": 1, "recognized": True}
        lesson = rag.search.lesson_text(rag.search.make_source(1, hit))
        assert [page.number for page in lesson.pages] == [1]
        around = lesson.around(hit.start, hit.end)
        assert around is not None
        rag.pages.open(lesson.path, lesson.source.document_sha256, CancelToken())
        (marks,) = rag.pages.marks(around.pages, around.text, [(0, len(hit.text))], CancelToken())
        assert len(marks) == 1
        assert not rag.ingest.may_have_scans()


def test_slides_that_are_pictures_join_the_others(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "mixed.pptx").write_bytes(slides_of(FIRST, picture()))
    (folder / "pictures.pptx").write_bytes(slides_of(picture_of([(72, 700, SECOND)])))
    with library(tmp_path / "library", embedder, index=False) as rag:
        done = ingest(rag, folder)
        assert outcome(done.files) == {"mixed.pptx": "added", "pictures.pptx": "failed"}
        assert "its slides are pictures" in (reasons(done.files)["pictures.pptx"] or "")
        recognize(rag)
        for text in (LIGHTHOUSE, FIRST, SECOND):
            assert text in first_hit(rag, text).text
        assert [anchor.as_dict() for anchor in anchors(rag)] == [
            {"slide": 1},
            {"slide": 2, "recognized": True},
            {"slide": 1, "recognized": True},
        ]
        assert not rag.ingest.may_have_scans()


def end_next_child(number: int) -> threading.Thread:
    """End the recognizing child, and send the one that takes its place a signal before it can answer."""

    def children() -> list[Any]:
        return [one for one in multiprocessing.active_children() if one.name == "lectern-ocr"]

    (old,) = children()
    old.kill()
    old.join()

    def wait_for_another() -> None:
        until = time.monotonic() + 60
        while not (new := children()) and time.monotonic() < until:
            time.sleep(0.001)
        os.kill(new[0].pid, number)

    thread = threading.Thread(target=wait_for_another)
    thread.start()
    return thread


def recognize_and_end_child(rag: RAGSystem, number: int) -> None:
    for event in rag.ingest.recognize(CancelToken()):
        if isinstance(event, RecognizingPages):
            ending = end_next_child(number)
    ending.join()


@POSIX
def test_a_page_at_which_a_child_crashes_is_tried_again(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "scan.pdf").write_bytes(scan(picture()))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        recognize_and_end_child(rag, signal.SIGSEGV)
        assert first_hit(rag, "What warns ships?").text == LIGHTHOUSE


@POSIX
def test_a_page_whose_child_is_killed_waits_for_the_next_run(
    tmp_path: Path, folder: Path, embedder: KeptEmbedder
) -> None:
    (folder / "scan.pdf").write_bytes(scan(picture()))
    with library(tmp_path / "library", embedder, index=False) as rag:
        ingest(rag, folder)
        recognize_and_end_child(rag, signal.SIGKILL)
        assert rag.courses.counts().documents == 0
        assert rag.ingest.may_have_scans()
        recognize(rag)
        assert first_hit(rag, "What warns ships?").text == LIGHTHOUSE
