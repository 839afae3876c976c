"""What a passage says, to hold the answers and claims of items against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.answers.proof.claims import plain
from app.core.answers.proof.comparison import Comparison
from app.core.answers.proof.evidence import folded, read_evidence, read_sentence
from app.core.answers.proof.examination import examine
from app.core.answers.proof.likeness import Likeness
from app.core.answers.proof.name_agreement import wrong_name
from app.core.answers.proof.number_agreement import wrong_number
from app.core.answers.proof.support import SUPPORTED_FROM, judge, judge_in_another_language
from app.core.answers.proof.word_agreement import wrong_negation
from app.core.answers.proof.words import Stems
from app.core.documents.text.languages import certain_language_of
from app.domain.cancel import CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.sources import Citation, Support

if TYPE_CHECKING:
    from app.core.answers.proof.evidence import Sentence
    from app.core.answers.proof.likeness import TextEmbedder
    from app.domain.messages import Message
    from app.domain.sources import Source

_RELATED_FROM = 0.3  # cosine of an answer in other words than the passage's, and the passage


class PassageFacts:
    """One passage, read once for all items made from it."""

    def __init__(self, source: Source, embedder: TextEmbedder | None) -> None:
        self._source = source
        self._embedder = embedder
        self._likeness = Likeness(embedder)
        self._stems = Stems()
        self._evidence = read_evidence([source], self._stems)

    def wrong_statement(self, text: str, quoted: tuple[int, int]) -> str:
        """Return what is wrong with a statement as an answer's claims are examined; empty if nothing is."""
        quote = self._source.text(*quoted)
        citation = Citation(self._source.n, 0, len(text), *quoted, quote, verified=True)
        exchange = Exchange(
            0, None, "", text, ExchangeState.DONE, sources=(self._source,), citations=(citation,)
        )
        found = examine(exchange, CancelToken(), self._embedder)
        wrong = next((claim for claim in found.claims if claim.support is not Support.SUPPORTED), None)
        return "" if wrong is None else _said(wrong.reason)

    def wrong_answer(self, question: str, answer: str, quoted: tuple[int, int]) -> str:
        """Return what of an answer, of any length, does not agree with the passage; empty if all does."""
        text = plain(answer)
        self._stems.learn([text])
        language = certain_language_of(f"{question} {answer}")
        claim = read_sentence(text, self._stems, language)
        if self._evidence.is_foreign_to(language):
            judgement = judge_in_another_language(claim, self._evidence)
            return _said(judgement.reason) if judgement else ""
        if holds(self._source.text(*quoted), answer):
            return ""
        compared = Comparison(claim, self._evidence, self._near(quoted))
        if reason := wrong_number(compared) or wrong_name(compared) or wrong_negation(compared):
            return _said(reason)
        return "" if self._is_from_here(claim) else _said(None)

    def names(self, term: str) -> bool:
        """Return whether the passage has a term."""
        return folded(term) in folded(self._source.hit.text)

    def _near(self, quoted: tuple[int, int]) -> list[int]:
        return [
            place
            for place, sentence in enumerate(self._evidence.sentences)
            if sentence.start < quoted[1] and sentence.end > quoted[0] and not sentence.is_heading
        ]

    def _is_from_here(self, claim: Sentence) -> bool:
        """Whether the passage has much of an answer's words, or means something like it."""
        if not any(word.is_content for word in claim.words):
            return True  # such as yes
        if any(self._evidence.holding_number(one) for one in claim.numbers):
            return True  # wrong_number() agreed to it
        if judge(claim, self._evidence).score >= SUPPORTED_FROM:
            return True
        return self._likeness.of(claim.text, self._source.hit.text) >= _RELATED_FROM


def holds(text: str, part: str) -> bool:
    """Return whether a text holds the words of another one in a row; signs alone are compared as they are."""
    wanted = folded(part)
    return f" {wanted} " in f" {folded(text)} " if wanted else bool(part.strip()) and part.strip() in text


def _said(reason: Message | None) -> str:
    return f"The passage does not say that. {reason or ''}".strip()
