from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.conversations import ChatMessage, Exchange, ExchangeState
from app.domain.documents import Anchor
from app.domain.messages import LITERAL, Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.domain.search import SearchHit
from app.domain.sources import Citation, Claim, Source, Support

if TYPE_CHECKING:
    from app.core.conversations.session_manager import SessionManager
    from app.core.storage.database import Database

HIT = SearchHit(
    1, 0.75, "Bread", 0, "Before", 4, "Flour is weighed.", "/b.txt", 10, 27, Anchor("page", 3), None, 9
)
SOURCE = Source(1, "lectern:9:10-27", HIT, ((10, 27),), "ab" * 32)
CITATION = Citation(1, 0, 5, 10, 27, "Flour is weighed.", verified=True)
SCOPE = Scope(("Bread",), (("Tides", 0),), (("Ink", 2),))


def finish(
    sessions: SessionManager, conversation: int, question: str, answer: str, **changes: object
) -> Exchange:
    exchange = sessions.begin_exchange(conversation, question, Scope(), "model")
    exchange = replace(exchange, answer=answer, state=ExchangeState.DONE, **changes)  # type: ignore[arg-type]
    sessions.save(exchange)
    return exchange


def test_the_question_is_stored_before_anything_is_asked(sessions: SessionManager) -> None:
    conversation = sessions.create_session()
    assert sessions.all() == ()
    sessions.begin_exchange(conversation, "  What is\n flour? ", SCOPE, "model-1")
    (listed,) = sessions.all()
    assert listed.title == "What is flour?"
    (stored,) = sessions.exchanges(conversation)
    assert stored.question == "  What is\n flour? "
    assert (stored.state, stored.answer, stored.model, stored.scope) == (
        ExchangeState.WRITING,
        "",
        "model-1",
        SCOPE,
    )


def test_everything_of_an_exchange_comes_back(sessions: SessionManager) -> None:
    conversation = sessions.create_session(SCOPE)
    exchange = finish(
        sessions,
        conversation,
        "What?",
        "Flour is weighed.",
        sources=(SOURCE,),
        citations=(CITATION, replace(CITATION, support=Support.IN_LINE, is_found=True)),
        claims=(Claim(0, 5, Support.IN_LINE), Claim(6, 17, Support.NOT_FOUND, Message("answers.empty"))),
        usage=Usage(1, 2, 3, 4),
        stop_reason="end_turn",
        error=Message("answers.model_unknown", server="localhost", model="sonnet"),
        seconds=1.5,
    )
    assert sessions.exchanges(conversation) == (exchange,)
    sessions.save(exchange)
    assert sessions.exchanges(conversation) == (exchange,)


def test_a_sentence_of_an_earlier_version_comes_back_as_it_was_written(
    sessions: SessionManager, database: Database
) -> None:
    conversation = sessions.create_session()
    finish(sessions, conversation, "What?", "Flour.")
    with database.transaction() as connection:
        connection.execute("UPDATE exchanges SET error = 'It was cut.'")
    (exchange,) = sessions.exchanges(conversation)
    assert exchange.error == Message(LITERAL, text="It was cut.")


def test_history_is_the_last_done_exchanges_as_real_turns(sessions: SessionManager) -> None:
    conversation = sessions.create_session()
    for number in range(3):
        finish(sessions, conversation, f"q{number}", f"a{number}")
    assert sessions.get_conversation_history(conversation, 2) == [
        ChatMessage("user", "q1"),
        ChatMessage("assistant", "a1"),
        ChatMessage("user", "q2"),
        ChatMessage("assistant", "a2"),
    ]
    assert sessions.get_conversation_history(conversation, 0) == []
    assert len(sessions.get_conversation_history(conversation, 20)) == 6


