"""Quiz questions as GIFT, Moodle's format for text files, see https://docs.moodle.org/en/GIFT_format."""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from app.features.study.exports.moodle import category, feedback, typed_answers
from app.features.study.exports.wording import line, name, options, to_html
from app.features.study.kinds import KINDS

if TYPE_CHECKING:
    from pathlib import Path

    from app.features.study.model.items import Deck, Item

_ARROW = "->"
_SIGNS = re.compile(r"[\\~=#{}:]")


def write_gift(decks: list[tuple[Deck, list[Item]]], path: Path) -> None:
    """Write all questions, those of each lesson in a category of its own."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for deck, items in decks:
            for place, own in groupby(items, partial(category, deck)):
                # Only what a backslash begins would be changed in the name of a category.
                file.write("$CATEGORY: {}\n\n".format(place.replace("\\", r"\\")))
                file.writelines(f"{_question(item)}\n\n" for item in own)


def _question(item: Item) -> str:
    r"""Return a question on one line, since an empty one would end it.

    Each answer has its format or its percentage before it, so that no text is taken for one of these.
    """
    if KINDS[item.kind].has_choices:
        signs = {True: "=", False: "~"}
        answers = [f"{signs[option == item.text.back]}{_html(option)}" for option in options(item)]
    else:
        answers = [f"=%100%{_escaped(form)}" for answer in typed_answers(item) for form in _typed(answer)]
    said = f"::{_escaped(name(item))}::{_html(to_html(item.text.front), ready=True)}"
    return f"// {line(item.uid)}\n{said} {{{' '.join(answers)} ####{_html(feedback(item), ready=True)}}}"


def _typed(answer: str) -> tuple[str, ...]:
    """Return forms of a typed answer: nothing escapes "->", which would make pairs to be matched.

    Moodle shows the first, and takes the other for what is typed: its asterisk stands for any characters.
    """
    return (answer,) if _ARROW not in answer else (answer.replace(_ARROW, "→"), answer.replace(_ARROW, "-*"))


def _html(text: str, *, ready: bool = False) -> str:
    return f"[html]{_escaped(text if ready else to_html(text))}"


def _escaped(text: str) -> str:
    return _SIGNS.sub(lambda found: f"\\{found[0]}", text).replace("\n", r"\n")
