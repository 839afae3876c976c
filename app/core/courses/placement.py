"""Finds the places of a run's files from folders, names, stored facts and first lines, and applies them."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.core.courses.arrangement import Arrangement
from app.core.courses.names import is_one_course, is_section, top_folder
from app.core.courses.uses import use_of
from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.text.markdown_structure import plain_inline
from app.domain.courses import Correction, Corrections, Facts, Place, PlannedFolder, Use
from app.domain.documents import DocumentText, Lesson, ParsedDocument
from app.domain.file_paths import root_of
from app.domain.plain_text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from app.core.courses.left_out import Translation
    from app.core.storage.catalog import Catalog
    from app.core.storage.documents import FileRecord
    from app.domain.cancel import CancelToken
    from app.domain.messages import Message


_HEAD = 1024  # bytes read for a plan
_WITHOUT_SIGNS = frozenset({".txt", ".text"})
_PEEKED = _WITHOUT_SIGNS | frozenset({".md", ".markdown", ".mdx", ".qmd", ".rmd"})
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# A line that may be part of a header, a lesson marker, or the underline of a heading.
_TELLING = re.compile(
    r"^\W{0,8}(?:course|lesson|lecture|week|module|chapter|unit|session)[ \t]|^-{3}|^={2}|^#{1,6}[ \t]|<h1",
    re.IGNORECASE | re.MULTILINE,
)
_DESCRIPTION_LIMIT = 400
# Not a description: headings, pictures and badges, lists, quotations, tables, code, header lines.
_NOT_PROSE = re.compile(
    r"\s*(?:[#!\[|<>`~=-]|[*+]\s|\d+[.)]\s|course\s+(?:title|link|instructor)\b)", re.IGNORECASE
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


def facts_of(parsed: ParsedDocument, path: str, folder: str | None) -> Facts:
    """Return what a parsed document says about its place; ``folder`` is its course's."""
    claim, heading = parsed.course_title if parsed.has_header else None, parsed.heading
    use = use_of(path, folder, parsed.text, heading, is_marked=parsed.is_marked)
    return Facts(claim, heading, parsed.is_marked, use)


def peek(path: Path, processor: DocumentProcessor, folder: str | None) -> Facts:
    """Return the facts in a text file's first lines; for other formats, those in its name."""
    head = _head_of(path)
    if not _TELLING.search(head):  # parsing thousands of files would be slow
        return Facts(use=use_of(str(path), folder, head, "", is_marked=False))
    if path.suffix.lower() not in _WITHOUT_SIGNS:
        from app.core.documents.readers.markdown import clean_markdown  # needed for plans only

        head = clean_markdown(head)
    return facts_of(processor.parse(DocumentText(head), path.name), str(path), folder)


def own_title(path: Path, processor: DocumentProcessor) -> str:
    """Return the title of a file that is its own course, judged by its first lines."""
    return processor.parse(DocumentText(_head_of(path)), path.name).course_title


def _head_of(path: Path) -> str:
    if path.suffix.lower() not in _PEEKED:
        return ""
    try:
        with path.open("rb") as file:
            data = file.read(_HEAD)
    except (OSError, ValueError):  # reported when it is read
        return ""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    return data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def put_into_place(parsed: ParsedDocument, place: Place | None) -> ParsedDocument:
    """Return the document with the course and lessons of its place; unchanged if that is None.

    Its own lesson markers stay, unless the file describes a course.
    """
    if place is None:
        return parsed
    parsed = parsed._replace(course_title=place.course)
    if place.about:
        whole = Lesson(None, place.title, None, parsed.lessons[0].start, parsed.lessons[-1].end)
        return parsed._replace(lessons=(whole,))
    if parsed.is_marked or not (place.placed or place.number is not None):
        return parsed
    lessons = tuple(replace(lesson, number=place.number, title=place.title) for lesson in parsed.lessons)
    return parsed._replace(lessons=lessons)


def description_of(parsed: ParsedDocument) -> str | None:
    """Return the first paragraph of prose, shortened; None if there is none."""
    for lesson in parsed.lessons:
        for paragraph in _PARAGRAPHS.split(parsed.text[lesson.start : lesson.end]):
            if _NOT_PROSE.match(paragraph) or not any(character.isalpha() for character in paragraph):
                continue
            return shorten(plain_inline(" ".join(paragraph.split())), _DESCRIPTION_LIMIT)
    return None


class FoundFile(NamedTuple):
    """A file as listed, and why it is ignored or cannot be read."""

    path: Path
    size: int
    mtime_ns: int
    skipped: Message | None = None
    failed: Message | None = None