def test_what_was_stopped_or_failed_is_not_sent(sessions: SessionManager) -> None:
    conversation = sessions.create_session()
    finish(sessions, conversation, "good", "yes")
    for state in (ExchangeState.STOPPED, ExchangeState.FAILED):
        exchange = sessions.begin_exchange(conversation, "bad", Scope(), None)
        sessions.save(replace(exchange, answer="half an ans", state=state))
    finish(sessions, conversation, "empty", "  ")
    finish(sessions, conversation, "  ", "unasked")
    sessions.begin_exchange(conversation, "running", Scope(), None)
    turns = sessions.get_conversation_history(conversation, 5)
    assert [turn.content for turn in turns] == ["good", "yes"]


def test_conversations_do_not_mix(sessions: SessionManager) -> None:
    first, second = sessions.create_session(), sessions.create_session()
    finish(sessions, first, "in the first", "1")
    assert sessions.get_conversation_history(second, 5) == []
    finish(sessions, second, "in the second", "2")
    assert [turn.content for turn in sessions.get_conversation_history(first, 5)] == ["in the first", "1"]


def test_exchanges_form_a_tree(sessions: SessionManager) -> None:
    conversation = sessions.create_session()
    root = finish(sessions, conversation, "q1", "a1")
    old = finish(sessions, conversation, "q2", "a2")
    assert old.parent_id == root.id
    edited = sessions.begin_exchange(conversation, "q2 edited", Scope(), None, parent_id=root.id)
    assert [item.question for item in sessions.exchanges(conversation)] == ["q1", "q2 edited"]
    assert [turn.content for turn in sessions.get_conversation_history(conversation, 5, old.id)] == [
        "q1",
        "a1",
        "q2",
        "a2",
    ]
    assert edited.parent_id == root.id


def test_the_newest_conversation_comes_first(sessions: SessionManager) -> None:
    first, second = sessions.create_session(), sessions.create_session()
    finish(sessions, first, "older", "1")
    finish(sessions, second, "newer", "2")
    assert [item.title for item in sessions.all()] == ["newer", "older"]
    finish(sessions, first, "again", "3")
    assert [item.title for item in sessions.all()] == ["older", "newer"]


def test_a_long_question_is_cut_for_the_title(sessions: SessionManager) -> None:
    conversation = sessions.create_session()
    sessions.begin_exchange(conversation, "why " * 100, Scope(), None)
    (listed,) = sessions.all()
    assert len(listed.title) <= 80
    assert listed.title.endswith("…")


def test_an_answer_a_crash_cut_short_is_stopped_and_kept(
    sessions: SessionManager, database: Database
) -> None:
    conversation = sessions.create_session()
    exchange = sessions.begin_exchange(conversation, "q", Scope(), None)
    sessions.save(replace(exchange, answer="half"))
    assert sessions.close_interrupted() == 1
    (stored,) = sessions.exchanges(conversation)
    assert (stored.state, stored.answer, stored.stop_reason) == (ExchangeState.STOPPED, "half", "interrupted")
    assert sessions.close_interrupted() == 0


def test_an_exchange_whose_conversation_is_gone_is_not_saved(
    sessions: SessionManager, database: Database
) -> None:
    conversation = sessions.create_session()
    exchange = sessions.begin_exchange(conversation, "q", Scope(), None)
    database.connection.execute("DELETE FROM conversations WHERE id = ?", (conversation,))
    sessions.save(replace(exchange, answer="late"))
    assert sessions.exchanges(conversation) == ()


def test_questions_and_answers_can_be_searched(sessions: SessionManager, database: Database) -> None:
    conversation = sessions.create_session()
    exchange = finish(sessions, conversation, "Tell me about walruses", "They have tusks.")
    sessions.save(replace(exchange, answer="They have long whiskers."))

    def found(word: str) -> list[int]:
        rows = database.connection.execute(
            "SELECT rowid FROM exchanges_fts WHERE exchanges_fts MATCH ?", (word,)
        )
        return [row[0] for row in rows]

    assert found("walruses") == found("whiskers") == [exchange.id]
    assert found("tusks") == []
