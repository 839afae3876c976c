"""What is said in recordings is found like any other text, and nothing that was heard is lost."""

from __future__ import annotations

import multiprocessing
import shutil
import threading
import time
from itertools import pairwise
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.hearing import engine, service
from app.core.sandbox import Sandbox
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError
from app.domain.events import FileDone, Hearing, IngestDone
from tests.support.courses import ingest, library, outcome, reasons
from tests.support.recordings import make_sound, make_video
from tests.support.speech import SPEECH, long_speech, small_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.core.rag_system import RAGSystem
    from app.domain.events import IngestEvent
    from tests.support.courses import KeptEmbedder

KILLS = 1
CLOUDS = "What does the bee remember when clouds cover the sky?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "Bees"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as rag:
        yield rag


def hear(rag: RAGSystem, *paths: Path, token: CancelToken | None = None) -> list[FileDone]:
    events = list(rag.hearing.transcribe(paths, small_model(), "", token or CancelToken()))
    assert isinstance(events[-1], IngestDone)
    return list(events[-1].files)


def transcript(rag: RAGSystem) -> str:
    return str(rag.database.connection.execute("SELECT vtt FROM transcripts").fetchone()["vtt"])


def test_what_is_said_is_found_at_its_second(rag: RAGSystem, folder: Path) -> None:
    recording = folder / "01 Finding home.opus"
    shutil.copy(SPEECH / "speech.opus", recording)
    assert outcome(ingest(rag, folder).files) == {recording.name: "skipped"}
    (found,) = rag.hearing.unheard(CancelToken())
    assert (found.path, round(found.seconds), found.heard_until) == (str(recording), 12, 0)
    assert outcome(hear(rag, recording)) == {recording.name: "added"}
    assert rag.hearing.unheard(CancelToken()) == []
    hit = rag.search.retrieve(CLOUDS).hits[0]
    assert (hit.course_title, hit.lesson_number, hit.lesson_title) == ("Bees", 1, "Finding home")
    lesson = rag.search.lesson_text(rag.search.make_source(1, hit))
    assert lesson.recording is not None
    assert lesson.recording.path == str(recording)
    sky = lesson.text.index("When the sky")
    assert "covered with clouds" in lesson.text
    assert 5 < lesson.recording.seconds_at(sky) < 10
    assert lesson.transcript is not None
    assert (lesson.transcript.language, lesson.transcript.is_corrected) == ("en", False)
    assert all(lesson.text[start:end].strip() for start, end in lesson.transcript.unsure)