class RunPlaces:
    """The places of a run's files and of all library files in the same chosen folders.

    ``chosen`` are absolute paths, links resolved; ``corrections`` are added to those stored.

    Attributes:
        documents: those of the library by path.
        places: where each file belongs, by path.
        folders: the chosen ones that could be one course as well as several.
    """

    def __init__(
        self, catalog: Catalog, chosen: Sequence[str], corrections: Corrections | None = None
    ) -> None:
        self._catalog = catalog
        self._store = store = catalog.places
        self._chosen = chosen
        self._folders = [path for path in chosen if os.path.isdir(path)]
        self._wanted = corrections
        self._processor = DocumentProcessor()
        self._corrections = store.corrections()
        self._remembered = dict(self._corrections)
        if corrections:
            for path in (*corrections.left_out, *corrections.taken_in):
                left_out = path in corrections.left_out
                self._corrections[path] = self._correction(path)._replace(left_out=left_out)
            for path, use in corrections.used:
                self._corrections[path] = self._correction(path)._replace(use=use)
        self._roots = store.folders()
        for folder in sorted(self._folders, key=len):
            if root_of(folder, self._roots) is None:
                self._roots[folder] = None
        self.folders: list[PlannedFolder] = []
        self._versions: Mapping[str, Translation] = {}
        self._facts: dict[str, Facts] = {}
        self._looked_up: dict[int, Facts] = {}
        self._titles: dict[str, str] = {}
        self.documents = catalog.documents.files()
        self.places: dict[str, Place] = {}

    def arrange(
        self,
        found: Sequence[FoundFile],
        fresh: Collection[str],
        token: CancelToken,
        first_lines: Mapping[FoundFile, Facts],
        beside: Collection[str] = (),
        versions: Mapping[str, Translation] | None = None,
    ) -> None:
        """Find places for files; for ``fresh`` ones by their first lines, unless facts about them are known.

        ``beside`` are the paths of all files listed, also of those that are not read, and ``versions`` those
        in several languages.
        """
        self._versions = versions or {}
        paths = {str(item.path) for item in found}
        self.folders = [folder for path in self._folders if (folder := self._decide(path, paths, beside))]
        for item in found:
            path = str(item.path)
            if path in fresh:
                token.check()
                self._facts[path] = first_lines.get(item) or peek(
                    item.path, self._processor, self._course_folder(path)
                )
        # A document in a listed folder whose file was not found was deleted or moved.
        listed = {
            path for path in self.documents if path not in paths and root_of(path, self._folders) is not None
        }
        self._add_known(paths, listed, token)
        self._arrange()
        if self._wanted:
            self._correct(self._wanted)
            self._arrange()

    def root_of(self, path: str) -> str | None:
        """Return the chosen folder that a path lies in, now or before."""
        return root_of(path, self._roots)

    def is_left_out(self, path: str) -> bool:
        """Whether the user excluded a file, now or before."""
        return bool(self._correction(path).left_out)

    def is_taken_in(self, path: str) -> bool:
        """Whether the user included a file that Lectern would leave out, now or before."""
        return self._correction(path).left_out is False

    def title_of(self, path: str) -> str:
        place, document = self.places.get(path), self.documents.get(path)
        if place is not None:
            return place.course
        if document is not None:
            return document.course_title
        if path not in self._titles:
            self._titles[path] = own_title(Path(path), self._processor)
        return self._titles[path]

    def facts_of(self, path: str) -> Facts:
        """Return the facts known so far about a file's place."""
        return self._facts.get(path, Facts())

    def use_of(self, path: str) -> Use:
        """Return a file's use: the user's choice, or else what its name and words suggest."""
        return self._correction(path).use or self.facts_of(path).use

    def read_facts(self, path: str, parsed: ParsedDocument) -> Facts:
        """Return the place that a document states, and its use."""
        facts = facts_of(parsed, path, self._course_folder(path))
        return replace(facts, use=self._correction(path).use or facts.use)

    def remember(self, *, folders: bool) -> None:
        """Store changed corrections, new facts and, if asked, the chosen folders."""
        if folders:
            self._store.remember_folders(self._roots)
        changed = self._corrections.items() - self._remembered.items()
        if changed:
            self._store.set_corrections(dict(changed))
        if self._looked_up:
            self._store.set_facts(self._looked_up)

    def place_of(self, path: str, facts: Facts) -> Place | None:
        """Return the preliminary place of a file just read; its siblings may still change it."""
        guess = self.places.get(path)
        if facts == self._facts.get(path):
            return guess
        self._facts[path] = facts
        found = self._arrangement.places({path: facts}, self._now).get(path)
        if guess is not None and found is not None and guess.placed and found.placed and not found.about:
            number = guess.number if guess.number is not None else found.number
            found = found._replace(course=guess.course, number=number)
        if found is not None:
            self.places[path] = found
        return found

    def misplaced(self, token: CancelToken, *, changed: bool) -> list[tuple[FileRecord, Place]]:
        """Return the documents in the wrong place, once all files are read, with their right places.

        ``changed`` says whether any document was added, changed, moved or removed since :meth:`arrange`.
        """
        if changed:
            self.documents = self._catalog.documents.files()
            here = self._facts.keys() & self.documents.keys()
            self._facts = {path: self._facts[path] for path in here}
            self._add_known(here, set(), token)
            self._arrange()
        return [
            (document, place)
            for path, place in self.places.items()
            if (document := self.documents.get(path))
            and not _is_at(document.place, place, marked=self._facts[path].marked)
        ]

    # Internals

    def _decide(self, root: str, paths: Collection[str], beside: Collection[str]) -> PlannedFolder | None:
        """Decide whether a chosen folder is one course, once it has subfolders; None where all are parts."""
        if root not in self._roots:
            return None
        originals = [self._versions[path].original if path in self._versions else path for path in paths]
        inside = {top_folder(path, root) for path in originals if root_of(path, [root])} - {""}
        decided = dict(self._wanted.one_course).get(root) if self._wanted else None
        if decided is None:
            decided = self._roots[root]
        before = self._roots[root]
        if decided is None and inside:
            on_top = [os.path.basename(path) for path in beside if os.path.dirname(path) == root]
            decided = is_one_course(on_top, sorted(inside))
        self._roots[root] = decided
        if decided is None or all(map(is_section, inside)):
            return None
        return PlannedFolder(root, decided, is_new=decided != before)

    def _add_known(self, paths: Collection[str], gone: Collection[str], token: CancelToken) -> None:
        """Add stored facts of these files and of all others in the same chosen folders."""
        roots = {root_of(path, self._roots) for path in (*paths, *self._chosen)}
        for path, document in self.documents.items():
            if path in self._facts or path in gone or self._correction(path).left_out:
                continue
            root = root_of(path, self._roots)
            if path not in paths and (root is None or root not in roots):
                continue
            facts = document.facts
            if facts is None:
                token.check()
                text = self._catalog.documents.text(document.document_id)
                parsed = self._processor.parse(text, os.path.basename(path))
                # Documents stored by earlier versions have no facts.
                facts = self._looked_up[document.document_id] = self.read_facts(path, parsed)
            if (wanted := self._correction(path).use) and wanted is not facts.use:
                facts = self._looked_up[document.document_id] = replace(facts, use=wanted)
            self._facts[path] = facts

    def _correction(self, path: str) -> Correction:
        return self._corrections.get(path, Correction())

    def _course_folder(self, path: str) -> str | None:
        roots = {root: bool(one_course) for root, one_course in self._roots.items()}
        return Arrangement(roots).folder_of(path)

    def _arrange(self) -> None:
        self._now = {path: item.course_title for path, item in self.documents.items() if path in self._facts}
        roots = {path: bool(one_course) for path, one_course in self._roots.items()}
        among = Arrangement(roots, versions=self._versions)
        taken = {}
        for path, document in self.documents.items():
            if path not in self._facts and document.place.placed:
                folder = among.folder_of(path)
                if folder is not None:
                    taken[document.course_title] = folder
        self._arrangement = Arrangement(roots, self._corrections, taken, self._versions)
        self.places = self._arrangement.places(self._facts, self._now)

    def _correct(self, wanted: Corrections) -> None:
        """Apply corrections of the plan as corrections of paths."""
        for old, new in wanted.renamed:
            inside = [path for path in self._facts if self.title_of(path) == old]
            placed = [path for path in inside if (place := self.places.get(path)) and place.placed]
            folder_of = self._arrangement.folder_of
            self._corrections |= renaming(old, new, self._corrections, inside, placed, folder_of)
        for path, title in wanted.moved:
            self._corrections[path] = self._correction(path)._replace(course=title)


def renaming(
    old: str,
    new: str,
    corrections: Mapping[str, Correction],
    files: Iterable[str],
    placed: Collection[str],
    folder_of: Callable[[str], str | None],
) -> dict[str, Correction]:
    """Return the corrections that give a course another title, by path.

    Of its ``files``, those that are ``placed`` take it from their folder.
    """
    paths = {path for path, item in corrections.items() if item.course == old}
    for path in files:
        if corrections.get(path, Correction()).course is None:
            folder = folder_of(path) if path in placed else None
            paths.add(folder or path)
    return {path: corrections.get(path, Correction())._replace(course=new) for path in paths}


def _is_at(now: Place, place: Place, *, marked: bool) -> bool:
    if (now.course, now.placed) != (place.course, place.placed):
        return False
    if marked and not place.about:
        return True
    if not place.placed and place.number is None:
        return now.number is None
    return (now.number, now.title) == (place.number, place.title)


def only_number_differs(now: Place, place: Place) -> bool:
    """Whether a misplaced document of one lesson only needs another number."""
    same = (now.course, now.placed, now.title) == (place.course, place.placed, place.title)
    return same and now.number is not None and place.number is not None
