"""Publishing for tests, and a reader that sees what is on the server as any other would."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from app.features.shared.connection import CATALOG, CONTENT, ServerConnection
from app.features.shared.model import CoursePublished, LibraryPublished
from app.features.shared.records import decode_entry, decode_passage, head_of, passage_ids
from tests.support.class_library import publishing_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress
    from app.features.shared.connection import Found
    from app.features.shared.model import PublishEvent, SharedCourse
    from app.features.shared.records import CourseHead

Contents = dict[str, tuple[str, ...]]
"""The texts of all passages by the title of their course."""

DIMENSION = 384


def last_report(events: Iterator[PublishEvent]) -> dict[str, CoursePublished]:
    """Run a publication to its end; return what became of each course by its title."""
    *_, last = events
    assert isinstance(last, LibraryPublished)
    return {course.title: course for course in last.courses}


def publish(
    rag: RAGSystem, address: ServerAddress, *titles: str, replaces: bool = False
) -> dict[str, CoursePublished]:
    """Publish the courses, or all."""
    return last_report(publishing_of(rag).publish(address, "", titles or None, replaces=replaces))


def stored(rag: RAGSystem) -> Contents:
    """Return what a library holds."""
    return {
        title: tuple(row["text"] for row in rag.catalog.courses.passages(title))
        for title in rag.catalog.courses.titles()
    }


class Reader:
    """Reads all that is on a server, and fails if it is not whole."""

    def __init__(self, address: ServerAddress) -> None:
        self._connection = ServerConnection(address)

    def close(self) -> None:
        self._connection.close()

    def heads(self) -> dict[str, CourseHead]:
        """Return the courses by their uids."""
        found = self._connection.get(CATALOG, where={"kind": "course"}, metadatas=True)
        heads = [head_of(one) for one in found]
        assert None not in heads
        return {head.uid: head for head in heads if head is not None}

    def contents(self) -> Contents:
        """Return what is there, all of one moment."""
        while True:
            heads = self.heads()
            found = {head.title: self._texts(head) for head in heads.values()}
            whole = {title: texts for title, texts in found.items() if texts is not None}
            if len(whole) == len(found):
                return whole
            assert self.heads() != heads, "the catalogue names what is not there"

    def course(self, head: CourseHead) -> SharedCourse | None:
        """Return a course from its parts; None if they are gone."""
        parts = {one.id: one.document for one in self._get(CATALOG, head.part_ids)}
        entry = decode_entry(head, "".join(parts.get(name) or "" for name in head.part_ids))
        return None if entry is None else entry.course

    def ids(self, collection: str) -> set[str]:
        """Return the ids of all records."""
        return {one.id for one in self._connection.get(collection)}

    def everything(self) -> dict[str, Found]:
        """Return all records by their ids."""
        return {
            one.id: one
            for name in (CATALOG, CONTENT)
            for one in self._connection.get(name, documents=True, metadatas=True)
        }

    def _texts(self, head: CourseHead) -> tuple[str, ...] | None:
        course = self.course(head)
        if course is None:
            return None
        ids = [name for document in course.documents for name in passage_ids(document)]
        found = {one.id: decode_passage(one, DIMENSION) for one in self._get(CONTENT, ids)}
        texts = [passage.text for name in ids if (passage := found.get(name)) is not None]
        return tuple(texts) if len(texts) == len(ids) else None

    def _get(self, collection: str, ids: list[str]) -> list[Found]:
        return self._connection.get(collection, ids=ids, documents=True, metadatas=True)


def contents(address: ServerAddress) -> Contents:
    """Return what a reader finds on a server."""
    with closing(Reader(address)) as reader:
        return reader.contents()


def leftovers(address: ServerAddress) -> set[str]:
    """Return the ids of records that no reader needs."""
    with closing(Reader(address)) as reader:
        needed: set[str] = set()
        for uid, head in reader.heads().items():
            course = reader.course(head)
            assert course is not None
            needed |= {uid, *head.part_ids, *(one for item in course.documents for one in passage_ids(item))}
        return (reader.ids(CATALOG) | reader.ids(CONTENT)) - needed


HARBOUR = "Harbour Pilots"
FIRST = """\
Course Title: Harbour Pilots

Lesson 1: Boarding
Lesson Link: https://example.org/harbour/1
A pilot boards by a rope ladder on the lee side. The ship keeps its speed while the boat comes alongside.
"""
SECOND = """\
Course Title: Harbour Pilots

Lesson 2: Berthing
Tugs push the stern while the bow line goes ashore. The pilot counts the distance in ship lengths.
"""


def write_harbour(folder: Path) -> Path:
    """Write a course of two files into a folder of its own; return that."""
    place = folder / "harbour"
    place.mkdir(parents=True)
    (place / "boarding.txt").write_text(FIRST, encoding="utf-8")
    (place / "berthing.txt").write_text(SECOND, encoding="utf-8")
    return place
