"""The study guide and the glossary of a deck, as texts whose citations lead to their sentences."""

from __future__ import annotations

import html
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCollator, Qt, QUrl
from PySide6.QtWidgets import QFrame, QWidget

from app.features.study.model.names import ItemKind
from app.features.study.ui.pane import StudyPage
from app.features.study.ui.pieces_view import Piece, PiecesView
from app.features.study.ui.words import course_order, marks
from app.ui.widgets.building import Cell, Stretch, hbox, one_shot, stack, vbox
from app.ui.widgets.search_box import SearchBox
from app.ui.widgets.source_labels import course_name, lesson_name, numbered_lesson
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from app.domain.sources import Source
    from app.features.study.model.items import Deck, Item, TermPlace
    from app.features.study.ui.operations import StudyJobs

_COLUMN = 800  # longer lines are hard to read
_MARGIN = 12
_TYPING_MS = 150
_SCHEME, _PLACE = "item", "place"


class _Entry(NamedTuple):
    """An item, and the words it is found by."""

    item: Item
    words: str


class TextPage(StudyPage):
    """Shows the items of one kind as a text, whose words can be found."""

    kind: ItemKind
    search: SearchBox

    def __init__(self, jobs: StudyJobs, title: str, search: str, nothing: str) -> None:
        super().__init__()
        self.title, self._nothing_yet = title, nothing
        self._study = jobs.study
        self._deck: Deck | None = None
        self._entries: list[_Entry] = []
        theme = Theme.current()
        self.search = SearchBox(search, self.tr("Clear the filter"), theme)
        self._soon = one_shot(self, _TYPING_MS, self._draw_anew)
        self.search.textChanged.connect(self._soon.start)
        self.view = _NumberedView(jobs.formulas)
        self.view.setAccessibleName(title)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.document().setDocumentMargin(_MARGIN)
        self.view.anchorClicked.connect(self._follow)
        self.search.down_pressed.connect(self.view.setFocus)
        self._nothing = plain_label("", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(_MARGIN, 16, _MARGIN, 16)
        self._stack = stack(self.view, self._nothing)
        column = QWidget(maximumWidth=scaled(_COLUMN))
        vbox(self.search, Cell(self._stack, 1), parent=column, spacing=8)
        hbox(Stretch(), Cell(column, 1000), Stretch(), parent=self, margins=(16, 8, 16, 0))

    # ---- as a page ----

    def show_deck(self, deck: Deck | None) -> None:
        is_other = deck is None or self._deck is None or deck.uid != self._deck.uid
        self._deck = deck
        if is_other:
            self._take([])
        if deck is not None:
            loaded = partial(self._loaded, self._entries)
            self._study.items(deck.deck_id, (self.kind,), loaded).run(self, success=self._take)

    def focus_first(self) -> None:
        # From the sentence that there is nothing, the focus passes to the text that takes its place.
        shown = self._nothing if self._stack.currentWidget() is self._nothing else self.view
        shown.setFocus(Qt.FocusReason.TabFocusReason)

    def set_theme(self, theme: Theme) -> None:
        self.search.set_theme(theme)
        self.view.set_theme(theme)

    # ---- what a page of a kind says ----

    def ordered(self, items: tuple[Item, ...]) -> list[Item]:
        """Return the items in the order of the text; called in the thread of the jobs."""
        raise NotImplementedError

    def pieces(self, items: list[Item]) -> Iterator[Piece]:
        """Yield the pieces of the text."""
        raise NotImplementedError

    # ---- drawing ----

    def _loaded(self, before: list[_Entry], items: tuple[Item, ...]) -> list[_Entry]:
        """Return what is to be shown; called in the thread of the jobs."""
        known = {entry.item.item_id: entry for entry in before}
        entries = (_Entry(item, _words(item)) for item in self.ordered(items))
        # The same objects where nothing has changed: the window would have to wait for thousands to be freed.
        found = [old if (old := known.get(new.item.item_id)) == new else new for new in entries]
        return before if found == before else found

    def _take(self, entries: list[_Entry]) -> None:
        if entries is not self._entries:
            is_first = not self._entries
            self._entries = entries
            self._draw(anew=is_first or not entries)
        self.search.setVisible(bool(entries))

    def _draw_anew(self) -> None:
        self._draw(anew=True)

    def _draw(self, *, anew: bool = False) -> None:
        """Show what is found; ``anew`` from its beginning, else only what has changed."""
        words = self.search.text().casefold().split()
        shown = [one.item for one in self._entries if all(word in one.words for word in words)]
        self._nothing.setText(self.tr("Nothing found") if words else self._nothing_yet)
        self._stack.setCurrentWidget(self.view if shown else self._nothing)
        if anew:
            self.view.number(item.item_id for item in shown)
            self.view.show_anew(partial(self.pieces, shown))
        else:
            self.view.show_pieces(partial(self.pieces, shown))

    def _follow(self, link: QUrl) -> None:
        if link.scheme() == _SCHEME and (item := self._item(link.path())) is not None:
            self.source_requested.emit(item)

    def _item(self, item_id: str) -> Item | None:
        return next((one.item for one in self._entries if str(one.item.item_id) == item_id), None)


class GuidePage(TextPage):
    """Sections in the course's order; each claim ends with the mark of its sentence."""

    kind = ItemKind.POINT

    def __init__(self, jobs: StudyJobs) -> None:
        super().__init__(
            jobs,
            self.tr("Study guide"),
            self.tr("Find in the study guide"),
            self.tr("This deck has no study guide yet. A model writes one from the course: choose Make…"),
        )

    def ordered(self, items: tuple[Item, ...]) -> list[Item]:
        points = sorted(items, key=course_order)
        sections = {heading: at for at, heading in reversed(list(enumerate(map(_heading, points))))}
        return sorted(points, key=lambda point: sections[_heading(point)])

    def pieces(self, items: list[Item]) -> Iterator[Piece]:
        section = None
        for item in items:
            if _heading(item) != section:
                section = _heading(item)
                yield Piece((section,), section, partial(_title, section))
            text = item.text.back
            yield Piece(item.item_id, text, partial(self.view.html_of, text, item.item_id))


class GlossaryPage(TextPage):
    """Terms in order, with the course's own definition and the lessons that have them."""

    kind = ItemKind.TERM

    def __init__(self, jobs: StudyJobs) -> None:
        super().__init__(
            jobs,
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

    def pieces(self, items: list[Item]) -> Iterator[Piece]:
        for item in items:
            lessons = [(one.lesson_number, one.lesson_title) for one in self._places.get(item.text.front, ())]
            look = item.text, item.state, item.edited, item.suspended, tuple(lessons)
            yield Piece(item.item_id, look, partial(self._entry, item))

    def _take(self, entries: list[_Entry]) -> None:
        """Show the terms, and then where else their course uses them."""
        super()._take(entries)
        if self._deck is not None and entries:
            terms = [one.item.text.front for one in entries]
            finding = self._study.term_places(self._deck.course_title, terms)
            finding.run(self, success=self._take_places, failure=lambda _: None)

    def _take_places(self, places: Mapping[str, tuple[TermPlace, ...]]) -> None:
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
        item = self._item(item_id)
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


class _NumberedView(PiecesView):
    """Numbers the marks of items from 1; items that come later have the numbers that follow."""

    def number(self, item_ids: Iterable[int]) -> None:
        self._numbers = {item_id: n for n, item_id in enumerate(item_ids, 1)}

    def number_of(self, item_id: int) -> int:
        return self._numbers.setdefault(item_id, len(self._numbers) + 1)


def _heading(item: Item) -> str:
    return item.text.front or lesson_name(item.source.hit)


def _link(href: str, text: str) -> str:
    return f'<a href="{html.escape(href)}">{html.escape(text)}</a>'


def _title(text: str, level: int = 2) -> str:
    return f'<p class="h{level}">{html.escape(text)}</p>'


def _words(item: Item) -> str:
    return f"{item.text.front}\n{item.text.back}".casefold()
