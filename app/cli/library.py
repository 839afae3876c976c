"""The commands on what the library holds."""

import argparse
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

from app.cli.arguments import EXIT_OK, EXIT_PARTLY
from app.cli.interruptions import TOKEN
from app.cli.output import counted, fields, note, print_json, say, show_progress, shown
from app.config.paths import user_config_dir
from app.config.settings import adopt, load_settings, save_settings
from app.core.rag_system import RAGSystem
from app.core.storage.backups import list_backups
from app.core.storage.restore import find_backup, restore_closed
from app.domain.cancel import Cancelled
from app.domain.courses import Course
from app.domain.errors import UserError
from app.domain.events import FileDone, FileStatus, IngestDone
from app.domain.file_paths import root_of
from app.domain.messages import Message
from app.domain.plan import Corrections, PlannedFolder
from app.domain.trash import TrashEntry
from app.features.keeping.transfer.model import LibraryExported, LibraryImported
from app.features.keeping.trash.service import TRASH_DAYS
from app.features.shared.cli import refuse_shared

_COUNTS = ("documents", "passages", "conversations")


def ingest(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    rag.prepare_model(TOKEN, note)
    show_progress(rag.open_index(TOKEN))
    paths, rebuild, layout = arguments.paths, arguments.rebuild, _layout(rag, arguments)
    if arguments.retry:
        paths = paths or [Path(file.path) for file in rag.ingest.failures()]
        events = rag.ingest.retry(paths, TOKEN, clear=rebuild)
    else:
        events = rag.ingest.add_course_folder(paths, TOKEN, clear=rebuild, corrections=layout)
    # The last one counts: if the library had to be indexed again, that came first.
    done = [event for event in shown(events) if isinstance(event, IngestDone)][-1]
    done, is_whole = _with_scans(rag, done) if rag.settings.recognize_text else (done, True)
    failed = [file for file in done.files if file.status is FileStatus.FAILED]
    if arguments.json:
        names = ("path", "status", "course_title", "passages", "embedded", "reason")
        rate = round(done.passages_embedded / done.seconds, 1) if done.seconds else 0.0
        print_json(
            {
                **fields(done.counts, "courses", "passages"),
                "files": [fields(file, *names) for file in done.files],
                "folders": [asdict(folder) for folder in done.folders],
                "seconds": round(done.seconds, 3),
                "passages_per_second": rate,
            }
        )
    else:
        say(f"{counted(done.counts.courses, 'course')}, {counted(done.counts.passages, 'passage')}")
        if not done.files:
            say("There are no files to read in what you chose." if paths else "No file failed earlier.")
        for file in done.files:
            if file.reason:
                say(f"{file.status}: {file.path}: {file.reason}")
        _say_layout(done.folders, layout)
        if failed:
            say(f"{len(failed)} of {counted(len(done.files), 'file')} could not be read.")
    if not is_whole:
        raise Cancelled
    # Among many files some are always beyond reading; a script should go on with the others.
    return EXIT_PARTLY if failed and len(failed) == len(done.files) else EXIT_OK


def _with_scans(rag: RAGSystem, done: IngestDone) -> tuple[IngestDone, bool]:
    """Have their scanned pages recognised; return the report with what became of these files.

    Also return whether that was not interrupted. What was recognised until then is kept, and reported.
    """
    files = {file.path: file for file in done.files}
    is_whole = True
    try:
        for event in shown(rag.ingest.recognize(TOKEN, only=frozenset(files))):
            if isinstance(event, FileDone):
                known = files.get(event.path, event)
                files[event.path] = replace(event, reason=known.reason) if known.is_incomplete else event
            elif isinstance(event, IngestDone):
                done = replace(
                    done,
                    seconds=done.seconds + event.seconds,
                    passages_embedded=done.passages_embedded + event.passages_embedded,
                )
    except Cancelled:
        is_whole = False
    for failed in rag.ingest.failures():  # where nothing was recognised, the reason is another one now
        if failed.path in files:
            files[failed.path] = failed
    return replace(done, files=tuple(files.values()), counts=rag.courses.counts()), is_whole


def plan(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    layout = _layout(rag, arguments)
    found = rag.ingest.plan(arguments.paths, TOKEN, layout)
    if arguments.json:
        print_json({**asdict(found), "files": found.files, "to_read": found.to_read})
        return
    for course in found.courses:
        say(course.title)
        for file in course.files:
            number = "–" if file.lesson_number is None else file.lesson_number
            say(f"  {number}  {file.lesson_title or PurePath(file.path).name}  ({file.state}: {file.path})")
    for item in found.left_out:
        say(f"left out: {item.path}: {item.reason}")
    reasons = Counter(item.reason for item in found.left_out)
    for reason, count in reasons.most_common():
        say(f"left out, {counted(count, 'file')}: {reason}")
    _say_layout(found.folders, layout)
    courses, files = counted(len(found.courses), "course"), counted(found.files, "file")
    say(f"{courses}, {files}, {found.to_read} of them to be read; {len(found.left_out)} left out.")


def _layout(rag: RAGSystem, arguments: argparse.Namespace) -> Corrections | None:
    """Return whether each chosen folder is one course, if the user says so.

    Raises:
        UserError: a folder lies in one that has been decided on as a whole.
    """
    if arguments.one_course is None:
        return None
    folders = [os.path.realpath(path) for path in arguments.paths if path.is_dir()]
    known = {} if arguments.command == "ingest" and arguments.rebuild else rag.ingest.folders()
    for folder in folders:
        outer = root_of(os.path.dirname(folder), {*known, *folders})
        if outer is not None and folder not in known:
            raise UserError(Message("ingest.inside_chosen", path=folder, outer=outer))
    return Corrections(one_course=tuple((folder, arguments.one_course) for folder in folders))


def _say_layout(folders: Sequence[PlannedFolder], wanted: Corrections | None) -> None:
    for folder in folders:
        if folder.one_course:
            say(f"{folder.path} is one course. --course-per-folder makes each folder in it a course.")
        else:
            say(f"Each folder in {folder.path} is a course. --one-course makes one course of it.")
    open_to_decision = {folder.path for folder in folders}
    for path, one_course in wanted.one_course if wanted else ():
        if path not in open_to_decision and not one_course:
            say(f"{path} is one course: no folder in it can be a course of its own.")


def courses(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    listed = rag.search.courses()
    if arguments.json:
        print_json({"courses": [_course_json(course) for course in listed]})
        return
    if not listed:
        say("There are no courses; “lectern ingest” adds some.")
    for course in listed:
        place = f", on {course.server}" if course.server else ""
        say(f"{course.title} ({counted(course.passages, 'passage')}{place})")
        for lesson in course.lessons:
            number = "–" if lesson.number is None else lesson.number
            title = lesson.title or ("(no lessons)" if lesson.number is None else f"Lesson {lesson.number}")
            say(f"  {number}  {title} ({lesson.passages})")


def _course_json(course: Course) -> dict[str, Any]:
    return {
        **fields(course, "title", "instructor", "link", "passages", "files"),
        "lessons": [fields(lesson, "number", "title", "link", "passages") for lesson in course.lessons],
        "server": course.server or None,
    }


def remove(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    try:
        records = rag.courses.files() if arguments.all else rag.courses.find(arguments.name)
    except UserError as error:
        if error.message.id == "ingest.unknown_name":
            refuse_shared(rag, arguments.name)
        raise
    show_progress(rag.open_index(TOKEN))
    rag.courses.remove([record.document_id for record in records], TOKEN)
    if arguments.json:
        names = ("path", "course_title", "passages")
        print_json({"removed": [fields(record, *names) for record in records]})
    elif not records:
        say("The library is empty.")
    else:
        for title in dict.fromkeys(record.course_title for record in records):
            say(title)
        passages = sum(record.passages for record in records)
        say(
            f"Removed {counted(len(records), 'file')}, {counted(passages, 'passage')}. "
            f"“lectern trash restore” brings them back within {TRASH_DAYS} days."
        )


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
    *_, done = shown(rag.transfer.export_library(arguments.file.absolute(), TOKEN))
    assert isinstance(done, LibraryExported)
    if arguments.json:
        print_json({"file": str(done.path), **fields(done, *_COUNTS)})
    else:
        say(f"Exported {_contents(done)} to {done.path}.")


def import_library(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    show_progress(rag.open_index(TOKEN))
    file = arguments.file.absolute()
    *_, done = shown(rag.transfer.import_library(file, TOKEN, replace=arguments.replace))
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
        if settings:
            save_settings(adopt(load_settings(file), settings), file)
    except OSError as error:
        reason = error.strerror or str(error)
        note(Message("config.settings_not_saved", path=file, reason=reason))
        return False
    return True


def _contents(event: LibraryExported | LibraryImported) -> str:
    parts = (("file", event.documents), ("passage", event.passages), ("conversation", event.conversations))
    return ", ".join(counted(number, what) for what, number in parts)
