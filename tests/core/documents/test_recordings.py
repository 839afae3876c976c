"""The recording of a transcript is the file of the same name beside it, if it begins as recordings do."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

import pytest

from app.core.documents.recordings import begins_as_recording, find_recording
from tests.support.recordings import make_sound, make_video

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("transcript", "recording"),
    [
        ("lecture 1.srt", "lecture 1.mp4"),
        ("lecture 1.srt", "Lecture 1.MP4"),
        ("lecture.en.vtt", "lecture.webm"),
        ("lecture.pt-BR.srt", "lecture.mkv"),
        ("lecture.en.auto.vtt", "lecture.mov"),
        ("meeting.transcript.vtt", "meeting.m4a"),
        ("transcript.txt", "transcript.ogg"),
        ("50% #1 [a] & b.srt", "50% #1 [a] & b.opus"),
        (unicodedata.normalize("NFD", "Übung é.srt"), unicodedata.normalize("NFC", "Übung é.flac")),
    ],
)
def test_a_recording_of_the_same_name_is_found(tmp_path: Path, transcript: str, recording: str) -> None:
    for name in (transcript, recording, "other.mp4", "lecture 10.mp3"):
        (tmp_path / name).touch()
    assert find_recording(str(tmp_path / transcript)) == str(tmp_path / recording)


@pytest.mark.parametrize("other", ["lecture 1.2.mp4", "lecture.mp4", "lecture 1.pdf", "a lecture 1.mp3"])
def test_another_name_is_another_recording(tmp_path: Path, other: str) -> None:
    for name in ("lecture 1.srt", other):
        (tmp_path / name).touch()
    assert find_recording(str(tmp_path / "lecture 1.srt")) is None


def test_pictures_are_preferred_and_folders_are_not_played(tmp_path: Path) -> None:
    for name in ("a.srt", "a.wav", "a.en.mp3"):
        (tmp_path / name).touch()
    (tmp_path / "a.mp4").mkdir()
    assert find_recording(str(tmp_path / "a.srt")) == str(tmp_path / "a.wav")
    (tmp_path / "a.mkv").touch()
    assert find_recording(str(tmp_path / "a.srt")) == str(tmp_path / "a.mkv")
    assert find_recording(str(tmp_path / "gone" / "a.srt")) is None


def test_what_begins_as_recordings_do_is_one(tmp_path: Path) -> None:
    tagged, box = b"ID3\x04\0\0\0\0\x02\x01" + bytes(257) + b"\xff\xfb\x90\x64", b"\0\0\0\x18ftypisom"
    (tmp_path / "a.mp3").write_bytes(tagged)
    (tmp_path / "a.mp4").write_bytes(box)
    files = [make_sound(tmp_path / "a.wav", 0.1), make_video(tmp_path / "a.mkv", ["red"])]
    assert all(begins_as_recording(str(path)) for path in (*files, tmp_path / "a.mp3", tmp_path / "a.mp4"))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"ID3",
        b"#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1/a.ts\n",
        b"ID3\x04\0\0\0\0\0\x04\0\0\0\0#EXTM3U\nhttp://127.0.0.1/a.ts\n",
        b"v=0\nc=IN IP4 127.0.0.1\n",
        b"ffconcat version 1.0\nfile /etc/passwd\n",
        b"<html>404 not found</html>",
    ],
)
def test_a_list_of_addresses_is_no_recording_whatever_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "lecture.mp4"
    path.write_bytes(content)
    assert not begins_as_recording(str(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_nothing_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.mp4")
    assert find_recording(str(tmp_path / "a.srt")) is None
