"""Citations: what the model wrote, tied to sentences of the library and checked against them.

A provider may report citations, which name a source and a range of its sentences. Otherwise the model
writes ``[3]`` behind a sentence; those marks are taken out of the text while it streams. Either way a
citation is *verified* only if the library's text bears it out. One that fails is kept, never shown as good.
"""

import re

from app.core.answers.providers.base import CitedSentences
from app.core.answers.sources import SourceRegistry
from app.core.search.terms import content_terms
from app.domain.events import AnswerCitation, AnswerText
from app.domain.sources import NO_SOURCE, Citation

_NUMBER = r"\d{1,3}(?:\s*[-–]\s*\d{1,3})?"
_MARK = rf"\[\s*{_NUMBER}(?:\s*[,;]\s*{_NUMBER})*\s*\]"
# What changes the meaning of a bracket: code, the end of a paragraph (which ends inline code), a mark.
_TOKEN = re.compile(rf"(?P<ticks>`+)|(?P<paragraph>\n[ \t]*\n)|(?P<marks>[ \t]{{0,3}}(?:{_MARK})+)(?!\()")
# The end of a piece that could be the beginning of one of these.
_UNDECIDED = re.compile(rf"(?:`+|\n?[ \t]{{0,3}}(?:{_MARK})*(?:\[[\d\s,;–-]{{0,40}})?)\Z")
_LONGEST_UNDECIDED = 200
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]*_]*\s+|(?<=[。！？])|\n+")
_LIST_MARKER = re.compile(r"(?:[-*+>#]+|\d+[.)])\s+")
_TAIL = 2000
_MOST_IN_A_RANGE = 10

ComposedEvent = AnswerText | AnswerCitation


class AnswerComposer:
    """Builds the answer's Markdown out of what streams in, with its citations beside it."""

    def __init__(self, registry: SourceRegistry, *, marks: bool = False) -> None:
        self.marks = marks  # take `[n]` out of the text; else the provider reports citations
        self.length = 0  # characters of the answer so far
        self._registry = registry
        self._held = ""
        self._tail = ""
        self._code = ""
        self._new_paragraph = False
        self._claim: tuple[int, int] | None = None
        self._last_claim = (0, 0)
        self._pending: list[CitedSentences] = []

    def write(self, text: str) -> list[ComposedEvent]:
        """Take more of the text; return what can be shown now."""
        if not self.marks:
            return self._emit(text)
        text = self._held + text
        undecided = _UNDECIDED.search(text, max(0, len(text) - _LONGEST_UNDECIDED))
        cut = undecided.start() if undecided else len(text)
        self._held = text[cut:]
        return self._read_marks(text[:cut])

    def cite(self, cited: CitedSentences) -> None:
        """Take a citation of the block that is being written; it is checked when the block ends."""
        self._pending.append(cited)

    def end_block(self) -> list[ComposedEvent]:
        """The text block is complete: return its citations, which cover the whole block."""
        start, end = self._claim or (self._last_claim[1], self._last_claim[1])
        checked = [check_cited(self._registry, cited, start, end) for cited in self._pending]
        self._last_claim = (start, end)
        self._claim = None
        self._pending = []
        return [AnswerCitation(citation) for citation in dict.fromkeys(checked)]

    def begin_paragraph(self) -> None:
        """What is written next does not continue the sentence before it."""
        self._new_paragraph = True

    def finish(self) -> list[ComposedEvent]:
        """Nothing more comes, for whatever reason: return what was held back."""
        held, self._held = self._held, ""
        return [*self._read_marks(held), *self.end_block()]

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
        if not self._registry.sources or not written.strip():
            return []
        numbers = _numbers(marks)
        may_be_index = written[-1].isalnum() and not marks[0].isspace()  # as in "x[7]"
        return [] if may_be_index and not all(map(self._registry.by_number, numbers)) else numbers

    def _cite_last_sentence(self, numbers: list[int]) -> list[ComposedEvent]:
        written = self._tail.rstrip()
        end = self.length - (len(self._tail) - len(written))
        claim = _last_sentence(written)
        start = end - len(claim)
        return [AnswerCitation(check_mark(self._registry, n, claim, start, end)) for n in numbers]


def check_cited(
    registry: SourceRegistry, cited: CitedSentences, answer_start: int, answer_end: int
) -> Citation:
    """Check a citation of the provider, of which any field may be wrong, against the library.

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
    quote = _folded(cited.quote)
    allowed = ("".join(texts), " ".join(texts), source.text(start, end))
    verified = bool(quote) and quote in map(_folded, allowed)
    return Citation(n, answer_start, answer_end, start, end, cited.quote, verified)


def check_mark(registry: SourceRegistry, n: int, claim: str, answer_start: int, answer_end: int) -> Citation:
    """Check a ``[n]`` that the model wrote behind ``claim``.

    It is verified if source ``n`` was sent and shares content words with the claim, and then cites the
    sentence that shares most of them.
    """
    source = registry.by_number(n)
    if source is None:
        return Citation(NO_SOURCE, answer_start, answer_end, 0, 0, "", verified=False)
    wanted = content_terms(claim)
    shared = wanted & content_terms(" ".join(source.texts))
    if not wanted or len(shared) < min(len(wanted), max(2, len(wanted) // 5)):
        return Citation(n, answer_start, answer_end, source.hit.start, source.hit.end, "", verified=False)
    start, end = max(source.sentences, key=lambda span: len(wanted & content_terms(source.text(*span))))
    return Citation(n, answer_start, answer_end, start, end, source.text(start, end), verified=True)


def _folded(text: str) -> str:
    return " ".join(text.split())


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
    begin = 0
    for boundary in _SENTENCE_END.finditer(text):
        if boundary.end() < len(text):
            begin = boundary.end()
    sentence = text[begin:].lstrip()
    marker = _LIST_MARKER.match(sentence)
    return sentence[marker.end() :] if marker and marker.end() < len(sentence) else sentence
