"""Recordings without captions: offered with their length, chosen, heard in the background, gone on with."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.domain.courses import IngestPlan, LeftOutFile
from app.domain.events import Hearing
from app.domain.messages import Message
from app.domain.recordings import SpeechModel, Transcription, TranscriptionChoice, TranscriptionOffer, Unheard
from app.ui.library.ingest_status import IngestStatus
from app.ui.library.plan_dialog import PlanDialog
from app.ui.library.plan_edits import needs_review
from app.ui.library.transcription_dialog import TranscriptionDialog
from app.ui.widgets.theme import Theme, apply_theme
from app.workers import power
from tests.support.running_window import RunningWindow
from tests.support.speech import SPEECH, long_speech, small_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder

BASE = SpeechModel("base", "Whisper base", 148_000_000, "MIT", 8.0, 0)
TINY = SpeechModel("tiny", "Whisper tiny", 78_000_000, "MIT", 16.0, 78_000_000)
FIRST, SECOND = Unheard("/c/01 Ink.mp3", 3000.0, 0.0), Unheard("/c/02 Ink.mp3", 5400.0, 1800.0)
OFFER = TranscriptionOffer((FIRST, SECOND), (BASE, TINY), BASE)
LEFT_OUT = tuple(
    LeftOutFile(one.path, Message("ingest.unheard", name="x"), optional=True) for one in (FIRST, SECOND)
)


@pytest.fixture
def plan(qtbot: QtBot, qapp: QApplication) -> PlanDialog:
    apply_theme(qapp, Theme.light())
    made = PlanDialog([])
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_the_plan_offers_recordings_and_remembers_which_to_hear(plan: PlanDialog, qtbot: QtBot) -> None:
    found = IngestPlan(("/c",), (), LEFT_OUT)
    assert needs_review(found, ())
    plan.show_plan(found)
    assert plan.unheard() == [FIRST.path, SECOND.path]
    assert not plan.transcribe.isVisible(), "nobody knows yet how long they are"
    plan.offer_recordings(OFFER)
    assert plan.transcribe.accessibleDescription() == (
        "Without captions: 2 recordings, 1 h 50 min; about 14 min on this computer."
    )
    QTest.mouseClick(plan.transcribe, Qt.MouseButton.LeftButton)
    dialog = plan.findChild(TranscriptionDialog)
    assert isinstance(dialog, TranscriptionDialog)
    qtbot.waitExposed(dialog)
    assert [item.text(1) for item in dialog.items] == [
        "50 min",
        "30 min of 1 h 30 min done",
    ]
    assert dialog.summary.text() == "2 recordings, 1 h 50 min; about 14 min on this computer"
    dialog.items[1].setCheckState(0, Qt.CheckState.Unchecked)
    dialog.model.setCurrentIndex(dialog.model.findData("tiny"))
    dialog.language.setCurrentIndex(dialog.language.findData("de"))
    assert dialog.summary.text() == "1 recording, 50 min; about 3 min on this computer"
    QTest.keyClick(dialog.begin, Qt.Key.Key_Return)
    assert plan.choice == TranscriptionChoice((FIRST.path,), "tiny", "de")
    assert plan.transcribe.accessibleDescription().startswith(
        "Transcribed after reading: 1 recording, 50 min"
    )


def test_a_recording_of_unknown_length_takes_nothing_off_the_others(qtbot: QtBot) -> None:
    unknown = Unheard("/c/03 Ink.webm", 0.0, 600.0)
    dialog = TranscriptionDialog(TranscriptionOffer((FIRST, unknown), (TINY,), TINY))
    qtbot.addWidget(dialog)
    assert dialog.summary.text() == "2 recordings, 50 min; about 3 min on this computer"
    assert unknown.left == 0


def test_the_same_model_does_not_transcribe_again(qtbot: QtBot) -> None:
    dialog = TranscriptionDialog(OFFER, present=Transcription("Whisper base", "en", False, 0, ()))
    qtbot.addWidget(dialog)
    assert "The new text replaces the one by Whisper base once it is whole." in labels(dialog)
    assert dialog.model.currentData() == "tiny"
    assert dialog.begin.isEnabled()
    dialog.model.setCurrentIndex(dialog.model.findData("base"))
    assert not dialog.begin.isEnabled()
    assert dialog.summary.text() == "The text is by this model. Choose another model or a language."
    dialog.language.setCurrentIndex(dialog.language.findData("de"))
    assert dialog.begin.isEnabled()


def test_nothing_is_begun_without_a_recording(qtbot: QtBot) -> None:
    dialog = TranscriptionDialog(OFFER)
    qtbot.addWidget(dialog)
    for item in dialog.items:
        item.setCheckState(0, Qt.CheckState.Unchecked)
    assert not dialog.begin.isEnabled()
    none = TranscriptionDialog(TranscriptionOffer((FIRST,), (), None))
    qtbot.addWidget(none)
    assert not none.begin.isEnabled()
    assert none.summary.text() == "This computer has too little memory for it."


@pytest.mark.skipif(sys.platform != "linux", reason="other systems are asked otherwise")
def test_the_battery_of_a_mouse_tells_nothing_about_mains(supplies: Path) -> None:
    plug(supplies, mains=False, mouse=True)
    assert power.is_on_battery()
    plug(supplies, mains=True, mouse=False)
    assert not power.is_on_battery()


def test_progress_tells_minutes_rate_and_time_left(qtbot: QtBot) -> None:
    line = IngestStatus()
    qtbot.addWidget(line)
    line.handle(Hearing("/c/01 Ink.mp3", 0.0, 0.0, 0.0))
    assert (line.sentence, line.bar.maximum()) == ("Transcribing 01 Ink.mp3", 0)
    line.handle(Hearing("/c/01 Ink.mp3", 750.0, 3000.0, 7.5))
    assert shown_figures(line) == "12/50 min · 8× · 5:00 left"
    assert line.bar.value() == line.bar.maximum() // 4


def shown_figures(line: IngestStatus) -> str:
    return next(one for one in labels(line) if "min" in one)


def labels(widget: QWidget) -> list[str]:
    return [one.text() for one in widget.findChildren(QLabel)]


@pytest.fixture
def supplies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that tells of mains and batteries."""
    folder = tmp_path / "supplies"
    monkeypatch.setattr(power, "_SUPPLIES", folder)
    return folder


