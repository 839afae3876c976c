"""The export of an embedding model as a child process, seen from the process that needs it.

The export imports torch, takes a gigabyte and freezes its process for a fifth of a second at a
time. In a child it can be cancelled at once, and what it took is given back when it ends.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

import app
from app.core.embedding import model_files
from app.domain.errors import ModelMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.core.embedding.model_files import ModelSource
    from app.domain.cancel import CancelToken

_POLL = 0.1  # seconds between two looks at the token while waiting
_LIMIT = 900.0  # seconds; an export takes ten, on a slow disk some more
_LEFTOVER = 3600.0  # seconds after which the folder of an export that was killed is swept away

_log = logging.getLogger(__name__)


def export_in_child(
    source: ModelSource, cache_dir: Path, token: CancelToken, progress: Callable[[str], None]
) -> None:
    """Export a model in a child process and put the result at ``source.graph``.

    Raises:
        ModelMissing: the model is not there, or the child says it can not be exported.
        Cancelled: ``token`` was cancelled; the child is ended.
    """
    folder = model_files.folder_to_export(source, cache_dir)
    models = source.graph.parent
    workplace: Path | None = None
    try:
        models.mkdir(parents=True, exist_ok=True)
        _sweep(models)
        # Whatever happens to the child, what it leaves lies in here.
        workplace = Path(tempfile.mkdtemp(prefix=".preparing-", dir=models))
        made = workplace / source.graph.name
        _run_child([str(folder), str(made), source.name, source.sha256], workplace, token, progress)
        model_files.put_into_place(made, source.graph)
    except OSError as error:
        message = f"The embedding model can not be prepared in {models}: {error.strerror or error}."
        raise ModelMissing(message) from error
    finally:
        if workplace is not None:
            shutil.rmtree(workplace, ignore_errors=True)


def _run_child(
    arguments: list[str], workplace: Path, token: CancelToken, progress: Callable[[str], None]
) -> None:
    said, complained = workplace / "said.jsonl", workplace / "complained.txt"
    roots = [str(Path(app.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, roots)), "PYTHONUTF8": "1"}
    deadline = time.monotonic() + _LIMIT
    # Files and not pipes: a pipe can not be read with a time limit on every platform.
    with (
        said.open("wb") as output,
        said.open("rb") as heard,
        complained.open("wb") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "app.core.embedding.model_export", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=environment,
            # A program with a window must not flash a console on Windows.
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as child,
    ):
        try:
            while child.poll() is None:
                token.check()
                if time.monotonic() > deadline:
                    message = "Preparing the embedding model took too long and was given up."
                    raise ModelMissing(message)
                for line in heard:
                    _report(line, progress)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(_POLL)
        finally:
            if child.poll() is None:
                child.kill()  # it holds nothing that would have to be put down gently
    if child.returncode:
        raise ModelMissing(_explain(child.returncode, complained.read_text("utf-8", "replace").strip()))


def _report(line: bytes, progress: Callable[[str], None]) -> None:
    try:
        step = json.loads(line)["step"]
    except (ValueError, KeyError, TypeError):
        return  # a library said something of its own
    progress(str(step))


def _explain(status: int, said: str) -> str:
    last = said.splitlines()[-1] if said else ""
    if status == model_files.EXIT_EXPLAINED and last:
        return last
    _log.error("Exporting the embedding model ended with status %s: %s", status, said[-4000:])
    return "The embedding model could not be prepared; the log file says why."


@contextlib.contextmanager
def one_at_a_time(graph: Path, token: CancelToken) -> Iterator[None]:
    """Let a second Lectern wait for the export of the first instead of doing it too."""
    lock = FileLock(graph.with_name(f"{graph.name}.lock"))
    with contextlib.ExitStack() as stack:
        try:
            graph.parent.mkdir(parents=True, exist_ok=True)
            while True:
                token.check()
                with contextlib.suppress(Timeout):
                    stack.enter_context(lock.acquire(timeout=_POLL))
                    break
        except (OSError, NotImplementedError) as error:
            # Only time is lost without the lock: the result is put into place in one step.
            _log.warning("The embedding model is prepared without a lock: %s", error)
        yield


def _sweep(models: Path) -> None:
    for leftover in models.glob(".preparing-*"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _LEFTOVER:
                shutil.rmtree(leftover, ignore_errors=True)
