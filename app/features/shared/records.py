"""Courses and passages as records on a Chroma server: made from a library, and read from what a server sends.

A record for each course, parts that hold its entry (lessons and documents), and one for each passage. The
limits are those of Chroma's cloud (docs.trychroma.com/cloud/quotas-limits). What a server sends is not
trusted: a malformed record is ignored.
"""

import base64
import hashlib
import json
import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, cast, get_args

import numpy as np
from numpy.typing import NDArray

from app.core.search.pieces import compared, heading_of
from app.core.storage import codec
from app.core.storage.documents import PassageVectors, WholeDocument, WholePassage
from app.domain.courses import LessonInfo
from app.domain.documents import Anchor, AnchorKind, AnchorMark
from app.domain.messages import Message
from app.features.shared.connection import Found, Record, Value
from app.features.shared.model import SharedCourse, SharedDocument

SCHEMA = 1
"""Form of the records; readers of another form refuse the library."""

TEXT_BYTES = 16_384  # of a record's document
VALUE_BYTES = 4_000  # of a value in the metadata; Chroma's cloud accepts 4,096
_UNFIT = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""Raised when reading a record with missing or unexpected values."""

_PIECE_PARTS = 12  # values that the pieces of a passage may take up
_LARGEST_STEP = 1 / 125  # of a number in a byte; no vector is longer than 1, apart from rounding
_HEADING = 500  # characters of a heading in the anchors
_LAST = 2**31 - 1  # positions in a document are 32-bit
COURSE, PART = "course", "part"
"""Values of ``kind`` in the catalogue."""
_PART_BYTES = 16_000
_MOST_PARTS = 400  # of an entry; that of 100,000 passages has about 100
_MOST_BYTES = 16 << 20  # of an entry, unpacked; that of 100,000 passages has 4 million
_LARGEST_TEXT = 64 << 20  # characters of a document


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """A passage of n pieces as a server holds it; positions are those of its document."""

    course: str  # uid
    document: str  # uid
    n: int  # its place in the document, from 0
    chunk_index: int
    lesson: int  # its place in the document, from 0
    lesson_number: int | None
    lesson_title: str
    link: str | None  # of the lesson
    start: int
    end: int
    text: str
    before: str  # of its lesson, since the previous passage
    after: str  # of its lesson, behind the last passage
    anchors: tuple[AnchorMark, ...]  # within it, after the last one before it
    spans: NDArray[np.int32]  # (n, 2), of its pieces
    vectors: NDArray[np.float32]  # (n * dimension,), see app.core.search.pieces.compared


def fitted(text: object, most: int = VALUE_BYTES) -> str:
    """Return the beginning of a text that fits into ``most`` bytes, in whole characters."""
    return str(text).encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def kept(text: str | None) -> str | None:
    """Return a text that is useless if cut, such as a link; None if it does not fit into a value."""
    return text if text and fitted(text) == text else None


def split_value(name: str, text: str) -> dict[str, Value]:
    """Split an ASCII text into values named ``name``, ``name_1`` and so on."""
    starts = range(0, max(len(text), 1), VALUE_BYTES)
    return {
        f"{name}_{index}" if index else name: text[start : start + VALUE_BYTES]
        for index, start in enumerate(starts)
    }


def uid_of(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def course_uid(title: str) -> str:
    return uid_of("course", title)


def collection_metadata(model: str, dimension: int) -> dict[str, Value]:
    """Return the metadata of both collections; ``model`` is the id of the embedding model."""
    return {"lectern": "library", "schema": SCHEMA, "model": fitted(model, 256), "dimension": dimension}


def refusal(metadata: Mapping[str, object] | None, model: str, dimension: int) -> Message | None:
    """Return why a collection cannot be used with an embedding model, by its metadata, or None."""
    if metadata is None or metadata.get("lectern") != "library":
        return Message("shared.not_a_library")
    if metadata.get("schema") != SCHEMA:
        return Message("shared.other_schema")
    ours = collection_metadata(model, dimension)
    if any(metadata.get(name) != ours[name] for name in ("model", "dimension")):
        theirs = fitted(str(metadata.get("model")), 100)
        return Message("shared.other_model", theirs=theirs.partition("@")[0], ours=model.partition("@")[0])
    return None


def passage_ids(document: SharedDocument) -> list[str]:
    """Return the ids of a document's records, in the order of its passages."""
    return [f"{document.uid}_{n}" for n in range(document.passages)]


class DocumentRecords:
    def __init__(self, document: WholeDocument, name: str, model: str) -> None:
        course = course_uid(document.course_title)
        self._passages = document.passages
        self._described = _described(document, course)
        lessons = tuple((lesson.start, lesson.end, lesson.number) for lesson in document.lessons)
        texts = [passage.text for passage in document.passages]
        # The number of a passage in its course says nothing about what is in it.
        content = [{**fields, "chunk_index": 0} for fields in self._described]
        uid = uid_of(SCHEMA, model, course, name, document.sha256, lessons, texts, content)
        self.shared = SharedDocument(
            uid, name, document.sha256, document.language, len(texts), len(document.text), lessons
        )

    def key(self, n: int) -> int:
        return self._passages[n].key

    def record(self, n: int, vectors: PassageVectors) -> Record:
        passage = self._passages[n]
        fields = {**self._described[n], "document": self.shared.uid, **_pieces(passage, vectors)}
        return Record(f"{self.shared.uid}_{n}", vectors.embedding, _stored_text(passage), fields)


