from __future__ import annotations

from app.core.documents.document_reader import SUPPORTED_SUFFIXES
from app.ui.ingest.controller import COURSE_FILES


def test_the_dialog_shows_every_kind_of_file_that_is_read() -> None:
    assert {pattern.removeprefix("*") for pattern in COURSE_FILES.split()} == SUPPORTED_SUFFIXES
