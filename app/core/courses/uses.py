"""Determines what a document is for, from its name, folders, first heading and words."""

import os
import re
from pathlib import Path

from app.core.courses.names import is_about, is_structure
from app.core.documents.formats import is_source_code
from app.core.documents.text.markdown_structure import fences
from app.domain.courses import Use
from app.domain.words import UNSPACED_SIGN

_SEPARATORS = re.compile(r"[_\-.\s]+")
# Words for what is handed out to be solved, wherever they stand in a name; some need a number.
_EXERCISE = re.compile(
    r"(?<![^\W\d])(?:home ?works?|hws?|p(?:roblem )?sets?|assignments?|exercises?|(?:work|problem )sheets?"
    r"|quiz(?:zes)?|exams?|examinations?|midterms?|(?:ps|ex) ?(?=\d)|übung(?:en|sblatt|sblätter|saufgaben?)?"
    r"|(?:haus|probe)?aufgaben?|aufgabenbl(?:att|ätter)|(?:alt|probe)?klausur(?:en)?|blatt ?(?=\d)|tareas?"
    r"|ejercicios?|ex[aá]men(?:es)?|parcial(?:es)?|cuestionarios?)(?![^\W\d])",
    re.IGNORECASE,
)
# What is so called alone, but may stand in the title of any lesson.
_TASKS = re.compile(
    r"(?:finals?|tests?|labs?|projects?|practicals?|practices?|problems?|challenges?|praktikum|projekte?"
    r"|pr[aá]cticas?|proyectos?)",
    re.IGNORECASE,
)
_SOLUTION = re.compile(
    r"(?<![^\W\d])(?:solutions?|solns?|sols?|answers?(?: key)?|(?:muster)?l(?:ö|oe)sung(?:en)?"
    r"|soluci[oó]n(?:es)?|respuestas?)(?![^\W\d])",
    re.IGNORECASE,
)
_NUMBER_OR_END = re.compile(r"\W*+(?:\d|\Z)")
_ABOUT = re.compile(
    r"(?<![^\W\d])(?:syllabus|schedule|logistics|course (?:info|information|outline)|lehrplan|zeitplan"
    r"|temario|cronograma|calendario|pre(?:face|facio)|foreword|vorwort|further ?reading|bibliograph(?:y|ie)"
    r"|bibliografía)(?![^\W\d])",
    re.IGNORECASE,
)
_LIBRARIES = frozenset({"lib", "libs", "library", "libraries", "toolbox"})  # of programs, with their manuals
_CODE_SHARE = 0.9  # of a text that is code
_SCRIPTS = re.compile(r"makefile|dockerfile|rakefile", re.IGNORECASE)
_TABLES = frozenset({".csv", ".tsv", ".xls", ".xlsx", ".xlsm", ".ods"})
_UNFORMED = frozenset({".txt", ".text", "", ".html", ".htm"})
_SENTENCE = re.compile(r"(?:[^\W\d_]{2,30}+,?[ \t]++){4}[^.?!\n]{1,300}+[.?!](?=\s|$)")
_BOOK = 200_000  # characters; a longer text without a heading is there to be worked with
_POINTS = re.compile(r"[(\[]\d{1,3} ?(?:points?|pts?|marks|punkte?|pkte?|puntos?|ptos?)[.)\]]", re.IGNORECASE)
_GRADED = 3  # questions with points


def use_of(path: str, folder: str | None, text: str, heading: str, *, is_marked: bool) -> Use:
    """Return what a document is for; ``folder`` is that of its course, if it has one.

    Of a file that was not read yet, ``text`` may be its beginning, or empty.
    """
    *folders, name = (path[len(folder) :] if folder else os.path.basename(path)).lstrip(os.sep).split(os.sep)
    stem, ending = os.path.splitext(name)
    ending = ending.casefold()
    names = [_SEPARATORS.sub(" ", part) for part in (*folders, stem)]
    if _ABOUT.search(names[-1]) or (is_about(path) and all(map(is_structure, folders))):
        return Use.ABOUT
    headed = _EXERCISE.match(heading)
    is_task = headed is not None and _NUMBER_OR_END.match(heading, headed.end()) is not None
    if any(map(_is_solution, names)) or (headed and _SOLUTION.search(heading)):
        return Use.SOLUTION
    if _is_code(path, text) or _SCRIPTS.match(name) or not _LIBRARIES.isdisjoint(map(str.casefold, folders)):
        return Use.CODE
    is_long = len(text) > _BOOK and not heading and not is_marked
    is_said = _SENTENCE.search(text) or UNSPACED_SIGN.search(text)
    is_unformed = ending in _UNFORMED and text and (is_long or not is_said)
    if ending in _TABLES or is_unformed:
        return Use.DATA
    if is_task or any(map(_is_exercise, names)) or len(_POINTS.findall(text)) >= _GRADED:
        return Use.EXERCISE
    return Use.TEACHING


def _is_exercise(name: str) -> bool:
    return bool(_EXERCISE.search(name) or _TASKS.fullmatch(_letters(name)))


def _is_solution(name: str) -> bool:
    found = _SOLUTION.search(name)
    return bool(found and (_EXERCISE.search(name) or _SOLUTION.fullmatch(_letters(name))))


def _letters(name: str) -> str:
    return re.sub(r"[\W\d_]++", " ", name).strip()


def _is_code(path: str, text: str) -> bool:
    code = sum(end - start for start, end in fences(text))
    return code > _CODE_SHARE * len(text) if text else is_source_code(Path(path))
