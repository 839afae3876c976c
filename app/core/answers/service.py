"""From a question to its answer, as a stream of events."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.config.settings import CurrentSettings, Settings
from app.core.answers.ai_generator import AIGenerator, SeePages
from app.core.answers.citations import GenerationEnd, GenerationEvent
from app.core.answers.costs import estimate, month_start, price_list, price_of_picture, whole_scope
from app.core.answers.grounding import attempts_at
from app.core.answers.likeness import TextEmbedder
from app.core.answers.passage_answer import digest_events, or_passages, passage_events, worth_showing
from app.core.answers.prompts import load_prompt, mend_surrogates
from app.core.answers.proof.claims import says_not_covered
from app.core.answers.proof.examination import examined
from app.core.answers.providers.base import OWN_COMPUTER, ModelProvider, ModelSettings
from app.core.answers.providers.choice import provider_for
from app.core.answers.providers.server_memory import ServerMemory
from app.core.answers.short_prompts import MOST_TOKENS
from app.core.answers.side_request import known_error, look_again
from app.core.answers.sources import Library, SentWhole
from app.core.answers.tools import ToolManager
from app.core.conversations.session_manager import SessionManager, autosave, completed
from app.domain.conversations import ChatMessage, Exchange, ExchangeState
from app.domain.errors import LecternError, LibraryUnusable
from app.domain.events import (
    AnswerChecking,
    AnswerCitation,
    AnswerDone,
    AnswerEvent,
    AnswerExamined,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    AnswerUsage,
    PassagesInstead,
    ReadingStarted,
    SearchStarted,
    SourcesFound,
)
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck, ModelInfo, Spending, Usage, WholeScope
from app.domain.scope import Scope
from app.domain.search import SearchHit, SearchResults, rated
from app.domain.sources import Source

if TYPE_CHECKING:
    from app.core.local_models.service import LocalModels

_IDLE_SECONDS = 3  # after an answer
_SLOWER = 5  # times as long as others may a server on a small computer be silent

_log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """An exchange to be written, and the conversation before it."""

    exchange: Exchange
    connection: ModelSettings | None  # None without a model
    history: Sequence[ChatMessage] = ()
    kept: tuple[Source, ...] = ()  # the sources of the last answer
    before: tuple[Exchange, ...] = ()  # the earlier exchanges of its branch, hints among them


Writer = Callable[[Asked], AsyncGenerator[GenerationEvent, None]]
"""Writes an exchange that is not an answer, such as a hint."""


class AnswerService:
    """Answers questions from the library, and knows the model server.

    ``make_provider`` makes the provider of a model, by default for the servers Lectern knows; what these
    learn of a server is kept in ``servers_file``. ``embedder`` gives the vector of a text, by which
    claims are compared with their sources in meaning, ``see`` the pages that sources are from,
    ``local_models`` what runs models on this computer. ``writers`` write the exchanges that are not
    answers; the key is their kind up to the colon.
    """

    def __init__(
        self,
        settings: CurrentSettings,
        sessions: SessionManager,
        search: Library,
        make_provider: Callable[[ModelSettings], ModelProvider] | None = None,
        servers_file: Path | None = None,
        embedder: TextEmbedder | None = None,
        see: SeePages | None = None,
        local_models: Callable[[], "LocalModels"] | None = None,
        writers: Mapping[str, Writer] | None = None,
    ) -> None:
        self.limits = ModelSettings(model="")  # that are not settings, time-outs among them
        self._settings = settings
        self._sessions = sessions
        self._search = search
        self._embedder = embedder
        self._see = see
        self._writers = writers or {}
        memory = ServerMemory(servers_file)
        self.make_provider = make_provider or partial(provider_for, memory=memory, local_models=local_models)
        # One per ModelSettings: its connection stays open between questions.
        self._generators: dict[ModelSettings, AIGenerator] = {}
        self._asked: list[ModelSettings] = []  # those of the answers that are being written
        self._probing: asyncio.Task[None] | None = None

    def connection(self, key: str | None, settings: Settings | None = None) -> ModelSettings | None:
        """Return the model to ask; None without one, or without a key for a service that needs it."""
        settings = settings or self._settings.value
        if not settings.has_model(key):
            return None
        connection = replace(
            self.limits,
            model=settings.model,
            provider=settings.provider,
            base_url=settings.base_url or None,
            api_key=key or "",
            max_tokens=settings.max_tokens,
            effort=settings.effort,
            max_rounds=settings.max_search_rounds,
            send_passages=settings.send_passages,
            short=settings.short_prompts,
            send_pages=settings.send_pages,
        )
        if settings.provider == "local":
            connection = replace(connection, base_url=OWN_COMPUTER, api_key="", short=True)
        if connection.short:
            connection = replace(connection, max_tokens=min(settings.max_tokens, MOST_TOKENS))
        if connection.may_read_long:
            patience = _SLOWER * self.limits.timeout_read
            content = max(patience, self.limits.timeout_content)
            connection = replace(connection, timeout_read=patience, timeout_content=content)
        return connection

    async def check_connection(
        self, connection: ModelSettings
    ) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        """Try what a model server can do; yield each finding, and its models once they are known."""
        async with aclosing(self.make_provider(connection)) as provider, aclosing(provider.check()) as found:
            async for item in found:
                yield item

    async def probe(self, connection: ModelSettings, starting: Callable[[], object]) -> None:
        """Find out what a model can do, if that is not known; ``starting`` is called before it takes time.

        After a first answer of a model this happens by itself, as long as no question is asked.
        """
        if connection.short:  # nothing depends on what it can do, and trying costs minutes
            return
        async with aclosing(self.make_provider(connection)) as provider:
            await provider.probe(starting)

    def list_models(self, key: str | None, settings: Settings | None = None) -> tuple[ModelInfo, ...]:
        """Ask the server of the settings for its models; raises LecternError if that fails."""
        settings = settings or self._settings.value
        connection = self.connection(key, replace(settings, model=settings.model or "unknown"))
        return () if connection is None else asyncio.run(self._list_models(connection))

    async def _list_models(self, connection: ModelSettings) -> tuple[ModelInfo, ...]:
        async with aclosing(self.make_provider(connection)) as provider:
            return await provider.list_models()

    def spending(self) -> Spending:
        """Return what answers have cost since the month began, in local time."""
        spent = self._sessions.spent_since(month_start(), self._settings.value.monthly_budget)
        return spent._replace(prices=price_list().date)

    def is_budget_spent(self) -> bool:
        return bool(self._settings.value.monthly_budget) and self.spending().share >= 1

    def whole_scope(self, scope: Scope, connection: ModelSettings) -> WholeScope | None:
        """Return what will be sent along with each question of a scope, and its price; None if nothing."""
        return estimate(self._whole(scope, connection), connection.model)

    def price_of_page(self, model: str) -> float | None:
        """Return about what the picture of a page costs in a request, in US dollars; None if unknown."""
        return price_of_picture(model)

    def _whole(self, scope: Scope, connection: ModelSettings) -> tuple[SearchHit, ...]:
        most = 0 if connection.short else self._settings.value.whole_scope_tokens
        return whole_scope(self._search, scope, most)

    async def query(
        self,
        question: str,
        connection: ModelSettings | None,
        *,
        conversation_id: int | None = None,
        parent_id: int | None = None,
        scope: Scope | None = None,
        kind: str = "",
        before: tuple[Exchange, ...] = (),
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer a question; saved as it happens when it belongs to a conversation.

        Cancelling the task that iterates ends the answer: the last event is then
        :class:`AnswerInterrupted` with what came.

        Args:
            question: as the user typed it.
            connection: the model to ask; None answers with the passages themselves.
            conversation_id: where to save it; None saves nothing.
            parent_id: the exchange it follows; None for the newest, ``BEFORE_ALL`` for none.
            scope: what the user restricted the question to.
            kind: of what is written instead of an answer; empty for an answer.
            before: what such a step follows, where it is not saved.
        """
        scope = scope or Scope()
        question = mend_surrogates(question)
        began = time.monotonic()
        if kind.partition(":")[0] not in self._writers:  # whose feature may be gone
            kind = ""
        model = connection.model if connection and not kind else None
        state = ExchangeState.WRITING
        begun = Exchange(0, parent_id, question, "", state, scope, model=model, kind=kind)
        try:
            asked = await self._begun(Asked(begun, connection, before=before), conversation_id)
        except Exception as error:
            raise known_error(error) from None
        sessions = None if conversation_id is None else self._sessions
        exchange = asked.exchange
        ended: AnswerDone | AnswerInterrupted
        along: tuple[Source, ...] = ()  # that an answer shows only if they are cited
        own: int | None = None  # characters that the model has written; what follows are passages
        try:
            yield AnswerStarted(exchange, conversation_id or 0)
            events = self._answer(asked)
            async with aclosing(events), autosave(sessions, exchange) as draft:
                async for event in events:
                    draft.exchange = exchange = with_event(exchange, event)
                    if isinstance(event, SentWhole):
                        along += event.sources
                    elif isinstance(event, GenerationEnd):
                        own = len(exchange.answer)
                    else:
                        yield event
            if exchange.model and exchange.answer:
                yield AnswerChecking()
        except asyncio.CancelledError:
            ended = AnswerInterrupted(_stopped(exchange))
        except GeneratorExit:  # whoever asked does not listen any more
            _keep(self._sessions, replace(_stopped(exchange), seconds=time.monotonic() - began))
            raise
        except Exception as error:  # even a bug: every answer ends in a state
            ended = _failed(exchange, error)
        else:
            ended = AnswerDone(replace(exchange, state=ExchangeState.DONE))
        exchange = ended.exchange
        examination, found = await examined_whole(exchange, along, self._embedder, own)
        exchange = replace(exchange, sources=exchange.sources + found)
        if examination is not None:
            exchange = by_its_word(with_event(exchange, examination))
        exchange = await self._kept(replace(exchange, seconds=time.monotonic() - began))
        if examination is not None:
            if found:
                yield SourcesFound(found)
            yield examination
        yield ended._replace(exchange=exchange)

    async def look_again(
        self, exchange: Exchange, connection: ModelSettings | None
    ) -> AsyncGenerator[Exchange, None]:
        """Put claims of a stored answer that were not found to a model; yield it with the verdicts."""
        if connection is None:
            raise LecternError(Message("answers.no_key"))
        found = await look_again(exchange, connection, self.make_provider)
        if found is not None:
            yield await self._kept(*found)

    async def _kept(self, exchange: Exchange, spent: Usage | None = None) -> Exchange:
        saving = asyncio.to_thread(_keep, self._sessions, exchange, spent)
        return await completed(asyncio.ensure_future(saving))

    async def _begun(self, asked: Asked, conversation_id: int | None) -> Asked:
        """Begin an exchange in a thread; one that is cancelled in the meantime is stored as stopped."""
        if conversation_id is None:
            return asked
        beginning = asyncio.ensure_future(asyncio.to_thread(self._begin, asked, conversation_id))
        try:
            return await asyncio.shield(beginning)
        except asyncio.CancelledError:
            await self._kept(_stopped((await completed(beginning)).exchange))
            raise

    def _begin(self, asked: Asked, conversation_id: int) -> Asked:
        """Store the question; also return what was said before it."""
        limit = self._settings.value.exchanges_remembered
        begun = asked.exchange
        before = conversation_id, begun.parent_id
        history = self._sessions.get_conversation_history(
            conversation_id, limit, begun.parent_id, left_out=load_prompt("left_out")
        )
        kept = self._sessions.get_last_sources(*before) if limit else ()
        branch = self._sessions.get_branch(*before) if begun.kind else ()
        exchange = self._sessions.begin_exchange(
            conversation_id, begun.question, begun.scope, begun.model, begun.parent_id, begun.kind
        )
        return Asked(exchange, asked.connection, history, kept, branch)

    def _answer(self, asked: Asked) -> AsyncGenerator[GenerationEvent, None]:
        exchange, connection = asked.exchange, asked.connection
        if writer := self._writers.get(exchange.kind.partition(":")[0]):
            return writer(asked)
        question, scope = exchange.question, exchange.scope
        if connection is None:
            return self._answer_with_passages(question, asked.history, scope)
        events = self._answer_with_model(question, connection, asked.history, asked.kept, scope)
        look_up = partial(self.look_up, question, asked.history, scope)
        return or_passages(question, events, look_up, self._embedder, is_small=connection.short)

    async def _answer_with_passages(
        self, question: str, history: Sequence[ChatMessage], scope: Scope
    ) -> AsyncGenerator[GenerationEvent, None]:
        place = await asyncio.to_thread(self._search.place_asked_for, question, scope)
        if isinstance(place, Message):
            for event in passage_events(SearchResults(question, None, (), place), (), None):
                yield event
            return
        if place is not None and (digest := await asyncio.to_thread(self._search.digest, *place, scope)):
            yield ReadingStarted(*place)
            sources = self._numbered(digest.parts)
            yield SourcesFound(sources)
            for event in digest_events(digest, sources, of_course=place[1] is None):
                yield event
            return
        async for step in self._search_for(question, history, scope):
            if isinstance(step, SearchStarted):
                yield step
                continue
            sources = self._numbered(step.hits)
            yield SourcesFound(sources)
            for event in await asyncio.to_thread(passage_events, step, sources, self._embedder):
                yield event

    async def look_up(
        self, question: str, history: Sequence[ChatMessage], scope: Scope
    ) -> AsyncGenerator[SearchStarted | SourcesFound, None]:
        """Search for what a question rests on without a model, best first."""
        async for step in self._search_for(question, history, scope):
            yield step if isinstance(step, SearchStarted) else SourcesFound(self._numbered(step.hits))

    async def _search_for(
        self, question: str, history: Sequence[ChatMessage], scope: Scope
    ) -> AsyncGenerator[SearchStarted | SearchResults, None]:
        """Search without a model; the results come last."""
        for query in attempts_at(question, history):
            yield SearchStarted(query)
            results = await asyncio.to_thread(self._search.retrieve, query, None, None, scope, None)
            if results.covered:
                break
        yield replace(results, hits=worth_showing(results.hits))

    def _numbered(self, hits: Sequence[SearchHit]) -> tuple[Source, ...]:
        return tuple(self._search.make_source(n, hit) for n, hit in enumerate(hits, 1))

    async def _answer_with_model(
        self,
        question: str,
        connection: ModelSettings,
        history: Sequence[ChatMessage],
        kept: Sequence[Source],
        scope: Scope,
    ) -> AsyncGenerator[GenerationEvent, None]:
        whole = await asyncio.to_thread(self._whole, scope, connection)
        await self._stop_probing()
        self._asked.append(connection)
        try:
            if connection not in self._generators:
                provider = self.make_provider(connection)
                self._generators[connection] = AIGenerator(connection, provider, self._see, self._embedder)
                while earlier := self._generators.keys() - self._asked:  # settings, with their key
                    await self._generators.pop(earlier.pop()).aclose()
            generator, tools = self._generators[connection], ToolManager(self._search, scope)
            async with aclosing(generator.generate(question, history, scope, tools, kept, whole)) as events:
                async for event in events:
                    yield event
        finally:
            self._asked.remove(connection)
        await self._stop_probing()
        if connection.short:  # what was read of this chat is to stay read
            return
        self._probing = asyncio.create_task(_probe_when_idle(generator, connection))

    async def _stop_probing(self) -> None:
        probing, self._probing = self._probing, None
        if probing is not None and not probing.done():
            probing.cancel()
            await asyncio.wait([probing])

    async def disconnect(self) -> None:
        """Close the connections to model servers; the next question opens one."""
        await self._stop_probing()
        while self._generators:
            await self._generators.popitem()[1].aclose()


