"""Finds the terms that an author marked, with what is said of each.

Marked are the entries of a glossary ("**Turgor**: the pressure of …", or "Turgor" with ": the pressure of …"
below it), the rows of a table of two columns, what is headed "Definition", and a term in bold that begins a
sentence. What only a human would recognize as a definition is left out: a wrong card costs trust.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from app.core.documents.text.languages import ARTICLES, ENGLISH, common_words
from app.core.documents.text.markdown_structure import fences, is_within, plain_inline
from app.domain.words import word_set

_TERM = range(2, 41)  # characters
_MOST_WORDS = 4  # of a term
_SAID = range(15, 401)  # characters of what is said of it
_FEWEST_WORDS = 3  # of that
_SENTENCE_WORDS = 9  # of a whole sentence
_SIGNS = "\"'“”‘’„«»*_` .:"
_WORD = re.compile(r"[^\W\d_]++")
_REMARK = re.compile(r"\s*`|(?:[^`]*`){4}")  # on code: begins with it, or holds two pieces of it
_CODE_NAME = re.compile(r"`|[a-z][A-Z]")
_BRACKETED = re.compile(r" \([^()]*+\)$")
_NO_TERM = re.compile(r"[^\w\s'’/+#.&-]|\d|\w[.!?] |/$")
_NO_TEXT = re.compile(r"\]\(|<[a-zA-Z/!]|!\[|\bhttps?:|\\begin|\||: :")
_POINTING = re.compile(
    r"\b(?:fig|abb|tab|lin|lín|zeil|step|schritt|paso|chap|kap|cap|sec|abschn)\w{0,9}\.? \d", re.IGNORECASE
)
# Leaning on what is before it.
_LEANING = re.compile(r"\b(?:th(?:is|[eo]se)|dies(?:e[mnrs]?)?|est[aeo]s?)\b", re.IGNORECASE)
_JOINING = word_set("of the and for de del la y der des von und & vs di du et")  # within a term
_LABELS = word_set(
    "answer caution description example exercise goal hint idea important input insight note notes output "
    "problem question reason remark result solution step summary tip topics warning "
    "achtung antwort aufgabe beispiel eingabe frage grund hinweis idee lösung merke problem schritt tipp "
    "advertencia consejo ejemplo ejercicio entrada importante nota objetivo paso pista pregunta problema "
    "respuesta resultado salida solución "
    "blue green orange red yellow blau gelb grün rot amarillo azul celeste naranja rojo verde"  # of a legend
)

# A paragraph, an item of a list or a row of a table; a line that begins with ":" belongs to the one above.
_BLOCK = re.compile(r"[^\n]++(?:\n(?![ \t]*+(?:\n|\||(?:[-*+•]|\d{1,3}[.)])[ \t]|#|\Z))[^\n]++)*+")
_QUOTING = re.compile(r"^[ \t]*+>[ \t]?", re.MULTILINE)
_BULLET = re.compile(r"[-*+•][ \t]++")  # what is numbered are steps
_MARKED = r"[*_]{1,3}(?P<term>[^\s*_][^*\n]{0,60}?)[*_]{1,3}"
_INSIDE = re.compile(_MARKED)
_HEADED = re.compile(
    r"[*_]{0,3}(?:Definition|Definición|Définition)(?: [\d.]{1,8})?(?: \((?P<term>[^()\n]{2,60})\))?"
    r"[.:]?[*_]{0,3}[.:]?\s++(?P<said>.++)",
    re.DOTALL,
)
_ENTRY = re.compile(
    rf"(?:{_MARKED}(?: \([^()\n]{{1,60}}\))?(?:(?<=:)|(?<=:[*_])|(?<=:[*_]{{2}})|:| [–—-])[ \t]++"
    r"|(?P<line>[^\n]{2,60})\n:[ \t]++)(?P<said>.++)",
    re.DOTALL,
)
_ROW = re.compile(r"\|(?P<term>(?P<line>[^|\n]{2,80}))\|(?P<said>[^|\n]{2,400})\|")
_COMMAND = re.compile(r"[ `a-z-]++")  # such as `ls`; other code is the course's own
_SUBJECT = re.compile(
    rf"(?:(?P<article>[^\W\d_]{{1,5}}) )?{_MARKED} (?!(?:and|or|und|oder|y|e|o|u)\b)(?=[^\W\d_])"
)
_SENTENCE = re.compile(r"[^.!?]++(?:[.!?]++(?!\s|$)[^.!?]*+)*+[.!?]*+\s*+")


class Definition(NamedTuple):
    """A term and its definition, on one line and without Markdown."""

    term: str
    said: str
    start: int  # of the entry or the sentence in the text
    end: int
    is_sentence: bool  # else what is said follows the term, as in a glossary

    @property
    def sentence(self) -> str:
        return self.said if self.is_sentence else f"{self.term}: {self.said}"


def definitions_in(text: str, language: str = "", *, is_markdown: bool = True) -> Iterator[Definition]:
    """Yield the terms that a text marks; ``language`` is a code of ISO 639."""
    code = fences(text)
    for block in _BLOCK.finditer(text):
        if not is_within(code, block.start()):
            yield from _defined(text, *block.span(), language, is_markdown=is_markdown)


def unambiguous(definitions: Iterable[Definition]) -> set[Definition]:
    """Return the definitions of a course that are of one term each.

    What stands before several texts, such as "Advantages", is a label and no term. An entry says more of a
    term than a sentence that begins with it.
    """
    found: dict[str, Definition] = {}
    labels: set[str] = set()
    for one in definitions:
        known = found.setdefault(name := one.term.casefold(), one)
        if known.is_sentence and not one.is_sentence:
            found[name] = one
        elif not one.is_sentence and one.said != known.said:
            labels.add(name)
    return {one for name, one in found.items() if name not in labels}


def _defined(text: str, start: int, end: int, language: str, *, is_markdown: bool) -> Iterator[Definition]:
    plain = _QUOTING.sub("", text[start:end]).strip()
    if bullet := _BULLET.match(plain):
        plain = plain[bullet.end() :]
    if headed := _HEADED.fullmatch(plain):
        marked = _INSIDE.search(headed["said"])  # "Definition: a **set** is …"
        term = headed["term"] or (marked["term"] if marked else "")
        yield from _checked(term, headed["said"], (start, end), language)
    elif not is_markdown:
        return
    elif found := _ROW.fullmatch(plain) or _ENTRY.fullmatch(plain):
        term = found["term"] or found["line"]
        is_command = found.re is _ROW and _COMMAND.fullmatch(term)
        if (is_command or not _CODE_NAME.search(term)) and not _REMARK.match(found["said"]):
            yield from _checked(term, found["said"], (start, end), language)
    else:
        for sentence in _SENTENCE.finditer(text, start, end):
            first, subject = sentence.start(), _SUBJECT.match(text, *sentence.span())
            if subject is None or (subject["article"] or "the").casefold() not in ARTICLES:
                continue
            if subject["term"][-1] not in ".:?!":  # which end a heading at the beginning of its paragraph
                span = first, first + len(sentence[0].rstrip())
                yield from _checked(subject["term"], sentence[0], span, language, is_sentence=True)


def _checked(
    marked: str, said: str, span: tuple[int, int], language: str, *, is_sentence: bool = False
) -> Iterator[Definition]:
    """Yield a definition unless its term is a label or its text is not prose."""
    term = _BRACKETED.sub("", plain_inline(marked).strip(_SIGNS))
    said = plain_inline(" ".join(said.split())).replace("**", "")
    words = [word if word.isupper() else word.casefold() for word in term.split()]  # "AND" is an operator
    common = common_words(language) | common_words(ENGLISH)
    is_term = (
        len(term) in _TERM
        and 1 <= len(words) <= _MOST_WORDS
        and _WORD.search(term)
        and not _NO_TERM.search(term)
        and (common | _LABELS).isdisjoint((words[0], words[-1]))
        and _JOINING.issuperset(common.intersection(words))
    )
    is_told = (
        len(said) in _SAID
        and len(_WORD.findall(said)) >= (_SENTENCE_WORDS if is_sentence else _FEWEST_WORDS)
        and not _NO_TEXT.search(said)
        and not _POINTING.search(said)
        and not (is_sentence and _LEANING.search(said))
        and said[-1] not in ":?;,"
        and said.count("(") == said.count(")")
    )
    if is_term and is_told:
        yield Definition(term, said, *span, is_sentence)
