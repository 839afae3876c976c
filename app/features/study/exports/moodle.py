"""Quiz questions for Moodle, as XML and as GIFT.

See https://docs.moodle.org/en/Moodle_XML_format and https://docs.moodle.org/en/GIFT_format.
"""

import re
import xml.etree.ElementTree as ElementTree
from functools import partial
from itertools import groupby
from pathlib import Path
from xml.etree.ElementTree import Element

from app.domain.plain_text import harmless
from app.features.study.exports.wording import (
    as_html,
    line,
    name,
    numbered_lesson,
    options,
    source,
    to_html,
    to_plain,
)
from app.features.study.kinds import KINDS
from app.features.study.model.items import Deck, Item


def write_moodle(decks: list[tuple[Deck, list[Item]]], path: Path) -> None:
    """Write all questions, with a category for each lesson."""
    quiz = ElementTree.Element("quiz")
    for deck, items in decks:
        for place, own in groupby(items, partial(category, deck)):
            said = _add(quiz, "question", type="category")
            _text(_add(said, "category"), place)
            quiz.extend(map(_question, own))
    ElementTree.indent(quiz)
    ElementTree.ElementTree(quiz).write(path, encoding="utf-8", xml_declaration=True)


def category(deck: Deck, item: Item) -> str:
    """Return the path of the category that a question goes to."""
    parts = filter(None, (line(deck.course_title), numbered_lesson(item.source.hit)))
    # A stroke within a name is written twice.
    return "/".join(("$course$", "top", *(part.replace("/", "//") for part in parts)))


def typed_answers(item: Item) -> tuple[str, ...]:
    """Return the right answers as they are typed; a bare asterisk would stand for any text."""
    answers = (to_plain(text).replace("*", r"\*") for text in (item.text.back, *item.text.others))
    return tuple(dict.fromkeys(filter(None, answers)))


def feedback(item: Item) -> str:
    """Return what is shown once a question is answered, as HTML: why, and the sentence of the course."""
    why = to_html(item.text.explanation)
    quoted = f"<blockquote>{as_html(item.quote)}</blockquote><p>{as_html(source(item))}</p>"
    return (f"<p>{why}</p>" if why and not why.startswith("<") else why) + quoted


def _question(item: Item) -> Element:
    is_choice = KINDS[item.kind].has_choices
    question = ElementTree.Element("question", type="multichoice" if is_choice else "shortanswer")
    _text(_add(question, "name"), name(item))
    _text(_add(question, "questiontext", format="html"), to_html(item.text.front))
    _text(_add(question, "generalfeedback", format="html"), feedback(item))
    _add(question, "defaultgrade").text = "1"
    _add(question, "hidden").text = "0"
    _add(question, "idnumber").text = item.uid
    if is_choice:
        _add(question, "single").text = "true"
        _add(question, "shuffleanswers").text = "true"
        _add(question, "answernumbering").text = "abc"
        for option in options(item):
            fraction = "100" if option == item.text.back else "0"
            _text(_add(question, "answer", fraction=fraction, format="html"), to_html(option))
    else:
        _add(question, "usecase").text = "0"
        for answer in typed_answers(item):
            _text(_add(question, "answer", fraction="100", format="moodle_auto_format"), answer)
    tags = _add(question, "tags")
    _text(_add(tags, "tag"), item.difficulty)
    return question


def _add(parent: Element, tag: str, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, tag, attributes)


def _text(parent: Element, text: str) -> None:
    _add(parent, "text").text = harmless(text)


_ARROW = "->"
_SIGNS = re.compile(r"[\\~=#{}:]")


def write_gift(decks: list[tuple[Deck, list[Item]]], path: Path) -> None:
    """Write all questions, with a category for each lesson."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for deck, items in decks:
            for place, own in groupby(items, partial(category, deck)):
                # Only what a backslash begins would be changed in the name of a category.
                file.write("$CATEGORY: {}\n\n".format(place.replace("\\", r"\\")))
                file.writelines(f"{_gift_question(item)}\n\n" for item in own)


def _gift_question(item: Item) -> str:
    r"""Return a question on one line, since an empty one would end it.

    Each answer follows its format or its percentage, so that no text is taken for one of these.
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
