"""Finds translations of one file, by codes of languages in the names of files and folders."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from app.core.courses.folder_names import is_introduction

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    _Key = tuple[tuple[str, ...], str, str]
    _Groups = dict[_Key, dict[str, list[str]]]
    _Folders = dict[tuple[str, str], list[_Key]]

# ISO 639-1 codes of the languages that courses are translated into, and codes of countries used like them.
_CODE_WORDS = """
    ar az bg bn br ca cn cs da de el en es et eu fa fi fr gl he hi hr hu id it ja jp ka kk ko kr lt lv ml mr
    ms my nb ne nl no pa pcm pl pt ro ru sk sl sr sv sw ta te th tl tr tw ua uk ur uz vi vn zh
"""
_CODES = frozenset(_CODE_WORDS.split())
# After "-" or "_", these mean something else more often: a mark scheme (ms), slides (sl), a transcript (tr).
_DOUBTFUL_WORDS = "ca cs da et hr id ml ms my nb no pa pl sl sr sw ta te th tl tr"
_DOUBTFUL = frozenset(_DOUBTFUL_WORDS.split())
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_SIGN = re.compile(r"[._-]")
_HOLDERS = frozenset({"i18n", "lang", "languages", "locales", "translated", "translation", "translations"})
_ORIGINAL = ("", "en")


def other_languages(paths: Collection[str], root: str, language: str) -> set[str]:
    """Return the files below ``root`` that another file holds in the user's language, or in the original one.

    Languages are known by codes: "README.es.md", "notes_de.pdf", "de/notes.pdf", "translations/de/notes.pdf".
    A code means a language only where the file in English or without a code is there as well. A folder such
    as "ml" or "cs" needs it for most of its files: a README alone may be one of another subject.
    """
    parts = {path: path[len(root) :].lstrip(os.sep).split(os.sep) for path in paths}
    subjects: set[str] = set()
    while True:
        groups, folders = _grouped(parts, subjects)
        more = {name for (name, _), keys in folders.items() if not _most_have_an_original(keys, groups)}
        if not more:
            break
        subjects |= more
    others: set[str] = set()
    for versions in groups.values():
        if len(versions) > 1 and not versions.keys().isdisjoint(_ORIGINAL):
            chosen = _choose(versions, language)
            others.update(path for code, found in versions.items() if code != chosen for path in found)
    # What a translation has of its own, such as a page for its translators, belongs to it.
    for (_, code), keys in folders.items():
        if code in _ORIGINAL or code[:2] == language:
            continue
        others.update(path for key in keys if len(groups[key]) == 1 for path in groups[key][code])
    return others


def _grouped(parts: Mapping[str, list[str]], subjects: Collection[str]) -> tuple[_Groups, _Folders]:
    """Return the versions of each file, and the files of each folder called by a code of a language."""
    groups: _Groups = {}
    folders: _Folders = {}
    for path, names in parts.items():
        key, code, folder = _version(names, subjects)
        groups.setdefault(key, {}).setdefault(code, []).append(path)
        if folder:
            folders.setdefault((folder, code), []).append(key)
    return groups, folders


def _most_have_an_original(keys: Sequence[_Key], groups: _Groups) -> bool:
    telling = [key for key in keys if not is_introduction(key[1])] or keys
    return 2 * sum(not groups[key].keys().isdisjoint(_ORIGINAL) for key in telling) >= len(telling)


def _choose(versions: Collection[str], language: str) -> str:
    """Return the code of the version to read."""
    own = sorted(code for code in versions if language and code[:2] == language)
    return own[0] if own else next(code for code in _ORIGINAL if code in versions)


def _version(parts: list[str], subjects: Collection[str]) -> tuple[_Key, str, str]:
    """Return what the versions of a file share, its code, and the folder called by the code, if any.

    Folders of ``subjects`` are not called by a language.
    """
    *folders, name = parts
    kept: list[str] = []
    code = inside = ""
    for folder in folders:
        if _is_code(folder) and "/".join([*kept, folder]) not in subjects:
            code, inside = folder, "/".join([*kept, folder])
        elif folder.casefold() not in _HOLDERS:
            kept.append(folder)
    stem, suffix = os.path.splitext(name.casefold())
    for sign in [found.start() for found in _SIGN.finditer(stem)][-2:]:  # "readme.zh-cn" has two
        own = stem[sign + 1 :]
        if _is_code(own) and (stem[sign] == "." or own not in _DOUBTFUL or is_introduction(stem[:sign])):
            stem, code = stem[:sign], own
            break
    return (tuple(kept), stem, suffix), code.casefold().replace("_", "-"), inside


def _is_code(name: str) -> bool:
    found = _CODE.fullmatch(name)
    return found is not None and found[1].casefold() in _CODES
