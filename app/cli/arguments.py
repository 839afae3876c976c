"""The program's arguments. Imports little: every start parses them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from app import __version__
from app.domain.links import is_link

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
_MAP = (
    "Say which lessons teach what an exam asks, or that it is not in the material; no model is asked. FILE "
    "has questions or learning goals, as text, Markdown, Word, PDF or in any other format that is read. "
    "A question that is not taught gets the nearest passages. At the end are the lessons that no question "
    "asks for, of the courses that teach any of the questions."
)
_CHECK = (
    "Search for the questions of a course check again, and say which of their passages are no longer found; "
    "no model is asked. FILE was made from a chat in the window (Course › Make a check…), or by hand: a JSON "
    "object a line, with “question” and “passages”, each with a “quote”. The exit code is 1 if a passage is "
    "no longer found."
)
_MODEL = (
    "Choose the embedding model and embed the library with it: “default” is the one that comes with Lectern, "
    "“multilingual” is for all languages and is downloaded once (488 MB), FOLDER holds a "
    "sentence-transformers model, and OWNER/NAME is one on the Hugging Face hub. The same command resumes "
    "an interrupted download."
)

_MCP = (
    "Let another assistant search the library and read its lessons, by the Model Context Protocol on "
    "standard input and output; the assistant starts this command. Nothing in the library is changed, and "
    "a window may be open beside it."
)
_MAKE = (
    "Make cards, gap texts, quiz questions, terms and points of a study guide. Each rests on a sentence of "
    "the course that was checked. With --automatic no model is asked: terms and gap texts come from "
    "sentences that define something. The exit code is 1 if nothing was made, and 3 if it ended early."
)
_REVIEW = (
    "Review what is due in the terminal: Enter shows the answer, 1 to 4 say how well it was known, u undoes, "
    "q ends. Each rating is kept at once. With --json, print what would be asked, in order, and ask nothing."
)
_STUDY_EXPORT = "Write decks to a file for other programs, or as Markdown to print."
_SUBSCRIBE = (
    "Add the library that somebody published on a Chroma server: its courses are listed, searched and cited "
    "beside your own. Nothing is written there. The token is that of LECTERN_CHROMA_TOKEN or the keychain; "
    "on a terminal it is asked for. Without URL, all subscriptions are listed; the exit code is 3 if one of "
    "them cannot be used now."
)
_PUBLISH = (
    "Put courses on a Chroma server, where others can search them: all but the samples, or those named. Only "
    "what has changed is sent; an interrupted run is continued by the same command. Where nothing is named, "
    "courses that this library has published and no longer has are removed. The token is that of "
    "LECTERN_CHROMA_TOKEN or of the system's keychain; on a terminal it is asked for. The exit code is 3 if "
    "only some courses could be published."
)
_STUDY_FORMATS = (
    ("--apkg", "anki", "a package for Anki"),
    ("--csv", "csv", "a table"),
    ("--moodle", "moodle", "the quiz as Moodle XML"),
    ("--gift", "gift", "the quiz as GIFT"),
    ("--guide", "guide", "the study guide as Markdown"),
    ("--quiz", "quiz", "the quiz as Markdown, its answers on a page of their own"),
    ("--glossary", "glossary", "the glossary as Markdown"),
)
ITEM_KINDS = ("card", "cloze", "choice", "short", "term", "point")
AUTOMATIC_KINDS = ("term", "cloze")


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; leave the program with status 2 if it is wrong."""
    parser = build_parser()
    arguments = parser.parse_args(_with_command(sys.argv[1:] if argv is None else argv))
    if arguments.command == "ingest" and not arguments.paths and (arguments.rebuild or not arguments.retry):
        parser.error("ingest needs a PATH, or --retry")
    if arguments.command == "ingest" and arguments.retry and arguments.one_course is not None:
        parser.error("--one-course and --course-per-folder do not go with --retry")
    if (arguments.command, getattr(arguments, "action", None)) == ("study", "make"):
        possible = AUTOMATIC_KINDS if arguments.automatic else ITEM_KINDS
        arguments.kinds = arguments.kinds or (possible if arguments.automatic else ("card",))
        if not set(arguments.kinds) <= set(possible):
            arguments.refuse(f"--automatic makes {' and '.join(possible)} only")
    return arguments


def _with_command(argv: Sequence[str]) -> Sequence[str]:
    """Add the command that desktops leave out when they open files with a program."""
    is_given = bool(argv) and (is_link(argv[0]) or _opened_path(argv[0]).is_absolute())
    return ["open", *argv] if is_given else argv


def _opened(text: str) -> Path | str:
    """Return a path, or a link, whose slashes a path would lose."""
    return text if is_link(text) else _opened_path(text)