def decode_passage(found: Found, dimension: int) -> SharedPassage | None:
    """Return the passage in a record; None if the record is malformed or contradicts itself."""
    try:
        return _decoded(found, dimension)
    except _UNFIT:
        return None


def is_listed(passage: SharedPassage, course: SharedCourse, document: SharedDocument) -> bool:
    """Return whether a passage belongs to a document as its course's entry lists it."""
    if (passage.course, passage.document) != (course.uid, document.uid):
        return False
    if passage.n >= document.passages or passage.lesson >= len(document.lessons):
        return False
    start, end, number = document.lessons[passage.lesson]
    lies_within = start + len(passage.before) <= passage.start and passage.end + len(passage.after) <= end
    return lies_within and passage.lesson_number == number


def lesson_text(passages: Sequence[SharedPassage]) -> tuple[int, str]:
    """Return the start of a lesson and its text, put together from some of its passages, in order.

    Gaps between passages become blank lines, so that positions stay right.
    """
    first = passages[0]
    start = end = first.start - len(first.before)
    parts: list[str] = []
    for passage in passages:
        known = passage.before + passage.text + passage.after
        begin = passage.start - len(passage.before)
        parts += ["\n" * (begin - end), known[max(end - begin, 0) :]]
        end = max(end, passage.end + len(passage.after))
    return start, "".join(parts)


def _described(document: WholeDocument, course: str) -> list[dict[str, Value]]:
    """Return the metadata of a document's passages, without their pieces and the document's uid."""
    headings = [mark for mark in document.marks if mark.anchor.kind == "heading"]
    described: list[dict[str, Value]] = []
    passages = iter(enumerate(document.passages))
    for position, of_lesson in groupby(passages, key=lambda item: item[1].lesson):
        lesson = document.lessons[position]
        done = lesson.start
        for n, passage in of_lesson:
            above = bisect_right(headings, passage.start, key=lambda mark: mark.start)
            heading = heading_of(
                lesson.title,
                str(headings[above - 1].anchor.value) if above else "",
                document.course_title,
                is_marked=document.is_marked,
            )
            end = passage.start + len(_stored_text(passage))
            fields: dict[str, Value | None] = {
                "course": course,
                "n": n,
                "course_title": fitted(document.course_title),
                "lesson_number": lesson.number,
                "chunk_index": passage.chunk_index,
                "lesson": position,
                "lesson_title": fitted(lesson.title),
                "link": kept(lesson.link),
                "heading": fitted(heading),  # that earlier versions read
                "language": document.language,
                "start": passage.start,
                "end": end,
                "before": fitted(document.text[done : passage.start][::-1])[::-1] or None,
                "anchors": _anchors(document.marks, passage.start, end),
            }
            described.append({name: value for name, value in fields.items() if value is not None})
            done = end
        if after := fitted(document.text[done : lesson.end]):
            described[-1]["after"] = after
    return described


def _stored_text(passage: WholePassage) -> str:
    return fitted(passage.text, TEXT_BYTES)


def _anchors(marks: Sequence[AnchorMark], start: int, end: int) -> str | None:
    first = max(bisect_right(marks, start, key=lambda mark: mark.start) - 1, 0)
    last = bisect_right(marks, end - 1, key=lambda mark: mark.start)
    found = [
        [mark.start - start, mark.anchor.kind, _shortened(mark.anchor.value)] for mark in marks[first:last]
    ]
    return _fitted_list(found) if found else None


def _shortened(value: float | str) -> float | str:
    return value[:_HEADING] if isinstance(value, str) else value


