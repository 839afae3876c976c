"""An asyncio loop in its own thread, for everything that waits for a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext, suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.workers.job import Job

_THREADS = 16  # for what blocks: searches and requests to servers


class ChatLoop(QThread):
    """Runs jobs side by side, but jobs with the same key one after another.

    Work that returns an async generator is iterated in the loop, where cancelling takes effect at once. Other
    work blocks one of the loop's threads.
    """

    def __init__(self, rag: RAGSystem) -> None:
        super().__init__()
        self.setObjectName("chat")
        self._rag = rag
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(_THREADS, "asyncio"))
        self._unfinished: set[Job[Any]] = set()
        self._turns: dict[str, asyncio.Lock] = {}

    def put(self, job: Job[Any]) -> None:
        """Start a job when its turn comes; a cancelled answer still reports what has arrived."""
        job.on_cancel = asyncio.run_coroutine_threadsafe(self._execute(job), self._loop).cancel

    def run(self) -> None:
        """Run the loop until :meth:`close`."""
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def close(self) -> None:
        """Stop all jobs, save what has arrived of answers, and end the thread. Blocks until done."""
        asyncio.run_coroutine_threadsafe(self._shut_down(), self._loop)
        self.wait()

    async def _execute(self, job: Job[Any]) -> None:
        self._unfinished.add(job)
        try:
            with job.reporting():
                async with self._turn(job.key):
                    outcome = await _in_thread(job)
                    if not isinstance(outcome, AsyncGenerator):
                        job.succeed(outcome)
                        return
                    async with aclosing(outcome) as events:
                        async for event in events:
                            job.tell(event)
        finally:
            self._unfinished.remove(job)

    def _turn(self, key: str) -> AbstractAsyncContextManager[object]:
        return self._turns.setdefault(key, asyncio.Lock()) if key else nullcontext()

    async def _shut_down(self) -> None:
        try:
            for job in self._unfinished:
                job.token.cancel()
            running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in running:
                task.cancel()
            for task in running:
                with suppress(asyncio.CancelledError):
                    await task
            await self._rag.answers.disconnect()
        finally:  # close() waits for this, whatever a task or a connection raises
            self._loop.stop()


async def _in_thread(job: Job[Any]) -> object:
    """Begin a job in a thread of the loop. When it is cancelled, wait until the thread has noticed."""
    working = asyncio.get_running_loop().run_in_executor(None, job.begin)
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        working.result()
        raise
