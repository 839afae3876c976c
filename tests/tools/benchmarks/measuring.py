"""What the benchmarks share: sides that are processes of their own, asked in turns, and summaries."""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.core.embedding.embedder import Embedder
    from app.domain.embedding_models import ModelChoice

TINY = 40  # passages
_OTHER_CODE = """
import importlib.util, runpy, sys
sys.path.insert(0, sys.argv.pop(1))
name = "tests.tools.benchmarks" if importlib.util.find_spec("tests.tools") else "tests.benchmarks"
runpy.run_module(f"{name}.measuring", run_name="__main__", alter_sys=True)
"""


def size(text: str) -> int:
    """Read ``--size``: a number of passages, or "tiny"."""
    return TINY if text == "tiny" else int(text)


class Server(Protocol):
    """One side of a benchmark, in its own process."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked for, and tell what it took."""


class Side:
    """A process that measures one side when it is told to.

    Args:
        module: name of a benchmark that has ``serve(side, options) -> Server``.
        side: "ours" or "reference".
        options: for ``serve``; anything JSON can hold.
        code: a checkout of another version that is measured, by its own benchmark.
    """

    def __init__(self, module: str, side: str, options: dict[str, Any], code: Path | None = None) -> None:
        run = ["-m", "tests.tools.benchmarks.measuring"] if code is None else ["-c", _OTHER_CODE, str(code)]
        command = [sys.executable, *run, module, side, json.dumps(options)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
        )
        self.start = self._read()

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever JSON can hold
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        return self._read()

    def close(self) -> None:
        self._process.communicate()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the side ended with {self._process.wait()}"
        answer: dict[str, Any] = json.loads(line)
        return answer


def memory_with_children() -> int | None:
    """Return the resident memory in MB of this process and of those it has started."""
    own = memory()
    children = [memory(pid=child.pid) for child in multiprocessing.active_children() if child.pid]
    return None if own is None else own + sum(each or 0 for each in children)


def memory(which: str = "VmRSS", pid: int | str = "self") -> int | None:
    """Return resident memory in MB where the system tells it; ``VmHWM`` is the highest so far."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith(which)), None)


def timed(work: Callable[[], Any]) -> dict[str, float]:
    """Run something; return seconds by the clock and by the processor."""
    began, spent = time.perf_counter(), time.process_time()
    work()
    return {"seconds": time.perf_counter() - began, "cpu": time.process_time() - spent}


def percentiles(milliseconds: Sequence[float]) -> dict[str, float]:
    """Return median and 95th percentile."""
    ordered = sorted(milliseconds)
    return {
        "p50_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)], 1),
    }


def machine() -> dict[str, Any]:
    """Describe where this runs."""
    flags: set[str] = set()
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        flags = set(next(line for line in text.splitlines() if line.startswith("flags")).split())
    except (OSError, StopIteration):
        pass
    known = ("avx2", "avx512f", "avx512_bf16", "amx_bf16")
    return {
        "system": platform.system(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "instructions": [name for name in known if name in flags],
        "load": [round(value, 1) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser that shows a module's description."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def prepared_embedder(model: ModelChoice = None) -> Embedder:
    """Return the model of passages and questions, or another one, as the user's cache keeps it."""
    from app.config.paths import user_cache_dir  # here, because the side of the reference is without them
    from app.core.embedding.embedder import Embedder
    from app.domain.cancel import CancelToken

    embedder = Embedder(model, user_cache_dir())
    embedder.prepare(CancelToken())
    return embedder


def print_result(result: dict[str, Any]) -> None:
    """Print the one JSON line."""
    print(json.dumps({**result, "machine": machine()}, ensure_ascii=False))


def _serve() -> None:
    module, side, options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        serve = importlib.import_module(f"tests.tools.benchmarks.{module}").serve
        server: Server = serve(side, {**json.loads(options), "folder": folder})
        started = {"start_seconds": round(time.perf_counter() - began, 2), "memory_mb": memory()}
        print(json.dumps(started), flush=True)
        for line in sys.stdin:
            print(json.dumps(server.answer(json.loads(line))), flush=True)
        close = getattr(server, "close", None)
        if close:
            close()


if __name__ == "__main__":
    _serve()
