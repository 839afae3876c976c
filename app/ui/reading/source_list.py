"""The list of the passages an answer rests on, below the claims that were not found in them."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.domain.plain_text import harmless
from app.domain.sources import Citation, Claim, Source, SourceState, Support
from app.markup.markdown_blocks import FOOTNOTE
from app.ui.markup.support_words import claim_words, doubtful_claims
from app.ui.widgets.building import Cell, Stretch, hbox, icon_button, one_shot, scroll_area, stack, vbox
from app.ui.widgets.numbers import number_text
from app.ui.widgets.text_labels import IconLabel, WrappingButton, plain_label
from app.ui.widgets.theme import fix

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QShowEvent

    from app.domain.conversations import Exchange
    from app.domain.figures import FigurePicture
    from app.ui.markup.pictures import PictureLoader
    from app.ui.markup.rich_text import FormulaPictures
    from app.ui.reading.source_card import SourceCard

_MOST_CLAIMS = 12  # more would push the sources out of sight
_FOOTNOTE = re.compile(FOOTNOTE + ":?")
_MARKUP = re.compile(r"[*_`~#>|]+|!?\[([^\[\]\n]*)\]\([^()\n]*\)")


class ClaimList(QWidget):
    """Stands above the sources; hidden while no claim is doubtful."""

    claim_requested = Signal(int)  # where the claim ends in the answer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[str, tuple[Claim, ...]] = ("", ())
        self._rows = QWidget()
        self._heading = plain_label(self.tr("Not found in the sources"), "caption", wrap=False)
        self._heading.setContentsMargins(8, 4, 8, 0)
        self._place = vbox(self._rows)
        vbox(self._heading, self._place, margins=(0, 0, 0, 8), spacing=4, parent=self)
        self.hide()

    def set_claims(self, exchange: Exchange) -> None:
        claims = doubtful_claims(exchange.claims)
        self.setVisible(bool(claims))
        if self._shown == (exchange.answer, exchange.claims):
            return
        self._shown = (exchange.answer, exchange.claims)
        self._place.removeWidget(self._rows)
        self._rows.hide()
        self._rows.deleteLater()
        self._rows = QWidget(self)
        parts: list[QWidget] = []
        for claim in claims[:_MOST_CLAIMS]:
            parts += self._row(exchange, claim)
        if len(claims) > _MOST_CLAIMS:
            parts.append(_caption(self.tr("and %Ln more", "", len(claims) - _MOST_CLAIMS)))
        vbox(*parts, parent=self._rows)
        self._place.addWidget(self._rows)

    def tab_stops(self) -> tuple[QWidget, ...]:
        return tuple(self._rows.findChildren(WrappingButton))

    def _row(self, exchange: Exchange, claim: Claim) -> tuple[QWidget, ...]:
        text = _FOOTNOTE.sub("", exchange.answer[claim.answer_start : claim.answer_end])
        text = _MARKUP.sub(r"\1", harmless(text))
        button = WrappingButton(" ".join(text.split()))
        button.setProperty("kind", "flat")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(partial(self.claim_requested.emit, claim.answer_end))
        reason = claim_words(exchange, claim.answer_end)
        button.setAccessibleDescription(reason)
        says_more = claim.reason is not None or claim.support is not Support.NOT_FOUND  # than the heading
        return (button, _caption(reason)) if says_more else (button,)


def _caption(text: str) -> QWidget:
    label = plain_label(text, "caption")
    label.setContentsMargins(8, 0, 8, 4)
    return label


_HEADER_HEIGHT = 40
_MARGIN = 8
_CARDS_AT_ONCE, _CARDS_A_TURN = 3, 1
_MOST_TRIES = 3  # turns of the event loop in which layouts settle


class SourceList(QWidget):
    """The sources of one answer, one card each.

    While an answer is being written (``begin``, ``add_sources``, ``add_citation``) the cards keep the
    order in which the sources were found; ``show_exchange`` then puts the cited ones first.
    """

    close_requested = Signal()
    reading_requested = Signal(int)  # the number of the source to read in its lesson
    figure_requested = Signal(int, object)  # the number of a source, and the Figure to go to
    claim_requested = Signal(int, int)  # an exchange, and where a claim ends in its answer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.exchange_id: int | None = None  # of the answer whose sources are shown
        self.formulas: FormulaPictures | None = None  # of the cards made from now on
        self.pictures: PictureLoader | None = None  # likewise
        self._cards: dict[int, SourceCard] = {}
        self._order: list[int] = []  # the numbers of the sources as shown, those on their way included
        self._cited = 0  # how many of them stand under "Cited"
        self._citations: defaultdict[int, list[Citation]] = defaultdict(list)
        self._states: dict[int, SourceState] = {}
        self._figures: dict[int, FigurePicture] = {}
        self._waiting: deque[Source] = deque()
        self._current: SourceCard | None = None
        self._tries = 0
        self._wants_focus = False
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(260)
        self._count = plain_label("", "caption", wrap=False)
        hide, close = self.tr("Hide the sources"), self.close_requested.emit
        self._close = icon_button(hide, 16, close, icon="close", colour="text_muted")
        self._message = plain_label("", "muted")
        self._cited_heading = plain_label(self.tr("Cited"), "caption", wrap=False)
        self._other_heading = plain_label(self.tr("Also found"), "caption", wrap=False)
        self._claims = ClaimList(self)
        self._claims.claim_requested.connect(self._request_claim)
        self._column = vbox(self._cited_heading, self._other_heading, spacing=8)
        self._inside = QWidget()
        self._scroll = scroll_area(self._inside)
        self._lay_out()
        self._fill_soon = QTimer(self)
        self._fill_soon.setInterval(0)
        self._fill_soon.timeout.connect(lambda: self._fill(_CARDS_A_TURN))
        # A pane shown in this turn, or a card expanded in it, has its layout only in the next.
        self._reveal_soon = one_shot(self, 0, self._reveal)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self.clear()

    def clear(self) -> None:
        self.exchange_id = None
        self._drop_cards()
        self._show_message(self.tr("The sources of an answer appear here."))

    def begin(self, exchange_id: int) -> None:
        self.exchange_id = exchange_id
        self._drop_cards()
        self._show_message(self.tr("Looking for sources…"))

    def add_sources(self, sources: tuple[Source, ...]) -> None:
        new = [source for source in sources if source.n not in self._order]
        self._order += [source.n for source in new]
        self._build(new)

    def add_citation(self, citation: Citation) -> None:
        """Mark the cited sentence; no card moves."""
        self._citations[citation.source_n].append(citation)
        if card := self._cards.get(citation.source_n):
            card.set_citations(self._citations[citation.source_n])

    def show_exchange(self, exchange: Exchange) -> None:
        """Show the sources of a finished answer, the cited ones first.

        Expanded cards stay expanded if they already showed these sources.
        """
        here = {n: card.source for n, card in self._cards.items()}
        if exchange.id != self.exchange_id or here != {s.n: s for s in exchange.sources if s.n in here}:
            self._drop_cards()
        self.exchange_id = exchange.id
        self._waiting.clear()
        self._citations.clear()
        for citation in exchange.citations:
            self._citations[citation.source_n].append(citation)
        ordered = sorted(exchange.sources, key=lambda source: (source.n not in self._citations, source.n))
        self._order = [source.n for source in ordered]
        self._cited = sum(n in self._citations for n in self._order)
        for n, card in self._cards.items():
            card.set_citations(self._citations.get(n, ()))
        self._cited_heading.setVisible(self._cited > 0)
        self._other_heading.setVisible(0 < self._cited < len(ordered))
        self._claims.set_claims(exchange)
        self._build([source for source in ordered if source.n not in self._cards])
        if not ordered:
            self._show_message(self._without_sources(exchange))

    def _without_sources(self, exchange: Exchange) -> str:
        if exchange.answer:
            return self.tr("This answer doesn't use your courses.")
        return self.tr("There is no answer, and no passages were found.")

    def _request_claim(self, end: int) -> None:
        if self.exchange_id is not None:
            self.claim_requested.emit(self.exchange_id, end)

    def set_states(self, states: Mapping[int, SourceState]) -> None:
        self._states = dict(states)
        for n, card in self._cards.items():
            card.set_state(self._states.get(n, SourceState.CURRENT))

    def set_figures(self, figures: Mapping[int, FigurePicture]) -> None:
        """Show the figures of sources, by number; what is being read stays where it is."""
        self._figures = dict(figures)
        bar, cards = self._scroll.verticalScrollBar(), self._in_order()
        first = next((card for card in cards if card.geometry().bottom() > bar.value()), None)
        before = first.y() if first else 0
        for card in cards:
            if picture := self._figures.get(card.source.n):
                card.set_figure(picture)
        if figures and first:
            for part in (*cards, self._inside, self._scroll):  # gives the cards their places
                QApplication.sendEvent(part, QEvent(QEvent.Type.LayoutRequest))
            bar.setValue(bar.value() + first.y() - before)
            self._order_tabs()

    def activate(self, n: int) -> None:
        """Expand source ``n``, focus it, and scroll to its first cited sentence."""
        while n not in self._cards and self._waiting:
            self._fill(1)
        card = self._cards.get(n)
        if card is None:
            return
        card.set_expanded(True)
        self._make_current(card)
        self._wants_focus = True
        self._reveal_later()

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to a source activated while the pane was hidden."""
        super().showEvent(event)
        if self._current is not None:
            self._reveal_later()

    def _lay_out(self) -> None:
        title = plain_label(self.tr("Sources"), "lead", wrap=False)
        fix(title, height=_HEADER_HEIGHT)
        header = hbox(title, self._count, Stretch(), self._close, margins=(16, 0, 8, 0), spacing=8)
        for heading in (self._cited_heading, self._other_heading):
            heading.setContentsMargins(8, 4, 8, 0)
        vbox(self._claims, self._column, Stretch(), margins=(8, 0, 0, 8), parent=self._inside)
        # Always there: a bar that came with the fifth card would wrap every text anew.
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = self._scroll.verticalScrollBar()
        bar.setEnabled(False)
        bar.rangeChanged.connect(lambda _, most: bar.setEnabled(most > 0))
        self._message.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        page = QWidget()
        items = (Stretch(2), IconLabel(40, "sources"), self._message, Stretch(3))
        vbox(*items, margins=(24, 8, 24, 8), spacing=12, parent=page)
        self._pages = stack(page, self._scroll)
        vbox(header, Cell(self._pages, 1), parent=self)

    # ---- cards ----

    def _build(self, sources: list[Source]) -> None:
        """Make the first cards now and one more each turn: all at once would stall the window."""
        self._waiting.extend(sources)
        self._fill(_CARDS_AT_ONCE)
        if self._waiting:
            self._fill_soon.start()
        number = len(self._order)
        self._count.setText(number_text(number) if number else "")
        if number:
            self._pages.setCurrentWidget(self._scroll)

    def _fill(self, cards: int) -> None:
        from app.ui.reading.source_card import SourceCard  # late: the window is painted sooner

        for _ in range(min(cards, len(self._waiting))):
            source = self._waiting.popleft()
            card = SourceCard(source, self._scroll.widget(), self.formulas, self.pictures)
            card.step_requested.connect(self._step)
            card.reading_requested.connect(self.reading_requested)
            card.figure_requested.connect(self.figure_requested)
            card.set_state(self._states.get(source.n, SourceState.CURRENT))
            card.set_citations(self._citations.get(source.n, ()))
            if picture := self._figures.get(source.n):
                card.set_figure(picture)
            self._cards[source.n] = card
        self._arrange()
        if not self._waiting:
            self._fill_soon.stop()
            self._order_tabs()

    def _order_tabs(self) -> None:
        cards = (stop for card in self._in_order() for stop in card.tab_stops())
        for before, after in pairwise((self._close, *self._claims.tab_stops(), *cards)):
            QWidget.setTabOrder(before, after)

    def _arrange(self) -> None:
        """Move headings and cards to their places in the column."""
        cards = self._in_order()
        cited = sum(n in self._cards for n in self._order[: self._cited])
        column = [self._cited_heading, *cards[:cited], self._other_heading, *cards[cited:]]
        for at, widget in enumerate(column):
            if self._column.indexOf(widget) != at:
                self._column.removeWidget(widget)
                self._column.insertWidget(at, widget)

    def _in_order(self) -> list[SourceCard]:
        return [self._cards[n] for n in self._order if n in self._cards]

    def _drop_cards(self) -> None:
        for card in self._cards.values():
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        own = (self._cards, self._order, self._citations, self._states, self._figures, self._waiting)
        for collection in own:
            collection.clear()
        self._fill_soon.stop()
        self._claims.hide()
        self._cited = 0
        self._current = None
        for heading in (self._cited_heading, self._other_heading):
            heading.hide()

    def _make_current(self, card: SourceCard) -> None:
        if self._current is not None:
            self._current.set_current(False)
        self._current = card
        card.set_current(True)

    def _step(self, steps: int) -> None:
        cards = self._in_order()
        at = cards.index(self._current) + steps if self._current in cards else 0
        cards[min(max(at, 0), len(cards) - 1)].setFocus(Qt.FocusReason.TabFocusReason)
        self._reveal_later()

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Make the card that holds the focus the current one."""
        if new is None:
            return
        card = next((card for card in self._cards.values() if card is new or card.isAncestorOf(new)), None)
        if card is not None:
            self._make_current(card)
            if QApplication.mouseButtons() == Qt.MouseButton.NoButton:  # nothing moves under a click
                self._reveal_later()

    # ---- what is shown ----

    def _show_message(self, text: str) -> None:
        self._message.setText(text)
        self._count.setText("")
        self._pages.setCurrentIndex(0)

    def _reveal_later(self) -> None:
        self._tries = 0
        self._reveal_soon.start()

    def _reveal(self) -> None:
        """Scroll to the current card, or to its cited sentence if the card is taller than the pane."""
        card = self._current
        if card is None or not self.isVisible():
            return
        if self._wants_focus:  # only a visible widget can take the focus
            self._wants_focus = False
            card.setFocus(Qt.FocusReason.OtherFocusReason)
        bar, height = self._scroll.verticalScrollBar(), self._scroll.viewport().height()
        top, bottom = card.y() - _MARGIN, card.y() + card.height() + _MARGIN
        mark = card.first_highlight() if card.expanded else None
        if bottom - top <= height:
            wanted = min(max(bar.value(), bottom - height), top)
        elif mark is None or mark[1] + 2 * _MARGIN <= height:
            wanted = top
        else:
            wanted = card.y() + mark[0] - height // 4
        bar.setValue(wanted)
        # A card just expanded or shown may not have its height yet.
        if self._tries < _MOST_TRIES:
            self._tries += 1
            self._reveal_soon.start()
