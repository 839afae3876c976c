"""The study guide and the glossary of a deck, as texts whose citations lead to their sentences."""

import html
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QCollator, QCoreApplication, Qt, QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QWidget

from app.features.study.model.items import Deck, Item, course_order
from app.features.study.model.names import ItemKind
from app.features.study.ui.card_html import RichView, marks
from app.features.study.ui.controller import StudyController
from app.features.study.ui.pane import StudyPage
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.building import Cell, one_shot, stack, vbox
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.source_labels import course_name, lesson_name
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

tr = partial(QCoreApplication.translate, "TextPages")
_TURN = 0.008  # seconds of work in a turn of the event loop; laying it out takes about as long again


class Piece(NamedTuple):
    """Some paragraphs of a text."""

    look: Hashable  # what its HTML depends on
    html: Callable[[], str]


class PiecesView(RichView):
    """Draws a text in turns of the event loop; what does not follow what is drawn, from its beginning."""

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__(formulas)
        self._pieces: Sequence[Piece] = ()
        self._drawn = self._place = 0  # pieces, and where they are scrolled to
        self._lacks_any = False
        self._next = one_shot(self, 0, self._draw)
        formulas.came_late.connect(self._draw_late)

    def show_pieces(self, pieces: Sequence[Piece], *, anew: bool = False) -> None:
        """Let these be the text from now on; ``anew`` scrolled to its beginning."""
        drawn = [piece.look for piece in self._pieces[: self._drawn]]
        self._pieces = pieces
        if anew or drawn != [piece.look for piece in pieces[: len(drawn)]]:
            self._draw_all(0 if anew else self.verticalScrollBar().value())
        else:
            self._place = self.verticalScrollBar().value()
            self._draw()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._draw_all(self.verticalScrollBar().value())

    def _draw_all(self, place: int) -> None:
        self._drawn, self._place, self._lacks_any = 0, place, False
        self.empty()
        self._draw()

    def _draw(self) -> None:
        until = time.monotonic() + _TURN
        edit = QTextCursor(self.document())
        edit.beginEditBlock()
        while self._drawn < len(self._pieces) and time.monotonic() < until:
            self.insert(self.end_position if self._drawn else 0, self._pieces[self._drawn].html())
            if not self._drawn:  # the empty paragraph at the top takes the look of the first one below it
                self.lower_top()
            self._drawn += 1
            self._lacks_any |= self.lacks_formulas
        edit.endEditBlock()
        bar = self.verticalScrollBar()
        if self._place:  # until there is enough to be there; then it is the reader's
            bar.setValue(self._place)
            self._place = 0 if bar.value() == self._place else self._place
        if self._drawn < len(self._pieces):
            self._next.start()

    def _draw_late(self) -> None:
        """Draw what lacks formulas again, as some have been set."""
        if self._lacks_any:
            self._draw_all(self.verticalScrollBar().value())


_COLUMN = 800  # longer lines are hard to read
_MARGIN = 12
_TYPING_MS = 150
_SCHEME = "item"