def _stopped(exchange: Exchange) -> Exchange:
    return replace(exchange, state=ExchangeState.STOPPED, stop_reason="stopped")


def _failed(exchange: Exchange, error: Exception) -> AnswerInterrupted:
    return AnswerInterrupted(replace(exchange, state=ExchangeState.FAILED, error=known_error(error).message))


def _keep(sessions: SessionManager, exchange: Exchange, spent: Usage | None = None) -> Exchange:
    """Save an exchange that has ended, or its cost; return it as shown.

    ``spent`` is what it has cost since it was last kept; by default everything.
    """
    if not exchange.id:  # of no conversation
        sessions.record_unsaved(spent or exchange.usage)
        return exchange
    try:
        sessions.save(exchange)
    except LibraryUnusable as error:  # a full disk: the answer is shown, and that it is not kept
        return replace(exchange, state=ExchangeState.FAILED, error=error.message)
    except Exception as error:  # something that came with the text cannot be stored
        exchange = replace(exchange, state=ExchangeState.FAILED, error=known_error(error).message)
        text = mend_surrogates(exchange.answer)
        bare = Exchange(exchange.id, exchange.parent_id, exchange.question, text, ExchangeState.FAILED)
        try:
            sessions.save(replace(bare, error=exchange.error, seconds=exchange.seconds))
        except Exception:  # the answer is shown, and lost when the window closes
            _log.exception("An answer could not be saved.")
    return exchange


