"""Citations: what the model wrote, tied to sentences of the library and checked against them.

A provider may report citations, which name a source and a range of its sentences. Otherwise the model writes
``[3]`` behind a sentence; those marks are taken out of the text while it streams, even if no passage was sent
or the provider reports citations itself: an invented mark would look like a checked one.

What is *verified* here is that a quotation stands where the citation says, and that a mark is not plainly
wrong. Whether the sentences show the claim is for :mod:`app.core.answers.proof` to say, when the answer is
complete. A citation that fails is kept, never shown as good.
"""

import itertools
import re
from bisect import bisect_right
from typing import NamedTuple

from app.core.answers.providers.base import CitedSentences
from app.core.answers.sources import SentWhole, SourceRegistry
from app.core.documents.text.sentences import sentence_spans
from app.core.search.terms import content_terms
from app.domain.events import (
    AnswerCitation,
    AnswerText,
    AnswerUsage,
    AnswerWaiting,
    LookupStarted,
    ModelLoading,
    PassagesAtOnce,
    PassagesInstead,
    SourcesFound,
)
from app.domain.messages import Message
from app.domain.sources import NO_SOURCE, Citation
from app.domain.words import one_spaced

_NUMBER = r"\d{1,3}(?:\s*[-–]\s*\d{1,3})?"
_MARK = rf"\[\s*{_NUMBER}(?:\s*[,;]\s*{_NUMBER})*\s*\]"
# What changes the meaning of a bracket: code, the end of a paragraph (which ends inline code), a mark.
_TOKEN = re.compile(rf"(?P<ticks>`+)|(?P<paragraph>\n[ \t]*\n)|(?P<marks>[ \t]{{0,3}}(?:{_MARK})+)(?!\()")
# The end of a piece that could be the beginning of one of these.
_UNDECIDED = re.compile(rf"(?:`+|\n?[ \t]{{0,3}}(?:{_MARK})*(?:\[[\d\s,;–-]{{0,40}})?)\Z")
# The same where marks are not expected: white space is not held back for one.
_UNDECIDED_MARK = re.compile(r"\[\d{0,3}\Z")
_LONGEST_UNDECIDED = 200
_LIST_MARKER = re.compile(r"(?:[-*+>#]+|\d+[.)])\s+")
_WITHIN_WORD = re.compile(r"\w\w")
_TAIL = 2000
_MOST_IN_A_RANGE = 10
_MOST_CITATIONS = 300  # by marks, in one answer; those after them are only taken out
_SHARED = 0.4  # of the words of a claim, which a passage must have for a mark to stand meanwhile
# A mark that is one although no numbered passages were sent: behind a word or a stop, not a list of numbers.
_PLAIN_MARKS = re.compile(r"[ \t]*(?:\[\d{1,3}\])+")
_BEFORE_PLAIN_MARK = re.compile(r"[\w.!?”\"'’)*%]\Z")

ComposedEvent = AnswerText | AnswerCitation


class GenerationEnd(NamedTuple):
    """The last thing :meth:`AIGenerator.generate` yields."""

    stop_reason: str  # a StopReason, or the provider's own word
    model: str  # who answered, by the server's own account
    note: Message | None = None  # what to tell the user where the answer is not simply complete, else None


GenerationEvent = (
    LookupStarted
    | SourcesFound
    | SentWhole
    | PassagesAtOnce
    | PassagesInstead
    | ComposedEvent
    | AnswerUsage
    | AnswerWaiting
    | ModelLoading
    | GenerationEnd
)


