"""What commands print: results on standard output, everything else on standard error."""

import json
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, TypeVar

from app.config.redaction import redact
from app.domain.events import FileDone, FileStarted, IndexProgress, IngestProgress
from app.domain.transfer import TransferProgress, TransferStep

_Event = TypeVar("_Event")


def print_json(value: object, indent: int | None = 2) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=indent, default=str))  # messages become sentences


def fields(value: object, *names: str) -> dict[str, Any]:
    """Return the attributes of these names; others rely on names and order of the JSON forms."""
    return {name: getattr(value, name) for name in names}


def note(text: object) -> None:
    """Print something that is not the result, without secrets."""
    try:
        print(redact(str(text)), file=sys.stderr, flush=True)
    except BrokenPipeError:  # the work goes on
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Send what is still printed nowhere, because its reader, such as ``head``, has ended."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def counted(number: int, what: str) -> str:
    """Return "1 passage", "3 passages"."""
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def show_progress(events: Iterable[object]) -> None:
    """Run something long and report its progress."""
    deque(shown(events), maxlen=0)


def shown(events: Iterable[_Event]) -> Iterator[_Event]:
    """Report progress, and pass the events on."""
    for event in events:
        match event:
            case IngestProgress():
                left = "" if event.seconds_left is None else f", {event.seconds_left:.0f} s left"
                note(
                    f"{event.path}: {event.files_done}/{event.files_total} files, "
                    f"{event.passages_per_second:.0f} passages/s{left}"
                )
            case FileDone():
                note(f"{event.status}: {event.path}")
            case FileStarted():
                note(f"{event.index}/{event.total}: {event.path}")
            case IndexProgress():
                note(f"indexing {event.done}/{event.total}")
            case TransferProgress(step=TransferStep.COPYING | TransferStep.ADDING):
                note(f"{event.step} {event.done}/{event.total}")
        yield event
