"""What the chat shows before the first question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from app.domain.courses import LibraryCounts
    from app.ui.shell.theme import Theme

_WIDTH = 560
_MOST = 4


class SuggestionButton(QPushButton):
    """A question to ask with a click; too long a one is cut in the middle of the sentence."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.setProperty("kind", "suggestion")
        self.setAccessibleName(question)
        self.setToolTip(plain_tool_tip(question))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the question to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = max(self.width() - 56, 40)
        text = self.fontMetrics().elidedText(self.question, Qt.TextElideMode.ElideRight, room)
        self.setText(text.replace("&", "&&"))


class Welcome(QScrollArea):
    """Greets, says what the library holds, and offers questions."""

    suggestion_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suggestions: tuple[str, ...] = ()
        self._buttons: list[SuggestionButton] = []
        self._picture = QLabel()
        self._title = QLabel(self.tr("What would you like to understand?"))
        self._holds = QLabel()
        self._try = QLabel(self.tr("Try asking"))
        self._list = QVBoxLayout()
        self._build()
        self.set_theme(theme)

    def _build(self) -> None:
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._title.setProperty("role", "title")
        self._holds.setProperty("role", "muted")
        self._try.setProperty("role", "caption")
        self._try.hide()
        for label in (self._title, self._holds):
            label.setWordWrap(True)
        column = QWidget()
        column.setMaximumWidth(_WIDTH)
        inside = QVBoxLayout(column)
        inside.setContentsMargins(0, 24, 0, 24)
        inside.setSpacing(8)
        inside.addStretch(2)
        inside.addWidget(self._picture)
        inside.addSpacing(8)
        inside.addWidget(self._title)
        inside.addWidget(self._holds)
        inside.addSpacing(16)
        inside.addWidget(self._try)
        inside.addLayout(self._list)
        inside.addStretch(3)
        self._list.setSpacing(8)
        page = QWidget()
        across = QHBoxLayout(page)
        across.setContentsMargins(24, 0, 24, 0)
        across.addStretch(1)
        across.addWidget(column, 100)
        across.addStretch(1)
        self.setWidget(page)

    def set_theme(self, theme: Theme) -> None:
        """Take on a theme's colours."""
        self._theme = theme
        ratio = self.devicePixelRatioF()
        self._picture.setPixmap(theme.pixmap("app", 48, ratio=ratio))
        for button in self._buttons:
            self._dress(button)

    def set_library(self, counts: LibraryCounts, suggestions: Sequence[str]) -> None:
        """Say what there is to ask about."""
        self._holds.setText(self._summary(counts))
        wanted = tuple(suggestions[:_MOST])
        if wanted == self._suggestions:
            return
        self._suggestions = wanted
        for old in self._buttons:
            self._list.removeWidget(old)
            old.setParent(None)  # out of sight now, not at the end of this turn
            old.deleteLater()
        self._buttons = [SuggestionButton(question) for question in wanted]
        for button in self._buttons:
            self._dress(button)
            button.clicked.connect(lambda _=False, q=button.question: self.suggestion_clicked.emit(q))
            self._list.addWidget(button)
        self._try.setVisible(bool(wanted))

    def _dress(self, button: SuggestionButton) -> None:
        button.setIcon(self._theme.tinted_icon("search", self._theme.accent))
        button.setIconSize(QSize(16, 16))

    def _summary(self, counts: LibraryCounts) -> str:
        """Return a sentence or two about the library."""
        if not counts.courses:
            return self.tr(
                "Your library is empty. Add a folder of course material, or drop files on this window, "
                "and ask about it in your own words."
            )
        locale = self.locale()
        courses = (
            self.tr("1 course")
            if counts.courses == 1
            else self.tr("{n} courses").format(n=locale.toString(counts.courses))
        )
        text = self.tr(
            "Ask about {courses} with {passages} passages in your own words. "
            "Every claim in an answer leads to the sentence it came from."
        )
        return text.format(courses=courses, passages=locale.toString(counts.passages))
