"""The arguments of the program; light, since every start reads them."""

from __future__ import annotations

import argparse
from pathlib import Path

from app import __version__

EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_PARTLY, EXIT_INTERRUPTED = 0, 1, 2, 3, 130


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; without a subcommand it opens the window."""
    parser = argparse.ArgumentParser(
        prog="lectern", description="Ask your course material, and see where every answer comes from."
    )
    parser.add_argument("--version", action="version", version=f"lectern {__version__}")
    parser.add_argument("--data-dir", metavar="DIR", help="directory of the library")
    parser.add_argument(
        "--debug",
        action="store_true",
        help="log how the start goes, and every moment in which the window did not answer",
    )
    parser.add_argument(
        "--selfcheck", action="store_true", help="try everything on a library of its own, and say what works"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    ingest = commands.add_parser("ingest", help="add or refresh folders and files")
    ingest.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    ingest.add_argument("--rebuild", action="store_true", help="put everything into the trash first")
    plan = commands.add_parser("plan", help="which courses folders and files would become")
    plan.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    courses = commands.add_parser("courses", help="list courses, lessons and passages")
    search = commands.add_parser("search", help="find passages")
    search.add_argument("query", nargs="?")
    search.add_argument("--questions", type=Path, metavar="FILE", help="one JSON object a line")
    search.add_argument("--limit", type=_positive)
    search.add_argument("--max-chars", type=_positive)
    ask = commands.add_parser("ask", help="answer a question with numbered sources")
    ask.add_argument("question")
    ask.add_argument("--model", metavar="ID")
    for command in (search, ask):
        command.add_argument("--course", metavar="NAME")
        command.add_argument("--lesson", type=int, metavar="N")
    doctor = commands.add_parser("doctor", help="what is installed, where data lies, what is missing")
    doctor.add_argument("--repair", action="store_true", help="mend what can be mended")
    remove = commands.add_parser("remove", help="put a course, a file or a folder into the trash")
    _add_name(remove, "COURSE|FILE|FOLDER", "everything in the library")
    trash = commands.add_parser("trash", help="what was removed: list it, bring it back, delete it for good")
    actions = trash.add_subparsers(dest="action", metavar="list|restore|empty", required=True)
    listing = actions.add_parser("list", help="what was removed, latest first")
    restore = actions.add_parser("restore", help="bring back a course, a file or a folder")
    _add_name(restore, "NAME", "everything in the trash")
    empty = actions.add_parser("empty", help="delete it for good and give its room back")
    export = commands.add_parser("export", help="write courses, conversations and settings to one file")
    taking = commands.add_parser("import", help="take in a file that export wrote")
    taking.add_argument("--replace", action="store_true", help="in place of everything that is there")
    for command in (export, taking):
        command.add_argument("file", type=Path, metavar="FILE")
    with_json = (ingest, plan, courses, search, ask, doctor, remove, listing, restore, empty, export, taking)
    for command in with_json:
        command.add_argument("--json", action="store_true", help="print JSON")
    return parser


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
