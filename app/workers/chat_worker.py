"""Answers questions: an asyncio loop in a thread of its own, so that Stop is immediate."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread, Signal

from app.core.rag_system import model_settings, preload
from app.domain.errors import LecternError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from app.config.secrets import KeyStore
    from app.core.rag_system import RAGSystem
    from app.domain.models import Scope

_log = logging.getLogger(__name__)


class ChatWorker(QThread):
    """Answers in several conversations at a time, one in each.

    Its methods are called from the window's thread and return at once.
    """

    happened = Signal(int, object)
    """Job and AnswerEvent."""
    finished_job = Signal(int)
    """The answer is over, however it ended; nothing of it comes after."""
    failed = Signal(str)
    """A question could not even be stored: one sentence."""
    crashed = Signal(str)
    """A bug: what was being done."""

    def __init__(self, rag: RAGSystem, keys: KeyStore) -> None:
        super().__init__()
        self.setObjectName("chat")
        self._rag = rag
        self._keys = keys
        self._loop = asyncio.new_event_loop()
        self._answers: dict[int, Future[None]] = {}

    def run(self) -> None:
        """Serve the loop until :meth:`close`; Qt calls this in the new thread."""
        asyncio.set_event_loop(self._loop)
        # Importing the SDK holds the interpreter for a tenth of a second: early, not at the question.
        preloading = self._loop.create_task(preload())
        self._loop.run_forever()
        preloading.cancel()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def ask(
        self,
        job: int,
        question: str,
        conversation_id: int | None,
        scope: Scope,
        parent_id: int | None = None,
    ) -> None:
        """Begin an answer; its events carry ``job``.

        Args:
            job: a number of the caller's.
            question: as typed.
            conversation_id: None begins a new conversation; AnswerStarted tells its number.
            scope: what the question is restricted to.
            parent_id: the exchange it follows; None for the newest, ``BEFORE_ALL`` for none.
        """
        answer = asyncio.run_coroutine_threadsafe(
            self._run(job, question, conversation_id, scope, parent_id), self._loop
        )
        self._answers[job] = answer
        answer.add_done_callback(lambda _: self._answers.pop(job, None))

    def stop(self, job: int) -> None:
        """End an answer that is being written; what came is kept."""
        answer = self._answers.get(job)
        if answer is not None:
            answer.cancel()

    def close(self) -> None:
        """Stop all answers, save what came and end the thread. Blocks until that is done."""
        asyncio.run_coroutine_threadsafe(self._shut_down(), self._loop)
        self.wait()

    async def _run(
        self, job: int, question: str, conversation_id: int | None, scope: Scope, parent_id: int | None
    ) -> None:
        try:
            key, _ = await asyncio.to_thread(self._keys.read, self._rag.settings.base_url)
            if conversation_id is None:
                conversation_id = self._rag.sessions.create_session(scope)
            connection = model_settings(self._rag.settings, key)
            async for event in self._rag.query(
                question, connection, conversation_id=conversation_id, parent_id=parent_id, scope=scope
            ):
                self.happened.emit(job, event)
        except LecternError as error:
            self.failed.emit(str(error))
        except Exception:
            _log.exception("Answering failed.")
            self.crashed.emit(self.tr("Answering a question"))
        finally:
            self.finished_job.emit(job)

    async def _shut_down(self) -> None:
        running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        for task in running:
            with suppress(asyncio.CancelledError):
                await task
        await self._rag.disconnect()
        self._loop.stop()
