"""The decks with what is due in each, and how well a deck is known; both are lists of rows with bars."""

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QApplication, QListView, QStyleOptionViewItem, QWidget

from app.domain.plain_text import harmless
from app.features.study.model.items import Deck
from app.features.study.model.reviews import Progress, Tally, day_of
from app.features.study.ui.controller import StudyController
from app.features.study.ui.pane import StudyPage
from app.ui.widgets.building import Cell, Stretch, hbox, push_button, set_look, vbox
from app.ui.widgets.numbers import number_text
from app.ui.widgets.row_delegate import Index, RowDelegate
from app.ui.widgets.source_labels import numbered_lesson
from app.ui.widgets.text_labels import plain_label, plain_tool_tip
from app.ui.widgets.theme import Theme, scaled

_BAR = Qt.ItemDataRole.UserRole + 1
_HEIGHT = 8  # of a bar, in pixels
_THINNEST = 2.0


class Bar(NamedTuple):
    """A row: a name, a few words at its end, and a bar filled, then hatched, up to shares of its width.

    Without a bar, the name is bold.
    """

    name: str
    words: str
    filled: float | None = None
    hatched: float = 0.0


class BarList(QListView):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._rows = QStandardItemModel(self)
        self.setAccessibleName(name)
        self.setModel(self._rows)
        self.setItemDelegate(_Delegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)

    def show_rows(self, rows: Iterable[Bar]) -> None:
        self._rows.clear()
        for bar in rows:
            name = harmless(bar.name)
            item = QStandardItem(name)
            item.setData(bar, _BAR)
            spoken = f"{name}: {bar.words}" if bar.words else name
            item.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(plain_tool_tip(name))
            self._rows.appendRow(item)

    @property
    def texts(self) -> list[str]:
        rows = range(self._rows.rowCount())
        return [self._rows.item(at).data(Qt.ItemDataRole.AccessibleTextRole) for at in rows]


class _Delegate(RowDelegate):
    height = 44

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, scaled(self.height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index)
        bar: Bar = index.data(_BAR)
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        painter.save()
        if bar.filled is None:
            self.paint_at_right(painter, area, option.font, bar.words, area.width() * 2 // 3)
            self.paint_name(painter, area, bold, index.data())
        else:
            line = QRect(area.left(), area.top() + 4, area.width(), QFontMetrics(option.font).height())
            below = QRectF(area.left(), line.bottom() + 4, area.width(), scaled(_HEIGHT))
            self.paint_at_right(painter, line, option.font, bar.words)
            self.paint_name(painter, line, option.font, index.data())
            _paint_bar(painter, below, bar.filled, bar.hatched)
        painter.restore()


def _paint_bar(painter: QPainter, ground: QRectF, filled: float, hatched: float) -> None:
    theme = Theme.current()
    accent = QColor(theme.accent)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.surface_alt))
    painter.drawRoundedRect(ground, 2, 2)
    parts = (0.0, filled, QBrush(accent)), (filled, hatched, QBrush(accent, Qt.BrushStyle.BDiagPattern))
    for start, end, brush in parts:
        if end > start:
            width = max((end - start) * ground.width() - 1, _THINNEST)
            left = ground.left() + start * ground.width()
            if QApplication.isRightToLeft():
                left = ground.right() - start * ground.width() - width
            painter.fillRect(QRectF(left, ground.top(), width, ground.height()), brush)


_WIDTH = 640


