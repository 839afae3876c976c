"""Finds the questions and learning goals in the text of a file, one each.

What is numbered, lettered or a bullet is a question, whether it ends with a question mark or not; other lines
are only if they ask something. Headings, introductions, answers to choose from and answer keys are none.
Parts such as "1 b)" are questions of their own, with the words they share before them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.features.teaching.model import AskedQuestion
from app.features.teaching.question_lines import (
    Mark,
    asks,
    is_furniture,
    is_mark,
    is_of_exam,
    is_section,
    is_task,
    mark_of,
    opens_aside,
    parts_of,
    plain_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_ANSWERS = re.compile(
    r"(?:(?:answer|marking|solution) (?:key|scheme|sheet)|answers?|solutions?|lösung(?:en|sschlüssel)?"
    r"|musterlösung(?:en)?|antworten|respuestas|solucion(?:es|ario)|clave(?: de respuestas)?) ?:?",
    re.IGNORECASE,
)
_TITLE_BEFORE = re.compile(r"\([^()]{1,60}\) ")  # "Exercise 4.2 (Derivatives)", if a task follows
_ROMAN = re.compile(r"[ivx]+", re.IGNORECASE)
_CHOICE = re.compile(
    r"\b(?:which of|match (?:the|each)|select|choose|tick|circle|true or false|welche[rs]? der|kreuze?n?"
    r"|wähle?n?|richtig oder falsch|cuál(?:es)? de|elige|elija|marca|marque|selecciona|verdadero o falso)\b",
    re.IGNORECASE,
)
# What a sentence ends with that is to be finished, and a title does not.
_UNFINISHED = re.compile(
    r"\b(?:is|are|was|were|has|have|the|an?|of|in|by|at|to|for|from|with|called|means|occurs?|consists? of"
    r"|ist|sind|war|hat|haben|bezeichnet|bedeutet|heißt|heißen|besteht|besitzt|aus|von|durch|der|die|das|den|dem"
    r"|ein|eine|es|son|era|tiene|significa|llamad[ao]|un|una|el|la|los|las|de|del|en|por|para|con)$",
    re.IGNORECASE,
)
_EMPTY = "_… "  # room for an answer
_LOWEST = 6  # level of a heading
_TITLE_WORDS = 4
_TITLE = 60  # characters of a line that may head a list
_HEADING_LENGTH = 60  # characters of a line that may be a heading
_WRAPPED = 60  # characters from which on a line without a stop goes on in the next
_LONGEST_GOAL = 200
_MOST_LINES = 40  # of a question; what follows is none of it
_DEEPEST = 16  # spaces before a bullet or number; more count as so many
_GOALS = 0.7  # of all paragraphs end without a stop where they are a list
_FEWEST_WORDS = 3  # of a goal without a number


@dataclass
class _Item:
    kind: str  # of its mark; "text" or "aside" without one
    label: str
    lines: list[str]
    indent: int = 0
    children: list[_Item] = field(default_factory=list)

    @property
    def is_loose(self) -> bool:
        """Whether it has no number, letter or bullet."""
        return self.kind in ("text", "aside")

    @property
    def is_prose(self) -> bool:
        """Whether a list below it is none of its answers."""
        return self.kind == "text" and not self.text.endswith("?")

    @property
    def text(self) -> str:
        return " ".join(" ".join(filter(None, self.lines)).split())


def questions_in(text: str) -> tuple[AskedQuestion, ...]:
    """Return the questions of a text in order."""
    items = _Outline(text).items
    found = [question for item in items for question in _questions(item, "", "")]
    if not found:
        found = _goals([item.text for item in items])
    return tuple(found)


class _Outline:
    """A text as items within items, by their numbers and marks."""

    def __init__(self, text: str) -> None:
        self.items: list[_Item] = []
        self._stack: list[_Item] = []  # the last item, and what it is part of
        self._is_open = False  # whether the next line may go on with the last item
        self._key_level = 0  # of the heading of the answer key that is being read; 0 in none
        is_code = False
        for line in text.split("\n"):
            if _FENCE.match(line):
                is_code = not is_code
            elif not is_code:
                self._take(line)

    def _take(self, line: str) -> None:
        indent = len(line) - len(line.lstrip())
        text = plain_line(line)
        if self._is_in_key(text) or not text or is_furniture(text):
            self._is_open = False
        elif is_section(text):
            self._stack, self._is_open = [], False
        elif text.startswith("|"):
            self._take_row(text)
        elif _HEADING.match(text):
            self._take_heading(_HEADING.sub("", text).strip(), indent)
        else:
            for part in parts_of(text):
                self._take_line(part, indent)

    def _is_in_key(self, text: str) -> bool:
        """Return whether a line is of an answer key, which the next number or a heading beside it ends."""
        heading = _HEADING.match(text)
        level = heading[0].count("#") if heading else _LOWEST
        if _ANSWERS.fullmatch(_HEADING.sub("", text)):
            self._key_level = self._key_level or level
        elif self._key_level and text:
            mark = mark_of(text)
            goes_on = mark is not None and mark.label.isdecimal() and self._is_next(mark.label)
            if goes_on or (heading and level <= self._key_level):
                self._key_level = 0
        return self._key_level > 0

    def _take_heading(self, text: str, indent: int) -> None:
        self._stack, self._is_open = [], False
        mark = mark_of(text)
        if (mark and mark.kind == "label") or text.endswith("?"):
            self._take_line(text, indent)
        elif opens_aside(text):
            self._open_aside(text)

    def _open_aside(self, text: str) -> None:
        self._stack, self._is_open = [_Item("aside", "", [text])], True
        self.items.append(self._stack[0])

    def _take_line(self, text: str, indent: int) -> None:
        mark = self._mark(text)
        if mark is not None:
            self._part_last(mark, text.removesuffix(mark.rest).strip(), indent)
            self._add(mark, indent)
            nested = self._mark(mark.rest) if mark.kind != "bullet" else None
            if nested is not None:
                self._stack[-1].lines = []
                self._add(nested, indent + 1)
        elif self._goes_with_last(text):
            if len(self._stack[-1].lines) < _MOST_LINES:
                self._stack[-1].lines.append(text)
            self._is_open = True
        elif opens_aside(text) and (text.endswith(":") or len(text) < _TITLE):
            self._open_aside(text)
        else:
            self._take_loose(text)

    def _part_last(self, mark: Mark, sign: str, indent: int) -> None:
        """Take the first answer out of the question, where it does not stand on a line of its own."""
        is_second = mark.label in ("b", "B") or sign in ("( )", "()", "[ ]", "[]", "☐", "□", "○")
        if not is_second or not self._stack or self._kind(mark, indent) in [one.kind for one in self._stack]:
            return
        first = f" {sign.replace('b', 'a').replace('B', 'A')} "
        stem, found, answer = self._stack[-1].text.rpartition(first)
        if stem and found:
            self._stack[-1].lines = [stem]
            self._add(mark._replace(label={"b": "a", "B": "A"}.get(mark.label, ""), rest=answer), indent)

    def _goes_with_last(self, text: str) -> bool:
        if not self._stack:
            return False
        last = self._stack[-1]
        if not any(last.lines):  # "Question 3" stands on a line of its own
            return True
        if text.isupper() and not last.lines[-1].isupper():  # the title of what follows
            return False
        return self._is_open and not (last.kind == "text" and _is_apart(last.lines[-1], text))

    def _take_loose(self, text: str) -> None:
        last = self._stack[-1] if self._stack else None
        if last and not last.is_loose and text.endswith("?") and not last.children and "?" not in last.text:
            last.lines.append(text)  # the question to a case that was told before
            return
        if len(text) < _HEADING_LENGTH or text.endswith((":", "?")) or (last and last.is_loose):
            self._stack = []
        item = _Item("text", "", [text])
        self.items.append(item)
        if not self._stack:
            self._stack = [item]
            self._is_open = True

    def _take_row(self, text: str) -> None:
        """Take the longest cell of a row, with the mark in the first one."""
        cells = [cell for cell in map(plain_line, text.strip("|").split("|")) if cell]
        asked = max(cells, key=len, default="")
        self._is_open = False
        if asked and asked != cells[0] and is_mark(cells[0]) and not is_furniture(asked):
            self._take_line(f"{cells[0].rstrip('.:)')}) {asked}", 0)
        elif self._mark(asked) or _asks(asked):
            self._stack = []
            for part in parts_of(asked):
                self._take_line(part, 0)

    def _mark(self, text: str) -> Mark | None:
        """Return the mark of a line, unless it is a number that begins the rest of a wrapped sentence."""
        mark = mark_of(text)
        if mark is None:
            return None
        if mark.kind == "dotted" and not self._is_part(mark.label):
            return None
        return None if mark.kind == "bare" and not self._is_next(mark.label) else mark

    def _is_part(self, label: str) -> bool:
        """Return whether "2.1" numbers a part."""
        before = [item.label for item in self._stack if item.label]
        return label.endswith(".1") or any(one.split(".")[0] == label.split(".")[0] for one in before)

    def _is_next(self, label: str) -> bool:
        last = [int(item.label) for item in self._stack if item.label.isdecimal()]
        return int(label) - 1 in last or (label == "1" and not last)

    def _add(self, mark: Mark, indent: int) -> None:
        """Put an item beside the last one with the same kind of mark, or into the last one."""
        item = _Item(self._kind(mark, indent), mark.label, [mark.rest], indent)
        at = next((at for at, one in enumerate(self._stack) if one.kind == item.kind), None)
        if self._leaves_aside(mark):
            self._stack = []
        elif at is not None:
            del self._stack[at:]
        elif mark.kind == "label" or (self._stack and self._stack[-1].is_prose):
            self._stack = []
        (self._stack[-1].children if self._stack else self.items).append(item)
        self._stack.append(item)
        self._is_open = True

    def _leaves_aside(self, mark: Mark) -> bool:
        """Return whether the questions begin after a list that asks nothing."""
        if not self._stack or self._stack[0].kind != "aside":
            return False
        listed = [child.label for child in self._stack[0].children]
        return mark.kind == "label" or (mark.label != "" and mark.label in listed)

    def _kind(self, mark: Mark, indent: int) -> str:
        """Return what items beside each other have in common; a number's may look different."""
        if mark.kind == "letter":
            return self._kind_of_letter(mark.label)
        if mark.kind == "dotted":
            return f"dotted {mark.label.count('.')}"
        if mark.kind == "bullet":
            return f"bullet {min(indent, _DEEPEST)}"
        if mark.label.isdecimal():
            before = [item for item in self._stack if item.label.isdecimal()]
            preceding = [item for item in reversed(before) if int(item.label) + 1 == int(mark.label)]
            if preceding:
                return min(preceding, key=lambda item: abs(item.indent - indent)).kind
            if mark.kind != "label" and before and mark.label == "1":  # a list within a list, or another one
                outer = next((item for item in before if item.indent >= indent), None)
                return outer.kind if outer else f"number {min(indent, _DEEPEST)}"
        return "label" if mark.kind == "label" else f"number {mark.style}"

    def _kind_of_letter(self, label: str) -> str:
        if label.isupper():
            return "ROMAN" if _ROMAN.fullmatch(label) else "A"
        kinds = [item.kind for item in self._stack]
        last = next((item.label for item in self._stack if item.kind == "a"), "")
        is_roman = _ROMAN.fullmatch(label) and (
            len(label) > 1 or "roman" in kinds or (label == "i" and last != "h")
        )
        return "roman" if is_roman else "a"


