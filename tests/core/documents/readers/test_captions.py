"""What is read from captions: the words once, with the times they are said at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.documents.document_reader import read_document

if TYPE_CHECKING:
    from pathlib import Path


def said(folder: Path, name: str, content: str) -> list[tuple[float | int | str, str]]:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    document = read_document(path)
    ends = [mark.start for mark in document.marks[1:]] + [len(document.text)]
    return [
        (mark.anchor.value, document.text[mark.start : end].strip())
        for mark, end in zip(document.marks, ends, strict=True)
    ]


def test_empty_cues_leave_no_numbers(tmp_path: Path) -> None:
    cues = "1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:02,000 --> 00:00:03,000\n3\n"
    cues += "00:00:03,000 --> 00:00:04,000\nIce moves.\n\n4\n00:00:05,000 --> 00:00:06,000\n"
    assert said(tmp_path, "a.srt", cues) == [(3.0, "Ice moves.")]


def test_a_cue_of_a_number_is_said(tmp_path: Path) -> None:
    cues = "WEBVTT\n\n00:01.000 --> 00:02.000\n42\n\n00:02.000 --> 00:03.000\nIs it."
    assert said(tmp_path, "a.vtt", cues) == [(1.0, "42"), (2.0, "Is it.")]


@pytest.mark.parametrize("name", ["lecture.srt", "lecture.txt"])
def test_a_transcript_copied_from_youtube(tmp_path: Path, name: str) -> None:
    copied = "0:00\nWelcome to ice.\n0:07\nIt is a river,\n1:02:03\nafter all.\n"
    assert said(tmp_path, name, copied) == [
        (0.0, "Welcome to ice."),
        (7.0, "It is a river,"),
        (3723.0, "after all."),
    ]


def test_times_in_a_text_are_no_captions(tmp_path: Path) -> None:
    path = tmp_path / "timetable.txt"
    path.write_text("9:00\nCells\nBring a pen.\n10:30\nIce\n", encoding="utf-8")
    assert read_document(path).text == path.read_text(encoding="utf-8")


def test_a_speaker_is_named_where_the_speaker_changes(tmp_path: Path) -> None:
    lines = [
        "Ada Okafor: Ice moves.",
        "Ada Okafor: It is slow.",
        "Ben: Why?",
        "Ada Okafor: Note: its weight.",
    ]
    cues = "".join(f"{n}\n00:00:0{n}.000 --> 00:00:0{n}.900\n{line}\n\n" for n, line in enumerate(lines, 1))
    assert said(tmp_path, "zoom.vtt", "WEBVTT\n\n" + cues) == [
        (1.0, "Ada Okafor: Ice moves."),
        (2.0, "It is slow."),
        (3.0, "Ben: Why?"),
        (4.0, "Ada Okafor: Note: its weight."),
    ]


def test_sbv(tmp_path: Path) -> None:
    cues = "0:00:01.000,0:00:03.500\nIce is[br]a river.\n\n0:00:03.500,0:00:05.000\nA slow one.\n"
    assert said(tmp_path, "a.sbv", cues) == [(1.0, "Ice is a river."), (3.5, "A slow one.")]


def test_ass(tmp_path: Path) -> None:
    cues = (
        "[Script Info]\nTitle: Ice\n\n[V4+ Styles]\nStyle: Default,Arial,20\n\n[Events]\n"
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        "Dialogue: 0,0:00:03.00,0:00:05.00,Default,,0,0,0,,A slow one, {\\i1}says{\\i0} she.\n"
        "Dialogue: 0,0:00:01.00,0:00:03.00,Default,Ada,0000,0000,0000,,{\\an8}Ice is\\Na river.\n"
        "Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}\n"
        "Comment: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,No\n"
    )
    assert said(tmp_path, "a.ass", cues) == [
        (1.0, "Ada: Ice is a river."),
        (3.0, "A slow one, says she."),
    ]
