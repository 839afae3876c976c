"""One source of an answer as a card."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.ui.sources.passage_view import PassageView
from app.ui.widgets.building import Cell, Stretch, hbox, link_button, vbox
from app.ui.widgets.links import is_web_link
from app.ui.widgets.source_labels import anchor_name, lesson_name, state_words
from app.ui.widgets.text_labels import ClampedLabel, plain_label, plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.sources import Citation, Source, SourceState
    from app.ui.widgets.theme import Theme

_RADIUS = 8
_COLLAPSED_LINES, _EXPANDED_LINES = 2, 20  # of a title
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class NumberBadge(QWidget):
    """The number of a source; filled if the answer cites it."""

    def __init__(self, number: int, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = str(number)
        self._cited = False
        self._theme = theme
        self.setFixedSize(max(22, self.fontMetrics().horizontalAdvance(self._text) + 10), 22)

    def set_look(self, theme: Theme, cited: bool) -> None:
        self._theme, self._cited = theme, cited
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent if self._cited else self._theme.surface_alt))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        font = self.font()
        font.setPixelSize(self._theme.caption)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.accent_text if self._cited else self._theme.text_muted))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)


class SourceCard(QWidget):
    """A passage with its origin and the sentences of it that are cited.

    Signals:
        link_activated: the http(s) address of the lesson.
        reading_requested: read the source in its lesson.
        step_requested: move to the card before (-1) or after (+1) this one, to the first (-1000) or to
            the last (+1000).
    """

    link_activated = Signal(str)
    reading_requested = Signal()
    step_requested = Signal(int)

    def __init__(self, source: Source, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = source
        self._theme = theme
        self._citations: list[Citation] = []
        self._current = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

        # Each part has its parent from the start: made visible without one, it would be a window.
        hit = source.hit
        self._number = NumberBadge(source.n, theme, self)
        self._title = ClampedLabel(hit.course_title, _COLLAPSED_LINES, self)
        self._title.setProperty("role", "strong")
        self._place = ClampedLabel(self._place_text(), _COLLAPSED_LINES, self)
        self._place.setProperty("role", "caption")
        self._place.setVisible(bool(self._place.text()))
        self._warning_icon = QLabel(self)
        self._warning = self._make_warning()
        self._state = plain_label("", "badge", self, wrap=False)
        self._state.hide()
        self.passage = PassageView(hit.text, theme, self)
        self.passage.edit.setAccessibleName(self.tr("Passage of source {0}").format(source.n))
        self.passage.collapsible_changed.connect(self._show_toggle)
        self._toggle = link_button("", lambda: self.set_expanded(not self.expanded), self)
        self._toggle.setIconSize(QSize(14, 14))
        self._read = link_button(self.tr("Read in lesson"), self.reading_requested.emit, self)
        self._open = self._make_open_button(hit.link) if is_web_link(hit.link) else None
        self._lay_out()
        self.set_theme(theme)
        self._show_citations()

    @property
    def cited(self) -> bool:
        """Whether the answer has a verified citation of this source."""
        return any(one.verified for one in self._citations)

    @property
    def unverified(self) -> bool:
        """Whether a citation of this source failed verification."""
        return any(not one.verified for one in self._citations)

    @property
    def expanded(self) -> bool:
        return self.passage.expanded

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.passage.set_theme(theme)
        self._number.set_look(theme, self.cited)
        if self._open is not None:
            self._open.setIcon(theme.icon("external-link", theme.accent))
        self._warning_icon.setPixmap(theme.pixmap("warning", 14, theme.warning, self.devicePixelRatioF()))
        self._show_toggle()
        self.update()

    def set_citations(self, citations: Iterable[Citation]) -> None:
        """Mark the verified sentences; show a warning if one failed verification."""
        self._citations = list(citations)
        self._show_citations()

    def set_state(self, state: SourceState) -> None:
        """Show a badge if the file has changed or gone."""
        text, tip = state_words(state)
        self._state.setText(text)
        self._state.setToolTip(tip)
        self._state.setVisible(bool(text))
        self._show_citations()

    def set_expanded(self, expanded: bool) -> None:
        self.passage.set_expanded(expanded)
        for label in (self._title, self._place):
            label.set_max_lines(_EXPANDED_LINES if expanded else _COLLAPSED_LINES)
        self._show_toggle()

    def set_current(self, current: bool) -> None:
        self._current = current
        self.update()

    def tab_stops(self) -> tuple[QWidget, ...]:
        return (self, self._toggle, self._read, *([self._open] if self._open else []))

    def first_highlight(self) -> tuple[int, int] | None:
        """Return top and bottom of the first cited sentence in the card, in pixels."""
        span = self.passage.first_highlight()
        return None if span is None else (self.passage.y() + span[0], self.passage.y() + span[1])

    # ---- events ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Read on Enter, expand on Space, copy on Ctrl+C, move on Up, Down, Home and End."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.reading_requested.emit()
        elif key == Qt.Key.Key_Space:
            if self.passage.collapsible:
                self.set_expanded(not self.expanded)
        elif key in _STEPS:
            self.step_requested.emit(_STEPS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.step_requested.emit(-1000 if key == Qt.Key.Key_Home else 1000)
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.source.hit.text.strip())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ringed = self._current or self.hasFocus()
        width = 2.0 if self.hasFocus() else 1.0
        painter.setPen(QPen(QColor(self._theme.accent if ringed else self._theme.border), width))
        painter.setBrush(QColor(self._theme.surface))
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS)

    # ---- internals ----

    def _lay_out(self) -> None:
        top, left = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignLeft
        names = vbox(self._title, self._place, spacing=2)
        foot = hbox(self._read, Stretch(), *([self._open] if self._open else []), spacing=8)
        vbox(
            hbox(Cell(self._number, 0, top), Cell(names, 1), spacing=8),
            self._warning,
            Cell(self._state, 0, left),
            self.passage,
            Cell(self._toggle, 0, left),
            foot,
            margins=(12, 12, 12, 8),
            spacing=8,
            parent=self,
        )

    def _make_open_button(self, link: str | None) -> QPushButton:
        address = (link or "").strip()
        clicked = partial(self.link_activated.emit, address)
        button = link_button(self.tr("Open lesson"), clicked, self, leads_out=True)
        button.setToolTip(plain_tool_tip(address))
        return button

    def _make_warning(self) -> QWidget:
        warning = QWidget(self)
        text = plain_label(self.tr("A quotation could not be verified"), "warning-caption")
        hbox(Cell(self._warning_icon, 0, Qt.AlignmentFlag.AlignTop), Cell(text, 1), spacing=6, parent=warning)
        warning.setToolTip(self.tr("The answer quotes something that is not in this passage."))
        return warning

    def _show_citations(self) -> None:
        start = self.source.hit.start
        self.passage.set_highlights([(c.start - start, c.end - start) for c in self._citations if c.verified])
        self._number.set_look(self._theme, self.cited)
        self._warning.setVisible(self.unverified)
        name = self.tr("Source {0}: {1}").format(self.source.n, self.source.hit.course_title)
        state = [self.tr("cited")] if self.cited else []
        if self._state.text():
            state.append(self._state.text())
        if self.unverified:
            state.append(self.tr("a quotation could not be verified"))
        self.setAccessibleName(", ".join(part for part in [name, self._place.text(), *state] if part))
        self.setAccessibleDescription(self.source.hit.text.strip())

    def _show_toggle(self) -> None:
        self._toggle.setVisible(self.passage.collapsible)
        self._toggle.setText(self.tr("Show less") if self.expanded else self.tr("Show all"))
        icon = "chevron-up" if self.expanded else "chevron-down"
        self._toggle.setIcon(self._theme.icon(icon, self._theme.accent))

    def _place_text(self) -> str:
        hit = self.source.hit
        anchor = anchor_name(hit.anchor) if hit.anchor else ""
        if anchor == hit.lesson_title:
            anchor = ""  # the lesson is named after its heading
        return " · ".join(part for part in (lesson_name(hit), anchor) if part)
