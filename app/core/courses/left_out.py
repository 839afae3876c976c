"""Decides which files of a course folder are not read: those that are not lessons, and translations."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from app.core.courses.names import is_introduction
from app.core.documents.formats import PICTURE_ENDINGS, is_source_code
from app.domain.messages import Message
from app.domain.words import word_set

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
    r"(?:AGENTS|CHANGES|CITATION|CLAUDE|CREDITS|ESTILOS?|GEMINI|HISTORY|INSTALL|MAINTAINERS|NEWS|NOTICE|SECURITY|STYLE"
    r"|SUMMARY|SUPPORT|THANKS|TODO|VERSION)(?:\..*)?",
    re.DOTALL,
)
_TABLES = frozenset({".csv", ".tsv", ".xls", ".xlsx", ".ods"})
_DATA_FOLDERS = frozenset({"data", "dataset", "datasets", "rawdata", "raw_data"})
# Texts that show pictures beside them, and folders in which these usually lie.
_SHOWING = word_set(
    ".md .markdown .mdx .qmd .rmd .rst .rest .org .adoc .asciidoc .tex .ltx .html .htm .ipynb"
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
_BUILD = frozenset([".sh", ".bash", ".ps1", ".bat", ".cmd"])
_OF_PROGRAMS = word_set("vendor third_party third-party _layouts _includes _static superpowers venv")


def no_lessons(files: Mapping[str, int], root: str) -> dict[str, Message]:
    """Return which of the files below a chosen folder are no lessons, and why.

    Args:
        files: all files of the folder with their sizes in bytes; -1 for files of unreadable formats.
        root: the folder.
    """
    readable = [path for path, size in files.items() if size >= 0]
    found = dict.fromkeys(_illustrations(readable, root), _ILLUSTRATION)
    for path in readable:
        *folders, name = path[len(root) :].lstrip(os.sep).split(os.sep)
        lowered = [folder.casefold() for folder in folders]
        stem, suffix = os.path.splitext(name)
        is_cover = path not in found and suffix.casefold() in PICTURE_ENDINGS and _COVER.fullmatch(stem)
        if is_cover or _ABOUT_FILES.fullmatch(name) or _IN_CAPITALS.fullmatch(name):
            found[path] = NO_LESSON
        elif not _OF_PROGRAMS.isdisjoint(lowered):
            found[path] = _PROGRAM
        elif _is_data(suffix.casefold(), lowered, files[path]):
            found[path] = _DATA
    found |= dict.fromkeys(_build_scripts([path for path in readable if path not in found]), _PROGRAM)
    return found


def _build_scripts(files: Collection[str]) -> Iterator[str]:
    """Yield the shell scripts above the folders with a course's texts, unless there are texts beside them."""
    scripts = [path for path in files if os.path.splitext(path)[1].casefold() in _BUILD]
    texts = (path for path in files if not is_source_code(Path(path)) and path not in scripts)
    lessons = {os.path.dirname(path) for path in texts if not is_introduction(os.path.basename(path))}
    for path in scripts:
        folder = os.path.dirname(path)
        if folder not in lessons and any(one.startswith(folder + os.sep) for one in lessons):
            yield path


def _illustrations(files: Collection[str], root: str) -> Iterator[str]:
    """Yield pictures that probably illustrate a text: by their folder, or by a text beside or above them.

    A README, index or syllabus illustrates itself only with pictures beside it.
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


# ISO 639-1 codes of the languages that courses are translated into, and codes of countries used like them.
_CODE_WORDS = """
    am ar as az be bg bn br ca cn cs da de el en es et eu fa fi fr gl he hi hk hr hu id is it ja jp ka kk
    kn ko kr lt lv ml mo mr ms my nb ne nl no or pa pcm pl pt ro ru sk sl so sr sv sw ta te th tl tr tw ua
    uk ur uz vi vn zh
