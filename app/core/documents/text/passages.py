"""Cuts lessons into passages: whole sentences up to a size, each repeating a little of the last."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.core.documents.text.markdown_structure import Span, fences, skip_space, trimmed
from app.core.documents.text.sentences import sentence_spans
from app.domain.documents import AnchorMark, CourseChunk, Lesson, ParsedDocument

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+\S|[^\n]+\n {0,3}(?:={2,}|-{2,})[ \t]*\Z")
_UP_TO_LAST_SPACE = re.compile(r".+(\s)", re.DOTALL)
# The n-th part of a full passage is no scrap, so that the next slide, cell or page begins a new passage.
# A slide stands for itself, and what was recognized is marked; from page to page the text goes on.
_WORTH_A_PASSAGE = {"slide": 8, "cell": 8, "scan": 8, "slide_scan": 8, "page": 2}


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How passages are cut; raises ValueError if size and overlap do not fit together."""

    size: int = 800  # characters a passage has at most
    overlap: int = 100  # characters at most that it repeats of the one before, in whole sentences

    def __post_init__(self) -> None:
        if self.size < 1 or not 0 <= self.overlap < self.size:
            raise ValueError(f"size {self.size} and overlap {self.overlap} do not fit together")


@dataclass(slots=True)
class _Piece:
    """A span that is never cut further."""

    start: int
    end: int
    whole: bool = True  # at least a whole sentence; only such are repeated
    heading: bool = False  # belongs to what follows
    opens: int | None = None  # length of a passage that may end before this page, slide or cell


def document_sentences(parsed: ParsedDocument) -> list[Span]:
    """Return the sentences of all lessons, in order; none crosses a lesson's border."""
    return [
        span for lesson in parsed.lessons for span in sentence_spans(parsed.text, lesson.start, lesson.end)
    ]


def chunk_document(
    parsed: ParsedDocument, settings: ChunkSettings, sentences: Sequence[Span]
) -> list[CourseChunk]:
    """Cut a document into passages, in order of position.

    ``sentences`` are as :func:`document_sentences` returns them; one that crosses the border of a lesson
    counts in each lesson with its part.

    A passage is ``text[start:end]`` from the start of a sentence to the end of one, at most ``size`` long;
    each sentence lies in at least one. A longer sentence is cut between words (an endless word between
    characters); a fenced block of code or a table that fits is not cut, and a fence stays with the code next
    to it. Each passage has something new. A page, slide or cell begins a new passage unless that would leave
    a scrap, so its anchor says where most of it stands.
    """
    chunks = []
    places = [mark for mark in parsed.marks if mark.anchor.kind in _WORTH_A_PASSAGE]
    for index, lesson in enumerate(parsed.lessons):
        found = _pieces(parsed.text, lesson, settings.size, sentences)
        pieces = list(_with_whole_tables(parsed.text, found, settings.size))
        _mark_openings(pieces, places, settings.size)
        for start, end in _packed(pieces, settings):
            chunks.append(CourseChunk(start, end, index, parsed.text[start:end]))
    return chunks


def _mark_openings(pieces: list[_Piece], places: list[AnchorMark], size: int) -> None:
    before = None
    for piece in pieces if places else ():
        place = bisect_right(places, piece.start, key=lambda mark: mark.start)
        if before is not None and place > before:
            piece.opens = size // _WORTH_A_PASSAGE[places[place - 1].anchor.kind]
        before = place


def _pieces(text: str, lesson: Lesson, size: int, sentences: Sequence[Span]) -> list[_Piece]:
    code = fences(text, lesson.start, lesson.end)
    pieces: list[_Piece] = []
    index = 0
    for start, end in _sentences_within(text, lesson, sentences):
        while index < len(code) and code[index][1] <= start:
            index += 1
        if index < len(code) and code[index][0] <= start and end <= min(code[index][1], start + size):
            if pieces and _belongs(text, pieces[-1], start, end, code[index], size):
                start = pieces.pop().start
            pieces.append(_Piece(start, end))
        else:
            pieces.extend(_pieces_of_sentence(text, start, end, size))
    return pieces


