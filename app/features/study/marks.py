"""What a reader marks in the lessons: items of the course's deck that are not asked, perhaps with a note."""

from collections.abc import Sequence

from app.core.documents.text.alignment import Version
from app.core.documents.text.placement import places
from app.core.rag_system import RAGSystem
from app.core.storage.documents import DocumentTexts
from app.domain.documents import becomes_markdown
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.search import SearchHit, Window
from app.domain.sources import QuotePlace, Selection
from app.features.study.kinds import LONGEST
from app.features.study.model.items import Item, NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.store.items import StudyRepository

_SPREAD = 2  # times its own length that a selection on pages may take in the text read from them


class MarkService:
    """Thread-safe."""

    def __init__(self, rag: RAGSystem, repository: StudyRepository) -> None:
        self._texts = DocumentTexts(rag.database)
        self._passages = rag.catalog.passages
        self._search = rag.search
        self._rows = repository

    def add(self, selection: Selection) -> Item | None:
        """Mark what is selected; return the mark, which may be there already."""
        new = self.item_on(selection, ItemKind.MARK)
        hit = new.source.hit
        same = (
            one.item_id
            for one in self._rows.marks_in(hit.document_id)
            if (one.start, one.end) == (new.start, new.end)
        )
        key = next(same, None) or self.store(new)
        return self._rows.item(key)

    def store(self, item: NewItem) -> int:
        (key,) = self._rows.add(self._rows.deck_of(item.source.hit.course_title), [item])
        return key

    def item_on(self, selection: Selection, kind: ItemKind) -> NewItem:
        """Return an item that rests on what is selected: a mark, or one whose answer it is.

        Raises:
            UserError: that is nothing, too long, in two lessons, or no longer in the library.
        """
        place = self._place(selection)
        quote = place.quote
        from app.core.answers.passage_answer import literal  # late: the start needs none

        said = quote if becomes_markdown(place.source.hit.path) else literal(quote)
        text = ItemText(said) if kind is ItemKind.MARK else ItemText("", said)
        return NewItem(kind, text, place.source, place.start, place.end, quote)

    def _place(self, selection: Selection) -> QuotePlace:
        """Return the current place of a selection in the library, within its passage."""
        start, quote = _read(selection)
        hit = selection.source.hit
        for document in self._texts.live():
            if document.document_id != hit.document_id and document.path != hit.path:
                continue
            try:
                text, sentences = self._texts.text(document.document_id)
                end = start + len(quote)
                is_there = text[start:end] == quote
                span = (start, end) if is_there else Version(text, sentences).find(quote, start)
                hits = self._around(document.document_id, span) if span else ()
            except KeyError:  # it has left the library meanwhile
                continue
            source = self._search.source_of(hits[0]) if hits else None
            if span and source:
                if _lesson(hits[0]) != _lesson(hits[-1]):
                    raise UserError(Message("marks.two_lessons"))
                return QuotePlace(source, *span)
        raise UserError(Message("marks.not_here"))

    def _around(self, document_id: int, span: tuple[int, int]) -> Sequence[SearchHit]:
        """Return the passage around a span, made longer if need be, and the one where it ends."""
        start, end = span
        key, first, last = self._texts.passage_at(document_id, start)
        around = Window(key, min(first, start), max(last, end), 1.0, start)
        key, first, last = self._texts.passage_at(document_id, end - 1)
        return self._passages.hits([around, Window(key, first, last, 1.0, first)])


def _read(selection: Selection) -> tuple[int, str]:
    """Return the place of a selection in the document as it was read, and the text there."""
    text, around = selection.text.strip(), selection.around
    if not text:
        raise UserError(Message("marks.nothing_selected"))
    if len(text) > LONGEST:
        raise UserError(Message("study.too_long", most=f"{LONGEST:,}"))
    at = around.find(text)
    end = at + len(text)
    if at < 0:  # on a page, whose text is read in another way
        (found,) = places(text, [(0, len(text))], around)
        at, end = (found[0], found[-1] + 1) if found else (0, 0)
        if not 0 < end - at <= _SPREAD * len(text):
            raise UserError(Message("marks.not_here"))
    return selection.start + at, around[at:end]


def _lesson(hit: SearchHit) -> tuple[int | None, str]:
    return hit.lesson_number, hit.lesson_title
