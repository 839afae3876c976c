"""The chat: conversation or welcome above, the composer below."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLocale, QObject, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QWidget

from app.domain.conversations import Exchange
from app.domain.events import AnswerDone, AnswerEvent, AnswerInterrupted, AnswerStarted
from app.domain.model_servers import WholeScope
from app.domain.scope import Scope, with_course
from app.ui.chat.block_reading import BlockReading
from app.ui.chat.composer import Composer
from app.ui.chat.transcript import Transcript
from app.ui.chat.transcript_html import NoticeKind, news_of
from app.ui.chat.transcript_search import TranscriptSearch
from app.ui.chat.transcript_view import COLUMN, GUTTER
from app.ui.chat.welcome import Welcome
from app.ui.widgets.accessibility import Announcer, announce, show_waiting
from app.ui.widgets.building import Cell, Stretch, hbox, one_shot, shortcut, stack, vbox
from app.ui.widgets.numbers import dollars, number_text
from app.ui.widgets.pane_keys import PaneKey
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, fix, scaled

_SAID_AFTER_MS = 500


class ChatPane(QWidget):
    """Shows a conversation and takes questions, without knowing how they are answered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transcript = Transcript(self)
        self.search = TranscriptSearch(self.transcript, self)
        self.jump = JumpButton(self.transcript)
        BlockReading(self.transcript)
        self.welcome = Welcome(self)
        self.composer = Composer(self)
        self._stack = stack(self.welcome, self.transcript)
        self._activity = QProgressBar(self, textVisible=False)
        self.hint = plain_label("", "caption", self)
        self._search_only = False
        self._preparing: str | None = None
        self._lost = self._whole = ""  # what left the scope; what is sent along with a question
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
        self._below = QWidget()
        margins = GUTTER, 8, GUTTER, 16
        vbox(self.hint, self.composer, margins=margins, spacing=6, parent=self._below)
        self._fit_column()
        across = hbox(Stretch(), Cell(self._below, 1000), Stretch())
        vbox(self.search.bar, Cell(self._stack, 1), self._activity, across, parent=self)

    def _connect(self) -> None:
        self.composer.course_chosen.connect(self._add_course)
        self.composer.editing_changed.connect(self._update)
        self.search.shown_changed.connect(self._update)
        self.transcript.edit_requested.connect(self._begin_edit)
        self.welcome.ways_skipped.connect(self._update)
        self.welcome.ways_skipped.connect(self.focus_composer)

    # ---- methods ----

    def set_theme(self, theme: Theme) -> None:
        self._fit_column()
        self.transcript.set_theme(theme)

    def set_search_only(self, search_only: bool) -> None:
        """Show that no model writes answers: the welcome offers the ways to one."""
        self._search_only = search_only
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Show that an answer is being written; Esc and the button stop it."""
        self.composer.set_busy(busy)
        if busy:
            self._lost = ""
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
        if self.isVisible():
            self._announcer.show(text or "")
        self.composer.set_ready(text is None)
        self._update()

    def set_course_titles(self, titles: Sequence[str]) -> None:
        """Say how many courses there are, and offer them after an ``@`` in a question."""
        self.composer.edit.completion.titles = titles
        self.composer.context.show_count(len(titles))

    def set_scope(self, scope: Scope) -> None:
        if scope != self.composer.context.scope:
            self._lost = self._whole = ""
        self.composer.context.set_scope(scope)
        self._update()

    def tell_lost(self, titles: Sequence[str]) -> None:
        """Name the courses that left the scope, until it changes or a question is asked."""
        if self.composer.context.scope.is_everything:
            text = self.tr("No longer in the library: {0}. Questions now search all courses.")
        else:
            text = self.tr("No longer in the library, so not searched: {0}.")
        self._lost = text.format(", ".join(map(QLocale().quoteString, titles)))
        self._update()

    def tell_whole(self, whole: WholeScope | None) -> None:
        """Say what is sent along with each question, and its price; nothing for None."""
        text = ""
        if whole is not None:
            text = self.tr("All of this is sent along with each question: about {tokens} tokens.")
            if whole.first is not None and whole.again is not None:
                text = self.tr(
                    "All of this is sent along: about {tokens} tokens, {first} for the first question and "
                    "{again} for each one soon after."
                )
                text = text.replace("{first}", dollars(whole.first)).replace("{again}", dollars(whole.again))
            text = text.replace("{tokens}", number_text(whole.tokens))
        self._whole = text
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
        self.composer.cancel_edit()
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

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the conversation even when the wheel turns beside the column of text."""
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

    def _begin_edit(self, exchange_id: int) -> None:
        exchange = self.transcript.exchange(exchange_id)
        if exchange is not None:
            self.composer.begin_edit(exchange_id, exchange.question)

    def _press_escape(self) -> None:
        """Close the list of courses or the search, cancel editing, or stop the answer."""
        if self.composer.edit.completion.list.isVisible():
            self.composer.edit.completion.list.hide()
        elif self.composer.edited is not None:
            self.composer.cancel_edit()
        elif self.search.is_open:
            self.search.dismiss()
        elif self.composer.is_busy:
            self.composer.stop_requested.emit()

    def _add_course(self, title: str) -> None:
        scope = with_course(self.composer.context.scope, title)
        self.set_scope(scope)
        self.composer.context.scope_changed.emit(scope)

    def _update(self) -> None:
        self._stack.setCurrentWidget(self.welcome if self.transcript.is_empty else self.transcript)
        self.welcome.offer_ways(self._search_only)
        self.transcript.offers_model = self._search_only and self.welcome.offers_ways
        sending = self.tr("Sending your question…") if self._sending else ""
        self.hint.setText(self._preparing or sending or self._lost or self._whole)
        self.hint.setVisible(bool(self.hint.text()))
        self._escape.setEnabled(
            self.composer.edited is not None or self.search.is_open or self.composer.is_busy
        )


_ABOVE_END = 12


class JumpButton(QPushButton):
    """Floats over the conversation while its end is out of sight; a click returns there."""

    def __init__(self, view: Transcript) -> None:
        super().__init__(self.tr("Jump to latest"), view)
        self._view = view
        self._place_soon = one_shot(self, 0, self._place)
        self.setObjectName("jump")
        fix(self, icon=16)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setIcon(Theme.icon("chevron-down"))
        self.hide()
        self.clicked.connect(self._jump)
        view.installEventFilter(self)
        view.verticalScrollBar().valueChanged.connect(lambda _: self._place_soon.start())
        view.verticalScrollBar().rangeChanged.connect(lambda *_: self._place_soon.start())

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
