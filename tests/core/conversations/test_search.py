from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.conversations.exchanges import search_conversations
from app.core.conversations.session_manager import SessionManager
from app.domain.conversations import ConversationHit, ExchangeState
from app.domain.scope import Scope

if TYPE_CHECKING:
    from app.core.storage.database import Database


def talk(database: Database, *exchanges: tuple[str, str]) -> int:
    sessions = SessionManager(database)
    conversation = sessions.create_session()
    for question, answer in exchanges:
        begun = sessions.begin_exchange(conversation, question, Scope(), None)
        sessions.save(replace(begun, answer=answer, state=ExchangeState.DONE))
    return conversation


def marked(hit: ConversationHit) -> list[str]:
    return [hit.snippet[start:end] for start, end in hit.marks]


def test_questions_and_answers_of_all_conversations_are_searched(database: Database) -> None:
    first = talk(database, ("Tell me about seals", "They bark."), ("And walruses?", "They have long tusks."))
    second = talk(database, ("What has tusks?", "Elephants and others."))
    hits = search_conversations(database, "tusk")
    assert {hit.conversation.id for hit in hits} == {first, second}
    exchanges = SessionManager(database).exchanges(first)
    in_first = next(hit for hit in hits if hit.conversation.id == first)
    assert in_first.exchange_id == exchanges[1].id
    assert in_first.conversation.title == "Tell me about seals"
    assert marked(in_first) == ["tusks"]


def test_all_words_have_to_fit_and_the_last_may_be_unfinished(database: Database) -> None:
    talk(database, ("Prompt caching", "It is cheap."))
    talk(database, ("Prompt writing", "It is an art."))
    assert len(search_conversations(database, "prompt")) == 2
    assert len(search_conversations(database, "prompt cach")) == 1
    assert search_conversations(database, "prompt elephants") == ()


@pytest.mark.parametrize(
    "text", ["", "  ", '"', "***", "AND", "NEAR(", "a OR", "x:y", '")', "don't", "100%", "_"]
)
def test_nothing_that_is_typed_is_an_error(database: Database, text: str) -> None:
    talk(database, ("one", "two"))
    assert search_conversations(database, text) == ()


def test_the_snippet_is_one_plain_line(database: Database) -> None:
    talk(database, ("q", "## Heading\n\n> The **mean** adds\n> `everything` up."))
    (hit,) = search_conversations(database, "mean")
    assert hit.snippet == "Heading The mean adds everything up."
    assert marked(hit) == ["mean"]


def test_a_title_that_fits_is_found_last(database: Database) -> None:
    renamed = talk(database, ("one", "two"))
    SessionManager(database).rename(renamed, "All about walruses")
    said = talk(database, ("Tell me about walruses", "Big."))
    hits = search_conversations(database, "walruses")
    assert [(hit.conversation.id, hit.exchange_id is None) for hit in hits] == [
        (said, False),
        (renamed, True),
    ]


def test_deleted_conversations_are_not_found(database: Database) -> None:
    gone = talk(database, ("walrus", "walrus"))
    SessionManager(database).delete(gone)
    assert search_conversations(database, "walrus") == ()
    SessionManager(database).restore(gone)
    assert len(search_conversations(database, "walrus")) == 1


def test_a_thousand_conversations_are_listed_and_searched_at_once(database: Database) -> None:
    sessions = SessionManager(database)
    with database.transaction() as connection:
        for number in range(1000):
            connection.execute(
                "INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, 0, ?)",
                (number + 1, f"Question {number}", number),
            )
            connection.execute(
                """INSERT INTO exchanges (id, conversation_id, question, answer, state, created_at)
                   VALUES (?, ?, ?, ?, 'done', 0)""",
                (number + 1, number + 1, f"Question {number}", "Tides follow the moon. " * 50),
            )
        connection.execute("INSERT INTO exchanges_fts (exchanges_fts) VALUES ('rebuild')")
    began = time.thread_time()
    assert len(sessions.all()) == 1000
    found = [hit.conversation.title for hit in search_conversations(database, "question 77")]
    assert sorted(found) == sorted(["Question 77", *(f"Question 77{digit}" for digit in range(10))])
    assert len(search_conversations(database, "moon")) == 200
    assert time.thread_time() - began < 2.0
