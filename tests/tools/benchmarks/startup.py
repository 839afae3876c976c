"""How long the window takes to be painted and to be ready, as a process of its own.

``python -m tests.tools.benchmarks.startup [--size 500] [--rounds 5]`` prints one JSON line.

Everything counts, from the start of the interpreter on; the library exists and the model is exported. For
the reference it is the time until its first answer could be computed. Drawn off screen unless
QT_QPA_PLATFORM says otherwise.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.libraries import made
from tests.tools.benchmarks.measuring import Side, parser_of, print_result, size
from tests.tools.benchmarks.window_process import start


def compare(passages: int, rounds: int) -> dict[str, Any]:
    """Return what is printed."""
    library = made(passages, reference=True)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(shutil.copytree(library / "data", Path(folder) / "data"))
        for number in range(rounds + 1):
            found = start(data, Path(folder))
            began = time.perf_counter()
            side = Side("search", "reference", {"made": str(library)})
            waited = time.perf_counter() - began
            side.close()
            if number:  # the first one fills the system's cache of files
                ours.append(found)
                theirs.append(waited)
    median = {key: statistics.median(each[key] for each in ours) for key in ours[0]}
    assert not median.pop("torch"), "torch is in the window's process"
    return {
        "benchmark": "startup",
        "passages": passages,
        "ours": {key: round(value, 2) for key, value in median.items()},
        "reference": {"ready": round(statistics.median(theirs), 2)},
        "ratio": round(statistics.median(theirs) / median["ready"], 2),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print_result(compare(options.size, options.rounds))


if __name__ == "__main__":
    main()
