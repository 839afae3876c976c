"""A cited lesson shows a picture from its course folder, in the real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image
from PySide6.QtGui import QColor

from app.domain.scope import only_course
from tests.support.conversing import ask

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.running_window import Opener

RED = (200, 20, 20)


def test_a_lesson_shows_a_picture_from_its_course_folder(open_window: Opener, tmp_path: Path) -> None:
    running = open_window()
    window, reading = running.window, running.window.sources.reading
    course = tmp_path / "seas"
    course.mkdir()
    Image.new("RGB", (200, 100), RED).save(course / "tide.png")
    lesson = "# Tides\n\nPlankton drifts in the estuary.\n\n![](/tide.png)\n\nSalt stays behind.\n"
    (course / "tides.md").write_text(lesson)
    window.ingest_controller.add_paths([course])
    running.wait_until_read()
    path = str(course / "tides.md")
    window.set_scope(only_course(next(one.title for one in running.rag.courses.all() if path in one.files)))
    ask(running, "plankton drifts in the estuary")
    window.sources.read(1)

    def is_red() -> bool:
        image = reading.text.viewport().grab().toImage()
        pixels = ((x, y) for y in range(0, image.height(), 5) for x in range(0, image.width(), 5))
        return any(image.pixel(*pixel) == QColor(*RED).rgb() for pixel in pixels)

    running.wait_for(is_red, "the picture")
