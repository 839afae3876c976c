"""The study guide and the glossary of a deck, as texts whose citations lead to their sentences."""

from __future__ import annotations

import html
from collections import deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCollator, Qt, QUrl
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.study import ItemKind
from app.ui.markup.rich_text import finish_formulas, insert_paragraphs
from app.ui.study.page import StudyPage
from app.ui.study.rich_view import RichView
from app.ui.study.words import course_order, marks
from app.ui.widgets.building import Cell, Stretch, hbox, one_shot, stack, vbox
from app.ui.widgets.search_box import SearchBox
from app.ui.widgets.source_labels import course_name, lesson_name, numbered_lesson
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from app.domain.glossary import TermPlace
    from app.domain.sources import Source
    from app.domain.study import Deck, Item
    from app.workers.workers import Workers

_COLUMN = 800  # longer lines are hard to read
_MARGIN = 12
_AT_ONCE = 12  # pieces of a text that are drawn in one turn of the event loop
_TYPING_MS = 150
_SCHEME, _PLACE = "item", "place"


class TextPage(StudyPage):
    """Draws the items of one kind a few at a time, so that the window never waits for a long text."""

    kind: ItemKind

    def __init__(self, workers: Workers, title: str, search: str, nothing: str) -> None:
        super().__init__()
        self.title, self._nothing_yet = title, nothing
        self._study = workers.study
        self._deck: Deck | None = None
        self._items: list[Item] = []
        self._pieces: deque[Callable[[], str]] = deque()
        theme = Theme.current()
        self.search = SearchBox(search, self.tr("Clear the filter"), theme)
        self._soon = one_shot(self, _TYPING_MS, self._draw)
        self.search.textChanged.connect(self._soon.start)
        self.view = _NumberedView(workers.formulas)
        self.view.setAccessibleName(title)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.document().setDocumentMargin(_MARGIN)
        self.view.anchorClicked.connect(self._follow)
        self.view.formulas_came.connect(self._draw)
        self.search.down_pressed.connect(self.view.setFocus)
        self._nothing = plain_label("", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(_MARGIN, 16, _MARGIN, 16)
        self._stack = stack(self.view, self._nothing)
        self._next = one_shot(self, 0, self._draw_more)
        column = QWidget(maximumWidth=scaled(_COLUMN))
        vbox(self.search, Cell(self._stack, 1), parent=column, spacing=8)
        hbox(Stretch(), Cell(column, 1000), Stretch(), parent=self, margins=(16, 8, 16, 0))

    # ---- as a page ----

    def show_deck(self, deck: Deck | None) -> None:
        self._deck = deck
        if deck is None:
            self._take([])
        else:
            self._study.items(deck.deck_id, (self.kind,), self.ordered).run(self, success=self._take)

    def dismiss(self) -> bool:
        if not self.search.text():
            return False
        self.search.clear()
        return True

    def open_find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def focus_first(self) -> None:
        # From the sentence that there is nothing, the focus passes to the text that takes its place.
        shown = self._nothing if self._stack.currentWidget() is self._nothing else self.view
        shown.setFocus(Qt.FocusReason.TabFocusReason)

    def set_theme(self, theme: Theme) -> None:
        self.search.set_theme(theme)
        self.view.set_theme(theme)
        self._draw()

    # ---- what a page of a kind says ----

    def ordered(self, items: tuple[Item, ...]) -> list[Item]:
        """Return the items in the order of the text; called in the thread of the workers."""
        raise NotImplementedError

    def pieces(self, items: list[Item]) -> Iterator[Callable[[], str]]:
        """Yield what returns the HTML of the text, piece by piece."""
        raise NotImplementedError

    # ---- drawing ----

    def _take(self, items: list[Item]) -> None:
        if items != self._items:
            self._items = items
            self._draw()
        self._show_nothing()

    def _draw(self) -> None:
        words = self.search.text().casefold().split()
        shown = [one for one in self._items if all(word in _words(one) for word in words)]
        self.view.number([item.item_id for item in shown])
        self.view.clear()
        self._pieces = deque(self.pieces(shown))
        self._nothing.setText(self.tr("Nothing found") if words else self._nothing_yet)
        self._stack.setCurrentWidget(self.view if shown else self._nothing)
        self._draw_more()

    def _show_nothing(self) -> None:
        self.search.setVisible(bool(self._items))

    def _draw_more(self) -> None:
        """Draw the next pieces, and the others once what has happened meanwhile is done."""
        document = self.view.document()
        count = min(_AT_ONCE, len(self._pieces))
        if count:
            end = document.characterCount() - 1
            more = "".join(self._pieces.popleft()() for _ in range(count))
            if end:
                insert_paragraphs(document, end, more)
            else:  # the empty paragraph of a new document would stay above the first one
                document.setHtml(more)
            finish_formulas(document, end)
            self._next.start()

    def _follow(self, link: QUrl) -> None:
        if link.scheme() == _SCHEME:
            wanted = (item for item in self._items if str(item.item_id) == link.path())
            if (item := next(wanted, None)) is not None:
                self.source_requested.emit(item)


class GuidePage(TextPage):
    """Sections in the course's order; each claim ends with the mark of its sentence."""

    kind = ItemKind.POINT

    def __init__(self, workers: Workers) -> None:
        super().__init__(
            workers,
            self.tr("Study guide"),
            self.tr("Find in the study guide"),
            self.tr("This deck has no study guide yet. A model writes one from the course: choose Make…"),
        )

    def ordered(self, items: tuple[Item, ...]) -> list[Item]:
        points = sorted(items, key=course_order)
        sections = {heading: at for at, heading in reversed(list(enumerate(map(_heading, points))))}
        return sorted(points, key=lambda point: sections[_heading(point)])

    def pieces(self, items: list[Item]) -> Iterator[Callable[[], str]]:
        section = None
        for item in items:
            if _heading(item) != section:
                section = _heading(item)
                yield partial(_title, section)
            yield partial(self.view.html_of, item.text.back, item.item_id)


class GlossaryPage(TextPage):
    """Terms in order, with the course's own definition and the lessons that have them."""

    kind = ItemKind.TERM

    def __init__(self, workers: Workers) -> None:
        super().__init__(
            workers,
            self.tr("Glossary"),
            self.tr("Find a term"),
            self.tr("This deck has no glossary yet. To make one, choose Make…"),
        )

    def show_deck(self, deck: Deck | None) -> None:
        if deck is None or self._deck is None or deck.uid != self._deck.uid:
            self._places: Mapping[str, tuple[TermPlace, ...]] = {}
        super().show_deck(deck)

    def ordered(self, items: tuple[Item, ...]) -> list[Item]:
        collator = QCollator()
        collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        return sorted(items, key=lambda item: collator.sortKey(item.text.front))

    def pieces(self, items: list[Item]) -> Iterator[Callable[[], str]]:
        for item in items:
            yield partial(self._entry, item)

    def _take(self, items: list[Item]) -> None:
        """Show the terms, and then where else their course uses them."""
        super()._take(items)
        if self._deck is not None and items:
            terms = [item.text.front for item in items]
            finding = self._study.term_places(self._deck.course_title, terms)
            finding.run(self, success=self._take_places, failure=lambda _: None)

    def _take_places(self, places: Mapping[str, tuple[TermPlace, ...]]) -> None:
        if places != self._places:
            self._places = places
            self._draw()

    def _entry(self, item: Item) -> str:
        place = lesson_name(item.source.hit) or course_name(item.source.hit)
        where = self._where(item) or _link(f"{_SCHEME}:{item.item_id}", place)
        noted = "".join(f" · {html.escape(mark)}" for mark in marks(item))
        return (
            f"{_title(item.text.front, 3)}{self.view.html_of(item.text.back)}"
            f'<p class="footer">{where}{noted}</p>'
        )

    def _where(self, item: Item) -> str:
        """Return links to the lessons that use a term; empty while they are not known."""
        links = [
            _link(f"{_PLACE}:{item.item_id}/{at}", numbered_lesson(place.lesson_number, place.lesson_title))
            for at, place in enumerate(self._places.get(item.text.front, ()))
        ]
        if len(links) < 2:
            return ""
        again = self.tr("First in {first}; again in {others}")
        return again.format(first=links[0], others=", ".join(links[1:]))

    def _follow(self, link: QUrl) -> None:
        """Open the sentence of a definition, or the first passage of a lesson that uses the term."""
        item_id, _, at = link.path().partition("/")
        item = next((one for one in self._items if str(one.item_id) == item_id), None)
        if link.scheme() != _PLACE or item is None:
            super()._follow(link)
            return
        place = self._places[item.text.front][int(at)]
        self._study.source_of_place(place).run(self, success=partial(self._open_place, item))

    def _open_place(self, item: Item, source: Source | None) -> None:
        if source is not None:
            hit = source.hit
            self.source_requested.emit(
                replace(item, source=source, start=hit.start, end=hit.end, quote=hit.text)
            )


class _NumberedView(RichView):
    """Numbers the marks of items from 1 in the order of the text."""

    def number(self, item_ids: list[int]) -> None:
        self._numbers = {item_id: n for n, item_id in enumerate(item_ids, 1)}

    def number_of(self, item_id: int) -> int:
        return self._numbers.get(item_id, 0)


def _heading(item: Item) -> str:
    return item.text.front or lesson_name(item.source.hit)


def _link(href: str, text: str) -> str:
    return f'<a href="{html.escape(href)}">{html.escape(text)}</a>'


def _title(text: str, level: int = 2) -> str:
    return f'<p class="h{level}">{html.escape(text)}</p>'


def _words(item: Item) -> str:
    return f"{item.text.front}\n{item.text.back}".casefold()
