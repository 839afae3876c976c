"""Examines an answer: each claim is held against the sources, each citation against what it cites."""

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from app.core.answers.proof.evidence import Sentence, read_evidence, read_sentence
from app.core.answers.proof.support import (
    ALIKE_FROM,
    ALIKE_IN_ANOTHER_LANGUAGE_FROM,
    Judgement,
    Likeness,
    TextEmbedder,
    judge,
    judge_in_another_language,
)
from app.core.answers.proof.words import Stems
from app.core.documents.text.languages import certain_language_of
from app.core.documents.text.markdown_structure import Span, fences, is_within
from app.core.documents.text.sentences import sentence_spans
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerExamined
from app.domain.sources import NO_SOURCE, Citation, Claim, Source, Support

_MOST_FOUND = 2  # citations that Lectern adds to a claim
_MOST_FOREIGN = 30  # claims in another language than the sources that are compared in meaning
_SECONDS = 3.0
_SECONDS_AFTER_STOP = 0.1

_log = logging.getLogger(__name__)


async def examined(exchange: Exchange, embedder: TextEmbedder | None = None) -> AnswerExamined | None:
    """Examine the answer of a model in a thread; never fails.

    None if there is no text, or if it is not done in time: a stopped answer has little of it. Cancelling
    ends the examination, not the task, whose answer is complete.
    """
    if exchange.model is None or not exchange.answer.strip():
        return None
    token = CancelToken()
    seconds = _SECONDS_AFTER_STOP if exchange.state is ExchangeState.STOPPED else _SECONDS
    work = asyncio.get_running_loop().run_in_executor(None, _examined, exchange, token, embedder)
    try:
        done, _ = await asyncio.wait({work}, timeout=seconds)
    except asyncio.CancelledError:
        return None
    finally:
        token.cancel()
    return work.result() if done else None


def _examined(exchange: Exchange, token: CancelToken, embedder: TextEmbedder | None) -> AnswerExamined | None:
    try:
        return examine(exchange, token, embedder)
    except Cancelled:
        return None
    except Exception:  # whatever a model wrote, its answer is kept
        _log.exception("An answer could not be examined")
        return None


def examine(exchange: Exchange, token: CancelToken, embedder: TextEmbedder | None = None) -> AnswerExamined:
    """Return the claims of an answer and its citations, as far as they are supported.

    A claim in another language than all its sources is left out, unless they are alike in meaning or a
    number is in none of them: nothing else can be told of it.
    """
    return _Examination(exchange, token, Likeness(embedder)).run()


