"""The program's arguments. Imports little: every start parses them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from app import __version__

EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_PARTLY = 0, 1, 2, 3
EXIT_SIGNAL = 128  # and the number of the signal that ended a command: 130 after Ctrl+C, 143 after SIGTERM
EXIT_NO_READER = EXIT_SIGNAL + 13  # as after SIGPIPE, which ends other programs that write to ``head``

_SEARCH = (
    "Find passages in the courses, best first; no model is asked. A search that finds nothing, or names a "
    "course that does not exist, says so and is no error: the exit code is 0."
)
_ASK = (
    "Answer a question from the courses, with numbered sources and how much of the answer they support. "
    "Without an API key, the passages found are the answer. Ctrl+C keeps what came. The exit code is 1 "
    "if the answer failed, the course does not exist or the monthly budget is spent, and 130 after Ctrl+C."
)
_MODEL = (
    "Choose the embedding model and embed the library with it: “default” is the one that comes with Lectern, "
    "“multilingual” is for all languages and is downloaded once (488 MB), FOLDER holds a "
    "sentence-transformers model, and OWNER/NAME is one on the Hugging Face hub. The same command resumes "
    "an interrupted download."
)

_RERANKER = (
    "Choose a model that compares the best passages of each search with the question again: “default” is "
    "for English and is downloaded once (92 MB), “off” turns this off, FOLDER holds a cross-encoder of the "
    "BERT family, and OWNER/NAME is one on the Hugging Face hub. The same command resumes an interrupted "
    "download."
)


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; leave the program with status 2 if it is wrong."""
    parser = build_parser()
    arguments = parser.parse_args(_with_command(sys.argv[1:] if argv is None else argv))
    if arguments.command == "ingest" and not arguments.paths and (arguments.rebuild or not arguments.retry):
        parser.error("ingest needs a PATH, or --retry")
    if arguments.command == "ingest" and arguments.retry and arguments.one_course is not None:
        parser.error("--one-course and --course-per-folder do not go with --retry")
    return arguments


