"""Reads a line of an exam or of a list of goals: its number or mark, and what it is besides a question."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_COUNTS = (
    "one two three four five six seven eight nine ten eleven twelve",
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
)
_NUMBER_WORDS = {word: str(n) for words in _COUNTS for n, word in enumerate(_words(words), 1)}
_NUMBER_WORD = "|".join(_NUMBER_WORDS)
_QUESTION_NAMES = (
    r"question|exercise|problem|task|activity|goal|(?:learning )?(?:objective|outcome)|frage|aufgabe|übung"
    r"|lernziel|ziel|pregunta|ejercicio|problema|actividad|cuestión|objetivo"
)
_OPENS = '¿¡"“„«(A-ZÄÖÜÁÉÍÓÚ'  # how a question may begin, in a class of characters
_UNIT = r"(?:p|pts?|points?|marks?|pkte?|punkte?|ptos?|puntos?|be|vp)\b\.?"

_WIDE = re.compile(r"[ \t]{2,}|\t")
_EMPHASIS = re.compile(r"\*\*|__(?=[^\W_])|(?<=[^\W_])__")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BLANK = re.compile(r"_{2,}+|\.{4,}+|…{2,}+")
_POINTS = re.compile(
    rf" {{0,2}}[(\[][^()\[\]\d]{{0,15}}\d{{1,3}}(?:[.,]\d{{1,2}})? ?{_UNIT}[^()\[\]\d]{{0,15}}[)\]]",
    re.IGNORECASE,
)
_LAST_POINTS = re.compile(  # only where a line ends, as they may be part of a question elsewhere
    rf"(?: ? ?\[\d{{1,3}}[^\]\[]{{0,9}}\]| ? ?\(\d{{1,3}} ?(?:%|min\w*\.?)\)"
    rf"|(?:  |(?<=[.?!_:…])|^) ?(?:\(\d{{1,2}}\)|(?:____)? ?/ ?\d{{1,3}} ?(?:{_UNIT})?|\d{{1,2}} ?{_UNIT}))$",
    re.IGNORECASE,
)
# A blank or "T F" to write the answer on, before the number.
_ANSWER_FIRST = re.compile(r"(?:____|…|[TRVW](?: ?/ ?|  ?)F) {1,2}(?=\(?\d{1,3}[.)])")

_FURNITURE = re.compile(
    r"(?:page |seite |página )?\d{1,4}(?: ?(?:/|of|von|de) ?\d{1,4})?"
    r"|\W*(?:sub|grand )?(?:total|gesamt(?:punkt\w*)?|summe|punkte|punktzahl|puntuación|puntaje|score|note"
    rf"|nota)(?: (?:marks?|points?|score|total|de puntos))? ?[:=]?(?: |____|/|\d|{_UNIT})*\W*"
    r"|(?:©|\(c\) \d|copyright ).{0,100}"
    r"|\W*(?:good luck|well done|viel (?:erfolg|glück)|(?:mucha |buena )?suerte|turn over|bitte wenden"
    r"|(?:end|ende|fin) (?:of|der|des|del) (?:the )?(?:exam|test|paper|quiz|klausur|examen)\w*)\b.{0,40}",
    re.IGNORECASE,
)
_OF_PAGES = re.compile(r"\b(?:page|seite|página) \d{1,3} ?(?:/|of|von|de) ?\d{1,3}$", re.IGNORECASE)
_ANSWER = re.compile(
    r"(?:(?:correct |richtige |model )?(?:answer|solution|antwort|lösung|respuesta|solución)(?:s|en|es)?"
    r"|ans\.?|R) ?:",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"(?i:section|part|teil|abschnitt|sección|parte|bloque)"
    rf" (?:[A-Z]|[IVX]{{1,4}}|\d{{1,2}}|(?i:{_NUMBER_WORD}))(?:[.:) –—-]|$)"
    r"|(?i:(?:primera|segunda|tercera) parte|(?:erster|zweiter|dritter) teil)(?:\W|$)"
)
# What is listed here is to be known of the exam or the course, and is not asked.
_ASIDE = re.compile(
    r"\b(?:instructions?|rules|hinweise|hilfsmittel|regeln|instrucciones|indicaciones|normas|prerequisites?"
    r"|voraussetzungen|requisitos|assessment|grading|bewertung|evaluación|calificación|reading(?: list)?"
    r"|references|bibliography|literatur|bibliografía|lecturas|schedule|zeitplan|calendario|materials)\b",
    re.IGNORECASE,
)

_LABEL = re.compile(
    rf"(?:(?i:{_QUESTION_NAMES}|q\.?|lo|ex\.|n[ro]\.|aufg\.) ?"
    rf"(?:(?P<label>\d{{1,3}}(?:\.\d{{1,2}})?(?: ?[a-z]\b)?|[IVX]{{1,4}}\b)|(?P<word>(?i:{_NUMBER_WORD})\b))"
    rf"(?: {{0,2}}[.:)–—-]|$|(?= {{1,2}}[{_OPENS}]))"
    r"|(?P<extra>(?i:bonus|extra credit|zusatz(?:frage|aufgabe)|pregunta extra))(?i: question)? ?:)"
)
_NUMBER = re.compile(
    r"(?P<open>\(?)(?P<label>\d{1,3})(?:(?P<close>[ºª°][.)]?|[.)]| \))-?|(?= ?\(?[a-z]\)))"
    rf"(?= |\(?[a-z]\)|[{_OPENS}]|$)"
)
_NAMED = re.compile(rf"(?:{_QUESTION_NAMES}) ?(?:[:.–—-] ?|$)", re.IGNORECASE)  # after "1."
_DOTTED = re.compile(r"(?P<label>\d{1,3}(?:\.\d{1,2}){1,3})[.)]?(?= )")
_BARE = re.compile(rf"(?P<label>\d{{1,3}})(?: ?[:–—-])?(?= {{1,2}}[{_OPENS}]|  \S)")
_LETTER = re.compile(
    rf"\(?(?P<label>[a-z]|[ivx]{{2,5}}|[A-H]|[IVX]{{1,5}})(?:[.)](?= )|(?<=[A-H])(?=  [{_OPENS}]))"
)
_BULLET = re.compile(r"(?:[-*+•◦▪‣·–☐□○](?: \[[ xX]?\])?|\[[ xX]?\]|\( ?\))(?= )")

# A mark within a line: of a number, a letter, a capital or a Roman number.
_INLINE = {
    "number": re.compile(rf"(?:^|(?<=\s))\(?(?P<label>[1-9]\d?)(?:\)|\.(?= ?[{_OPENS}])) ?"),
    "letter": re.compile(r"(?:^|(?<=[\s\d]))\(?(?P<label>[a-h])(?:\)|(?:(?<=^.)|(?<=  .))\.)\s"),
    "capital": re.compile(r"(?:^|(?<=[\s\d]))\(?(?P<label>[A-H])[.)]\s"),
    "Roman": re.compile(r"(?:^|(?<=\s))\(?(?P<label>[ivx]{1,4}(?=\))|[IVX]{1,4}(?=[.)]))[.)]\s"),
}
_AFTER_STOP = re.compile(r"(?:(?<=[.?!:;)\]] )|(?<=  ))(?=\S)")
_MARKED = 40  # characters in which a mark stands
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_FIRST_MARK = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})?[.)]{0,2} {0,2}")
_ENDED = re.compile(r"(?:[.?!:;)\]_…»”\"]|  )\s?$|^$")

# First words of tasks and learning goals: whole in English, as they begin in German and Spanish.
_TASKS = _words(
    """
    explain describe define name list state compare contrast discuss outline give calculate compute derive
    prove show sketch draw label identify summarize summarise evaluate analyze analyse justify distinguish
    differentiate apply understand know recognize recognise interpret predict construct solve determine write
    tell assess find recall match fill complete design reflect critically suggest estimate classify
    balance calcula
    """
)
_TASK_STEMS = _words(
    """
    erklär erläut beschr definier nenn vergleich begründ berechn skizzier zeichn diskut beurteil bestimm zeig
    unterscheid ordn gib geben zähl versteh kenn wende ermitt erörter analysier bewert fass ergänz untersuch
    explic expliq nombr enumer calcule calcular analiz dibuj indic señal mencion demuestr demostr resuelv
    clasific relacion disting comprend conoc escrib complet represent justific diferenci identific compar
    resolv resum defin describ desarroll respond
    """
)
_ASKING = _words(
    """
    what which who whose why how when where was welche welcher welches wer wie warum wieso wozu wann wo
    qué cuál cuáles quién cómo cuándo dónde
    """
)
_OF_EXAM = re.compile(
    r"\b(?:your name|(?:the|all|following|any \w+) questions|answer (?:sheet|booklet)|(?:ihren|deinen) namen"
    r"|(?:alle|folgenden) (?:fragen|aufgaben)|(?:su|tu) nombre|las (?:siguientes )?preguntas)\b",
    re.IGNORECASE,
)


class Mark(NamedTuple):
    """What a line begins with: ``kind`` is label, number, dotted, bare, letter or bullet."""

    kind: str
    label: str
    rest: str
    style: str = ""  # of a number: "(1)", "1."


def plain_line(line: str) -> str:
    """Return a line without emphasis, points and answers to mark; empty if nothing but lines is left."""
    text = _EMPHASIS.sub("", _ESCAPED.sub(r"\1", line.strip()))
    text = _WIDE.sub("  ", _BLANK.sub("____", text)).strip()
    text = _LAST_POINTS.sub("", _POINTS.sub("  ", text)).strip().replace("  :", ":").replace("  .", ".")
    text = _ANSWER_FIRST.sub("", text)
    return text if any(map(str.isalnum, text)) else ""


def is_furniture(text: str) -> bool:
    """Return whether a line is a page's number, a sum of points, an answer or a good wish."""
    return bool(_ANSWER.match(text) or _FURNITURE.fullmatch(text) or _OF_PAGES.search(text))


