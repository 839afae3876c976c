"""Finds translations of one file, by codes of languages in the names of files and folders."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    _Key = tuple[tuple[str, ...], str, str]

# ISO 639-1 codes of the languages that courses are translated into, and codes of countries used like them.
_CODE_WORDS = """
    ar az bg bn br ca cn cs da de el en es et eu fa fi fr gl he hi hr hu id it ja jp ka kk ko kr lt lv ml mr
    ms my nb ne nl no pa pcm pl pt ro ru sk sl sr sv sw ta te th tl tr tw ua uk ur uz vi vn zh
"""
_CODES = frozenset(_CODE_WORDS.split())
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_SIGN = re.compile(r"[._-]")
_HOLDERS = frozenset({"i18n", "lang", "languages", "locales", "translated", "translation", "translations"})
_ORIGINAL = ("", "en")


def other_languages(paths: Collection[str], root: str, language: str) -> set[str]:
    """Return the files below ``root`` that another file holds in the user's language, or in the original one.

    Languages are known by codes: "README.es.md", "notes_de.pdf", "de/notes.pdf", "translations/de/notes.pdf".
    A code means a language only where the file in English or without a code is there as well.
    """
    groups: dict[_Key, dict[str, list[str]]] = {}
    folders: dict[tuple[str, str], list[_Key]] = {}  # the files of a folder called by a code
    for path in paths:
        key, code, folder = _version(path[len(root) :].lstrip(os.sep).split(os.sep))
        groups.setdefault(key, {}).setdefault(code, []).append(path)
        if folder:
            folders.setdefault((folder, code), []).append(key)
    others: set[str] = set()
    for versions in groups.values():
        if len(versions) > 1 and not versions.keys().isdisjoint(_ORIGINAL):
            chosen = _choose(versions, language)
            others.update(path for code, found in versions.items() if code != chosen for path in found)
    # What a translation has of its own, such as a page for its translators, belongs to it.
    for (_, code), keys in folders.items():
        if code in _ORIGINAL or code[:2] == language:
            continue
        if 2 * sum(len(groups[key]) > 1 and bool(groups[key].keys() & {*_ORIGINAL}) for key in keys) >= len(
            keys
        ):
            others.update(path for key in keys if len(groups[key]) == 1 for path in groups[key][code])
    return others


def _choose(versions: Collection[str], language: str) -> str:
    """Return the code of the version to read."""
    own = sorted(code for code in versions if language and code[:2] == language)
    return own[0] if own else next(code for code in _ORIGINAL if code in versions)


def _version(parts: list[str]) -> tuple[_Key, str, str]:
    """Return what the versions of a file share, its code, and the folder called by the code, if any."""
    *folders, name = parts
    kept: list[str] = []
    code = inside = ""
    for folder in folders:
        if _is_code(folder):
            code, inside = folder, "/".join([*kept, folder])
        elif folder.casefold() not in _HOLDERS:
            kept.append(folder)
    stem, suffix = os.path.splitext(name.casefold())
    for sign in [found.start() for found in _SIGN.finditer(stem)][-2:]:  # "readme.zh-cn" has two
        if _is_code(stem[sign + 1 :]):
            stem, code = stem[:sign], stem[sign + 1 :]
            break
    return (tuple(kept), stem, suffix), code.casefold().replace("_", "-"), inside


def _is_code(name: str) -> bool:
    found = _CODE.fullmatch(name)
    return found is not None and found[1].casefold() in _CODES