def _opened_path(text: str) -> Path:
    """Return the path of a file as it is, or as desktops give it to programs that take links too."""
    if text[:8].lower() == "file:///":
        return Path(url2pathname(urlsplit(text).path))
    return Path(text)


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

    opening = commands.add_parser(
        "open", help="open the window and add folders and files there, or show what a link leads to"
    )
    opening.add_argument("paths", nargs="+", type=_opened, metavar="PATH|LINK")
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
    mapping = commands.add_parser("map", help="say which lessons teach what an exam asks", description=_MAP)
    mapping.add_argument("--course", metavar="NAME", help="only this course; part of its title is enough")
    mapping.add_argument("--csv", type=Path, metavar="FILE", help="also write a table as CSV")
    mapping.add_argument("--markdown", type=Path, metavar="FILE", help="also write it as Markdown")
    check = commands.add_parser(
        "check", help="check that questions still find their passages", description=_CHECK
    )
    doctor = commands.add_parser("doctor", help="report what is installed, stored and missing")
    doctor.add_argument("--repair", action="store_true", help="repair what can be repaired")
    doctor.add_argument(
        "--restore",
        nargs="?",
        const="",
        metavar="BACKUP",
        help="list the backups, or restore one by name, by day, or “latest”",
    )
    study, studying = _add_study(commands)
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
    publish, subscribe = _add_publish(commands), _add_subscribe(commands)
    serving = commands.add_parser("mcp", help="serve the library to another assistant", description=_MCP)
    export = commands.add_parser("export", help="write courses, conversations and settings to one file")
    importing = commands.add_parser("import", help="import a file that export wrote")
    importing.add_argument("--replace", action="store_true", help="replace the whole library")
    for command in (export, importing, mapping, check):
        command.add_argument("file", type=Path, metavar="FILE")
    reporting = [ingest, plan, courses, search, ask, doctor, remove, listing, restore, empty]
    reporting += [showing, using, mapping, check, publish, subscribe, *studying]
    for command in (*reporting, export, importing):
        command.add_argument("--json", action="store_true", help="print JSON")
    for command in (*reporting, export, importing, opening, serving, trash, model, study):
        _add_global(command, default=argparse.SUPPRESS)  # which keeps a value given before the command
    return parser


def _add_study(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> tuple[argparse.ArgumentParser, list[argparse.ArgumentParser]]:
    """Add the commands on decks; return their parent and them."""
    study = commands.add_parser("study", help="make cards and quizzes, review them, give them away")
    actions = study.add_subparsers(dest="action", metavar="make|due|review|export", required=True)
    make = actions.add_parser("make", help="make items from the courses", description=_MAKE)
    due = actions.add_parser("due", help="show what is due today")
    review = actions.add_parser("review", help="review what is due", description=_REVIEW)
    export = actions.add_parser("export", help="write decks to a file", description=_STUDY_EXPORT)
    make.set_defaults(refuse=make.error)  # with the usage of this command
    for command in (make, due, review, export):
        command.add_argument("--course", metavar="NAME", help="only this course; part of its title is enough")
    make.add_argument("--lesson", type=int, action="append", metavar="N", help="only this lesson; repeatable")
    make.add_argument("--kinds", type=_kinds, metavar="KIND,…", help=f"of {', '.join(ITEM_KINDS)}")
    make.add_argument("--number", type=_positive, default=20, metavar="N", help="of items; 20 by default")
    make.add_argument("--difficulty", choices=("easy", "medium", "hard"), default="medium")
    make.add_argument("--language", default="", metavar="CODE", help="such as de; by default the course's")
    make.add_argument("--automatic", action="store_true", help="terms and gap texts, without a model")
    make.add_argument("--model", metavar="ID", help="ask this model instead of the one in the settings")
    formats = export.add_mutually_exclusive_group(required=True)
    for option, name, what in _STUDY_FORMATS:
        formats.add_argument(option, dest=name, type=Path, metavar="FILE", help=what)
    export.add_argument("--schedule", action="store_true", help="for Anki: with how well the cards are known")
    return study, [make, due, review, export]


def _add_publish(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    publish = commands.add_parser("publish", help="put courses on a Chroma server", description=_PUBLISH)
    publish.add_argument("url", metavar="URL", help="of the server, such as https://chroma.example.org:8000")
    _describe_server(publish)
    for option, what in (("--course", "publish only this course"), ("--remove", "remove this course there")):
        publish.add_argument(
            option,
            action="append",
            default=[],
            metavar="NAME",
            help=f"{what}; part of its title is enough; repeatable",
        )
    publish.add_argument(
        "--replace", action="store_true", help="also courses that another library has published"
    )
    publish.add_argument("--dry-run", action="store_true", help="only say what would be done")
    return publish


def _add_subscribe(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    subscribe = commands.add_parser(
        "subscribe", help="search the courses of a Chroma server, too", description=_SUBSCRIBE
    )
    subscribe.add_argument("url", nargs="?", metavar="URL", help="such as https://chroma.example.org:8000")
    _describe_server(subscribe)
    subscribe.add_argument("--remove", action="store_true", help="forget the library, and its token")
    return subscribe


def _describe_server(command: argparse.ArgumentParser) -> None:
    """Add what tells a database of a server, besides its URL."""
    command.add_argument("--tenant", default="", metavar="T", help="“default_tenant” unless given")
    command.add_argument("--database", default="", metavar="D", help="“default_database” unless given")
    command.add_argument(
        "--ca", default="", metavar="FILE", help="certificates to trust, for a server of your own (PEM)"
    )


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


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(dict.fromkeys(text.split(",")))
    unknown = [kind for kind in kinds if kind not in ITEM_KINDS]
    if unknown:
        message = f"{unknown[0]} is none of {', '.join(ITEM_KINDS)}"
        raise argparse.ArgumentTypeError(message)
    return kinds


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        message = f"{text} is not a positive number"
        raise argparse.ArgumentTypeError(message)
    return value