def is_section(text: str) -> bool:
    return _SECTION.match(text) is not None and not text.endswith("?")


def opens_aside(text: str) -> bool:
    """Return whether a heading or an introduction is of a list that asks nothing, such as instructions."""
    return bool(_ASIDE.search(text)) and not text.endswith((".", "?"))


def mark_of(text: str) -> Mark | None:
    if found := _LABEL.match(text):
        label = found["label"] or found["extra"] or _NUMBER_WORDS.get(found["word"].casefold(), "")
        return Mark("label", label, text[found.end() :].strip())
    if found := _NUMBER.match(text):
        rest = text[found.end() :].strip()
        if named := _NAMED.match(rest):  # "1. Aufgabe: …"
            rest = rest[named.end() :]
        return Mark("number", found["label"], rest, f"{found['open']}1{(found['close'] or '').strip()}")
    for kind, pattern in (("dotted", _DOTTED), ("bare", _BARE), ("letter", _LETTER)):
        if found := pattern.match(text):
            return Mark(kind, found["label"], text[found.end() :].strip())
    found = _BULLET.match(text)
    return Mark("bullet", "", text[found.end() :].strip()) if found else None


def is_mark(cell: str) -> bool:
    """Return whether a cell of a table holds but the number of what stands beside it, such as "3" or "1a"."""
    mark = mark_of(f"{cell.rstrip('.:)')}) ?")
    return mark is not None and mark.kind != "bullet" and mark.rest in ("?", f"{cell[-1]}) ?")


