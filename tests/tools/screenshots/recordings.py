"""Pictures of a transcript and its recording, for ``tests.tools.screenshots``."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont
from PySide6.QtTest import QTest

from app.core.documents.transcript_text import beginning, with_headings, written
from app.core.ingest.run import sha256_of
from app.core.storage.transcripts import Heard
from app.domain.cancel import CancelToken
from app.domain.events import FileDone, FileStatus, Hearing
from app.domain.scope import only_course
from app.ui.library.transcription_dialog import TranscriptionDialog
from tests.support.recordings import make_video
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
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


def hearing_states(pictures: Pictures) -> None:
    """Take recordings without captions: offered, being transcribed, read, corrected and played."""
    with pictures.window() as (running, folder):
        course = folder / "Tides"
        course.mkdir()
        first = course / "01 Tides.mkv"
        make_video(first, [_slide(title) for title in _SLIDES for _ in range(_EACH)], 1280, 50.0)
        for name, minutes in (("02 Moon and sun.wav", 48), ("03 Harbours.wav", 95)):
            _write_silence(course / name, minutes)
        window, reading = running.window, running.window.sources.reading
        plans = window.ingest_controller.plan_controller
        window.ingest_controller.add_paths([course])
        running.wait_for(lambda: plans.dialog is not None and plans.dialog.transcribe.isVisible(), "the plan")
        assert plans.dialog is not None
        pictures.take(running, "hearing-plan")
        plans.dialog.transcribe.click()
        settle(500)
        pictures.take(running, "hearing-choice")
        chosen = window.findChild(TranscriptionDialog)
        assert isinstance(chosen, TranscriptionDialog)
        chosen.begin.click()
        settle(500)
        pictures.take(running, "hearing-plan-chosen")
        plans.dialog.choice = None
        plans.dialog.read.click()
        running.wait_for(lambda: not window.ingest_controller.is_reading, "the end of reading")
        pictures.take(running, "hearing-progress", lambda: window.ingest_status.handle(_HEARING))
        window.ingest_status.clear()
        _keep_transcript(running, first)
        window.ingest_controller.retry([FileDone(str(first), FileStatus.SKIPPED)])
        running.wait_for(lambda: running.rag.courses.counts().courses == 5, "the transcript")
        running.wait_for(lambda: not window.ingest_controller.is_reading, "the end of reading")
        title = next(one.title for one in running.rag.courses.all() if str(course) in one.files[0])
        window.set_scope(only_course(title))
        running.ask("Why are there two high tides a day?")
        window.sources.activate(1)
        window.sources.read(1)
        running.wait_for(lambda: reading.player.is_usable, "the recording")
        settle(500)
        pictures.take_with_sources(running, "hearing-transcript")
        pictures.take(running, "hearing-correction", lambda: _correct(running))
        reading.correction.dismiss()
        reading.transcript.again.click()
        running.wait_for(lambda: window.findChild(TranscriptionDialog) is not None, "the question how")
        settle(500)
        pictures.take(running, "hearing-again")
        again = window.findChild(TranscriptionDialog)
        assert isinstance(again, TranscriptionDialog)
        again.reject()
        begun = reading.player.seconds
        reading.player.toggle()
        running.wait_for(lambda: reading.player.seconds > begun + 3, "it to play")
        pictures.take_with_sources(running, "hearing-playing")
        reading.player.pause()


_HEARING = Hearing("/home/ada/Tides/02 Moon and sun.wav", 763.0, 2880.0, 8.3)


def _correct(running: RunningWindow) -> None:
    running.window.actions_["sources"].setChecked(True)
    settle()
    running.window.sources.reading.correct()


def _write_silence(path: Path, minutes: int) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 1, 8_000, 0, "NONE", ""))
        for _ in range(minutes):
            file.writeframes(b"\x80" * 60 * 8_000)


def _keep_transcript(running: RunningWindow, path: Path) -> None:
    """Keep what a model would have heard, with words that it was not sure of."""
    said = [one for sentences in _SLIDES.values() for one in sentences * 2]
    words = [[(f" {word}", word in ("bulges.", "neap", "Neap")) for word in one.split()] for one in said]
    cues = [(5.0 * n + n // 4 * 3, 5.0 * n + 4.9 + n // 4 * 3, cue) for n, cue in enumerate(words)]
    titles = {cue[0]: title for cue, title in zip(cues[::4], _SLIDES, strict=True)}
    vtt = with_headings(beginning("Whisper base") + written(cues), titles)
    digest, size = sha256_of(path, CancelToken()), path.stat().st_size
    heard = Heard(digest, str(path), size, 3000.0, 3000.0, True, "Whisper base", "en", vtt, dropped=1)
    running.rag.catalog.transcripts.keep(heard)


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
