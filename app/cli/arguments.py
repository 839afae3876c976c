"""The program's arguments. Imports little: every start parses them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from app import __version__
from app.cli.command import Command, OneOf, argument, course, name_or_all, positive, words
from app.domain.links import is_link

EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_PARTLY = 0, 1, 2, 3
EXIT_SIGNAL = 128  # and the number of the signal that ended a command: 130 after Ctrl+C, 143 after SIGTERM
EXIT_NO_READER = EXIT_SIGNAL + 13  # as after SIGPIPE, which ends other programs that write to ``head``

_SEARCH = (
    "Find passages in the courses, best first; no model is asked. A search that finds nothing, or names a "
    "course that does not exist, says so and is no error: the exit code is 0."
)
_ASK = (
    "Answer a question from the courses, with numbered sources and how much of it is in line with them. "
    "Without an API key, the passages found are the answer. Ctrl+C keeps what came. The exit code is 1 "
    "if the answer failed, the course does not exist or the monthly budget is spent, and 130 after Ctrl+C."
)
_HEAR = (
    "Transcribe recordings and add them to the library; citations lead to the second. Without FILE, list "
    "recordings that have neither captions nor a transcript, and the models with the time they take here. "
    "The model is downloaded once. After Ctrl+C, the same command goes on from the last minute."
)
_MODEL = (
    "Choose the embedding model and embed the library with it: “default” is the one that comes with Lectern, "
    "“multilingual” is for all languages and is downloaded once (488 MB), and FOLDER holds a "
    "sentence-transformers model. The same command resumes an interrupted download."
)
_LOCAL = (
    "Let a model on this computer write the answers: nothing is sent anywhere, and no key is needed. MODEL "
    "is downloaded if it is not there; the same command resumes an interrupted download. Without MODEL, it "
    "is the best one for this computer."
)
_MCP = (
    "Let another assistant search the library and read its lessons, by the Model Context Protocol on "
    "standard input and output; the assistant starts this command. Nothing in the library is changed, and "
    "a window may be open beside it."
)


def parse_arguments(argv: Sequence[str] | None, commands: Sequence[Command] = ()) -> argparse.Namespace:
    """Parse the command line; leave the program with status 2 if it is wrong.

    ``commands`` are added by features to the core's own. ``arguments.chosen`` is the command's declaration;
    None opens the window.
    """
    words = _with_command(sys.argv[1:] if argv is None else argv)
    options = argparse.ArgumentParser(prog="lectern", add_help=False)
    _add_global(options)
    options.set_defaults(command=None, chosen=None, selfcheck=False)
    arguments, rest = options.parse_known_args(words)
    if rest:  # a start of the window does without the parsers of all commands
        arguments = build_parser(commands).parse_args(words)
    if arguments.chosen is not None and arguments.chosen.check is not None:
        arguments.chosen.check(arguments)
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
        from urllib.request import url2pathname  # loads an HTTP client, which few starts need

        return Path(url2pathname(urlsplit(text).path))
    return Path(text)


def build_parser(commands: Sequence[Command] = ()) -> argparse.ArgumentParser:
    """Return the parser of the whole command line; without a subcommand it opens the window."""
    parser = argparse.ArgumentParser(
        prog="lectern", description="Ask your course material and see where every answer comes from."
    )
    _add_global(parser)
    parser.set_defaults(chosen=None)
    parser.add_argument(
        "--selfcheck", action="store_true", help="try everything on a temporary library and report what works"
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    opening = subparsers.add_parser(
        "open", help="open the window and add folders and files there, or show what a link leads to"
    )
    opening.add_argument("paths", nargs="+", type=_opened, metavar="PATH|LINK")
    _add_global(opening, default=argparse.SUPPRESS)
    groups = {"": subparsers}
    commands = (*COMMANDS, *commands)
    for command in commands:
        group, _, action = command.name.rpartition(" ")
        _add_command(_group(groups, group, commands), action, command)
    return parser


def _group(
    groups: "dict[str, argparse._SubParsersAction[argparse.ArgumentParser]]",
    name: str,
    commands: Sequence[Command],
) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    """Return what holds the commands of a group, which may be within another one."""
    if name not in groups:
        above, _, last = name.rpartition(" ")
        actions = [
            one.name.removeprefix(name).split()[0] for one in commands if one.name.startswith(f"{name} ")
        ]
        parent = _group(groups, above, commands).add_parser(last, help=GROUPS[name])
        metavar = "|".join(dict.fromkeys(actions))
        groups[name] = parent.add_subparsers(dest="action", metavar=metavar, required=True)
        _add_global(parent, default=argparse.SUPPRESS)
    return groups[name]


def _add_command(
    parent: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, command: Command
) -> None:
    added = parent.add_parser(name, help=command.help, description=command.description or None)
    for item in command.arguments:
        group = (
            added.add_mutually_exclusive_group(required=item.is_required)
            if isinstance(item, OneOf)
            else added
        )
        for names, options in item.arguments if isinstance(item, OneOf) else (item,):
            group.add_argument(*names, **options)
    added.set_defaults(chosen=command, refuse=added.error)  # with the usage of this command
    if command.prints_json:
        added.add_argument("--json", action="store_true", help="print JSON")
    _add_global(added, default=argparse.SUPPRESS)  # which keeps a value given before the command


def _check_ingest(arguments: argparse.Namespace) -> None:
    if not arguments.paths and (arguments.rebuild or not arguments.retry):
        arguments.refuse("ingest needs a PATH, or --retry")
    if arguments.retry and arguments.one_course is not None:
        arguments.refuse("--one-course and --course-per-folder do not go with --retry")


def _check_search(arguments: argparse.Namespace) -> None:
    if (arguments.query is None) == (arguments.questions is None):
        arguments.refuse("Give a question, or --questions FILE.")


def _add_global(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    parser.add_argument("--version", action="version", version=f"lectern {__version__}")
    parser.add_argument("--data-dir", metavar="DIR", default=default, help="directory of the library")
    parser.add_argument(
        "--debug",
        action="store_true",
        default=default or False,
        help="print the details of a command's errors",
    )


_LAYOUT = OneOf(
    (
        argument(
            "--one-course",
            action="store_true",
            default=None,
            help="each folder PATH is one course, kept later",
        ),
        argument(
            "--course-per-folder",
            dest="one_course",
            action="store_false",
            default=None,
            help="each folder in a folder PATH is a course, kept later",
        ),
    )
)
_SCOPE = (course(), argument("--lesson", type=int, metavar="N", help="only in the lesson with this number"))
ASKED = (
    argument("question", type=words, metavar="QUESTION", help="in plain words"),
    argument("--model", metavar="ID", help="ask this model instead of the one in the settings"),
    argument(
        "--second-look", action="store_true", help="put claims that were not found to the cheapest model"
    ),
    *_SCOPE,
)
GROUPS = {
    "model": "show or choose the embedding model, and what runs models for answers on this computer",
    "model local": "models that answer on this computer",
    "study": "make cards and quizzes, review them, give them away",
    "trash": "list, restore or permanently delete what was removed",
}
COMMANDS = (
    Command(
        name="ingest",
        help="add or refresh folders and files",
        run="app.cli.library:ingest",
        arguments=(
            argument("paths", nargs="*", type=Path, metavar="PATH"),
            argument(
                "--retry",
                action="store_true",
                help="also read files that failed earlier; without PATH, all of them",
            ),
            argument("--rebuild", action="store_true", help="move everything to the trash first"),
            _LAYOUT,
        ),
        check=_check_ingest,
        writes=True,
    ),
    Command(
        name="plan",
        help="show the courses that folders and files would become",
        run="app.cli.library:plan",
        arguments=(argument("paths", nargs="+", type=Path, metavar="PATH"), _LAYOUT),
    ),
    Command(name="courses", help="list courses, lessons and passages", run="app.cli.library:courses"),
    Command(
        name="search",
        help="find passages",
        run="app.cli.answers:search",
        description=_SEARCH,
        arguments=(
            argument("query", nargs="?", metavar="QUERY", help="a question or words"),
            argument(
                "--questions",
                type=Path,
                metavar="FILE",
                help="search for each line of FILE, a JSON object with “question” and, if wanted, "
                "“course_name” and “lesson_number”; print one JSON object a line",
            ),
            argument(
                "--limit",
                type=positive,
                metavar="K",
                help="at most K passages; by default as many as in the settings",
            ),
            argument(
                "--max-chars",
                type=positive,
                metavar="N",
                help="best first, at most N characters of text in all",
            ),
            *_SCOPE,
        ),
        check=_check_search,
    ),
    Command(
        name="ask",
        help="answer a question with numbered sources",
        run="app.cli.answers:ask",
        description=_ASK,
        arguments=ASKED,
    ),
    Command(
        name="hear",
        help="transcribe recordings, or list those without captions",
        run="app.cli.hearing:hear",
        description=_HEAR,
        arguments=(
            argument("files", nargs="*", type=Path, metavar="FILE"),
            argument("--model", metavar="ID|FOLDER", help="a model of the list, or a folder that holds one"),
            argument("--language", metavar="CODE", help="the spoken language, such as “de”; else detected"),
            argument(
                "--again",
                action="store_true",
                help="replace the transcript of another model or language, with your corrections",
            ),
            argument("--captions", action="store_true", help="also write NAME.vtt beside each FILE"),
        ),
        writes=True,
    ),
    Command(
        name="remove",
        help="move a course, a file or a folder to the trash",
        run="app.cli.library:remove",
        arguments=(name_or_all("COURSE|FILE|FOLDER", "everything in the library"),),
        writes=True,
    ),
    Command(name="model show", help="show the embedding model in use", run="app.cli.library:show"),
    Command(
        name="model use",
        help="embed the library with another model",
        run="app.cli.library:use",
        description=_MODEL,
        arguments=(argument("name", metavar="NAME", help="default, multilingual or FOLDER"),),
        writes=True,
    ),
    Command(
        name="model local show",
        help="list the models that can answer here, and how fast they are",
        run="app.cli.local_models:show",
    ),
    Command(
        name="model local use",
        help="let one write the answers",
        run="app.cli.local_models:use",
        description=_LOCAL,
        arguments=(argument("name", nargs="?", metavar="MODEL", help="from the list, or a GGUF file"),),
    ),
    *(
        Command(
            name=f"model local {action}",
            help=f"{action} one",
            run=f"app.cli.local_models:{action}",
            arguments=(argument("name", nargs="?", metavar="MODEL", help="by default the best one here"),),
        )
        for action in ("download", "remove")
    ),
    Command(
        name="model servers",
        help="list the programs on this computer that run models for answers",
        run="app.cli.answers:servers",
        opens_library=False,
    ),
    Command(
        name="mcp",
        help="serve the library to another assistant",
        run="app.cli.mcp.server:serve",
        description=_MCP,
        opens_library=False,
        prints_json=False,
    ),
)
