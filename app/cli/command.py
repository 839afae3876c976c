"""How a command of the command line is declared, by the core or by a feature."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

Argument = tuple[tuple[str, ...], dict[str, Any]]
"""What argparse's ``add_argument`` takes."""


class OneOf(NamedTuple):
    """Arguments of which one can be given, or has to be."""

    arguments: tuple[Argument, ...]
    is_required: bool = False


def argument(*names: str, **options: Any) -> Argument:  # noqa: ANN401 - argparse's
    return names, options


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command, declared without importing the code that runs it: every start parses the command line.

    Attributes:
        name: one word, or two for an action of a group, such as "trash list".
        help: a line in the list of commands.
        run: "module:function", called with the library and the parsed arguments and returning an exit code
            or None; without ``opens_library``, with the arguments and the services that features add.
        arguments: that it takes, in order.
        description: above its arguments; empty for none.
        check: raises :class:`SystemExit` for arguments that do not go together, through ``arguments.refuse``.
        writes: opens the library for writing; other commands work beside a window.
        asks: waits for what is typed, which no token ends.
        opens_library: False for a command that opens the library by itself.
        prints_json: takes ``--json``.
    """

    name: str
    help: str
    run: str
    arguments: tuple[Argument | OneOf, ...] = ()
    description: str = ""
    check: Callable[[argparse.Namespace], None] | None = None
    writes: bool = False
    asks: bool = False
    opens_library: bool = True
    prints_json: bool = True


def course(what: str = "only in this course") -> Argument:
    return argument("--course", metavar="NAME", help=f"{what}; part of its title is enough")


def name_or_all(metavar: str, everything: str) -> OneOf:
    name = argument("name", nargs="?", metavar=metavar)
    return OneOf((name, argument("--all", action="store_true", help=everything)), is_required=True)


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        message = f"{text} is not a positive number"
        raise argparse.ArgumentTypeError(message)
    return value


def words(text: str) -> str:
    if not text.strip():
        message = "it is empty"
        raise argparse.ArgumentTypeError(message)
    return text
