"""The kinds of items, what an item says, and the forms of export; the command line also imports it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class ItemKind(StrEnum):
    """What an item is; :mod:`app.features.study.kinds` says how it is made, shown, asked and exported."""

    CARD = "card"  # a question and its answer
    CLOZE = "cloze"  # a sentence with gaps
    CHOICE = "choice"  # a question with one right answer among wrong ones
    SHORT = "short"  # a question whose answer is typed
    TERM = "term"  # a term and the course's own definition
    POINT = "point"  # a claim of the study guide
    MARK = "mark"  # what a reader marked in a lesson


MADE = tuple(kind for kind in ItemKind if kind is not ItemKind.MARK)
"""The kinds that are made of a text and learnt; marks are kept with them, and listed by themselves."""


@dataclass(frozen=True, slots=True)
class ItemText:
    """What an item says, as Markdown without HTML. What the parts mean depends on its kind.

    ========  ==========================  ==================  ===========================
    kind      front                       back                others
    ========  ==========================  ==================  ===========================
    card      question                    answer              none
    cloze     text with ``{{c1::gap}}``   empty               none
    choice    question                    right answer        wrong answers
    short     question                    answer              other answers that are right
    term      term                        definition          none
    point     heading of the section      claim               none
    mark      what is marked              note, may be empty  none
    ========  ==========================  ==================  ===========================
    """

    front: str
    back: str = ""
    others: tuple[str, ...] = ()
    explanation: str = ""  # why the answer is right; may be empty


class ExportFormat(StrEnum):
    ANKI = "anki"
    CSV = "csv"
    MOODLE = "moodle"
    GIFT = "gift"
    GUIDE = "guide"
    QUIZ = "quiz"
    GLOSSARY = "glossary"
    MARKS = "marks"


class ExportForm(NamedTuple):
    option: str  # of the command line
    help: str
    suffixes: tuple[str, ...]  # of files, the usual one first; only the window writes PDF


EXPORTS = {
    ExportFormat.ANKI: ExportForm("--apkg", "a package for Anki", (".apkg",)),
    ExportFormat.CSV: ExportForm("--csv", "a table", (".csv",)),
    ExportFormat.MOODLE: ExportForm("--moodle", "the quiz as Moodle XML", (".xml",)),
    ExportFormat.GIFT: ExportForm("--gift", "the quiz as GIFT", (".gift", ".txt")),
    ExportFormat.GUIDE: ExportForm("--guide", "the study guide as Markdown", (".md", ".pdf")),
    ExportFormat.QUIZ: ExportForm(
        "--quiz", "the quiz as Markdown, its answers on a page of their own", (".md", ".pdf")
    ),
    ExportFormat.GLOSSARY: ExportForm("--glossary", "the glossary as Markdown", (".md", ".pdf")),
    ExportFormat.MARKS: ExportForm("--marks", "marks and notes as Markdown", (".md", ".pdf")),
}