def _is_apart(line: str, following: str) -> bool:
    """Return whether a line without a mark begins a new paragraph, though none is left blank before it."""
    if line.endswith(tuple(".?!:;")):
        return True
    if _asks(line) and following.endswith((".", "?")) and not asks(following):
        return False
    return len(line) < _WRAPPED and not following[0].islower() and not line.endswith(tuple(",-–"))


def _questions(item: _Item, before: str, label: str) -> Iterator[AskedQuestion]:
    """Yield what an item asks, or each of its parts."""
    # A list may be of questions although its title speaks of an assessment.
    if item.kind == "aside" and 2 * sum(map(_is_question, item.children)) <= len(item.children):
        return
    text = "" if item.kind == "aside" else f"{before} {item.text}".strip()
    label = item.label if item.label.startswith(f"{label}.") else f"{label} {item.label}".strip()
    children = [child for child in item.children if child.children or child.text.strip(_EMPTY)]
    if not children or _are_options(text and item.text, [child.text for child in children]):
        if item.text.strip(_EMPTY) and (not item.is_loose or _asks(item.text)):
            yield AskedQuestion(label, text)
        return
    if text.endswith("?"):
        yield AskedQuestion(label, text)
    for child in children:
        yield from _questions(child, text, label)


def _is_question(item: _Item) -> bool:
    return bool(item.children) or _asks(item.text)