def _with_command(argv: Sequence[str]) -> Sequence[str]:
    """Add the command that desktops leave out when they open files with a program."""
    is_path = bool(argv) and Path(argv[0]).is_absolute()
    return ["open", *argv] if is_path else argv


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; without a subcommand it opens the window."""
    parser = argparse.ArgumentParser(
        prog="lectern", description="Ask your course material and see where every answer comes from."
    )
    _add_global(parser)
    parser.add_argument(
        "--selfcheck", action="store_true", help="try everything on a temporary library and report what works"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    opening = commands.add_parser("open", help="open the window and add folders and files there")
    opening.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    ingest = commands.add_parser("ingest", help="add or refresh folders and files")
    ingest.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    ingest.add_argument(
        "--retry", action="store_true", help="also read files that failed earlier; without PATH, all of them"
    )
    ingest.add_argument("--rebuild", action="store_true", help="move everything to the trash first")
    plan = commands.add_parser("plan", help="show the courses that folders and files would become")
    plan.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    for command in (ingest, plan):
        layout = command.add_mutually_exclusive_group()
        layout.add_argument(
            "--one-course",
            action="store_true",
            default=None,
            help="each folder PATH is one course, kept later",
        )
        layout.add_argument(
            "--course-per-folder",
            dest="one_course",
            action="store_false",
            default=None,
            help="each folder in a folder PATH is a course, kept later",
        )
    courses = commands.add_parser("courses", help="list courses, lessons and passages")
    search = commands.add_parser("search", help="find passages", description=_SEARCH)
    _describe_search(search)
    ask = commands.add_parser("ask", help="answer a question with numbered sources", description=_ASK)
    ask.add_argument("question", metavar="QUESTION", help="in plain words")
    ask.add_argument("--model", metavar="ID", help="ask this model instead of the one in the settings")
    ask.add_argument(
        "--second-look", action="store_true", help="put claims that are left open to the cheapest model"
    )
    for command in (search, ask):
        command.add_argument(
            "--course", metavar="NAME", help="only in this course; part of its title is enough"
        )
        command.add_argument("--lesson", type=int, metavar="N", help="only in the lesson with this number")
    doctor = commands.add_parser("doctor", help="report what is installed, stored and missing")
    doctor.add_argument("--repair", action="store_true", help="repair what can be repaired")
    doctor.add_argument(
        "--restore",
        nargs="?",
        const="",
        metavar="BACKUP",
        help="list the backups, or restore one by name, by day, or “latest”",
    )
    remove = commands.add_parser("remove", help="move a course, a file or a folder to the trash")
    _add_name(remove, "COURSE|FILE|FOLDER", "everything in the library")
    trash = commands.add_parser("trash", help="list, restore or permanently delete what was removed")
    actions = trash.add_subparsers(dest="action", metavar="list|restore|empty", required=True)
    listing = actions.add_parser("list", help="list what was removed, latest first")
    restore = actions.add_parser("restore", help="restore a course, a file or a folder")
    _add_name(restore, "NAME", "everything in the trash")
    empty = actions.add_parser("empty", help="permanently delete everything and free its disk space")
    model = commands.add_parser("model", help="show or choose the embedding model")
    model_actions = model.add_subparsers(dest="action", metavar="show|use", required=True)
    showing = model_actions.add_parser("show", help="show the embedding model in use")
    using = model_actions.add_parser("use", help="embed the library with another model", description=_MODEL)
    using.add_argument("name", metavar="NAME", help="default, multilingual, FOLDER or OWNER/NAME")
    reranker = commands.add_parser("reranker", help="show or choose the reranking model, or none")
    reranker_actions = reranker.add_subparsers(dest="action", metavar="show|use", required=True)
    telling = reranker_actions.add_parser("show", help="show the reranking model")
    choosing = reranker_actions.add_parser("use", help="choose a reranking model", description=_RERANKER)
    choosing.add_argument("name", metavar="NAME", help="default, off, FOLDER or OWNER/NAME")
    export = commands.add_parser("export", help="write courses, conversations and settings to one file")
    importing = commands.add_parser("import", help="import a file that export wrote")
    importing.add_argument("--replace", action="store_true", help="replace the whole library")
    for command in (export, importing):
        command.add_argument("file", type=Path, metavar="FILE")
    reporting = [ingest, plan, courses, search, ask, doctor, remove, listing, restore, empty]
    reporting += [showing, using, telling, choosing]
    for command in (*reporting, export, importing):
        command.add_argument("--json", action="store_true", help="print JSON")
    for command in (*reporting, export, importing, opening, trash, model, reranker):
        _add_global(command, default=argparse.SUPPRESS)  # which keeps a value given before the command
    return parser


def _describe_search(search: argparse.ArgumentParser) -> None:
    search.add_argument("query", nargs="?", metavar="QUERY", help="a question or words")
    search.add_argument(
        "--questions",
        type=Path,
        metavar="FILE",
        help="search for each line of FILE, a JSON object with “question” and, if wanted, “course_name” and "
        "“lesson_number”; print one JSON object a line",
    )
    search.add_argument(
        "--limit",
        type=_positive,
        metavar="K",
        help="at most K passages; by default as many as in the settings",
    )
    search.add_argument(
        "--max-chars", type=_positive, metavar="N", help="best first, at most N characters of text in all"
    )


def _add_global(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    parser.add_argument("--version", action="version", version=f"lectern {__version__}")
    parser.add_argument("--data-dir", metavar="DIR", default=default, help="directory of the library")
    parser.add_argument(
        "--debug",
        action="store_true",
        default=default or False,
        help="log the stages of the start and whenever the window stops responding; "
        "print the details of a command's errors",
    )


def _add_name(command: argparse.ArgumentParser, metavar: str, everything: str) -> None:
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument("name", nargs="?", metavar=metavar)
    what.add_argument("--all", action="store_true", help=everything)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        message = f"{text} is not a positive number"
        raise argparse.ArgumentTypeError(message)
    return value
