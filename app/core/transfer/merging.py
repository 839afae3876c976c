"""Copies documents and conversations from one library file into another.

The other may come from anywhere, so that nothing in it is believed: what does not fit together is refused.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from app.core.courses.conflicts import in_the_way, lessons_of
from app.core.documents.document_processor import title_of_file
from app.core.storage import records
from app.domain.conversations import INTERRUPTED, ExchangeState
from app.domain.documents import AnchorKind
from app.domain.errors import UserError
from app.domain.transfer import LeftOut

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from app.domain.cancel import CancelToken

_CHUNK = 'lesson_number, start, "end", text, pieces, vectors, context, embedding, terms, lesson_id'
_HEADING = 255  # the piece number of a term that stands in the heading
_FLOAT, _SPAN = 2, 8  # bytes of a float16, and of a pair of 32-bit integers


class NotALibrary(UserError):
    """What is to be copied does not fit together."""


@dataclass(slots=True)
class Merged:
    """What was copied.

    Attributes:
        documents: keys in the library they were copied to; so those of the conversations.
        known: for each document of the source the key of it, or of the same one that was there before.
    """

    documents: list[int] = field(default_factory=list)
    passages: int = 0
    conversations: list[int] = field(default_factory=list)
    already_there: int = 0
    left_out: list[LeftOut] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)


class Merge:
    """Copies from one connection to another; the caller holds a transaction on both.

    Args:
        source: a library, whose rows are ``sqlite3.Row``.
        target: another one.
        token: ends it between two documents.
        dimension: length that every vector has to have; None for any.
    """

    def __init__(
        self,
        source: sqlite3.Connection,
        target: sqlite3.Connection,
        token: CancelToken,
        dimension: int | None = None,
    ) -> None:
        self._source = source
        self._target = target
        self._token = token
        self._dimension = dimension
        self.merged = Merged()

    def documents(self, *, index: bool = True) -> Iterator[int]:
        """Copy the searchable documents and tell how many are done; what the target has is passed by.

        Args:
            index: make them findable in the target.

        Raises:
            NotALibrary: the source does not fit together.
        """
        rows = self._source.execute(
            """SELECT d.id, d.path, c.id AS course_id, c.title FROM documents AS d
               JOIN courses AS c ON c.id = d.course_id WHERE d.trashed_at IS NULL ORDER BY d.id"""
        ).fetchall()
        titles: dict[int, str] = {}
        for row in rows:
            titles.setdefault(row["course_id"], _title_of(row))
        wanted = [row for row in rows if self._is_wanted(row["id"], titles[row["course_id"]])]
        courses = {
            key: self._course(key, titles[key]) for key in dict.fromkeys(row["course_id"] for row in wanted)
        }
        for done, row in enumerate(wanted, len(rows) - len(wanted) + 1):
            self._token.check()
            self._document(row["id"], courses[row["course_id"]])
            yield done
        if index:
            records.index_documents(self._target, self.merged.documents)
            records.queue_courses(self._target, self.merged.documents)
            records.touch(self._target)

    def conversations(self) -> None:
        """Copy the conversations; of one that both have, the exchanges the target lacks."""
        for row in self._source.execute(
            "SELECT * FROM conversations WHERE deleted_at IS NULL AND title <> '' ORDER BY id"
        ).fetchall():
            self._token.check()
            self._conversation(row)

    # Documents

    def _is_wanted(self, document_id: int, title: str) -> bool:
        row = self._source.execute(
            "SELECT path, sha256, placed FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        same = self._target.execute(
            """SELECT d.id FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               WHERE d.trashed_at IS NULL AND d.sha256 = ? AND c.title = ?""",
            (row["sha256"], title),
        ).fetchone()
        if same is not None:
            self.merged.known[document_id] = same["id"]
            self.merged.already_there += 1
            return False
        _require(isinstance(row["path"], str) and bool(row["path"]))
        lessons = lessons_of(self._source, document_id)
        other = in_the_way(self._target, title, row["path"], lessons, placed=bool(row["placed"]))
        if other is None:
            return True
        name = PurePath(other).name
        reason = f"The library holds {name} in its place (course “{title}”)."
        self.merged.left_out.append(LeftOut(row["path"], reason))
        return False

    def _course(self, course_id: int, title: str) -> int:
        """Return the key in the target of a course that is called so there."""
        known = self._target.execute("SELECT id FROM courses WHERE title = ?", (title,)).fetchone()
        if known is not None:
            return int(known["id"])
        row = self._source.execute("SELECT * FROM courses WHERE id = ?", (course_id,)).fetchone()
        dimension = self._dimension or len(row["embedding"]) // _FLOAT
        _require(_is_vectors(row["embedding"], 1, dimension))
        return self._insert(
            "courses",
            title=title,
            instructor=_text_or_none(row["instructor"]),
            link=_text_or_none(row["link"]),
            is_sample=int(bool(row["is_sample"])),
            embedding=row["embedding"],
        )

    def _document(self, document_id: int, course_id: int) -> None:
        row = self._source.execute("SELECT * FROM documents WHERE id = ?", (document_id,)).fetchone()
        text = row["text"]
        _require(isinstance(text, str) and isinstance(row["sha256"], str))
        _require(isinstance(row["size"], int) and isinstance(row["mtime_ns"], int))
        _require(_are_spans(row["sentences"], 0, len(text)))
        _require(isinstance(row["marked"], int) and isinstance(row["placed"], int))
        key = self._insert(
            "documents",
            id=records.next_document(self._target),
            course_id=course_id,
            path=row["path"],
            size=row["size"],
            mtime_ns=row["mtime_ns"],
            sha256=row["sha256"],
            text=text,
            sentences=row["sentences"],
            claim=_text_or_none(row["claim"]),
            heading=_text_or_none(row["heading"]),
            marked=row["marked"],
            placed=row["placed"],
            description=_text_or_none(row["description"]),
        )
        self._anchors(document_id, key)
        lessons = self._lessons(document_id, key, len(text))
        self._chunks(document_id, key, course_id, lessons, text)
        self.merged.known[document_id] = key
        self.merged.documents.append(key)

    def _anchors(self, document_id: int, key: int) -> None:
        for row in self._source.execute(
            "SELECT start, kind, value FROM anchors WHERE document_id = ?", (document_id,)
        ):
            _require(isinstance(row["start"], int) and row["kind"] in get_args(AnchorKind))
            _require(isinstance(row["value"], str) == (row["kind"] == "heading"))
            self._insert("anchors", document_id=key, start=row["start"], kind=row["kind"], value=row["value"])

    def _lessons(self, document_id: int, key: int, length: int) -> dict[int, int]:
        lessons = {}
        for row in self._source.execute("SELECT * FROM lessons WHERE document_id = ?", (document_id,)):
            _require(isinstance(row["number"], int | None) and isinstance(row["title"], str))
            _require(_is_inside(row["start"], row["end"], 0, length))
            lessons[row["id"]] = self._insert(
                "lessons",
                document_id=key,
                position=int(row["position"]),
                number=row["number"],
                title=row["title"],
                link=_text_or_none(row["link"]),
                start=row["start"],
                end=row["end"],
            )
        return lessons

    def _chunks(self, document_id: int, key: int, course_id: int, lessons: dict[int, int], text: str) -> None:
        rows = self._source.execute(
            f"SELECT {_CHUNK} FROM chunks WHERE document_id = ? ORDER BY id", (document_id,)
        ).fetchall()
        first = self._target.execute(
            "SELECT next_chunk_index FROM courses WHERE id = ?", (course_id,)
        ).fetchone()[0]
        for number, row in enumerate(rows, first):
            _check_chunk(row, text)
            _require(self._dimension in (None, len(row["embedding"]) // _FLOAT))
            _require(row["lesson_id"] in lessons)
            values = dict(row)
            values.update(document_id=key, course_id=course_id, lesson_id=lessons[row["lesson_id"]])
            # Counted anew: a number that comes twice would be one id in Chroma for two passages.
            self._insert("chunks", **values, chunk_index=number)
        self._target.execute(
            "UPDATE courses SET next_chunk_index = next_chunk_index + ? WHERE id = ?", (len(rows), course_id)
        )
        self.merged.passages += len(rows)

    # Conversations

    def _conversation(self, row: sqlite3.Row) -> None:
        _require(isinstance(row["title"], str) and isinstance(json.loads(row["scope"]), dict))
        _require(_is_time(row["created_at"]) and _is_time(row["updated_at"]))
        same = self._target.execute(
            "SELECT id FROM conversations WHERE created_at = ?", (row["created_at"],)
        ).fetchone()
        if same is None:
            key = self._insert(
                "conversations",
                title=row["title"],
                created_at=row["created_at"],
                updated_at=row["updated_at"],
                pinned=int(bool(row["pinned"])),
                scope=row["scope"],
            )
        else:
            key = same["id"]
            self._target.execute("UPDATE conversations SET deleted_at = NULL WHERE id = ?", (key,))
        there = {
            (item["created_at"], item["question"]): item["id"]
            for item in self._target.execute(
                "SELECT id, created_at, question FROM exchanges WHERE conversation_id = ?", (key,)
            )
        }
        exchanges: dict[int, int] = {}
        grown = same is None
        for item in self._source.execute(
            "SELECT * FROM exchanges WHERE conversation_id = ? ORDER BY id", (row["id"],)
        ).fetchall():
            known = there.get((item["created_at"], item["question"]))
            if known is None:
                grown = True
                known = self._exchange(item, key, exchanges)
            exchanges[item["id"]] = known
        if grown:
            self.merged.conversations.append(key)

    def _exchange(self, row: sqlite3.Row, conversation: int, known: dict[int, int]) -> int:
        _require(isinstance(row["question"], str) and isinstance(row["answer"], str))
        _require(row["parent_id"] is None or row["parent_id"] in known)
        _require(all(isinstance(json.loads(row[name]), dict) for name in ("scope", "usage")))
        _require(_is_time(row["created_at"]) and _is_time(row["seconds"]))
        cut_short = row["state"] == ExchangeState.WRITING
        key = self._insert(
            "exchanges",
            conversation_id=conversation,
            parent_id=None if row["parent_id"] is None else known[row["parent_id"]],
            question=row["question"],
            answer=row["answer"],
            state=ExchangeState.STOPPED if cut_short else ExchangeState(row["state"]),
            scope=row["scope"],
            model=_text_or_none(row["model"]),
            stop_reason=INTERRUPTED if cut_short else _text_or_none(row["stop_reason"]),
            usage=row["usage"],
            error=_text_or_none(row["error"]),
            created_at=row["created_at"],
            seconds=row["seconds"],
        )
        self._target.execute(
            "INSERT INTO exchanges_fts (rowid, question, answer) VALUES (?, ?, ?)",
            (key, row["question"], row["answer"]),
        )
        for item in self._source.execute("SELECT * FROM sources WHERE exchange_id = ?", (row["id"],)):
            hit, sentences = json.loads(item["hit"]), json.loads(item["sentences"])
            _require(isinstance(item["ref"], str) and isinstance(item["document_sha256"], str))
            _require(isinstance(item["n"], int) and isinstance(hit, dict) and isinstance(sentences, list))
            _require(all(isinstance(end, int) for sentence in sentences for end in sentence))
            # A document that was not copied has no key here; 0 is nobody's.
            hit["document_id"] = self.merged.known.get(item["document_id"], 0)
            values = {**dict(item), "exchange_id": key, "document_id": hit["document_id"]}
            self._insert("sources", **{**values, "hit": json.dumps(hit, ensure_ascii=False)})
        for item in self._source.execute("SELECT * FROM citations WHERE exchange_id = ?", (row["id"],)):
            numbers = [item[name] for name in item.keys() if name != "cited_text"]  # noqa: SIM118 - a row
            _require(isinstance(item["cited_text"], str) and all(isinstance(n, int) for n in numbers))
            self._insert("citations", **{**dict(item), "exchange_id": key})
        return key

    def _insert(self, table: str, **values: Any) -> int:  # noqa: ANN401 - whatever SQLite can hold
        names = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        cursor = self._target.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values())
        )
        return int(cursor.lastrowid or 0)


def _title_of(row: sqlite3.Row) -> str:
    """Return what a document's course is to be called: without a title after the file, as when it is read."""
    _require(isinstance(row["title"], str) and isinstance(row["path"], str))
    return row["title"] if row["title"].strip() else title_of_file(row["path"])


