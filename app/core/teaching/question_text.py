"""Finds the questions and learning goals in the text of a file, one each.

What is numbered, lettered or a bullet is a question, whether it ends with a question mark or not; other lines
are only if they ask something. Headings, introductions, answers to choose from and answer keys are none.
Parts such as "1 b)" are questions of their own, with the words they share before them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from app.domain.teaching import AskedQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_EMPHASIS = re.compile(r"\*\*|__(?=[^\W_])|(?<=[^\W_])__")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BLANK = re.compile(r"_{2,}+|\.{4,}+")
_POINTS = re.compile(
    r"[ \t]?(?:\(\d{1,3}(?:[.,]\d)? ?(?:p|pts?|points?|marks?|punkte?|puntos?|%)\.?\)"
    r"|\[\d{1,3}[^\]\[]{0,9}\])$",
    re.IGNORECASE,
)
_PAGE = re.compile(r"(?:page |seite |página )?\d{1,4}(?: ?(?:/|of|von|de) ?\d{1,4})?", re.IGNORECASE)
_KEY = re.compile(
    r"(?:correct |richtige |model )?(?:answer|solution|antwort|lösung|respuesta|solución)s? ?:", re.IGNORECASE
)
_ANSWERS = re.compile(
    r"(?:(?:answer|marking|solution) (?:key|scheme|sheet)|answers?|solutions?|lösung(?:en|sschlüssel)?"
    r"|musterlösung(?:en)?|antworten|respuestas|solucion(?:es|ario)|clave(?: de respuestas)?) ?:?",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"(?i:section|part|teil|abschnitt|sección|parte|bloque) (?:[A-Z]|[IVX]{1,4}|\d{1,2})(?:[.:) –—-]|$)"
)
_LABEL = re.compile(
    r"(?i:question|exercise|problem|task|goal|objective|frage|aufgabe|übung|lernziel|ziel|pregunta|ejercicio"
    r"|objetivo|q\.?) ?(?P<label>\d{1,3}(?:\.\d{1,2})?(?: ?[a-z]\b)?)"
    r"(?:[ \t]?[.:)–—-]|$|(?=[ \t][¿\"“„A-ZÄÖÜÁÉÍÓÚ]))"
)
_NUMBER = re.compile(
    r"(?P<open>\(?)(?P<label>\d{1,3})(?:(?P<close>[ºª°][.)]?|[.)])-?|(?=[ \t]?\(?[a-z]\)))"
    r"(?=[ \t]|\(?[a-z]\)|[¿\"“„A-ZÄÖÜÁÉÍÓÚ]|$)"
)
_DOTTED = re.compile(r"(?P<label>\d{1,3}(?:\.\d{1,2}){1,3})[.)]?(?=[ \t])")
_BARE = re.compile(r"(?P<label>\d{1,3})(?:[ \t]?[:–—-])?(?=[ \t]+[¿\"“„A-ZÄÖÜÁÉÍÓÚ])")
_LETTER = re.compile(r"\(?(?P<label>[a-z]|[ivx]{2,5}|[A-H]|[IVX]{1,5})[.)](?=[ \t])")
_BULLET = re.compile(r"(?:[-*+•◦▪‣·–☐□○]|\[[ xX]?\]|\( ?\))(?=[ \t])")
_INLINE = re.compile(r"(?:^|(?<=\s)|(?<=\d))\(?([a-hA-H])\)\s")
_ROMAN = re.compile(r"[ivx]+", re.IGNORECASE)
# First words of tasks and learning goals, as they begin.
_TASKS = _words(
    "explain descri defin name list state compar contrast discuss outline give calculat comput deriv "
    "prove show sketch draw label identif summari evaluat analy justif distinguish differentiat apply "
    "understand know recogni interpret predict construct solve determine write tell assess erklär "
    "erläut beschr definier nenn vergleich begründ berechn skizzier zeichn diskut beurteil bestimm zeig "
    "unterscheid ordn gib geben zähl versteh kenn wende explic expliq nombr enumer calcul analiz dibuj "
    "indic señal mencion demuestr resuelv resum clasific relacion disting comprend conoc"
)
_CHOICE = re.compile(
    r"\b(?:which of|select|choose|tick|circle|true or false|welche[rs]? der|kreuze?n?|wähle?n?"
    r"|richtig oder falsch|cuál(?:es)? de|elige|elija|marca|marque|selecciona|verdadero o falso)\b",
    re.IGNORECASE,
)
# What a sentence ends with that is to be finished, and a title does not.
_UNFINISHED = re.compile(
    r"\b(?:is|are|was|were|has|have|the|an?|of|in|by|at|to|for|from|with|called|means|occurs?|consists? of"
    r"|ist|sind|war|hat|haben|bezeichnet|bedeutet|heißt|heißen|besteht|besitzt|aus|von|durch|der|die|das|den|dem"
    r"|ein|eine|es|son|era|tiene|significa|llamad[ao]|un|una|el|la|los|las|de|del|en|por|para|con)$",
    re.IGNORECASE,
)
_LOWEST = 6  # level of a heading
_TITLE_WORDS = 4
_HEADING_LENGTH = 60  # characters of a line that may be a heading
_WRAPPED = 60  # characters from which on a line without a stop goes on in the next
_LONGEST_GOAL = 200
_MOST_LINES = 40  # of a question; what follows is none of it
_DEEPEST = 16  # spaces before a bullet
_GOALS = 0.7  # of all paragraphs end without a stop where they are a list
_FEWEST_WORDS = 3  # of a goal without a number


@dataclass
class _Item:
    kind: str
    label: str
    lines: list[str]
    is_loose: bool = False  # without number, letter or bullet
    children: list[_Item] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(filter(None, self.lines))


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
        text = _plain(line)
        if self._is_in_key(text) or not text or _PAGE.fullmatch(text) or _KEY.match(text):
            self._is_open = False
        elif _SECTION.match(text) and not text.endswith("?"):
            self._stack, self._is_open = [], False
        elif text.startswith("|"):
            self._take_row(text)
        elif _HEADING.match(text):
            text = _HEADING.sub("", text).strip()
            self._stack, self._is_open = [], False
            if _LABEL.match(text) or text.endswith("?"):
                self._take_line(text, indent)
        else:
            for part in _unfolded(text):
                self._take_line(part, indent)

    def _is_in_key(self, text: str) -> bool:
        """Return whether a line is of an answer key, which the next number or a heading beside it ends."""
        heading = _HEADING.match(text)
        level = heading[0].count("#") if heading else _LOWEST
        if _ANSWERS.fullmatch(_HEADING.sub("", text)):
            self._key_level = self._key_level or level
        elif self._key_level and text:
            found = self._mark(text, 0)
            goes_on = found is not None and found[1].isdecimal() and self._is_next(int(found[1]))
            if goes_on or (heading and level <= self._key_level):
                self._key_level = 0
        return self._key_level > 0

    def _take_line(self, text: str, indent: int) -> None:
        if (found := self._mark(text, indent)) is not None:
            kind, label, rest = found
            self._add(_Item(kind, label, [rest]))
            if nested := self._mark(rest, indent) if kind != "bullet" else None:
                self._stack[-1].lines = []
                self._add(_Item(nested[0], nested[1], [nested[2]]))
        elif self._goes_with_last(text):
            if len(self._stack[-1].lines) < _MOST_LINES:
                self._stack[-1].lines.append(text)
            self._is_open = True
        else:
            self._take_loose(text)

    def _goes_with_last(self, text: str) -> bool:
        if not self._stack:
            return False
        last = self._stack[-1]
        if not any(last.lines):  # "Question 3" stands on a line of its own
            return True
        return self._is_open and not (last.is_loose and _is_apart(last.lines[-1], text))

    def _take_loose(self, text: str) -> None:
        last = self._stack[-1] if self._stack else None
        if last and not last.is_loose and text.endswith("?") and not last.children and "?" not in last.text:
            last.lines.append(text)  # the question to a case that was told before
            return
        if len(text) < _HEADING_LENGTH or text.endswith((":", "?")) or (last and last.is_loose):
            self._stack = []
        item = _Item("text", "", [text], is_loose=True)
        self.items.append(item)
        if not self._stack:
            self._stack = [item]
            self._is_open = True

    def _take_row(self, text: str) -> None:
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        asked = max(cells, key=len)
        number = cells[0].rstrip(".)")
        self._stack, self._is_open = [], False
        if asked not in ("", cells[0]) and number.isdecimal() or _asks(asked):
            self.items.append(_Item("row", number if number.isdecimal() else "", [asked]))

    def _mark(self, text: str, indent: int) -> tuple[str, str, str] | None:
        """Return the kind of mark that a line begins with, its label, and what follows it."""
        if found := _LABEL.match(text):
            return self._kind_of_number("label", found["label"]), found["label"], text[found.end() :].strip()
        if found := _NUMBER.match(text):
            kind = self._kind_of_number(f"{found['open']}1{found['close'] or ''}", found["label"])
            return kind, found["label"], text[found.end() :].strip()
        if (found := _DOTTED.match(text)) and self._goes_on(found["label"]):
            return f"dotted {found['label'].count('.')}", found["label"], text[found.end() :].strip()
        if (found := _BARE.match(text)) and self._is_next(int(found["label"])):
            return self._kind_of_number("1", found["label"]), found["label"], text[found.end() :].strip()
        if found := _LETTER.match(text):
            return self._kind_of_letter(found["label"]), found["label"], text[found.end() :].strip()
        if found := _BULLET.match(text):
            return f"bullet {min(indent, _DEEPEST)}", "", text[found.end() :].strip()
        return None

    def _goes_on(self, label: str) -> bool:
        """Return whether "2.1" numbers a part, and does not begin the rest of a wrapped sentence."""
        before = [item.label for item in self._stack if item.label]
        return label.endswith(".1") or any(one.split(".")[0] == label.split(".")[0] for one in before)

    def _is_next(self, number: int) -> bool:
        """Return whether a number without a stop is the next one, and does not begin a wrapped line."""
        last = [int(item.label) for item in self._stack if item.label.isdecimal()]
        return number - 1 in last or (number == 1 and not last)

    def _kind_of_number(self, kind: str, label: str) -> str:
        """Return the kind of a number; that of the number before it if it only looks different."""
        if label.isdecimal() and kind not in [item.kind for item in self._stack]:
            for item in reversed(self._stack):
                if item.label.isdecimal() and int(item.label) + 1 == int(label):
                    return item.kind
        return kind

    def _kind_of_letter(self, label: str) -> str:
        if label.isupper():
            return "ROMAN" if _ROMAN.fullmatch(label) else "A"
        kinds = [item.kind for item in self._stack]
        last = next((item.label for item in self._stack if item.kind == "a"), "")
        is_roman = _ROMAN.fullmatch(label) and (
            len(label) > 1 or "roman" in kinds or (label == "i" and last != "h")
        )
        return "roman" if is_roman else "a"

    def _add(self, item: _Item) -> None:
        """Put an item beside the last one with the same kind of mark, or into the last one."""
        kinds = [one.kind for one in self._stack]
        if item.kind in kinds:
            del self._stack[kinds.index(item.kind) :]
        elif self._stack and self._stack[-1].is_loose and not self._stack[-1].text.endswith("?"):
            self._stack = []
        (self._stack[-1].children if self._stack else self.items).append(item)
        self._stack.append(item)
        self._is_open = True


def _plain(line: str) -> str:
    """Return a line without emphasis, escapes and the like."""
    text = _EMPHASIS.sub("", _ESCAPED.sub(r"\1", line.strip()))
    return _POINTS.sub("", _BLANK.sub("____", text.strip()))


def _unfolded(text: str) -> Iterator[str]:
    """Yield a line in parts if it holds several lettered ones: "a) one b) two"."""
    found = list(_INLINE.finditer(text))
    letters = [one[1] for one in found]
    if len(letters) < 2 or "".join(letters) not in ("abcdefgh"[: len(letters)], "ABCDEFGH"[: len(letters)]):
        yield text
        return
    if text[: found[0].start()].rstrip(".) ").isdecimal():  # "1 a)" stays together
        found = found[1:]
    starts = [0, *(one.start() for one in found), len(text)]
    for start, end in pairwise(starts):
        if part := text[start:end].strip():
            yield part


def _is_apart(line: str, following: str) -> bool:
    """Return whether a line without a mark begins a new paragraph, though none is left blank before it."""
    if line.endswith(tuple(".?!:;")):
        return True
    return len(line) < _WRAPPED and not following[0].islower() and not line.endswith(tuple(",-–"))


def _questions(item: _Item, before: str, label: str) -> Iterator[AskedQuestion]:
    """Yield what an item asks, or each of its parts."""
    text = f"{before} {item.text}".strip()
    label = item.label if item.label.startswith(f"{label}.") else f"{label} {item.label}".strip()
    asks = bool(item.text) and (not item.is_loose or _asks(item.text))
    if not item.children or _are_options(item.text, [child.text for child in item.children]):
        if asks:
            yield AskedQuestion(label, text)
        return
    if item.text.endswith("?"):
        yield AskedQuestion(label, text)
    for child in item.children:
        yield from _questions(child, text, label)


def _asks(text: str) -> bool:
    """Return whether a paragraph without a mark asks for something."""
    if text.endswith("?"):
        return True
    return len(text) <= 2 * _LONGEST_GOAL and (_is_task(text) or _is_task(text.rpartition("?")[2].strip()))


def _is_task(text: str) -> bool:
    first = text.split(maxsplit=1)[0].casefold() if text else ""
    return first.startswith(_TASKS) and not first.endswith(":")


def _are_options(stem: str, texts: Sequence[str]) -> bool:
    """Return whether these are answers to choose from, and not parts of a question."""
    if not stem or any(text.endswith("?") for text in texts):
        return False
    if _CHOICE.search(stem):
        return True
    if 2 * sum(map(_is_task, texts)) >= len(texts) or _is_task(stem):
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
