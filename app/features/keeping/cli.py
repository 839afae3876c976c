"""The commands on the trash, on files that hold a library, and on its examination."""

import argparse
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app import __version__
from app.cli.arguments import EXIT_ERROR, EXIT_OK, EXIT_PARTLY
from app.cli.commands import parts
from app.cli.interruptions import TOKEN
from app.cli.output import counted, fields, note, print_json, say, show_progress, shown
from app.config.files import writing
from app.config.paths import user_config_dir, user_data_dir
from app.config.settings import adopt, load_settings, save_settings
from app.core.rag_system import AddServices, RAGSystem
from app.core.storage.backups import list_backups
from app.core.storage.restore import find_backup, restore_closed
from app.domain.errors import UserError
from app.domain.keeping import LibraryExported, LibraryImported, TrashEntry
from app.features.keeping.doctor import examine
from app.features.keeping.transfer import TransferService

_COUNTS = ("documents", "passages", "conversations")


def doctor(arguments: argparse.Namespace, services: Sequence[AddServices]) -> int:
    if arguments.restore is not None:
        return restore_backup(user_data_dir(arguments.data_dir), arguments)
    settings, data_dir, embedder = parts(arguments)
    report = examine(data_dir, settings, embedder, services, repair=arguments.repair, progress=note)
    if arguments.json:
        print_json(report.as_dict())
    else:
        say(f"lectern {__version__}")
        say(f"data in {data_dir}")
        for name, count in report.counts.items():
            say(f"  {name}: {'unknown' if count is None else count}")
        if report.local_model:
            say(f"answers by {report.local_model}")
        if report.speech_models:
            say(f"recordings heard by {', '.join(report.speech_models)}, run by CTranslate2")
        for problem in report.problems:
            say(f"problem: {problem.what}")
            say(f"    fix: {problem.fix}")
        if report.ok and None in report.counts.values():
            say("What was checked is in order.")
        elif report.ok:
            say("Everything is in order.")
    return EXIT_OK if report.ok else EXIT_ERROR


def list_trash(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    entries = rag.trash.entries()
    if arguments.json:
        print_json({"trash": [_trash_json(entry) for entry in entries]})
        return
    if not entries:
        say("The trash is empty.")
    for entry in entries:
        day = datetime.fromtimestamp(entry.removed).strftime("%Y-%m-%d %H:%M")
        say(f"{entry.course_title} ({_amount((entry,))}), removed {day}")
        for path in entry.paths:
            say(f"  {path}")


def restore(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    entries = rag.trash.entries() if arguments.all else tuple(rag.trash.find(arguments.name))
    show_progress(rag.open_index(TOKEN))
    show_progress(rag.trash.restore([key for entry in entries for key in entry.documents], TOKEN))
    _print_entries("restored", entries, as_json=arguments.json)


def empty_trash(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    entries = rag.trash.entries()
    show_progress(rag.open_index(TOKEN))
    show_progress(rag.trash.empty(TOKEN))
    _print_entries("deleted", entries, as_json=arguments.json)


def _print_entries(done: str, entries: tuple[TrashEntry, ...], *, as_json: bool) -> None:
    if as_json:
        print_json({done: [_trash_json(entry) for entry in entries]})
    else:
        say(f"{done.capitalize()} {_amount(entries)}.")


def _amount(entries: tuple[TrashEntry, ...]) -> str:
    files, passages = sum(len(entry.paths) for entry in entries), sum(entry.passages for entry in entries)
    items = sum(entry.items for entry in entries)
    studied = f", {counted(items, 'study item')}" if items else ""
    return f"{counted(files, 'file')}, {counted(passages, 'passage')}{studied}"


def _trash_json(entry: TrashEntry) -> dict[str, Any]:
    return {
        **fields(entry, "course_title", "paths", "passages", "items"),
        "removed": _iso(entry.removed),
        "deleted_after": _iso(entry.kept_until),
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def restore_backup(data_dir: Path, arguments: argparse.Namespace) -> int:
    """List the backups, or restore one; works without a library that can be opened."""
    backups = list_backups(data_dir)
    if arguments.restore:
        backup = find_backup(backups, arguments.restore)
        kept = restore_closed(data_dir, backup)
        if arguments.json:
            print_json({"restored": backup.path.name, "kept": kept and str(kept)})
        else:
            say(f"Restored {backup.path.name}.")
            if kept:
                say(f"The library as it was is kept in {kept}.")
    elif arguments.json:
        names = ("made", "reason", "version", "size")
        print_json({"backups": [{"name": item.path.name, **fields(item, *names)} for item in backups]})
    else:
        for item in backups:
            say(f"{item.made:%Y-%m-%d %H:%M}  {item.reason:8}{item.size / 1e6:8,.1f} MB  {item.path.name}")
        if backups:
            say("Restore one with “lectern doctor --restore NAME”; the library as it is will be kept.")
        else:
            say("There are no backups.")
    return EXIT_OK


def export_library(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    *_, done = shown(rag.service(TransferService).export_library(arguments.file.absolute(), TOKEN))
    assert isinstance(done, LibraryExported)
    if arguments.json:
        print_json({"file": str(done.path), **fields(done, *_COUNTS)})
    else:
        say(f"Exported {_contents(done)} to {done.path}.")


def import_library(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    show_progress(rag.open_index(TOKEN))
    file = arguments.file.absolute()
    *_, done = shown(rag.service(TransferService).import_library(file, TOKEN, replace=arguments.replace))
    assert isinstance(done, LibraryImported)
    is_whole = _save(done.settings) and not done.left_out
    if done.embedded_again:
        note("It was made with another embedding model or passage size, so its texts were embedded again.")
    if arguments.json:
        left_out = [fields(item, "path", "reason") for item in done.left_out]
        numbers = fields(done, *_COUNTS, "already_there")
        print_json({**numbers, "left_out": left_out, "embedded_again": done.embedded_again})
    else:
        say(f"Imported {_contents(done)}; already there: {counted(done.already_there, 'file')}.")
        for item in done.left_out:
            say(f"left out: {item.path}: {item.reason}")
    return EXIT_OK if is_whole else EXIT_PARTLY


def _save(settings: Mapping[str, Any]) -> bool:
    """Save the settings of an archive; return whether that worked."""
    file = user_config_dir() / "settings.json"
    try:
        with writing(file, "config.settings_not_saved"):
            if settings:
                save_settings(adopt(load_settings(file), settings), file)
    except UserError as error:
        note(error.message)
        return False
    return True


def _contents(event: LibraryExported | LibraryImported) -> str:
    parts = (("file", event.documents), ("passage", event.passages), ("conversation", event.conversations))
    return ", ".join(counted(number, what) for what, number in parts)
