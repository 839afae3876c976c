"""The commands on decks."""

import argparse
from calendar import day_name
from dataclasses import replace
from datetime import date
from pathlib import Path

from app.cli.arguments import ASKED
from app.cli.command import Command, OneOf, argument, course, positive
from app.features.study.model.names import EXPORTS, MADE

_MAKE = (
    "Make cards, gap texts, quiz questions, terms and points of a study guide. Each rests on a sentence of "
    "the course that was checked. With --automatic no model is asked: terms and gap texts come from "
    "glossaries, definitions and terms in bold. The exit code is 1 if nothing was made, and 3 if it ended "
    "early."
)
_HINTS = (
    "Lead to an answer: where to look, what to look for, the passage with gaps, the answer. Enter goes on, q "
    "ends, and anything else you type is a try."
)
_REVIEW = (
    "Review what is due in the terminal: Enter shows the answer, 1 to 4 say how well it was known, u undoes, "
    "q ends. Each rating is kept at once. With --json, print what is left to do today, and ask nothing."
)

_PLAN = (
    "Plan the days to the exam of a course: which lessons and how many cards come on which day, so that each "
    "card will be recalled on that day with the wanted probability. The date, the minutes, the retention and "
    "the days off are kept; the plan is computed anew each day from them and from what was reviewed."
)


def _check_make(arguments: argparse.Namespace) -> None:
    from app.features.study.kinds import AUTOMATIC  # not at every start

    possible = AUTOMATIC if arguments.automatic else MADE
    arguments.kinds = arguments.kinds or (possible if arguments.automatic else ("card",))
    if not set(arguments.kinds) <= set(possible):
        arguments.refuse(f"--automatic makes {' and '.join(possible)} only")


def _check_plan(arguments: argparse.Namespace) -> None:
    names = ("day", "minutes", "retention", "days_off", "paper", "studied")
    if arguments.no_exam or any(getattr(arguments, name) is not None for name in names):
        arguments.chosen = replace(arguments.chosen, writes=True)  # else it works beside a window


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        message = f"{text} is not a date such as 2026-05-31"
        raise argparse.ArgumentTypeError(message) from None


def _off(text: str) -> frozenset[int | date]:
    """Read days off: names of weekdays, of which the beginning is enough, and dates."""
    found: set[int | date] = set()
    for part in filter(None, text.lower().split(",")):
        weekdays = {at for at, name in enumerate(day_name) if name.lower().startswith(part)}
        found |= weekdays if len(weekdays) == 1 else {_date(part)}
    return frozenset(found)


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
        name="study hints",
        help="lead to an answer by hints",
        run="app.features.study.cli:hints",
        description=_HINTS,
        arguments=(
            *ASKED,
            argument("--step", type=int, choices=(1, 2, 3, 4), help="print one, or with 4 the answer"),
        ),
        asks=True,
    ),
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
        name="study plan",
        help="plan the days to an exam",
        run="app.features.study.cli:plan",
        description=_PLAN,
        arguments=(
            argument("course", metavar="COURSE", help="part of its title is enough"),
            argument("--exam", dest="day", type=_date, metavar="DATE", help="of the exam, as YYYY-MM-DD"),
            argument("--minutes", type=int, metavar="N", help="of study a day; 30 at first"),
            argument("--retention", type=int, metavar="R", help="percent to recall on that day; 90 at first"),
            argument(
                "--off",
                dest="days_off",
                type=_off,
                metavar="DAY,…",
                help='such as sun,2026-05-01; "" for none',
            ),
            argument("--paper", type=Path, metavar="FILE", help="past paper or goals that weigh the lessons"),
            argument("--studied", type=int, action="append", metavar="N", help="lesson N is studied"),
            argument("--no-exam", action="store_true", help="forget the date"),
            argument("--ics", type=Path, metavar="FILE", help="write the days to a calendar file"),
        ),
        check=_check_plan,
    ),
    Command(
        name="study marks",
        help="list what was marked in the lessons",
        run="app.features.study.cli:marks",
        description="List what was marked in the lessons, with the notes.",
        arguments=(
            argument("course", nargs="?", metavar="COURSE", help="part of its title is enough"),
            argument("--find", metavar="WORDS", help="only marks with these words in text or note"),
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
            argument("--schedule", action="store_true", help="for Anki: also how well each card is known"),
        ),
    ),
)
