"""Courses of the library in the form in which they are published, without where their files are."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from app.domain.file_paths import root_of
from app.features.shared.model import SharedCourse
from app.features.shared.records import DocumentRecords, course_uid, fitted, kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.storage.catalog import Catalog
    from app.domain.cancel import CancelToken
    from app.domain.courses import Course, LessonInfo
    from app.features.shared.connection import Record


class LibraryChanged(Exception):  # internal: the course is looked at again
    """What is to be published is not in the library any more."""


@dataclass(frozen=True, slots=True)
class OutgoingCourse:
    """A course as it is in the library; ``shared`` has no revision and no time yet."""

    shared: SharedCourse
    title_vector: NDArray[np.float32]
    paths: Mapping[str, str]  # of the documents' files, by uid


class _Listed(NamedTuple):
    courses: Mapping[str, Course]  # by title
    vectors: Mapping[str, NDArray[np.float32]]  # of the titles
    folders: tuple[str, ...]  # that were chosen


class OutgoingCourses:
    """Reads courses as they are published; ``model_id`` is that of their vectors. Raises LibraryChanged."""

    def __init__(self, catalog: Catalog, model_id: str) -> None:
        self._catalog = catalog
        self._model_id = model_id
        self._generation: str | None = None
        self._listed: _Listed | None = None

    def course(self, title: str, token: CancelToken) -> OutgoingCourse:
        """Return a course, whose documents are read one after the other."""
        courses, vectors, folders = self._list()
        found, vector = courses.get(title), vectors.get(title)
        if found is None or vector is None:
            raise LibraryChanged
        names = _names(found.files, folders)
        documents = []
        for path in found.files:
            token.check()
            documents.append(self._records(path, names[path], title).shared)
        shared = SharedCourse(
            uid=course_uid(title),
            title=title,
            instructor=fitted(found.instructor or "") or None,
            link=kept(found.link),
            revision="",
            lessons=tuple(_lesson(lesson, names) for lesson in found.lessons),
            documents=tuple(documents),
        )
        uids = [document.uid for document in documents]
        return OutgoingCourse(shared, vector, dict(zip(uids, found.files, strict=True)))

    def records(self, course: OutgoingCourse, uid: str) -> DocumentRecords:
        shared = next(document for document in course.shared.documents if document.uid == uid)
        found = self._records(course.paths[uid], shared.name, course.shared.title)
        if found.shared != shared:
            raise LibraryChanged
        return found

    def with_vectors(self, records: DocumentRecords, numbers: Sequence[int]) -> list[Record]:
        """Return those of a document's records with these numbers, ready to be sent."""
        keys = [records.key(n) for n in numbers]
        vectors = self._catalog.whole_documents.vectors(keys)
        if len(vectors) < len(keys):
            raise LibraryChanged
        return [records.record(n, vectors[key]) for n, key in zip(numbers, keys, strict=True)]

    def _list(self) -> _Listed:
        """Return what the library has, read again once it has changed: that may take a second."""
        generation = self._catalog.courses.generation()
        if self._listed is None or generation != self._generation:
            courses = {course.title: course for course in self._catalog.courses.all()}
            folders = tuple(self._catalog.places.folders())
            self._listed = _Listed(courses, self._catalog.courses.vectors(), folders)
            self._generation = generation
        return self._listed

    def _records(self, path: str, name: str, title: str) -> DocumentRecords:
        document = self._catalog.whole_documents.read(path)
        if document is None or document.course_title != title:
            raise LibraryChanged
        return DocumentRecords(document, name, self._model_id)


def _names(paths: Sequence[str], roots: Sequence[str]) -> dict[str, str]:
    """Return what each file is called below the folder that was chosen, no two of them the same."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for path in paths:
        root = root_of(path, roots)
        below = os.path.relpath(path, root) if root not in (None, path) else os.path.basename(path)
        name = fitted(PurePath(below).as_posix(), 1000)
        stem, ending = os.path.splitext(name)
        number = 1
        while name in taken:
            number += 1
            name = f"{stem} ({number}){ending}"
        names[path] = name
        taken.add(name)
    return names


def _lesson(lesson: LessonInfo, names: Mapping[str, str]) -> LessonInfo:
    files = tuple(names[path] for path in lesson.files)
    return replace(lesson, title=fitted(lesson.title), link=kept(lesson.link), files=files)
