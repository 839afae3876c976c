"""Decides whether a model's draft becomes an item.

Its quotation must be in its passage, which is checked like an answer's citations, and what it says must agree
with that passage, which is examined like an answer.
"""

import re
from dataclasses import replace
from itertools import combinations

from app.core.answers.citations import check_quoted
from app.core.answers.likeness import Likeness, TextEmbedder
from app.core.answers.proof.claims import plain
from app.core.answers.proof.evidence import Evidence, read_sentence
from app.core.answers.proof.examination import examine
from app.core.answers.proof.facts import wrong_fact, wrong_number
from app.core.answers.sources import SourceRegistry
from app.core.documents.text.languages import certain_language_of
from app.domain.cancel import CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.messages import Message
from app.domain.sources import Citation, Source
from app.domain.words import UNSPACED_SIGN, in_words, words_in
from app.features.study.item_writer import Draft, DropReason, Refused
from app.features.study.kinds import KINDS
from app.features.study.model.items import Difficulty, NewItem
from app.features.study.model.names import ItemText

_LONGEST_QUOTE = 1000
_MOST_QUOTED = 3  # sentences
_FEWEST_WRONG = 2
_SHORTEST_QUOTE = 15  # characters, of a sentence that is longer
_SHORTEST_JUDGED = 40  # characters, of which the language can be told

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_HTML = re.compile(r"<(?:/?[a-zA-Z][^<>]{0,300}/?|!--[^<>]{0,300})>")
_LINK = re.compile(r"\]\(|\bhttps?://")
_SAID = re.compile(r"[^\W_]+|[#<>≤≥=≠+*/^→←-]")  # of a choice


class ItemChecks:
    """Checks the drafts of one run, whose passages ``registry`` numbers. Used by one thread at a time.

    ``language`` is that of the items, empty for that of each passage.
    """

    def __init__(
        self, registry: SourceRegistry, difficulty: Difficulty, language: str, embedder: TextEmbedder | None
    ) -> None:
        self._registry = registry
        self._difficulty = difficulty
        self._language = language
        self._embedder = embedder
        self._facts: dict[int, PassageFacts] = {}  # by the number of the passage

    def check(self, draft: Draft) -> NewItem:
        """Return the item of a draft; raises Refused."""
        _check_form(draft)
        citation = self._check_quote(draft)
        source = self._registry.sources[citation.source_n - 1]
        quote = source.text(citation.start, citation.end)
        _check_words(draft, quote)
        language = self._check_language(draft, source, quote)
        self._check_facts(draft, source, citation)
        return NewItem(
            draft.kind,
            draft.text,
            replace(source, n=1),
            citation.start,
            citation.end,
            quote,
            self._difficulty,
            language,
        )

    def _check_quote(self, draft: Draft) -> Citation:
        if len(draft.quote) > _LONGEST_QUOTE:
            raise Refused(DropReason.QUOTE, "The quotation is too long: quote one sentence.")
        citation = check_quoted(self._registry, draft.passage, draft.quote)
        if not citation.verified:
            say = f"The quotation does not stand in passage {draft.passage}: copy a sentence of it exactly."
            raise Refused(DropReason.QUOTE, say)
        if len(draft.quote.strip()) < min(_SHORTEST_QUOTE, citation.end - citation.start):
            raise Refused(DropReason.QUOTE, "The quotation is too short: quote the whole sentence.")
        source = self._registry.sources[citation.source_n - 1]
        inside = [one for one in source.sentences if citation.start <= one[0] < citation.end]
        if len(inside) > _MOST_QUOTED:
            raise Refused(DropReason.QUOTE, "The quotation is too long: quote one sentence.")
        return citation

    def _check_language(self, draft: Draft, source: Source, quote: str) -> str:
        """Return the language of an item; only texts long enough are judged."""
        of_material = {certain_language_of(source.hit.text), certain_language_of(quote)} - {""}
        kind = KINDS[draft.kind]
        in_its_words = kind.is_in_course_words
        wanted = {self._language} if self._language and not in_its_words else of_material
        text = draft.text
        parts = [text.front, text.back, text.explanation, f"{text.front} {text.back}"]
        for part in (*parts, ", ".join(text.others)) if kind.has_choices else parts:
            written = certain_language_of(part) if len(part) >= _SHORTEST_JUDGED else ""
            if wanted and written and written not in wanted:
                said = f"It is in the language {written!r}, but {sorted(wanted)[0]!r} was asked for."
                raise Refused(DropReason.LANGUAGE, said)
        found = certain_language_of(source.hit.text)
        return found if in_its_words else self._language or found

    def _check_facts(self, draft: Draft, source: Source, citation: Citation) -> None:
        if source.n not in self._facts:
            self._facts[source.n] = PassageFacts(source, self._embedder)
        facts, text = self._facts[source.n], draft.text
        span = (citation.start, citation.end)
        wrong = KINDS[draft.kind].wrong(facts, text, span)
        if wrong:
            raise Refused(DropReason.UNSUPPORTED, wrong)


