"""Pages are recognised in child processes, of which none grows without bound."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING

from PIL import Image

from app.core.ocr.recognizer import Recognizer
from app.domain.cancel import CancelToken
from tests.support.scans import scan

if TYPE_CHECKING:
    from pathlib import Path


def test_a_long_scan_is_not_recognised_by_one_child(tmp_path: Path) -> None:
    path, token = tmp_path / "long.pdf", CancelToken()
    path.write_bytes(scan(*[Image.new("RGB", (64, 64), "white")] * 30))
    children = set()
    with Recognizer() as recognizer:
        pages = recognizer.scanned_pages(path, token).pages
        assert len(pages) == 30
        for page in pages:
            assert recognizer.page_text(path, page, token) == ""
            found = [one.pid for one in multiprocessing.active_children() if one.name == "lectern-ocr"]
            assert len(found) == 1
            children.update(found)
    assert len(children) == 2
