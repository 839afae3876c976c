"""What is installed is recorded for every system, and may be passed on."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from resources.packaging.licences import is_allowed, licence_name
from resources.packaging.lock import LEFT_OUT

if TYPE_CHECKING:
    from packaging.markers import Marker

PROJECT = Path(__file__).parents[2]
PINS = PROJECT / "constraints.txt"
TORCH = PROJECT / "resources" / "packaging" / "torch.txt"
CUDA = PROJECT / "resources" / "packaging" / "torch-cuda.txt"
PYTHON = {
    "python_version": "3.11",
    "python_full_version": "3.11.9",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "extra": "",
}
SYSTEMS = {
    "Linux": {"sys_platform": "linux", "os_name": "posix", "platform_machine": "x86_64"},
    "Windows": {"sys_platform": "win32", "os_name": "nt", "platform_machine": "AMD64"},
    "Darwin": {"sys_platform": "darwin", "os_name": "posix", "platform_machine": "arm64"},
}
# Not installed on every system, so that their metadata may not be at hand.
ELSEWHERE = {
    "colorama": "BSD-3-Clause",
    "fasttext-predict-v2": "MIT, with Python 3.14 only",
    "httpx2-jsfetch": "in a browser only",
    "jeepney": "MIT",
    "macholib": "MIT",
    "pefile": "MIT",
    "pywin32": "PSF-2.0",
    "pywin32-ctypes": "BSD-3-Clause",
    "secretstorage": "BSD-3-Clause",
    "uvloop": "MIT",
}


def pins(*files: Path) -> list[tuple[Requirement, int]]:
    """Return the pinned requirements, each with the number of files that it may be."""
    entries = re.findall(
        r"^(\w[^\\\n]*)((?: \\\n +--hash=sha256:[0-9a-f]{64})*)$",
        "\n".join(file.read_text(encoding="utf-8") for file in files),
        re.MULTILINE,
    )
    return [(Requirement(line), hashes.count("--hash=")) for line, hashes in entries]


def applies(marker: Marker | None, system: str, extra: str = "") -> bool:
    surroundings = {**PYTHON, **SYSTEMS[system], "platform_system": system, "extra": extra}
    return marker is None or marker.evaluate(surroundings)


def test_every_pin_has_a_version_and_checksums_and_names_no_host() -> None:
    for file in (PINS, TORCH, CUDA):
        assert "//" not in file.read_text(encoding="utf-8")
        lines = file.read_text(encoding="utf-8").splitlines()
        found = pins(file)
        assert len(found) == sum(not line.startswith((" ", "#")) for line in lines)
        for requirement, hashes in found:
            assert [one.operator for one in requirement.specifier] == ["=="], requirement
            assert hashes, requirement


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_that_is_needed_is_pinned(system: str) -> None:
    chosen = {
        canonicalize_name(one.name): next(iter(one.specifier)).version
        for one, _ in pins(PINS, TORCH)
        if applies(one.marker, system)
    }
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [
        *settings["dependencies"],
        *settings["optional-dependencies"]["dev"],
        *tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"],
    ]
    waiting, seen = [Requirement(one) for one in asked], set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in LEFT_OUT:
            assert name not in chosen
            continue
        assert name in chosen, f"{wanted} is not pinned"
        assert wanted.specifier.contains(chosen[name], prereleases=True), f"{wanted}, pinned {chosen[name]}"
        for extra in ("", *wanted.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            try:
                needs = importlib.metadata.requires(name) or []
            except importlib.metadata.PackageNotFoundError:
                assert name in ELSEWHERE, f"{name} is not installed"
                continue
            waiting += [one for one in map(Requirement, needs) if applies(one.marker, system, extra)]
    assert len(seen) > 100


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions of Python may need others")
def test_what_is_installed_is_what_is_pinned() -> None:
    for requirement, _ in pins(PINS):
        if requirement.marker is None or requirement.marker.evaluate():
            version = importlib.metadata.version(requirement.name)
            assert requirement.specifier.contains(version, prereleases=True), (requirement, version)


def test_every_licence_is_known_and_allowed() -> None:
    """NVIDIA's libraries in torch-cuda.txt are under its own terms; Lectern passes none of them on."""
    unknown = []
    for requirement, _ in pins(PINS, TORCH):
        try:
            installed = importlib.metadata.distribution(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            if canonicalize_name(requirement.name) not in ELSEWHERE:
                unknown.append(f"{requirement.name}: not installed")
            continue
        if not is_allowed(installed):
            unknown.append(f"{requirement.name}: {licence_name(installed.metadata)}")
    assert not unknown


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("LGPL-3.0-only OR GPL-3.0-only", True),
        ("GPL-3.0-or-later", False),
        ("MIT AND GPL-3.0-only", False),
        ("Any Good Licence 1.0", False),
        ("", False),
    ],
)
def test_an_unknown_licence_is_not_allowed(tmp_path: Path, licence: str, allowed: bool) -> None:
    metadata = f"Metadata-Version: 2.4\nName: thing\nVersion: 1\nLicense-Expression: {licence}\n"
    (tmp_path / "METADATA").write_text(metadata, encoding="utf-8")
    assert is_allowed(importlib.metadata.Distribution.at(tmp_path)) == allowed
