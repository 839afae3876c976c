from __future__ import annotations

from app.core.documents.formats import ENDINGS
from app.core.documents.libreoffice import CONVERTED
from app.workers.workers import course_file_endings


def test_the_dialog_shows_every_kind_of_file_that_is_read() -> None:
    assert set(course_file_endings()) == ENDINGS | CONVERTED.keys()