def _asks(text: str) -> bool:
    """Return whether a paragraph without a mark asks for something."""
    if text.endswith("?"):
        return True
    is_short = len(text) <= 2 * _LONGEST_GOAL and "____" not in text and not is_of_exam(text)
    return is_short and (is_task(text) or is_task(text.rpartition("?")[2].strip()))


def _are_options(stem: str, texts: Sequence[str]) -> bool:
    """Return whether these are answers to choose from, and not parts of a question."""
    if not stem or any(text.endswith("?") for text in texts):
        return False
    if _CHOICE.search(stem):
        return True
    if 2 * sum(map(is_task, texts)) >= len(texts) or is_task(_TITLE_BEFORE.sub("", stem, count=1)):
        return False
    if _UNFINISHED.search(stem.rstrip(" .…:")):
        return True
    is_title = stem.endswith(".") or len(stem.split()) <= _TITLE_WORDS
    return stem.endswith("?") or "____" in stem or not is_title


def _goals(paragraphs: Sequence[str]) -> list[AskedQuestion]:
    """Return the lines of a plain list of learning goals; none of prose."""
    listed = [
        text
        for text in paragraphs
        if not text.endswith(tuple(".!?:"))
        and len(text) <= _LONGEST_GOAL
        and len(text.split()) >= _FEWEST_WORDS
    ]
    is_list = len(listed) > 1 and len(listed) >= _GOALS * len(paragraphs)
    return [AskedQuestion("", text) for text in listed] if is_list else []


def searched_words(question: str) -> str:
    """Return what to search for: the question without the blanks that are to be filled in."""
    return " ".join(question.replace("____", " ").split())