def _check_chunk(row: sqlite3.Row, text: str) -> None:
    """Refuse a passage that a search could stumble over."""
    _require(isinstance(row["lesson_number"], int | None))
    _require(_is_inside(row["start"], row["end"], 0, len(text)))
    _require(row["text"] == text[row["start"] : row["end"]])
    _require(_are_spans(row["pieces"], row["start"], row["end"]))
    pieces, dimension = len(row["pieces"]) // _SPAN, len(row["embedding"]) // _FLOAT
    _require(0 < pieces < _HEADING and _is_vectors(row["embedding"], 1, dimension))
    _require(
        _is_vectors(row["vectors"], pieces, dimension) and _is_vectors(row["context"], pieces, dimension)
    )
    _require(isinstance(row["terms"], bytes) and len(row["terms"]) % _SPAN == 0)
    numbers = np.frombuffer(row["terms"], "<u4").reshape(-1, 2)[:, 0]
    _require(bool(((numbers < pieces) | (numbers == _HEADING)).all()))


def _require(holds: bool) -> None:
    if not holds:
        message = "Its contents do not fit together."
        raise NotALibrary(message)


def _is_inside(start: object, end: object, first: int, last: int) -> bool:
    return isinstance(start, int) and isinstance(end, int) and first <= start <= end <= last


def _are_spans(blob: object, first: int, last: int) -> bool:
    if not isinstance(blob, bytes) or len(blob) % _SPAN:
        return False
    spans = np.frombuffer(blob, "<i4").reshape(-1, 2)
    return bool((spans >= first).all() and (spans <= last).all() and (spans[:, 0] <= spans[:, 1]).all())


def _is_vectors(blob: object, count: int, dimension: int) -> bool:
    if not isinstance(blob, bytes) or len(blob) != count * dimension * _FLOAT or not dimension:
        return False
    return bool(np.isfinite(np.frombuffer(blob, "<f2")).all())


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _text_or_none(value: object) -> str | None:
    _require(isinstance(value, str | None))
    return None if value is None else str(value)
