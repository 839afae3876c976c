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
from app.domain.scope import with_course
from app.ui.chat.composer import Composer
from app.ui.chat.scope_bar import ScopeBar
from app.ui.chat.transcript import Transcript
from app.ui.chat.welcome import Welcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QWheelEvent

    from app.domain.conversations import Exchange
    from app.domain.courses import LibraryCounts
    from app.domain.events import AnswerEvent
    from app.domain.scope import Scope
    from app.ui.chat.transcript_html import NoticeKind
    from app.ui.shell.theme import Theme

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
    retry_requested = Signal(int)  # exchange id; a failed answer, or one to be written anew
    question_edited = Signal(int, str)  # exchange id of the question before it was changed
    branch_requested = Signal(int)  # exchange id; the branch that holds it
    continue_requested = Signal(int)  # exchange id of an answer that was cut short
    scope_changed = Signal(object)  # the Scope that the user has chosen here

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transcript = Transcript(theme, self)
        self.welcome = Welcome(theme, self)
        self.scope_bar = ScopeBar(theme, self)
        self.composer = Composer(theme, self)
        self._stack = QStackedWidget(self)
        self._activity = QProgressBar(self)
        self._hint = QLabel(self)
        self._add_key = QPushButton(self.tr("Add a key…"), self)
        self._search_only = False
        self._preparing: str | None = None
        self._edited: int | None = None  # the exchange whose question is being changed
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
        below.addWidget(self.scope_bar)
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
        self.composer.question_asked.connect(self._send)
        self.composer.stop_requested.connect(self.stop_requested)
        self.composer.course_chosen.connect(self._add_course)
        self.scope_bar.scope_changed.connect(self.scope_changed)
        self.composer.editing_cancelled.connect(self._forget_edit)
        self.welcome.suggestion_clicked.connect(self.suggestion_clicked)
        self.transcript.citation_activated.connect(self.citation_activated)
        self.transcript.sources_requested.connect(self.sources_requested)
        self.transcript.retry_requested.connect(self._retry)
        self.transcript.edit_requested.connect(self._begin_edit)
        self.transcript.branch_requested.connect(self.branch_requested)
        self.transcript.continue_requested.connect(self.continue_requested)
        self.transcript.settings_requested.connect(self.settings_requested)
        self.transcript.link_activated.connect(self.link_activated)
        self._add_key.clicked.connect(lambda: self.settings_requested.emit())
        self._escape.activated.connect(self._press_escape)

    # ---- methods ----

    def set_theme(self, theme: Theme) -> None:
        """Show everything in another theme."""
        self.transcript.set_theme(theme)
        self.welcome.set_theme(theme)
        self.composer.set_theme(theme)
        self.scope_bar.set_theme(theme)

    def set_library(self, counts: LibraryCounts, suggestions: Sequence[str]) -> None:
        """Say in the welcome what the library holds and what could be asked."""
        self.welcome.set_library(counts, suggestions)

    def set_courses(self, titles: Sequence[str]) -> None:
        """Take the titles that can be chosen by @ in a question."""
        self.composer.completion.set_titles(titles)

    def set_scope(self, scope: Scope) -> None:
        """Show what questions are restricted to."""
        self.scope_bar.set_scope(scope)

    def tell_lost(self, titles: Sequence[str]) -> None:
        """Say that courses are no longer in the library and were dropped from the scope."""
        self.scope_bar.tell_lost(titles)

    def set_search_only(self, search_only: bool) -> None:
        """Say in one line that there is no model to write answers, and offer to add a key."""
        self._search_only = search_only
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Take no question while an answer is written; Esc and the button stop it."""
        self.composer.set_busy(busy)
        if busy:
            self.scope_bar.tell_lost(())
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
        self.composer.end_editing()
        self.transcript.clear_all()
        self._update()

    def show_exchanges(self, exchanges: Sequence[Exchange], at: int | None = None) -> None:
        """Show a saved conversation, from its end or from the exchange ``at``."""
        self.composer.end_editing()
        self.transcript.show_exchanges(exchanges, at)
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

    def _send(self, text: str) -> None:
        """Ask a question: a new one, or an earlier one that was changed."""
        edited, self._edited = self._edited, None
        self._update()
        if edited is None:
            self.question_asked.emit(text)
        else:
            self.question_edited.emit(edited, text)

    def _retry(self, exchange_id: int) -> None:
        if not self.composer.is_busy:
            self.retry_requested.emit(exchange_id)

    def _begin_edit(self, exchange_id: int) -> None:
        exchange = self.transcript.exchange(exchange_id)
        if exchange is None or self.composer.is_busy:
            return
        self._edited = exchange_id
        self.composer.begin_editing(exchange.question)
        self._update()

    def _forget_edit(self) -> None:
        self._edited = None
        self._update()

    def _press_escape(self) -> None:
        """Stop the answer, or leave the earlier question as it was."""
        if self.composer.is_busy:
            self.stop_requested.emit()
        else:
            self.composer.end_editing()

    def _add_course(self, title: str) -> None:
        scope = with_course(self.scope_bar.scope, title)
        self.set_scope(scope)
        self.scope_changed.emit(scope)

    def _update(self) -> None:
        """Show welcome or conversation, and the line above the composer."""
        self._stack.setCurrentWidget(self.welcome if self.transcript.is_empty else self.transcript)
        hint = self._preparing or ""
        if not hint and self._search_only:
            hint = self.tr("Search only: answers are the best passages of your courses as they stand.")
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self._add_key.setVisible(self._search_only and not self._preparing)
        self._escape.setEnabled(self.composer.is_busy or self.composer.is_editing)
