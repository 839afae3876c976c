"""The questions that were asked last, in any chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.scope import Scope

if TYPE_CHECKING:
    from app.core.conversations.session_manager import SessionManager


def ask(sessions: SessionManager, conversation: int, question: str) -> int:
    return sessions.begin_exchange(conversation, question, Scope(), "model").id


def test_the_newest_come_first_each_with_the_place_of_its_last_answer(sessions: SessionManager) -> None:
    first, second = sessions.create_session(), sessions.create_session()
    ask(sessions, first, "What is\n flour?")
    rye = ask(sessions, second, "What is rye?")
    again = ask(sessions, first, "What is\n flour?")
    hits = sessions.recent_questions(10)
    assert [(hit.conversation.id, hit.exchange_id, hit.snippet) for hit in hits] == [
        (first, again, "What is flour?"),
        (second, rye, "What is rye?"),
    ]
    assert [hit.snippet for hit in sessions.recent_questions(1)] == ["What is flour?"]


def test_deleted_chats_are_not_among_them_and_long_questions_are_cut(sessions: SessionManager) -> None:
    assert sessions.recent_questions(10) == ()
    kept, deleted = sessions.create_session(), sessions.create_session()
    ask(sessions, kept, "why " * 1_000)
    ask(sessions, deleted, "What is rye?")
    sessions.delete(deleted)
    (hit,) = sessions.recent_questions(10)
    assert len(hit.snippet) <= 200