def _fitted_list(items: list[list[int | float | str]]) -> str:
    """Return as many items as a value may hold, as JSON."""
    while True:
        text = json.dumps(items, ensure_ascii=False, separators=(",", ":"))
        if fitted(text) == text:
            return text
        items = items[: len(items) * 3 // 4]


def _pieces(passage: WholePassage, stored: PassageVectors) -> dict[str, Value]:
    """Return the pieces of a passage, which questions are compared with, in a byte a number."""
    spans, vectors = stored.spans - passage.start, compared(stored.context, stored.own)
    parts = split_value("pieces", _packed(spans.clip(0, len(_stored_text(passage))), vectors))
    if len(parts) > _PIECE_PARTS:  # of a long passage and a wide model: it counts as one piece
        whole = np.array([[0, len(_stored_text(passage))]])
        parts = split_value("pieces", _packed(whole, stored.embedding[None]))
    return parts


def _packed(spans: NDArray[np.int32], vectors: NDArray[np.float32]) -> str:
    """Encode the spans of pieces, the step of each vector, and the vectors in these steps."""
    steps = np.maximum(np.abs(vectors).max(1), 1e-12).astype("<f4") / 127
    whole = np.rint(vectors / steps[:, None]).astype("i1")
    return base64.b64encode(spans.astype("<u2").tobytes() + steps.tobytes() + whole.tobytes()).decode()


def _unpacked(text: str, dimension: int, length: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the spans in a text of this length, and the vectors, one after the other."""
    blob = base64.b64decode(text, validate=True)
    count, rest = divmod(len(blob), 8 + dimension)
    if rest or not count:
        raise ValueError("pieces")
    spans = np.frombuffer(blob, "<u2", 2 * count).reshape(-1, 2).astype(np.int32)
    steps = np.frombuffer(blob, "<f4", count, 4 * count)
    if not ((steps >= 0) & (steps <= _LARGEST_STEP)).all():
        raise ValueError("steps")
    if (spans > length).any() or (spans[:, 0] >= spans[:, 1]).any() or (np.diff(spans[:, 0]) < 0).any():
        raise ValueError("spans")
    whole = np.frombuffer(blob, "i1", -1, 8 * count).reshape(count, dimension)
    return spans, (whole * steps[:, None]).astype(np.float32).ravel()


def _decoded(found: Found, dimension: int) -> SharedPassage:
    fields, text = dict(found.metadata or {}), found.document or ""
    document, n, start = fields["document"], int(fields["n"]), int(fields["start"])
    fits = fields["end"] == start + len(text) <= _LAST and fitted(text, TEXT_BYTES) == text
    if not (text and fits and n >= 0 and found.id == f"{document}_{n}"):
        raise ValueError("place")
    parts = [fields["pieces"]]
    while (further := f"pieces_{len(parts)}") in fields and len(parts) < _PIECE_PARTS:
        parts.append(fields[further])
    spans, vectors = _unpacked("".join(map(fitted, parts)), dimension, len(text))
    marks = [_mark(start, *item) for item in json.loads(str(fields.get("anchors", "[]")))]
    number = fields.get("lesson_number")
    return SharedPassage(
        course=fitted(fields["course"]),
        document=fitted(document),
        n=n,
        chunk_index=int(fields["chunk_index"]),
        lesson=int(fields["lesson"]),
        lesson_number=None if number is None else int(number),
        lesson_title=fitted(fields["lesson_title"]),
        link=fitted(fields.get("link", "")) or None,
        start=start,
        end=start + len(text),
        text=text,
        before=fitted(fields.get("before", "")),
        after=fitted(fields.get("after", "")),
        anchors=tuple(sorted(marks, key=lambda mark: mark.start)),
        spans=spans + np.int32(start),
        vectors=vectors,
    )


def _mark(start: int, offset: object, kind: object, value: Any) -> AnchorMark:  # noqa: ANN401 - from a server
    if kind == "heading":
        value = fitted(value)
    elif kind not in get_args(AnchorKind) or not 0 <= value <= _LAST:
        raise ValueError("anchor")
    return AnchorMark(start + int(str(offset)), Anchor(cast("AnchorKind", kind), value))


@dataclass(frozen=True, slots=True)
class CourseHead:
    """The record of a course: its revision, and the parts that its entry is stored in."""

    uid: str
    title: str  # may be cut; the one in the entry is complete
    revision: str
    parts: int
    sha256: str  # of the parts, one after the other
    publisher: str  # the library that it comes from

    @property
    def part_ids(self) -> list[str]:
        return [f"{self.uid}#{self.revision}#{index}" for index in range(self.parts)]


class CourseEntry(NamedTuple):
    """What a reader knows of a course without its passages."""

    head: CourseHead
    course: SharedCourse
    title_vector: NDArray[np.float32]  # (dimension,), to resolve its name
    text: str  # the parts of it, one after the other


def encode_entry(
    course: SharedCourse, title_vector: NDArray[np.float32], publisher: str, now: float
) -> tuple[list[Record], Record]:
    """Return the parts of a course's entry, and its record; the revision of ``course`` is left out."""
    packed = _packed_entry(course, title_vector)
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
    """Return a course's head from its record; None for other records and incomplete ones."""
    fields = found.metadata or {}
    if (fields.get("kind"), fields.get("lectern_schema")) != (COURSE, SCHEMA):
        return None
    try:
        texts = {name: fitted(fields[name]) for name in ("title", "revision", "sha256", "publisher")}
        head = CourseHead(uid=found.id, parts=int(fields["parts"]), **texts)
    except _UNFIT:
        return None
    return head if 0 < head.parts <= _MOST_PARTS else None


def decode_entry(head: CourseHead, text: str) -> CourseEntry | None:
    """Return the entry of a course from the text of its parts; None if it does not match its head."""
    if not text.isascii() or hashlib.sha256(text.encode()).hexdigest() != head.sha256:
        return None
    try:
        unpacker = zlib.decompressobj()
        packed = unpacker.decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
        stored = json.loads(packed) if unpacker.eof else {}
        return CourseEntry(head, _course(stored, head), _title_vector(stored), text)
    except (*_UNFIT, zlib.error):
        return None


def _packed_entry(course: SharedCourse, title_vector: NDArray[np.float32]) -> bytes:
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
    """Return the lessons as JSON, in the form that other programs store; None if they do not fit."""
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
