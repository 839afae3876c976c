"""An asyncio loop in its own thread, which writes answers; Stop takes effect at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QThread

from app.config.redaction import hide
from app.config.secrets import KeyOrigin
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck
from app.features.study.model.making import nothing_made

if TYPE_CHECKING:
    from app.config.secrets import KeyStore
    from app.config.settings import Settings
    from app.core.rag_system import RAGSystem
    from app.domain.events import AnswerEvent
    from app.domain.model_servers import ModelInfo
    from app.domain.scope import Scope
    from app.features.study.model.making import MakeEvent, MakeRequest
    from app.workers.job import Job


class ChatLoop(QThread):
    """Runs jobs whose work is an async generator of events, concurrently."""

    def __init__(self, rag: RAGSystem, keys: KeyStore) -> None:
        super().__init__()
        self.setObjectName("chat")
        self._rag = rag
        self._keys = keys
        self._loop = asyncio.new_event_loop()
        self._writing = asyncio.Lock()  # of suggested questions

    def put(self, job: Job[Any]) -> None:
        """Start a job; a cancelled answer still reports what has arrived."""
        job.on_cancel = asyncio.run_coroutine_threadsafe(_execute(job), self._loop).cancel

    def run(self) -> None:
        """Run the loop until :meth:`close`."""
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def close(self) -> None:
        """Stop all answers, save what has arrived, and end the thread. Blocks until done."""
        asyncio.run_coroutine_threadsafe(self._shut_down(), self._loop)
        self.wait()

    async def answer(
        self, question: str, conversation_id: int | None, scope: Scope, parent_id: int | None
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer a question; see :meth:`AnswerOperations.ask`."""
        key, _ = await asyncio.to_thread(self._keys.read, self._rag.settings.base_url)
        if conversation_id is None:
            conversation_id = self._rag.conversations.create_session(scope)
        answers = self._rag.answers
        asked = answers.query(
            question,
            answers.connection(key),
            conversation_id=conversation_id,
            parent_id=parent_id,
            scope=scope,
        )
        async with aclosing(asked) as events:  # so that it is saved, whatever ends this
            async for event in events:
                yield event

    async def test_connection(
        self, settings: Settings, new_key: str | None, use_stored: bool
    ) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        """Check what a model server can do; see :meth:`AnswerOperations.test_connection`."""
        hide(new_key or "")
        key, origin = await asyncio.to_thread(self._keys.read, settings.base_url)
        if origin is not KeyOrigin.ENVIRONMENT:
            key = new_key or (key if use_stored else None)
        connection = self._rag.answers.connection(key, settings)
        if connection is None:
            yield ConnectionCheck("key", False, Message("answers.check_no_key"))
            return
        async with aclosing(self._rag.answers.check_connection(connection)) as found:
            async for item in found:
                yield item

    async def write_questions(self, show: Callable[[], None]) -> AsyncGenerator[str, None]:
        """Write questions for courses that have none; see :meth:`AnswerOperations.write_questions`."""
        key, _ = await asyncio.to_thread(self._keys.read, self._rag.settings.base_url)
        connection = self._rag.answers.connection(key)
        if connection is None:
            return
        async with self._writing:  # a window in another language asks for it, too
            for title in await asyncio.to_thread(self._rag.courses.without_questions):
                if not self._rag.settings.write_suggestions:
                    return
                if not await self._rag.questions.write(title, connection):
                    return  # the next start tries again
                await asyncio.to_thread(show)
                yield title

    async def make(self, request: MakeRequest) -> AsyncGenerator[MakeEvent, None]:
        """Have a model make items; a cancelled making still reports what was made."""
        key, _ = await asyncio.to_thread(self._keys.read, self._rag.settings.base_url)
        connection = self._rag.answers.connection(key)
        if connection is None:
            yield nothing_made(Message("answers.no_key"))
            return
        async with aclosing(self._rag.making.make(request, connection)) as events:
            async for event in events:
                yield event

    async def _shut_down(self) -> None:
        try:
            running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in running:
                task.cancel()
            for task in running:
                with suppress(asyncio.CancelledError):
                    await task
            await self._rag.answers.disconnect()
        finally:  # close() waits for this, whatever a task or a connection raises
            self._loop.stop()


async def _execute(job: Job[Any]) -> None:
    with job.reporting():
        work = job.work(job)
        assert isinstance(work, AsyncGenerator)
        async with aclosing(work) as events:
            async for event in events:
                job.tell(event)
