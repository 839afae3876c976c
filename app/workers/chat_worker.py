"""Answers questions: an asyncio loop in a thread of its own, so that Stop is immediate."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread, Signal

from app.config.redaction import hide
from app.config.secrets import KeyOrigin
from app.domain.errors import LecternError
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from concurrent.futures import Future

    from app.config.secrets import KeyStore
    from app.config.settings import Settings
    from app.core.rag_system import RAGSystem
    from app.domain.scope import Scope

_log = logging.getLogger(__name__)


class ChatWorker(QThread):
    """Answers in several conversations at a time, one in each.

    Its methods are called from the window's thread and return at once.
    """

    happened = Signal(int, object)
    """Job and AnswerEvent."""
    finished_job = Signal(int)
    """The answer is over, however it ended; nothing of it comes after."""
    checked = Signal(int, object)
    """Job and a ConnectionCheck, or the tuple of ModelInfo of the server that is tried."""
    check_ended = Signal(int)
    """The trial is over, however it ended."""
    spent = Signal(object)
    """What answers have cost this month: a Spending."""
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
        self._loop.run_forever()
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
        self._begin(job, self._run(job, question, conversation_id, scope, parent_id))

    def check_connection(self, job: int, settings: Settings, new_key: str | None, use_stored: bool) -> None:
        """Try what a model server can do; :meth:`stop` ends that too.

        Args:
            job: a number of the caller's.
            settings: which server and model; need not be saved.
            new_key: as typed; None for the one there is.
            use_stored: whether a stored key may be used; the environment's always is.
        """
        self._begin(job, self._check(job, settings, new_key, use_stored))

    def tell_spending(self) -> None:
        """Send what answers have cost this month."""
        self._begin(0, self._tell_spending())

    def stop(self, job: int) -> None:
        """End an answer that is being written, what came is kept; or end a trial."""
        answer = self._answers.get(job)
        if answer is not None:
            answer.cancel()

    def close(self) -> None:
        """Stop all answers, save what came and end the thread. Blocks until that is done."""
        asyncio.run_coroutine_threadsafe(self._shut_down(), self._loop)
        self.wait()

    def _begin(self, job: int, work: Coroutine[None, None, None]) -> None:
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._answers[job] = running
        running.add_done_callback(lambda _: self._answers.pop(job, None))

    async def _check(self, job: int, settings: Settings, new_key: str | None, use_stored: bool) -> None:
        hide(new_key or "")
        try:
            key, origin = await asyncio.to_thread(self._keys.read, settings.base_url)
            if origin is not KeyOrigin.ENVIRONMENT:
                key = new_key or (key if use_stored else None)
            connection = self._rag.answers.connection(key, settings)
            if connection is None:
                self.checked.emit(job, ConnectionCheck("key", False, Message("answers.check_no_key")))
                return
            async with aclosing(self._rag.answers.check_connection(connection)) as found:
                async for item in found:
                    self.checked.emit(job, item)
        except Exception:
            _log.exception("Trying the connection failed.")
            self.crashed.emit(self.tr("Trying the connection"))
        finally:
            self.check_ended.emit(job)

    async def _tell_spending(self) -> None:
        try:
            self.spent.emit(await asyncio.to_thread(self._rag.answers.spending))
        except LecternError as error:
            _log.warning("What was spent is not known: %s", error)
        except Exception:
            _log.exception("Adding up what was spent failed.")

    async def _run(
        self, job: int, question: str, conversation_id: int | None, scope: Scope, parent_id: int | None
    ) -> None:
        try:
            key, _ = await asyncio.to_thread(self._keys.read, self._rag.settings.base_url)
            if conversation_id is None:
                conversation_id = self._rag.conversations.create_session(scope)
            connection = self._rag.answers.connection(key)
            async for event in self._rag.answers.query(
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
        await self._tell_spending()

    async def _shut_down(self) -> None:
        try:
            running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in running:
                task.cancel()
            for task in running:
                with suppress(asyncio.CancelledError):
                    await task
            await self._rag.answers.disconnect()
        finally:  # whatever a task or a connection still raises, close() is waiting for this
            self._loop.stop()
