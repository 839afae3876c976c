"""Finds sentences that define a term, and the term, in English, German and Spanish.

A sentence must be understood by itself: one that leans on the sentence before it, or points to a figure,
defines nothing. In doubt a sentence is left out: a wrong card costs trust.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.core.documents.text.languages import common_words
from app.core.documents.text.markdown_structure import plain_inline
from app.domain.words import word_set

_LENGTH = range(40, 321)  # characters of a sentence
_LETTERS = range(3, 41)  # characters of a term
_WORDS = 4  # of a term
_DEFINING = 5  # words that a definition has besides the term
_DESCRIBING = 4  # words before "is called"
_BEGINNING = 80  # characters in which a term in bold is the subject
_SIGNS = "\"'“”‘’„«»*_` "
_WORD = re.compile(r"[^\W\d_](?:[\w’'-]*\w)?")
_POSSESSIVE = re.compile(r"[^\W\d_][\w-]*(?:['’]s|s['’])")
_MARKUP = re.compile(r"\[|<[a-zA-Z/!]")  # a picture, a reference, HTML
# An entry of a glossary: "- **Turgor**: the pressure of …", or as a definition list of Markdown.
_ENTRY = re.compile(
    r"(?:[-*+•] {1,3})?(?:(?P<sign>\*\*|__|[*_])(?P<term>[^\s*_][^*_\n]{0,60})(?P=sign)"
    r"|(?P<line>[^\s*_:][^*_:\n]{1,60})(?=\n:))"
    r"(?: \([^()\n]{1,60}\))?(?:(?<=:)|(?<=:\*\*)|(?<=:\*)|\n?:| [–—-])(?P<said> [^\n]{20,320})"
)
_MARKED = re.compile(r"(\*\*|__|(?<!\*)\*(?!\*)|(?<!_)_(?!_))(?P<term>[^\s*_][^*_\n]{0,60})\1")
_LISTED = re.compile(r"(?:, [\w -]{2,40}){0,8},? (?:and|und|y) [\w -]{2,20}[,.;]")  # "called A, B and C"
_IDLE = re.compile(r" (?:\w+ly|similar|not|very|so|also|often|found|used|sehr|nicht|ähnlich|muy|no)\b")
_SUPERLATIVE = re.compile(r"[a-z]{3,20}(?:est|most)")  # "the simplest measure" is no term
_VERB = re.compile(r" ?(?:\([^()]{1,80}\)|,[^,.;:()]{2,60},)? ?(?P<verb>[^\W\d_]+)")

_PHRASE = r"(?P<{}>[^\s,.;:()\[\]][^,.;:()\[\]]{{1,60}}?)"  # before the verb
_NAME = r"(?P<{}>[^\s,.;:()][^,.;:()]{{1,60}})"  # after it
_ASIDE = r"(?: \([^()]{1,80}\)|,(?: or| also| auch| oder| también| o) [^,.;:()]{2,60},)?"


@dataclass(frozen=True, slots=True)
class _Rules:
    being: re.Pattern[str]  # from the beginning of a sentence, after its term
    naming: re.Pattern[str]  # anywhere
    articles: frozenset[str]
    joining: frozenset[str]  # stand within a term: "law of segregation"
    no_term: frozenset[str]  # neither first nor last word of a term
    telling: frozenset[str]  # verbs after a term in bold that say what it is or does
    leaning: re.Pattern[str]  # on what stands before, or a figure


_RULES = {
    "en": _Rules(
        re.compile(
            rf"{_PHRASE.format('a')}{_ASIDE} (?:(?:is|are) (?:an?|the|any)|refers? to|(?:is|are) defined as)"
            r" (?!(?:\w+est|most|only|same|first|next|example|result|reason|number|case|common|standard|key"
            r"|main|major|important|serious|attractive|great|good)\b)[^\W\d]"
            rf"|{_PHRASE.format('many')}{_ASIDE} are (?!\w+ed )[a-z-]+(?: [a-z-]+){{0,3}}"
            " (?:(?<! in )that|which|who|whose) "
        ),
        re.compile(
            r"\b(?:is|are)(?: also| often| sometimes| usually| commonly)?"
            rf" (?:called|known as|referred to as|termed) {_NAME.format('b')}"
        ),
        word_set("a an the"),
        word_set("of the"),
        word_set(
            "answer aim approach author authors background best case chapter conclusion difference effect "
            "end example fact factor figure first focus goal group idea image key last lesson main method "
            "most name next note number only paper part people person point problem process purpose "
            "question reason result results role section solution step story student study subject table "
            "task thing time type types value way word work world year years usually often typically"
        ),
        word_set(
            "is are consists consist contains contain describes states forms produces stores uses "
            "regulates has have"
        ),
        re.compile(
            r"\b(?:[Ff]ig(?:ure|\.)|[Tt]able|[Cc]hapter|[Ss]ection) ?\(?\d"
            r"|\b(?:[Tt]hese|[Tt]hose|[Tt]his|above|below|previous(?:ly)?|following"
            r"|latter|former|I|we|you|such(?! as)|another|because|therefore)\b"
        ),
    ),
    "de": _Rules(
        re.compile(
            rf"{_PHRASE.format('a')}{_ASIDE} (?:(?:ist|sind) (?:eine?|der|die|das|jede[rs]?)"
            r"|bezeichne[nt]|bedeutet (?:eine?n?|die|den|das))"
            r" (?!Beispiel|Grund|Teil |Folge |[a-zäöü-]{3,}[sß]ten? )[^\W\d]"
            rf"|{_PHRASE.format('many')}{_ASIDE} sind [\w-]+(?: [\w-]+){{0,3}}, (?:die|deren|welche) "
        ),
        re.compile(
            rf"\b[Uu]nter {_PHRASE.format('a')} versteht man"
            rf"|\b[Aa]ls {_PHRASE.format('b')} (?:bezeichnet man|(?:wird|werden) [^.]{{3,200}} bezeichnet)"
            rf"|\b(?:wird|werden)(?: auch| oft)? (?:als )?{_PHRASE.format('c')} (?:bezeichnet|genannt)"
            rf"|\b(?:nennt man|bezeichnet man(?: auch)? als|heißt|heißen) {_NAME.format('d')}"
        ),
        word_set("der die das den dem des ein eine einen einem einer eines"),
        word_set("der des von"),
        word_set(
            "anfang antwort art aufgabe beispiel ende ergebnis frage folge fall grund gruppe heute hinaus "
            "hinweis idee jahr kapitel land lektion mensch menschen problem punkt region rolle sache satz "
            "schritt stadt teil thema unterschied weg weise wert wort zahl zeit ziel zweck"
        ),
        word_set("ist sind besteht bestehen hat haben enthält enthalten"),
        re.compile(
            r"\b(?:Abb(?:ildung|\.)|Tab(?:elle|\.)|Kapitel|Abschnitt) ?\d"
            r"|\b(?:[Dd]ies(?:e[rsmn]?)?|oben|unten|siehe|vorherigen?|folgenden?|letztere[rs]?|solche[nrms]?|wir|ich|weil|obwohl)\b"
        ),
    ),
    "es": _Rules(
        re.compile(
            rf"{_PHRASE.format('a')}{_ASIDE} (?:(?:es|son) (?:una?|unos|unas|el|la|los|las)|se definen? como"
            r"|significa|se refiere a|consiste en)"
            r" (?!ejemplo|razón|parte |caso |principal|\w+ (?:más|principal)\b)[^\W\d]"
            rf"|{_PHRASE.format('many')}{_ASIDE} son [^\W\d][\w-]*(?: [\w-]+){{0,3}} (?:que|cuy[oa]s?) "
        ),
        re.compile(
            rf"\b[Ss]e (?:llaman?|denominan?|conocen? como|entiende por) {_PHRASE.format('a')}"
            " (?:al?|el|la|los|las|una?) "
            rf"|\b[Pp]or {_PHRASE.format('b')} se entiende"
            rf"|\b(?<!que )se (?:les? )?(?:llaman?|denominan?|conocen? como) {_NAME.format('c')}"
        ),
        word_set("el la los las un una unos unas al"),
        word_set("de del la los las"),
        word_set(
            "año años caso causa ejemplo ejemplos fin final forma grupo idea lección manera mayoría nota "
            "objetivo parte persona personas pregunta problema punto razón respuesta resultado tema tiempo "
            "tipo vez obra nombre ciudad país región"
        ),
        word_set("es son consiste consisten tiene tienen contiene contienen"),
        re.compile(
            r"\b(?:[Ff]ig(?:ura|\.)|[Tt]abla|[Cc]apítulo|[Ss]ección) ?\d"
            r"|\b(?:[Ee]st[aeo]s?|[Ee]s[aeo]s?|arriba|abajo|anterior(?:es|mente)?|siguientes?|véase|dich[oa]s?|porque|aunque|nosotros)\b"
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Definition:
    term: str
    sentence: str  # without Markdown, on one line
    is_marked: bool  # the author names it as a term, or sets it off, as in bold


def definition_in(sentence: str, language: str) -> Definition | None:
    """Return what a sentence defines, if it is understood by itself.

    ``sentence`` may be Markdown; ``language`` is a code of ISO 639.
    """
    rules = _RULES.get(language)
    plain = plain_inline(" ".join(sentence.split()))
    if rules is None or rules.leaning.search(plain):
        return None
    if entry := _entry(sentence, rules, language):
        return entry
    if (
        len(plain) not in _LENGTH
        or plain[-1] not in ".»”"
        or not _first_word(plain)[:1].isupper()
        or _MARKUP.search(plain)
        or plain.count("(") != plain.count(")")
    ):
        return None
    first = _first_word(plain).casefold()
    leans = first in common_words(language) - rules.articles
    if (named := _naming(plain, rules, language, leans=leans)) or leans:
        return named
    return _being(sentence, plain, rules, language) or _marked_subject(sentence, plain, rules, language)


def _naming(plain: str, rules: _Rules, language: str, *, leans: bool) -> Definition | None:
    """Return the term of a sentence such as "The diffusion of water is called osmosis."."""
    found = rules.naming.search(plain)
    if found is None or (found.start() > 0 and (leans or not _is_described(plain[: found.start()]))):
        return None
    term = _term_of(next(filter(None, found.groups())), rules, language, is_left=False)
    if _LISTED.match(plain, plain.find(term, found.start()) + len(term)) or not _is_defined(plain, term):
        return None
    return Definition(term, plain, is_marked=True)


def _being(sentence: str, plain: str, rules: _Rules, language: str) -> Definition | None:
    """Return the term of a sentence such as "Osmosis is the diffusion of water."."""
    found = rules.being.match(plain)
    if found is None:
        return None
    term = _term_of(found["a"] or found["many"], rules, language, is_left=True)
    marked = {one["term"].strip(_SIGNS).casefold() for one in _MARKED.finditer(sentence)}
    return Definition(term, plain, term.casefold() in marked) if _is_defined(plain, term) else None


def _marked_subject(sentence: str, plain: str, rules: _Rules, language: str) -> Definition | None:
    """Return the term in bold that a sentence begins with, which then says what it is or does."""
    found = _MARKED.search(sentence[:_BEGINNING])
    verb = found and _VERB.match(sentence, found.end())
    if not found or not verb or verb["verb"] not in rules.telling or _IDLE.match(sentence, verb.end()):
        return None
    term = _term_of(found["term"], rules, language, is_left=True)
    before = sentence[: found.start()].casefold().split()
    is_subject = len(before) < 2 and rules.articles.issuperset(before)
    return Definition(term, plain, is_marked=True) if term and is_subject else None


def _is_described(before: str) -> bool:
    """Return whether it is said what is called so: not in "The idea is called …"."""
    clause = re.split("[;:.]", before)[-1]
    return sum(len(word) > 1 for word in _WORD.findall(clause)) >= _DESCRIBING


def _is_defined(plain: str, term: str) -> bool:
    return bool(term) and len(_WORD.findall(plain)) - len(term.split()) >= _DEFINING


def _first_word(sentence: str) -> str:
    """Return the word that a sentence begins with; "" if that is a number or a sign."""
    first = _WORD.search(sentence)
    return first[0] if first is not None and first.start() < 2 else ""


def _term_of(phrase: str, rules: _Rules, language: str, *, is_left: bool) -> str:
    """Return the term that a phrase names; "" if it is none.

    A phrase left of the verb has to be the term as a whole; right of it, what follows the term is cut off.
    """
    words = phrase.strip(_SIGNS).split()
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
        and rules.no_term.isdisjoint((words[0].casefold(), words[-1].casefold()))
    )
    return term if good else ""


def _entry(sentence: str, rules: _Rules, language: str) -> Definition | None:
    found = _ENTRY.fullmatch(sentence)
    if found is None:
        return None
    term = _term_of((found["term"] or found["line"]).rstrip(": "), rules, language, is_left=True)
    said = plain_inline(found["said"])
    is_noun = said[:1].islower() or _first_word(said).casefold() in rules.articles  # not "Develop a …"
    is_told = len(_WORD.findall(said)) >= _DEFINING and is_noun and not _MARKUP.search(said)
    return Definition(term, f"{term}: {said}", is_marked=True) if term and is_told else None
