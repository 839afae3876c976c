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
from app.features.shared.fields import VALUE_BYTES, Fields, Unusable, checked_text, fitted, whole
from app.features.shared.model import SharedCourse, SharedDocument
from app.features.shared.records import SCHEMA, UID, course_uid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.features.shared.connection import Found, Value

COURSE, PART = "course", "part"
"""Values of ``kind`` in the catalogue."""

_PART_BYTES = 16_000
_MOST_PARTS = 400  # of an entry; that of 100,000 passages has about 100
_MOST_BYTES = 16 << 20  # of an entry, unpacked; that of 100,000 passages has 4 million
_LARGEST_TEXT = 64 << 20  # characters of a document
_LARGEST_DOCUMENT = 1 << 20  # passages


@dataclass(frozen=True, slots=True)
class CourseHead:
    """The record of a course: what tells whether its entry has changed, and where that is."""

    uid: str
    title: str  # may be cut; that of the entry is whole
    revision: str
    parts: int
    sha256: str  # of the parts, one after the other
    published_at: float  # seconds since the epoch
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
    course: SharedCourse, title_vector: NDArray[np.float32], publisher: str
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
        "published_at": course.published_at,
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
    """Return a course's head from its record; None for another record, or if something is wrong with it."""
    try:
        fields = Fields(found.metadata)
        if fields.text("kind") != COURSE or fields.number("lectern_schema") != SCHEMA:
            return None
        head = CourseHead(
            uid=_uid(found.id),
            title=fields.text("title"),
            revision=_uid(fields.text("revision")),
            parts=fields.number("parts"),
            sha256=fields.text("sha256"),
            published_at=fields.moment("published_at"),
            publisher=fields.text("publisher"),
        )
    except Unusable:
        return None
    return head if 0 < head.parts <= _MOST_PARTS else None


def decode_entry(head: CourseHead, text: str) -> CourseEntry | None:
    """Return the entry of a course from the text of its parts; None if that is not what its head says."""
    if not text.isascii() or hashlib.sha256(text.encode()).hexdigest() != head.sha256:
        return None
    try:
        unpacker = zlib.decompressobj()
        packed = unpacker.decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
        stored = json.loads(packed) if unpacker.eof else None
        if not isinstance(stored, dict):
            return None
        return CourseEntry(head, _course(stored, head), _title_vector(stored), text)
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error, Unusable):
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


def _uid(value: object) -> str:
    if not isinstance(value, str) or not UID.fullmatch(value):
        raise Unusable("uid")
    return value


def _course(stored: dict[str, Any], head: CourseHead) -> SharedCourse:
    title = checked_text(stored["title"])
    if course_uid(title) != head.uid:
        raise Unusable("title")
    return SharedCourse(
        uid=head.uid,
        title=title,
        instructor=_optional(stored["instructor"]),
        link=_optional(stored["link"]),
        revision=head.revision,
        published_at=head.published_at,
        lessons=tuple(_lesson(*item) for item in stored["lessons"]),
        documents=_different([_document(*item) for item in stored["documents"]]),
    )


def _lesson(number: object, title: object, link: object, passages: object, files: Any) -> LessonInfo:  # noqa: ANN401 - from a server
    names = tuple(checked_text(name) for name in files)
    return LessonInfo(_number(number), checked_text(title), _optional(link), whole(passages), names)


def _document(
    uid: object,
    name: object,
    sha256: object,
    language: object,
    passages: object,
    characters: object,
    lessons: Any,  # noqa: ANN401 - from a server
) -> SharedDocument:
    length, count = whole(characters), whole(passages)
    spans = tuple(_span(length, *item) for item in lessons)
    if (
        length > _LARGEST_TEXT
        or count > _LARGEST_DOCUMENT
        or sum(last - first for first, last, _ in spans) > 2 * length
    ):
        raise Unusable("size")
    return SharedDocument(
        uid=_uid(uid),
        name=checked_text(name),
        sha256=checked_text(sha256),
        language=checked_text(language),
        passages=count,
        characters=length,
        lessons=spans,
    )


def _different(documents: list[SharedDocument]) -> tuple[SharedDocument, ...]:
    if len({document.uid for document in documents}) < len(documents):
        raise Unusable("documents")
    return tuple(documents)


def _span(length: int, start: object, end: object, number: object) -> tuple[int, int, int | None]:
    first, last = whole(start), whole(end)
    if not first <= last <= length:
        raise Unusable("lessons")
    return first, last, _number(number)


def _title_vector(stored: dict[str, Any]) -> NDArray[np.float32]:
    vector = codec.decode_vector(base64.b64decode(stored["title_vector"], validate=True))
    if not 0.9 < np.linalg.norm(vector) < 1.1:  # nor if that is no number
        raise Unusable("title_vector")
    return vector


def _optional(value: object) -> str | None:
    return None if value is None else checked_text(value)


def _number(value: object) -> int | None:
    return None if value is None else whole(value)
