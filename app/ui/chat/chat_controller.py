"""Shows one conversation, tracks the answers being written in any of them, and keeps to the budget."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.conversations import BEFORE_ALL, Exchange, ExchangeState, OpenedConversation
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerEvent,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    SourcesFound,
)
from app.domain.model_servers import Spending, WholeScope
from app.domain.scope import Scope, with_renamed
from app.ui.markup.pictures import PictureLoader
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.accessibility import show_briefly
from app.ui.widgets.numbers import dollars

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.ui.chat.chat_pane import ChatPane
    from app.ui.reading.sources_pane import SourcesPane
    from app.workers.job import Job
    from app.workers.workers import Workers

_WARN_AT = 0.8


class Budget(QObject):
    """Keeps what was spent this month."""

    changed = Signal(object)  # the current Spending
    warned = Signal(str)  # one sentence, once for each month and budget

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._warned_budget = 0
        self.spending = Spending()

    def update(self, spending: Spending) -> None:
        self.spending = spending
        self.changed.emit(spending)
        if spending.share < _WARN_AT:
            self._warned_budget = 0
        elif self._warned_budget != spending.budget:
            self._warned_budget = spending.budget
            text = self.tr("You have spent {share}% of this month's budget of {budget} ({cost}).")
            cost, budget = dollars(spending.dollars), dollars(spending.budget)
            self.warned.emit(text.format(share=int(spending.share * 100), budget=budget, cost=cost))

    def allows(self, *, confirming: bool) -> bool:
        """Return whether another question may be sent; once the budget is spent, asks if ``confirming``."""
        if self.spending.share < 1 or not confirming:
            return self.spending.share < 1
        question = self.tr(
            "This month's answers have cost {cost} of your budget of {budget}. Ask this question anyway?"
        ).format(cost=dollars(self.spending.dollars), budget=dollars(self.spending.budget))
        return show.confirm(self._window, self.tr("Budget spent"), question, self.tr("Ask anyway"))


@dataclass(frozen=True)
class _Waiting:
    """A question to ask once the answer before it has ended."""

    text: str
    scope: Scope
    parent_id: int | None = None  # None for that answer's exchange; else what it replaces comes after this
    kind: str = ""


@dataclass(eq=False)
class _Running:
    """An answer being written, on show or not, with its events so far."""

    question: str
    conversation_id: int | None
    parent_id: int | None
    kind: str = ""
    job: Job[None] = field(init=False)
    exchange_id: int | None = None
    events: list[AnswerEvent] = field(default_factory=list)
    waiting: _Waiting | None = None

    def lost(self) -> AnswerInterrupted | None:
        """Return an end for an answer that began and never ended, with what has arrived."""
        events = self.events
        begun = next((event for event in events if isinstance(event, AnswerStarted)), None)
        if begun is None or any(isinstance(event, AnswerDone | AnswerInterrupted) for event in events):
            return None
        found = (event.sources for event in events if isinstance(event, SourcesFound))
        exchange = replace(
            begun.exchange,
            state=ExchangeState.FAILED,
            answer="".join(event.text for event in events if isinstance(event, AnswerText)),
            sources=tuple(source for sources in found for source in sources),
            citations=tuple(event.citation for event in events if isinstance(event, AnswerCitation)),
        )
        return AnswerInterrupted(exchange)


class ChatController(QObject):
    """Shows one branch of one conversation; answers in others continue in the background."""

    listing_changed = Signal()  # the list of conversations
    conversation_shown = Signal(object)  # the ID of the conversation on show; None for a new one
    scope_remembered = Signal(object)  # the Scope of the newest question of a conversation just opened
    answering_changed = Signal(object)  # the frozenset of IDs of the conversations that are being answered
    answer_ended = Signal(object, object)  # the ID of its conversation, and its last event
    sources_changed = Signal(bool)  # whether the conversation on show has sources
    problem = Signal(str)  # a sentence that says what could not be shown

    def __init__(
        self, chat: ChatPane, sources: SourcesPane, workers: Workers, may_ask: Callable[[bool], bool]
    ) -> None:
        """Answer questions of ``chat``; show their sources in ``sources``.

        ``may_ask`` returns whether a question may be sent; given True, it may open a dialog to find out.
        """
        super().__init__(chat)
        self.scope = Scope()
        # The kind of what is written for a text, of an exchange's, after the last exchange on show.
        self.kind_of: Callable[[str, Exchange | None], str] = lambda *_: ""
        self.conversation_id: int | None = None  # of the conversation on show; None for a new one
        self.running: list[_Running] = []  # including those in the background
        self._judging: set[int] = set()  # answers that a model is looking at again
        self._chat = chat
        self._sources = sources
        self._workers = workers
        chat.transcript.show_formulas(FormulaPictures(workers, self))
        # Others, so that formulas of sources draw no answers again.
        sources.list.formulas = FormulaPictures(workers, self)
        sources.list.pictures = PictureLoader(workers, self)
        self._may_ask = may_ask
        self._branch: list[Exchange] = []
        self._shown: _Running | None = None
        self._opening: Job[OpenedConversation | None] | None = None
        self._at: int | None = None
        self._again = False
        self._pricing: Job[WholeScope | None] | None = None
        self._ended_meanwhile: dict[int, Exchange] = {}
        workers.settings_saved.connect(self._price_scope)
        chat.composer.withdrawn.connect(self._withdraw)

    # ---- properties ----

    @property
    def is_answering(self) -> bool:
        """Whether an answer is being written in the conversation on show."""
        return self._shown is not None

    @property
    def last_exchange_id(self) -> int:
        """The ID of the last exchange of the branch on show, 0 if there is none."""
        return self._branch[-1].id if self._branch else 0

    def exchange(self, exchange_id: int) -> Exchange | None:
        return next((item for item in self._branch if item.id == exchange_id), None)

    # ---- user actions ----

    def set_scope(self, scope: Scope) -> None:
        """Restrict the next questions."""
        self.scope = scope
        self._chat.set_scope(scope)
        self._price_scope()

    def _price_scope(self) -> None:
        """Show what is sent along with each question of the scope, and its price."""
        if self._pricing is not None:
            self._pricing.drop()
        pricing = self._workers.answers.price_scope(self.scope)
        # What keeps it from being known is reported by what the user asks for.
        self._pricing = pricing.run(self, success=self._chat.tell_whole, failure=lambda _: None)

    def ask(self, question: str) -> None:
        """Ask a question after the last one on show, once that is answered."""
        last = self._branch[-1] if self._branch else None
        kind = self.kind_of(question, last)
        if self._shown is not None:
            self._let_wait(_Waiting(question, self.scope, kind=kind))
        else:
            self._begin(question, last.id if last else None, self.scope, kind)

    def ask_again(self, exchange_id: int, question: str | None = None) -> None:
        """Ask a question again in a new branch, perhaps edited; the original stays."""
        exchange = self.exchange(exchange_id)
        if exchange is not None:
            scope = exchange.scope if question is None else self.scope
            question = question or exchange.question
            self.ask_after(exchange.parent_id or BEFORE_ALL, question, scope, exchange.kind)

    def look_again(self, exchange_id: int) -> None:
        """Put what was not found of an answer to a model, whose verdicts take the place of the grades."""
        exchange = None if exchange_id in self._judging else self.exchange(exchange_id)
        if exchange is not None and exchange.open_claims and self._can_ask(confirming=True):
            self._judging.add(exchange_id)
            show_briefly(self._chat.transcript, self.tr("Taking a second look…"))
            self._workers.answers.look_again(exchange).run(
                self, event=self._looked_again, finished=lambda: self._judging.discard(exchange_id)
            )

    def _looked_again(self, judged: Exchange) -> None:
        self._workers.answers.tell_spending().run(self)
        self._branch = [judged if one.id == judged.id else one for one in self._branch]
        self._chat.transcript.show_judged(judged)
        if self._sources.list.exchange_id == judged.id:
            self._sources.show_exchange(judged)

    def go_on(self, exchange_id: int) -> None:
        """Ask for the rest of an answer that reached its length limit."""
        exchange = self.exchange(exchange_id)
        if exchange is not None:
            self.ask_after(exchange.id, self.tr("Please continue where you left off."), exchange.scope)

    def ask_after(self, parent_id: int, question: str, scope: Scope, kind: str = "") -> None:
        """Ask a question after an exchange, on a new branch if that already has a successor."""
        if self._shown is not None:
            self._let_wait(_Waiting(question, scope, parent_id, kind))
        else:
            self._begin(question, parent_id, scope, kind)

    def stop(self) -> None:
        """Stop the answer on show; what has arrived stays."""
        if self._shown is not None:
            self._shown.job.cancel()

    def new_chat(self) -> None:
        """Show an empty conversation; running answers continue and are saved."""
        self._await(None)
        self._leave()
        self.conversation_id = None
        self._chat.show_exchanges(())
        self._sources.clear()
        self.sources_changed.emit(False)
        self.conversation_shown.emit(None)

    def open(self, conversation_id: int, through: int = 0, *, again: bool = False) -> None:
        """Show a conversation at the exchange ``through``, or with 0 at the end of its newest branch.

        With ``again``, the question of that exchange is then asked again.
        """
        self._again = again
        self._at = through or None
        self._ended_meanwhile.clear()
        opening = self._workers.conversations.open(conversation_id, through)
        self._await(opening.run(self, success=self._conversation_opened))

    def show_branch(self, exchange_id: int) -> None:
        """Show the branch that contains an exchange of the conversation on show."""
        if self.conversation_id is not None:
            self.open(self.conversation_id, exchange_id)

    def forget(self, conversation_id: int) -> None:
        """Stop the answers of a deleted conversation, and show a new chat if it was on show."""
        for running in self.running:
            if running.conversation_id == conversation_id:
                running.job.cancel()
        if conversation_id == self.conversation_id:
            self.new_chat()

    def take_back_waiting(self) -> None:
        """Return all waiting questions to the field, including those of other chats."""
        for running in self.running:
            if running.waiting is not None:
                self._chat.composer.put_back(running.waiting.text)
                running.waiting = None
        self._chat.composer.set_waiting(None)

    def forget_all(self) -> None:
        """Stop all answers and show a new chat, because the library is replaced."""
        for running in self.running:
            running.job.cancel()
        self.running.clear()  # their late events belong to no remaining chat
        self._report_answering()
        self.new_chat()

    def follow_rename(self, old: str, new: str) -> None:
        """Call a course by its new title in what is shown and in what waits to be asked."""
        self.scope = with_renamed(self.scope, old, new)
        for running in self.running:
            if running.waiting is not None:
                scope = with_renamed(running.waiting.scope, old, new)
                running.waiting = replace(running.waiting, scope=scope)
        self._branch = [exchange.with_renamed(old, new) for exchange in self._branch]
        shown = self.exchange(self._sources.list.exchange_id or 0)
        if shown is not None and shown.sources:
            self._sources.show_exchange(shown)

    # ---- slots ----

    def _conversation_opened(self, opened: OpenedConversation | None) -> None:
        self._await(None)
        if opened is None:
            self.problem.emit(self.tr("This chat was deleted."))
            self.listing_changed.emit()
            return
        self._leave()
        is_another = opened.conversation.id != self.conversation_id
        self.conversation_id = opened.conversation.id
        self._branch = [self._ended_meanwhile.get(item.id, item) for item in opened.exchanges]
        running = self._running_after(self.last_exchange_id)
        if running is not None and running.exchange_id == self.last_exchange_id:
            del self._branch[-1]
        self._chat.show_exchanges(self._branch, self._at)
        self._show_sources_of(self._at)
        if running is not None:
            self._shown = running
            self._chat.set_busy(True)
            self._chat.composer.set_waiting(running.waiting.text if running.waiting else None)
            for event in running.events:
                self._draw(event)
        self.conversation_shown.emit(self.conversation_id)
        if opened.exchanges and is_another:
            self.scope_remembered.emit(opened.exchanges[-1].scope)
        if self._again and self._at is not None:
            self._again = False
            self.ask_again(self._at)

    def _answer_happened(self, running: _Running, event: AnswerEvent) -> None:
        if running not in self.running:
            return
        running.events.append(event)
        if isinstance(event, AnswerStarted):
            running.conversation_id, running.exchange_id = event.conversation_id, event.exchange.id
            self._report_answering()
            self.listing_changed.emit()
        elif isinstance(event, AnswerDone | AnswerInterrupted) and self._opening is not None:
            self._ended_meanwhile[event.exchange.id] = event.exchange
        if running is self._shown:
            self._draw(event)

    def _answer_finished(self, running: _Running) -> None:
        self._workers.answers.tell_spending().run(self)
        if running not in self.running:
            return
        if end := running.lost():
            self._answer_happened(running, end)
        if running.events:
            self.answer_ended.emit(running.conversation_id, running.events[-1])
        self.running.remove(running)
        was_shown = running is self._shown
        if was_shown:
            self._shown = None
            self._chat.set_busy(False)
            self._chat.composer.set_waiting(None)
            if running.exchange_id is None:  # ended before the question was stored
                self._chat.composer.put_back(running.question)
        if running.waiting is not None:
            self._ask_waiting(running, running.waiting, was_shown=was_shown)
        self._report_answering()
        self.listing_changed.emit()

    # ---- internals ----

    def _let_wait(self, question: _Waiting) -> None:
        """Ask a question after the answer on show; one that waited already returns to the field."""
        self._withdraw()
        if self._shown is not None:
            self._shown.waiting = question
            self._chat.composer.set_waiting(question.text)

    def _begin(self, question: str, parent_id: int | None, scope: Scope, kind: str = "") -> None:
        if self.is_answering or not self._can_ask(confirming=True):
            self._chat.composer.put_back(question)
            return
        self._await(None)  # the question belongs to the conversation on show
        self._shown = _Running(question, self.conversation_id, parent_id, kind)
        self._chat.set_busy(True)
        self._start(self._shown, scope)

    def _can_ask(self, *, confirming: bool) -> bool:
        return self._workers.is_running and self._may_ask(confirming)

    def _start(self, running: _Running, scope: Scope) -> None:
        self.running.append(running)
        asked = self._workers.answers.ask(
            running.question, running.conversation_id, scope, running.parent_id, running.kind
        )
        running.job = asked.run(
            self,
            event=partial(self._answer_happened, running),
            finished=partial(self._answer_finished, running),
        )

    def _ask_waiting(self, before: _Running, waiting: _Waiting, *, was_shown: bool) -> None:
        """Ask the question that waited for an answer, or return it to the field.

        On show, an answer that came to nothing returns what was to follow it; what stands elsewhere in the
        conversation is asked all the same. Where the user would have to confirm, they send it again.
        """
        follows = waiting.parent_id is None
        parent_id = before.exchange_id if follows else waiting.parent_id
        asked = waiting.text, parent_id, waiting.scope, waiting.kind
        match before.events[-1:]:
            case [AnswerInterrupted(exchange)] if exchange.state is ExchangeState.STOPPED and not was_shown:
                pass  # its conversation was deleted
            case _ if not self._can_ask(confirming=False):
                self._chat.composer.put_back(waiting.text)
            case [AnswerDone()] if was_shown:
                self._begin(*asked)
            case [AnswerInterrupted()] if was_shown and not follows:
                self._begin(*asked)
            case [AnswerDone() | AnswerInterrupted()] if not was_shown:
                running = _Running(waiting.text, before.conversation_id, parent_id, waiting.kind)
                self._start(running, waiting.scope)
            case _:
                self._chat.composer.put_back(waiting.text)

    def _withdraw(self) -> None:
        if self._shown is not None and self._shown.waiting is not None:
            self._chat.composer.put_back(self._shown.waiting.text)
            self._chat.composer.set_waiting(None)
            self._shown.waiting = None

    def _running_after(self, last: int) -> _Running | None:
        """Return the answer of the exchange ``last``, or to the question after it, if it is being written."""
        for item in self.running:
            follows = item.conversation_id == self.conversation_id and item.parent_id == last
            if item.exchange_id == last or (follows and item.parent_id):
                return item
        return None

    def _await(self, opening: Job[OpenedConversation | None] | None) -> None:
        if self._opening is not None:
            self._opening.drop()
        self._opening = opening

    def _leave(self) -> None:
        """Clear the conversation on show; its running answer continues."""
        self._shown = None
        self._branch = []
        self._chat.set_busy(False)
        self._chat.composer.set_waiting(None)

    def _draw(self, event: AnswerEvent) -> None:
        self._chat.handle(event)
        if isinstance(event, AnswerStarted):
            self._grow_branch(event.exchange)
            if self.conversation_id != event.conversation_id:
                self.conversation_id = event.conversation_id
                self.conversation_shown.emit(event.conversation_id)
            self._sources.begin(event.exchange.id)
            # Before the first word, so that no line moves under the reader's eyes.
            self.sources_changed.emit(True)
        elif isinstance(event, SourcesFound):
            self._sources.add_sources(event.sources)
        elif isinstance(event, AnswerCitation):
            self._sources.add_citation(event.citation)
        elif isinstance(event, AnswerDone | AnswerInterrupted):
            self._branch = [event.exchange if it.id == event.exchange.id else it for it in self._branch]
            self._sources.show_exchange(event.exchange)
            self.sources_changed.emit(bool(event.exchange.sources))

    def _grow_branch(self, exchange: Exchange) -> None:
        """Append an exchange to its parent; what followed the parent is on another branch."""
        ids = [item.id for item in self._branch]
        after = ids.index(exchange.parent_id) + 1 if exchange.parent_id in ids else 0
        self._branch[after:] = [exchange]

    def _show_sources_of(self, exchange_id: int | None) -> None:
        """Show the sources of an exchange, or of the newest exchange that has any."""
        wanted = self.exchange(exchange_id or 0)
        if wanted is None or not wanted.sources:
            wanted = next((item for item in reversed(self._branch) if item.sources), None)
        self._sources.clear()
        if wanted is not None:
            self._sources.show_exchange(wanted)
        self.sources_changed.emit(wanted is not None)

    def _report_answering(self) -> None:
        ids = (running.conversation_id for running in self.running)
        self.answering_changed.emit(frozenset(key for key in ids if key is not None))
