"""Pictures of a transcript and its recording, for ``tests.tools.screenshots``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont
from PySide6.QtTest import QTest

from app.domain.scope import only_course
from tests.support.recordings import make_video

if TYPE_CHECKING:
    from tests.tools.screenshots.pictures import Pictures

_SLIDES = {
    "What a tide is": ("A tide is the slow rise and fall of the sea.", "Sailors plan their day by it."),
    "The pull of the moon": (
        "The moon pulls the ocean into two bulges.",
        "So there are two high tides a day.",
    ),
    "Spring and neap": (
        "When sun and moon stand in line, spring tides follow.",
        "Neap tides come a week later.",
    ),
}
_EACH = 20  # seconds of a slide


def recording_states(pictures: Pictures) -> None:
    """Take a citation of captions: with its recording, while that is played, and with a damaged one."""
    with pictures.window() as (running, folder):
        course = _write_lecture(folder / "Tides")
        window, reading = running.window, running.window.sources.reading
        window.ingest_controller.add_paths([course])
        running.wait_for(lambda: running.rag.courses.counts().courses == 5, "the lecture")
        running.wait_for(lambda: not window.ingest_controller.is_reading, "the end of reading")
        title = next(one.title for one in running.rag.courses.all() if str(course) in one.files[0])
        window.set_scope(only_course(title))
        running.ask("Why are there two high tides a day?")
        window.sources.activate(1)
        window.sources.read(1)
        running.wait_for(lambda: reading.player.is_usable, "the recording")
        QTest.qWait(500)
        pictures.take_with_sources(running, "recording")
        reading.player.toggle()
        running.wait_for(lambda: reading.player.seconds > 3, "it to play")
        pictures.take_with_sources(running, "recording-playing")
        reading.player.pause()
        Path(course, "01 Tides.mkv").write_bytes(b"<html>404 Not Found</html>")
        window.sources.clear()
        running.ask("What are spring tides?")
        window.sources.activate(1)
        window.sources.read(1)
        running.wait_for(lambda: bool(reading.player.sentence.text()), "the sentence")
        pictures.take_with_sources(running, "recording-damaged")


def _write_lecture(folder: Path) -> Path:
    """Write captions that say a sentence every five seconds, and a recording of three slides."""
    folder.mkdir()
    said = [one for sentences in _SLIDES.values() for one in sentences * 2]
    times = [(f"00:00:{5 * n:02},000", f"00:00:{5 * n + 4:02},900") for n in range(len(said))]
    cues = (f"{n}\n{a} --> {b}\n{one}\n" for n, ((a, b), one) in enumerate(zip(times, said, strict=True), 1))
    (folder / "01 Tides.en.srt").write_text("\n".join(cues), encoding="utf-8")
    slides = [_slide(title) for title in _SLIDES for _ in range(_EACH)]
    make_video(folder / "01 Tides.mkv", slides, 1280, 1.0)
    return folder


def _slide(title: str) -> Image.Image:
    image = Image.new("RGB", (1280, 720), "#f7f3ea")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 1280, 140), fill="#23695b")
    draw.text((70, 45), title, fill="white", font=ImageFont.load_default(56))
    draw.ellipse((420, 250, 860, 690), fill="#4a86b8")
    return image