class _Examination:
    def __init__(self, exchange: Exchange, token: CancelToken, likeness: Likeness) -> None:
        self._answer = exchange.answer
        self._citations = tuple(one for one in exchange.citations if not one.is_found)
        self._sources = {source.n: source for source in exchange.sources}
        self._check: Callable[[], None] = token.check
        self._stems = Stems()
        self._evidence = read_evidence(exchange.sources, self._stems)
        self._language = certain_language_of(exchange.answer)
        self._is_foreign = self._evidence.is_foreign_to(self._language)
        self._unclear = self._evidence.of_unknown_language()
        self._likeness = likeness

    def run(self) -> AnswerExamined:
        spans = claim_spans(self._answer)
        self._stems.learn([plain(self._answer)])
        if self._is_foreign:  # each claim is compared with many sentences
            self._likeness.learn(plain(self._answer[slice(*span)]) for span in spans[:_MOST_FOREIGN])
        judged = {span: found for span in spans if (found := self._judge(span))}
        citations = [self._examined(citation, judged) for citation in self._citations]
        claims = [self._claim(span, judgement, citations) for span, judgement in judged.items()]
        for claim in claims:
            if claim.support is Support.SUPPORTED and not _of(claim, citations, Support.SUPPORTED):
                citations += self._found(claim, judged[claim.answer_start, claim.answer_end])
        citations.sort(key=lambda citation: citation.answer_end)
        return AnswerExamined(tuple(citations), tuple(claims))

    def _judge(self, span: Span, among: Collection[int] | None = None) -> Judgement | None:
        """Hold a part of the answer against its evidence; None if nothing can be told."""
        self._check()
        text = plain(self._answer[slice(*span)])
        claim = self._evidence.without_lessons(read_sentence(text, self._stems, self._language))
        if self._is_foreign:
            unclear = self._unclear if among is None else self._unclear.intersection(among)
            judgement = judge(claim, self._evidence, unclear)
            if judgement.support is Support.SUPPORTED:
                return judgement
            return judge_in_another_language(claim, self._evidence) or self._alike(text, among)
        judgement = judge(claim, self._evidence, among)
        if judgement.is_doubtful:
            together = " ".join(self._evidence.sentences[place].text for place in judgement.places)
            if self._likeness.of(text, together) >= ALIKE_FROM:
                return replace(judgement, support=Support.SUPPORTED)
        return judgement

    def _alike(self, text: str, among: Collection[int] | None) -> Judgement | None:
        """Return the sentence that means the same in another language, if there is one."""
        best, likeness = 0, 0.0
        for place, sentence in enumerate(self._evidence.sentences):
            if not sentence.is_heading and (among is None or place in among):
                self._check()
                found = self._likeness.of(text, sentence.text)
                best, likeness = (place, found) if found > likeness else (best, likeness)
        if likeness < ALIKE_IN_ANOTHER_LANGUAGE_FROM:
            return None
        return Judgement(Support.SUPPORTED, (best,), None, likeness)

    def _examined(self, citation: Citation, judged: dict[Span, Judgement]) -> Citation:
        """Return a citation with its support, a mark also with the sentences that it stands for."""
        source = self._sources.get(citation.source_n)
        if source is None or not (citation.verified or _is_mark(citation)):
            return replace(citation, support=Support.NOT_FOUND)
        among = self._places(source, None if _is_mark(citation) else (citation.start, citation.end))
        judgement = self._judge((citation.answer_start, citation.answer_end), among)
        if judgement is None:
            return citation  # in another language
        shown = judgement if judgement.support is Support.SUPPORTED else None
        if shown is None:  # it may show a part of what several sentences show together
            shown = next(
                (
                    whole
                    for span, whole in judged.items()
                    if whole.support is Support.SUPPORTED
                    and _overlap(span, citation)
                    and among.intersection(whole.places)
                ),
                None,
            )
        if _is_mark(citation):
            return self._mark(citation, source, shown, among)
        return replace(citation, support=Support.SUPPORTED if shown else Support.QUOTE_FOUND)

    def _mark(
        self, citation: Citation, source: Source, shown: Judgement | None, among: Collection[int]
    ) -> Citation:
        if shown is None:
            hit = source.hit
            return replace(citation, start=hit.start, end=hit.end, verified=False, support=Support.NOT_FOUND)
        best = self._evidence.sentences[next(place for place in shown.places if place in among)]
        return replace(
            citation,
            start=best.start,
            end=best.end,
            cited_text=best.text,
            verified=True,
            support=Support.SUPPORTED,
        )

    def _places(self, source: Source, cited: Span | None) -> set[int]:
        """Return the sentences of a source, or those that are cited with their neighbours."""
        own = {
            place
            for place, sentence in enumerate(self._evidence.sentences)
            if sentence.source_n == source.n and not sentence.is_heading
        }
        if cited is None:
            return own
        sentences = self._evidence.sentences
        return {
            near
            for place in own
            if sentences[place].start < cited[1] and sentences[place].end > cited[0]
            for near in self._evidence.around(place)
        } & own

    def _claim(self, span: Span, judgement: Judgement, citations: Sequence[Citation]) -> Claim:
        claim = Claim(*span, judgement.support, judgement.reason)
        if claim.support is Support.SUPPORTED:
            return claim
        own = [citation for citation in citations if _overlap(span, citation)]
        if any(citation.support is Support.QUOTE_FOUND for citation in own):
            return replace(claim, support=Support.QUOTE_FOUND)
        if own:
            return replace(claim, support=Support.NOT_FOUND)
        return claim

    def _found(self, claim: Claim, judgement: Judgement) -> Iterator[Citation]:
        """Return citations of the sentences that show a claim, for which the model has none."""
        places = [place for place in judgement.places if not self._evidence.sentences[place].is_heading]
        for place in places[:_MOST_FOUND]:
            found: Sentence = self._evidence.sentences[place]
            yield Citation(
                found.source_n,
                claim.answer_start,
                claim.answer_end,
                found.start,
                found.end,
                found.text,
                verified=True,
                support=Support.SUPPORTED,
                is_found=True,
            )


def _is_mark(citation: Citation) -> bool:
    """Whether the model wrote only a number, and quoted nothing."""
    return citation.source_n != NO_SOURCE and not citation.cited_text


def _overlap(span: Span, citation: Citation) -> bool:
    return citation.answer_start < span[1] and citation.answer_end > span[0]


def _of(claim: Claim, citations: Sequence[Citation], support: Support) -> bool:
    span = (claim.answer_start, claim.answer_end)
    return any(citation.support is support and _overlap(span, citation) for citation in citations)


