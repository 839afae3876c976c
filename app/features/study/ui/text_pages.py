"""The study guide and the glossary of a deck, as texts whose citations lead to their sentences."""

from __future__ import annotations

import html
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCollator, QPoint, Qt, QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QWidget

from app.features.study.model.names import ItemKind
from app.features.study.ui.pane import StudyPage
from app.features.study.ui.rich_view import RichView
from app.features.study.ui.words import course_order, marks
from app.ui.markup.rich_text import between
from app.ui.widgets.building import Cell, Stretch, hbox, one_shot, stack, vbox
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.source_labels import course_name, lesson_name, numbered_lesson
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from app.domain.sources import Source
    from app.features.study.model.items import Deck, Item, TermPlace
    from app.features.study.ui.operations import StudyJobs
    from app.ui.markup.rich_text import FormulaPictures


_TURN = 0.008  # seconds of work in a turn of the event loop; laying it out takes about as long again
_MOST = 300_000  # characters; what comes behind them is drawn once the reader comes near
_NEAR = 4  # heights of the view

Pieces = Callable[[], Iterator["Piece"]]  # gives the pieces of a text, one by one; called again to draw again


class Piece(NamedTuple):
    """Some paragraphs of a text."""

    name: Hashable  # which no other piece of the text has
    look: Hashable  # what its HTML depends on
    html: Callable[[], str]


class _Drawn(NamedTuple):
    """A piece in the document."""

    name: Hashable
    look: Hashable
    length: int  # in characters, with the end of the paragraph before it
    is_late: bool  # drawn without the pictures of its formulas


