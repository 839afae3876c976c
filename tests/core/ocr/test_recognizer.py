"""Pages are recognized in child processes, of which none grows without bound."""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
from pathlib import Path

import pytest
from PIL import Image

import app.core.ocr.recognizer as recognizer_module
from app.core.ocr.kept_texts import RecognizedTexts, ScannedPages
from app.core.ocr.recognizer import NotRecognized, Recognizer
from app.domain.cancel import CancelToken
from tests.support.format_samples import pdf
from tests.support.scans import picture_of, scan, stored_as

pytestmark = pytest.mark.slow


def test_a_long_scan_is_not_recognised_by_one_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognizer_module, "_PAGES", 3)
    path, token = tmp_path / "long.pdf", CancelToken()
    path.write_bytes(scan(*[Image.new("RGB", (64, 64), "white")] * 4))
    children = set()
    with Recognizer() as recognizer:
        pages = recognizer.scanned_pages(path, token).pages
        assert len(pages) == 4
        for page in pages:
            assert recognizer.page_text(path, page, token) == ("", [])
            found = [one.pid for one in multiprocessing.active_children() if one.name == "lectern-ocr"]
            assert len(found) == 1
            children.update(found)
    assert len(children) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is read from /proc")
def test_pages_of_very_different_sizes_take_no_more_memory(tmp_path: Path) -> None:
    sizes = ((1240, 1754), (2480, 1754), (1600, 900), (700, 1500), (2600, 1300))
    path, token = tmp_path / "page.png", CancelToken()
    line = picture_of([(72, 700, "The lighthouse warns every ship.")]).crop((0, 100, 700, 260))
    with Recognizer() as recognizer:
        for size in sizes:
            page = Image.new("RGB", size, "white")
            page.paste(line, (0, size[1] // 2))
            path.write_bytes(stored_as(page, "PNG"))
            assert recognizer.page_text(path, 1, token)[0] == "The lighthouse warns every ship."
        (child,) = [one.pid for one in multiprocessing.active_children() if one.name == "lectern-ocr"]
        (most,) = re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{child}/status").read_text(encoding="ascii"))
    assert int(most) < 400_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has classes of priority instead")
def test_a_question_goes_before_the_recognition_of_a_page(tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    path.write_bytes(scan(Image.new("RGB", (64, 64), "white")))
    with Recognizer() as recognizer:
        for _ in range(2):
            recognizer.scanned_pages(path, CancelToken())
        (child,) = [one.pid for one in multiprocessing.active_children() if one.name == "lectern-ocr"]
        assert child is not None
        assert os.getpriority(os.PRIO_PROCESS, child) == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)


def test_a_page_of_size_zero_has_no_text_to_recognize(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, token = tmp_path / "page.pdf", CancelToken()
    outside = b"[0 0 612 792] /CropBox [2000 2000 2100 2100]"
    path.write_bytes(pdf([b"0 0 50 50 re f"]).replace(b"[0 0 612 792]", outside))
    with Recognizer() as recognizer:
        assert recognizer.scanned_pages(path, token).pages == ()
        with pytest.raises(NotRecognized):
            recognizer.page_text(path, 1, token)
    assert capfd.readouterr().err == ""


def test_what_was_recognized_is_private(tmp_path: Path) -> None:
    kept = RecognizedTexts(tmp_path / "ocr")
    kept.keep(ScannedPages("a", (1,), {1: "Owls"}))
    kept.keep_lines("a", 1, [])
    if os.name == "posix":
        assert {file.stat().st_mode & 0o077 for file in (tmp_path / "ocr").iterdir()} == {0}
