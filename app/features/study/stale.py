"""Keeps track of the sentences that saved answers and items rest on when course files change."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from app.core.documents.text.alignment import Quoted, Version
from app.core.documents.text.definitions import Definition, definitions_in
from app.core.documents.text.markdown_structure import plain_inline
from app.core.storage.database import Database
from app.core.storage.documents import LiveDocument
from app.core.storage.passages import PassageRepository
from app.domain.cancel import CancelToken
from app.domain.documents import becomes_markdown
from app.domain.search import Window
from app.domain.sources import QuotePlace, Source, SourceState
from app.features.study.kinds import KINDS, gaps, with_gap
from app.features.study.model.items import Item, QuoteState, StaleQuote
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.store.stale import Quote, StaleRepository

_VERSIONS = 4  # texts in memory
_MOST_WORDS, _LEAST_WORDS = 30, 4  # of a sentence that is looked for in other files
_NEIGHBOURS = 3  # on each side, that are looked for there
_BLOCK = re.compile(r"\s*+(?:> ?|#{1,6} )*")  # what a quotation or a heading begins with


class StaleService:
    """Finds the current places of quoted sentences, and lists those that have none. Thread-safe."""

    def __init__(self, database: Database, passages: PassageRepository) -> None:
        self._rows = StaleRepository(database)
        self._passages = passages
        self.count = self._rows.count

    def entries(self) -> tuple[StaleQuote, ...]:
        """Return what is stale and was not kept, answers first; titles and claims as one reads them."""
        return tuple(
            replace(
                entry,
                title=entry.title if entry.item is None else _as_read(entry.title),
                claim=_as_read(entry.claim),
            )
            for entry in self._rows.entries()
        )

    def check(self, token: CancelToken) -> Iterator[None]:
        """Follow quotes whose documents changed since the last check; yield between short steps.

        Nothing happens if the library has not changed. If it changes meanwhile, or this is cancelled, the
        next check does the rest.
        """
        generation, (checked, marks) = self._rows.generation(), self._rows.checked()
        if generation == checked:
            return
        documents = self._rows.live()
        changed = [one for one in documents if marks.get(one.document_id) != one.mark]
        library = _Library(self._rows, self._passages, documents)
        paths, contents, courses = (
            {getattr(one, name) for one in changed} for name in ("path", "sha256", "course")
        )
        live = {one.document_id for one in documents}

        def may_differ(quote: Quote) -> bool:
            hit = quote.source.hit
            return (
                quote.state is QuoteState.CURRENT
                or (quote.place > 0 and quote.place not in live)
                or hit.path in paths
                or hit.course_title in courses
                or quote.source.document_sha256 in contents
            )

        # What rests on a document that has just come was made from it as it is.
        moved = [one.document_id for one in changed if one.document_id in marks]
        for quotes in self._rows.quotes(moved):
            found = []
            for quote in filter(may_differ, quotes):
                token.check()
                try:
                    found.append(library.followed(quote))
                except KeyError:  # a document has left the library, whose change is followed next
                    return
            if found and not self._rows.settle(generation, found):
                return
            yield
        self._rows.finish(generation, documents)

    def keep(self, entry: StaleQuote) -> bool:
        """Base an item on the text that is there now, if any; otherwise keep it as it is.

        If the item repeats the sentence, it then says the current one. Return whether it rests on a new
        sentence, but says what it said before.
        """
        if entry.item is not None and (found := self._now(entry)):
            text, place = renewed(entry.item, found.quote), (found.source, found.start, found.end)
            owner, state = entry.item.item_id, QuoteState.CURRENT
            quote = Quote(owner, None, entry.document_id, *place, state, text=text)
            if self._rows.settle(self._rows.generation(), [quote]):
                return text is None
        self._rows.keep(entry)
        return False

    def place_of(self, entry: StaleQuote) -> QuotePlace:
        """Return where what stands in a sentence's place is; without such, where the sentence was."""
        if found := self._now(entry):
            return found
        hit = entry.source.hit
        start = hit.start + max(hit.text.find(entry.quote), 0)  # lacking if another program wrote it
        return QuotePlace(entry.source, start, start + len(entry.quote))

    def correct_states(self, exchange_id: int, states: dict[int, SourceState]) -> None:
        """Call the sources of an answer current, by their numbers, whose cited sentences all stand."""
        for n, cited in self._rows.of_sources(exchange_id).items():
            if n in states and cited == {QuoteState.CURRENT}:
                states[n] = SourceState.CURRENT

    def _now(self, entry: StaleQuote) -> QuotePlace | None:
        documents = [one for one in self._rows.live() if one.document_id == entry.document_id]
        if not documents or not entry.now:
            return None
        library = _Library(self._rows, self._passages, documents)
        try:
            span = library.version(entry.document_id).find(entry.now, entry.source.hit.start)
            source = library.source_at(documents[0], span, entry.source) if span else None
        except KeyError:  # it has left the library meanwhile
            return None
        return QuotePlace(source, *span) if span and source else None


