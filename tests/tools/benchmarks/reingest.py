"""How long a folder takes in which nothing, or one paragraph, has changed.

``python -m tests.tools.benchmarks.reingest [--files 1000]`` prints one JSON line.

The reference has no notion of a file it knows: it reads every file and embeds it, or skips it by its
course title and misses the change. What is given for it is the time to read and cut the files.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.courses import ingest, library
from tests.tools.benchmarks.libraries import MadeUpVectors, Maker
from tests.tools.benchmarks.measuring import parser_of, print_result, timed
from tests.tools.benchmarks.reference import chunks_of

if TYPE_CHECKING:
    from app.domain.events import IngestDone

TINY, FILES = 20, 1000


def compare(files: int, folder: Path) -> dict[str, Any]:
    """Return what is printed."""
    courses = folder / "courses"
    courses.mkdir()
    maker = Maker()
    for number in range(files):
        text = maker.course(1, 1500)
        (courses / f"{number:04}.txt").write_text(text.replace(": ", f": {number} ", 1), encoding="utf-8")
    data = folder / "data"
    with library(data, MadeUpVectors(maker)) as rag:
        ingest(rag, courses)
    reports: list[IngestDone] = []
    with library(data, MadeUpVectors(maker)) as rag:
        unchanged = sorted(timed(lambda: reports.append(ingest(rag, courses)))["seconds"] for _ in range(5))
        changed = courses / "0000.txt"
        changed.write_text(changed.read_text(encoding="utf-8") + "One more sentence.\n", encoding="utf-8")
        one = timed(lambda: reports.append(ingest(rag, courses)))["seconds"]
    assert not any(report.passages_embedded for report in reports[:5])
    read = timed(lambda: [chunks_of(file.read_text(encoding="utf-8")) for file in sorted(courses.iterdir())])
    return {
        "benchmark": "reingest",
        "files": files,
        "ours": {
            "unchanged_seconds": round(unchanged[2], 3),
            "one_file_changed_seconds": round(one, 3),
            "passages_embedded": reports[-1].passages_embedded,
        },
        "reference": {"read_and_cut_seconds": round(read["seconds"], 3)},
        "ratio": round(read["seconds"] / unchanged[2], 2),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--files", type=int, default=FILES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print_result(compare(options.files, Path(folder)))


if __name__ == "__main__":
    main()
