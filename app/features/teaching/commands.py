"""The commands on exams and course checks."""

from pathlib import Path

from app.cli.command import Command, argument, course

_MAP = (
    "Say which lessons teach what an exam asks, or that it is not in the material; no model is asked. FILE "
    "has questions or learning goals, as text, Markdown, Word, PDF or in any other format that is read. "
    "A question that is not taught gets the nearest passages. At the end are the lessons that no question "
    "asks for, of the courses that teach any of the questions."
)
_CHECK = (
    "Search for the questions of a course check again, and say which of their passages are no longer found; "
    "no model is asked. FILE was made from a chat in the window (Teacher › Make a check…), or by hand: a "
    "JSON object a line, with “question” and “passages”, each with a “quote”. The exit code is 1 if a "
    "passage is no longer found."
)


_FILE = argument("file", type=Path, metavar="FILE")
COMMANDS = (
    Command(
        name="map",
        help="say which lessons teach what an exam asks",
        run="app.features.teaching.cli:map_questions",
        description=_MAP,
        arguments=(
            _FILE,
            course("only this course"),
            argument("--csv", type=Path, metavar="FILE", help="also write a table as CSV"),
            argument("--markdown", type=Path, metavar="FILE", help="also write it as Markdown"),
        ),
    ),
    Command(
        name="check",
        help="check that questions still find their passages",
        run="app.features.teaching.cli:check",
        description=_CHECK,
        arguments=(_FILE,),
    ),
)
