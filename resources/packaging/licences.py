"""Collects the licences of everything inside the packaged program into one text.

``build.spec`` calls :func:`write_licences` with the files that PyInstaller puts into the package. Each file
is traced to the installed distribution, to Python, or to the Debian package of a system library that it came
from; their licence texts are used. ``texts/`` provides the general text for wheels without their own.
A file of unknown origin, or one that must not be distributed under these terms, stops the build.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from app import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

_TEXTS = Path(__file__).parent / "texts"
_ROOT = Path(__file__).resolve().parents[2]
_LICENCE_FILE = re.compile(r"licen[cs]e|copying|notice|third.?party|copyright", re.IGNORECASE)
_NO_TEXT = (".py", ".pyc", ".pyi", ".h", ".json", ".so", ".pyd", ".dll")
# Available only under the GPL, which would then apply to the whole package.
_MUST_NOT = re.compile(
    r"VirtualKeyboard|libreadline|readline\.cpython|QtCharts|QtDataVisualization|libx26[45]", re.IGNORECASE
)
# Wheels without a licence file → the general text that their metadata names.
_GENERAL_TEXTS = {
    "pyside6-addons": ("LGPL-3.0", "GPL-3.0", "LGPL-2.1"),
    "pyside6-essentials": ("LGPL-3.0", "GPL-3.0"),
    "shiboken6": ("LGPL-3.0", "GPL-3.0"),
    "sentencepiece": ("Apache-2.0",),
    "tokenizers": ("Apache-2.0",),
    "flatbuffers": ("Apache-2.0",),
    "latex2mathml": ("latex2mathml",),
    "ctranslate2": ("ctranslate2", "Intel-Simplified"),
}
# Those that allow Lectern to be passed on as it is, by their names in SPDX.
_ALLOWED = {
    *("0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0"),
    *("CC0-1.0", "CNRI-Python", "ISC", "LGPL-3.0-only", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0"),
    "Zlib",
}
_SPELLINGS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache License Version 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD License": "BSD-3-Clause",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "MIT, BSD": "MIT AND BSD-3-Clause",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "OSI Approved :: Apache Software License": "Apache-2.0",
}
_WITHOUT_BILL = {
    "xllamacpp": ("llama.cpp and ggml, copyright 2023-2026 The ggml authors (MIT)",),
    "ctranslate2": (
        *("cpu_features (Apache-2.0)", "half_float (MIT)", "oneDNN (Apache-2.0)", "pybind11 (BSD-3-Clause)"),
        *("spdlog (MIT)", "Thrust and CUB, in builds for NVIDIA cards (Apache-2.0, BSD-3-Clause)"),
        "CUDA Runtime, in builds for NVIDIA cards (NVIDIA CUDA Toolkit EULA)",
        "oneAPI Math Kernel Library, in builds for x86_64 (Intel Simplified Software License)",
    ),
}
_BY_TEXT = {"resvg_py": "MIT"}  # what the text says where the metadata says nothing
_EXCEPTIONS = {
    "pyinstaller": "GPL, with an exception for the programs that it makes",
    "pyinstaller-hooks-contrib": "GPL; what it puts into a program is under Apache-2.0",
}
_QT = """\
Lectern uses Qt and its Python bindings PySide6 and Shiboken under the GNU Lesser General Public
License, version 3 (texts below). They are unmodified and are not part of Lectern's own program file,
but shared libraries in the folders PySide6 and shiboken6. You may replace them with your own versions
that have the same interface, and you may modify and reverse engineer Lectern to debug such changes.
The source of Qt and of PySide6 is published by The Qt Company at
https://download.qt.io and https://code.qt.io; what Qt itself contains (FreeType, HarfBuzz, PCRE2,
libpng, libjpeg-turbo, zlib, md4c and others) is listed at
https://doc.qt.io/qt-6/licenses-used-in-qt.html. Portions of this software are copyright The FreeType
Project (www.freetype.org). All rights reserved."""
_FFMPEG = """\
To play and to hear recordings, Lectern uses FFmpeg as it comes with PySide6: unmodified shared libraries
(libavcodec, libavformat, libavutil, libswresample, libswscale) in the same folders, under the GNU Lesser
General Public License, version 2.1 or later (text below). You may replace them in the same way. Their source
is published at https://ffmpeg.org and, as The Qt Company builds it, at https://download.qt.io."""
_MODEL = """\
The embedding model all-MiniLM-L6-v2 was published by the sentence-transformers project under the
Apache License, version 2.0 (text below). Lectern ships it in another file format, computed from the
published weights, with pooling and normalisation added."""
_RECOGNITION = """\
The models PP-OCRv6_det_small and PP-OCRv6_rec_small, which recognise text in scanned pages, were published
by the PaddleOCR project and are copyright of Baidu, under the Apache License, version 2.0 (text below).
Lectern ships them in another file format, computed from the weights in the package rapidocr."""
_VOICES = """\
The network silero_vad, which tells in recordings when somebody speaks, was published by the Silero Team under
the MIT License (text below). Lectern ships it in another file format, computed from the published weights.
Models that write down what is said are downloaded only when somebody asks for them."""
_LANGUAGES = """\
The model lid.176.ftz, which tells languages apart, was published by the fastText project
(https://fasttext.cc/docs/en/language-identification.html) under the Creative Commons
Attribution-ShareAlike License 3.0 (https://creativecommons.org/licenses/by-sa/3.0/). It is unmodified."""
_SQLITE = "SQLite is in the public domain (https://sqlite.org/copyright.html)."