_MOST_CLAIMS = 150  # of one answer; no student reads more
_LONGEST_CLAIM = 1500  # characters; what follows in the same sentence is not looked at
_MARKER = re.compile(r"(?:[-*+>•]\s+|\d{1,3}[.)]\s+|\|\s*)+")
_BOLD_LINE = re.compile(r"(?:\*\*|__)[^*_]{1,80}(?:\*\*|__):?")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKUP = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)|\\(?=\W)")
_TABLE_RULE = re.compile(r"[|:\-\s]+")
_CLOSERS = " \t\"'”’)*_`"
_WORD = re.compile(r"[^\W_]{2,}|\d")
_FEWEST_WORDS = 3
# Before a sentence that may be a claim all the same.
_INTERJECTION = re.compile(
    r"(?:sure|certainly|of course|absolutely|gern|natürlich|claro|por supuesto)\b[\s,!–—-]*", re.IGNORECASE
)
_SAID_TO_THE_READER = re.compile(
    r"""(?:hi|hello|hey|great\ question|good\ question|good\ luck|thanks?
    |you.re\ welcome|thank\ you|sorry|i\ hope|hope\ this|let\ me\ know|let.s|feel\ free|would\ you
    |if\ you.(?:d|re)\ |i.(?:d|m|ll|ve)\b
    |i\ (?:can|could|cannot|can.t|am|did|do|have|would|(?:found|see|searched)(?!\ that))\b
    |here(?:.s|\ is|\ are)\b(?!.*:\ )|in\ short\W*$|for\ example\W*$
    |hallo|viel\ erfolg|lass\ mich|ich\ (?:kann|habe|hoffe|bin)\b
    |hola|espero|puedo\b|buena\ suerte)\b""",
    re.IGNORECASE | re.VERBOSE,
)
# What an answer says of the material as a whole, as that it does not cover the question.
_ABOUT_THE_MATERIAL = re.compile(
    r"""\b(?:material|course|lesson|passage|source(?!\ code)|transcript|text|librar|excerpt|document|result)
    \w*\b[^.]{0,40}(?:\bnot\b|n.t\b|\bnever\b|\bno\b|\bnothing\b|\bonly\b)[^.]{0,20}
    \b(?:cover|mention|discuss|explain|answer|describe|address|contain|specif|provide|say|give|match|part)
    |\bnot\ (?:covered|mentioned|discussed|explained|answered|addressed|part\ of)\b
    |\b(?:lesson|course)s?\b[^.]{0,80}\b(?:comes?|is|are)\ (?:the\ )?(?:nearest|closest)\b
    |\b(?:nearest|closest)\ (?:lesson|course)s?\b
    |\b(?:kurs|material|unterlagen|lektion)\w*\b
    (?=[^.]{0,90}\b(?:abgedeckt|beantwort|behandel|beschr|besproch|enth[aä]lt|erklär|erwähn|find|sag|steh|thema))
    [^.]{0,60}\b(?:nichts?|kein\w*)\b
    |\b(?:steht|find\w*|gibt|sag\w*)\b[^.]{0,40}\b(?:kurs|material|unterlagen|lektion)\w*\b[^.]{0,60}
    \b(?:nichts?|kein\w*)\b
    |\b(?:curso|material|lección)\w*\b
    (?=[^.]{0,90}\b(?:abord|contien|cubr|describ|dice|explic|habla|inclu|mencion|respond|trata))
    [^.]{0,60}\bno\b""",
    re.IGNORECASE | re.VERBOSE,
)


def claim_spans(answer: str) -> list[Span]:
    """Return where an answer's claims stand, in order.

    Headings, code, questions, greetings, sentences that only lead to what follows, and those about the
    material as a whole are none.
    """
    code = fences(answer, 0, len(answer))
    spans: list[Span] = []
    found = sentence_spans(answer)
    for place, (start, end) in enumerate(found):
        if len(spans) == _MOST_CLAIMS:
            break
        following = found[place + 1] if place + 1 < len(found) else (0, 0)
        if is_within(code, start) or _TABLE_RULE.fullmatch(answer[slice(*following)] or "x"):
            continue
        marker = _MARKER.match(answer, start, end)
        start = marker.end() if marker else start
        end = min(end, start + _LONGEST_CLAIM)
        if _is_claim(answer[start:end]):
            spans.append((start, end))
    return spans


def says_not_covered(answer: str) -> bool:
    """Return whether an answer begins by saying that the material does not answer the question."""
    begin, end = next(iter(sentence_spans(answer)), (0, 0))
    return _ABOUT_THE_MATERIAL.search(answer, begin, end) is not None


def plain(text: str) -> str:
    """Return the words of a claim without Markdown."""
    return _MARKUP.sub("", _LINK.sub(r"\1", text)).replace("|", ", ")


def _is_claim(text: str) -> bool:
    said = _INTERJECTION.match(text)
    text = text[said.end() :] if said else text
    bare = text.rstrip(_CLOSERS + "|")
    if not bare or bare[0] == "#" or bare[-1] in "?:：？¿" or _BOLD_LINE.fullmatch(text.strip()):
        return False
    if len(_WORD.findall(bare)) < _FEWEST_WORDS and bare.isascii():
        return False
    return not _SAID_TO_THE_READER.match(bare) and not _ABOUT_THE_MATERIAL.search(bare)