class _Library:
    """The searchable documents as they are during one check; raises KeyError for one that has gone since."""

    def __init__(
        self, rows: StaleRepository, passages: PassageRepository, documents: Sequence[LiveDocument]
    ) -> None:
        self._rows = rows
        self._passages = passages
        self._by_key = {one.document_id: one for one in documents}
        self._by_path = {one.path: one for one in documents}
        self._by_content: dict[str, list[LiveDocument]] = {}
        for one in documents:
            self._by_content.setdefault(one.sha256, []).append(one)
        self.version = lru_cache(_VERSIONS)(lambda document_id: Version(*rows.text(document_id)))

    def followed(self, quote: Quote) -> Quote:
        """Return a quote as it stands now; an item's, with its current passage."""
        quoted = Quoted.of(quote.source, quote.start, quote.end)
        likely = self._likely(quote)
        elsewhere = self._with(quoted.text, quote.source.hit.course_title)
        for document in dict.fromkeys((*likely, *elsewhere)):
            if span := self._find(document, quote, quoted):
                current = replace(quote, place=document.document_id, state=QuoteState.CURRENT, now="")
                if quote.position is None and (source := self.source_at(document, span, quote.source)):
                    return replace(current, source=source, start=span[0], end=span[1])
                return current  # an answer stays as it was written
        for document in likely or self._with_neighbours(quoted, quote.source.hit.course_title):
            version = self.version(document.document_id)
            if span := version.replacement(quoted):
                now, place = version.text[slice(*span)], document.document_id
                return replace(quote, place=place, state=QuoteState.CHANGED, now=now)
        return replace(quote, place=0, state=QuoteState.GONE, now="")

    def source_at(self, document: LiveDocument, span: tuple[int, int], old: Source) -> Source | None:
        """Return the passage around a span: the old one if it is still there, else the current one.

        None if that has left the library meanwhile.
        """
        version = self.version(document.document_id)
        start = version.text.find(old.hit.text)
        end = start + len(old.hit.text)
        key, first, last = self._rows.passage_at(document.document_id, max(start, 0) or span[0])
        if start < 0 or not start <= span[0] <= span[1] <= end:
            start, end = first, max(last, span[1])
        hits = self._passages.hits([Window(key, start, end, old.hit.score, span[0])])
        if not hits:
            return None
        inside = [one for one in version.sentences if one[0] < end and one[1] > start]
        sentences = tuple((max(first, start), min(last, end)) for first, last in inside)
        hit = replace(hits[0], rank=old.hit.rank)
        return Source(old.n, old.ref, hit, sentences, document.sha256)

    def _likely(self, quote: Quote) -> list[LiveDocument]:
        """Return the documents of the same content, and the one at the same path."""
        path = quote.source.hit.path
        same = sorted(
            self._by_content.get(quote.source.document_sha256, ()), key=lambda one: one.path != path
        )
        places = (self._by_key.get(quote.place), *same, self._by_path.get(path))
        return list(dict.fromkeys(filter(None, places)))

    def _find(self, document: LiveDocument, quote: Quote, quoted: Quoted) -> tuple[int, int] | None:
        version = self.version(document.document_id)
        passage = version.text.find(quote.source.hit.text)
        moved = passage - quote.source.hit.start if passage >= 0 else 0
        return version.find(quoted.text, quote.start + moved)

    def _with(self, sentence: str, course: str) -> Iterator[LiveDocument]:
        words = sentence.split()[:_MOST_WORDS]
        if len(words) >= _LEAST_WORDS:
            found = map(self._by_key.get, self._rows.documents_with(" ".join(words), course))
            yield from filter(None, found)

    def _with_neighbours(self, quoted: Quoted, course: str) -> list[LiveDocument]:
        """Return the document of a course with most of the sentences around a quote."""
        around = (*quoted.before[:_NEIGHBOURS], *quoted.after[:_NEIGHBOURS])
        found = Counter(document for sentence in around for document in self._with(sentence, course))
        return [document for document, _ in found.most_common(1)]


def _as_read(markdown: str) -> str:
    """Return Markdown without the signs of quotations, headings and emphasis, and without escapes."""
    from app.core.answers.passage_answer import without_escapes  # late, here and below: the start needs none

    lines = (plain_inline(_BLOCK.sub("", line, count=1)) for line in markdown.splitlines())
    return without_escapes("\n".join(filter(None, lines)))


def sides_of(kind: ItemKind, definition: Definition, path: str) -> tuple[str, str] | None:
    """Return front and back of an item made of a definition in a file; None if it gives none."""
    from app.core.answers.passage_answer import literal

    shown = str if becomes_markdown(path) else literal
    texts = definition.term, definition.said, definition.sentence
    return KINDS[kind].defined(*map(shown, texts))


def renewed(item: Item, now: str) -> ItemText | None:
    """Return an item's text with the current sentence in place of its quote.

    None if it does not repeat its quote, or if the current sentence lacks what it asks for.
    """
    from app.core.answers.passage_answer import literal, without_escapes

    text, kind, path = item.text, KINDS[item.kind], item.source.hit.path
    is_markdown = becomes_markdown(path)
    if item.kind is ItemKind.MARK:
        return replace(text, front=now if is_markdown else literal(now))
    old, new = (
        list(definitions_in(said, item.language, is_markdown=is_markdown)) for said in (item.quote, now)
    )
    made = {one.term: sides_of(item.kind, one, path) for one in new}
    for one in old:
        if sides_of(item.kind, one, path) == (text.front, text.back):
            sides = made.get(one.term)
            return replace(text, front=sides[0], back=sides[1]) if sides else None
    terms = {without_escapes(asked) for asked in gaps(text.front) or (text.front,)}
    if text.back == item.quote:
        is_there = not kind.has_wording_alone or with_gap(now, terms.pop())
        return replace(text, back=now) if is_there else None
    if len(terms) == 1 and kind.statement(text) == item.quote:
        front = with_gap(now, terms.pop())
        return replace(text, front=front) if front else None
    return None
