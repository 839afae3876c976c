"""The conversation: questions, answers that grow block by block, notices."""

import html
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtWidgets import QWidget

from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerEvent,
    AnswerExamined,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    PassagesAtOnce,
    SourcesFound,
)
from app.markup.citation_marks import without_tokens
from app.ui.chat import transcript_html as pieces
from app.ui.chat.answer_stream import AnswerStream, Entries, Notice, ShownAnswer
from app.ui.chat.marked_view import MarkedView
from app.ui.chat.transcript_html import NoticeKind
from app.ui.chat.transcript_view import TOP_GAP
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.accessibility import show_briefly
from app.ui.widgets.building import one_shot
from app.ui.widgets.theme import Theme

_FLUSH_MS = 40
_PAUSE_FACTOR = 4  # pauses between drawings last this many times longer than the last drawing
_END_SECONDS = 0.015  # the end of an answer that takes longer to draw comes in parts
_LONGEST_WRAPPED = 40_000  # characters
_OTHER_FONT = (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange)


class _Place(NamedTuple):
    """A place in a conversation that may be drawn again."""

    entry: ShownAnswer
    offset: int = 1  # in characters; its start is the end of the paragraph before it
    top: int = TOP_GAP  # pixels below the top of the view

    @property
    def position(self) -> int:
        return self.entry.start + self.offset