class TextPage(StudyPage):
    """Shows the items of one kind as a text, whose words can be found.

    ``search`` is the hint in the search box, ``nothing`` is shown without items; ``order`` sorts these in the
    jobs' thread, and ``pieces`` turns them into text.
    """

    search: SearchBox
    chooses_deck = True

    def __init__(
        self,
        study: StudyController,
        kind: ItemKind,
        title: str,
        search: str,
        nothing: str,
        order: Callable[[Iterable[Item]], list[Item]],
        pieces: Callable[[RichView, Sequence[Item]], Iterable[Piece]],
    ) -> None:
        super().__init__()
        self.title, self._nothing_yet = title, nothing
        self._kind, self._order, self._pieces = kind, order, pieces
        self._controller, self._study = study, study.jobs
        self._deck: Deck | None = None
        self._items: list[Item] = []
        self.search = SearchBox(search, self.tr("Clear the filter"))
        self._soon = one_shot(self, _TYPING_MS, partial(self._draw, anew=True))
        self.search.textChanged.connect(self._soon.start)
        self.view = PiecesView(study.jobs.formulas)
        self.view.setAccessibleName(title)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.document().setDocumentMargin(_MARGIN)
        self.view.anchorClicked.connect(self._follow)
        self.search.down_pressed.connect(self.view.setFocus)
        self._nothing = plain_label("", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(_MARGIN, 16, _MARGIN, 16)
        self._stack = stack(self.view, self._nothing)
        column = QWidget()
        vbox(self.search, Cell(self._stack, 1), parent=column, spacing=8)
        self.lay_out(column, width=_COLUMN)

    # ---- as a page ----

    def show_deck(self, deck: Deck | None) -> None:
        is_other = deck is None or self._deck is None or deck.uid != self._deck.uid
        self._deck = deck
        if is_other:
            self._take([])
            self._nothing.setText("" if deck else self._nothing_yet)  # until they are read
        if deck is not None:
            kinds = (self._kind,)
            reading = self._study.read(
                "Opening a deck", lambda study: self._order(study.items(deck.deck_id, kinds))
            )
            reading.run(self, success=self._take)

    def focus_first(self) -> None:
        # From the sentence that there is nothing, the focus passes to the text that takes its place.
        shown = self._nothing if self._stack.currentWidget() is self._nothing else self.view
        shown.setFocus(Qt.FocusReason.TabFocusReason)

    # ---- drawing ----

    def _take(self, items: list[Item]) -> None:
        is_first = not self._items
        self._items = items
        self._draw(anew=is_first or not items)
        self.search.setVisible(bool(items))

    def _draw(self, *, anew: bool = False) -> None:
        words = self.search.text().casefold().split()
        shown = [item for item in self._items if all(word in _words(item) for word in words)]
        self._nothing.setText(self.tr("Nothing found") if words else self._nothing_yet)
        self._stack.setCurrentWidget(self.view if shown else self._nothing)
        self.view.show_pieces(list(self._pieces(self.view, shown)), anew=anew)

    def _follow(self, link: QUrl) -> None:
        for item in self._items:
            if link.toString() == _href(item):
                self._controller.show_source(item)


def guide_page(study: StudyController) -> TextPage:
    """Sections in the course's order; each claim ends with the mark of its sentence."""
    return TextPage(
        study,
        ItemKind.POINT,
        tr("Study guide"),
        tr("Find in the study guide"),
        tr("This deck has no study guide yet. A model writes one from the course: choose Make…"),
        _by_section,
        _sections,
    )


def glossary_page(study: StudyController) -> TextPage:
    """Terms in order, with the course's own definition and its lesson."""
    return TextPage(
        study,
        ItemKind.TERM,
        tr("Glossary"),
        tr("Find a term"),
        tr("This deck has no glossary yet. To make one, choose Make…"),
        _by_term,
        _terms,
    )


def _sections(view: RichView, items: Sequence[Item]) -> Iterator[Piece]:
    section = None
    for number, item in enumerate(items, 1):
        if _heading(item) != section:
            section = _heading(item)
            yield Piece(section, partial(_title, section))
        text = item.text.back
        html = partial(view.html_of, text, number=number, href=_href(item))
        yield Piece((item.item_id, text, number), html)


def _terms(view: RichView, items: Sequence[Item]) -> Iterator[Piece]:
    for item in items:
        look = item.item_id, item.text, item.state, item.edited, item.suspended
        yield Piece(look, partial(_term, view, item))


def _term(view: RichView, item: Item) -> str:
    place = html.escape(lesson_name(item.source.hit) or course_name(item.source.hit))
    noted = "".join(f" · {html.escape(mark)}" for mark in marks(item))
    return (
        f"{_title(item.text.front, 3)}{view.html_of(item.text.back)}"
        f'<p class="footer"><a href="{_href(item)}">{place}</a>{noted}</p>'
    )


def _by_section(items: Iterable[Item]) -> list[Item]:
    points = sorted(items, key=course_order)
    sections = {heading: at for at, heading in reversed(list(enumerate(map(_heading, points))))}
    return sorted(points, key=lambda point: sections[_heading(point)])


def _by_term(items: Iterable[Item]) -> list[Item]:
    collator = QCollator()
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    return sorted(items, key=lambda item: collator.sortKey(item.text.front))


def _heading(item: Item) -> str:
    return item.text.front or lesson_name(item.source.hit)


def _href(item: Item) -> str:
    return f"{_SCHEME}:{item.item_id}"


def _title(text: str, level: int = 2) -> str:
    return f'<p class="h{level}">{html.escape(text)}</p>'


def _words(item: Item) -> str:
    return f"{item.text.front}\n{item.text.back}".casefold()
