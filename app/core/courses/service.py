"""Lists and removes courses, and finds the courses, files or folders that a name or path refers to."""

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TypeVar

from app.core.courses.questions import TeachingText, course_questions
from app.core.storage.catalog import Catalog
from app.core.storage.documents import FileRecord
from app.domain.cancel import CancelToken
from app.domain.courses import Course, LibraryCounts
from app.domain.errors import UserError
from app.domain.keeping import TrashEntry
from app.domain.messages import Message
from app.domain.words import folded, words_in

_ASKED_COURSES = 8  # more are not shown questions of
_ASKED_PASSAGES = 120  # of a course, from its beginning


class CourseService:
    """Lists and removes courses and files. Thread-safe.

    Args:
        exclude: keeps files from being read again.
        sync: tells the search index what has changed, step by step.
        trashed: returns what is in the trash.
    """

    def __init__(
        self,
        catalog: Catalog,
        exclude: Callable[[Sequence[int]], None],
        sync: Callable[[CancelToken], Iterable[object]],
        trashed: Callable[[], tuple[TrashEntry, ...]],
    ) -> None:
        self._catalog = catalog
        self._exclude = exclude
        self._sync = sync
        self._trashed = trashed
        self._questions: dict[Course, tuple[str, ...]] = {}

    def all(self) -> tuple[Course, ...]:
        return self._catalog.courses.all()

    def counts(self) -> LibraryCounts:
        return self._catalog.courses.counts()

    def questions(self, courses: Sequence[Course]) -> tuple[tuple[str, ...], ...]:
        """Return questions that each of the first courses answers."""
        known = self._questions
        self._questions = {
            course: known[course] if course in known else self._asked(course.title)
            for course in courses[:_ASKED_COURSES]
        }
        return tuple(self._questions.values())

    def _asked(self, title: str) -> tuple[str, ...]:
        lessons: dict[int, TeachingText] = {}
        for row in self._catalog.courses.first_passages(title, _ASKED_PASSAGES):
            new = TeachingText(row["lesson_number"], row["title"], row["language"], [])
            lessons.setdefault(row["lesson_id"], new).passages.append(row["text"])
        return course_questions(title, tuple(lessons.values()))

    def files(self) -> list[FileRecord]:
        """Return the searchable documents, sorted by path."""
        return sorted(self._catalog.documents.files().values(), key=lambda record: record.path)

    def find(self, name: str) -> list[FileRecord]:
        """Return the documents that a course name, file or folder refers to; see :func:`named`."""
        return named(name, self.files(), lambda record: record.course_title, lambda record: [record.path])

    def remove(self, document_ids: Collection[int], token: CancelToken) -> tuple[TrashEntry, ...]:
        """Move documents to the trash, where nothing finds or reads them; return the new trash entries."""
        keys = list(document_ids)
        self._exclude(keys)
        self._catalog.documents.trash(keys)
        for _ in self._sync(token):
            pass
        return tuple(entry for entry in self._trashed() if not set(keys).isdisjoint(entry.documents))

    def remove_courses(self, titles: Sequence[str], token: CancelToken) -> tuple[TrashEntry, ...]:
        """Move whole courses to the trash; see :meth:`remove`."""
        return self.remove(
            [record.document_id for title in titles for record in self._catalog.documents.of_course(title)],
            token,
        )

    def remove_files(self, paths: Collection[str], token: CancelToken) -> tuple[TrashEntry, ...]:
        """Move the documents of files to the trash; the files themselves stay. See :meth:`remove`."""
        files = self._catalog.documents.files()
        return self.remove([files[path].document_id for path in paths if path in files], token)


_T = TypeVar("_T")
_NAMED = 5  # candidates listed in a message
_MAX_INITIALS = 6
SMALL_WORDS = frozenset(
    ["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)


def named(
    name: str, items: Sequence[_T], title_of: Callable[[_T], str], paths_of: Callable[[_T], Sequence[str]]
) -> list[_T]:
    """Return the items that a course name or path refers to.

    An exact title comes first, then files at or below a path (which need not exist any more), then part
    of a title or its initials; meaning is not compared. Raises UserError for no match or several courses.
    """
    titles = list(dict.fromkeys(title_of(item) for item in items))
    if name in titles:
        return [item for item in items if title_of(item) == name]
    below = [item for item in items if any(is_below(path, name) for path in paths_of(item))]
    matches = literal_matches(name, titles)
    if below and not (matches and not _looks_like_a_path(name)):
        return below
    if below and {title_of(item) for item in below} != set(matches):
        raise UserError(Message("ingest.path_or_course", name=name, titles="; ".join(matches[:_NAMED])))
    if len(matches) > 1:
        more, shown = len(matches) - _NAMED, "; ".join(matches[:_NAMED])
        if more > 0:
            raise UserError(Message("ingest.fits_several_and_more", name=name, titles=shown, n=more))
        raise UserError(Message("ingest.fits_several", name=name, titles=shown))
    if not matches:
        raise UserError(Message("ingest.unknown_name", name=name))
    return [item for item in items if title_of(item) == matches[0]]


def is_below(path: str, name: str) -> bool:
    """Whether a stored path is ``name`` or below it.

    ``name`` may also be an absolute path of another system, from which the library was imported.
    """
    if not name.strip():
        return False
    if any(Path(path).is_relative_to(base) for base in (os.path.abspath(name), os.path.realpath(name))):
        return True
    kinds: tuple[type[PurePath], ...] = (PurePosixPath, PureWindowsPath)
    return any(kind(name).is_absolute() and kind(path).is_relative_to(name) for kind in kinds)


def _looks_like_a_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.startswith((".", "~")) or bool(PurePath(name).suffix)


def literal_matches(name: str, titles: Sequence[str]) -> list[str]:
    """Return the titles that match a name by words or initials, never by meaning."""
    if name in titles:
        return [name]
    wanted = words_in(folded(name))
    if not wanted:
        return []
    by_words = {title: words_in(folded(title)) for title in titles}
    same = [title for title, words in by_words.items() if words == wanted]
    if same:
        return same
    content = [word for word in wanted if word not in SMALL_WORDS]
    if not content:
        return []
    phrase = " ".join(wanted)
    # " rag " in " how rag works ": whole words, in order
    partial = [title for title, words in by_words.items() if f" {phrase} " in f" {' '.join(words)} "]
    if partial:
        return partial
    scattered = [
        title
        for title, words in by_words.items()
        if all(any(word.startswith(part) for word in words) for part in content)
    ]
    if scattered and sum(map(len, content)) > 2:
        return scattered
    return [title for title, words in by_words.items() if _is_initials("".join(wanted), words)]


def _is_initials(letters: str, words: list[str]) -> bool:
    """Whether letters begin consecutive words; two letters must begin the first words."""
    if not 2 <= len(letters) <= _MAX_INITIALS:
        return False
    for chosen in (words, [word for word in words if word not in SMALL_WORDS]):
        initials = "".join(word[0] for word in chosen)
        if initials.startswith(letters) or (len(letters) > 2 and letters in initials):
            return True
    return False
