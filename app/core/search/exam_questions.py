"""Finds the questions and learning goals in the text of a file.

What is numbered, lettered or a bullet is a question, and so is any other line that ends with a question mark.
Answers to choose from are not. Parts such as "1 b)" are questions of their own, with the words they share
before them. Exams differ too much for rules that are always right: the window lets a person leave lines out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.domain.exam_map import AskedQuestion

_EMPHASIS = re.compile(r"\*\*|__(?=[^\W_])|(?<=[^\W_])__|^ {0,3}#{1,6} +|\\(?=[!-/:-@\[-`{-~])")
_GIVEN = r"[(\[][^()\[\]\d]{0,15}(?P<number>\d{1,3}(?:[.,]\d)?) ?(?P<unit>[^\W\d]{1,8})\.?[)\]][.:]?"
_POINTS = re.compile(rf"{_GIVEN}$")
_POINTS_FIRST = re.compile(rf"(?P<label>\(?[^()\[\]]{{0,20}}\)? ?){_GIVEN}")
_UNIT = re.compile(r"p|pts?|points?|marks?|credits?|punkte?|puntos?", re.IGNORECASE)
_BLANK = re.compile(r"_{2,}|\.{4,}|…{2,}")
_LABEL = re.compile(
    r"(?:question|exercise|problem|task|goal|frage|aufgabe|übung|lernziel|pregunta|ejercicio|problema|q|lo)"
    r"\.? ?(?P<label>\d{1,3}(?:\.\d{1,2})?)(?: ?\([^()]{0,20}\))?[.:)]?(?=\s|$)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\(?(?P<label>\d{1,3}(?:\.\d{1,2})*)(?:[.)ºª]-?[ \t]*|[ \t]+(?=[a-z]\)))(?=\S|$)")
_LETTER = re.compile(r"\(?(?P<label>[a-zA-Z]|[ivx]{2,4}|[IVX]{2,4})[.)][ \t]+")
_BULLET = re.compile(r"(?P<label>)(?:[-*+•◦▪‣☐□○](?: ?\[[ xX]?\])?|\[[ xX]?\])[ \t]+")
_MARKS = {"number": (_LABEL, _NUMBER), "letter": (_LETTER,), "bullet": (_BULLET,)}
_NEXT_PART = re.compile(r"\s(?=\(?[b-h][.)]\s)")
_FIRST_CHOICE = re.compile(r"\s\(?A[.)]\s")
_SECOND_CHOICE = re.compile(r"\s\(?B[.)]\s")
_KEY = re.compile(
    r"(?:answer|marking|solution) (?:key|scheme)|solutions|lösungen|musterlösung|soluciones|solucionario",
    re.IGNORECASE,
)
# What an exam tells to do with its subject, which no lesson says.
_TOLD = re.compile(
    r"(?:briefly )?(?:explain|define|describe|discuss|outline|state)(?: briefly)?\b"
    r"(?: (?:what is meant by|the (?:following )?(?:terms?|concepts?|idea|meaning)(?: of)?)\b)?:? "
    r"|(?:erklären?|erläuter[en]|definieren?|beschreiben?)(?: sie)?(?: kurz)?(?: den begriff)?:? "
    r"|(?:explica|explique|define|defina|describe|describa)(?: brevemente)?(?: el concepto de)?:? ",
    re.IGNORECASE,
)
_FEWEST_WORDS = 2  # of a goal without a number
_LONGEST_GOAL = 200  # characters
_GOALS = 0.7  # share of lines without a full stop that makes a text a list of goals
_MOST_LINES = 40  # in a question; later lines are left out


@dataclass(slots=True)
class _Item:
    kind: str  # "number", "letter", "bullet" or "text"
    label: str
    lines: list[str]
    points: float = 0.0
    parts: "list[_Item]" = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.lines).split())


def questions_in(text: str) -> tuple[AskedQuestion, ...]:
    items = _items(text.split("\n"))
    found = [question for item in items for question in _questions(item)]
    return tuple(found or _goals([line for item in items for line in item.lines]))


def searched_words(question: str) -> str:
    """Return what to search for: the question without blanks to fill in and words such as "Explain"."""
    asked = " ".join(question.replace("____", " ").split())
    return asked[found.end() :].rstrip(".") if (found := _TOLD.match(asked)) else asked


def _items(lines: Sequence[str]) -> list[_Item]:
    """Return the numbered items of a text with their parts, and the other lines between them."""
    items: list[_Item] = []
    last: _Item | None = None  # the one that the next line may go on with
    is_code = False
    for line in lines:
        text = _BLANK.sub("____", _EMPHASIS.sub("", line.strip()))
        given = _POINTS.search(text)
        text = text[: given.start() if given else None].strip()
        first = _POINTS_FIRST.match(text)
        if first and _UNIT.fullmatch(first["unit"]):
            text, given = f"{first['label']}{text[first.end() :].lstrip()}", given or first
        is_code ^= text.startswith(("```", "~~~"))
        if _KEY.fullmatch(text.rstrip(": ")):
            break
        if is_code or not any(map(str.isalnum, text)):
            _add_points(last, given)
            last = None
            continue
        if line.lstrip().startswith("#"):
            last = None
        text = _row(text) if text.startswith("|") else _without_choices(text)
        marked = _marked(text)
        if marked is None:
            if last is not None and len(last.lines) < _MOST_LINES and not _is_apart(last, text):
                last.lines.append(text)
            else:
                last = _Item("text", "", [text])
                items.append(last)
        for item in marked or ():
            outer = items[-1] if items else None
            is_part = outer is not None and outer.kind != item.kind and item.kind != "number"
            (outer.parts if outer and is_part else items).append(item)
            last = item
        _add_points(last, given)
    return items


def _add_points(item: _Item | None, given: re.Match[str] | None) -> None:
    if item is not None and given is not None and _UNIT.fullmatch(given["unit"]):
        item.points += float(given["number"].replace(",", "."))


def _row(text: str) -> str:
    """Return the longest cell of a table's row, with the number in the first one."""
    cells = [cell.strip() for cell in text.strip("|").split("|")]
    asked = max(cells, key=len)
    return f"{cells[0].rstrip('.:)')}) {asked}" if cells[0][:1].isdecimal() and asked != cells[0] else asked


