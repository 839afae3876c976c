"""What answers have cost that belong to no conversation: those of the command line.

Commands that answer work beside a window, which holds the library, so they write a file of their own: a line
for each answer, with nothing but its time, tokens and cost.
"""

import json
import logging
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.config.files import private_directory, private_file
from app.domain.model_servers import Usage

_FILE = "lectern.spending.jsonl"

_log = logging.getLogger(__name__)


def record(data_dir: Path, usage: Usage) -> None:
    """Add an answer to the file; one that cannot be written is logged, since the answer itself is there."""
    if not usage.tokens:
        return
    path = data_dir / _FILE
    line = json.dumps({"time": time.time(), **asdict(usage)}) + "\n"
    try:
        private_directory(data_dir)
        private_file(path)
        with path.open("a", encoding="utf-8") as file:
            file.write(line)  # at once, so that two commands do not mix their lines
    except OSError as error:
        _log.warning("The cost of this answer is not counted, because %s cannot be written: %s", path, error)


def since(data_dir: Path, start: float) -> list[Usage]:
    """Return the answers of the file since ``start``, in seconds since the epoch."""
    return [usage for moment, usage in _entries(data_dir / _FILE) if moment >= start]


def _entries(path: Path) -> Iterator[tuple[float, Usage]]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return
    except OSError as error:
        _log.warning("What the command line has spent is unknown, because %s cannot be read: %s", path, error)
        return
    for line in lines:
        try:
            entry: dict[str, Any] = json.loads(line)
            moment, cost = float(entry.pop("time")), entry.pop("cost")
            tokens = {name: int(number) for name, number in entry.items()}
            yield moment, Usage(**tokens, cost=None if cost is None else float(cost))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue  # a line that a full disk cut off
