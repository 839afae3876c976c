"""Tells files that lie in a course's folder and are no lessons, by their names."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from app.core.courses.folder_names import is_generic, is_introduction
from app.core.courses.lesson_names import read_name
from app.core.documents.formats import PICTURE_ENDINGS
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

NO_LESSON = Message("ingest.no_lesson")
_DATA = Message("ingest.data_file")
_PROGRAM = Message("ingest.of_a_program")
_ILLUSTRATION = Message("ingest.illustration")

_ABOUT_FILES = re.compile(
    r"(?:licen[cs]e|copying|copyright|authors|contributors|contributing|changelog|code[-_ ]of[-_ ]conduct"
    r"|codeowners|(?:pull_request|issue)_template|third[-_ ]party[-_ ]notices?|translating|404)(?:[-_. ].*)?"
    r"|(?:\w+[-_])?(?:requirements|constraints)(?:[-_](?:base|colab|cpu|dev|docs?|gpu|lock|min|prod|tests?))?\.txt"
    r"|(?:cmakelists|robots|humans|apt)\.txt|_(?:sidebar|navbar|coverpage|toc)\.md",
    re.IGNORECASE | re.DOTALL,
)
# Lessons may have these names, but not in capitals.
_IN_CAPITALS = re.compile(
    r"(?:AGENTS|CHANGES|CITATION|CLAUDE|CREDITS|GEMINI|HISTORY|INSTALL|MAINTAINERS|NEWS|NOTICE|SECURITY|SUPPORT|THANKS"
    r"|SUMMARY|TODO|VERSION)(?:\..*)?",
    re.DOTALL,
)
_TABLES = frozenset({".csv", ".tsv", ".xls", ".xlsx", ".ods"})
_DATA_FOLDERS = frozenset({"data", "dataset", "datasets", "rawdata", "raw_data"})
# Texts that show pictures beside them, and folders in which these usually lie.
_SHOWING = frozenset(
    (
        *(".md", ".markdown", ".mdx", ".qmd", ".rmd", ".rst", ".rest", ".org", ".adoc", ".asciidoc"),
        *(".tex", ".ltx", ".html", ".htm", ".ipynb"),
    )
)
_PICTURE_FOLDER = re.compile(
    r"(?:_|translated_)?images?|imgs?|pictures|pics|fig(?:ure)?s?|graphics|diagrams|plots|assets|attachments|media|_?static"
    r"|icons?|logos?|thumbnails|public|resources|bilder|abbildungen|imágenes|imagenes",
    re.IGNORECASE,
)
_COVER = re.compile(
    r"(?:cover|folder|poster|banner|logo|favicon|icon|thumb(?:nail)?)[-_ ]?\d{0,3}", re.IGNORECASE
)
_SAVED = ("_files", ".assets")  # ends of folders' names, which programs save pictures of a text in
_MUCH = 100_000  # bytes; a larger table beside lessons is there to be worked with
_OF_PROGRAMS = frozenset({"vendor", "third_party", "third-party", "_layouts", "_includes", "venv"})
_PROGRAM_FILES = frozenset({"license", "copying", "setup.py", "package.json", "cargo.toml", "composer.json"})


def no_lessons(files: Mapping[str, int], root: str) -> dict[str, Message]:
    """Return which of the files below a chosen folder are no lessons, and why.

    Args:
        files: all files of the folder with their sizes in bytes; -1 for one that is of no readable kind.
        root: the folder.
    """
    programs = _folders_of_programs(files, root)
    readable = [path for path, size in files.items() if size >= 0]
    found = dict.fromkeys(_illustrations(readable, root), _ILLUSTRATION)
    for path in readable:
        *folders, name = path[len(root) :].lstrip(os.sep).split(os.sep)
        lowered = [folder.casefold() for folder in folders]
        stem, suffix = os.path.splitext(name)
        is_cover = path not in found and suffix.casefold() in PICTURE_ENDINGS and _COVER.fullmatch(stem)
        if is_cover or _ABOUT_FILES.fullmatch(name) or _IN_CAPITALS.fullmatch(name):
            found[path] = NO_LESSON
        elif not _OF_PROGRAMS.isdisjoint(lowered) or (
            is_introduction(name) and os.path.dirname(path) in programs
        ):
            found[path] = _PROGRAM
        elif _is_data(suffix.casefold(), lowered, files[path]):
            found[path] = _DATA
    return found


def _illustrations(files: Collection[str], root: str) -> Iterator[str]:
    """Yield the pictures that a text shows, probably: one beside or above them, or any, by their folder.

    What introduces a course shows what lies beside it.
    """
    endings = {path: os.path.splitext(path)[1].casefold() for path in files}
    texts = [path for path, ending in endings.items() if ending in _SHOWING]
    beside = {os.path.dirname(path) for path in texts}
    above = {os.path.dirname(path) for path in texts if not is_introduction(os.path.basename(path))}
    for path, ending in endings.items():
        if ending not in PICTURE_ENDINGS:
            continue
        folder = os.path.dirname(path)
        names = folder[len(root) :].lstrip(os.sep).split(os.sep)
        around = (os.path.join(root, *names[:depth]) for depth in range(len(names) + 1))
        is_in_folder = any(_PICTURE_FOLDER.fullmatch(name) or name.endswith(_SAVED) for name in names)
        if folder in beside or (texts and is_in_folder) or any(one in above for one in around):
            yield path


def _is_data(suffix: str, folders: list[str], size: int) -> bool:
    if suffix in _TABLES and size > _MUCH:
        return True
    return suffix in _TABLES | {".txt", ".text"} and not _DATA_FOLDERS.isdisjoint(folders)


def _folders_of_programs(files: Collection[str], root: str) -> set[str]:
    """Return the folders inside a course that hold a program of their own, with a licence or a manifest.

    Not those that are parts of the course by their names, nor those that may be courses themselves.
    """
    has_introduction = any(
        os.path.dirname(path) == root and is_introduction(os.path.basename(path)) for path in files
    )
    found = set()
    for path in files:
        name = os.path.basename(path).casefold()
        if name not in _PROGRAM_FILES and os.path.splitext(name)[0] not in _PROGRAM_FILES:
            continue
        folder = os.path.dirname(path)
        depth = len(folder[len(root) :].strip(os.sep).split(os.sep)) if folder != root else 0
        own = os.path.basename(folder)
        is_part = is_generic(own) or read_name(own).number is not None
        if not is_part and depth >= (1 if has_introduction else 2):
            found.add(folder)
    return found
