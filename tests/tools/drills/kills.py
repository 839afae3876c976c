"""However a process ends that changes the library, nothing is lost and nothing is left behind.

``python -m tests.tools.drills.kills [--rounds N] [--seed S]``. Each round starts a process that does one
kind of work, kills it or one of its children at a random moment, and then opens and examines everything.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from tests.support.busy_library import MODEL
from tests.tools.drills.busy import BusyLibrary, kill_process
from tests.tools.drills.drill import run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.tools.drills.drill import Drill

CHROMA, READER, EXPORTER = "lectern-index", "lectern-reader", "lectern-export"
PROGRAM = "the program"

KINDS = (
    ("read", PROGRAM, 2.0),
    ("index", CHROMA, 1.5),
    ("import", PROGRAM, 2.0),
    ("settings", PROGRAM, 0.5),
    ("migrate", PROGRAM, 1.0),
    ("export", PROGRAM, 2.0),
    ("index", PROGRAM, 1.5),
    ("remove", PROGRAM, 1.0),
    ("empty", PROGRAM, 0.8),
    ("replace", PROGRAM, 3.0),
    ("reindex", PROGRAM, 3.0),
    ("read", READER, 1.5),
    ("read", CHROMA, 2.0),
    ("import", CHROMA, 2.0),
)
"""What the process does, whom to kill, and within how many seconds."""

_MODEL_EVERY = 30  # rounds: an export of the model takes ten seconds, and a second one mends the cache


def kill(drill: Drill) -> str:
    """Kill, open, examine."""
    home = drill.place / "home"
    home.mkdir()
    busy = BusyLibrary(drill.place, home, drill.model_cache())
    for number in drill.rounds():
        if number % _MODEL_EVERY == _MODEL_EVERY - 1:
            victim = drill.choose.choice((PROGRAM, EXPORTER))
            _kill_once(drill, busy, "model", victim, drill.choose.uniform(0, 8))
            _check_model(busy)
            continue
        kind, victim, seconds = KINDS[number % len(KINDS)]
        _kill_once(drill, busy, kind, victim, drill.choose.uniform(0, seconds))
        busy.check()
        busy.check_kind(kind)
        busy.check_leftovers()
    return str(busy.figures)


def _kill_once(drill: Drill, busy: BusyLibrary, kind: str, victim: str, moment: float) -> None:
    after = drill.choose.uniform(0.1, 0.5)
    drill.doing += f", {kind}, killing {victim} after {moment:.3f} s"
    process = busy.start(kind)
    try:
        time.sleep(moment)  # any moment will do: that is the test
        if victim != PROGRAM:
            kill_process(process.child(victim))
            time.sleep(after)
            if victim != EXPORTER:
                process.check_running()
    finally:
        process.kill()
    busy.hear(process)
    drill.doing += f", while {process.phase()}"
    if victim != PROGRAM:
        busy.figures.phases[f"{process.phase()} ({victim})"] += 1
        busy.figures.phases[process.phase()] -= 1


def _check_model(busy: BusyLibrary) -> None:
    """What the killed export left is no obstacle, and goes with the next one."""
    begun, _ = busy.numbers[MODEL]
    cache = busy.home / MODEL / str(begun)
    embedder = Embedder(None, cache)
    embedder.prepare(CancelToken())
    assert embedder.embed_query("Is it whole?").shape == (embedder.dimension,)
    embedder.close()
    left = [path.name for path in (cache / "models").iterdir() if path.name.startswith((".", "replaced"))]
    assert not left, left


def main(arguments: Sequence[str] | None = None) -> int:
    return run("kills", kill, 300, arguments)


if __name__ == "__main__":
    sys.exit(main())
