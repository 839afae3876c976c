"""The chat: conversation or welcome above, the composer below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QWidget

from app.domain.events import AnswerDone, AnswerInterrupted, AnswerStarted
from app.domain.scope import with_course
from app.ui.chat.block_reading import BlockReading
from app.ui.chat.composer import Composer, QuestionEditor
from app.ui.chat.scope_bar import ScopeBar
from app.ui.chat.transcript import Transcript
from app.ui.chat.transcript_html import news_of
from app.ui.chat.transcript_search import TranscriptSearch
from app.ui.chat.transcript_view import COLUMN, GUTTER, CodeCopy
from app.ui.chat.welcome import Welcome
from app.ui.widgets.accessibility import Announcer, announce, show_waiting
from app.ui.widgets.building import Cell, Stretch, hbox, link_button, one_shot, shortcut, stack, vbox
from app.ui.widgets.pane_keys import PaneKey
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import fix_icon, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent, QWheelEvent

    from app.domain.conversations import Exchange
    from app.domain.events import AnswerEvent
    from app.domain.scope import Scope
    from app.ui.chat.transcript_html import NoticeKind
    from app.ui.widgets.theme import Theme

_SAID_AFTER_MS = 500
_HINT_LINES = 2


class ChatPane(QWidget):
    """Shows a conversation and takes questions; how they are answered is none of its business."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transcript = Transcript(theme, self)
        self.search = TranscriptSearch(self.transcript, theme, self)
        self.jump = JumpButton(self.transcript, theme)
        BlockReading(self.transcript)
        self.code_copy = CodeCopy(self.transcript, theme)
        self.editor = QuestionEditor(self.transcript)
        self.welcome = Welcome(theme, self)
        self.scope_bar = ScopeBar(theme, self)
        self.composer = Composer(theme, self)
        self._stack = stack(self.welcome, self.transcript)
        self._activity = QProgressBar(self, textVisible=False)
        self._hint = plain_label("", "caption", self)
        self._add_key = link_button(
            self.tr("Add a key…"), self.transcript.settings_requested.emit, self, small=True
        )
        self._search_only = False
        self._courses = 0
        self._preparing: str | None = None
        self._announcer = Announcer(self)
        self._sending = False  # for so long that it is said
        self._sending_soon = one_shot(self, _SAID_AFTER_MS, lambda: self._say_sending(True))
        self._escape = shortcut(Qt.Key.Key_Escape, self, self._press_escape)
        PaneKey(self, QKeySequence.StandardKey.Find, self.open_find)
        self._build()
        self._connect()
        self._update()

    def _build(self) -> None:
        self.setAccessibleName(self.tr("Chat"))
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._activity.setObjectName("activity")
        self._activity.setRange(0, 1)
        self._activity.setFixedHeight(2)
        self._activity.setAccessibleName(self.tr("An answer is being written"))
        hints = hbox(Cell(self._hint, 1), Stretch(0), self._add_key, margins=(2, 0, 2, 0), spacing=4)
        self._below = QWidget()
        margins = GUTTER, 8, GUTTER, 16
        vbox(hints, self.scope_bar, self.composer, margins=margins, spacing=6, parent=self._below)
        self._fit_column()
        across = hbox(Stretch(), Cell(self._below, 1000), Stretch())
        vbox(self.search.bar, Cell(self._stack, 1), self._activity, across, parent=self)

    def _connect(self) -> None:
        self.composer.course_chosen.connect(self._add_course)
        self.editor.closed.connect(self._update)
        self.search.shown_changed.connect(self._update)
        self.editor.course_chosen.connect(self._add_course)
        self.transcript.edit_requested.connect(self._begin_edit)
        self.welcome.connection_requested.connect(self.transcript.settings_requested)
        self.welcome.connection_skipped.connect(self._update)

    # ---- methods ----

    def set_theme(self, theme: Theme) -> None:
        self._fit_column()
        self._fit_hint()
        above = (self.transcript, self.search, self.jump, self.code_copy)
        for part in (*above, self.welcome, self.composer, self.scope_bar):
            part.set_theme(theme)

    def set_search_only(self, search_only: bool) -> None:
        """Show that no model writes answers, and offer to add a key."""
        self._search_only = search_only
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Show that an answer is being written; Esc and the button stop it."""
        self.composer.set_busy(busy)
        if busy:
            self.scope_bar.tell_lost(())
        self._say_sending(False)
        if busy:
            show_waiting(self._activity, still=1)
            self._sending_soon.start()
        else:
            self._activity.setRange(0, 1)
            self._activity.setValue(0)
        self._update()

    def set_preparing(self, text: str | None) -> None:
        """Show why no question can be answered yet; None once one can."""
        self._preparing = text
        self._announcer.show(text or "")
        self.composer.set_ready(text is None)
        self._update()

    def set_course_titles(self, titles: Sequence[str]) -> None:
        """Say how many courses there are, and offer them after an ``@`` in a question."""
        for completion in (self.composer.completion, self.editor.completion):
            completion.titles = titles
        self._courses = len(titles)
        self._update()

    def set_scope(self, scope: Scope) -> None:
        self.scope_bar.set_scope(scope)
        self._update()

    def focus_composer(self) -> None:
        self.composer.edit.setFocus()

    def open_find(self) -> None:
        """Search the conversation on show, if there is one."""
        if not self.transcript.is_empty:
            self.search.open()

    def show_exchanges(self, exchanges: Sequence[Exchange], at: int | None = None) -> None:
        """Show a saved conversation from its end, or from the exchange ``at``."""
        self.search.dismiss()
        self.editor.close_editor()
        self.transcript.show_exchanges(exchanges, at)
        self._update()

    def handle(self, event: AnswerEvent) -> None:
        self.transcript.handle(event)
        self._say_sending(False)
        announce(self.transcript, news_of(event))
        if isinstance(event, AnswerStarted | AnswerDone | AnswerInterrupted):
            self._update()

    def show_notice(self, text: str, kind: NoticeKind = "info") -> None:
        """Show a sentence that belongs to no answer."""
        self.transcript.add_notice(text, kind)
        announce(self.transcript, text, urgent=kind == "danger")
        self._update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_hint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the conversation when the wheel turns beside the column of text, too."""
        if self._stack.currentWidget() is self.transcript:
            QApplication.sendEvent(self.transcript.verticalScrollBar(), event)
        else:
            super().wheelEvent(event)

    # ---- internals ----

    def _say_sending(self, sending: bool) -> None:
        """Say that a question has not arrived yet, as while the desktop asks whether its key may be read."""
        self._sending_soon.stop()
        if sending != self._sending:
            self._sending = sending
            self._update()

    def _fit_column(self) -> None:
        """Let the composer be as wide as the text above it."""
        self._below.setMaximumWidth(scaled(COLUMN) + 2 * GUTTER)

    def _fit_hint(self) -> None:
        """Leave out the hint where it would take many lines beside the link, which says the same in short."""
        hint, metrics = self._hint.text(), self._hint.fontMetrics()
        room = min(self.width(), self._below.maximumWidth()) - 2 * GUTTER - self._add_key.sizeHint().width()
        needed = metrics.boundingRect(0, 0, room, 0, Qt.TextFlag.TextWordWrap, hint).height()
        fits = self._add_key.isHidden() or needed <= _HINT_LINES * metrics.lineSpacing()
        self._hint.setVisible(bool(hint) and fits)

    def _begin_edit(self, exchange_id: int) -> None:
        exchange = self.transcript.exchange(exchange_id)
        if exchange is not None:
            self.editor.open_editor(exchange_id, exchange.question)
            self._update()

    def _press_escape(self) -> None:
        """Cancel editing, close the search, or stop the answer."""
        if self.editor.is_open:
            self.editor.close_editor()
        elif self.search.is_open:
            self.search.dismiss()
        elif self.composer.is_busy:
            self.composer.stop_requested.emit()

    def _add_course(self, title: str) -> None:
        scope = with_course(self.scope_bar.scope, title)
        self.set_scope(scope)
        self.scope_bar.scope_changed.emit(scope)

    def _update(self) -> None:
        self._stack.setCurrentWidget(self.welcome if self.transcript.is_empty else self.transcript)
        hint = self._preparing or (self.tr("Sending your question…") if self._sending else "")
        offers = self.welcome.offer_connection(self._search_only)
        is_said = offers and self.transcript.is_empty
        if not hint and self._search_only and not is_said:
            hint = self.tr("Search only: you get the best passages. Add a key for written answers.")
        self.composer.context.show_courses(self._courses if self.scope_bar.scope.is_everything else 0)
        self._hint.setText(hint)
        self._add_key.setAccessibleDescription(hint)
        self._add_key.setVisible(self._search_only and not (self._preparing or self._sending or is_said))
        self._fit_hint()
        self._escape.setEnabled(self.editor.is_open or self.search.is_open or self.composer.is_busy)


_ABOVE_END = 12


class JumpButton(QPushButton):
    """Lies over the conversation while what is newest is out of sight; a click follows the end again."""

    def __init__(self, view: Transcript, theme: Theme) -> None:
        super().__init__(self.tr("Jump to latest"), view)
        self._view = view
        self._place_soon = one_shot(self, 0, self._place)
        self.setObjectName("jump")
        fix_icon(self, 16)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()
        self.set_theme(theme)
        self.clicked.connect(self._jump)
        view.installEventFilter(self)
        view.verticalScrollBar().valueChanged.connect(lambda _: self._place_soon.start())
        view.verticalScrollBar().rangeChanged.connect(lambda *_: self._place_soon.start())

    def set_theme(self, theme: Theme) -> None:
        self.setIcon(theme.icon("chevron-down"))
        self._place_soon.start()  # its text may have another size

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_soon.start()
        return False

    def _jump(self) -> None:
        self._view.follow()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place(self) -> None:
        room = self._view.rect()
        self.setVisible(not self._view.following and self._view.is_latest_below)
        self.adjustSize()
        self.move((room.width() - self.width()) // 2, room.bottom() - self.height() - _ABOVE_END)
