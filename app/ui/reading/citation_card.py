"""A card beside a citation: the cited sentence within its passage, and where that comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication, QHideEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.ui.markup.support_words import mark_words
from app.ui.widgets.building import Stretch, hbox, link_button, one_shot, scroll_area, shortcut, vbox
from app.ui.widgets.source_labels import course_name, lesson_name, place_name
from app.ui.widgets.text_labels import ClampedLabel, plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.domain.sources import Citation, Source
    from app.ui.markup.rich_text import FormulaPictures
    from app.ui.reading.passage_view import PassageView

_WIDTH, _MOST_HEIGHT = 440, 220  # pixels of the card, and of its passage
_EDGE, _PADDING, _GAP = 8, 12, 4
_LEAVE_MS = 250  # in which the mouse can go from the mark to the card


class CitationCard(QFrame):
    """Lies over the window until the mouse leaves it and the mark, or Escape is pressed."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.formulas: FormulaPictures | None = None
        self._theme, self._window = theme, window
        self._inside: QWidget | None = None
        self._passage: PassageView | None = None
        self._copied = ""
        self._before: QWidget | None = None  # had the focus before the card
        self._is_entered = False  # with the keyboard
        self._leave_soon = one_shot(self, _LEAVE_MS, self._hide_if_left)
        self._scroll_soon = one_shot(self, 0, self._show_sentence)
        self.setObjectName("citation-card")
        self.setProperty("panel", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        vbox(margins=(_PADDING, _PADDING, _PADDING, 8), parent=self)
        shortcut(Qt.Key.Key_Escape, self, self._close)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self.hide()

    @property
    def passage(self) -> PassageView:
        assert self._passage is not None
        return self._passage

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.hide()

    def show_mark(self, exchange: Exchange, n: int, end: int, at: QRect) -> None:
        """Show the citation of source ``n`` whose claim ends at ``end``, near a place on the screen."""
        source = next((one for one in exchange.sources if one.n == n), None)
        cited = [one for one in exchange.citations if (one.source_n, one.answer_end) == (n, end)]
        if source is None or not cited:
            self.hide()
            return
        self._leave_soon.stop()
        self._fill(source, cited, mark_words(exchange, n, end) if cited[0].support else "")
        self._place(at)
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.show()
        self.raise_()
        self._scroll_soon.start()

    def leave(self) -> None:
        """Disappear in a moment, unless the mouse or the keyboard goes to the card."""
        self._leave_soon.start()

    def enter(self) -> None:
        if self._passage is not None and self.isVisible():
            self._is_entered = True
            self._passage.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._copied)

    # ---- events ----

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._leave_soon.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.leave()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.hide()

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Disappear once the keyboard has gone elsewhere."""
        if self._is_entered and new is not None and not self.isAncestorOf(new):
            self.leave()

    def _close(self) -> None:
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self)
        self.hide()
        if had_focus and self._before is not None:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hide_if_left(self) -> None:
        focused = QApplication.focusWidget()
        is_read = self._is_entered and focused is not None and self.isAncestorOf(focused)
        if not (is_read or self.underMouse()):
            self._close()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._leave_soon.stop()
        self._is_entered = False

    # ---- what is shown ----

    def _fill(self, source: Source, cited: list[Citation], words: str) -> None:
        from app.domain.documents import becomes_markdown  # late: the window is painted sooner
        from app.ui.reading.passage_view import PassageView

        hit = source.hit
        if self._inside is not None:
            self._inside.hide()
            self._inside.deleteLater()
        self._inside = inside = QWidget(self)
        course, place = ClampedLabel(course_name(hit), 1, inside), ClampedLabel("", 6, inside)
        course.setProperty("role", "strong")
        place.setProperty("role", "caption")
        place.setText(" · ".join(part for part in (lesson_name(hit), place_name(hit)) if part))
        said = plain_label(words, "caption", inside)
        said.setVisible(bool(words))
        self._passage = passage = PassageView(
            hit.text, inside, is_markdown=becomes_markdown(hit.path), formulas=self.formulas
        )
        passage.edit.setAccessibleName(self.tr("Passage of source {0}").format(source.n))
        verified = [one for one in cited if one.verified]
        passage.set_highlights([(one.start - hit.start, one.end - hit.start) for one in verified])
        quoted = " ".join(source.text(one.start, one.end).strip() for one in verified) or hit.text.strip()
        origin = ", ".join(part for part in (course.text(), lesson_name(hit), place_name(hit)) if part)
        self._copied = f"{quoted}\n({origin})"
        self._scroll = scroll_area(passage)
        copy = link_button(self.tr("Copy"), self.copy, inside, small=True)
        copy.setToolTip(self.tr("Copy the sentence and where it comes from"))
        vbox(course, place, said, self._scroll, hbox(Stretch(), copy), spacing=6, parent=inside)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(inside)

    def _place(self, at: QRect) -> None:
        """Take the height that the passage needs, and a place below the mark or above it."""
        window, passage = self._window, self._passage
        if passage is None or self._inside is None:
            return
        width = min(scaled(_WIDTH), window.width() - 2 * _EDGE)
        inner = width - 2 * _PADDING
        passage.resize(inner, passage.height())
        passage.set_expanded(True)  # only now: hidden, it does not notice how wide it has become
        self._scroll.setFixedHeight(min(passage.height(), scaled(_MOST_HEIGHT)))
        layout = self._inside.layout()
        height = (layout.totalHeightForWidth(inner) if layout is not None else 0) + _PADDING + _EDGE
        top_left = window.mapFromGlobal(at.topLeft())
        below = top_left.y() + at.height() + _GAP
        fits = below + height + _EDGE <= window.height()
        y = below if fits else max(top_left.y() - height - _GAP, _EDGE)
        x = max(min(top_left.x() - _PADDING, window.width() - width - _EDGE), _EDGE)
        self.setGeometry(QRect(QPoint(x, y), QPoint(x + width - 1, y + height - 1)))

    def _show_sentence(self) -> None:
        place = self._passage.first_highlight() if self._passage is not None else None
        if place is not None:
            self._scroll.verticalScrollBar().setValue(place[0] - scaled(_MOST_HEIGHT) // 4)
