"""The commands that remove, bring back and move what is in the library."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from app.cli.arguments import EXIT_OK, EXIT_PARTLY
from app.config.paths import user_config_dir
from app.config.settings import adopt, load_settings, save_settings
from app.core.storage.catalog import TRASH_DAYS
from app.domain.cancel import CancelToken
from app.domain.events import FileStarted, IndexProgress
from app.domain.transfer import LibraryExported, LibraryImported, TransferProgress, TransferStep
from app.domain.trash import files_of, passages_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from app.core.rag_system import RAGSystem
    from app.domain.trash import TrashEntry

_DAY = 86_400.0


def remove(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Put a course, a file, a folder or everything into the trash."""
    records = rag.courses.files() if arguments.all else rag.courses.find(arguments.name)
    token = CancelToken()
    show_progress(rag.open_index(token))
    rag.courses.remove([record.document_id for record in records], token)
    if arguments.json:
        removed = [
            {"path": record.path, "course_title": record.course_title, "passages": record.passages}
            for record in records
        ]
        print_json({"removed": removed})
        return EXIT_OK
    if not records:
        print("The library is empty.")
        return EXIT_OK
    for title in dict.fromkeys(record.course_title for record in records):
        print(title)
    passages = sum(record.passages for record in records)
    print(
        f"Removed {counted(len(records), 'file')}, {counted(passages, 'passage')}. "
        f"“lectern trash restore” brings them back within {TRASH_DAYS} days."
    )
    return EXIT_OK


def list_trash(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """List what was removed."""
    entries = rag.trash.entries()
    if arguments.json:
        print_json({"trash": [_entry_as_dict(entry) for entry in entries]})
        return EXIT_OK
    if not entries:
        print("The trash is empty.")
    for entry in entries:
        what = f"{counted(len(entry.paths), 'file')}, {counted(entry.passages, 'passage')}"
        day = datetime.fromtimestamp(entry.removed).strftime("%Y-%m-%d %H:%M")
        print(f"{entry.course_title} ({what}), removed {day}")
        for path in entry.paths:
            print(f"  {path}")
    return EXIT_OK


def restore(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Bring back what a name stands for, or everything."""
    entries = rag.trash.entries() if arguments.all else tuple(rag.trash.find(arguments.name))
    token = CancelToken()
    show_progress(rag.open_index(token))
    show_progress(rag.trash.restore([key for entry in entries for key in entry.documents], token))
    if arguments.json:
        print_json({"restored": [_entry_as_dict(entry) for entry in entries]})
    else:
        print(f"Restored {counted(files_of(entries), 'file')}, {counted(passages_of(entries), 'passage')}.")
    return EXIT_OK


def empty_trash(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Delete for good what is in the trash."""
    entries = rag.trash.entries()
    token = CancelToken()
    show_progress(rag.open_index(token))
    show_progress(rag.trash.empty(token))
    if arguments.json:
        print_json({"deleted": [_entry_as_dict(entry) for entry in entries]})
    else:
        print(f"Deleted {counted(files_of(entries), 'file')}, {counted(passages_of(entries), 'passage')}.")
    return EXIT_OK


def export_library(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Write the library to one file."""
    for event in rag.transfer.export_library(arguments.file.absolute(), CancelToken()):
        _show(event)
        if isinstance(event, LibraryExported):
            counts = (event.documents, event.passages, event.conversations)
            if arguments.json:
                names = ("documents", "passages", "conversations")
                print_json({"file": str(event.path), **dict(zip(names, counts, strict=True))})
            else:
                print(f"Exported {_all_counted(*counts)} to {event.path}.")
    return EXIT_OK


def import_library(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Take in an exported file."""
    token = CancelToken()
    show_progress(rag.open_index(token))
    done: LibraryImported | None = None
    for event in rag.transfer.import_library(arguments.file.absolute(), token, replace=arguments.replace):
        _show(event)
        done = event if isinstance(event, LibraryImported) else done
    if done is None:
        return EXIT_OK
    if done.settings:
        settings_file = user_config_dir() / "settings.json"
        save_settings(adopt(load_settings(settings_file), done.settings), settings_file)
    if done.embedded_again:
        note("It was made with another embedding model or passage size, so its texts were embedded again.")
    if arguments.json:
        print_json(_import_report(done))
    else:
        counts = _all_counted(done.documents, done.passages, done.conversations)
        print(f"Imported {counts}; already there: {counted(done.already_there, 'file')}.")
        for item in done.left_out:
            print(f"left out: {item.path}: {item.reason}")
    return EXIT_PARTLY if done.left_out else EXIT_OK


def plan(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Say which courses folders and files would become."""
    found = rag.ingest.plan(arguments.paths, CancelToken())
    if arguments.json:
        print_json({**asdict(found), "files": found.files, "to_read": found.to_read})
        return EXIT_OK
    for course in found.courses:
        print(course.title)
        for file in course.files:
            number = "–" if file.lesson_number is None else file.lesson_number
            print(f"  {number}  {file.lesson_title or PurePath(file.path).name}  ({file.state}: {file.path})")
    for item in found.left_out:
        print(f"left out: {item.path}: {item.reason}")
    courses, files = counted(len(found.courses), "course"), counted(found.files, "file")
    print(f"{courses}, {files}, {found.to_read} of them to be read; {len(found.left_out)} left out.")
    return EXIT_OK


def show_progress(events: Iterable[object]) -> None:
    """Run something long, telling on standard error how far it is."""
    for event in events:
        _show(event)


def _show(event: object) -> None:
    if isinstance(event, IndexProgress):
        note(f"indexing {event.done}/{event.total}")
    elif isinstance(event, TransferProgress) and event.step in (TransferStep.COPYING, TransferStep.ADDING):
        note(f"{event.step} {event.done}/{event.total}")
    elif isinstance(event, FileStarted):
        note(f"embedding {event.index}/{event.total}: {event.path}")


def note(text: str) -> None:
    """Say something that is not the result."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: dict[str, Any]) -> None:
    """Print the result for a program."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


COMMANDS: dict[str, Callable[[RAGSystem, argparse.Namespace], int]] = {
    "plan": plan,
    "remove": remove,
    "trash list": list_trash,
    "trash restore": restore,
    "trash empty": empty_trash,
    "export": export_library,
    "import": import_library,
}
READING = frozenset({"plan", "trash list", "export"})
"""Those that change nothing, and so work beside a window."""


def _entry_as_dict(entry: TrashEntry) -> dict[str, Any]:
    return {
        "course_title": entry.course_title,
        "paths": list(entry.paths),
        "passages": entry.passages,
        "removed": _iso(entry.removed),
        "deleted_after": _iso(entry.removed + TRASH_DAYS * _DAY),
    }


def _import_report(done: LibraryImported) -> dict[str, Any]:
    return {
        "documents": done.documents,
        "passages": done.passages,
        "conversations": done.conversations,
        "already_there": done.already_there,
        "left_out": [{"path": item.path, "reason": item.reason} for item in done.left_out],
        "embedded_again": done.embedded_again,
    }


def _all_counted(documents: int, passages: int, conversations: int) -> str:
    parts = (counted(documents, "file"), counted(passages, "passage"))
    return ", ".join((*parts, counted(conversations, "conversation")))


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def counted(number: int, what: str) -> str:
    """Return "1 passage", "3 passages"."""
    return f"1 {what}" if number == 1 else f"{number} {what}s"
