"""One source of an answer as a card."""

from __future__ import annotations

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
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.domain.sources import SourceState
from app.ui.sources.passage_view import PassageView
from app.ui.widgets.links import is_web_link
from app.ui.widgets.source_labels import anchor_name, lesson_name, state_words
from app.ui.widgets.text_labels import ClampedLabel, plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.sources import Citation, Source
    from app.ui.shell.theme import Theme

_RADIUS = 8
# Of a title; even an expanded card ends somewhere.
_COLLAPSED_LINES, _EXPANDED_LINES = 2, 20
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class NumberBadge(QWidget):
    """The number of a source; filled when the answer cites it."""

    def __init__(self, number: int, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = str(number)
        self._cited = False
        self._theme = theme
        self.setFixedSize(max(22, self.fontMetrics().horizontalAdvance(self._text) + 10), 22)

    def set_look(self, theme: Theme, cited: bool) -> None:
        """Paint in the colours of ``theme``, strong when ``cited``."""
        self._theme, self._cited = theme, cited
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the number on its ground."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent if self._cited else self._theme.surface_alt))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        font = self.font()
        font.setPixelSize(self._theme.type.caption)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.accent_text if self._cited else self._theme.text_muted))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)


class SourceCard(QWidget):
    """A passage with where it comes from; keeps which of its sentences are cited.

    Signals:
        link_activated: the http(s) address of the lesson.
        reading_requested: the source is to be read in its lesson.
        step_requested: the keyboard asks for the card before (-1) or after (+1) this one, or for the
            first (-1000) or last (+1000).
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
        self._state = SourceState.CURRENT
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

        # All have their parent from the start: what is made visible without one is a window.
        hit = source.hit
        self.badge = NumberBadge(source.n, theme, self)
        self._title = ClampedLabel(hit.course_title, _COLLAPSED_LINES, self)
        self._title.setProperty("role", "strong")
        self._place = ClampedLabel(self._place_text(), _COLLAPSED_LINES, self)
        self._place.setProperty("role", "caption")
        self._place.setVisible(bool(self._place.text()))
        self._badge = QLabel(self)
        self._badge.setProperty("role", "badge")
        self._badge.hide()
        self._warning: QWidget | None = None
        self.passage = PassageView(hit.text, theme, self)
        self.passage.edit.setAccessibleName(self.tr("Passage of source {0}").format(source.n))
        self.passage.collapsible_changed.connect(self._show_toggle)
        self._toggle = QPushButton(self)
        self._toggle.setProperty("kind", "link")
        self._toggle.setIconSize(QSize(14, 14))
        self._toggle.clicked.connect(lambda: self.set_expanded(not self.expanded))
        self._read = QPushButton(self.tr("Read in lesson"), self)
        self._read.setProperty("kind", "link")
        self._read.clicked.connect(lambda: self.reading_requested.emit())
        self._open = self._make_open_button(hit.link) if is_web_link(hit.link) else None
        self._lay_out()
        self.set_theme(theme)
        self._show_citations()

    @property
    def cited(self) -> bool:
        """Whether the answer rests on this source by a citation that holds."""
        return any(one.verified for one in self._citations)

    @property
    def unverified(self) -> bool:
        """Whether a citation of this source failed its check."""
        return any(not one.verified for one in self._citations)

    @property
    def expanded(self) -> bool:
        """Whether the whole passage is shown."""
        return self.passage.expanded

    def set_theme(self, theme: Theme) -> None:
        """Paint in the colours of ``theme``."""
        self._theme = theme
        self.passage.set_theme(theme)
        self.badge.set_look(theme, self.cited)
        if self._open is not None:
            self._open.setIcon(theme.tinted_icon("external-link", theme.accent))
        if self._warning is not None:
            self._warning.hide()
            self._warning.deleteLater()
            self._warning = None
            self._show_citations()
        self._show_toggle()
        self.update()

    def set_citations(self, citations: Iterable[Citation]) -> None:
        """Mark the sentences that hold, and say so if one does not."""
        self._citations = list(citations)
        self._show_citations()

    def add_citation(self, citation: Citation) -> None:
        """Take one more citation of this source."""
        self._citations.append(citation)
        self._show_citations()

    def set_state(self, state: SourceState) -> None:
        """Say so where the library no longer holds what is shown."""
        self._state = state
        text, tip = state_words(state)
        self._badge.setText(text)
        self._badge.setToolTip(tip)
        self._badge.setVisible(bool(text))
        self._show_citations()

    def set_expanded(self, expanded: bool) -> None:
        """Show the whole passage, or its first lines."""
        self.passage.set_expanded(expanded)
        for label in (self._title, self._place):
            label.set_max_lines(_EXPANDED_LINES if expanded else _COLLAPSED_LINES)
        self._show_toggle()

    def set_current(self, current: bool) -> None:
        """Give the card the ring of the one looked at."""
        self._current = current
        self.update()

    def tab_stops(self) -> tuple[QWidget, ...]:
        """Return what the Tab key goes through, in order."""
        return (self, self._toggle, self._read, *([self._open] if self._open else []))

    def first_highlight(self) -> tuple[int, int] | None:
        """Return top and bottom of the first cited sentence in the card, in pixels."""
        span = self.passage.first_highlight()
        return None if span is None else (self.passage.y() + span[0], self.passage.y() + span[1])

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Read on Enter, expand on Space, copy on Ctrl+C, go to others by Up, Down, Home, End."""
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
        """Take the focus; a click is not passed on to what lies below."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gain the strong ring."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Lose the strong ring."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground and its edge: hairline, ring of the current card, or strong ring of the focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ringed = self._current or self.hasFocus()
        width = 2.0 if self.hasFocus() else 1.0
        painter.setPen(QPen(QColor(self._theme.accent if ringed else self._theme.border), width))
        painter.setBrush(QColor(self._theme.surface))
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS)

    # Internals

    def _lay_out(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(2)
        names.addWidget(self._title)
        names.addWidget(self._place)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(names, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._read)
        foot.addStretch()
        if self._open is not None:
            foot.addWidget(self._open)
        self._rows = layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 8)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.passage)
        layout.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addLayout(foot)

    def _make_open_button(self, link: str | None) -> QPushButton:
        address = (link or "").strip()
        button = QPushButton(self.tr("Open lesson"), self)
        button.setProperty("kind", "link")
        button.setIconSize(QSize(14, 14))
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        button.setToolTip(plain_tool_tip(address))
        button.clicked.connect(lambda: self.link_activated.emit(address))
        return button

    def _make_warning(self) -> QWidget:
        text = QLabel(self.tr("A quotation could not be verified"))
        text.setProperty("role", "warning-caption")
        text.setWordWrap(True)
        icon = QLabel()
        colour = self._theme.warning
        icon.setPixmap(self._theme.pixmap("warning", 14, colour, self.devicePixelRatioF()))
        warning = QWidget(self)
        warning.setToolTip(self.tr("The answer quotes something that does not stand in this passage."))
        row = QHBoxLayout(warning)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        return warning

    def _show_citations(self) -> None:
        start = self.source.hit.start
        self.passage.set_highlights([(c.start - start, c.end - start) for c in self._citations if c.verified])
        self.badge.set_look(self._theme, self.cited)
        if self.unverified and self._warning is None:
            self._warning = self._make_warning()
            self._rows.insertWidget(1, self._warning)
        elif not self.unverified and self._warning is not None:
            self._warning.hide()
            self._warning.deleteLater()
            self._warning = None
        name = self.tr("Source {0}: {1}").format(self.source.n, self.source.hit.course_title)
        state = [self.tr("cited")] if self.cited else []
        if self._badge.text():
            state.append(self._badge.text())
        if self.unverified:
            state.append(self.tr("a quotation could not be verified"))
        self.setAccessibleName(", ".join(part for part in [name, self._place.text(), *state] if part))
        self.setAccessibleDescription(self.source.hit.text.strip())

    def _show_toggle(self) -> None:
        self._toggle.setVisible(self.passage.collapsible)
        self._toggle.setText(self.tr("Show less") if self.expanded else self.tr("Show all"))
        icon = "chevron-up" if self.expanded else "chevron-down"
        self._toggle.setIcon(self._theme.tinted_icon(icon, self._theme.accent))

    def _place_text(self) -> str:
        hit = self.source.hit
        anchor = anchor_name(hit.anchor) if hit.anchor else ""
        if anchor == hit.lesson_title:
            anchor = ""  # a lesson that is named after its heading
        return " · ".join(part for part in (lesson_name(hit), anchor) if part)
