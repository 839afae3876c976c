"""Finds translations of one file, by codes of languages in the names of files and folders, and by texts."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from app.core.courses.folder_names import is_introduction
from app.core.documents.text.languages import certain_language_of, language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

# ISO 639-1 codes of the languages that courses are translated into, and codes of countries used like them.
_CODE_WORDS = """
    am ar as az be bg bn br ca cn cs da de el en es et eu fa fi fr gl he hi hk hr hu id is it ja jp ka kk
    kn ko kr lt lv ml mo mr ms my nb ne nl no or pa pcm pl pt ro ru sk sl so sr sv sw ta te th tl tr tw ua
    uk ur uz vi vn zh
"""
_CODES = frozenset(_CODE_WORDS.split())
# These often mean something else: machine learning (ml), a mark scheme (ms), slides (sl), a transcript (tr).
_DOUBTFUL_WORDS = """
    am as be ca cs da et hk hr id is it ml mo ms my nb no or pa pl sl so sr sw ta te th tl tr tw
"""
_DOUBTFUL = frozenset(_DOUBTFUL_WORDS.split())
_WORDS = frozenset({"am", "as", "be", "is", "or", "so"})  # nearly always do
# The languages meant by codes of countries, and by one that no text is told by.
_PAIRS = "br:pt cn:zh hk:zh jp:ja kr:ko mo:zh nb:no tw:zh ua:uk vn:vi"
_LANGUAGES = dict(pair.split(":") for pair in _PAIRS.split())
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_SIGN = re.compile(r"[._-]")
_HOLDERS = frozenset({"i18n", "lang", "languages", "locales", "translated", "translation", "translations"})
_ORIGINAL = ("", "en")
_STATED = re.compile(r"^lang(?:uage)?[ \t]*:[ \t]*[\"']?([a-z]{2})\b", re.IGNORECASE | re.MULTILINE)
_TRIED = 5  # files whose texts tell the language of a folder


@dataclass(frozen=True, slots=True)
class Version:
    """A file that is there in several languages.

    Attributes:
        original: the path it would have without the codes of languages, the same for all versions.
        read: the path of the version to read; empty for what only a translation to another language has.
    """

    original: str
    read: str


@dataclass(frozen=True, slots=True)
class _Named:
    """What a path says.

    Attributes:
        key: what the versions of a file share.
        code: of its language, in lower case; empty without one.
        folder: the one called by the code, below the root; empty if the file itself is.
        original: the path below the root, without codes.
        sign: what stands before the code in the name of a file.
        is_held: whether it lies in a folder such as "translations", where a code means a language.
    """

    key: tuple[str, ...]
    code: str
    folder: str
    original: str
    sign: str = ""
    is_held: bool = False


_Groups = dict[tuple[str, ...], dict[str, list[str]]]  # paths by key and code


def find_translations(
    paths: Collection[str], root: str, language: str, text_of: Callable[[str], str]
) -> dict[str, Version]:
    """Return the versions of those files below ``root`` that are there in several languages.

    Languages are known by codes: "README.es.md", "notes_de.pdf", "de/notes.pdf", "translations/de/notes.pdf".
    A code means a language only where the file in English or without a code is there as well. A folder
    needs it for most of its files: a README alone may be one of another subject. A code that often means
    something else, or stands behind "_" or "-", is confirmed or refuted by ``text_of`` its files, if known.
    """
    parts = {path: path[len(root) :].lstrip(os.sep).split(os.sep) for path in paths}
    refuted: set[str] = set()  # paths of files and of folders whose names hold no code
    while True:
        named = {path: _name(path, names, refuted) for path, names in parts.items()}
        groups: _Groups = {}
        for path, name in named.items():
            groups.setdefault(name.key, {}).setdefault(name.code, []).append(path)
        more = _refuted(named, groups, text_of)
        if not more:
            return dict(_versions(named, groups, root, _LANGUAGES.get(language, language)))
        refuted |= more


def may_be_translation(path: str, root: str) -> bool:
    """Whether a name in a path below ``root`` may hold the code of a language."""
    return bool(_name(path, path[len(root) :].lstrip(os.sep).split(os.sep), ()).code)


def _versions(
    named: Mapping[str, _Named], groups: _Groups, root: str, language: str
) -> Iterable[tuple[str, Version]]:
    several = [
        path for found in groups.values() if len(found) > 1 for paths in found.values() for path in paths
    ]
    folders = {named[path].folder for path in several} - {""}
    for path, name in named.items():
        versions = groups[name.key]
        original = next((code for code in _ORIGINAL if code in versions), None)
        if len(versions) > 1 and original is not None:
            own = sorted(code for code in versions if language and _language(code) == language)
            chosen = own[0] if own else original
            read = path if name.code == chosen else versions[chosen][0]
            base = name if name.code == original else named[versions[original][0]]
            yield path, Version(os.path.join(root, base.original), read)
        elif name.folder in folders:
            # What a translation has of its own, such as a page for its translators, belongs to it.
            is_read = name.code in _ORIGINAL or _language(name.code) == language
            yield path, Version(os.path.join(root, name.original), path if is_read else "")


def _name(path: str, parts: Sequence[str], refuted: Collection[str]) -> _Named:
    *folders, name = parts
    kept: list[str] = []
    code = inside = sign = ""
    for folder in folders:
        if _is_code(folder) and os.sep.join([*kept, folder]) not in refuted:
            code, inside = folder, os.sep.join([*kept, folder])
        elif folder.casefold() not in _HOLDERS:
            kept.append(folder)
    stem, suffix = os.path.splitext(name)
    if path not in refuted:
        for found in list(_SIGN.finditer(stem))[-2:]:  # "README.zh-cn" has two
            if _is_code(stem[found.end() :]):
                stem, code, inside, sign = stem[: found.start()], stem[found.end() :], "", found[0]
                break
    key = (*kept, stem.casefold(), suffix.casefold())
    original = os.path.join(*(kept if code else folders), stem + suffix)
    is_held = not _HOLDERS.isdisjoint(map(str.casefold, folders))
    return _Named(key, code.casefold().replace("_", "-"), inside, original, sign, is_held)


def _refuted(named: Mapping[str, _Named], groups: _Groups, text_of: Callable[[str], str]) -> set[str]:
    """Return the paths of files, and of folders below the root, that are not called by a language."""
    refuted: set[str] = set()
    folders: dict[str, list[str]] = {}
    for path, name in named.items():
        if name.folder:
            folders.setdefault(name.folder, []).append(path)
        elif not name.is_held and (name.code in _DOUBTFUL or _may_abbreviate(name)):
            originals = _originals(groups[name.key])
            is_likely = name.sign == "." or name.code not in _DOUBTFUL or is_introduction(name.key[-2])
            if not (originals and _is_in(name.code, [path], originals, text_of, is_likely=is_likely)):
                refuted.add(path)
    for folder, paths in folders.items():
        code = named[paths[0]].code
        telling = [path for path in paths if not is_introduction(named[path].key[-2])] or paths
        having = {path: found for path in telling if (found := _originals(groups[named[path].key]))}
        is_translation = 2 * len(having) >= len(telling)
        if is_translation and code in _DOUBTFUL and not named[paths[0]].is_held:
            originals = [path for found in having.values() for path in found]
            is_translation = _is_in(code, list(having), originals, text_of, is_likely=True)
        if not is_translation:
            refuted.add(folder)
    return refuted


def _may_abbreviate(name: _Named) -> bool:
    """Whether a code may be short for anything, as in "notes_fa" of finite automata, not in Persian."""
    return name.sign != "." and name.code not in _ORIGINAL and not is_introduction(name.key[-2])


def _is_in(
    code: str,
    paths: Iterable[str],
    originals: Iterable[str],
    text_of: Callable[[str], str],
    *,
    is_likely: bool,
) -> bool:
    """Whether files are in the language of a code, by their texts; if these do not tell, as is likely."""
    text = "\n".join(map(text_of, islice(paths, _TRIED)))
    stated = _STATED.search(text) if text.startswith("---") else None
    if (stated[1].casefold() if stated else language_of(text)) == _language(code):
        return True
    found = certain_language_of(text)
    if found and found == certain_language_of("\n".join(map(text_of, islice(originals, _TRIED)))):
        return False
    return is_likely and code not in _WORDS


def _originals(versions: Mapping[str, list[str]]) -> list[str]:
    return [path for code in _ORIGINAL for path in versions.get(code, ())]


def _language(code: str) -> str:
    return _LANGUAGES.get(code, code[:2])


def _is_code(name: str) -> bool:
    found = _CODE.fullmatch(name)
    return found is not None and found[1].casefold() in _CODES