class UnknownOriginError(Exception):
    """A file in the package has no known licence, or must not be in the package."""


@dataclass
class Component:
    """A piece of software in the package.

    Attributes:
        licence: as named in its metadata.
        texts: the licence texts, in full.
        parts: compiled into it, each as "name version (licence)".
    """

    name: str
    version: str
    licence: str
    texts: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)


def write_licences(target: Path, sources: Iterable[str]) -> None:
    """Write the licence text of a package.

    Args:
        target: file to write, in UTF-8.
        sources: the original path of each file in the package.

    Raises:
        UnknownOriginError: lists the files with the reason for each.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(render(components(sources)), encoding="utf-8", newline="\n")


def components(sources: Iterable[str]) -> list[Component]:
    """Return what the files belong to, sorted by name, without Lectern itself."""
    owners = _owners()
    found: dict[str, Component] = {}
    system: list[str] = []
    bad: list[str] = []
    for source in sorted({os.path.realpath(one) for one in sources if one and one != "-"}):
        if _MUST_NOT.search(PurePath(source).name):
            bad.append(f"{source}: may be distributed under the GPL only")
        elif source in owners:
            name = owners[source].name
            if name.lower() != "lectern" and name not in found:
                found[name] = of_distribution(owners[source])
        elif Path(source).is_relative_to(_ROOT) and ".venv" not in source:
            continue
        elif Path(source).is_relative_to(os.path.realpath(sys.base_prefix)) and not source.startswith(
            "/usr/lib/"
        ):
            continue  # Python itself is always listed
        else:
            system.append(source)
    # The program file starts with PyInstaller's loader.
    found["pyinstaller"] = of_distribution(importlib.metadata.distribution("pyinstaller"))
    listed = [_python(), *found.values()]
    packages = debian_packages(system)
    bad += [f"{file}: of unknown origin" for file in system if file not in packages]
    # Debian's Python is already listed as Python.
    listed += [
        _of_debian(one) for one in set(packages.values()) if not one.startswith(("python3", "libpython3"))
    ]
    if bad:
        raise UnknownOriginError("\n".join(bad))
    return sorted(listed, key=lambda one: one.name.lower())


def of_distribution(distribution: importlib.metadata.Distribution) -> Component:
    """Return an installed distribution with its licence texts.

    Raises:
        UnknownOriginError: it has no licence text, none is known for it, or its licence is not allowed.
    """
    if not is_allowed(distribution):
        message = f"{distribution.name}: its licence is not known to be allowed"
        raise UnknownOriginError(message)
    metadata = distribution.metadata
    files = [file for file in distribution.files or [] if _is_licence(PurePath(file))]
    texts = [Path(str(file.locate())).read_text(encoding="utf-8", errors="replace") for file in files]
    texts += [_general(name) for name in _GENERAL_TEXTS.get(distribution.name.lower().replace("_", "-"), ())]
    if not texts:
        message = f"{distribution.name}: no licence text among its files"
        raise UnknownOriginError(message)
    return Component(
        distribution.name, distribution.version, licence_name(metadata), texts, _parts(distribution)
    )


def is_allowed(distribution: importlib.metadata.Distribution) -> bool:
    """Whether the licence of a distribution is known and allows passing Lectern on as it is."""
    licence = licence_name(distribution.metadata)
    every = _SPELLINGS.get(licence, licence).split(" AND ")
    allowed = all(any(one in _ALLOWED for one in part.strip("()").split(" OR ")) for part in every)
    return allowed or distribution.name.lower() in _EXCEPTIONS


def render(found: list[Component]) -> str:
    """Return the text for users, with equal licence texts printed once."""
    numbers: dict[str, int] = {}
    texts: list[str] = []
    lines = [f"Lectern {__version__} is under the MIT licence. It includes this third-party software:", ""]
    for component in found:
        own = []
        for text in component.texts:
            clean = "\n".join(line.rstrip() for line in text.strip().splitlines())
            key = " ".join(clean.split())
            if key not in numbers:
                numbers[key] = len(texts) + 1
                texts.append(clean)
            own.append(numbers[key])
        where = ", ".join(str(number) for number in dict.fromkeys(own))
        lines.append(f"{component.name} {component.version}".rstrip() + f": {component.licence} [{where}]")
        if component.parts:
            contained = textwrap.wrap(f"contains {', '.join(component.parts)}", 92, break_on_hyphens=False)
            lines += [f"    {line}" for line in contained]
    texts.append(_general("silero-vad").strip())
    lines.append(f"silero_vad (the network that finds speech): MIT [{len(texts)}]")
    apache = " ".join(_general("Apache-2.0").split())
    if apache not in numbers:
        numbers[apache] = len(texts) + 1
        texts.append(_general("Apache-2.0").strip())
    lines.append(f"all-MiniLM-L6-v2 (the embedding model): Apache-2.0 [{numbers[apache]}]")
    lines += [
        "SQLite: public domain",
        "",
        _QT,
        "",
        _FFMPEG,
        "",
        _MODEL,
        "",
        _RECOGNITION,
        "",
        _VOICES,
        "",
        _LANGUAGES,
        "",
        _SQLITE,
    ]
    for number, text in enumerate(texts, 1):
        lines += ["", "", f"[{number}] " + "=" * 60, "", text]
    return "\n".join(lines) + "\n"


def debian_packages(files: Iterable[str]) -> dict[str, str]:
    """Return the Debian package of each system file; files that belong to none are left out."""
    # Systems with a merged /usr have a library in /usr/lib, but may record it in /lib.
    names = {name: file for file in files for name in (file, file.removeprefix("/usr"))}
    owned: dict[str, str] = {}
    if names and shutil.which("dpkg"):
        asked = subprocess.run(["dpkg", "-S", *names], capture_output=True, text=True, check=False)
        for line in asked.stdout.splitlines():
            packages, _, name = line.partition(": ")
            if name in names:
                owned[names[name]] = packages.partition(",")[0].partition(":")[0]
    return owned


def _owners() -> dict[str, importlib.metadata.Distribution]:
    """Return the distribution of each installed file, by its real path."""
    owners = {}
    for distribution in importlib.metadata.distributions():
        # Resolving each of 100,000 files on disk would take half a minute.
        base = os.path.realpath(str(distribution.locate_file("")))
        for file in distribution.files or []:
            owners[os.path.normpath(os.path.join(base, file))] = distribution
    return owners


def _is_licence(file: PurePath) -> bool:
    in_metadata = any(part.endswith(".dist-info") for part in file.parts) and "licenses" in file.parts
    named = _LICENCE_FILE.search(file.name) is not None
    return (in_metadata or named) and file.suffix.lower() not in _NO_TEXT


def licence_name(metadata: importlib.metadata.PackageMetadata) -> str:
    """Return the name of a licence as the metadata of a distribution has it."""
    expression = next(iter(metadata.get_all("License-Expression") or []), "")
    first_line = next(iter(metadata.get_all("License") or []), "").strip().partition("\n")[0]
    classifiers = [
        one.rpartition(" :: ")[2]
        for one in metadata.get_all("Classifier") or []
        if one.startswith("License ::")
    ]
    # Some packages put the whole licence in the field for its name.
    short = first_line if len(first_line) <= 200 and "copyright" not in first_line.lower() else ""
    return expression or short or ", ".join(classifiers) or _BY_TEXT.get(metadata["Name"], "see its text")


def _parts(distribution: importlib.metadata.Distribution) -> list[str]:
    """Return what is compiled into it according to its bills of materials."""
    parts = set(_WITHOUT_BILL.get(distribution.name, ()))
    for file in distribution.files or []:
        if "sboms" not in file.parts or file.suffix != ".json":
            continue
        bill = json.loads(Path(str(file.locate())).read_text(encoding="utf-8"))
        for part in bill.get("components", []):
            named = [
                one.get("expression")
                or one.get("license", {}).get("id")
                or one.get("license", {}).get("name", "")
                for one in part.get("licenses") or []
            ]
            licence = f" ({', '.join(filter(None, named))})" if any(named) else ""
            if part["name"].lower() != distribution.name.lower():
                parts.add(f"{part['name']} {part.get('version', '')}".rstrip() + licence)
    return sorted(parts)


def _python() -> Component:
    version = ".".join(str(number) for number in sys.version_info[:3])
    folders = (Path(sys.base_prefix), Path(os.__file__).parent)
    own = [folder / "LICENSE.txt" for folder in folders if (folder / "LICENSE.txt").is_file()]
    text = own[0].read_text(encoding="utf-8", errors="replace") if own else _general("Python")
    return Component("Python", version, "PSF-2.0", [text])


def _of_debian(package: str) -> Component:
    asked = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True
    )
    text = Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8", errors="replace")
    return Component(package, asked.stdout, "see its text", [text])


def _general(name: str) -> str:
    return (_TEXTS / f"{name}.txt").read_text(encoding="utf-8")