def plug(supplies: Path, *, mains: bool, mouse: bool = False) -> None:
    for name, kind, online in (("AC", "Mains", mains), ("hidpp_battery_0", "Battery", mouse)):
        (supplies / name).mkdir(parents=True, exist_ok=True)
        (supplies / name / "type").write_text(f"{kind}\n", encoding="ascii")
        (supplies / name / "online").write_text(f"{online:d}\n", encoding="ascii")


@pytest.fixture
def running(qapp: QApplication, tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RunningWindow]:
    """A window that was closed before it had transcribed a recording."""
    recording = tmp_path / "Bees" / "01 Finding home.mp3"
    recording.parent.mkdir()
    shutil.copy(SPEECH / "speech.mp3", recording)
    memory = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    memory.setValue("recordings_to_transcribe", json.dumps([[str(recording), small_model(), "en"]]))
    memory.sync()
    running = RunningWindow(tmp_path, tmp_path, embedder=embedder)
    running.rag.open()
    running.rag.database.set_meta("samples", "added")
    running.rag.database.close()
    running.open()
    running.wait_until_ready(samples=False)
    yield running
    running.close()


@pytest.mark.slow
def test_changed_files_and_unplugging_do_not_wait_for_the_end_of_a_recording(
    running: RunningWindow, tmp_path: Path, supplies: Path
) -> None:
    window, catalog, folder = running.window, running.rag.catalog, tmp_path / "Bees"
    window.ingest_controller.read([folder])
    running.wait_for(lambda: running.rag.ingest.watched() != (), "the folder to be watched")
    path = str(long_speech(folder / "02 Long.mp3", 40))
    window.transcription.add(TranscriptionChoice((path,), small_model(), "en"))
    running.wait_for(lambda: path in catalog.transcripts.begun(), "a minute of it")
    plug(supplies, mains=False)
    running.wait_for(window.transcription.bar.isVisible, "the question whether to go on by battery")
    assert "This computer runs on battery power" in window.transcription.bar.text.text()
    QTest.mouseClick(window.transcription.bar.action, Qt.MouseButton.LeftButton)
    other = folder / "03 Hives.txt"
    other.write_text("Bees live in hives.", encoding="utf-8")
    running.wait_for(lambda: str(other) in catalog.documents.files(), "the other file")
    left = catalog.transcripts.begun()[path]
    running.wait_for(lambda: catalog.transcripts.begun()[path] > left, "the next minute")


@pytest.mark.slow
def test_what_was_left_is_offered_heard_and_corrected(running: RunningWindow, tmp_path: Path) -> None:
    window, reading, bar = running.window, running.window.sources.reading, running.window.transcription.bar
    running.wait_for(bar.isVisible, "the offer to go on")
    assert bar.text.text() == "1 recording left to transcribe."
    path = str(tmp_path / "Bees" / "01 Finding home.mp3")
    window.transcription.add(TranscriptionChoice((path,), str(tmp_path), "en"))
    assert not bar.isVisible()
    running.wait_for(bar.isVisible, "the offer, because there is no model")
    assert window.ingest_status.sentence.startswith("There is no Whisper model")
    window.transcription.add(TranscriptionChoice((path,), small_model(), "en"))
    running.wait_for(lambda: running.rag.courses.counts().documents == 1, "the transcript")
    running.wait_for(lambda: window.memory.value("recordings_to_transcribe") == "[]", "nothing to be left")
    (course,) = running.rag.courses.all()
    lesson = course.lessons[0]
    window.sources_controller.read_lesson(course.title, lesson.number, lesson.title)
    running.wait_for(lambda: reading.transcript.isVisible(), "the lesson")
    reading.correct()
    reading.correction.field.selectAll()
    QTest.keyClicks(reading.correction.field, "Every bee finds its way home by the sun.")
    QTest.keyClick(reading.correction.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    running.wait_for(lambda: "and corrected by you" in reading.transcript.text.text(), "the correction")
    running.wait_for(lambda: "Every bee finds its way" in reading.text.toPlainText(), "the new words")
    assert not reading.notice.isVisible(), "it is not said that the file has changed"
    QTest.mouseClick(reading.transcript.again, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: window.findChild(TranscriptionDialog) is not None, "the question how")
    dialog = window.findChild(TranscriptionDialog)
    assert isinstance(dialog, TranscriptionDialog)
    assert any("replaces the one by model, and all your corrections" in text for text in labels(dialog))
    dialog.reject()
    hit = running.rag.search.retrieve("How do bees find home?").hits[0]
    assert "Every bee finds its way home by the sun." in hit.text