def _without_choices(text: str) -> str:
    """Return a line without the answers to choose from that follow its question ("… A. One B. Two")."""
    found = _FIRST_CHOICE.search(text)
    return text[: found.start()] if found and _SECOND_CHOICE.search(text, found.end()) else text


def _marked(text: str) -> list[_Item] | None:
    """Return the item that a line begins, with a part that stands on the same line ("1 a) Define …")."""
    for kind, patterns in _MARKS.items():
        for pattern in patterns:
            if found := pattern.match(text):
                rest = text[found.end() :].lstrip(" \t.:)|–—-")
                nested = _marked(rest) if kind == "number" else None
                if nested and nested[0].kind == "letter":
                    return [_Item(kind, found["label"], []), *nested]
                if kind == "letter":
                    rest, *others = _NEXT_PART.split(rest)
                    more = [item for other in others for item in _marked(other) or ()]
                    return [_Item(kind, found["label"], [rest]), *more]
                return [_Item(kind, found["label"], [rest])]
    return None


def _is_apart(item: _Item, text: str) -> bool:
    """Return whether a line without a mark does not go on with the item before it."""
    if item.kind != "text":
        return item.text.endswith("?")
    return text.endswith("?") or item.text.endswith(tuple("?.!:"))


def _questions(item: _Item) -> Iterator[AskedQuestion]:
    text = item.text
    has_choices = bool(item.parts) and _are_answers(text, item.parts)
    parts = [] if has_choices else item.parts
    if item.kind == "text" and not text.endswith("?") and not parts:
        return
    if not parts and text:
        yield AskedQuestion(item.label, text, item.points, has_choices)
    for part in parts:
        shared = text if item.kind == "number" else ""
        points = part.points or item.points / len(parts)
        yield AskedQuestion(f"{item.label} {part.label}".strip(), f"{shared} {part.text}".strip(), points)


def _are_answers(stem: str, parts: Sequence[_Item]) -> bool:
    """Return whether these are answers to choose from, and not parts of a question."""
    if any(part.text.endswith("?") for part in parts):
        return False
    return stem.endswith("?") or "____" in stem or all(part.label.isupper() for part in parts)


def _goals(lines: Sequence[str]) -> list[AskedQuestion]:
    """Return the lines of a plain list of learning goals; none of prose."""
    listed = [
        text
        for text in lines
        if not text.endswith(tuple(".!?:"))
        and len(text) <= _LONGEST_GOAL
        and len(text.split()) >= _FEWEST_WORDS
    ]
    is_list = len(listed) > 1 and len(listed) >= _GOALS * len(lines)
    return [AskedQuestion("", text) for text in listed] if is_list else []
