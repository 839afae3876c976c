"""Courses as records on a Chroma server: a record for each course, and parts that hold its whole entry.

The entry lists the course's lessons and documents. Its parts are written before the course's record,
which names them: a reader finds the old entry or the new one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.core.storage import codec
from app.domain.courses import LessonInfo
from app.features.shared.connection import Record
from app.features.shared.model import SharedCourse, SharedDocument
from app.features.shared.records import SCHEMA, UNFIT, VALUE_BYTES, course_uid, fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.features.shared.connection import Found, Value

COURSE, PART = "course", "part"
"""Values of ``kind`` in the catalogue."""

_PART_BYTES = 16_000
_MOST_PARTS = 400  # of an entry; that of 100,000 passages has about 100
_MOST_BYTES = 16 << 20  # of an entry, unpacked; that of 100,000 passages has 4 million
_LARGEST_TEXT = 64 << 20  # characters of a document


@dataclass(frozen=True, slots=True)
class CourseHead:
    """The record of a course: what tells whether its entry has changed, and where that is."""

    uid: str
    title: str  # may be cut; that of the entry is whole
    revision: str
    parts: int
    sha256: str  # of the parts, one after the other
    publisher: str  # the library that it comes from

    @property
    def part_ids(self) -> list[str]:
        return [f"{self.uid}#{self.revision}#{index}" for index in range(self.parts)]


@dataclass(frozen=True, slots=True)
class CourseEntry:
    """What a reader knows of a course without its passages."""

    head: CourseHead
    course: SharedCourse
    title_vector: NDArray[np.float32]  # (dimension,), to resolve its name
    text: str  # the parts of it, one after the other


def encode_entry(
    course: SharedCourse, title_vector: NDArray[np.float32], publisher: str, now: float
) -> tuple[list[Record], Record]:
    """Return the parts of a course's entry, and its record; the revision of ``course`` is left out."""
    packed = _packed(course, title_vector)
    revision = hashlib.sha256(packed).hexdigest()[:32]
    text = base64.b64encode(zlib.compress(packed)).decode()
    texts = [text[start : start + _PART_BYTES] for start in range(0, len(text), _PART_BYTES)]
    fields: dict[str, Value | None] = {
        "kind": COURSE,
        "title": fitted(course.title),
        "instructor": fitted(course.instructor or "") or None,
        "course_link": fitted(course.link or "") or None,
        "lesson_count": len(course.lessons),
        "lessons_json": _lessons_json(course),
        "lectern_schema": SCHEMA,
        "revision": revision,
        "parts": len(texts),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "published_at": now,
        "publisher": publisher,
    }
    known = {name: value for name, value in fields.items() if value is not None}
    about = {"kind": PART, "course": course.uid, "publisher": publisher}
    parts = [
        Record(f"{course.uid}#{revision}#{index}", title_vector, part, about)
        for index, part in enumerate(texts)
    ]
    return parts, Record(course.uid, title_vector, fitted(course.title), known)


def head_of(found: Found) -> CourseHead | None:
    """Return a course's head from its record; None for another record, or one that is not whole."""
    fields = found.metadata or {}
    if (fields.get("kind"), fields.get("lectern_schema")) != (COURSE, SCHEMA):
        return None
    try:
        texts = {name: fitted(fields[name]) for name in ("title", "revision", "sha256", "publisher")}
        head = CourseHead(uid=found.id, parts=int(fields["parts"]), **texts)
    except UNFIT:
        return None
    return head if 0 < head.parts <= _MOST_PARTS else None


def decode_entry(head: CourseHead, text: str) -> CourseEntry | None:
    """Return the entry of a course from the text of its parts; None if that is not what its head says."""
    if not text.isascii() or hashlib.sha256(text.encode()).hexdigest() != head.sha256:
        return None
    try:
        unpacker = zlib.decompressobj()
        packed = unpacker.decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
        stored = json.loads(packed) if unpacker.eof else {}
        return CourseEntry(head, _course(stored, head), _title_vector(stored), text)
    except (*UNFIT, zlib.error):
        return None


def _packed(course: SharedCourse, title_vector: NDArray[np.float32]) -> bytes:
    """Return an entry as JSON, the same for the same content."""
    entry = {
        "title": course.title,
        "instructor": course.instructor,
        "link": course.link,
        "lessons": [
            [lesson.number, lesson.title, lesson.link, lesson.passages, lesson.files]
            for lesson in course.lessons
        ],
        "documents": [
            [one.uid, one.name, one.sha256, one.language, one.passages, one.characters, one.lessons]
            for one in course.documents
        ],
        "title_vector": base64.b64encode(codec.encode_vectors(title_vector)).decode(),
    }
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()


def _lessons_json(course: SharedCourse) -> str | None:
    """Return the lessons as other programs keep them in such a record, if they fit into it."""
    listed = [
        {"lesson_number": lesson.number, "lesson_title": lesson.title, "lesson_link": lesson.link}
        for lesson in course.lessons
    ]
    text = json.dumps(listed, ensure_ascii=False)
    return text if len(text.encode()) <= VALUE_BYTES else None


def _course(stored: dict[str, Any], head: CourseHead) -> SharedCourse:
    title = fitted(stored["title"])
    if course_uid(title) != head.uid:
        raise ValueError("title")
    return SharedCourse(
        uid=head.uid,
        title=title,
        instructor=_optional(stored["instructor"]),
        link=_optional(stored["link"]),
        revision=head.revision,
        lessons=tuple(_lesson(*item) for item in stored["lessons"]),
        documents=tuple(map(_document, stored["documents"])),
    )


def _lesson(number: Any, title: object, link: object, passages: Any, files: Any) -> LessonInfo:  # noqa: ANN401 - from a server
    names = tuple(map(fitted, files))
    return LessonInfo(_number(number), fitted(title), _optional(link), int(passages), names)


def _document(item: Any) -> SharedDocument:  # noqa: ANN401 - from a server
    *texts, passages, characters, lessons = item
    uid, name, sha256, language = map(fitted, texts)
    spans = tuple((int(start), int(end), _number(number)) for start, end, number in lessons)
    if not all(0 <= start <= end <= characters <= _LARGEST_TEXT for start, end, _ in spans):
        raise ValueError("lessons")
    return SharedDocument(uid, name, sha256, language, int(passages), int(characters), spans)


def _title_vector(stored: dict[str, Any]) -> NDArray[np.float32]:
    vector = codec.decode_vector(base64.b64decode(stored["title_vector"], validate=True))
    if not 0.9 < np.linalg.norm(vector) < 1.1:  # nor if that is no number
        raise ValueError("title_vector")
    return vector


def _optional(value: object) -> str | None:
    return None if value is None else fitted(value)


def _number(value: Any) -> int | None:  # noqa: ANN401 - from a server
    return None if value is None else int(value)
