"""The course and the lesson that a question or a person names, in whatever words."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.core.courses.service import SMALL_WORDS, literal_matches
from app.core.search.terms import tokenize
from app.domain.messages import Message
from app.domain.scope import Scope, includes
from app.domain.words import folded, words_in

_LESSON = re.compile(
    r"\b(?:lesson|lecture|lektion|vorlesung|lecci[oó]n|leçon|lezione|lição)\s+(\d{1,4})\b(?!\s*(?:,|and|or|to|und|oder|bis|y|et|[-–&])\s*\d)",
    re.I,
)
_SUMMARY = re.compile(
    r"\b(?:summar(?:y|ies|i[sz](?:e|ing))|sum up|recap|overview|gist|tl;?dr|takeaways?"
    r"|(?:key|main|most important|central) (?:points?|ideas?|messages?))\b"
    r"|\bwhat\b.*\b(?:about|cover|teach)\W*$"
    r"|\b(?:zusammenfass|überblick|worum geht|kernaussagen|hauptpunkte)|\bfass\w*\b.*\bzusammen\b"
    r"|\b(?:resum|résum|de qué trata|de quoi parle)",
    re.I,
)
# Not of all, but of what a lesson says about one subject.
_SUBJECT = re.compile(
    r"\b(?:about|regarding|concerning|über|sobre) (?!(?:this|the|that|your|my|diese|die|der|das|esta)\b)\w",
    re.I,
)
_ON_SUBJECT = re.compile(
    r"\b(?:lesson|lecture|chapter|notebook|session|lektion|vorlesung|kapitel|lecci[oó]n|clase|cap[ií]tulo)"
    r" (?:on|about|über|zu|sobre) ([^\n?!.]{3,80}?)(?: zusammen)?\W{0,9}\Z",
    re.I,
)
_BEFORE_COURSE = re.compile(r"\b(?:of|in|from|von|aus|im|de|del|du)\s+(?:(?:the|der|des)\s+)?", re.I)
_AFTER_COURSE = re.compile(r"(?:\s+(?:about|cover|teach|zusammen|course|class|lectures|kurs))*\W*$", re.I)
# What is asked of a course itself, and how its syllabus may word that; empty where it says the same.
_TEXT = re.IGNORECASE | re.DOTALL
_OF_COURSE = (
    (
        re.compile(r"\A(?=.*\bwho\b)(?=.*\b(?:teach|taught|prof(?:essor)?s?\b|instructor|lecturer))", _TEXT),
        "taught by instructor professor",
    ),
    (
        re.compile(r"\A(?=.*\b(?:is|are|get)\b)(?=.*\b(?:graded|grading)\b)", _TEXT),
        "grading percent of the grade: homework, exam",
    ),
    (
        re.compile(r"\A(?=.*\b(?:text ?books?\b|books? (?:do|should|are|is)\b))", _TEXT),
        "textbook required reading",
    ),
    (
        re.compile(
            r"\A(?=.*\b(?:when|is there|wann|gibt es|cu[aá]ndo|hay)\b)"
            r"(?=.*\b(?:exams?|finals?\W*$|midterm|klausur|prüfung|examen|parcial))",
            _TEXT,
        ),
        "",
    ),
    (
        re.compile(
            r"\A(?=.*\b(?:(?:office hours?|prerequisites?|deadlines?|homework late)\b|due\W*$))", _TEXT
        ),
        "",
    ),
    (
        re.compile(
            r"\A(?=.*\b(?:wer|qui[eé]n(?:es)?)\b)"
            r"(?=.*\b(?:unterricht|dozent|profesor|docente|dicta))",
            _TEXT,
        ),
        "",
    ),
    (
        re.compile(
            r"\A(?=.*\b(?:benotet|sprechstunde|(?:se|para) (?:aprueba|aprobar|califica|evalúa)"
            r"|lehrb[uü]ch|bibliografía))",
            _TEXT,
        ),
        "",
    ),
)
_LONGEST_REQUEST = 1_000  # characters; in longer text it would take too long to look for these words
_NAMED_COURSE = re.compile(r"\bthe\s+((?:[^\s.,;:?!]+\s+){1,6}?)(?:course|class|lectures)\b", re.I)


def place_asked_for(
    question: str,
    scope: Scope,
    titles: Callable[[], Sequence[str]],
    with_lesson: Callable[[int], Sequence[str]],
) -> tuple[str, int | None] | Message | None:
    """Return the course and the lesson that a question asks about as a whole, such as for a summary.

    The lesson is None if that is the whole course. A message says that several lessons may be meant; None
    that the question asks for something else, or that neither it nor the scope names a place. ``titles``
    gives those of all courses, ``with_lesson`` those with a lesson of a number.
    """
    if not asks_for_all(question):
        return None
    number = named_lesson(question)
    course = named_course(question, titles())
    if number is None and course is not None:
        return course, None
    if number is None:
        named = scope.lessons or tuple((title, None) for title in scope.courses)
        both = bool(scope.lessons and scope.courses)
        return named[0] if len(named) == 1 and not both else None
    having = [course] if course else with_lesson(number)
    found = [title for title in having if includes(scope, title, number)]
    if len(found) > 1:
        found = courses_of_lesson(question, found) or found
    if len(found) > 1:
        return Message("search.several_lessons", lesson=number, titles="; ".join(found))
    return (found[0], number) if found else None


def syllabus_words(question: str) -> str:
    """Return how a syllabus may word what is asked of a course itself; empty if something else is asked."""
    asked = question[:_LONGEST_REQUEST]
    return next((words or asked for sign, words in _OF_COURSE if sign.match(asked)), "")


def subject_of_lesson(question: str) -> str | None:
    """Return the X of a question for a summary of "the lecture on X"."""
    found = _ON_SUBJECT.search(question) if len(question) <= _LONGEST_REQUEST else None
    return found[1] if found and _SUMMARY.search(question) else None


def named_lesson(question: str) -> int | None:
    """Return the number of the one lesson that a question names; None for none or several."""
    numbers = {int(number) for number in _LESSON.findall(question)}
    return numbers.pop() if len(numbers) == 1 else None


def asks_for_all(question: str) -> bool:
    """Whether a question is about all of a lesson or a course, such as for a summary."""
    if len(question) > _LONGEST_REQUEST:
        return False
    asked = _LESSON.sub("the lesson", question)
    return bool(_SUMMARY.search(asked)) and not _SUBJECT.search(asked)


def named_course(question: str, titles: Sequence[str]) -> str | None:
    """Return the one title that a question contains, or means by "the … course"; None for none or several.

    A title of a single word, such as "Statistics", may be the subject of the question: it counts only
    before "course".
    """
    asked = f" {' '.join(words_in(folded(question)))} "
    contained = [title for title in titles if any(phrase in asked for phrase in _phrases(title))]
    # "Statistics for Beginners" is not meant where "Statistics for Beginners 2" is.
    longest = max(contained, key=len, default="")
    if contained and all(title in longest for title in contained):
        return longest
    names = [found[1] for found in _NAMED_COURSE.finditer(question)]
    meant = {title for name in names for title in literal_matches(name, titles)}
    return meant.pop() if not contained and len(meant) == 1 else None


def courses_of_lesson(question: str, titles: Sequence[str]) -> list[str]:
    """Return the titles that a part of a question can mean, as in "lesson 3 of statistics"."""
    for found in _BEFORE_COURSE.finditer(question):
        if named := literal_matches(_AFTER_COURSE.sub("", question[found.end() :]), titles):
            return named
    return []


def _phrases(title: str) -> list[str]:
    """Return the words of a title, and of what stands before its colon, each with spaces around."""
    found = [words_in(folded(title)), words_in(folded(title.partition(":")[0]))]
    return [f" {' '.join(words)} " for words in found if len([w for w in words if w not in SMALL_WORDS]) > 1]


# Least likeness (cosine between name and title, plus a share of the words in common) of the same course.
# Fitted on 44 names of 25 titles and 44 names of other subjects: two of the others pass, five names fail.
SEMANTIC_THRESHOLD = 0.40
_WORDS_WEIGHT = 0.20
_NEAREST = 3  # titles suggested when nothing matches
# Said of any course.
_FILLERS = frozenset({*SMALL_WORDS, "about", "class", "course", "lecture", "lectures", "module", "one"})


def resolve(
    name: str,
    titles: Sequence[str],
    vectors: Callable[[], Mapping[str, NDArray[np.float32]]],
    likeness_to: Callable[[str, NDArray[np.float32]], NDArray[np.float32]],
) -> tuple[tuple[str, ...], Message | None]:
    """Return the course titles that ``name`` means and, if there are none or several, why.

    Only if nothing else matches are ``vectors`` of the titles needed (none while they come from another
    model), and ``likeness_to``, which compares a name with them.
    """
    if literal := literal_matches(name, titles):
        several = None
        if len(literal) > 1:
            several = Message("search.several_courses", name=name, titles="; ".join(literal))
        return tuple(literal), several
    if not titles:
        return (), Message("search.no_course_in_empty_library", name=name)
    by_title = vectors()
    if not by_title:
        return (), Message("search.no_course", name=name)
    names = list(by_title)
    likeness = np.zeros(len(names), np.float32)
    # The name goes to the model as it is: without capitals, umlauts and small words, less is found.
    if words := " ".join(word for word in words_in(folded(name)) if word not in _FILLERS):
        stems = _stems(words)
        shared = [len(stems & _stems(title)) / len(stems) for title in names]
        meaning = likeness_to(name, np.stack(list(by_title.values())))
        likeness = meaning + _WORDS_WEIGHT * np.array(shared, np.float32)
    order = np.argsort(-likeness, kind="stable").tolist()
    if likeness[order[0]] >= SEMANTIC_THRESHOLD:
        return (names[order[0]],), None
    nearest = "; ".join(names[index] for index in order[:_NEAREST])
    return (), Message("search.no_course_nearest", name=name, titles=nearest)


def _stems(text: str) -> set[str]:
    return {stem for _, stem in tokenize([text])}
