"""Damaged and misnamed variants of the sample files: each gives a text or one sentence, in time.

Bounded here; ``LECTERN_FUZZ_SECONDS`` sets how long it goes on, ``LECTERN_FUZZ_SEED`` where it begins,
``LECTERN_FUZZ_FILES`` a folder of more files to damage.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.documents.formats import ENDINGS
from app.core.documents.sandbox import SECONDS, ReadingProcess
from app.domain.cancel import CancelToken
from app.domain.errors import UnreadableFile
from tests.support.make_format_samples import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from app.domain.documents import DocumentText

_SECONDS = float(os.environ.get("LECTERN_FUZZ_SECONDS", "20"))
_SEED = int(os.environ.get("LECTERN_FUZZ_SEED", "1"))
_SUFFIXES = sorted(ENDINGS)


def _samples() -> list[Path]:
    folders = [FOLDER]
    if more := os.environ.get("LECTERN_FUZZ_FILES"):
        folders.append(Path(more))
    return [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES]


def _variants(seed: int) -> Iterator[tuple[str, str, bytes]]:
    """Yield (what was done, the ending to give it, the bytes) without end: every file in turn."""
    choose = random.Random(seed)
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
            yield f"{path.name}: {kind}", suffix, bytes(data)


def _check(document: DocumentText) -> None:
    """A text that was read is one that can be stored and shown, and its anchors are in order."""
    assert document.text.strip()
    document.text.encode("utf-8")
    assert "\x00" not in document.text
    starts = [mark.start for mark in document.marks]
    assert starts == sorted(starts)
    assert all(0 <= start < len(document.text) for start in starts)


def test_damaged_and_misnamed_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    outcomes = {"read": 0, "refused": 0}
    slowest = 0.0
    end = time.monotonic() + _SECONDS
    with ReadingProcess() as reading:
        for number, (what, suffix, data) in enumerate(_variants(_SEED)):
            if time.monotonic() > end:
                break
            path = tmp_path / f"file{suffix}"
            path.write_bytes(data)
            began = time.monotonic()
            try:
                _check(reading.read(path, CancelToken()))
                outcomes["read"] += 1
            except UnreadableFile as error:
                sentence = str(error)
                outcomes["refused"] += 1
                assert path.name in sentence, (number, what)
                assert sentence.endswith("."), (number, what)
                assert "\n" not in sentence, (number, what)
                assert len(sentence) < 200, (number, what)
            slowest = max(slowest, time.monotonic() - began)
            path.unlink()
    print(outcomes, f"slowest {slowest:.1f} s, {len(caplog.records)} faults of parsers")  # noqa: T201
    for record in caplog.records:
        print(record.getMessage()[-1500:])  # noqa: T201
    assert slowest < SECONDS
    assert outcomes["read"] > 10
    assert outcomes["refused"] > 10