class OverviewPage(StudyPage):
    """Lists the decks of a pane; offers to review what is due, or to make the first material."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self._pane = study.pane
        self.title = self.tr("Decks")
        self._lead = plain_label("", "title")
        self._hint = plain_label("", "muted")
        self.review = push_button("", study.review, "primary")
        self.make = push_button(self.tr("Make study material…"), study.make)
        self.list = _DeckList()
        self.list.opened.connect(lambda deck: study.show_page("items", deck.course_title))
        column = QWidget()
        buttons = hbox(self.review, self.make, Stretch(), spacing=8)
        parts = self._lead, self._hint, 4, buttons, 8, Cell(self.list, 1), Stretch(0)
        vbox(*parts, parent=column, spacing=8)
        self.lay_out(column, width=_WIDTH)

    def show_deck(self, deck: Deck | None) -> None:
        decks = self._pane.decks
        due = sum(one.due for one in decks)
        self.list.set_decks(decks, deck)
        self.list.setVisible(bool(decks))
        self.review.setVisible(bool(decks))
        self.review.setEnabled(due > 0)
        self.review.setText(self.tr("Review %Ln due", None, due))
        self.make.setVisible(bool(self._pane.courses))
        set_look(self.make, "kind", "" if decks else "primary")
        self._lead.setText(self._lead_text(len(decks), due))
        self._hint.setText("" if decks else self._first_hint())
        self._hint.setVisible(not decks)

    def _lead_text(self, decks: int, due: int) -> str:
        if not decks:
            return self.tr("Learn what your courses teach")
        return self.tr("%Ln card(s) due today", None, due) if due else self.tr("Nothing is due today")

    def _first_hint(self) -> str:
        if not self._pane.courses:
            return self.tr("Study material is made from your own courses. Add one first.")
        if self._pane.has_model:
            return self.tr(
                "A model makes cards, a quiz, a glossary or a study guide from your courses. "
                "Each of them rests on a sentence that Lectern has checked."
            )
        return self.tr(
            "Without a model, Lectern makes gap texts and a glossary from the terms that a course marks, as "
            "in bold. They are marked as automatic. Connect a model for questions and a study guide."
        )

    def focus_first(self) -> None:
        buttons = (self.review, self.list, self.make)
        usable = (one for one in buttons if one.isEnabled() and not one.isHidden())
        next(usable, self).setFocus(Qt.FocusReason.TabFocusReason)


class _DeckList(BarList):
    """A row for each deck; Enter or a click opens it."""

    opened = Signal(object)  # a Deck

    def __init__(self) -> None:
        super().__init__(QCoreApplication.translate("OverviewPage", "Decks"))
        self._decks: tuple[Deck, ...] = ()
        self.clicked.connect(self._open)

    def set_decks(self, decks: tuple[Deck, ...], current: Deck | None) -> None:
        """Show the decks as they are now; the keyboard stays on its deck."""
        bar, row = self.verticalScrollBar(), self.currentIndex().row()
        chosen, height = (self._decks[row] if row >= 0 and self.hasFocus() else current), bar.value()
        self._decks = decks
        self.show_rows(Bar(deck.course_title, counts_text(deck)) for deck in decks)
        uids = [deck.uid for deck in decks]
        if chosen is not None and chosen.uid in uids:
            self.setCurrentIndex(self.model().index(uids.index(chosen.uid), 0))
        self.doItemsLayout()
        bar.setValue(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self._decks[index.row()])


def counts_text(deck: Deck) -> str:
    """Return what a deck holds, such as ``40 items, 12 due (3 new)``."""
    parts = [tr("%Ln item(s)", None, deck.items)]
    if deck.due:
        parts.append(tr("%Ln due", None, deck.due))
    if deck.new:  # of those that are due
        parts[-1] += f" ({tr('%Ln new', None, deck.new)})"
    return ", ".join(parts)


tr = partial(QCoreApplication.translate, "ProgressPage")


class ProgressPage(StudyPage):
    chooses_deck = True

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("Progress")
        self._study = study.jobs
        self._deck_id: int | None = None
        self.summary = plain_label("", "lead")
        self.retention = plain_label("", "muted")
        self.list = BarList(self.title)
        legend = self.tr(
            "Filled: known, due again in three weeks or later. Hatched: being learned. Empty: new."
        )
        self._empty = plain_label("", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        content = QWidget()
        parts = self.summary, self.retention, 8, Cell(self.list, 1), plain_label(legend, "caption")
        vbox(*parts, spacing=4, parent=content)
        self._sides = self.lay_out(self._empty, content)

    def show_deck(self, deck: Deck | None) -> None:
        if deck is None:
            self._show_empty()
            return
        self._deck_id = deck.deck_id
        key = deck.deck_id
        reading = self._study.read("Reading the progress", lambda study: study.reviews.progress(key))
        reading.run(self, success=partial(self._show, key))

    def focus_first(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- internals ----

    def _show_empty(self) -> None:
        self._empty.setText(self.tr("Nothing to show yet: this deck has no cards."))
        self._sides.setCurrentIndex(0)

    def _show(self, deck_id: int, progress: Progress) -> None:
        if deck_id != self._deck_id:
            return
        if not progress.total.items:
            self._show_empty()
            return
        self._sides.setCurrentIndex(1)
        self._show_words(progress)
        rows = [Bar(self.tr("Lessons"), ""), *map(_lesson_bar, progress.lessons)]
        rows.append(Bar(self.tr("Due in the next 30 days"), self._due_text(progress)))
        rows += _day_bars(progress.forecast, 0)
        rows.append(Bar(self.tr("Reviews in the last 30 days"), self._done_text(progress)))
        rows += reversed(_day_bars(progress.reviews, 1 - len(progress.reviews)))
        self.list.show_rows(rows)

    def _show_words(self, progress: Progress) -> None:
        parts = {
            "known": number_text(progress.total.known),
            "learning": number_text(progress.total.items - progress.total.known - progress.total.new),
            "new": number_text(progress.total.new),
        }
        cards = self.tr(
            "%Ln card(s): {known} known, {learning} being learned, {new} new", None, progress.total.items
        )
        self.summary.setText(cards.format(**parts))
        sentences = [self.tr("You reviewed no card that you had learned before in the last 30 days.")]
        if progress.total.retention is not None:
            recalled = self.tr("You recalled {0} of the cards you had learned, in the last 30 days.")
            sentences = [recalled.format(_percent(progress.total.retention))]
        if progress.total.suspended:
            sentences.append(self.tr("%Ln card(s) suspended.", None, progress.total.suspended))
        if progress.leeches:
            sentences.append(self.tr("%Ln card(s) forgotten again and again.", None, progress.leeches))
        self.retention.setText(" ".join(sentences))

    def _due_text(self, progress: Progress) -> str:
        totals = self.tr("%Ln review(s), {today} of them today.", None, sum(progress.forecast))
        none = self.tr("Nothing is due.")
        due = totals.format(today=number_text(progress.forecast[0])) if any(progress.forecast) else none
        new = self.tr("%Ln new card(s) not counted.", None, progress.total.new) if progress.total.new else ""
        return f"{due} {new}".strip()

    def _done_text(self, progress: Progress) -> str:
        totals = self.tr("%Ln review(s), {today} of them today.", None, sum(progress.reviews))
        none = self.tr("No reviews yet.")
        return totals.format(today=number_text(progress.reviews[-1])) if any(progress.reviews) else none


def _day_bars(counts: Sequence[int], first: int) -> list[Bar]:
    """Return a bar for each day of study that has something; the first is counted from today."""
    now, form = day_of(time.time()), QLocale.FormatType.ShortFormat
    today = QDate(now.year, now.month, now.day)
    return [
        Bar(QLocale().toString(today.addDays(day), form), number_text(count), count / max(counts))
        for day, count in enumerate(counts, first)
        if count
    ]


def _lesson_bar(lesson: Tally) -> Bar:
    learning = lesson.items - lesson.known - lesson.new
    words = tr("{known} known, {learning} learning, {new} new").format(
        known=number_text(lesson.known), learning=number_text(learning), new=number_text(lesson.new)
    )
    if lesson.retention is not None:
        words += ", " + tr("{0} recalled").format(_percent(lesson.retention))
    known, begun = lesson.known / lesson.items, (lesson.known + learning) / lesson.items
    name = numbered_lesson(lesson.number, lesson.title) or lesson.course_title
    return Bar(name, words, known, begun)


def _percent(share: float) -> str:
    return tr("{0}%").format(number_text(round(share * 100)))
