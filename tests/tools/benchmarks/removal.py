"""What is left of a library's size once something big was removed and the trash was emptied.

    python -m tests.tools.benchmarks.removal [--base 1000] [--added 5000]

Makes a library of ``base`` passages, adds ``added`` more, removes these from the command line, empties the
trash, and compares: passages in SQLite, in the full-text index and in Chroma, and bytes on disk. Leaves with
1 where the counts differ or the directory is more than 20 % bigger than before.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from app.config.paths import user_cache_dir
from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.features.keeping.doctor import examine
from app.main import main as lectern
from tests.support.courses import ingest, library
from tests.tools.benchmarks.libraries import MadeUpVectors, Maker
from tests.tools.benchmarks.measuring import parser_of, print_result

_PER_COURSE, _LESSONS, _CHARACTERS = 500, 10, 720
_ALLOWED = 1.2


def write(folder: Path, passages: int, maker: Maker) -> Path:
    """Write course files that come to about so many passages."""
    folder.mkdir()
    per_course = min(_PER_COURSE, passages)
    for number in range(max(passages // per_course, 1)):
        text = maker.course(_LESSONS, per_course // _LESSONS * _CHARACTERS)
        (folder / f"course_{number:04}.txt").write_text(text, encoding="utf-8", newline="\n")
    return folder


def add(data: Path, courses: Path, maker: Maker) -> int:
    """Add a folder with made-up vectors; return the passages of the library."""
    with library(data, MadeUpVectors(maker)) as rag:
        rag.database.set_meta("samples", "none")
        ingest(rag, courses)
        return rag.courses.counts().passages


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> int:
    """Measure, print one JSON line, and judge."""
    parser = parser_of(__doc__)
    parser.add_argument("--base", type=int, default=1000)
    parser.add_argument("--added", type=int, default=5000)
    options = parser.parse_args()
    maker = Maker(11)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        data = folder / "data"
        base = add(data, write(folder / "base", options.base, maker), maker)
        before = size_of(data)
        total = add(data, write(folder / "added", options.added, maker), maker)
        full = size_of(data)
        began = time.perf_counter()
        removing = lectern(["--data-dir", str(data), "remove", str(folder / "added")])
        removed = time.perf_counter()
        emptying = lectern(["--data-dir", str(data), "trash", "empty"])
        emptied = time.perf_counter()
        after = size_of(data)
        report = examine(data, Settings(), Embedder(None, user_cache_dir()))
    counts = [report.counts[name] for name in ("chunks", "fts", "chroma")]
    good = removing == emptying == 0 and report.ok and counts == [base] * 3 and after <= _ALLOWED * before
    print_result(
        {
            "benchmark": "removal",
            "passages": {"base": base, "added": total - base},
            "counts_after": report.counts,
            "bytes": {"before": before, "full": full, "after": after, "share": round(after / before, 3)},
            "seconds": {"remove": round(removed - began, 1), "empty": round(emptied - removed, 1)},
            "good": good,
        }
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
