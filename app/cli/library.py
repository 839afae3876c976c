"""The commands on what the library holds."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from app.cli.arguments import EXIT_OK, EXIT_PARTLY
from app.cli.output import (
    counted,
    course_json,
    fields,
    ingest_json,
    note,
    print_json,
    show_event,
    show_progress,
    trash_json,
)
from app.config.paths import user_config_dir
from app.config.settings import adopt, load_settings, save_settings
from app.core.trash.service import TRASH_DAYS
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.events import FileStatus, IngestDone
from app.domain.transfer import LibraryExported, LibraryImported

if TYPE_CHECKING:
    import argparse

    from app.core.rag_system import RAGSystem
    from app.domain.trash import TrashEntry

_COUNTS = ("documents", "passages", "conversations")


def ingest(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    token = CancelToken()
    rag.prepare_model(token, note)
    show_progress(rag.open_index(token))
    done: IngestDone | None = None
    for event in rag.ingest.add_course_folder(arguments.paths, token, clear=arguments.rebuild):
        show_event(event)
        # The last one counts: if the library had to be indexed again, that came first.
        done = event if isinstance(event, IngestDone) else done
    if done is None:
        message = "Nothing was read."
        raise UserError(message)
    if arguments.json:
        print_json(ingest_json(done))
    else:
        print(f"{counted(done.counts.courses, 'course')}, {counted(done.counts.passages, 'passage')}")
        if not done.files:
            print("There are no files to read in what you chose.")
        for file in done.files:
            if file.reason:
                print(f"{file.status}: {file.path}: {file.reason}")
    return EXIT_PARTLY if any(file.status is FileStatus.FAILED for file in done.files) else EXIT_OK


def plan(rag: RAGSystem, arguments: argparse.Namespace) -> int:
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


def courses(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    listed = rag.courses.all()
    if arguments.json:
        print_json({"courses": [course_json(course) for course in listed]})
        return EXIT_OK
    for course in listed:
        print(f"{course.title} ({counted(course.passages, 'passage')})")
        for lesson in course.lessons:
            number = "–" if lesson.number is None else lesson.number
            title = lesson.title or ("(no lessons)" if lesson.number is None else f"Lesson {lesson.number}")
            print(f"  {number}  {title} ({lesson.passages})")
    return EXIT_OK


def remove(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    records = rag.courses.files() if arguments.all else rag.courses.find(arguments.name)
    token = CancelToken()
    show_progress(rag.open_index(token))
    rag.courses.remove([record.document_id for record in records], token)
    if arguments.json:
        names = ("path", "course_title", "passages")
        print_json({"removed": [fields(record, *names) for record in records]})
    elif not records:
        print("The library is empty.")
    else:
        for title in dict.fromkeys(record.course_title for record in records):
            print(title)
        passages = sum(record.passages for record in records)
        print(
            f"Removed {counted(len(records), 'file')}, {counted(passages, 'passage')}. "
            f"“lectern trash restore” brings them back within {TRASH_DAYS} days."
        )
    return EXIT_OK


def list_trash(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    entries = rag.trash.entries()
    if arguments.json:
        print_json({"trash": [trash_json(entry) for entry in entries]})
        return EXIT_OK
    if not entries:
        print("The trash is empty.")
    for entry in entries:
        day = datetime.fromtimestamp(entry.removed).strftime("%Y-%m-%d %H:%M")
        print(f"{entry.course_title} ({_amount((entry,))}), removed {day}")
        for path in entry.paths:
            print(f"  {path}")
    return EXIT_OK


def restore(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    entries = rag.trash.entries() if arguments.all else tuple(rag.trash.find(arguments.name))
    token = CancelToken()
    show_progress(rag.open_index(token))
    show_progress(rag.trash.restore([key for entry in entries for key in entry.documents], token))
    _print_entries("restored", entries, as_json=arguments.json)
    return EXIT_OK


def empty_trash(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    entries = rag.trash.entries()
    token = CancelToken()
    show_progress(rag.open_index(token))
    show_progress(rag.trash.empty(token))
    _print_entries("deleted", entries, as_json=arguments.json)
    return EXIT_OK


def _print_entries(done: str, entries: tuple[TrashEntry, ...], *, as_json: bool) -> None:
    if as_json:
        print_json({done: [trash_json(entry) for entry in entries]})
    else:
        print(f"{done.capitalize()} {_amount(entries)}.")


def _amount(entries: tuple[TrashEntry, ...]) -> str:
    files, passages = sum(len(entry.paths) for entry in entries), sum(entry.passages for entry in entries)
    return f"{counted(files, 'file')}, {counted(passages, 'passage')}"


def export_library(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    for event in rag.transfer.export_library(arguments.file.absolute(), CancelToken()):
        show_event(event)
        if isinstance(event, LibraryExported):
            if arguments.json:
                print_json({"file": str(event.path), **fields(event, *_COUNTS)})
            else:
                print(f"Exported {_contents(event)} to {event.path}.")
    return EXIT_OK


def import_library(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    token = CancelToken()
    show_progress(rag.open_index(token))
    done: LibraryImported | None = None
    for event in rag.transfer.import_library(arguments.file.absolute(), token, replace=arguments.replace):
        show_event(event)
        done = event if isinstance(event, LibraryImported) else done
    if done is None:
        return EXIT_OK
    if done.settings:
        settings_file = user_config_dir() / "settings.json"
        save_settings(adopt(load_settings(settings_file), done.settings), settings_file)
    if done.embedded_again:
        note("It was made with another embedding model or passage size, so its texts were embedded again.")
    if arguments.json:
        left_out = [{"path": item.path, "reason": str(item.reason)} for item in done.left_out]
        print_json(
            {
                **fields(done, *_COUNTS, "already_there"),
                "left_out": left_out,
                "embedded_again": done.embedded_again,
            }
        )
    else:
        print(f"Imported {_contents(done)}; already there: {counted(done.already_there, 'file')}.")
        for item in done.left_out:
            print(f"left out: {item.path}: {item.reason}")
    return EXIT_PARTLY if done.left_out else EXIT_OK


def _contents(event: LibraryExported | LibraryImported) -> str:
    parts = (("file", event.documents), ("passage", event.passages), ("conversation", event.conversations))
    return ", ".join(counted(number, what) for what, number in parts)
