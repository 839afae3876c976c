"""Which language models this computer can run, where their files are, and how fast they are."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.files import replace_file
from app.config.paths import resource_path
from app.core import downloads
from app.core.downloads import HubFile, Snapshot, one_at_a_time
from app.core.local_models.engine import IDLE_SECONDS, Endpoint, Engine
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.model_servers import LocalModel, Speed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.cancel import CancelToken

LEAST_MEMORY = 6  # GB

_GIGABYTE = 10**9
_NEARLY = 0.93  # of the memory, which a computer "with 8 GB" shows
_PATIENCE = 40  # seconds for an answer of the better model; if it takes longer, the smaller one is chosen
_READ, _WRITTEN = 900, 120  # tokens of a usual question with its passages, and of its answer
# Multiplications a second of a processor on which a model of 1 GB reads and writes so many tokens a second.
CALIBRATION = 5.4e10, Speed(78, 19)


class LocalModels:
    """The models that Lectern can run itself. Thread-safe; starts nothing until a model is asked.

    A model is named by its id on the list, or by the path of a GGUF file of the user's own.
    """

    def __init__(self, cache_dir: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        self._folder = cache_dir / "models" / "gguf"
        self._engine = Engine(idle_seconds)

    def offers(self) -> tuple[LocalModel, ...]:
        """Return the models that fit into the memory, the best first."""
        return tuple(self._offer(entry) for entry in entries().values() if fits(entry["memory"]))

    def recommended(self) -> LocalModel | None:
        """Return the best model that is fast enough here, or the smallest; None if the memory holds none."""
        offers = self.offers()
        return next((offer for offer in offers if offer.seconds <= _PATIENCE), offers[-1] if offers else None)

    def download(self, model: str, token: CancelToken, progress: Callable[[Message], None]) -> None:
        """Download a model of the list; what has arrived is kept when this fails or is cancelled.

        Raises what :func:`app.core.downloads.download` raises.
        """
        snapshot = snapshot_of(entries()[model])
        with one_at_a_time(self._folder / model, token):
            if not self._path(model).is_file():  # maybe by another Lectern, just now
                downloads.download(snapshot, self._folder / model, token, progress)

    def remove(self, model: str) -> None:
        """Delete what was downloaded of a model."""
        if self._engine.runs(self._path(model)):
            self._engine.close()
        for path in (self._folder / model).glob("*"):
            path.unlink()

    def name(self, model: str) -> str:
        """Return what people call a model."""
        return str(entries()[model]["name"]) if model in entries() else Path(model).stem

    def path(self, model: str) -> Path:
        """Return the file of a model; raises UserError if there is none, or the memory does not hold it."""
        path = self._path(model)
        if not path.is_file():
            is_listed = model in entries()
            missing = Message("local.not_downloaded", name=self.name(model))
            raise UserError(missing if is_listed else Message("local.no_file", file=path))
        if path.stat().st_size > total_memory():
            raise UserError(Message("local.no_memory", name=self.name(model)))
        return path

    def speed(self, model: str) -> Speed | None:
        """Return how fast a model has been at best; None if it was never loaded."""
        known = self._speeds().get(model)
        return Speed(*known) if known else None

    def is_loaded(self, model: str) -> bool:
        return self._engine.runs(self._path(model))

    def begin(self, model: str, token: CancelToken) -> Endpoint:
        """Return where a model answers until :meth:`end` is called; load it unless it is loaded.

        Raises:
            UserError: it is missing, or cannot be loaded.
            Cancelled: by the token.
        """
        endpoint = self._engine.begin(self.path(model), self.name(model), token)
        if self._engine.speed:
            self._note_speed(model, self._engine.speed)
        return endpoint

    def end(self) -> None:
        """Say that an answer has ended. Some minutes after the last one the model is unloaded."""
        self._engine.end()

    def close(self) -> None:
        self._engine.close()

    @property
    def _speeds_file(self) -> Path:
        return self._folder / "speeds.json"

    def _speeds(self) -> dict[str, Any]:
        try:
            read = json.loads(self._speeds_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return read if isinstance(read, dict) else {}

    def _note_speed(self, name: str, tried: Sequence[float]) -> list[float]:
        """Return the best of a speed that was tried now and before: what else runs only slows it down."""
        speeds = self._speeds()
        known = speeds.get(name, tried)
        best = [max(pair) for pair in zip(tried, known, strict=True)]
        if best != speeds.get(name):
            text = json.dumps({**speeds, name: best})
            with suppress(OSError):  # a full disk: it is tried again
                self._folder.mkdir(parents=True, exist_ok=True)
                replace_file(self._speeds_file, lambda draft: draft.write_text(text, encoding="utf-8"))
        return best

    def _path(self, model: str) -> Path:
        entry = entries().get(model)
        return self._folder / model / entry["files"][0][0] if entry else Path(model).expanduser()

    def _offer(self, entry: dict[str, Any]) -> LocalModel:
        model = entry["id"]
        size, arrived = sizes(entry, self._folder / model)
        speed = self.speed(model)
        if speed is None:
            (processor,) = self._note_speed("processor", [multiplications()])
            speed = expected_speed(size, processor)
        seconds = _READ / speed.prompt + _WRITTEN / speed.answer
        return LocalModel(
            model, entry["name"], size, entry["licence"], entry["ollama"], round(seconds), arrived
        )


def entries() -> dict[str, dict[str, Any]]:
    return listed("resources/local-models.json")


@cache
def listed(resource: str) -> dict[str, dict[str, Any]]:
    """Return the models of a list by their ids."""
    text = resource_path(resource).read_text(encoding="utf-8")
    return {entry["id"]: entry for entry in json.loads(text)["models"]}


def snapshot_of(entry: dict[str, Any]) -> Snapshot:
    files = tuple(HubFile(*file) for file in entry["files"])
    return Snapshot(entry["repository"], entry["revision"], files)


def sizes(entry: dict[str, Any], folder: Path) -> tuple[int, int]:
    """Return the bytes of a model's download, and how many of them are in a folder."""
    size = sum(bytes_ for _, bytes_, _ in entry["files"])
    here = [folder / name for name, *_ in entry["files"]] + [*folder.glob("*.part")]
    return size, min(sum(path.stat().st_size for path in here if path.is_file()), size)


def fits(gigabytes: int) -> bool:
    """Whether the computer has so much memory."""
    return total_memory() >= gigabytes * _NEARLY * _GIGABYTE


@cache
def total_memory() -> int:
    """Return the computer's memory in bytes."""
    if sys.platform != "win32":
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    import ctypes

    status = (ctypes.c_uint64 * 8)(64)  # MEMORYSTATUSEX: its length, then the share in use, then the memory
    ctypes.windll.kernel32.GlobalMemoryStatusEx(status)
    return int(status[1])


def expected_speed(size: int, processor: float) -> Speed:
    """Return about how fast a model of so many bytes is on a processor of so many multiplications."""
    reference, speed = CALIBRATION
    factor = processor / reference * _GIGABYTE / size
    return Speed(speed.prompt * factor, speed.answer * factor)


@cache
def multiplications() -> float:
    """Return how many multiplications of matrices this computer does in a second, which takes 0.1 s."""
    matrix = np.ones((768, 768), np.float32)
    times = []
    for _ in range(12):
        began = time.perf_counter()
        matrix @ matrix
        times.append(time.perf_counter() - began)
    return 768**3 / min(times)
