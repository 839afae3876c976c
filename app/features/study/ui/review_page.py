"""The page that asks cards: question, answer, how well it was known, and the end of a session."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShowEvent, QTextCursor
from PySide6.QtWidgets import QCheckBox, QProgressBar, QPushButton, QWidget

from app.features.study.grading import Grade
from app.features.study.model.items import Deck, Item
from app.features.study.model.reviews import Rating
from app.features.study.ui.asking import AnswerPoints, answer_field
from app.features.study.ui.card_html import RichView, card_html, plain, short
from app.features.study.ui.controller import StudyController
from app.features.study.ui.pane import StudyPage
from app.features.study.ui.review_parts import DeckChoice, RatingBar, ReviewEnd, ReviewSession
from app.ui.widgets.accessibility import announce
from app.ui.widgets.bars import OfferBar
from app.ui.widgets.building import (
    Cell,
    FlowLayout,
    Stretch,
    hbox,
    link_button,
    one_shot,
    push_button,
    stack,
    vbox,
)
from app.ui.widgets.numbers import number_text
from app.ui.widgets.pane_keys import PaneKey, with_keys
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, is_large_text, scaled

_LARGER, _MARGIN = 130, 20  # percent of other text, and pixels around that of a card
_ABOVE = 48  # pixels of the question that stay in sight above an answer far below
_MORE = 20  # cards beyond the limits of a day
_TYPES = "study/type_answers"
_RECOUNT_MS = 1_500  # after the last review, before the decks are counted again


class ReviewPage(StudyPage):
    """Asks the cards of one deck or of all."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("Review")
        self.setWindowTitle(self.title)  # above its keys in the list of all
        jobs = study.jobs
        self._controller, self._pane, self._study = study, study.pane, jobs
        self.is_answered = False
        self._typed = ""
        self._leech: Item | None = None  # that the notice is about
        self.session = ReviewSession(jobs.workers, self)
        self.view = RichView(jobs.formulas)
        self.view.setAccessibleName(self.tr("Card"))
        jobs.formulas.came_late.connect(self.draw)
        self.decks = DeckChoice()
        self.decks.activated.connect(lambda _: self._ask())
        self.counts = plain_label("", "caption", wrap=False)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress of this session"))
        self.field = answer_field()
        self.points = AnswerPoints(jobs)
        self.notice = OfferBar()
        self.show_answer = push_button(self.tr("Show answer"), self.answer, "primary")
        self.show_answer.setToolTip(with_keys(self.tr("Show answer"), [QKeySequence(Qt.Key.Key_Space)]))
        self.ratings = RatingBar(self)
        self.types = QCheckBox(self.tr("Type answers"))
        self.types.setChecked(bool(study.memory.value(_TYPES, False, bool)))
        self.end = ReviewEnd()
        self.tools = self._make_tools()
        self._recount = one_shot(self, _RECOUNT_MS, self._count_decks)
        self._lay_out()
        self._connect()

    # ---- StudyPage ----

    def show_deck(self, deck: Deck | None) -> None:
        """List the decks; the session goes on with the one it began with, also once more is due there."""
        self.decks.set_decks(self._pane.decks)
        asked = (one for one in self._pane.decks if self.decks.deck_id in (None, one.deck_id))
        is_over = self.session.is_over and not self.notice.isVisible()  # and did not just fail
        if self.isVisible() and is_over and any(one.due for one in asked):
            self._ask()

    def begin(self, subject: object = None) -> None:
        """Ask the cards of a deck from now on; of all decks if it is None."""
        self.decks.choose(subject.deck_id if isinstance(subject, Deck) else None)
        self._ask()

    @property
    def _deck_ids(self) -> tuple[int, ...]:
        deck_id = self.decks.deck_id
        return () if deck_id is None else (deck_id,)

    def _ask(self) -> None:
        self.notice.hide()
        self.session.begin(self._deck_ids)

    def focus_first(self) -> None:
        target: QWidget = self.end if self._sides.currentIndex() else self.view
        if self.session.card is not None and self.types.isChecked() and not self.is_answered:
            target = self.field
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        large = theme if is_large_text() else theme.enlarged(_LARGER)
        self.view.set_theme(large)
        self.view.setStyleSheet(
            f"QTextBrowser {{ font-size: {large.body}px; border: 1px solid {theme.border_strong};"
            f" border-radius: {theme.radius}px; padding: 1px; }}"
            f"QTextBrowser:focus {{ border: 2px solid {theme.accent}; padding: 0; }}"
        )
        self.view.document().setDocumentMargin(_MARGIN // 4 if is_large_text() else _MARGIN)
        self.draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin, or go on: time has passed, and cards may have been changed elsewhere."""
        super().showEvent(event)
        if event.spontaneous() or self.is_answered:
            return
        if self.session.turn is None or self.session.is_over:
            self.begin()
        else:
            self.session.refresh()

    # ---- building ----

    def _lay_out(self) -> None:
        self.buttons = stack(self.show_answer, self.ratings)
        tools = FlowLayout(4, *self.tools.values(), self.types)
        head = QWidget()
        vbox(hbox(self.counts, Stretch(), self.decks, spacing=12), self.bar, spacing=8, parent=head)
        below = vbox(self.field, self.points, self.buttons, tools, spacing=8)
        asking = QWidget()
        vbox(head, self.notice, Cell(self.view, 1), below, spacing=8, parent=asking)
        self._sides = self.lay_out(asking, self.end)

    def _make_tools(self) -> dict[str, QPushButton]:
        """Return the small buttons below a card; each has a key."""
        PaneKey(self, QKeySequence.StandardKey.Undo, self.session.undo)
        return {
            "undo": self._tool(self.tr("Undo"), ("Z",), self.session.undo),
            "edit": self._tool(self.tr("Edit"), ("E",), self._edit),
            "bury": self._tool(self.tr("Not today"), ("B", "-"), self.session.bury),
            "suspend": self._tool(self.tr("Suspend"), ("S",), self.session.suspend),
            "source": self._tool(self.tr("Open source"), ("O",), self._open_source),
        }

    def _tool(self, name: str, keys: tuple[str, ...], act: Callable[[], object]) -> QPushButton:
        button = link_button(name, act, small=True)
        key = PaneKey(self, keys, act, text=name, is_plain=True)
        button.setToolTip(with_keys(name, key.keys()))
        return button

    def _connect(self) -> None:
        session = self.session
        session.changed.connect(self._show_card)
        session.leech_found.connect(self._tell_leech)
        session.failed.connect(self._tell_failure)
        for pane in (self, self.view):  # the view would scroll
            PaneKey(pane, ("Space", "Return", "Enter"), self._press)
        for rating in Rating:  # the list would look for a point that begins so
            PaneKey(self.points.list, str(int(rating)), partial(self.rate, rating), is_plain=True)
        self.ratings.rated.connect(self.rate)
        self.points.changed.connect(self._suggest)
        self.types.toggled.connect(self._choose_typing)
        self.notice.accepted.connect(self._follow_notice)
        self.end.more_requested.connect(lambda: session.begin(self._deck_ids, _MORE))
        self.end.undo_requested.connect(session.undo)
        self.end.progress.clicked.connect(lambda: self._pane.show_page("progress"))

    # ---- what is asked of it ----

    def answer(self) -> None:
        """Show the answer, and how what was typed differs from it."""
        if self.session.card is None or self.is_answered:
            return
        item = self.session.card.item
        self.is_answered = True
        self._typed = self.field.text().strip() if self.types.isChecked() else ""
        if self._typed:
            self.points.check(item, self._typed)
        self.draw()
        self._show_buttons()
        self.view.setFocus()
        said = plain(item, is_answered=True)
        if self._typed and not self.points.is_grading:
            right = self.tr("Your answer is right."), self.tr("Your answer differs.")
            said = f"{right[not self.points.is_right]} {said}"
        announce(self.view, said)

    def _suggest(self, grade: Grade) -> None:
        """Offer the rating that fits; the keyboard stays in the list of points."""
        self.ratings.suggest(grade.suggested, takes_keys=not self.points.list.hasFocus())

    def rate(self, rating: Rating) -> None:
        """Rate the card on show; ignored until its answer has been seen."""
        if self.is_answered:
            self.notice.hide()
            self.session.rate(rating)

    def _press(self) -> None:
        """Do what Space and Enter mean: press the button that has the keyboard, or show the answer."""
        focus = self.focusWidget()
        if isinstance(focus, QPushButton) and focus.hasFocus():
            focus.click()
        else:
            self.answer()

    def _choose_typing(self, on: bool) -> None:
        self._controller.memory.setValue(_TYPES, on)
        self._show_buttons()
        self.focus_first()

    def _open_source(self) -> None:
        if self.session.card is not None:
            self._controller.show_source(self.session.card.item)
            self.focus_first()  # the session goes on beside it

    def _edit(self) -> None:
        # Imported late, as the page itself.
        from app.features.study.ui.items_list import EditDialog

        if self.session.card is None:
            return
        item = self.session.card.item
        dialog = EditDialog(item, self)
        dialog.accepted.connect(
            lambda: self._study.edit(item.item_id, dialog.text).run(self, success=self._show_edited)
        )
        dialog.finished.connect(self.focus_first)
        dialog.open()

    def _show_edited(self, item: Item | None) -> None:
        if item is not None:
            self.session.replace(item)
            self.draw()

    # ---- what is shown ----

    def _show_card(self) -> None:
        card = self.session.card
        self.is_answered, self._typed = False, ""
        self.points.clear()
        self.ratings.suggest(None)
        self.field.clear()
        if self.isVisible():
            self._controller.leave_source()  # it may give away the next answer
        if card is None:
            self._show_end()
            return
        self._sides.setCurrentIndex(0)
        self.draw()
        self._show_counts()
        self._show_buttons()
        self.ratings.show_times(card.seconds)
        if self.isVisible() and self.window().isActiveWindow():
            self.focus_first()
        card_html(self.view, card.item, is_answered=True)  # so that its formulas are set meanwhile
        announce(self.view, plain(card.item, is_answered=False))

    def draw(self) -> None:
        if (card := self.session.card) is None:
            return
        question = card_html(self.view, card.item)
        self.view.show_html(question)
        if self.is_answered:
            above = self.view.document().characterCount() - 1
            typed = self.points.html() if self._typed else ""
            self.view.show_html(card_html(self.view, card.item, is_answered=True, typed=typed))
            self._scroll_to(above)

    def _scroll_to(self, position: int) -> None:
        """Bring the answer into view, which is below the paragraph at a position."""
        cursor, bar = QTextCursor(self.view.document()), self.view.verticalScrollBar()
        cursor.setPosition(min(position, self.view.document().characterCount() - 1))
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        top = self.view.cursorRect(cursor).top()
        height = self.view.viewport().height()
        if top > height // 2:
            bar.setValue(bar.value() + top - min(scaled(_ABOVE), height // 3))

    def _show_buttons(self) -> None:
        self.field.setVisible(self.types.isChecked() and not self.is_answered)
        self.buttons.setCurrentWidget(self.ratings if self.is_answered else self.show_answer)

    def _show_counts(self) -> None:
        turn, done = self.session.turn, self.session.reviewed
        if turn is None:
            return
        left = turn.left
        self.counts.setText(
            self.tr("{new} new · {learning} learning · {review} due").format(
                new=number_text(left.new),
                learning=number_text(left.learning),
                review=number_text(left.review),
            )
        )
        self.bar.setRange(0, max(done + left.total, 1))
        self.bar.setValue(done)
        self.tools["undo"].setEnabled(self.session.can_undo)
        self._recount.start()

    def _count_decks(self) -> None:
        self._study.list_decks().run(self, failure=lambda _: None)  # the session says what fails

    def _show_end(self) -> None:
        turn = self.session.turn
        if turn is not None:
            has_cards = any(deck.items for deck in self._pane.decks)
            self.end.show_turn(turn, self.session.reviewed, has_cards=has_cards)
            self._sides.setCurrentIndex(1)
            self._show_counts()
            if self.isVisible():
                self.focus_first()

    def _tell_leech(self, item: Item) -> None:
        self._leech = item
        text = self.tr("You keep forgetting “{0}”.")
        self.notice.offer(text.format(short(item).rstrip(".")), self.tr("Suspend"))

    def _tell_failure(self, sentence: str) -> None:
        self._leech = None
        self.notice.offer(sentence, self.tr("Try again"))

    def _follow_notice(self) -> None:
        if self._leech is not None:
            self.session.suspend(self._leech.item_id)
        else:
            self.session.refresh()