def _check_form(draft: Draft) -> None:
    text, kind = draft.text, KINDS[draft.kind]
    said = {
        "front": (text.front,),
        "back": (text.back,),
        "explanation": (text.explanation,),
        "others": text.others,
    }
    if any(len(one) > field.longest for field in kind.fields for one in said[field.part]):
        raise Refused(DropReason.FORM, "It is too long: ask for one thing, and answer in a few words.")
    for part in (text.front, text.back, text.explanation, *text.others):
        bare = _CODE.sub("", part)
        if _HTML.search(bare) or _LINK.search(bare):
            raise Refused(DropReason.FORM, "It holds HTML or a link; write tags as code, in backticks.")
    if kind.has_choices:
        _check_choices(text)
    if problem := kind.form_problem(text):
        raise Refused(DropReason.FORM, problem)


def _check_choices(text: ItemText) -> None:
    if any(_are_same(text.back, other) for other in text.others):
        raise Refused(DropReason.CHOICES, "The right answer is among the wrong ones.")
    if any(_are_same(one, other) for one, other in combinations(text.others, 2)):
        raise Refused(DropReason.CHOICES, "Two of the wrong answers are the same.")
    if len(text.others) < _FEWEST_WRONG:
        raise Refused(DropReason.CHOICES, "There are too few wrong answers: give three.")


def _check_words(draft: Draft, quote: str) -> None:
    """Check that the question does not give its answer away, and what must be in the course's own words."""
    kind = KINDS[draft.kind]
    asked, answers = kind.secrets(draft.text)
    if any(holds(asked, answer) for answer in answers):
        raise Refused(DropReason.GIVEN_AWAY, "The question holds its answer.")
    if not all(holds(quote, words) for words in kind.quoted(draft.text)):
        raise Refused(DropReason.UNSUPPORTED, "Its words must be copied from the quotation.")


def _are_same(one: str, other: str) -> bool:
    """Return whether two choices are the same apart from case and punctuation; "C" is not "C++"."""
    mine, others = (_SAID.findall(text.casefold()) or [text.strip()] for text in (one, other))
    return mine == others


_RELATED_FROM = 0.3  # cosine of an answer in other words than the passage's, and the passage
_SHARED_FROM = 0.4  # of an answer's words, with the passage


class PassageFacts:
    """One passage, read once for all items made from it."""

    def __init__(self, source: Source, embedder: TextEmbedder | None) -> None:
        self._source = source
        self._embedder = embedder
        self._likeness = Likeness(embedder)
        self._evidence = Evidence([source])

    def wrong_statement(self, text: str, quoted: tuple[int, int]) -> str:
        """Return what is wrong with a statement as an answer's claims are examined; empty if nothing is."""
        quote = self._source.text(*quoted)
        citation = Citation(self._source.n, 0, len(text), *quoted, quote, verified=True)
        exchange = Exchange(
            0, None, "", text, ExchangeState.DONE, sources=(self._source,), citations=(citation,)
        )
        found = examine(exchange, CancelToken(), self._embedder)
        wrong = next((claim for claim in found.claims if not claim.support.is_good), None)
        return "" if wrong is None else _said(wrong.reason)

    def wrong_answer(self, question: str, answer: str, quoted: tuple[int, int]) -> str:
        """Return what of an answer, of any length, does not agree with the passage; empty if all does."""
        text = plain(answer)
        language = certain_language_of(f"{question} {answer}")
        claim = read_sentence(text, language)
        if self._evidence.is_foreign_to(language):
            reason = wrong_number(claim, self._evidence)
            return _said(reason) if reason else ""
        if holds(self._source.text(*quoted), answer):
            return ""
        if reason := wrong_fact(claim, self._evidence, self._near(quoted), language):
            return _said(reason)
        said = [number for sentence in self._evidence.sentences for number in sentence.numbers]
        if not claim.content or any(mine.equals(other) for mine in claim.numbers for other in said):
            return ""  # such as yes, or a number that the passage has
        _, share = self._evidence.choose(claim)
        likeness = self._likeness.of(text, self._source.hit.text) or 0.0
        return "" if share >= _SHARED_FROM or likeness >= _RELATED_FROM else _said(None)

    def names(self, term: str) -> bool:
        return in_words(term) in in_words(self._source.hit.text)

    def wrong_words(self, text: str) -> str:
        """Return which word of a text is not in the passage, whose words it should have."""
        words = (
            word for word in words_in(text) if not UNSPACED_SIGN.search(word)
        )  # else pairs stand for words
        missing = next((word for word in words if not self._evidence.has(word)), None)
        return "" if missing is None else f"The passage does not say “{missing}”."

    def _near(self, quoted: tuple[int, int]) -> list[int]:
        return [
            place
            for place, sentence in enumerate(self._evidence.sentences)
            if sentence.start < quoted[1] and sentence.end > quoted[0]
        ]


def holds(text: str, part: str) -> bool:
    """Return whether a text contains the words of another one in sequence; signs are compared literally."""
    wanted = in_words(part)
    if UNSPACED_SIGN.search(wanted):
        return wanted in in_words(text)
    return f" {wanted} " in f" {in_words(text)} " if wanted else bool(part.strip()) and part.strip() in text


def _said(reason: Message | None) -> str:
    return f"The passage does not say that. {reason or ''}".strip()
