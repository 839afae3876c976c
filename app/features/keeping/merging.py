"""Copies documents and conversations from one library file into another.

The source may come from anywhere and is not trusted: a row that contradicts others is refused.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import PurePath
from typing import get_args

from app.core.conversations import exchanges
from app.core.documents.document_processor import title_of_file
from app.core.search.pieces import HEADING_PIECE
from app.core.storage import codec, sql
from app.core.storage.codec import check_hit, check_scope, fits, reading, require, without
from app.core.storage.database import LibraryCopy
from app.core.storage.documents import find_conflict, lessons_of
from app.domain.conversations import INTERRUPTED, ExchangeState
from app.domain.courses import LeftOutFile, Use
from app.domain.documents import AnchorKind
from app.domain.messages import Message
from app.domain.sources import Support


@dataclass(eq=False, slots=True)
class Merge(LibraryCopy):
    """Copies from one library to another; the caller holds a transaction on both.

    Raises Inconsistent for a source with values that no library has.

    ``documents`` are the keys of copied ones in the target; likewise ``conversations``.
    """

    documents: list[int] = field(default_factory=list)
    passages: int = 0
    conversations: list[int] = field(default_factory=list)
    already_there: int = 0
    left_out: list[LeftOutFile] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._check_types()

    def counts(self) -> dict[str, int]:
        documents, conversations = len(self.documents), len(self.conversations)
        return {"documents": documents, "passages": self.passages, "conversations": conversations}

    def copy_documents(self, *, index: bool = True) -> Iterator[int]:
        """Copy the searchable documents that the target lacks; yield how many are done.

        With ``index`` they can be searched in the target.

        Raises:
            Inconsistent: the source contradicts itself.
        """
        rows = self.read(
            """SELECT d.id, d.path, d.sha256, d.placed, d.course_id, c.title FROM documents AS d
               JOIN courses AS c ON c.id = d.course_id WHERE d.trashed_at IS NULL ORDER BY d.id"""
        )
        titles: dict[int, str] = {}
        for row in rows:
            titles.setdefault(row["course_id"], _title_of(row))
        wanted = [row for row in rows if self._is_wanted(row, titles[row["course_id"]])]
        courses = {
            key: self._course(key, titles[key]) for key in dict.fromkeys(row["course_id"] for row in wanted)
        }
        for done, row in enumerate(wanted, len(rows) - len(wanted) + 1):
            self.token.check()
            self._document(row["id"], courses[row["course_id"]])
            yield done
        if index:
            sql.index_documents(self.target, self.documents)
            sql.queue_courses(self.target, self.documents)
            sql.touch(self.target)

    def copy_conversations(self) -> None:
        """Copy the conversations; of one that both have, the exchanges that the target lacks.

        Raises:
            Inconsistent: the source contradicts itself.
            ValueError, TypeError, KeyError, AttributeError: a stored value cannot be decoded.
        """
        for row in self.read(
            "SELECT * FROM conversations WHERE deleted_at IS NULL AND title <> '' ORDER BY id"
        ):
            self.token.check()
            self._conversation(row)

    def _check_types(self) -> None:
        """Refuse values that are not of the types of their columns, which SQLite itself does not mind."""
        for (table,) in self.read(
            """SELECT name FROM pragma_table_list
               WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"""
        ):
            wrong = []
            for name, kind, is_needed in self.read(
                f"""SELECT name, lower(type), "notnull" OR pk FROM pragma_table_info('{table}')"""
            ):
                nothing = "" if is_needed else ", 'null'"
                if kind:
                    wrong.append(f"""typeof("{name}") NOT IN ('{kind}'{nothing})""")
                if kind == "real":
                    wrong.append(f'abs("{name}") > 1e18')
            require(not wrong or not self.read(f"SELECT 1 FROM {table} WHERE {' OR '.join(wrong)} LIMIT 1"))

    def _is_wanted(self, row: sqlite3.Row, title: str) -> bool:
        same = self.target.execute(
            """SELECT d.id FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               WHERE d.trashed_at IS NULL AND d.sha256 = ? AND c.title = ?""",
            (row["sha256"], title),
        ).fetchone()
        if same is not None:
            self.known[row["id"]] = same["id"]
            self.already_there += 1
            return False
        with reading():
            lessons = lessons_of(self.source, row["id"])
        other = find_conflict(self.target, title, row["path"], lessons, placed=bool(row["placed"]))
        if other is not None:
            reason = Message("transfer.left_out", name=PurePath(other).name, title=title)
            self.left_out.append(LeftOutFile(row["path"], reason))
        return other is None

    def _course(self, course_id: int, title: str) -> int:
        known = self.target.execute("SELECT id FROM courses WHERE title = ?", (title,)).fetchone()
        if known is not None:
            return int(known["id"])
        (row,) = self.rows_of("courses", "id", course_id)
        dimension = self.dimension or codec.dimension_of(row["embedding"])
        require(codec.are_vectors(row["embedding"], 1, dimension))
        values = without(row, "id", "next_chunk_index") | {"title": title}
        return sql.insert(self.target, "courses", **values)

    def _document(self, document_id: int, course_id: int) -> None:
        (row,) = self.rows_of("documents", "id", document_id)
        text = row["text"]
        require(codec.are_spans(row["sentences"], 0, len(text)) and row["use"] in tuple(Use))
        values = dict(row) | {"id": sql.next_document(self.target), "course_id": course_id}
        key = sql.insert(self.target, "documents", **values)
        for mark in self.rows_of("anchors", "document_id", document_id):
            require(mark["kind"] in get_args(AnchorKind))
            require(fits(mark["value"], str if mark["kind"] == "heading" else int | float))
            sql.insert(self.target, "anchors", **dict(mark) | {"document_id": key})
        lessons = {}
        for lesson in self.rows_of("lessons", "document_id", document_id):
            require(0 <= lesson["start"] <= lesson["end"] <= len(text))
            values = without(lesson, "id") | {"document_id": key}
            lessons[lesson["id"]] = sql.insert(self.target, "lessons", **values)
        require(bool(lessons))  # courses are listed by them
        for heard in self.read(
            "SELECT * FROM transcripts WHERE sha256 IN (SELECT sha256 FROM documents WHERE id = ?)",
            document_id,
        ):
            if not self.target.execute(
                "SELECT 1 FROM transcripts WHERE sha256 = ?", (heard["sha256"],)
            ).fetchone():
                sql.insert(self.target, "transcripts", **dict(heard))
        self._chunks(document_id, key, course_id, lessons, text)
        self.known[document_id] = key
        self.documents.append(key)

    def _chunks(self, document_id: int, key: int, course_id: int, lessons: dict[int, int], text: str) -> None:
        rows = self.rows_of("chunks", "document_id", document_id)
        # Counted again: a number used twice would give two passages the same id in Chroma.
        (end,) = self.target.execute(
            """UPDATE courses SET next_chunk_index = next_chunk_index + ? WHERE id = ?
               RETURNING next_chunk_index""",
            (len(rows), course_id),
        ).fetchone()
        for number, row in enumerate(rows, end - len(rows)):
            _check_chunk(row, text)
            require(self.dimension in (None, codec.dimension_of(row["embedding"])))
            require(row["lesson_id"] in lessons)
            place = {"document_id": key, "course_id": course_id, "lesson_id": lessons[row["lesson_id"]]}
            sql.insert(self.target, "chunks", **without(row, "id") | place | {"chunk_index": number})
        self.passages += len(rows)

    def _conversation(self, row: sqlite3.Row) -> None:
        check_scope(row["scope"])
        same = self.target.execute(
            "SELECT id FROM conversations WHERE created_at = ?", (row["created_at"],)
        ).fetchone()
        if same is None:
            key = sql.insert(self.target, "conversations", **without(row, "id"))
        else:
            key = same["id"]
            self.target.execute("UPDATE conversations SET deleted_at = NULL WHERE id = ?", (key,))
        there = {
            (item["created_at"], item["question"]): item["id"]
            for item in self.target.execute(
                "SELECT id, created_at, question FROM exchanges WHERE conversation_id = ?", (key,)
            )
        }
        copied: dict[int, int] = {}
        grown = same is None
        for item in self.rows_of("exchanges", "conversation_id", row["id"]):
            known = there.get((item["created_at"], item["question"]))
            if known is None:
                grown = True
                known = self._exchange(item, key, copied)
            copied[item["id"]] = known
        if grown:
            self.conversations.append(key)

    def _exchange(self, row: sqlite3.Row, conversation: int, known: dict[int, int]) -> int:
        parent = row["parent_id"]
        require(parent is None or parent in known)
        check_scope(row["scope"])
        usage = asdict(codec.decode_usage(row["usage"]))
        require(all(fits(number, int | float) for number in usage.values() if number is not None))
        claims = codec.decode_claims(row["claims"])
        require(all(0 <= one.answer_start <= one.answer_end <= len(row["answer"]) for one in claims))
        values = without(row, "id") | {"conversation_id": conversation, "parent_id": known.get(parent)}
        if ExchangeState(row["state"]) is ExchangeState.WRITING:
            values.update(state=ExchangeState.STOPPED, stop_reason=INTERRUPTED)
        key = sql.insert(self.target, "exchanges", **values)
        exchanges.index(self.target, key, row["question"], row["answer"])
        for item in self.rows_of("sources", "exchange_id", row["id"]):
            sentences = codec.decode_sentences(item["sentences"])
            require(all(isinstance(position, int) for span in sentences for position in span))
            # A document that was not copied has no key here; 0 is no document's. On a server: as it is.
            document = self.known.get(item["document_id"], min(item["document_id"], 0))
            hit = replace(codec.decode_hit(item["hit"]), document_id=document)
            check_hit(hit)
            values = {"exchange_id": key, "document_id": document, "course_title": hit.course_title}
            sql.insert(self.target, "sources", **dict(item) | values | {"hit": codec.encode_part(hit)})
        for item in self.rows_of("citations", "exchange_id", row["id"]):
            require(item["support"] is None or item["support"] in (*Support, "supported"))
            sql.insert(self.target, "citations", **dict(item) | {"exchange_id": key})
        return key


def _title_of(row: sqlite3.Row) -> str:
    """Return the title for a document's course; a blank one becomes the file's, as in reading."""
    require(isinstance(row["title"], str) and isinstance(row["path"], str) and bool(row["path"]))
    return row["title"] if row["title"].strip() else title_of_file(row["path"])


def _check_chunk(row: sqlite3.Row, text: str) -> None:
    """Refuse a passage that a search could fail on."""
    require(0 <= row["start"] <= row["end"] <= len(text))
    require(row["text"] == text[row["start"] : row["end"]])
    require(codec.are_spans(row["pieces"], row["start"], row["end"]))
    pieces, dimension = len(codec.decode_spans(row["pieces"])), codec.dimension_of(row["embedding"])
    require(0 < pieces < HEADING_PIECE and codec.are_vectors(row["embedding"], 1, dimension))
    require(all(codec.are_vectors(row[name], pieces, dimension) for name in ("vectors", "context")))
    require(len(row["terms"]) % codec.PAIR_BYTES == 0)
    numbers = codec.decode_terms(row["terms"])[:, 0]
    require(bool(((numbers < pieces) | (numbers == HEADING_PIECE)).all()))
