"""The commands on decks."""

import argparse
from pathlib import Path

from app.cli.command import Command, OneOf, argument, course, positive
from app.features.study.model.names import EXPORTS, MADE

_MAKE = (
    "Make cards, gap texts, quiz questions, terms and points of a study guide. Each rests on a sentence of "
    "the course that was checked. With --automatic no model is asked: terms and gap texts come from "
    "glossaries, definitions and terms in bold. The exit code is 1 if nothing was made, and 3 if it ended "
    "early."
)
_REVIEW = (
    "Review what is due in the terminal: Enter shows the answer, 1 to 4 say how well it was known, u undoes, "
    "q ends. Each rating is kept at once. With --json, print what is left to do today, and ask nothing."
)


def _check_make(arguments: argparse.Namespace) -> None:
    from app.features.study.kinds import AUTOMATIC  # not at every start

    possible = AUTOMATIC if arguments.automatic else MADE
    arguments.kinds = arguments.kinds or (possible if arguments.automatic else ("card",))
    if not set(arguments.kinds) <= set(possible):
        arguments.refuse(f"--automatic makes {' and '.join(possible)} only")


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(dict.fromkeys(text.split(",")))
    unknown = [kind for kind in kinds if kind not in MADE]
    if unknown:
        message = f"{unknown[0]} is none of {', '.join(MADE)}"
        raise argparse.ArgumentTypeError(message)
    return kinds


_COURSE = course("only this course")
COMMANDS = (
    Command(
        name="study make",
        help="make items from the courses",
        run="app.features.study.cli:make",
        description=_MAKE,
        arguments=(
            _COURSE,
            argument("--lesson", type=int, action="append", metavar="N", help="only this lesson; repeatable"),
            argument("--kinds", type=_kinds, metavar="KIND,…", help=f"of {', '.join(MADE)}"),
            argument("--number", type=positive, default=20, metavar="N", help="of items; 20 by default"),
            argument("--difficulty", choices=("easy", "medium", "hard"), default="medium"),
            argument("--language", default="", metavar="CODE", help="such as de; by default the course's"),
            argument("--automatic", action="store_true", help="terms and gap texts, without a model"),
            argument("--model", metavar="ID", help="ask this model instead of the one in the settings"),
        ),
        check=_check_make,
        writes=True,
    ),
    Command(
        name="study due",
        help="show what is due today",
        run="app.features.study.cli:due",
        arguments=(_COURSE,),
    ),
    Command(
        name="study review",
        help="review what is due",
        run="app.features.study.cli:review",
        description=_REVIEW,
        arguments=(_COURSE,),
        writes=True,
        asks=True,
    ),
    Command(
        name="study marks",
        help="list what was marked in the lessons",
        run="app.features.study.cli:marks",
        description="List what was marked in the lessons, with the notes, or write it to a file as Markdown.",
        arguments=(
            argument("course", nargs="?", metavar="COURSE", help="part of its title is enough"),
            argument("--find", metavar="WORDS", help="only marks with these words in text or note"),
            argument("--export", type=Path, metavar="FILE", help="write a Markdown file instead"),
        ),
    ),
    Command(
        name="study export",
        help="write decks to a file",
        run="app.features.study.cli:export",
        description="Write decks to a file for other programs, or as Markdown to print.",
        arguments=(
            _COURSE,
            OneOf(
                tuple(
                    argument(form.option, dest=name, type=Path, metavar="FILE", help=form.help)
                    for name, form in EXPORTS.items()
                ),
                is_required=True,
            ),
            argument("--schedule", action="store_true", help="for Anki: with how well the cards are known"),
        ),
    ),
)
