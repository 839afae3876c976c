"""Questions to begin with that a course answers, about its marked terms and its lessons."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from app.core.courses.names import SEPARATOR
from app.core.documents.text.definitions import definitions_in, unambiguous
from app.domain.words import in_words

_TERM = {"de": "Was ist „{}“?", "es": "¿Qué es «{}»?"}
_LESSON_ON = {
    "de": "Fass die Lektion über {} zusammen",
    "es": "Resume la lección sobre {}",
}
_LESSON = {"de": "Worum geht es in Lektion {} von {}?", "es": "¿De qué trata la lección {} de {}?"}
_FEWEST = 3  # times that a lesson names a term which is one of its subjects
_FEWEST_PASSAGES = 2
_SUBJECT = re.compile(r"(?![a-z])(?=.*[^\W\d_]{4})[^?!.]{4,60}")
# Titles that name a part of the course instead of a subject.
_NO_SUBJECT = re.compile(
    r"\W*(introduction|intro|overview|conclusion|summary|welcome|outro|wrap[- ]?up|recap|next steps|preface"
    r"|other techniques|final thoughts|appendix|quiz|exercises?|notes?|further reading|einführung"
    r"|einleitung|vorwort|zusammenfassung|anhang|introducción|resumen|prefacio|anexos?)\W*",
    re.IGNORECASE,
)


class TeachingText(NamedTuple):
    number: int
    title: str
    language: str  # a code of ISO 639
    passages: list[str]


def course_questions(course: str, lessons: Sequence[TeachingText]) -> tuple[str, ...]:
    """Return questions that teaching texts answer, best first."""
    terms: dict[str, list[bool | int]] = {}
    on, numbered = [], []
    for number, title, language, passages in lessons:
        subject, text = title.rpartition(SEPARATOR)[2], " ".join(passages)
        words = in_words(text)
        marked: list[tuple[bool, int, str]] = [
            (one.is_sentence or in_words(one.term) in in_words(subject), times, one.term)
            for one in unambiguous(found for text in passages for found in definitions_in(text, language))
            if (times := words.count(in_words(one.term))) >= _FEWEST
        ]
        if marked:
            *strength, term = max(marked)
            term = term.lower() if term.lower() in text else term
            form = _TERM.get(language, "What is {}?")
            terms.setdefault(form.format(term if language in _TERM else _with_article(term, words)), strength)
        if len(passages) < _FEWEST_PASSAGES:
            continue
        if _SUBJECT.fullmatch(subject) and not _NO_SUBJECT.fullmatch(subject):
            on.append(_LESSON_ON.get(language, "Summarise the lesson on {}").format(subject))
        else:
            numbered.append(_LESSON.get(language, "What is lesson {} of {} about?").format(number, course))
    return tuple(
        dict.fromkeys([*sorted(terms, key=lambda asked: terms[asked], reverse=True), *on, *numbered])
    )


def _with_article(term: str, text: str) -> str:
    """Return an English term with the article that a text, folded, puts before it most often."""
    parts = f" {text} ".split(f" {in_words(term)} ")[:-1]
    before = Counter(part.rpartition(" ")[2] for part in parts)
    article, _ = before.most_common(1)[0] if before else ("", 0)
    return f"{article} {term}" if article in ("a", "an", "the") else term
