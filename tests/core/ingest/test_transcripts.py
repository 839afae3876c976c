"""A transcript follows its recording by the digest of the file, and is corrected in place."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING

import pytest

from app.core.documents.transcript_text import beginning, written
from app.core.storage.transcripts import Heard
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.features.keeping.transfer import TransferService
from tests.support.courses import ingest, library, outcome
from tests.support.recordings import make_sound

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.sources import LessonText
    from tests.support.courses import KeptEmbedder

CUES = (
    (0.5, 3.0, [("Bees", False), (" find", False), (" the", False), (" hype.", True)]),
    (3.5, 6.0, [("They", False), (" dance,", False), (" x<y", True), (" &", False), (" so", False)]),
    (
        3601.25,
        3604.0,
        [("The", False), (" dance", True), (" shows", False), (" the", False), (" way.", False)],
    ),
)
TEXT = "Bees find the hype. They dance, x<y & so\n\nThe dance shows the way."


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as rag:
        yield rag


@pytest.fixture
def recording(rag: RAGSystem, tmp_path: Path) -> Path:
    """A recording in a folder of the library, which has been heard."""
    (tmp_path / "Bees").mkdir()
    path = make_sound((tmp_path / "Bees").resolve() / "02 The dance.wav", 1.0)
    (path.parent / "01 Bees.txt").write_text("Bees live in hives.", encoding="utf-8")
    assert outcome(ingest(rag, path.parent).files)[path.name] == "skipped"
    assert [one.path for one in rag.hearing.unheard(CancelToken())] == [str(path)]
    keep(rag, path)
    assert outcome(ingest(rag, path.parent).files)[path.name] == "added"
    return path


def keep(rag: RAGSystem, path: Path) -> None:
    data, vtt = path.read_bytes(), beginning("Whisper tiny") + written(CUES)
    digest = hashlib.sha256(data).hexdigest()
    rag.catalog.transcripts.keep(
        Heard(digest, str(path), len(data), 3604, 3604, True, "Whisper tiny", "en", vtt, dropped=1)
    )


def shown(rag: RAGSystem, question: str = "What does the dance show?") -> LessonText:
    hit = next(hit for hit in rag.search.retrieve(question).hits if hit.path.endswith((".wav", ".vtt")))
    return rag.search.lesson_text(rag.search.make_source(1, hit))


def key(rag: RAGSystem) -> int:
    (found,) = (one for one in rag.catalog.documents.files().values() if one.path.endswith(".wav"))
    return found.document_id


def paths(rag: RAGSystem) -> set[str]:
    return {path.rpartition("/")[2] for path in rag.catalog.documents.files()}


def test_it_stands_in_its_course_with_seconds_and_unsure_words(rag: RAGSystem, recording: Path) -> None:
    lesson = shown(rag)
    assert lesson.text == TEXT
    assert lesson.recording is not None
    assert (lesson.recording.path, lesson.recording.is_known) == (str(recording), True)
    assert [cue.seconds for cue in lesson.recording.cues] == [0.5, 3.5, 3601.25]
    assert lesson.transcript is not None
    assert [lesson.text[start:end] for start, end in lesson.transcript.unsure] == ["hype.", "x<y", "dance"]
    assert lesson.transcript[:4] == ("Whisper tiny", "en", False, 1)


def test_a_correction_is_found_at_once_and_stays(rag: RAGSystem, recording: Path) -> None:
    start = TEXT.index("hype.")
    list(rag.hearing.correct(key(rag), start, start + len("hype."), "hive again.", CancelToken()))
    paragraph = TEXT.replace("hype.", "hive again.").partition("\n")[0]
    better = paragraph.replace("They dance,", "All of them dance and dance,")
    list(rag.hearing.correct(key(rag), 0, len(paragraph), better, CancelToken()))
    lesson = shown(rag, "What do all of them do again?")
    assert lesson.text == f"{better}\n\nThe dance shows the way."
    assert lesson.recording is not None
    assert lesson.recording.seconds_at(lesson.text.index("dance and")) == 3.5
    assert lesson.transcript is not None
    assert lesson.transcript.is_corrected
    assert [lesson.text[first:last] for first, last in lesson.transcript.unsure] == ["dance"]
    assert outcome(ingest(rag, recording.parent).files)[recording.name] == "unchanged"
    with pytest.raises(UserError, match="cannot be without any text"):
        list(rag.hearing.correct(key(rag), 0, len(lesson.text), " ", CancelToken()))
    assert shown(rag).text == lesson.text


def test_it_follows_a_file_that_is_moved_deleted_and_put_back(rag: RAGSystem, recording: Path) -> None:
    moved = recording.rename(recording.with_name("03 Dancing.wav"))
    assert outcome(ingest(rag, moved.parent).files)[moved.name] == "moved"
    kept = shutil.copy(moved, moved.parent.parent / "kept.wav")
    moved.unlink()
    assert outcome(ingest(rag, moved.parent).files)[moved.name] == "removed"
    shutil.copy(kept, moved)
    assert outcome(ingest(rag, moved.parent).files)[moved.name] == "added"
    make_sound(moved, 2.0)  # another recording of the same name
    assert outcome(ingest(rag, moved.parent).files)[moved.name] == "removed"
    assert [one.path for one in rag.hearing.unheard(CancelToken())] == [str(moved)]


def test_another_recording_of_the_same_size_is_offered_too(rag: RAGSystem, recording: Path) -> None:
    other = recording.with_name("03 Hives.wav")
    other.write_bytes(bytes(reversed(recording.read_bytes())))
    done = ingest(rag, recording.parent).files
    assert outcome(done)[other.name] == "skipped"
    assert [one.path for one in rag.hearing.unheard(CancelToken())] == [str(other)]
    other.replace(recording)
    assert outcome(ingest(rag, recording.parent).files)[recording.name] == "removed"


def test_it_stays_where_its_folder_is_not_looked_into(
    rag: RAGSystem, recording: Path, tmp_path: Path
) -> None:
    rag.hearing.save_captions(key(rag))
    elsewhere = recording.parent.rename(tmp_path / "Elsewhere")
    recording.parent.mkdir()
    elsewhere.rename(recording.parent / "Week 1")
    moved = recording.parent / "Week 1" / recording.name
    assert outcome(ingest(rag, recording.parent).files)[recording.name] == "moved"
    moved.parent.rename(elsewhere)
    moved.parent.symlink_to(elsewhere)  # out of the folder that is read
    assert recording.name not in outcome(ingest(rag, recording.parent).files)
    assert recording.name in paths(rag)


def test_captions_win_but_not_those_saved_from_it(rag: RAGSystem, recording: Path) -> None:
    saved = rag.hearing.save_captions(key(rag))
    assert saved == recording.with_suffix(".vtt")
    assert "not by a person" in saved.read_text("utf-8")
    ingest(rag, recording.parent)
    assert paths(rag) == {"01 Bees.txt", "02 The dance.wav"}
    rag.hearing.save_captions(key(rag))  # once more, over its own
    saved.write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nThe dance shows where flowers are.\n", "utf-8")
    with pytest.raises(UserError, match="could not be written"):
        rag.hearing.save_captions(key(rag))
    ingest(rag, recording.parent)
    assert paths(rag) == {"01 Bees.txt", "02 The dance.vtt"}
    assert shown(rag).transcript is None
    saved.unlink()
    ingest(rag, recording.parent)
    assert paths(rag) == {"01 Bees.txt", "02 The dance.wav"}


def test_what_is_deleted_for_good_is_forgotten(rag: RAGSystem, recording: Path) -> None:
    rag.courses.remove([key(rag)], CancelToken())
    assert rag.catalog.transcripts.sizes()
    list(rag.trash.empty(CancelToken()))
    assert rag.catalog.transcripts.sizes() == set()


def test_names_around_a_recording_are_a_hint(rag: RAGSystem, recording: Path) -> None:
    (recording.parent / "02 The dance.md").write_text(
        "# The dance\n\n**Waggle run**: the part of the dance in which the bee shakes her body.\n", "utf-8"
    )
    ingest(rag, recording.parent)
    assert rag.hearing.hint(recording) == "The dance, Bees, Waggle run"


def test_it_goes_along_with_an_export(
    rag: RAGSystem, recording: Path, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    list(rag.service(TransferService).export_library(tmp_path / "bees.zip", CancelToken()))
    with library(tmp_path / "other", embedder, index=False) as other:
        list(
            other.service(TransferService).import_library(tmp_path / "bees.zip", CancelToken(), replace=False)
        )
        assert shown(other).transcript == shown(rag).transcript
        list(other.hearing.correct(key(other), 0, len("Bees"), "All bees", CancelToken()))
        assert shown(other).text == f"All bees{TEXT.removeprefix('Bees')}"
