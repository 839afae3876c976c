"""What the drills share: their arguments, a place of their own, and one line of figures."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.embedding.embedder import Embedder
from app.core.embedding.model_files import find_model
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).parents[3]
_MODELS = ROOT / "build" / "test-model-cache"


@dataclass(slots=True)
class Drill:
    """One run.

    Attributes:
        place: a temporary directory, deleted unless a promise is broken.
        doing: what a failure is reported with.
    """

    count: int
    seed: int
    place: Path
    doing: str = "preparing"
    choose: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.choose = random.Random(self.seed)

    def model_cache(self) -> Path:
        """Return a cache with a copy of the exported embedding model, which is exported once for all runs."""
        kept = Path(os.environ.get("LECTERN_TEST_MODEL_CACHE") or _MODELS).absolute()
        Embedder(None, kept).prepare(CancelToken())
        graph, cache = find_model(None, kept).graph, self.place / "cache"
        shutil.copytree(graph, cache / graph.relative_to(kept))
        os.environ["LECTERN_CACHE_DIR"] = str(cache)
        return cache

    def rounds(self) -> Iterator[int]:
        """Yield the number of each round."""
        for number in range(self.count):
            self.doing = f"round {number}"
            yield number
        self.doing = "finishing"


def run(name: str, work: Callable[[Drill], str], rounds: int, arguments: Sequence[str] | None = None) -> int:
    """Run a drill from the command line; print the figures that ``work`` returns, or what was broken.

    Returns 0, or 1 if a promise was broken.
    """
    parser = argparse.ArgumentParser(prog=f"python -m tests.tools.drills.{name}")
    parser.add_argument("--rounds", type=int, default=rounds, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="repeats the choices of a run")
    chosen = parser.parse_args(arguments)
    place = Path(tempfile.mkdtemp(prefix=f"lectern-{name}-")).resolve()
    _own_environment(place)
    drill = Drill(chosen.rounds, chosen.seed, place)
    began = time.monotonic()
    try:
        figures = work(drill)
    except Exception:  # whatever breaks a promise
        traceback.print_exc()
        _say(f"{name}: BROKEN in {drill.doing}, seed {drill.seed}; the files are in {place}")
        return 1
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    _say(f"{name}: {drill.count} rounds, seed {drill.seed}, {minutes}:{seconds:02} min: {figures}")
    shutil.rmtree(place, ignore_errors=True)
    return 0


def _own_environment(place: Path) -> None:
    """Keep the user's own settings, library, key and model server out of the drill."""
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_") or name in ("LECTERN_MODEL", "LECTERN_DATA_DIR"):
            del os.environ[name]
    os.environ["LECTERN_CONFIG_DIR"] = str(place / "config")
    os.environ["LECTERN_CACHE_DIR"] = str(place / "cache")
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
