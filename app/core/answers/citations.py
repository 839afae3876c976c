"""Citations: what the model wrote, tied to sentences of the library and checked against them.

Two ways lead to one result. A server that knows ``search_result`` blocks sends citations of its own,
which name a source and a range of its blocks. For others the model writes ``[3]`` behind a sentence;
those marks are taken out of the text while it streams. Either way a citation is *verified* only when
the library's text bears it out, and one that fails is kept as such, never shown as good.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.core.answers.content_words import content_words
from app.domain.events import AnswerCitation, AnswerText
from app.domain.sources import Citation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from app.core.answers.sources import Passage, SourceRegistry

ComposedEvent = AnswerText | AnswerCitation

NO_SOURCE = 0
"""``Citation.source_n`` of a citation that names nothing that was sent."""

_NUMBER = r"\d{1,3}(?:\s*[-–]\s*\d{1,3})?"
_MARK = rf"\[\s*{_NUMBER}(?:\s*[,;]\s*{_NUMBER})*\s*\]"
# What changes the meaning of a bracket: code, the end of a paragraph (which ends inline code), a mark.
_TOKEN = re.compile(rf"(?P<ticks>`+)|(?P<paragraph>\n[ \t]*\n)|(?P<marks>[ \t]{{0,3}}(?:{_MARK})+)(?!\()")
# The end of a piece that could be the beginning of one of these.
_UNDECIDED = re.compile(rf"(?:`+|\n?[ \t]{{0,3}}(?:{_MARK})*(?:\[[\d\s,;–-]{{0,40}})?)\Z")
_LONGEST_UNDECIDED = 200
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]*_]*\s+|(?<=[。！？])|\n+")
_LIST_MARKER = re.compile(r"(?:[-*+>#]+|\d+[.)])\s+")
_FENCED = re.compile(r"^(```|~~~).*?^\1[^\n]*$|^(```|~~~).*\Z", re.MULTILINE | re.DOTALL)
_TAIL = 2000
_MOST_IN_A_RANGE = 10


class AnswerComposer:
    """Builds the answer's Markdown out of what streams in, with its citations beside it.

    Attributes:
        marks: take ``[n]`` marks out of the text; else the server's own citations are used.
        length: characters of the answer so far.
    """

    def __init__(self, ledger: SourceRegistry, *, marks: bool = False) -> None:
        self.marks = marks
        self.length = 0
        self._ledger = ledger
        self._held = ""
        self._tail = ""
        self._code: str = ""
        self._new_paragraph = False
        self._claim: tuple[int, int] | None = None
        self._last_claim = (0, 0)
        self._pending: list[dict[str, Any]] = []

    def write(self, text: str) -> list[ComposedEvent]:
        """Take more of the text; returns what can be shown now."""
        if not self.marks:
            return self._emit(text)
        text = self._held + text
        undecided = _UNDECIDED.search(text, max(0, len(text) - _LONGEST_UNDECIDED))
        cut = undecided.start() if undecided else len(text)
        self._held = text[cut:]
        return self._read_marks(text[:cut])

    def cite(self, location: dict[str, Any]) -> None:
        """Take a citation of the block that is being written; checked when the block ends."""
        self._pending.append(location)

    def end_block(self) -> list[ComposedEvent]:
        """The text block is complete: return its citations, which cover the whole block."""
        start, end = self._claim or (self._last_claim[1], self._last_claim[1])
        checked = [check_location(self._ledger, location, start, end) for location in self._pending]
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
                self._toggle_code(token["ticks"])
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

    def _toggle_code(self, ticks: str) -> None:
        if not self._code:
            self._code = ticks
        elif self._code == ticks:
            self._code = ""

    def _numbers_meant(self, marks: str, before: str) -> list[int]:
        """Return the passages that ``marks`` names; none if the brackets mean something else."""
        written = self._tail + before
        if not self._ledger.sources or not written.strip():
            return []
        numbers = _numbers(marks)
        if written[-1].isalnum() and not marks[0].isspace():  # "x[7]" may be an index
            return numbers if all(map(self._ledger.by_number, numbers)) else []
        return numbers

    def _cite_last_sentence(self, numbers: list[int]) -> list[ComposedEvent]:
        written = self._tail.rstrip()
        end = self.length - (len(self._tail) - len(written))
        claim = _last_sentence(written)
        start = end - len(claim)
        return [AnswerCitation(check_mark(self._ledger, n, claim, start, end)) for n in numbers]


def check_location(
    ledger: SourceRegistry, location: dict[str, Any], answer_start: int, answer_end: int
) -> Citation:
    """Check a citation of the server against the library.

    Args:
        ledger: what was sent.
        location: the API's ``search_result_location``; every field may be missing or wrong.
        answer_start: first character of the claim.
        answer_end: one past its last.

    Returns:
        A citation that is verified only if it names a source that was sent, a range of its
        sentences, and quotes exactly these, white space aside.
    """
    quoted = location.get("cited_text")
    quoted = quoted if isinstance(quoted, str) else ""
    ref = location.get("source")
    passage = ledger.by_ref(ref) if isinstance(ref, str) else None
    if passage is None:
        return Citation(NO_SOURCE, answer_start, answer_end, 0, 0, quoted, verified=False)
    hit = passage.source.hit
    first, last = location.get("start_block_index"), location.get("end_block_index")
    whole = isinstance(first, int) and isinstance(last, int)
    if not whole or not 0 <= first < last <= len(passage.spans):  # type: ignore[operator]
        return Citation(
            passage.source.n, answer_start, answer_end, hit.start, hit.end, quoted, verified=False
        )
    start, end = passage.spans[first][0], passage.spans[last - 1][1]  # type: ignore[index,operator]
    texts = passage.texts[first:last]
    true_forms = {
        _folded(form) for form in ("".join(texts), " ".join(texts), ledger.text_of(passage)[start:end])
    }
    verified = bool(quoted.strip()) and _folded(quoted) in true_forms
    return Citation(passage.source.n, answer_start, answer_end, start, end, quoted, verified)


def check_mark(ledger: SourceRegistry, n: int, claim: str, answer_start: int, answer_end: int) -> Citation:
    """Check a ``[n]`` that the model wrote behind ``claim``.

    Verified when passage ``n`` was sent and shares content words with the claim. The span is then
    the sentence of the passage that shares most of them.
    """
    passage = ledger.by_number(n)
    if passage is None:
        return Citation(NO_SOURCE, answer_start, answer_end, 0, 0, "", verified=False)
    wanted = content_words(claim)
    shared = wanted & content_words(" ".join(passage.texts))
    needed = min(len(wanted), max(2, len(wanted) // 5))
    hit = passage.source.hit
    if not wanted or len(shared) < needed:
        return Citation(n, answer_start, answer_end, hit.start, hit.end, "", verified=False)
    best = _best_sentence(passage, wanted)
    start, end = passage.spans[best]
    return Citation(n, answer_start, answer_end, start, end, passage.texts[best], verified=True)


def answer_with_marks(
    answer: str, citations: Sequence[Citation], mark: Callable[[Citation], str] | None = None
) -> str:
    """Return the answer with ``[n]`` behind each claim; what could not be verified says so.

    Args:
        answer: Markdown without marks.
        citations: with positions in ``answer``.
        mark: how a citation is written; by default as ``[n]``.
    """
    mark = mark or _mark
    marks: dict[int, dict[str, None]] = {}
    for citation in sorted(citations, key=lambda item: item.answer_end):
        place = max(0, min(citation.answer_end, len(answer)))
        marks.setdefault(place, {})[mark(citation)] = None
    fences = [found.span() for found in _FENCED.finditer(answer)]
    parts: list[str] = []
    done = 0
    for place, written in marks.items():
        text = "".join(written)
        fence = next((end for start, end in fences if start < place <= end), None)
        if fence is not None:  # a mark inside a code block would be code
            parts.append(answer[done:fence] + "\n\n" + text)
            done = max(done, fence)
            continue
        spaced = " " if answer[place - 1 : place].strip() else ""
        # "[1](" would read as a link.
        after = " " if answer[place : place + 1] == "(" else ""
        parts.append(answer[done:place] + spaced + text + after)
        done = place
    return "".join([*parts, answer[done:]])


def _mark(citation: Citation) -> str:
    if citation.verified:
        return f"[{citation.source_n}]"
    number = f"{citation.source_n}: " if citation.source_n != NO_SOURCE else ""
    return f"[{number}could not be verified]"


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


def _best_sentence(passage: Passage, wanted: Iterable[str]) -> int:
    words = set(wanted)
    scores = [len(words & content_words(text)) for text in passage.texts]
    return scores.index(max(scores))
