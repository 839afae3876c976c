"""Builds the Debian package: ``python -m resources.packaging.deb PROGRAM OUT``; needs dpkg-dev.

PROGRAM is the packaged program's folder (``dist/lectern``), OUT the folder for the package. The build is
reproducible: dpkg-deb sorts the files, root owns them, and their times are those of the source.
dpkg-shlibdeps finds the dependencies in the program's files.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from app import __version__
from resources.packaging.icons import APP_ID
from resources.packaging.licences import debian_packages
from resources.packaging.linux_parts import (
    elf_files,
    filled,
    require_program,
    source_date,
    write_share,
    write_text,
)

_MAINTAINER = "The Lectern authors <lectern@localhost.invalid>"
# Unknown to dpkg-shlibdeps: data that bundled libraries read from the system.
_DATA = ("fontconfig-config", "xkb-data")
_RECOMMENDS = "ca-certificates, xdg-utils"
_SUGGESTS = "gnome-keyring | kwalletmanager"
_NEEDED = re.compile(r"\(NEEDED\)\s+Shared library: \[([^\]]+)\]")
_COMPRESSION = "-Zxz"
_TOOLS = ("dpkg-deb", "dpkg-shlibdeps", "readelf")


def build(program: Path, out: Path) -> Path:
    """Write the package and return its path."""
    from_system = _packages_of(_not_inside(elf_files(program)))  # before what takes minutes
    out.mkdir(parents=True, exist_ok=True)
    architecture = _run(["dpkg", "--print-architecture"]).strip()
    target = out / f"lectern_{__version__}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        _lay_out(program, root)
        (root / "DEBIAN").mkdir()
        write_text(root / "DEBIAN" / "control", _control(root, architecture, from_system))
        write_text(root / "DEBIAN" / "md5sums", _md5sums(root))
        _normalise(root)
        _run(["dpkg-deb", "--root-owner-group", _COMPRESSION, "--build", str(root), str(target)])
    return target


def _lay_out(program: Path, root: Path) -> None:
    usr = root / "usr"
    shutil.copytree(program, usr / "lib" / "lectern", symlinks=True)
    (usr / "bin").mkdir()
    (usr / "bin" / "lectern").symlink_to("../lib/lectern/lectern")
    write_share(usr / "share")
    write_text(usr / "share" / "applications" / f"{APP_ID}.desktop", filled(f"{APP_ID}.desktop"))
    documents = usr / "share" / "doc" / "lectern"
    write_text(documents / "copyright", filled("copyright"))
    _write_gzip(documents / "changelog.gz", _changelog())
    _write_gzip(usr / "share" / "man" / "man1" / "lectern.1.gz", filled("lectern.1"))
    write_text(usr / "share" / "lintian" / "overrides" / "lectern", filled("lintian-overrides"))


def _control(root: Path, architecture: str, from_system: set[str]) -> str:
    """Return the control file; ``Installed-Size`` is in KiB, where a folder counts as one."""
    entries = [one for one in root.rglob("*") if "DEBIAN" not in one.parts]
    size = sum(-(-one.lstat().st_size // 1024) if one.is_file() else 1 for one in entries)
    needed = [*_needed_libraries(root, from_system), *_DATA]
    return f"""Package: lectern
Version: {__version__}
Architecture: {architecture}
Maintainer: {_MAINTAINER}
Installed-Size: {size}
Depends: {", ".join(sorted(needed))}
Recommends: {_RECOMMENDS}
Suggests: {_SUGGESTS}
Section: education
Priority: optional
Description: ask your course material in plain words
 Lectern reads a folder of lectures, slides, readings and notes, finds the
 passages that answer a question, and shows for every claim the sentence it
 came from.
 .
 Files, index and conversations stay on the computer. With a key for a model
 server it writes answers; without one the answer is the best passages. Sample
 courses and the model that finds passages are inside, so it works without a
 network.
"""


def _needed_libraries(root: Path, from_system: set[str]) -> list[str]:
    """Return the dependencies on packages of the system, with their versions."""
    files = elf_files(root)
    with tempfile.TemporaryDirectory() as temporary:
        # dpkg-shlibdeps expects a source package.
        write_text(
            Path(temporary, "debian", "control"), "Source: lectern\n\nPackage: lectern\nArchitecture: any\n"
        )
        places = sorted({f"-l{file.parent}" for file in files if ".so" in file.name})
        listed = _run(
            ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *places, *map(str, files)], folder=temporary
        )
    # It also lists the packages of the bundled libraries.
    dependencies = listed.strip().partition("=")[2].split(", ")
    return [one for one in dependencies if one.partition(" ")[0] in from_system]


def _not_inside(files: list[Path]) -> set[str]:
    """Return the names of the libraries that the files need and that are not among them."""
    read = _run(["readelf", "--dynamic", "--wide", *map(str, files)])
    return set(_NEEDED.findall(read)) - {file.name for file in files}


def _packages_of(libraries: set[str]) -> set[str]:
    """Return the packages that contain these libraries on this system."""
    found: dict[str, str] = {}
    for line in _run(["/sbin/ldconfig", "-p"]).splitlines():
        name, _, path = line.strip().partition(" => ")
        if name.partition(" ")[0] in libraries and path:
            found.setdefault(name.partition(" ")[0], os.path.realpath(path))
    missing = libraries - found.keys()
    if missing:
        sys.exit(
            f"The program needs {', '.join(sorted(missing))}, which this computer does not have: install it, "
            "then build the package again."
        )
    return {debian_packages([path]).get(path, "") for path in found.values()}


def _md5sums(root: Path) -> str:
    files = sorted(one for one in (root / "usr").rglob("*") if one.is_file() and not one.is_symlink())
    lines = [
        f"{hashlib.md5(one.read_bytes(), usedforsecurity=False).hexdigest()}  {one.relative_to(root)}"
        for one in files
    ]
    return "\n".join(lines) + "\n"


def _changelog() -> str:
    when = datetime.fromtimestamp(source_date(), UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    return (
        f"lectern ({__version__}) stable; urgency=medium\n\n"
        f"  * Lectern {__version__}; its own list of changes is docs/CHANGELOG.md.\n\n"
        f" -- {_MAINTAINER}  {when}\n"
    )


def _write_gzip(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))


def _normalise(root: Path) -> None:
    """Set the modes that Debian expects; only the program itself is executable."""
    program = root / "usr" / "lib" / "lectern" / "lectern"
    root.chmod(0o755)
    for one in root.rglob("*"):
        if not one.is_symlink():
            one.chmod(0o755 if one.is_dir() or one == program else 0o644)


def _run(command: list[str], folder: str | None = None) -> str:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(source_date())}  # read by dpkg-deb
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.splitlines()
        sys.exit("\n".join([f"{command[0]} failed:", *(line for line in lines if "warning:" not in line)]))
    return done.stdout


def main() -> None:
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        sys.exit(f"{', '.join(missing)}: not installed. Build the package on Debian or Ubuntu with dpkg-dev.")
    program, out = Path(sys.argv[1]), Path(sys.argv[2])
    require_program(program)
    sys.stdout.write(f"{build(program, out)}\n")


if __name__ == "__main__":
    main()