def parts_of(text: str) -> Iterator[str]:
    """Yield a line in parts if it asks several things: "1. One? 2. Two?", "a) one b) two"."""
    parts = list(_labelled(text))
    for sequence in _INLINE:
        parts = [part for whole in parts for part in _parted(whole, sequence)]
    yield from parts


def _labelled(text: str) -> Iterator[str]:
    """Yield what stands before each "Question 2" within a line, and before each mark after a wide space."""
    start = 0
    for found in _AFTER_STOP.finditer(text):
        mark = mark_of(text[found.start() : found.start() + _MARKED])
        kinds = ("label", "number", "letter") if text.endswith("  ", 0, found.start()) else ("label",)
        if mark and mark.kind in kinds and not _FIRST_MARK.fullmatch(text[start : found.start()]):
            yield text[start : found.start()].strip()
            start = found.start()
    yield text[start:].strip()


def _parted(text: str, sequence: str) -> list[str]:
    run: list[tuple[int, int]] = []  # marks that count on, with their places
    for found in _INLINE[sequence].finditer(text):
        value = _value(found["label"], sequence)
        goes_on = value == run[-1][0] + 1 if run else value == 1 or not found.start()
        if goes_on and (sequence != "number" or _begins_question(text, found)):
            run.append((value, found.start()))
    if len(run) < 2:
        return [text]
    if _FIRST_MARK.fullmatch(text[: run[0][1]]):  # "1 a)" stays together
        run = run[1:]
    places = [0, *(place for _, place in run), len(text)]
    return [part for start, end in pairwise(places) if (part := text[start:end].strip())]


def _value(label: str, sequence: str) -> int:
    if sequence == "Roman":
        return _ROMANS.index(label.casefold()) + 1 if label.casefold() in _ROMANS else 0
    return int(label) if sequence == "number" else ord(label.casefold()) - ord("a") + 1


def _begins_question(text: str, found: re.Match[str]) -> bool:
    """Return whether a number within a line is that of a question, and not as in "on 3. October"."""
    return bool(_ENDED.search(text[: found.start()][-3:])) or asks(text[found.end() :])


def is_task(text: str) -> bool:
    """Return whether a text begins as tasks and learning goals do."""
    first = text.removeprefix("Be able to ").split(maxsplit=1)[0].casefold() if text else ""
    return (first in _TASKS or first.startswith(_TASK_STEMS)) and not first.endswith(":")


def asks(text: str) -> bool:
    """Return whether a text begins as a task or a question does."""
    return is_task(text) or (text.lstrip("¿").split(maxsplit=1) or [""])[0].casefold() in _ASKING


def is_of_exam(text: str) -> bool:
    """Return whether a task without a mark tells how to do the exam."""
    return _OF_EXAM.search(text) is not None
