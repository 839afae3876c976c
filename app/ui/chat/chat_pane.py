"""The chat: conversation or welcome above, the composer below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.domain.events import AnswerDone, AnswerInterrupted, AnswerStarted
from app.ui.chat.composer import Composer
from app.ui.chat.transcript import Transcript
from app.ui.chat.welcome import Welcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QWheelEvent

    from app.domain.events import AnswerEvent
    from app.domain.models import Exchange, LibraryCounts
    from app.ui.chat.transcript_html import NoticeKind
    from app.ui.theme import Theme

_COLUMN = 808  # the column of text and its gutters


class ChatPane(QWidget):
    """Shows a conversation and takes questions; knows nothing of how they are answered."""

    question_asked = Signal(str)
    stop_requested = Signal()
    citation_activated = Signal(int, int)  # exchange id, source number
    sources_requested = Signal(int)  # exchange id
    settings_requested = Signal()
    suggestion_clicked = Signal(str)
    link_activated = Signal(str)  # http and https only
    retry_requested = Signal(int)  # exchange id

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transcript = Transcript(theme, self)
        self.welcome = Welcome(theme, self)
        self.composer = Composer(theme, self)
        self._stack = QStackedWidget(self)
        self._activity = QProgressBar(self)
        self._hint = QLabel(self)
        self._add_key = QPushButton(self.tr("Add a key…"), self)
        self._search_only = False
        self._preparing: str | None = None
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._build()
        self._connect()
        self._update()

    def _build(self) -> None:
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(self.transcript)
        self._activity.setObjectName("activity")
        self._activity.setTextVisible(False)
        self._activity.setRange(0, 1)
        self._activity.setFixedHeight(2)
        self._activity.setAccessibleName(self.tr("An answer is being written"))
        self._hint.setProperty("role", "caption")
        self._hint.setWordWrap(True)
        self._add_key.setProperty("kind", "link")
        self._add_key.setProperty("scale", "caption")
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        hints = QHBoxLayout()
        hints.setContentsMargins(2, 0, 2, 0)
        hints.setSpacing(4)
        hints.addWidget(self._hint, 1)
        hints.addWidget(self._add_key, 0)
        below = QVBoxLayout()
        below.setContentsMargins(24, 8, 24, 16)
        below.setSpacing(6)
        below.addLayout(hints)
        below.addWidget(self.composer)
        column = QWidget()
        column.setMaximumWidth(_COLUMN)
        column.setLayout(below)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(column, 1000)
        across.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._stack, 1)
        whole.addWidget(self._activity)
        whole.addLayout(across)

    def _connect(self) -> None:
        self.composer.question_asked.connect(self.question_asked)
        self.composer.stop_requested.connect(self.stop_requested)
        self.welcome.suggestion_clicked.connect(self.suggestion_clicked)
        self.transcript.citation_activated.connect(self.citation_activated)
        self.transcript.sources_requested.connect(self.sources_requested)
        self.transcript.retry_requested.connect(self.retry_requested)
        self.transcript.settings_requested.connect(self.settings_requested)
        self.transcript.link_activated.connect(self.link_activated)
        self._add_key.clicked.connect(lambda: self.settings_requested.emit())
        self._escape.activated.connect(self.stop_requested)

    # ---- methods ----

    def set_theme(self, theme: Theme) -> None:
        """Show everything in another theme."""
        self.transcript.set_theme(theme)
        self.welcome.set_theme(theme)
        self.composer.set_theme(theme)

    def set_library(self, counts: LibraryCounts, suggestions: Sequence[str]) -> None:
        """Say in the welcome what the library holds and what could be asked."""
        self.welcome.set_library(counts, suggestions)

    def set_search_only(self, search_only: bool) -> None:
        """Say in one line that there is no model to write answers, and offer to add a key."""
        self._search_only = search_only
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Take no question while an answer is written; Esc and the button stop it."""
        self.composer.set_busy(busy)
        self._activity.setRange(0, 0 if busy else 1)
        self._update()

    def set_preparing(self, text: str | None) -> None:
        """Say why no question can be answered yet; None once it can."""
        self._preparing = text
        self.composer.set_ready(text is None)
        self._update()

    def focus_composer(self) -> None:
        """Put the cursor where the question is written."""
        self.composer.edit.setFocus()

    def set_question(self, text: str) -> None:
        """Put a question into the composer: one that could not be asked, or is to be changed."""
        self.composer.set_text(text)

    def new_chat(self) -> None:
        """Start with an empty conversation."""
        self.transcript.clear_all()
        self._update()

    def show_exchanges(self, exchanges: Sequence[Exchange]) -> None:
        """Show a saved conversation."""
        self.transcript.show_exchanges(exchanges)
        self._update()

    def handle(self, event: AnswerEvent) -> None:
        """Take an event of the running answer."""
        self.transcript.handle(event)
        if isinstance(event, AnswerStarted | AnswerDone | AnswerInterrupted):
            self._update()

    def show_notice(self, text: str, kind: NoticeKind = "info") -> None:
        """Show a sentence in the chat that belongs to no answer: ``info``, ``warning`` or ``danger``."""
        self.transcript.add_notice(text, kind)
        self._update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the conversation beside the column of text too."""
        if self._stack.currentWidget() is self.transcript:
            QApplication.sendEvent(self.transcript.verticalScrollBar(), event)
        else:
            super().wheelEvent(event)

    # ---- internals ----

    def _update(self) -> None:
        """Show welcome or conversation, and the line above the composer."""
        self._stack.setCurrentWidget(self.welcome if self.transcript.is_empty else self.transcript)
        hint = self._preparing or ""
        if not hint and self._search_only:
            hint = self.tr("Search only: answers are the best passages of your courses as they stand.")
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self._add_key.setVisible(self._search_only and not self._preparing)
        self._escape.setEnabled(self.composer.is_busy)