class AnswerComposer:
    """Builds the answer's Markdown out of what streams in, with its citations beside it."""

    def __init__(self, registry: SourceRegistry, *, marks: bool = False) -> None:
        self.marks = marks  # `[n]` names a passage; else the provider reports citations
        self.length = 0  # characters of the answer so far
        self._registry = registry
        self._held = ""
        self._tail = ""
        self._code = ""
        self._new_paragraph = False
        self._claim: tuple[int, int] | None = None
        self._last_claim = (0, 0)
        self._pending: list[CitedSentences] = []
        self._marked: set[tuple[int, int, int]] = set()  # number, start and end of claims cited by marks
        self._last_sentence = (-1, "")  # of the text of this length
        self._terms: dict[int, frozenset[str]] = {}  # content words of the sources that marks name

    @property
    def taken(self) -> int:
        """Characters of the answer so far, with those that are held back."""
        return self.length + len(self._held)

    def write(self, text: str) -> list[ComposedEvent]:
        """Take more of the text; return what can be shown now."""
        text = self._held + text
        pattern = _UNDECIDED if self.marks else _UNDECIDED_MARK
        undecided = pattern.search(text, max(0, len(text) - _LONGEST_UNDECIDED))
        cut = undecided.start() if undecided else len(text)
        self._held = text[cut:]
        return self._read_marks(text[:cut])

    def cite(self, cited: CitedSentences) -> None:
        """Take a citation of the block that is being written; it is checked when the block ends."""
        self._pending.append(cited)

    def end_block(self) -> list[ComposedEvent]:
        """The text block is complete: return its citations, which cover the whole block."""
        held = [] if self.marks else self._release()
        start, end = self._claim or (self._last_claim[1], self._last_claim[1])
        checked = [check_cited(self._registry, cited, start, end) for cited in self._pending]
        self._last_claim = (start, end)
        self._claim = None
        self._pending = []
        return [*held, *(AnswerCitation(citation) for citation in dict.fromkeys(checked))]

    def begin_paragraph(self) -> None:
        """What is written next does not continue the sentence before it."""
        self._new_paragraph = True

    def finish(self) -> list[ComposedEvent]:
        """Nothing more comes, for whatever reason: return what was held back."""
        return [*self._release(), *self.end_block()]

    def _release(self) -> list[ComposedEvent]:
        held, self._held = self._held, ""
        return self._read_marks(held)

    def _emit(self, text: str) -> list[ComposedEvent]:
        if self._new_paragraph and text.strip():
            self._new_paragraph = False
            text = text.lstrip()
            if self.length:
                text = "\n\n" + text
        if not text:
            return []
        if text.strip():
            first = self.length + len(text) - len(text.lstrip())
            last = self.length + len(text.rstrip())
            self._claim = (self._claim[0] if self._claim else first, last)
        self.length += len(text)
        self._tail = (self._tail + text)[-_TAIL:]
        return [AnswerText(text)]

    def _read_marks(self, text: str) -> list[ComposedEvent]:
        events: list[ComposedEvent] = []
        plain_from = 0
        for token in _TOKEN.finditer(text):
            if token["ticks"]:
                if self._code in ("", token["ticks"]):
                    self._code = "" if self._code else token["ticks"]
            elif token["paragraph"]:
                self._code = "" if len(self._code) < 3 else self._code
            elif not self._code:
                before = text[plain_from : token.start()]
                numbers = self._numbers_meant(token["marks"], before)
                if numbers:
                    events += self._emit(before)
                    events += self._cite_last_sentence(numbers)
                    plain_from = token.end()
        return [*events, *self._emit(text[plain_from:])]

    def _numbers_meant(self, marks: str, before: str) -> list[int]:
        """Return the sources that ``marks`` names; none if the brackets mean something else."""
        written = self._tail + before
        if not written.strip():
            return []
        numbers = _numbers(marks)
        may_be_index = written[-1].isalnum() and not marks[0].isspace()  # as in "x[7]"
        if may_be_index and not all(map(self._registry.by_number, numbers)):
            return []
        if self.marks and self._registry.sources:
            return numbers
        is_plain = _PLAIN_MARKS.fullmatch(marks) and _BEFORE_PLAIN_MARK.search(written.rstrip()[-1:])
        return numbers if is_plain else []

    def _cite_last_sentence(self, numbers: list[int]) -> list[ComposedEvent]:
        if len(self._marked) >= _MOST_CITATIONS:
            return []
        if self._last_sentence[0] != self.length:
            self._last_sentence = (self.length, _last_sentence(self._tail.rstrip()))
        claim = self._last_sentence[1]
        end = self.length - (len(self._tail) - len(self._tail.rstrip()))
        start = end - len(claim)
        events: list[ComposedEvent] = []
        for n in numbers:
            if (n, start, end) not in self._marked:
                self._marked.add((n, start, end))
                events.append(AnswerCitation(self._check_mark(n, claim, start, end)))
        return events

    def _check_mark(self, n: int, claim: str, answer_start: int, answer_end: int) -> Citation:
        """Return the citation of a ``[n]`` behind ``claim``, which quotes nothing.

        Until the answer is examined it stands for the whole passage, if that was sent and shares many
        words with the claim.
        """
        source = self._registry.by_number(n) if self.marks else None
        if source is None:
            return Citation(NO_SOURCE, answer_start, answer_end, 0, 0, "", verified=False)
        if n not in self._terms:
            self._terms[n] = frozenset(content_terms(" ".join(source.texts)))
        wanted = content_terms(claim)
        is_likely = bool(wanted) and len(wanted & self._terms[n]) >= _SHARED * len(wanted)
        return Citation(n, answer_start, answer_end, source.hit.start, source.hit.end, "", is_likely)


