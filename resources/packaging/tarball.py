"""Packs the program into an archive for any Linux: ``python -m resources.packaging.tarball PROGRAM OUT``.

PROGRAM is the packaged program's folder (``dist/lectern``), OUT the folder for the archive. The archive is
reproducible: names are sorted, owners and times are fixed.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from app import __version__
from resources.packaging.icons import APP_ID
from resources.packaging.linux_parts import (
    ROOT,
    filled,
    glibc_needed,
    require_program,
    source_date,
    write_share,
    write_text,
)


def archive_name() -> str:
    """Return the archive's name without suffix, which is also the name of its top folder."""
    return f"lectern-{__version__}-linux-{platform.machine()}"


def stage(program: Path, folder: Path) -> None:
    """Write to ``folder`` what the archive contains besides the program."""
    glibc = glibc_needed(program)
    write_share(folder / "share")
    write_text(folder / "share" / f"{APP_ID}.desktop", filled(f"{APP_ID}.desktop"))
    write_text(folder / "install.sh", filled("install.sh", GLIBC=glibc))
    (folder / "install.sh").chmod(0o755)
    write_text(folder / "README.txt", filled("README.txt", GLIBC=glibc))
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE.txt")


def pack(program: Path, out: Path) -> Path:
    """Write the archive and return its path."""
    target = out / f"{archive_name()}.tar.xz"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, target.open("wb") as file:
        folder = Path(temporary)
        stage(program, folder)
        # Not Python's lzma, which uses one processor only.
        with subprocess.Popen(
            ["xz", "--threads=0", "-6", "--stdout"], stdin=subprocess.PIPE, stdout=file
        ) as press:
            assert press.stdin is not None
            with tarfile.open(fileobj=press.stdin, mode="w|", format=tarfile.GNU_FORMAT) as archive:
                _add(archive, folder, archive_name())
                _add(archive, program.resolve(), f"{archive_name()}/lectern")
            press.stdin.close()
        if press.returncode:
            message = f"xz ended with {press.returncode}"
            raise OSError(message)
    return target


def _add(archive: tarfile.TarFile, path: Path, name: str) -> None:
    """Add a file, a link, or a folder with its content sorted by name."""
    entry = archive.gettarinfo(str(path), name)
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = source_date()
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    if not entry.isreg():
        archive.addfile(entry)
    else:
        with path.open("rb") as file:
            archive.addfile(entry, file)
    if entry.isdir():
        for child in sorted(path.iterdir()):
            _add(archive, child, f"{name}/{child.name}")


def main() -> None:
    if not shutil.which("xz"):
        sys.exit("xz is not installed: apt install xz-utils")
    program, out = Path(sys.argv[1]), Path(sys.argv[2])
    require_program(program)
    sys.stdout.write(f"{pack(program, out)}\n")


if __name__ == "__main__":
    main()
