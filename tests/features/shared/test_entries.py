"""Entries of courses: whole or not at all, and the same for the same content."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.domain.courses import LessonInfo
from app.features.shared.connection import Found
from app.features.shared.model import SharedCourse, SharedDocument
from app.features.shared.records import CourseHead, course_uid, decode_entry, encode_entry, head_of

TITLE = "Tides and Currents"
UID = "0123456789abcdef" * 2
VECTOR = np.linspace(-1, 1, 384, dtype=np.float32)
VECTOR /= np.linalg.norm(VECTOR)
COURSE = SharedCourse(
    uid=course_uid(TITLE),
    title=TITLE,
    instructor="Jon Apsley",
    link=None,
    revision="",
    lessons=(LessonInfo(1, "Why the sea rises", None, 2, ("tides/one.txt",)), LessonInfo(None, "", None, 1)),
    documents=(
        SharedDocument(UID, "tides/one.txt", "a" * 64, "en", 3, 400, ((0, 200, 1), (200, 400, None))),
    ),
)
LARGE = replace(
    COURSE,
    lessons=tuple(
        LessonInfo(n, hashlib.sha256(str(n).encode()).hexdigest() * 3, None, 1) for n in range(4_000)
    ),
)


def _sent(course: SharedCourse = COURSE, now: float = 1_700_000_000.5) -> tuple[CourseHead, str]:
    parts, record = encode_entry(course, VECTOR, "publisher", now)
    head = head_of(Found(record.id, record.document, json.loads(json.dumps(record.metadata))))
    assert head is not None
    assert head.part_ids == [part.id for part in parts]
    return head, "".join(part.document or "" for part in parts)


def test_an_entry_comes_back_whole() -> None:
    head, parts = _sent()
    entry = decode_entry(head, parts)
    assert entry is not None
    assert entry.course == replace(COURSE, revision=head.revision)
    assert np.allclose(entry.title_vector, VECTOR, atol=1e-3)


def test_a_revision_tells_contents_apart_and_nothing_else() -> None:
    revision = _sent()[0].revision
    assert _sent(replace(COURSE, revision="any"), 1.0)[0].revision == revision
    assert _sent(replace(COURSE, instructor=None))[0].revision != revision


def test_a_large_course_is_split_into_parts_that_a_cloud_accepts() -> None:
    parts, record = encode_entry(LARGE, VECTOR, "publisher", 1.0)
    assert len(parts) > 10
    for one in (*parts, record):
        assert len((one.document or "").encode()) <= 16_384
        assert len(one.id) <= 128
        assert all(len(str(value).encode()) <= 4_096 for value in one.metadata.values())
    head, texts = _sent(LARGE)
    entry = decode_entry(head, texts)
    assert entry is not None
    assert entry.course.lessons == LARGE.lessons


def test_an_entry_with_the_words_that_earlier_versions_published_can_be_read() -> None:
    entry = decode_entry(*_forged(_entry(words="\nsea 1\ntide 3\n")))
    assert entry is not None
    assert entry.course.documents == COURSE.documents


def test_parts_that_are_not_those_of_the_head_are_no_entry() -> None:
    head, parts = _sent(LARGE)
    assert decode_entry(head, parts) is not None
    assert decode_entry(head, parts[:-1]) is None
    assert decode_entry(head, parts[:-4] + "AAAA") is None
    assert decode_entry(head, "\ud800" * len(parts)) is None


def _forged(entry: object, packed: bytes | None = None) -> tuple[CourseHead, str]:
    head, _ = _sent()
    packed = json.dumps(entry).encode() if packed is None else packed
    text = base64.b64encode(zlib.compress(packed)).decode()
    return replace(head, parts=1, sha256=hashlib.sha256(text.encode()).hexdigest()), text


def _entry(**changed: object) -> dict[str, Any]:
    head, parts = _sent()
    stored = json.loads(zlib.decompress(base64.b64decode(parts)))
    return {**stored, **changed}


UNFIT: list[dict[str, object]] = [
    {"title": "Another course"},
    {"title": 5},
    {"lessons": 5},
    {"lessons": [[1, "One", None]]},
    {"lessons": [["first", "One", None, 1, []]]},
    {"documents": [[UID, "name", "", "", 1, 10, [[5, 20, 1]]]]},
    {"documents": [[UID, "name", "", "", 1, 2**31 - 1, [[0, 2**31 - 1, 1]]]]},
    {"documents": [[UID, "name", "", "", None, 10, []]]},
    {"title_vector": "AAA"},
    {"title_vector": base64.b64encode(np.array([np.nan], "<f2").tobytes()).decode()},
    {"title_vector": base64.b64encode(np.array([900.0], "<f2").tobytes()).decode()},
]


@pytest.mark.parametrize("changed", UNFIT, ids=lambda changed: str(changed)[:40])
def test_an_entry_with_something_wrong_in_it_is_none(changed: dict[str, object]) -> None:
    assert decode_entry(*_forged(_entry())) is not None
    assert decode_entry(*_forged(_entry(**changed))) is None


def test_texts_are_cut_to_what_publishers_write_and_have_no_halves_of_characters() -> None:
    lessons = [[1, "x" * 5000, None, 1, ["\ud800.md"]]]
    entry = decode_entry(*_forged(_entry(lessons=lessons, instructor=["x"])))
    assert entry is not None
    assert entry.course.lessons == (LessonInfo(1, "x" * 4000, None, 1, ("?.md",)),)
    assert isinstance(entry.course.instructor, str)


@pytest.mark.parametrize(
    "packed", [b"", b"[]", b"{", b"[" * 100_000, b" " * (17 << 20)], ids=lambda one: one[:2]
)
def test_what_is_no_entry_or_too_large_is_none(packed: bytes) -> None:
    assert decode_entry(*_forged(None, packed)) is None


def test_a_record_that_is_no_course_has_no_head() -> None:
    _, record = encode_entry(COURSE, VECTOR, "publisher", 1.0)
    fields = record.metadata
    assert head_of(Found(record.id, metadata=fields)) is not None
    for changed in (
        {"kind": "part"},
        {"lectern_schema": 2},
        {"parts": 0},
        {"parts": 10**6},
        {"parts": "many"},
    ):
        assert head_of(Found(record.id, metadata={**fields, **changed})) is None
    assert head_of(Found(record.id, metadata={name: fields[name] for name in ("kind", "title")})) is None
    assert head_of(Found(record.id)) is None
