"""Damaged and misnamed variants of sample files: each gives a text or one sentence, in time and memory.

``python -m tests.tools.drills.fuzzed_files [--rounds N] [--seed S]``; ``LECTERN_FUZZ_FILES`` names a folder
of more files to damage.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.paths import resource_path
from app.core.documents.formats import ENDINGS
from app.core.documents.reading import SECONDS, ReadingProcess
from app.domain.cancel import CancelToken
from app.domain.errors import UnreadableFile
from tests.support.format_samples import FOLDER
from tests.tools.drills.drill import run

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from app.domain.documents import DocumentText
    from tests.tools.drills.drill import Drill

_MORE = os.environ.get("LECTERN_FUZZ_FILES")
_SUFFIXES = sorted(ENDINGS)
_GROWTH = 300  # MB by which this process may grow; one text is at most some ten
_CHILD = 2048  # MB a child may use


def _samples() -> list[Path]:
    guide = resource_path("docs/user-guide.md")
    folders = [FOLDER, resource_path("docs/courses")] + ([Path(_MORE)] if _MORE else [])
    files = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES]
    return [*files, guide]


def _variants(choose: random.Random) -> Iterator[tuple[str, str, bytes]]:
    """Yield (what was done, the ending to give it, the bytes) without end: every file in turn."""
    samples = [(path, path.read_bytes()) for path in _samples()]
    while True:
        for path, content in samples:
            data = bytearray(content)
            suffix = path.suffix
            kind = choose.choice(("cut", "flip", "flip", "zero", "double", "swap", "head"))
            if kind == "cut":
                del data[choose.randrange(len(data)) :]
            elif kind == "flip":
                for _ in range(choose.choice((1, 4, 64))):
                    data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
            elif kind == "zero":
                start = choose.randrange(len(data))
                data[start : start + 256] = bytes(len(data[start : start + 256]))
            elif kind == "double":
                start = choose.randrange(len(data))
                data[start:start] = data[start : start + choose.randrange(1, 4096)]
            elif kind == "swap":
                suffix = choose.choice(_SUFFIXES)
            else:
                data[: choose.randrange(1, 64)] = choose.randbytes(choose.randrange(64))
            yield f"{path.name}: {kind}, as {suffix}", suffix, bytes(data)


def _check_text(document: DocumentText) -> None:
    """A text that was read is one that can be stored and shown, and its anchors are in order."""
    assert document.text.strip()
    document.text.encode("utf-8")
    assert "\x00" not in document.text
    starts = [mark.start for mark in document.marks]
    assert starts == sorted(starts)
    assert all(0 <= start < len(document.text) for start in starts)


def _check_sentence(sentence: str, name: str) -> None:
    assert name in sentence, sentence
    assert sentence.endswith("."), sentence
    assert "\n" not in sentence, sentence
    assert len(sentence) < 200, sentence


def _megabytes(*, children: bool = False) -> int | None:
    """Return the most memory that this process or any ended child has used; None where it is unknown."""
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF).ru_maxrss
    return most >> (20 if sys.platform == "darwin" else 10)


def fuzz(drill: Drill) -> str:
    """Read damaged files in the limited child."""
    logging.getLogger("app").addHandler(logging.NullHandler())  # parsers' faults are logged
    outcomes: Counter[str] = Counter()
    slowest, before = 0.0, _megabytes() or 0
    variants = _variants(drill.choose)
    with ReadingProcess() as reading:
        for number in drill.rounds():
            what, suffix, data = next(variants)
            drill.doing = f"round {number}, {what}"
            path = drill.place / f"file{suffix}"
            path.write_bytes(data)
            began = time.monotonic()
            try:
                _check_text(reading.read(path, CancelToken()))
                outcomes["read"] += 1
            except UnreadableFile as error:
                _check_sentence(str(error), path.name)
                outcomes["refused in a sentence"] += 1
                outcomes["too slow"] += error.message.id == "documents.too_slow"
                outcomes["crashed in the child"] += error.message.id == "documents.reader_crashed"
            slowest = max(slowest, time.monotonic() - began)
            path.unlink()
    grown, child = (_megabytes() or 0) - before, _megabytes(children=True)
    assert slowest < SECONDS + 10, f"a file took {slowest:.0f} s"
    assert outcomes["read"] > drill.count / 20
    assert outcomes["refused in a sentence"] > drill.count / 20
    assert grown < _GROWTH, f"the parent grew by {grown} MB"
    assert (child or 0) < _CHILD, f"a child used {child} MB"
    counted = ", ".join(f"{count} {what}" for what, count in outcomes.items() if count)
    memory = f"parent grew by {grown} MB, child at most {child or 'unknown'} MB"
    return f"{counted}; slowest {slowest:.1f} s; {memory}"


def main(arguments: Sequence[str] | None = None) -> int:
    return run("fuzzed_files", fuzz, 5000, arguments)


if __name__ == "__main__":
    sys.exit(main())
