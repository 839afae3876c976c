"""Finds sentences that define something, and what they define, in English, German and Spanish.

Rules, not a model: a wrong card costs trust, so what may be none is left out. A sentence must be understood
by itself: one that leans on what stands before it, or points to a figure, is no card.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.core.documents.text.languages import common_words
from app.core.documents.text.markdown_structure import plain_inline
from app.features.study.definition_rules import RULES, Rules

_LENGTH = range(40, 321)  # characters of a sentence
_WORDS = 4  # of a term
_TALK = frozenset(
    ("i", "we", "you", "next", "what", "although", "while")
    + ("ich", "wir", "obwohl")
    + ("nosotros", "lo", "aunque")
)
_LETTERS = range(3, 41)
_DEFINING = 5  # words that a definition has besides the term
_DESCRIBING = 4  # words before "is called"
_SIGNS = "\"'“”‘’„«»*_` "
_WORD = re.compile(r"[^\W\d_](?:[\w’'-]*\w)?")
# "are similar to hagfishes", "sind häufig" tell little of what a term means.
_IDLE = re.compile(
    r" (?:also |often |usually |sometimes |auch |oft |también )?"
    r"(?:similar|associated|exclusively|seen|found|named|used|common|important|present|able|significantly"
    r"|the most|very|not|a few"
    r"|ähnlich|häufig|wichtig|sehr|nicht|similares|comunes|importantes?|muy)\b"
)
# "are called the rumen, reticulum and omasum": it does not define the first of them.
_LISTED = re.compile(r"(?:, [\w -]{2,40}){0,8},? (?:and|und|y) [\w -]{2,20}[,.;]")
_MARKUP = re.compile(r"\[|<[a-zA-Z/!]")  # a picture, a reference, HTML
_QUOTED = re.compile(r"[\"“„«](?P<term>[^\"“”„«»]{3,60})[\"”“»]")
_POSSESSIVE = re.compile(r"[^\W\d_][\w-]*(?:['’]s|s['’])")
_SUPERLATIVE = re.compile(r"[a-z]{3,20}(?:est|most)")  # "the simplest measure" is no term
# An entry of a glossary: "- **Turgor**: the pressure of …", or as a definition list of Markdown.
_ENTRY = re.compile(
    r"(?:[-*+•] {1,3})?(?:(?P<sign>\*\*|__|[*_])(?P<term>[^\s*_][^*_\n]{0,60})(?P=sign)"
    r"|(?P<line>[^\s*_:][^*_:\n]{1,60})(?=\n:))"
    r"(?: \([^()\n]{1,60}\))?(?:(?<=:)|(?<=:\*\*)|(?<=:\*)|\n?:| [–—-])(?P<said> [^\n]{20,320})"
)
_BEGINNING = 80  # characters in which a term in bold is the subject
_VERB = re.compile(r" ?(?:\([^()]{1,80}\)|,[^,.;:()]{2,60},)? ?(?P<verb>[^\W\d_]+)")
_MARKED = re.compile(r"(\*\*|__|(?<!\*)\*(?!\*)|(?<!_)_(?!_))(?P<term>[^\s*_][^*_\n]{0,60})\1")


@dataclass(frozen=True, slots=True)
class Definition:
    """What a sentence defines."""

    term: str
    sentence: str  # as one reads it: without Markdown, on one line
    is_marked: bool  # the author says that it is called so, or has set it off, as in bold


def definition_in(sentence: str, language: str) -> Definition | None:
    """Return what a sentence defines, if it does and is understood by itself.

    ``sentence`` may be Markdown; ``language`` is a code of ISO 639.
    """
    rules = RULES.get(language)
    plain = plain_inline(" ".join(sentence.split()))
    if rules is None:
        return None
    if entry := _entry(sentence, rules, language):
        return entry
    if not _stands_alone(plain, rules):
        return None
    marked = {found["term"].strip(_SIGNS).casefold() for found in _MARKED.finditer(sentence)}
    named = rules.naming.search(plain)
    at_start = named is not None and named.start() == 0  # as in "Unter … versteht man"
    if not at_start and _first_word(plain).casefold() in rules.leaning:
        return None
    for pattern in (rules.explaining, rules.being, rules.naming):
        found = named if pattern is rules.naming else pattern.match(plain)
        if found is None or (found is named and not at_start and not _is_described(plain[: found.start()])):
            continue
        phrase = next(filter(None, found.groups()))
        term = _term_of(phrase, rules, language, is_left=found is not named)
        if found is named and _LISTED.match(plain, plain.find(term, found.start()) + len(term)):
            continue
        if term and len(_WORD.findall(plain)) - len(term.split()) >= _DEFINING:
            is_marked = pattern is not rules.being or term.casefold() in marked
            return Definition(term, plain, is_marked)
    return _marked_subject(sentence, plain, rules, language)


def _is_described(before: str) -> bool:
    """Return whether it is told what is called so: not "The idea is called …", "What we need is called …"."""
    words = [re.split("['’]", word.casefold())[0] for word in _WORD.findall(before)]
    told = sum(len(word) > 1 for word in words)  # not "B causes A, which is called …"
    return told >= _DESCRIBING and _TALK.isdisjoint(words)


def _stands_alone(sentence: str, rules: Rules) -> bool:
    return (
        len(sentence) in _LENGTH
        and sentence[-1] in ".»”"
        and _first_word(sentence)[:1].isupper()
        and not _MARKUP.search(sentence)
        and sentence.count("(") == sentence.count(")")
        and rules.meaning.isdisjoint(map(str.casefold, _WORD.findall(sentence)))
        and not rules.pointing.search(sentence)
    )


def _first_word(sentence: str) -> str:
    """Return the word that a sentence begins with; "" if that is a number or a sign."""
    first = _WORD.search(sentence)
    return first[0] if first is not None and first.start() < 2 else ""


def _term_of(phrase: str, rules: Rules, language: str, *, is_left: bool) -> str:
    """Return the term that a phrase names; "" if it is none.

    A phrase left of the verb has to be the term as a whole; right of it, what follows the term is cut off.
    """
    quoted = None if is_left else _QUOTED.match(phrase)
    words = (quoted["term"] if quoted else phrase).strip(_SIGNS).split()
    if words and words[0].casefold() in rules.articles:
        words = words[1:]
    common = (common_words(language) | rules.articles) - rules.joining
    words = [word if _POSSESSIVE.fullmatch(word) else word.strip(_SIGNS) for word in words]
    if not is_left:
        end = next((at for at, word in enumerate(words) if word.casefold() in common), len(words))
        words = words[:end]
    named = [word for word in words if word not in rules.joining]
    term = " ".join(words)
    good = (
        1 <= len(named) <= _WORDS
        and len(term) in _LETTERS
        and rules.joining.isdisjoint((words[0], words[-1]))
        and len(words[-1]) > 1
        and not (len(words) > 1 and _SUPERLATIVE.fullmatch(words[0]))
        and all(_WORD.fullmatch(word.rstrip("'’")) and word.casefold() not in common for word in words)
        and not (is_left and any(map(_POSSESSIVE.fullmatch, words)))  # "Water's capacity" is no term
        and rules.no_term.isdisjoint({word.casefold() for word in (words[0], words[-1])})
    )
    return term if good else ""


def _entry(sentence: str, rules: Rules, language: str) -> Definition | None:
    """Return the term of an entry of a glossary."""
    found = _ENTRY.fullmatch(sentence)
    if found is None or rules.pointing.search(sentence):
        return None
    term = _term_of((found["term"] or found["line"]).rstrip(": "), rules, language, is_left=True)
    said = plain_inline(found["said"])
    is_noun = (
        said[:1].islower() or _first_word(said).casefold() in rules.articles
    )  # not "Develop a hypothesis …"
    is_told = len(_WORD.findall(said)) >= _DEFINING and is_noun and not _MARKUP.search(said)
    return Definition(term, f"{term}: {said}", is_marked=True) if term and is_told else None


def _marked_subject(sentence: str, plain: str, rules: Rules, language: str) -> Definition | None:
    """Return the term that is set off at the beginning of a sentence, which then tells what it is or does."""
    found = _MARKED.search(sentence[:_BEGINNING])
    if found is None:
        return None
    before = sentence[: found.start()].split()
    verb = _VERB.match(sentence, found.end())
    term = _term_of(found["term"], rules, language, is_left=True)
    is_subject = len(before) < 2 and all(word.casefold() in rules.articles for word in before)
    is_told = verb is not None and verb["verb"] in rules.telling and not _IDLE.match(sentence, verb.end())
    return Definition(term, plain, is_marked=True) if term and is_subject and is_told else None
