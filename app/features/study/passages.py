"""Chooses the passages of a scope to make items from, and finds those that items already rest on."""

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from app.core.documents.text.definitions import Definition, definitions_in
from app.core.documents.text.languages import ENGLISH, common_words
from app.core.documents.text.markdown_structure import fences, is_within
from app.core.search.service import SearchService
from app.core.storage.catalog import Catalog
from app.domain.conversations import Exchange
from app.domain.courses import Use
from app.domain.documents import becomes_markdown
from app.domain.messages import Message
from app.domain.scope import Scope, includes
from app.domain.search import Window
from app.domain.sources import Citation, Source
from app.domain.words import UNSPACED_SIGN

Place = tuple[int, int, int]  # key of a document, start and end there

_LEAST_PROSE = 40  # characters that a passage needs
_SHORTEST = 25  # characters of a sentence that says something
_FEWEST_WORDS = 5
_LETTERS = 0.7  # of its characters, white space among them
_COMMON = 0.12  # of its words; code, tables and lists of names have fewer
_BOILERPLATE = 4  # passages that repeat a sentence word by word
_NO_PROSE = re.compile(r"[|#<{}\\]|```|~~~|!\[|(?:https?|doi)[:.]")  # how such lines begin
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage worth asking about."""

    key: int
    document_id: int
    course_title: str
    lesson_number: int | None
    lesson_title: str
    start: int  # in the document, without what it repeats of the passage before
    end: int
    text: str
    prose: tuple[tuple[int, int], ...]  # its sentences that say something, as spans of the document
    language: str  # of its document, as a code of ISO 639; may be empty
    definitions: tuple[Definition, ...] = ()  # of marked terms; the last may end in the next passage
    use: Use = Use.TEACHING  # of its document

    @property
    def lesson(self) -> tuple[str, int | None, str]:
        return self.course_title, self.lesson_number, self.lesson_title

    @property
    def weight(self) -> int:
        """How many characters of it say something."""
        return sum(end - start for start, end in self.prose)

    def sentence(self, span: tuple[int, int]) -> str:
        return self.text[span[0] - self.start : span[1] - self.start]


class PassageReader:
    """Thread-safe."""

    def __init__(self, catalog: Catalog, search: SearchService) -> None:
        self._catalog = catalog
        self._search = search

    def read(self, scope: Scope, *, every: bool = False) -> tuple[Passage, ...]:
        """Return the passages of a scope that are worth asking about, in the order of its courses.

        Unless ``every`` use is wanted, these are of teaching texts if there are any.
        """
        found = list(self._all(scope))
        if not every:
            found = [one for one in found if one.use is Use.TEACHING] or found
        seen = Counter(text for passage in found for text in _sentences(passage))
        repeated = {text for text, times in seen.items() if times >= _BOILERPLATE}
        kept = (_without(passage, repeated) if repeated else passage for passage in found)
        return tuple(one for one in kept if one.weight >= _LEAST_PROSE or one.definitions)

    def cited(self, exchanges: Sequence[Exchange]) -> tuple[Passage, ...]:
        """Return the passages that the answers of a chat cite, in the order of their courses."""
        places = [(source.hit.document_id, one.start, one.end) for source, one in _citations(exchanges)]
        titles = {source.hit.course_title for exchange in exchanges for source in exchange.sources}
        passages = self.read(Scope(courses=tuple(titles)), every=True) if titles else ()
        touched = touched_by(passages, places)
        return tuple(passage for index, passage in enumerate(passages) if index in touched)

    def source(self, passage: Passage) -> Source | None:
        """Return a passage as a source, all of whose sentences can be cited; None if it was removed."""
        with suppress(KeyError):
            for hit in self._catalog.passages.hits(
                [Window(passage.key, passage.start, passage.end, 1.0, passage.start)]
            ):
                return self._search.make_source(1, hit)
        return None

    def asked_for(self, scope: Scope, chat: Sequence[Exchange] | None) -> tuple[Passage, ...]:
        """Return the passages of a scope, or, given a chat, those that it cites."""
        return self.read(scope) if chat is None else self.cited(chat)

    def remark(self, scope: Scope, chat: Sequence[Exchange] | None, *, has_passages: bool) -> Message | None:
        """Say why none of the passages :meth:`asked_for` can be used, or which of them are left out."""
        if chat is not None:
            is_on_server = any(source.hit.server for source, _ in _citations(chat))
        else:
            named = {*scope.courses, *(title for title, _ in scope.lessons)}
            is_on_server = any(one.server and one.title in named for one in self._search.courses())
        if is_on_server:
            return Message("study.on_server")
        if has_passages:
            return None
        return Message("study.nothing_to_ask" if chat is None else "making.no_cited_passages")

    def _all(self, scope: Scope) -> Iterator[Passage]:
        for title in self._catalog.courses.titles():
            if includes(replace(scope, up_to=()), title, None) or title in dict(scope.lessons):
                rows = self._catalog.courses.passages(title)
                chosen = (row for row in rows if includes(scope, title, row["number"]))
                for (key, path), own in groupby(chosen, key=lambda row: (row["document_id"], row["path"])):
                    yield from self._of_document(key, path, own, title)

    def _of_document(
        self, document_id: int, path: str, rows: Iterable[sqlite3.Row], title: str
    ) -> Iterator[Passage]:
        language, use, spans = self._catalog.documents.sentences(document_id)
        common = common_words(language) or common_words(ENGLISH)
        whole = self._catalog.documents.text(document_id).text
        code = fences(whole)
        defined = definitions_in(whole, language, is_markdown=becomes_markdown(path))
        marked = tuple(defined) if use is Use.TEACHING else ()
        end = first = 0
        for row in rows:
            text = row["text"][max(end - row["start"], 0) :].lstrip()
            end = row["end"]
            start = end - len(text)
            first = bisect_left(spans, (start, start), first)
            prose = tuple(
                (begin, stop)
                for begin, stop in spans[first : bisect_right(spans, (end, end), first)]
                if stop <= end and not is_within(code, begin) and says_something(whole[begin:stop], common)
            )
            own = tuple(one for one in marked if start <= one.start < end)
            lesson = row["number"], row["title"]
            yield Passage(row["id"], document_id, title, *lesson, start, end, text, prose, language, own, use)


def says_something(sentence: str, common: Collection[str]) -> bool:
    """Return whether a sentence is prose that can be asked about.

    Not code, a row of a table or a heading.
    """
    if len(sentence) < _SHORTEST or _NO_PROSE.match(sentence):
        return False
    signs = sum(not (one.isalpha() or one.isspace()) for one in sentence)
    if signs > (1 - _LETTERS) * len(sentence):
        return False
    if len(UNSPACED_SIGN.findall(sentence)) > len(sentence) // 2:
        return True
    words = [word.casefold() for word in _WORD.findall(sentence)]
    share = sum(word in common for word in words) / max(len(words), 1)
    return len(words) >= _FEWEST_WORDS and share >= _COMMON


def choose(passages: Sequence[Passage], number: int, covered: Collection[int] = ()) -> tuple[Passage, ...]:
    """Return some of the passages, in order: those that are not covered first, spread over all of them.

    Each lesson gets its share, and at least one if there are enough; within it they are spread evenly, and of
    neighbours the one that says most is taken. ``covered`` are indices of ``passages``.
    """
    done = set(covered)
    fresh = [index for index in range(len(passages)) if index not in done]
    chosen = _spread(passages, fresh, number)
    chosen += _spread(passages, sorted(done), number - len(fresh))
    return tuple(passages[index] for index in sorted(chosen))


def _spread(passages: Sequence[Passage], indices: Sequence[int], number: int) -> list[int]:
    lessons = [list(own) for _, own in groupby(indices, key=lambda index: passages[index].lesson)]
    number = max(0, min(number, len(indices)))
    least = 1 if number >= len(lessons) else 0
    share = (number - least * len(lessons)) / max(len(indices) - least * len(lessons), 1)
    chosen: list[int] = []
    before = 0.0
    for own in lessons:
        after = before + share * (len(own) - least)
        wanted = least + round(after) - round(before)
        before = after
        borders = [round(part * len(own) / wanted) for part in range(wanted + 1)] if wanted else []
        chosen += (
            max(own[first:last], key=lambda index: passages[index].weight)
            for first, last in pairwise(borders)
        )
    return chosen


def touched_by(passages: Sequence[Passage], places: Iterable[Place]) -> frozenset[int]:
    """Return the indices of the passages with quotes; a quote belongs to the passage with its middle."""
    order = sorted(range(len(passages)), key=lambda at: (passages[at].document_id, passages[at].start))
    starts = [(passages[at].document_id, passages[at].start) for at in order]
    touched = set()
    for document_id, start, end in places:
        middle = (start + end) // 2
        at = bisect_right(starts, (document_id, middle)) - 1
        if at >= 0:
            one = passages[order[at]]
            if one.document_id == document_id and middle < one.end:
                touched.add(order[at])
    return frozenset(touched)


def _citations(exchanges: Iterable[Exchange]) -> list[tuple[Source, Citation]]:
    """Return the citations that hold, each with its source."""
    return [
        (source, one)
        for exchange in exchanges
        for one in exchange.citations
        for source in exchange.sources
        if one.verified and source.n == one.source_n
    ]


def _sentences(passage: Passage) -> set[str]:
    return {passage.sentence(span) for span in passage.prose}


def _without(passage: Passage, sentences: Collection[str]) -> Passage:
    prose = tuple(span for span in passage.prose if passage.sentence(span) not in sentences)
    return replace(passage, prose=prose)
