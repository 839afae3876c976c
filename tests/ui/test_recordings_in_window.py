"""A citation of captions leads to its second in the recording, in the real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.scope import only_course
from tests.support.conversing import ask
from tests.support.recordings import make_sound

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.running_window import Opener

pytest.importorskip("PySide6.QtMultimedia", exc_type=ImportError)  # Linux may lack libpulse

SAID = [f"The exam has part {n}, which asks about the chapters of week {n}." for n in range(30)]
SAID += [f"Plankton of kind {n} drifts where the current of the sea carries it." for n in range(10)]


def test_a_citation_of_captions_leads_to_its_second(open_window: Opener, tmp_path: Path) -> None:
    folder = tmp_path / "seas"
    folder.mkdir()
    cues = (f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{one}\n" for n, one in enumerate(SAID))
    (folder / "seas.en.srt").write_text("\n".join(cues), encoding="utf-8")
    make_sound(folder / "seas.wav", 40.0)
    running = open_window()
    window, reading = running.window, running.window.sources.reading
    window.ingest_controller.add_paths([folder])
    running.wait_until_read()
    title = next(one.title for one in running.rag.courses.all() if str(folder) in one.files[0])
    window.set_scope(only_course(title))
    ask(running, "Where does plankton drift?")
    window.sources.activate(1)
    window.sources.read(1)
    running.wait_for(lambda: reading.player.is_usable, "the recording")
    assert reading.source is not None
    assert SAID[29] in reading.source.hit.text, "the passage begins before what answers the question"
    assert 30 <= reading.player.seconds < 40, "with the sentence that is quoted"
    before = reading.player.seconds
    QTest.keyClick(reading.text, Qt.Key.Key_Space)
    running.wait_for(lambda: reading.player.seconds > before + 0.2, "the recording to play")