class PiecesView(RichView):
    """Changes only what differs, so that neither what is read nor what is selected moves."""

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__(formulas)
        self._wanted: Pieces = lambda: iter(())
        self._done: list[_Drawn] = []  # those that are as they have to be, from the top on
        self._rest: deque[_Drawn] = deque()  # those below, as they were before
        self._steps: Iterator[bool] = iter(())
        self._goes_on = False  # whether there may be more to draw
        self._kept: list[QTextCursor] = []  # what is held while text changes
        self._target: tuple[Hashable, int] | None = None  # a piece to scroll to, and its height in the view
        self._next = one_shot(self, 0, self._take_turn)
        formulas.came_late.connect(self._draw_late)
        self.verticalScrollBar().valueChanged.connect(self._continue)

    def show_pieces(self, pieces: Pieces) -> None:
        """Let these be the text from now on."""
        self._wanted = pieces
        self._rest.extendleft(reversed(self._done))
        self._done.clear()
        self._steps = self._work()
        self._take_turn()

    def show_anew(self, pieces: Pieces) -> None:
        """Show another text, from its beginning."""
        self._target = None
        self._forget()
        self.show_pieces(pieces)

    def set_theme(self, theme: Theme) -> None:
        """Draw all of it again, and go back to what was at the top of the view."""
        super().set_theme(theme)
        self._target = self._target or self._top_piece()
        self._forget()
        self.show_pieces(self._wanted)

    # ---- in turns ----

    def _take_turn(self) -> None:
        """Do what fits into a turn of the event loop."""
        self._goes_on, until = True, time.monotonic() + _TURN
        with self._held():
            edit = QTextCursor(self.document())
            edit.beginEditBlock()
            while self._goes_on and time.monotonic() < until:
                self._goes_on = next(self._steps, False)
            edit.endEditBlock()
        self._scroll_to_target()
        if not self._goes_on:
            self._target = None
        self._continue()

    def _continue(self) -> None:
        """Take another turn if there is something to draw that may soon be seen."""
        bar = self.verticalScrollBar()
        is_far = bar.maximum() - bar.value() > _NEAR * self.viewport().height()
        waits = is_far and not self._rest and self.document().characterCount() > _MOST
        if self._goes_on and (self._target is not None or not waits):
            self._next.start()

    def _work(self) -> Iterator[bool]:
        """Make the text what it has to be, a piece at each step; yield that there is more to do."""
        left = {one.name for one in self._rest}
        place = 0  # where the paragraph above ends
        for piece in self._wanted():
            gone = 0
            while piece.name in left and self._rest[0].name != piece.name:
                first = self._rest.popleft()
                left.discard(first.name)
                gone += first.length
            self._remove(place, gone)
            if piece.name not in left:
                self._done.append(self._insert(place, piece))
            else:
                left.discard(piece.name)
                before = self._rest.popleft()
                is_same = before.look == piece.look
                self._done.append(before if is_same else self._replace(place, before.length, piece))
            place += self._done[-1].length
            yield True
        self._remove(place, sum(one.length for one in self._rest))
        self._rest.clear()

    def _replace(self, place: int, length: int, piece: Piece) -> _Drawn:
        """Draw a piece again; what is held in it stays as far from its beginning."""
        held = [(one, one.position() - place) for one in self._kept if 0 < one.position() - place <= length]
        self._remove(place, length)
        drawn = self._insert(place, piece)
        for one, offset in held:
            one.setPosition(place + min(offset, drawn.length))
        return drawn

    def _insert(self, place: int, piece: Piece) -> _Drawn:
        end = self.insert(place, piece.html())
        if not place:  # the empty paragraph at the top takes the look of the first one below it
            self.lower_top()
        return _Drawn(piece.name, piece.look, end - place, self.lacks_formulas)

    def _remove(self, place: int, length: int) -> None:
        if length:
            between(self.document(), place, place + length).removeSelectedText()

    def _forget(self) -> None:
        self.empty()
        self._done.clear()
        self._rest.clear()

    def _draw_late(self) -> None:
        """Draw again what lacks formulas, as some have been set."""
        self._rest.extendleft(reversed(self._done))
        self._done.clear()
        self._rest = deque(one._replace(look=None) if one.is_late else one for one in self._rest)
        self.show_pieces(self._wanted)

    # ---- the reader's place ----

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep what is at the top of the view there, and what is selected, while text changes."""
        document, bar, cursor = self.document(), self.verticalScrollBar(), self.textCursor()
        first, last = cursor.selectionStart(), cursor.selectionEnd()
        top = self.cursorForPosition(QPoint(0, 2 * self.fontMetrics().lineSpacing()))
        start, end = between(document, first, first), between(document, last, last)
        for one in (top, end, *([start] if first == last else [])):
            one.setKeepPositionOnInsert(True)  # what is inserted there comes behind them
        self._kept = [top, start, end]
        height = self.cursorRect(top).top()
        yield
        now = self.textCursor()
        if (now.selectionStart(), now.selectionEnd()) != (start.position(), end.position()):
            self.setTextCursor(between(document, start.position(), end.position()))
        bar.setValue(bar.value() + self.cursorRect(top).top() - height)

    def _top_piece(self) -> tuple[Hashable, int] | None:
        """Return the name of the piece at the top of the view, and how high it begins in the view."""
        top, place = self.cursorForPosition(QPoint(0, 0)).position(), 0
        for one in (*self._done, *self._rest):
            if place + one.length >= top > 0:
                return one.name, self.cursorRect(between(self.document(), place + 1, place + 1)).top()
            place += one.length
        return None

    def _scroll_to_target(self) -> None:
        """Scroll to the piece that is to be at the top, once it is drawn and there is enough below it."""
        place = 0
        for one in self._done if self._target is not None else ():
            if self._target is not None and one.name == self._target[0]:
                bar, line = self.verticalScrollBar(), between(self.document(), place + 1, place + 1)
                wanted = bar.value() + self.cursorRect(line).top() - self._target[1]
                bar.setValue(wanted)
                if bar.value() == wanted:
                    self._target = None
                return
            place += one.length


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
            before = self._entries
            self._study.read(
                "Opening a deck", lambda study: self._loaded(before, study.items(deck.deck_id, (self.kind,)))
            ).run(self, success=self._take)

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
            title = self._deck.course_title
            finding = self._study.read("Looking for terms", lambda study: study.term_places(title, terms))
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
        finding = self._study.read("Looking for terms", lambda study: study.source_of_place(place))
        finding.run(self, success=partial(self._open_place, item))

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
