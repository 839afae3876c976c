"""Exporting an embedding model in a child process.

The export imports torch, takes a gigabyte of memory and stalls its process for a fifth of a second at a
time. A child can be cancelled at once and gives its memory back when it ends.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from app.core.child_process import ChildDied, ChildProcess, ChildTimedOut
from app.core.embedding.model_export import answer_request
from app.core.embedding.model_files import folder_to_export, put_into_place
from app.domain.errors import ModelMissing
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.core.embedding.model_files import ModelSource
    from app.domain.cancel import CancelToken

_POLL = 0.1  # seconds between two looks at the token while waiting
_LIMIT = 900.0  # seconds; an export takes ten, longer on a slow disk
_LEFTOVER = 3600.0  # seconds after which the folder of a killed export is deleted

_log = logging.getLogger(__name__)


def export_in_child(
    source: ModelSource, cache_dir: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    """Export a model in a child process and put the result at ``source.graph``.

    Raises:
        ModelMissing: the model was not found or cannot be exported.
        Cancelled: ``token`` was cancelled; the child is killed.
    """
    folder = folder_to_export(source, cache_dir)
    models = source.graph.parent
    try:
        models.mkdir(parents=True, exist_ok=True)
        _delete_leftovers(models)
        # Holds whatever the child leaves behind, however it ends.
        with tempfile.TemporaryDirectory(
            prefix=".preparing-", dir=models, ignore_cleanup_errors=True
        ) as workplace:
            made = Path(workplace) / source.graph.name
            _export(source, folder, made, token, progress)
            put_into_place(made, source.graph)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelMissing(Message("embedding.cannot_prepare_in", folder=models, reason=reason)) from error


def _export(
    source: ModelSource, folder: Path, made: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    output = made.with_name("output.txt")
    child = ChildProcess(answer_request, "lectern-export", seconds=_LIMIT, output=output)
    request = json.dumps([str(folder), str(made), source.name, source.sha256])
    try:
        refusal = child.ask(request.encode(), token, lambda step: progress(Message.from_json(step.decode())))
    except ChildTimedOut as error:
        raise ModelMissing(Message("embedding.took_too_long")) from error
    except ChildDied as error:
        printed = output.read_text("utf-8", "replace") if output.exists() else ""
        _log.error("Exporting the embedding model failed: %s: %s", error, printed.strip()[-4000:])
        raise ModelMissing(Message("embedding.export_failed")) from error
    finally:
        child.close()
    if refusal:
        raise ModelMissing(Message.from_json(refusal.decode()))


@contextlib.contextmanager
def one_at_a_time(graph: Path, token: CancelToken) -> Iterator[None]:
    """Make a second Lectern wait for the export of the first instead of exporting too."""
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
            # Without the lock only time is lost: the result is put into place in one step.
            _log.warning("The embedding model is prepared without a lock: %s", error)
        yield


def _delete_leftovers(models: Path) -> None:
    for leftover in models.glob(".preparing-*"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _LEFTOVER:
                shutil.rmtree(leftover, ignore_errors=True)