def check_cited(
    registry: SourceRegistry, cited: CitedSentences, answer_start: int, answer_end: int
) -> Citation:
    """Check a citation of the provider, any field of which may be wrong, against the library.

    It is verified only if it names a source that was sent and a range of its sentences, and quotes
    exactly these, white space aside.
    """
    source = registry.by_ref(cited.ref)
    if source is None:
        return Citation(NO_SOURCE, answer_start, answer_end, 0, 0, cited.quote, verified=False)
    n, hit = source.n, source.hit
    if not 0 <= cited.first < cited.last <= len(source.sentences):
        return Citation(n, answer_start, answer_end, hit.start, hit.end, cited.quote, verified=False)
    start, end = source.sentences[cited.first][0], source.sentences[cited.last - 1][1]
    texts = source.texts[cited.first : cited.last]
    quote = one_spaced(cited.quote)
    allowed = ("".join(texts), " ".join(texts), source.text(start, end))
    verified = bool(quote) and quote in map(one_spaced, allowed)
    return Citation(n, answer_start, answer_end, start, end, cited.quote, verified)


def check_quoted(registry: SourceRegistry, number: int, quote: str) -> Citation:
    """Check a quotation known only by the number of its source; it has the place 0 in an answer.

    It is verified if it stands in that source, white space aside and from word to word. It then stands
    for the whole sentences that it is from.
    """
    source, wanted = registry.by_number(number), one_spaced(quote)
    if source is None or not wanted:
        return Citation(NO_SOURCE, 0, 0, 0, 0, quote, verified=False)
    texts = [one_spaced(text) for text in source.texts]
    ends = list(itertools.accumulate(len(text) + 1 for text in texts))  # in the joined text
    joined, at, first, last = " ".join(texts), -1, -1, -1
    while (at := joined.find(wanted, at + 1)) >= 0:
        end = at + len(wanted)
        if not any(_WITHIN_WORD.match(joined, max(edge - 1, 0), edge + 1) for edge in (at, end)):
            first, last = bisect_right(ends, at), bisect_right(ends, end - 1) + 1
            break
    whole = quote if first < 0 else " ".join(source.texts[first:last])
    return check_cited(registry, CitedSentences(source.ref, first, last, whole), 0, 0)


def _numbers(marks: str) -> list[int]:
    found: dict[int, None] = {}
    for part in re.findall(_NUMBER, marks):
        first, *rest = (int(number) for number in re.findall(r"\d+", part))
        last = rest[0] if rest else first
        for n in range(first, min(max(first, last), first + _MOST_IN_A_RANGE) + 1):
            found[n] = None
    return list(found)


def _last_sentence(text: str) -> str:
    """Return the sentence ``text`` ends with, without the marker of a list item before it."""
    sentence = text[slice(*(sentence_spans(text) or [(0, 0)])[-1])]
    marker = _LIST_MARKER.match(sentence)
    return sentence[marker.end() :] if marker and marker.end() < len(sentence) else sentence
