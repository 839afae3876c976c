"""Reports the size and the start times of the packaged program: ``make package-report``.

``python -m resources.packaging.report [PROGRAM] [--no-start] [--no-compress]`` prints Markdown tables and
exits with status 1 if a budget is exceeded.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from datetime import datetime
from pathlib import Path

PAINTED, READY = "The window is painted", "Ready for questions"  # in the log
ROUNDS = 5
LARGEST = 20
BUDGET = {"on disk": 700, "compressed": 245}
"""Megabytes (1,000,000 bytes)."""
START_BUDGET = {PAINTED: 1.5, READY: 2.5}
"""Seconds of a warm start; median of the rounds."""

_MB = 1_000_000
_PATIENCE = 120.0  # seconds for one start
_TIME = "%Y-%m-%d %H:%M:%S,%f"  # the format of logging
# The folder of libraries is reported by library, everything else by file.
_DEPTH = 1


class StartFailedError(Exception):
    """The program did not become ready."""


def sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of each part of ``folder``, largest first, without links."""
    parts: dict[str, int] = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            names = path.relative_to(folder).parts
            inside = names[1:] if names[0] == "_internal" else names
            part = "/".join(inside[: 3 if inside[0] == "PySide6" else _DEPTH + 1])
            parts[part] = parts.get(part, 0) + path.stat().st_size
    return dict(sorted(parts.items(), key=lambda item: -item[1]))


def compressed(folder: Path) -> int:
    """Return the bytes of the folder as .tar.xz."""
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "program.tar.xz"
        with tarfile.open(target, "w:xz", preset=6) as archive:
            archive.add(folder, folder.name)
        return target.stat().st_size


def start_times(program: Path) -> dict[str, float]:
    """Return the median seconds until the window is painted and until questions can be asked.

    The library contains the sample courses. The first start, which fills the file cache, does not count.

    Raises:
        StartFailedError: the program ended early or took too long.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        samples = program.parent / "_internal" / "docs" / "courses"
        subprocess.run(
            [program, "--data-dir", folder / "data", "ingest", samples],
            check=True,
            env=_environment(folder),
            capture_output=True,
        )
        rounds = [_start_once(program, folder) for _ in range(ROUNDS + 1)][1:]
    return {step: statistics.median(each[step] for each in rounds) for step in START_BUDGET}


def _start_once(program: Path, folder: Path) -> dict[str, float]:
    log = folder / "log" / "lectern.log"
    log.unlink(missing_ok=True)
    began = time.time()
    with subprocess.Popen([program, "--data-dir", folder / "data"], env=_environment(folder)) as process:
        while not log.exists() or READY not in log.read_text(encoding="utf-8"):
            if process.poll() is not None or time.time() - began > _PATIENCE:
                process.kill()
                message = log.read_text(encoding="utf-8") if log.exists() else "it wrote no log"
                raise StartFailedError(message)
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGINT)
    lines = log.read_text(encoding="utf-8").splitlines()
    found = {step: next(line for line in lines if step in line) for step in START_BUDGET}
    return {step: datetime.strptime(line[:23], _TIME).timestamp() - began for step, line in found.items()}


def _environment(folder: Path) -> dict[str, str]:
    return {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        **os.environ,
        "LECTERN_CONFIG_DIR": str(folder / "config"),
        "LECTERN_CACHE_DIR": str(folder),
    }


def main() -> int:
    """Print the report; return the exit code."""
    parser = argparse.ArgumentParser(description="Sizes and start times of the packaged program.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("dist") / "lectern", metavar="PROGRAM")
    parser.add_argument("--no-start", action="store_true", help="do not start it")
    parser.add_argument("--no-compress", action="store_true", help="do not compress it, which takes minutes")
    options = parser.parse_args()
    folder: Path = options.folder.absolute()
    parts = sizes(folder)
    rows: list[tuple[str, float, float, str]] = [
        ("on disk", sum(parts.values()) / _MB, BUDGET["on disk"], "MB")
    ]
    if not options.no_compress:
        rows.append(("compressed (.tar.xz)", compressed(folder) / _MB, BUDGET["compressed"], "MB"))
    if not options.no_start:
        name = "lectern.exe" if sys.platform == "win32" else "lectern"
        rows += [
            (step, seconds, START_BUDGET[step], "s") for step, seconds in start_times(folder / name).items()
        ]
    write = sys.stdout.write
    write(f"{platform.system()} {platform.machine()}\n\n| what | measured | budget |\n|---|---|---|\n")
    for what, measured, budget, unit in rows:
        digits = 0 if unit == "MB" else 2
        write(f"| {what} | {measured:.{digits}f} {unit} | ≤ {budget} {unit} |\n")
    write("\n| largest parts | MB |\n|---|---|\n")
    for part, size in list(parts.items())[:LARGEST]:
        write(f"| {part} | {size / _MB:.1f} |\n")
    return int(any(measured > budget for _, measured, budget, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
