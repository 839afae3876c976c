"""Questions that a course asks and answers itself, to begin with.

Of each lesson one: its title, if that asks; a question in its text that the next sentence answers; or what
a term means that the text marks. Each is understood without what stands before it.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from app.core.documents.text.definitions import definitions_in
from app.core.documents.text.languages import ENGLISH
from app.domain.words import word_set

_SENTENCE = re.compile(r"[^.!?\n]{1,300}[.!?](?=\s|$)")
# Not "which": it chooses among things that were named before.
_FIRST_WORDS = word_set(
    "what how why when who whose where "
    "was wie warum wann wer wo weshalb wozu "
    "comment pourquoi quand quel quelle quels quelles combien"
)
# Say that a sentence leans on the one before it.
_LEANING = word_set(
    "it its this that these those they them their he she him his her we us our i my me here there so such "
    "else end many other two wrong "
    "er sie es ihr ihm ihn ihnen ihre sein seine dies diese dieser dieses wir uns unser hier dort dann "
    "il elle ils elles ce cet cette ces leur nous notre ici esto eso este esta ellos ellas nosotros"
)
_CALLED = re.compile(  # "Such a number is called a parameter.", "A course is a folder of files."
    r" is called ((?:an? |the )(?:[a-z]+ ){0,3}[a-z]+)[.,;]"
    r"|(?<![^\n.] )\b(An? [a-z]+(?: [a-z]+)?) is (?:an?|the) "
)
_LENGTH = range(18, 91)  # characters
_WORDS = range(4, 17)
_ANSWER = 40  # characters that a sentence has at least if it is to answer


def lesson_question(title: str, texts: Iterable[str]) -> str | None:
    """Return a question that a lesson with this title and these passages answers."""
    if _stands_alone(title):
        return title
    named: str | None = None
    for text in texts:
        sentences = [(found.group().strip(), found.end()) for found in _SENTENCE.finditer(text)]
        for (sentence, end), (following, _) in pairwise([*sentences, ("", 0)]):
            answered = len(following) >= _ANSWER and not following.endswith("?") and text[end] != "\n"
            if answered and _stands_alone(sentence):
                return sentence
        if named is None and (marked := next(definitions_in(text, ENGLISH), None)):
            named = f"What does “{marked.term}” mean?"
        if named is None and (called := _CALLED.search(text)):
            named = f"What is {called[1] or called[2].lower()}?"
    return named


def _stands_alone(sentence: str) -> bool:
    words = re.findall(r"[^\W\d_]+", sentence.casefold())
    return (
        sentence.endswith("?")
        and len(sentence) in _LENGTH
        and len(words) in _WORDS
        and (sentence.startswith("¿") or words[0] in _FIRST_WORDS)
        and sentence[0] in "¿" + sentence[0].upper()
        and _LEANING.isdisjoint(words)
        and not re.search(r"[\"“”„«»‹›`*#|<>\[\]{}()=:]", sentence)
    )