async def _probe_when_idle(generator: AIGenerator, connection: ModelSettings) -> None:
    """Find out what the model can do once nobody has asked it anything for a moment."""
    await asyncio.sleep(_IDLE_SECONDS * connection.second)
    await generator.probe()


def with_event(exchange: Exchange, event: GenerationEvent | AnswerExamined) -> Exchange:
    """Return the exchange as it stands after an event."""
    match event:
        case AnswerText(text):
            return replace(exchange, answer=exchange.answer + text)
        case SourcesFound(sources):
            return replace(exchange, sources=exchange.sources + sources)
        case AnswerCitation(citation):
            return replace(exchange, citations=(*exchange.citations, citation))
        case AnswerExamined(citations, claims):
            return replace(exchange, citations=citations, claims=claims)
        case AnswerUsage(usage):
            cost = price_list().cost(exchange.model, usage) if usage.cost is None else usage.cost
            return replace(exchange, usage=replace(usage, cost=cost))
        case GenerationEnd(stop_reason, model, note):
            model_of_answer = None if exchange.kind else model
            return replace(exchange, stop_reason=stop_reason, model=model_of_answer, error=note)
        case PassagesInstead():
            return replace(exchange, model=None)
    return exchange


def by_its_word(exchange: Exchange) -> Exchange:
    """Return an answer that says itself that the courses do not cover the question as not covered."""
    if exchange.citations or exchange.in_line_count or not says_not_covered(exchange.answer):
        return exchange
    hits = rated([source.hit for source in exchange.sources], covered=False, missing=exchange.missing)
    sources = (replace(source, hit=hit) for source, hit in zip(exchange.sources, hits, strict=True))
    return replace(exchange, sources=tuple(sources))


async def examined_whole(
    exchange: Exchange, along: Sequence[Source], embedder: TextEmbedder | None, own: int | None = None
) -> tuple[AnswerExamined | None, tuple[Source, ...]]:
    """Examine an answer, or ``own`` characters of it, against its sources and what was sent along.

    Return also those of the sources sent along that only the examination has found to support it.
    """
    unseen = tuple(source for source in along if source not in exchange.sources)
    written = exchange.answer[:own]
    passages = tuple(one for one in exchange.citations if one.answer_end > len(written))
    cited_by_it = exchange.citations[: len(exchange.citations) - len(passages)]
    part = replace(exchange, answer=written, citations=cited_by_it, sources=exchange.sources + unseen)
    examination = await examined(part, embedder)
    if examination is not None:
        examination = examination._replace(citations=examination.citations + passages)
    cited = {citation.source_n for citation in examination.citations} if examination else set()
    return examination, tuple(source for source in unseen if source.n in cited)
