"""After a power cut, everything that was acknowledged is there and nothing is there by halves.

``python -m tests.tools.drills.power_cuts [--rounds N] [--seed S]``. As root on Linux, the library lies on an
ext4 file system of its own on a loop device, which is shut down without flushing while a process changes the
library: what the system had not yet written is lost, as in a power cut. Elsewhere only the process is killed
and the part of SQLite's log is damaged that no acknowledged change depends on. Neither imitates a disk that
reorders or drops what it has acknowledged.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from app.core.storage.database import LIBRARY_FILE
from tests.tools.drills.busy import BusyLibrary
from tests.tools.drills.drill import run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.tools.drills.busy import BusyProcess
    from tests.tools.drills.drill import Drill

KINDS: tuple[tuple[str, float], ...] = (
    ("replace", 3.0),
    ("read", 2.0),
    ("remove", 1.0),
    ("export", 2.0),
    ("index", 1.5),
    ("settings", 0.5),
    ("empty", 0.8),
    ("import", 2.0),
    ("reindex", 3.0),
)
"""What the process does, and within how many seconds the power fails."""

_FLUSHED_BY_ACKNOWLEDGEMENT = ("export", "settings")  # outside SQLite, so nothing to replay
_SIZE = 2 << 30  # bytes of the file system; a sparse file
_SHUT_DOWN, _WITHOUT_FLUSHING = 0x8004587D, 2  # EXT4_IOC_SHUTDOWN, EXT4_GOING_FLAGS_NOLOGFLUSH
_FRAME_HEADER, _LOG_HEADER = 24, 32  # bytes in SQLite's write-ahead log


class LoopDevice(AbstractContextManager["LoopDevice"]):
    """An ext4 file system in a file, mounted at ``place``."""

    means = "ext4 on a loop device, shut down without flushing"

    def __init__(self, image: Path, place: Path) -> None:
        self._image, self.place = image, place
        place.mkdir()
        with image.open("wb") as file:
            file.truncate(_SIZE)
        _run("mkfs.ext4", "-q", "-F", str(image))
        self._mount()

    @staticmethod
    def missing() -> str:
        """Return what this system lacks for it; empty if it can be used."""
        if sys.platform != "linux":
            return "no ext4 on a loop device here"
        if os.geteuid() != 0:
            return "loop devices need root"
        if not os.path.exists("/dev/loop-control") or shutil.which("mkfs.ext4") is None:
            return "no loop devices or no mkfs.ext4"
        return ""

    def cut(self, process: BusyProcess, _drill: Drill) -> None:
        """Drop everything that is not on the disk, end the process, and mount what is."""
        import fcntl  # not on Windows

        place = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(place, _SHUT_DOWN, struct.pack("I", _WITHOUT_FLUSHING))
        finally:
            os.close(place)
        process.kill()
        self._unmount()
        self._mount()

    def __exit__(self, *_: object) -> None:
        self._unmount()

    def _mount(self) -> None:
        _run("mount", "-o", "loop", str(self._image), str(self.place))

    def _unmount(self) -> None:
        for _ in range(50):  # the last files of an ended process may still be being closed
            if subprocess.run(["umount", str(self.place)], capture_output=True, check=False).returncode == 0:
                return
            time.sleep(0.1)
        _run("umount", str(self.place))


class Replay(AbstractContextManager["Replay"]):
    """Damages what of SQLite's log was not acknowledged, as if it had not reached the disk."""

    means = "unacknowledged part of SQLite's log lost"

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir()

    def cut(self, process: BusyProcess, drill: Drill) -> None:
        process.kill()
        log = self.place / "data" / f"{LIBRARY_FILE}-wal"
        if not log.exists() or log.stat().st_size <= _LOG_HEADER:
            return
        content = bytearray(log.read_bytes())
        salt, size = bytes(content[16:24]), int.from_bytes(content[8:12], "big") + _FRAME_HEADER
        # What a checkpoint may have begun to copy into the library was flushed before.
        index = log.with_name(f"{LIBRARY_FILE}-shm").read_bytes()
        copied = int.from_bytes(index[128:132], sys.byteorder)
        kept = 0
        for word, *rest in process.said:
            if word == "log":  # of an earlier log: a checkpoint has flushed all of that
                kept = int(rest[1]) if bytes.fromhex(rest[0]) == salt else 0
        kept = max(kept, copied)
        start = _LOG_HEADER + kept * size if kept else 0
        if start >= len(content):
            return
        if drill.choose.random() < 0.5:
            del content[drill.choose.randrange(start, len(content)) :]
        else:
            for _ in range(drill.choose.randrange(1, 20)):
                sector = drill.choose.randrange(start, len(content)) // 512 * 512
                if sector >= start:
                    content[sector : sector + 512] = bytes(len(content[sector : sector + 512]))
        log.write_bytes(content)

    def __exit__(self, *_: object) -> None:
        pass


def cut_power(drill: Drill) -> str:
    """Cut, mount, open, examine."""
    missing = LoopDevice.missing()
    home, kinds = drill.place / "home", KINDS
    if missing:
        sys.stdout.write(f"power_cuts: {missing}; only SQLite's log is damaged; not tried: ")
        sys.stdout.write(", ".join(_FLUSHED_BY_ACKNOWLEDGEMENT) + "\n")
        kinds = tuple(item for item in KINDS if item[0] not in _FLUSHED_BY_ACKNOWLEDGEMENT)
    with Replay(home) if missing else LoopDevice(drill.place / "disk.img", home) as disk:
        busy = BusyLibrary(drill.place, home, drill.model_cache())
        for number in drill.rounds():
            kind, seconds = kinds[number % len(kinds)]
            moment = drill.choose.uniform(0, seconds)
            drill.doing += f", {kind}, after {moment:.3f} s"
            process = busy.start(kind)
            time.sleep(moment)  # any moment will do: that is the test
            try:
                process.check_running()
            finally:
                disk.cut(process, drill)
            busy.hear(process)
            drill.doing += f", while {process.phase()}"
            busy.check()
            busy.check_kind(kind)
            busy.check_leftovers()
        return f"{disk.means}: {busy.figures}"


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def main(arguments: Sequence[str] | None = None) -> int:
    return run("power_cuts", cut_power, 50, arguments)


if __name__ == "__main__":
    sys.exit(main())
