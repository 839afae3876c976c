"""The commands on what the library holds, and on its embedding model."""

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path, PurePath
from typing import Any

from app.cli.arguments import EXIT_OK, EXIT_PARTLY
from app.cli.commands import change_settings
from app.cli.interruptions import TOKEN
from app.cli.output import counted, fields, note, print_json, say, show_progress, shown
from app.core.ingest.trash import TRASH_DAYS
from app.core.rag_system import RAGSystem
from app.domain.cancel import Cancelled
from app.domain.courses import Corrections, Course, LibraryCounts, PlannedFolder
from app.domain.embedding_models import model_choice
from app.domain.errors import LecternError, ModelMissing, UserError
from app.domain.events import FileDone, FileStatus, IngestDone
from app.domain.file_paths import root_of
from app.domain.messages import Message

_SAID_BY_KIND = ("ingest.translation", "ingest.illustration")  # of which a course may have thousands


def ingest(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    rag.prepare_model(TOKEN, note)
    show_progress(rag.open_index(TOKEN))
    paths, rebuild, layout = arguments.paths, arguments.rebuild, _layout(rag, arguments)
    if arguments.retry:
        paths = paths or [Path(file.path) for file in rag.ingest.failures()]
        events = rag.ingest.retry(paths, TOKEN, clear=rebuild)
    else:
        events = rag.ingest.add_course_folder(paths, TOKEN, clear=rebuild, corrections=layout)
    files: list[FileDone] = []
    try:
        for event in shown(events):
            if isinstance(event, FileDone):
                files.append(event)
            elif isinstance(event, IngestDone):
                done = event  # the last one counts: if the library had to be indexed again, that came first
    except LecternError as error:
        if arguments.json:
            print_json({**_report(rag.courses.counts(), files), "error": error.message})
        raise
    done, is_whole = _with_scans(rag, done) if rag.settings.recognize_text else (done, True)
    failed = [file for file in done.files if file.status is FileStatus.FAILED]
    if arguments.json:
        rate = round(done.passages_embedded / done.seconds, 1) if done.seconds else 0.0
        print_json(
            {
                **_report(done.counts, done.files),
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


def _report(counts: LibraryCounts, files: Sequence[FileDone]) -> dict[str, Any]:
    names = ("path", "status", "course_title", "passages", "embedded", "reason")
    return {**fields(counts, "courses", "passages"), "files": [fields(file, *names) for file in files]}


def _with_scans(rag: RAGSystem, done: IngestDone) -> tuple[IngestDone, bool]:
    """Recognize the files' scanned pages; return the updated report.

    Also return whether that was not interrupted. What was recognized until then is kept, and reported.
    """
    files = {file.path: file for file in done.files}
    is_whole = True
    try:
        for event in shown(rag.ingest.recognize(TOKEN, only=frozenset(files))):
            if isinstance(event, FileDone):
                known = files.get(event.path, event)
                files[event.path] = event._replace(reason=known.reason) if known.is_incomplete else event
            elif isinstance(event, IngestDone):
                done = done._replace(
                    seconds=done.seconds + event.seconds,
                    passages_embedded=done.passages_embedded + event.passages_embedded,
                )
    except Cancelled:
        is_whole = False
    for failed in rag.ingest.failures():  # where nothing was recognized, the reason is another one now
        if failed.path in files:
            files[failed.path] = failed
    return done._replace(files=tuple(files.values()), counts=rag.courses.counts()), is_whole


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
        if item.reason.id not in _SAID_BY_KIND:
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
    records = rag.courses.files() if arguments.all else rag.courses.find(arguments.name)
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


DEFAULT = "default"


def use(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    setting, before = _setting(arguments.name), rag.settings.embedding_model
    rag.reindex.check_model(setting)  # first: it may refuse
    rag.settings = change_settings(embedding_model=setting)
    rag.reindex.choose_model(setting)
    show_progress(rag.open_index(TOKEN))
    try:
        show_progress(rag.reindex.ensure_current(TOKEN, note, download=True))
    except ModelMissing:  # a download that broke off is resumed
        change_settings(embedding_model=before)
        raise
    show(rag, arguments)


def _setting(name: str) -> str:
    if name == DEFAULT:
        return ""
    return str(Path(name).expanduser().absolute()) if isinstance(model_choice(name), Path) else name


def show(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    chosen, used = rag.settings.embedding_model or DEFAULT, rag.reindex.version().model
    is_current = not rag.reindex.needed()
    if arguments.json:
        print_json({"chosen": chosen, "used": used, "current": is_current})
        return
    say(f"{used}, chosen as “{chosen}”")
    if not is_current:
        say(f"The library is not yet embedded with it; “lectern model use {chosen}” does that.")
