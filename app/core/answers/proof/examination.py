"""Examines an answer: each claim is compared with the sources, each citation with what it cites."""

import asyncio
import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from app.core.answers.likeness import Likeness, TextEmbedder
from app.core.answers.proof.claims import claim_spans, plain
from app.core.answers.proof.evidence import Evidence, read_sentence
from app.core.answers.proof.facts import wrong_number
from app.core.answers.proof.score import Judgement, judge
from app.core.documents.text.languages import certain_language_of
from app.core.documents.text.markdown_structure import Span
from app.core.search.terms import content_terms
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerExamined
from app.domain.sources import NO_SOURCE, Citation, Claim, Support

_MOST_FOUND = 2  # citations that Lectern adds to a claim
_MOST_FOREIGN = 30  # claims in another language than the sources that are compared in meaning
_ALIKE_FROM = 0.4  # cosine of two sentences in two languages from which on they mean much the same
_SECONDS = 3.0
_SECONDS_AFTER_STOP = 0.1

_log = logging.getLogger(__name__)


async def examined(exchange: Exchange, embedder: TextEmbedder | None = None) -> AnswerExamined | None:
    """Examine the answer of a model in a thread; never fails.

    None if there is no text, or if it takes too long: a stopped answer has little time. Cancelling ends the
    examination, not the task, whose answer is complete.
    """
    if exchange.model is None or not exchange.answer.strip():
        return None
    token = CancelToken()
    work = asyncio.ensure_future(asyncio.to_thread(examine, exchange, token, embedder))
    try:
        async with asyncio.timeout(
            _SECONDS_AFTER_STOP if exchange.state is ExchangeState.STOPPED else _SECONDS
        ):
            return await work
    except (asyncio.CancelledError, TimeoutError, Cancelled):
        return None
    except Exception:  # whatever a model wrote, its answer is kept
        _log.exception("An answer could not be examined")
        return None
    finally:
        token.cancel()  # the thread does not end with the task


def examine(exchange: Exchange, token: CancelToken, embedder: TextEmbedder | None = None) -> AnswerExamined:
    """Return the claims of an answer and its citations with their grades.

    A claim in another language than all its sources is left out, unless they are alike in meaning or a
    number is in none of them: nothing else can be told of it.
    """
    return _Examination(exchange, token, embedder).run()


class _Examination:
    def __init__(self, exchange: Exchange, token: CancelToken, embedder: TextEmbedder | None) -> None:
        self._answer = exchange.answer
        self._question = exchange.question if content_terms(exchange.question) else ""
        self._citations = [one for one in exchange.citations if not one.is_found]
        self._token = token
        self._evidence = Evidence(exchange.sources, exchange.question)
        self._language = certain_language_of(exchange.answer)
        self._is_foreign = self._evidence.is_foreign_to(self._language)
        self._likeness = Likeness(embedder)

    def run(self) -> AnswerExamined:
        spans = claim_spans(self._answer)
        self._likeness.prepare(lambda: self._note(spans), self._token)
        judged = {span: found for span in spans if (found := self._judge(span))}
        citations = [self._graded(citation, judged) for citation in self._citations]
        claims = []
        for span, judgement in judged.items():
            own = [one.support for one in citations if _meets(one, span)]
            support = judgement.support
            if not support.is_good and own:
                support = Support.QUOTE_FOUND if Support.QUOTE_FOUND in own else Support.NOT_FOUND
            claims.append(Claim(*span, support, judgement.reason))
            if support.is_good and not any(one and one.is_good for one in own):
                citations += self._found(span, judgement)
        citations.sort(key=lambda citation: citation.answer_end)
        return AnswerExamined(tuple(citations), tuple(claims))

    def _note(self, spans: Sequence[Span]) -> None:
        if self._is_foreign:  # each claim is compared with many sentences
            for start, end in spans[:_MOST_FOREIGN]:
                self._likeness.vector(plain(self._answer[start:end]))
        for span in spans:
            self._judge(span)

    def _judge(self, span: Span, among: Collection[int] | None = None) -> Judgement | None:
        """Hold a part of the answer against its evidence; None if nothing can be told."""
        self._token.check()
        claim = read_sentence(plain(self._answer[slice(*span)]), self._language)
        judgement = judge(claim, self._evidence, self._likeness, self._question, self._language, among)
        if judgement.support.is_good or not self._is_foreign:
            return judgement
        if reason := wrong_number(claim, self._evidence):
            return Judgement(Support.NOT_FOUND, (), reason)
        places = range(len(self._evidence.sentences)) if among is None else among
        alike = [
            (self._likeness.of(claim.text, self._evidence.sentences[place].text) or 0.0, -place)
            for place in places
        ]
        best, place = max(alike, default=(0.0, 0))
        return Judgement(Support.IN_LINE, (-place,)) if best >= _ALIKE_FROM else None

    def _graded(self, citation: Citation, judged: dict[Span, Judgement]) -> Citation:
        """Return a citation with its grade, a mark also with the sentence that it stands for."""
        is_mark = not citation.cited_text  # the model wrote only a number, and quoted nothing
        among = {
            place
            for place, sentence in enumerate(self._evidence.sentences)
            if sentence.source_n == citation.source_n != NO_SOURCE
            and (is_mark or (sentence.start < citation.end and sentence.end > citation.start))
        }
        if not among or not (citation.verified or is_mark):
            return replace(citation, support=Support.NOT_FOUND)
        if not is_mark:
            among = self._evidence.around(among)
        own = self._judge((citation.answer_start, citation.answer_end), among)
        if own is None:
            return citation  # in another language
        # It may show a part of what several sentences show together.
        wholes = (judgement for span, judgement in judged.items() if _meets(citation, span))
        shown = [one for one in (own, *wholes) if one.support.is_good and among.intersection(one.places)]
        if not is_mark:
            return replace(citation, support=shown[0].support if shown else Support.QUOTE_FOUND)
        if not shown:
            return replace(citation, verified=False, support=Support.NOT_FOUND)
        best = self._evidence.sentences[next(place for place in shown[0].places if place in among)]
        citation = replace(citation, start=best.start, end=best.end, cited_text=best.text)
        return replace(citation, verified=True, support=shown[0].support)

    def _found(self, span: Span, judgement: Judgement) -> Iterator[Citation]:
        """Return citations of the sentences that show a claim, for which the model has none."""
        for one in (self._evidence.sentences[place] for place in judgement.places[:_MOST_FOUND]):
            cited = Citation(one.source_n, *span, one.start, one.end, one.text, verified=True)
            yield replace(cited, support=judgement.support, is_found=True)


def _meets(citation: Citation, span: Span) -> bool:
    return citation.answer_start < span[1] and citation.answer_end > span[0]
