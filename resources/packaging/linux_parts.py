"""What the archive and the Debian package share: menu entry, metainfo, icons and dates."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from app import __version__
from resources.packaging.icons import APP_ID, make_hicolor

LINUX = Path(__file__).parent / "linux"
ROOT = Path(__file__).resolve().parents[2]
_ELF = b"\x7fELF"
_GLIBC = re.compile(r"\(GLIBC_(\d+)\.(\d+)(?:\.\d+)?\)|Name: GLIBC_(\d+)\.(\d+)")


@lru_cache(maxsize=1)
def source_date() -> int:
    """Return ``SOURCE_DATE_EPOCH`` or the time of the last commit, the only time used in a build.

    Cached, since a commit may be made during a build.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    asked = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(asked.stdout)


def elf_files(folder: Path) -> list[Path]:
    """Return the programs and shared libraries in ``folder``, without links."""
    files = sorted(one for one in folder.rglob("*") if one.is_file() and not one.is_symlink())
    return [one for one in files if _starts_as_elf(one)]


def glibc_needed(folder: Path) -> str:
    """Return the oldest glibc version that runs the files in ``folder``, such as ``"2.34"``."""
    files = elf_files(folder)
    if not files:
        return "of any version"
    asked = subprocess.run(
        ["readelf", "--version-info", "--wide", *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
    )
    found = [[int(part) for part in match.groups() if part] for match in _GLIBC.finditer(asked.stdout)]
    return ".".join(str(part) for part in max(found, default=[0, 0]))


def filled(name: str, **more: str) -> str:
    """Return a file of ``linux/`` with its ``@NAME@`` placeholders filled in."""
    date = datetime.fromtimestamp(source_date(), UTC).strftime("%Y-%m-%d")
    values = {"VERSION": __version__, "DATE": date, "MACHINE": platform.machine(), **more}
    text = (LINUX / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def write_text(path: Path, text: str) -> None:
    """Write a file and create its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def write_share(share: Path) -> None:
    """Write the icons and the metainfo to a ``share`` folder."""
    write_text(share / "metainfo" / f"{APP_ID}.metainfo.xml", filled(f"{APP_ID}.metainfo.xml"))
    make_hicolor(share / "icons")


def require_program(folder: Path) -> None:
    """Exit with an error unless ``folder`` contains the packaged program."""
    if not (folder / "lectern").is_file():
        sys.exit(f"{folder} contains no packaged program. Run “make package” first.")


def _starts_as_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == _ELF