"""
_CODES = frozenset(_CODE_WORDS.split())
# Codes behind a hyphen or underscore often mean something else: a mark scheme (ms), slides (sl).
_CERTAIN = frozenset(["de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"])
# The languages meant by codes of countries.
_MEANT = {"br": "pt", "cn": "zh", "hk": "zh", "jp": "ja", "kr": "ko", "nb": "no", "tw": "zh", "ua": "uk"}
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_STEM = re.compile(rf"(?P<stem>.+?)(?P<sign>[._-])(?P<code>{_CODE.pattern})", re.IGNORECASE | re.DOTALL)
_HOLDERS = frozenset({"i18n", "lang", "languages", "locales", "translated", "translation", "translations"})
_ORIGINAL = ("", "en")


@dataclass(frozen=True, slots=True)
class Translation:
    """A file that exists in several languages.

    Attributes:
        original: the path it would have without the codes of languages, the same for all versions.
        read: the path of the version to read; empty for what only a translation to another language has.
    """

    original: str
    read: str


class _Named(NamedTuple):
    original: str  # the path below the root, without codes
    code: str  # of its language; empty without one
    folder: str  # the one called by the code, below the root; empty if the file itself is


def find_translations(paths: Collection[str], root: str, language: str) -> dict[str, Translation]:
    """Return the versions of the files below ``root`` that exist in several languages.

    Languages are known by codes: "README.es.md", "notes_de.pdf", "de/notes.pdf", "translations/de/notes.pdf".
    A code means a language only where the file in English or without a code is there as well. A folder
    needs it for most of its files: a README alone may be one of another subject.
    """
    parts = {path: path[len(root) :].lstrip(os.sep).split(os.sep) for path in paths}
    refuted: set[str] = set()  # folders whose names hold no code
    while True:
        named = {path: _name(names, refuted) for path, names in parts.items()}
        versions: dict[str, dict[str, str]] = {}
        for path, name in named.items():
            versions.setdefault(name.original.casefold(), {}).setdefault(name.code, path)
        with_original = {key for key, found in versions.items() if not found.keys().isdisjoint(_ORIGINAL)}
        more = _refuted(named.values(), with_original)
        if not more:
            break
        refuted |= more
    language = _MEANT.get(language, language)
    several = {key for key in with_original if len(versions[key]) > 1}
    folders = {name.folder for name in named.values() if name.original.casefold() in several} - {""}
    found = {}
    for path, name in named.items():
        here = versions[name.original.casefold()]
        own = sorted(code for code in here if _MEANT.get(code, code[:2]) == language)
        if name.original.casefold() in several:
            original = next(code for code in _ORIGINAL if code in here)
            chosen = own[0] if own else original
            base = named[here[original]].original
            found[path] = Translation(os.path.join(root, base), path if name.code == chosen else here[chosen])
        elif name.folder in folders:
            # What a translation has of its own, such as a page for its translators, belongs to it.
            is_read = name.code in (*_ORIGINAL, *own)
            found[path] = Translation(os.path.join(root, name.original), path if is_read else "")
    return found


def may_be_translation(path: str, root: str) -> bool:
    """Whether a name in a path below ``root`` may hold the code of a language."""
    return bool(_name(path[len(root) :].lstrip(os.sep).split(os.sep), ()).code)


def _name(parts: Sequence[str], refuted: Collection[str]) -> _Named:
    *folders, name = parts
    is_held = not _HOLDERS.isdisjoint(map(str.casefold, folders))
    kept: list[str] = []
    code = inside = ""
    for folder in folders:
        if _is_code(folder) and os.sep.join([*kept, folder]) not in refuted:
            code, inside = folder, os.sep.join([*kept, folder])
        elif folder.casefold() not in _HOLDERS:
            kept.append(folder)
    stem, suffix = os.path.splitext(name)
    if (own := _STEM.fullmatch(stem)) and _is_code(own["code"]):
        is_certain = own["sign"] == "." or own["code"].casefold()[:2] in _CERTAIN
        if is_certain or is_held or is_introduction(own["stem"]):
            stem, code, inside = own["stem"], own["code"], ""
    original = os.path.join(*(kept if code else folders), stem + suffix)
    return _Named(original, code.casefold().replace("_", "-"), inside)


def _refuted(named: Iterable[_Named], with_original: Collection[str]) -> set[str]:
    """Return the folders below the root that are not called by a language."""
    folders: dict[str, list[str]] = {}
    for name in named:
        if name.folder:
            folders.setdefault(name.folder, []).append(name.original.casefold())
    refuted = set()
    for folder, inside in folders.items():
        telling = [path for path in inside if not is_introduction(os.path.basename(path))] or inside
        if 2 * sum(path in with_original for path in telling) < len(telling):
            refuted.add(folder)
    return refuted


def _is_code(name: str) -> bool:
    found = _CODE.fullmatch(name)
    return found is not None and found[1].casefold() in _CODES