class Transcript(MarkedView):
    """Shows a conversation; :meth:`handle` takes the events of the running answer.

    Signals carry the id of an exchange, ``citation_activated`` also the number of a source.
    """

    citation_activated = Signal(int, int)
    sources_requested = Signal(int)
    look_requested = Signal(int)  # at an answer, of which something was not found in the sources
    retry_requested = Signal(int)  # a failed answer, or one to write again
    edit_requested = Signal(int)
    branch_requested = Signal(int)  # the branch that holds the exchange
    continue_requested = Signal(int)  # an answer that was cut short
    step_requested = Signal(int, str)  # after an answer: the kind of the step
    settings_requested = Signal()
    link_activated = Signal(str)  # http and https only

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers_model = False  # below the first answer, if no model wrote it
        # What stands below an exchange that leads on: HTML, with links such as "step:12/kind".
        self.steps_after: Callable[[Exchange], str] = lambda _: ""
        self._begun: ShownAnswer | None = None  # the last one whose question was drawn
        self._target: _Place | None = None  # scroll here once it is drawn
        self._tail = 0
        self.setAccessibleName(self.tr("Conversation"))
        self._pause = _FLUSH_MS
        self._flush_timer = one_shot(self, _FLUSH_MS, self.flush)
        self._build_timer = QTimer(self)
        self._build_timer.timeout.connect(self._build_next)
        self.anchorClicked.connect(partial(follow_link, self))

    # ---- properties ----

    @property
    def is_empty(self) -> bool:
        return not self.entries

    @property
    def is_latest_below(self) -> bool:
        """Whether the newest question, or the end of an answer being written, is well below the view.

        A finished answer is read from its beginning; its end is not news.
        """
        room = self.viewport().height()
        last = self.entries.newest()
        if last is None or last.running or last in self.queue:
            return self.distance_from_end > room // 4
        return self.cursorRect(self.between(last.start, last.start)).top() > room

    # ---- methods ----

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy a part of one paragraph as plain text, more as Markdown."""
        from app.ui.chat.copying import selected_markdown

        mime = super().createMimeDataFromSelection()
        if markdown := selected_markdown(self.textCursor(), self.drawn, self.end_position):
            mime.setText(markdown)
            mime.setData("text/markdown", markdown.encode("utf-8"))
        return mime

    def set_theme(self, theme: Theme) -> None:
        place = None if self.is_empty else self._place()
        self.restyle(theme)
        if not self.is_empty:
            self._rebuild(place)

    def changeEvent(self, event: QEvent) -> None:
        """Draw again what Qt would lay out as a whole, at once, for another font."""
        if event.type() in _OTHER_FONT and not self.is_empty:
            self._rebuild(self._place())
        super().changeEvent(event)

    def show_formulas(self, formulas: FormulaPictures) -> None:
        self.formulas = formulas
        formulas.came_late.connect(self._draw_late)

    def show_exchanges(self, exchanges: Sequence[Exchange], at: int | None = None) -> None:
        """Show a conversation at an exchange or at its end; of many only the last are drawn at first."""
        answers = [ShownAnswer(exchange) for exchange in exchanges]
        self.entries = Entries(answers)
        self.first = self.entries.first_before(len(answers))
        target = next((one for one in answers if at and one.exchange.id == at), None)
        if target is not None:
            self.first = min(self.first, max(0, answers.index(target) - 1))
        self._flush_timer.stop()
        self.follow()
        self._rebuild(_Place(target) if target is not None else None)

    def show_earlier(self, *, all_of_them: bool = False) -> None:
        """Show the questions before those on show, if there are any: some, or all of them."""
        if self.first:
            place = self._place()
            self.first = 0 if all_of_them else self.entries.first_before(self.first)
            self._rebuild(place)

    def add_notice(self, text: str, kind: NoticeKind) -> None:
        """Add a sentence that belongs to no answer."""
        self._add(Notice(text, kind))

    def handle(self, event: AnswerEvent) -> None:
        """Take an event of the running answer; without one it is ignored."""
        if isinstance(event, AnswerStarted):
            self._begin(event)
            return
        entry = self.entries.running()
        if entry is None:
            return
        if isinstance(event, AnswerDone | AnswerInterrupted):
            if event.exchange.id == entry.exchange.id:
                self._end(entry, event)
            return
        if isinstance(event, AnswerText):
            entry.stream.add_text(event.text)
            if entry.meanwhile:  # folded, else they would move down with each line above them
                entry.meanwhile = pieces.passages_link(entry.exchange)
        elif isinstance(event, PassagesAtOnce):
            entry.meanwhile = AnswerStream(event.text, event.citations).whole_html()
        elif isinstance(event, SourcesFound):
            entry.exchange = replace(entry.exchange, sources=(*entry.exchange.sources, *event.sources))
        elif isinstance(event, AnswerCitation):
            cited = (*entry.exchange.citations, event.citation)
            entry.exchange = replace(entry.exchange, citations=cited)
            entry.stream.add_citation(event.citation)
        elif isinstance(event, AnswerExamined):
            entry.exchange = replace(entry.exchange, citations=event.citations, claims=event.claims)
            entry.stream.examine(event.citations, event.claims)
        entry.status = pieces.status_text(event) or entry.status
        if not self._flush_timer.isActive():
            self._flush_timer.start(self._pause)

    def show_judged(self, exchange: Exchange) -> None:
        """Show an answer with the verdicts of a second look; what is in sight stays there."""
        entry = next((one for one in self.entries.answers() if one.exchange.id == exchange.id), None)
        if entry is not None and not entry.running:
            entry.exchange, entry.stream = exchange, AnswerStream.of(exchange)
            self._rebuild(self._place())

    def flush(self) -> None:
        """Draw what has arrived; a timer calls this while an answer runs."""
        entry = self.entries.running()
        if entry is None or self.is_building:
            return
        started = time.monotonic()
        with self.staying(entry.blocks):
            complete = self._draw_answer(entry)
        self._pause = max(_FLUSH_MS, round((time.monotonic() - started) * 1000 * _PAUSE_FACTOR))
        if not complete:
            self._flush_timer.start(_FLUSH_MS if entry.stream.waits else 0)

    # ---- entries ----

    def _begin(self, event: AnswerStarted) -> None:
        exchange = event.exchange
        if (before := self.entries.running()) is not None:  # its end was lost
            self._end(before, AnswerInterrupted(replace(before.exchange, state=ExchangeState.FAILED)))
        self._pause = _FLUSH_MS
        self._cut_branch(exchange)
        self._add(ShownAnswer(exchange, running=True, status=pieces.status_text(event)))
        self.follow()

    def _cut_branch(self, exchange: Exchange) -> None:
        """Remove the exchange that a new one replaces, and all that follows it."""
        older = set(exchange.siblings) - {exchange.id}
        replaced = next((one for one in self.entries.answers() if one.exchange.id in older), None)
        if replaced is None:
            return
        at = self.entries.index(replaced)
        del self.entries[at:]
        if self.is_building or at < self.first:
            self.first = min(self.first, at)
            self._rebuild(None)
        else:
            self.cut_from(replaced.start)

    def _end(self, entry: ShownAnswer, event: AnswerDone | AnswerInterrupted) -> None:
        """Replace the streamed answer with the saved one, which is usually the same."""
        entry.running = False
        exchange = entry.exchange = event.exchange
        self._flush_timer.stop()
        if entry.stream.holds(exchange.answer):
            entry.stream.examine(exchange.citations, exchange.claims)
        else:
            entry.stream = AnswerStream.of(exchange)
        if self.is_building:
            return
        if pieces.above_answer(exchange, self.theme):
            self.cut_from(entry.start)
            self._begun = None
        if exchange.model is None and exchange.sources and self.following:
            # Passages arrive all at once, best first: reading starts at the question, not at the end.
            self._target = _Place(entry)
        self.queue.extend(self.entries[self.entries.index(entry) :])
        until = time.monotonic() + _END_SECONDS
        while self.queue and time.monotonic() < until:
            self._build_next()
        if self.queue:
            self._build_timer.start(0)

    def _add(self, entry: ShownAnswer | Notice) -> None:
        """Add an entry at the end; after a running answer it is drawn once that is complete."""
        waits = self.entries.running() is not None
        self.entries.append(entry)
        if self.is_building:
            self.queue.append(entry)
        elif not waits:
            self._draw(entry)

    # ---- drawing ----

    def _wrap(self) -> None:
        """Draw again what is too long to be wrapped as a whole, at once."""
        if self.is_wrapped_otherwise and self.document().characterCount() > _LONGEST_WRAPPED:
            self._rebuild(self._place())
        super()._wrap()

    @property
    def _is_hidden(self) -> bool:
        """Whether the view keeps its picture until its place is drawn again."""
        return self.viewport().testAttribute(Qt.WidgetAttribute.WA_ForceUpdatesDisabled)

    def _place(self) -> _Place | None:
        """Return what is at the top of the view; None if the end is to stay in sight."""
        if self._is_hidden:
            return self._target
        drawn = self.drawn
        if self.following or not drawn:
            return None
        top = self.cursorForPosition(QPoint(0, 0)).position()
        entry = next((one for one in reversed(drawn) if one.start < top), drawn[0])
        position = max(top, entry.start + 1)
        return _Place(entry, position - entry.start, self.cursorRect(self.between(position, position)).top())

    def _rebuild(self, place: _Place | None) -> None:
        """Draw everything again, a part each turn of the event loop, and show it once its place is drawn.

        Without a place, it is shown when complete, at its end.
        """
        self._target = place
        self.clear()
        self.queue = deque(self.entries[self.first :])
        self._begun = None
        if self.first:
            count = self.first - self.entries.first_before(self.first)
            text = self.tr("Show %Ln earlier question(s)", "", count)
            self.append_html(f'<p class="centre">{pieces.link("earlier:", text)}</p>')
        if self.queue:
            self.viewport().setUpdatesEnabled(False)
            self._build_timer.start(0)
        else:
            self._finish_build()

    def _build_next(self) -> None:
        if self.queue and self._draw(self.queue[0]):
            self.queue.popleft()
            place = self._target
            if place and place.entry not in self.queue and self.fills_view_from(place.position):
                self._reveal(place)
        if not self.queue:
            self._finish_build()
        elif isinstance(entry := self.queue[0], ShownAnswer):
            self._build_timer.setInterval(_FLUSH_MS if entry.stream.waits else 0)

    def _finish_build(self) -> None:
        self._build_timer.stop()
        if self._target is not None:
            self._reveal(self._target)
        if not self._is_hidden:
            return
        self.follow()
        self.viewport().setUpdatesEnabled(True)

    def _reveal(self, place: _Place) -> None:
        """Show a place while what follows is still being drawn."""
        self._target = None
        self.show_from(place.position, place.top)
        self.viewport().setUpdatesEnabled(True)

    def _draw(self, entry: ShownAnswer | Notice) -> bool:
        """Draw an entry or the next part of it; return whether it is complete."""
        places = entry.blocks if isinstance(entry, ShownAnswer) and entry is self._begun else []
        with self.staying(places), self.editing():
            if isinstance(entry, Notice):
                self.append_html(pieces.notice(entry.text, entry.kind, self.theme))
                return True
            if entry is not self._begun:
                self._begun = entry
                self._draw_question(entry)
            return self._draw_answer(entry)

    def _draw_question(self, entry: ShownAnswer) -> None:
        entry.start = self.end_position
        self.append_html(pieces.bubble(entry.exchange.question, self.theme, self.fontMetrics()))
        name = f'<p class="name">{self.tr("Lectern")}</p>'
        above = "" if entry.running else pieces.above_answer(entry.exchange, self.theme)
        self.append_html(pieces.below_question(entry.exchange) + name + above)
        self._tail = self.end_position
        entry.blocks = []
        entry.late.clear()
        entry.stream.restart()

    def _draw_answer(self, entry: ShownAnswer) -> bool:
        """Draw the new part of an answer, or some of it; return whether that was all."""
        can_draw = self.formulas.prepare if self.formulas else None
        update = entry.stream.update_if(can_draw, final=not entry.running)
        if update is None:
            return False
        start = entry.blocks[update.keep] if update.keep < len(entry.blocks) else self._tail
        with self.editing():
            self.cut_from(start)
            del entry.blocks[update.keep :]
            entry.late.intersection_update(range(update.keep))
            for at, block in update.changed:
                self._replace_block(entry, at, block)
            for block in update.finished:
                entry.blocks.append(self.end_position)
                self._note_late(entry, len(entry.blocks) - 1, block)
                self.append_html(self._to_qt(entry, block))
            self._tail = entry.end = self.end_position
            if update.tail is not None:
                if entry.running:
                    below = f'<p class="status">{html.escape(without_tokens(entry.status))}</p>'
                    below += self._to_qt(entry, entry.meanwhile)
                else:
                    below = pieces.below_answer(entry.exchange, self.theme)
                    below += self.steps_after(entry.exchange)
                    if self.offers_model and entry is next(self.entries.answers(), None):
                        below += pieces.model_offer(entry.exchange)
                if update.tail:
                    self.append_html(self._to_qt(entry, update.tail))
                    entry.end = self.end_position
                self.append_html(below)
        return update.complete

    def _replace_block(self, entry: ShownAnswer, at: int, block: str) -> None:
        """Draw a finished block again in its place."""
        self._note_late(entry, at, block)
        end = entry.blocks[at + 1] if at + 1 < len(entry.blocks) else self.end_position
        longer = self.replace_html(entry.blocks[at], end, self._to_qt(entry, block))
        entry.blocks[at + 1 :] = [position + longer for position in entry.blocks[at + 1 :]]

    def _note_late(self, entry: ShownAnswer, at: int, block: str) -> None:
        """Note whether a block is drawn without the pictures of its formulas."""
        (entry.late.discard if self.is_ready(block) else entry.late.add)(at)

    def _draw_late(self) -> None:
        """Draw again the blocks that lack formulas, as some have been set."""
        for entry in self.drawn:
            if entry.late:
                with self.staying(entry.blocks), self.editing():
                    for at in sorted(entry.late):
                        self._replace_block(entry, at, entry.stream.block_html(at))

    def _to_qt(self, entry: ShownAnswer, plain: str) -> str:
        """Return harmless HTML in the form that Qt draws, with its marks and doubtful claims."""
        number = entry.exchange.id
        return qt_html(
            plain,
            self.theme,
            lambda mark: pieces.citation_mark(number, mark, self.theme),
            lambda text, claim: pieces.doubtful_claim(number, text, claim),
            self.formula_html,
        )


def follow_link(transcript: Transcript, url: QUrl) -> None:
    scheme, path = url.scheme(), url.path()
    requests = {
        "sources": transcript.sources_requested,
        "look": transcript.look_requested,
        "retry": transcript.retry_requested,
        "edit": transcript.edit_requested,
        "branch": transcript.branch_requested,
        "continue": transcript.continue_requested,
    }
    if scheme in ("http", "https"):
        transcript.link_activated.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
    elif scheme == "cite":
        exchange_id, n, *_ = path.split("/")
        transcript.citation_activated.emit(int(exchange_id), int(n))
    elif scheme == "claim":
        exchange_id, end = path.split("/")
        transcript.show_claim(int(exchange_id), int(end))
    elif scheme == "step":
        exchange_id, _, kind = path.partition("/")
        transcript.step_requested.emit(int(exchange_id), kind)
    elif scheme in requests:
        requests[scheme].emit(int(path))
    elif scheme == "copy" and (exchange := transcript.exchange(int(path))):
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.chat.copying import copy_answer

        copy_answer(exchange)
        show_briefly(transcript, QCoreApplication.translate("Transcript", "Copied"))
    elif scheme == "settings":
        transcript.settings_requested.emit()
    elif scheme == "earlier":
        transcript.show_earlier()