def _with_whole_tables(text: str, pieces: list[_Piece], size: int) -> Iterator[_Piece]:
    """Join the rows of each table that fits: they say little without its first row."""
    runs: list[list[_Piece]] = []
    for piece in pieces:
        last = runs[-1][-1] if runs else piece
        if text[last.start] == text[piece.start] == "|" and text[last.end : piece.start] == "\n":
            runs[-1].append(piece)
        else:
            runs.append([piece])
    for run in runs:
        if len(run) > 1 and run[-1].end - run[0].start <= size:
            yield _Piece(run[0].start, run[-1].end)
        else:
            yield from run


def _belongs(text: str, before: _Piece, start: int, end: int, block: Span, size: int) -> bool:
    """Whether a line of fenced code stays with the previous one; in a long block, only next to a fence."""
    if before.start < block[0] or end - before.start > size:
        return False
    is_second, is_last = text.find("\n", block[0], before.end) < 0, text.find("\n", start, block[1]) < 0
    return is_second or is_last or block[1] - block[0] <= size


def _sentences_within(text: str, lesson: Lesson, sentences: Sequence[Span]) -> Iterator[Span]:
    first = bisect_right(sentences, lesson.start, key=lambda span: span[1])
    last = bisect_left(sentences, lesson.end, key=lambda span: span[0])
    for start, end in sentences[first:last]:
        if start < lesson.start or end > lesson.end:
            start, end = trimmed(text, max(start, lesson.start), min(end, lesson.end))
        if start < end:
            yield start, end


def _pieces_of_sentence(text: str, start: int, end: int, size: int) -> Iterator[_Piece]:
    if end - start <= size:
        yield _Piece(start, end, heading=_HEADING.match(text, start, end) is not None)
        return
    while start < end:
        cut = _cut(text, start, size) if end - start > size else end
        yield _Piece(*trimmed(text, start, cut), whole=False)
        start = skip_space(text, cut, end)


def _cut(text: str, start: int, size: int) -> int:
    """Return where to cut a longer text so that at most ``size`` characters precede the cut."""
    space = _UP_TO_LAST_SPACE.match(text, start, start + size + 1)
    if space:
        return space.start(1)
    cut = start + size
    while cut > start + 1 and _holds_together(text[cut - 1], text[cut]):
        cut -= 1
    return cut if cut > start + 1 else start + size


def _holds_together(before: str, after: str) -> bool:
    """Whether two characters display as one: a letter with its accent, a joined or coloured emoji."""
    return (
        unicodedata.category(after)[0] == "M"
        or "\u200d" in (before, after)
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )


def _packed(pieces: list[_Piece], settings: ChunkSettings) -> Iterator[Span]:
    first = new = 0  # first piece of the passage, and first that was not in the previous one
    while new < len(pieces):
        last = _filled(pieces, first, new, settings.size)
        yield pieces[first].start, pieces[last - 1].end
        first, new = _overlapping(pieces, first, last, settings), last


def _filled(pieces: list[_Piece], first: int, new: int, size: int) -> int:
    """Return one past the last piece of the passage that begins with ``first``."""
    start = pieces[first].start
    last = new + 1
    while last < len(pieces) and pieces[last].end - start <= size:
        opens = pieces[last].opens
        if opens is not None and pieces[last - 1].end - start >= opens:
            return last
        last += 1
    if last == len(pieces):
        return last
    lesson_end = pieces[-1].end
    if lesson_end - pieces[last].start < size // 4:
        # Two halves say more than a full passage and a scrap.
        half = last
        while half - 1 > new and pieces[half - 2].end - start >= (lesson_end - start) // 2:
            half -= 1
        if lesson_end - pieces[half].start <= size:
            last = half
    while last - 1 > new and pieces[last - 1].heading and pieces[last - 2].end - start >= size // 2:
        last -= 1
    return last


def _overlapping(pieces: list[_Piece], first: int, last: int, settings: ChunkSettings) -> int:
    """Return the first piece of the passage after the one of ``pieces[first:last]``."""
    begin = last
    if last == len(pieces) or pieces[last].opens is not None:
        return begin
    while (
        begin - 1 > first
        and pieces[begin - 1].whole
        and pieces[last - 1].end - pieces[begin - 1].start <= settings.overlap
        and pieces[last].end - pieces[begin - 1].start <= settings.size
    ):
        begin -= 1
    return begin


def piece_text(text: str, span: tuple[int, int]) -> str:
    """Return a piece as the model reads it, with white space folded."""
    return " ".join(text[span[0] : span[1]].split())
