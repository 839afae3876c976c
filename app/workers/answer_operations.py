"""Asking questions, and trying the connection to the model server."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.errors import LecternError
from app.workers.job import Operation

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from app.config.settings import Settings
    from app.domain.scope import Scope
    from app.workers.chat_loop import ChatLoop
    from app.workers.job import Job
    from app.workers.workers import Workers

_log = logging.getLogger(__name__)
_tr = QCoreApplication.translate


class AnswerOperations:
    """Run concurrently in the chat loop; a cancelled answer still reports what has arrived."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    def ask(
        self, question: str, conversation_id: int | None, scope: Scope, parent_id: int | None = None
    ) -> Operation[None]:
        """Answer a question; the events are AnswerEvents.

        Args:
            question: as typed.
            conversation_id: None begins a new conversation; AnswerStarted carries its id.
            scope: what the question is restricted to.
            parent_id: the exchange it follows; None for the newest, ``BEFORE_ALL`` for none.
        """
        return self._in_loop(
            _tr("Workers", "Answering a question"),
            lambda chat: chat.answer(question, conversation_id, scope, parent_id),
        )

    def test_connection(self, settings: Settings, new_key: str | None, use_stored: bool) -> Operation[None]:
        """Check what a model server can do; the events are ConnectionChecks and a tuple of ModelInfo.

        Args:
            settings: of the server and model; need not be saved.
            new_key: as typed; None for the existing key.
            use_stored: whether a stored key may be used; one in the environment always is.
        """
        return self._in_loop(
            _tr("Workers", "Trying the connection"),
            lambda chat: chat.test_connection(settings, new_key, use_stored),
        )

    def tell_spending(self) -> Operation[None]:
        """Emit ``workers.spent`` with the cost of this month's answers."""

        def add_up() -> None:
            try:
                self._workers.send(self._workers.spent.emit, self._workers.rag.answers.spending())
            except LecternError as error:
                _log.warning("The spending cannot be read: %s", error)

        what = _tr("Workers", "Adding up what was spent")
        return Operation(self._workers, self._workers.conversations.queue, what, lambda _: add_up())

    def _in_loop(
        self, what: str, work: Callable[[ChatLoop], AsyncGenerator[object, None]]
    ) -> Operation[None]:
        chat = self._workers.chat

        def begin(_: Job[None]) -> AsyncGenerator[object, None]:
            assert chat is not None  # no operation runs before the start
            return work(chat)

        return Operation(self._workers, chat, what, begin)
