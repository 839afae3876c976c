"""A model that Lectern runs itself, behind the Messages protocol of llama.cpp's server."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.answers.providers.anthropic.provider import AnthropicProvider
from app.core.answers.providers.base import Abilities, ModelSettings, ReplyEvent, Turn
from app.core.answers.providers.server_memory import ServerMemory
from app.core.local_models.service import LocalModels
from app.domain.cancel import CancelToken
from app.domain.errors import ConnectionTrouble, LecternError
from app.domain.events import ModelLoading
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck, ModelInfo

if TYPE_CHECKING:
    from app.core.local_models.engine import Endpoint

_NOT_TAKEN = ("output_config", "cache_control", "thinking", "citations", "pictures", "tools")


class LocalProvider:
    """Implements :class:`ModelProvider`; the model is loaded when it is first asked."""

    def __init__(self, settings: ModelSettings, models: LocalModels) -> None:
        self._settings = settings
        self._models = models
        self._provider: AnthropicProvider | None = None

    async def abilities(self) -> Abilities:
        return Abilities(tools=False, citations=False, searches=False, pictures=False)

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        if not await asyncio.to_thread(self._models.is_loaded, self._settings.model):
            yield ModelLoading()
        failure: LecternError | None = None
        async with self._loaded() as provider:
            try:
                async with aclosing(provider.reply(turn)) as events:
                    async for event in events:
                        yield event
            except ConnectionTrouble as error:  # the address is nothing to people
                failure = ConnectionTrouble(Message("local.ended", name=self._name))
                failure.may_pass = error.may_pass
        if failure is not None:
            await asyncio.to_thread(self._models.close)  # it has crashed, or hangs
            raise failure

    def remember(self, *, searches: bool) -> None:
        """There is nothing to find out: a small model always gets the passages."""

    async def probe(self, starting: Callable[[], object] = lambda: None) -> None:
        """Likewise."""

    async def list_models(self) -> tuple[ModelInfo, ...]:
        return (ModelInfo(self._settings.model, self._name),)

    async def check(self) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        """Load the model."""
        yield await self.list_models()
        try:
            async with self._loaded():
                sentence = Message("answers.check_model", model=self._name)
                yield ConnectionCheck("messages", True, sentence)
        except LecternError as error:
            yield ConnectionCheck("messages", False, error.message)

    async def aclose(self) -> None:
        provider, self._provider = self._provider, None
        if provider is not None:
            await provider.aclose()

    @property
    def _name(self) -> str:
        return self._models.name(self._settings.model)

    @asynccontextmanager
    async def _loaded(self) -> AsyncIterator[AnthropicProvider]:
        """Yield what asks the model, and keep the model loaded meanwhile."""
        token = CancelToken()
        loading = asyncio.ensure_future(asyncio.to_thread(self._models.begin, self._settings.model, token))
        try:
            endpoint = await asyncio.shield(loading)
        except asyncio.CancelledError:
            token.cancel()
            loading.add_done_callback(self._end_late)
            raise
        try:
            if self._provider is None or self._provider.settings.api_key != endpoint.key:
                await self.aclose()
                settings = replace(self._settings, base_url=endpoint.address, api_key=endpoint.key)
                self._provider = AnthropicProvider(settings, ServerMemory())
                self._provider.traits.lacking.update(_NOT_TAKEN)
                self._provider.traits.thinks = False
                await self._provider.open()
            yield self._provider
        finally:
            self._end()

    def _end_late(self, loading: "asyncio.Task[Endpoint]") -> None:
        """End an answer that was stopped while the model was being loaded."""
        if not loading.cancelled() and loading.exception() is None:
            self._end()

    def _end(self) -> None:
        """Say that an answer has ended, which waits while a model is loaded for another one."""
        asyncio.get_running_loop().run_in_executor(None, self._models.end)