@pytest.mark.slow
def test_it_is_heard_in_other_containers_too(rag: RAGSystem, folder: Path) -> None:
    for name in ("speech.m4a", "speech.mp3"):
        shutil.copy(SPEECH / name, folder)
    whole = (SPEECH / "speech.opus").read_bytes()
    (folder / "damaged.opus").write_bytes(whole[: len(whole) // 2] + bytes(200_000))
    done = hear(rag, *folder.iterdir())
    documents = rag.catalog.documents
    texts = {Path(path).name: documents.text(one.document_id).text for path, one in documents.files().items()}
    assert len(texts) == 3
    damaged = texts.pop("damaged.opus")
    assert all("covered with clouds" in text for text in texts.values())
    assert damaged
    assert "clouds" not in damaged
    broken = {file.path.rpartition("/")[2]: str(file.reason) for file in done if file.reason}
    assert broken == {"damaged.opus": "It can be heard up to minute 1; the rest is damaged or missing."}
    heard = rag.catalog.transcripts.of(documents.files()[str(folder / "damaged.opus")].sha256)
    assert heard is not None
    assert str(heard.unread) == broken["damaged.opus"]


@pytest.mark.slow
def test_another_model_replaces_a_transcript_only_when_asked_and_whole(
    rag: RAGSystem, folder: Path, tmp_path: Path
) -> None:
    recording = folder / "01 Finding home.opus"
    shutil.copy(SPEECH / "speech.opus", recording)
    hear(rag, recording)
    (record,) = rag.catalog.documents.files().values()
    said = rag.catalog.documents.text(record.document_id).text
    list(rag.hearing.correct(record.document_id, 0, 4, "Corrected", CancelToken()))
    mended = transcript(rag)
    (record,) = rag.catalog.documents.files().values()
    captions = rag.hearing.save_captions(record.document_id)
    other = tmp_path / "better"
    other.symlink_to(small_model())

    def hear_again(model: str, token: CancelToken, *, again: bool = True) -> Iterator[IngestEvent]:
        return rag.hearing.transcribe([recording], model, "", token, again=again)

    list(hear_again(small_model(), CancelToken()))
    list(hear_again(str(other), CancelToken(), again=False))
    token = CancelToken()
    with pytest.raises(Cancelled):
        for event in hear_again(str(other), token):
            if isinstance(event, Hearing):
                token.cancel()
    assert transcript(rag) == mended
    *_, done = hear_again(str(other), CancelToken())
    assert isinstance(done, IngestDone)
    assert outcome(done.files) == {recording.name: "changed"}
    (record,) = rag.catalog.documents.files().values()
    assert rag.catalog.documents.text(record.document_id).text == said
    now = rag.catalog.transcripts.of(record.sha256)
    assert now is not None
    assert (now.model, now.is_corrected) == ("better", False)
    assert rag.database.connection.execute("SELECT count(*) FROM transcripts").fetchone()[0] == 1
    assert rag.hearing.save_captions(record.document_id) == captions, "they are still its own"


@pytest.mark.slow
def test_a_hint_does_not_make_it_leave_out_what_is_said(folder: Path) -> None:
    recording = long_speech(folder / "speech.mp3", 2)
    # In a process of its own: it makes an application of Qt's there, and tests of the window have another.
    with Sandbox("hearing", memory=None) as child:
        heard = child.call(dict, engine.hear, recording, 0.0, Path(small_model()), "en", "The End")
    text = "".join(word for _, _, words in heard["cues"] for word, _ in words)
    assert text.count("position of the sun") == 2


@pytest.mark.slow
def test_what_nothing_is_said_in_gets_one_sentence(rag: RAGSystem, folder: Path) -> None:
    make_sound(folder / "tone.wav")
    make_video(folder / "mute.mkv", ["red", "blue"])
    (folder / "lie.mp3").write_text("This is no recording at all.")
    whole = (SPEECH / "speech.m4a").read_bytes()
    (folder / "cut.m4a").write_bytes(whole[: len(whole) // 2])
    with (folder / "zeros.mp4").open("wb") as file:
        file.truncate(2 * 2**30)
    shutil.copy(SPEECH / "speech.mp3", folder / "captioned.mp3")
    (folder / "captioned.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBees.\n")
    done = hear(rag, *sorted(folder.glob("*.[mw][p4ak]*")), folder / "gone.mp3")
    assert set(outcome(done).values()) == {"failed"}
    said = reasons(done)
    assert said["tone.wav"] == "Nothing is said in tone.wav, as far as it can be understood."
    assert said["mute.mkv"] == "mute.mkv has no sound, or is damaged or not wholly there."
    assert said["lie.mp3"] == "lie.mp3 is not a recording that Lectern can play."
    assert said["zeros.mp4"] == "zeros.mp4 is not a recording that Lectern can play."
    assert said["cut.m4a"] == "cut.m4a has no sound, or is damaged or not wholly there."
    assert said["captioned.mp3"] == "captioned.mp3 has captions beside it, which are read instead."
    assert said["gone.mp3"] == "gone.mp3 no longer exists."
    assert reasons(ingest(rag, folder).files)["mute.mkv"] == said["mute.mkv"]
    assert rag.hearing.unheard(CancelToken()) == []  # nothing of it is offered again


@pytest.mark.slow
def test_a_file_that_takes_too_long_to_open_holds_up_no_other(
    rag: RAGSystem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, speech = make_sound(folder / "zeros.wav", 1.0), folder / "speech.opus"
    with sound.open("ab") as file:
        file.truncate(2 * 2**30)  # its decoder reads them all, eight at a time
    shutil.copy(SPEECH / "speech.opus", speech)
    monkeypatch.setattr(service, "_OPENING", 1.0)
    lengths = [round(one.seconds) for one in rag.hearing.measured([str(sound), str(speech)], CancelToken())]
    assert lengths == [0, 12]
    said = reasons(hear(rag, sound))
    assert said == {sound.name: "zeros.wav has no sound, or is damaged or not wholly there."}


def test_a_text_is_not_heard_and_still_read(rag: RAGSystem, folder: Path) -> None:
    notes = folder / "notes.txt"
    notes.write_text("Bees live in hives.", encoding="utf-8")
    assert reasons(hear(rag, notes)) == {notes.name: "notes.txt is not a recording that Lectern can play."}
    assert outcome(ingest(rag, folder).files) == {notes.name: "added"}


@pytest.mark.slow
def test_kills_and_cancels_lose_a_minute_at_most(
    rag: RAGSystem, folder: Path, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    recording = long_speech(folder / "long.mp3", 10)
    heard: list[float] = []
    paused: list[float] = []
    token, waited = CancelToken(), 0.0

    def pause(_: BaseProcess) -> None:
        paused.append(time.monotonic())
        token.pause()

    with pytest.raises(Cancelled):
        for event in rag.hearing.transcribe([recording], small_model(), "", token):
            if isinstance(event, Hearing):
                heard.append(event.heard)
                if token.paused:
                    waited = time.monotonic() - paused[0]
                    token.resume()
                    threading.Thread(target=token.cancel).start()
                else:
                    doing = BaseProcess.kill if len(heard) <= KILLS else pause
                    threading.Thread(target=while_it_hears, args=(doing,)).start()
    assert waited < 1
    assert heard[-1] == heard[-2], "what was not finished is heard again"
    (left,) = rag.hearing.measured([str(recording)], CancelToken())
    assert left.heard_until == heard[-1]
    assert max(after - before for before, after in pairwise(heard)) <= 60
    hear(rag, recording)
    text = transcript(rag)
    with library(tmp_path / "undisturbed", embedder, index=False) as other:
        hear(other, recording)
        assert transcript(other) == text
    assert text.count(" --> ") > 20


def while_it_hears(do: Callable[[BaseProcess], None]) -> None:
    """Do something once the process that hears runs."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for child in multiprocessing.active_children():
            if child.name == "lectern-hearing":
                time.sleep(1.0)  # it is in the middle of something
                do(child)
                return
        time.sleep(0.01)


@pytest.mark.slow
def test_a_file_that_is_still_written_waits(rag: RAGSystem, folder: Path) -> None:
    recording = long_speech(folder / "growing.mp3", 1)
    events = rag.hearing.transcribe([recording], small_model(), "", CancelToken())
    for event in events:
        if isinstance(event, Hearing):
            with recording.open("ab") as file:
                file.write(b"more")
        if isinstance(event, IngestDone):
            assert "is still being written" in (reasons(event.files)["growing.mp3"] or "")
    (left,) = rag.hearing.measured([str(recording)], CancelToken())
    assert left.heard_until == 0, "what was heard of another version does not count"


def test_a_model_that_is_not_there_is_refused(rag: RAGSystem, folder: Path) -> None:
    for model in ("base", str(folder)):
        with pytest.raises(UserError, match="base has not been downloaded|There is no Whisper model"):
            list(rag.hearing.transcribe([folder / "a.mp3"], model, "", CancelToken()))
    with pytest.raises(UserError, match="cannot transcribe “klingon”"):
        list(rag.hearing.transcribe([folder / "a.mp3"], small_model(), "klingon", CancelToken()))
    models = rag.hearing.models()
    assert [model.id for model in models] == ["small", "base", "tiny"]
    assert all(model.rate > 0 and not model.is_installed for model in models)
    assert rag.hearing.recommended() in models
