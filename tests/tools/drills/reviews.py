"""However the program ends while items are reviewed, no review is lost that was shown as done.

``python -m tests.tools.drills.reviews [--rounds N] [--seed S]``. Each round starts a process that rates
items and
prints each review after :meth:`ReviewService.rate` has returned, kills it at a random moment, and opens the
library again: every printed review is in the log, and each schedule is what FSRS makes of the log.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.features.study.model.reviews import Rating
from app.features.study.scheduling import Scheduling
from tests.support.reviewing import item, reviewing
from tests.tools.drills.drill import ROOT, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.study.model.reviews import Schedule
    from tests.tools.drills.drill import Drill

_ITEMS = 40
_LATEST = 0.6  # seconds after which a process is killed


def kill(drill: Drill) -> str:
    """Review, kill, open, examine."""
    folder = drill.place / "data"
    with reviewing(folder) as at:
        at.add(*(item(100 * place) for place in range(_ITEMS)))
    shown: set[tuple[int, float, int]] = set()
    for number in drill.rounds():
        moment = drill.choose.uniform(0, _LATEST)
        drill.doing += f", killing after {moment:.3f} s"
        shown |= _reviewed(folder, number, moment)
        _check(folder, shown)
    return f"{len(shown)} reviews were shown as done, and all are kept"


def _reviewed(folder: Path, seed: int, seconds: float) -> set[tuple[int, float, int]]:
    """Return the reviews that a process has shown as done before it was killed."""
    command = [sys.executable, "-m", "tests.tools.drills.reviews", "rate", str(folder), str(seed)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)  # any moment will do: that is the test
    finally:
        process.kill()
    lines = process.stdout.read().splitlines(keepends=True)
    process.wait()
    return {tuple(json.loads(line)) for line in lines if line.endswith("\n")}


def _check(folder: Path, shown: set[tuple[int, float, int]]) -> None:
    with reviewing(folder) as at:
        log = at.reviews.repository.log()
        kept = [(row["item_id"], row["at"], row["rating"]) for row in log]
        assert shown <= set(kept), shown - set(kept)
        scheduling, schedules = Scheduling(), dict[int, "Schedule"]()
        for key, moment, rating in kept:
            schedules[key] = scheduling.after(schedules.get(key), Rating(rating), moment)
        assert at.reviews.repository.schedules(list(schedules)) == schedules


def rate(folder: Path, seed: int) -> None:
    """Review until the end; the clock goes on by hours from one review to the next."""
    with reviewing(folder) as at:
        at.clock += 90 * 86_400.0 * seed
        print("ready", flush=True)  # noqa: T201 - the parent reads it
        for turn in range(1_000_000):
            key = turn % _ITEMS + 1
            at.clock += 3600
            rating = Rating((turn + seed) % 4 + 1)
            at.reviews.rate(key, rating, 1.0)
            print(json.dumps([key, at.clock, rating]), flush=True)  # noqa: T201 - the parent reads it


def main(arguments: Sequence[str] | None = None) -> int:
    return run("reviews", kill, 100, arguments)


if __name__ == "__main__":
    if sys.argv[1:2] == ["rate"]:
        rate(Path(sys.argv[2]), int(sys.argv[3]))
    sys.exit(main())
