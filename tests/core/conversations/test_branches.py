from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.conversations import BEFORE_ALL, Exchange, ExchangeState
from app.domain.scope import Scope

if TYPE_CHECKING:
    from app.core.conversations.session_manager import SessionManager
    from app.core.storage.database import Database


def ask(sessions: SessionManager, conversation: int, question: str, parent: int | None = None) -> Exchange:
    begun = sessions.begin_exchange(conversation, question, Scope(), "model", parent)
    sessions.save(replace(begun, answer=f"Answer to {question}.", state=ExchangeState.DONE))
    return begun


def questions(sessions: SessionManager, conversation: int, through: int | None = None) -> list[str]:
    return [item.question for item in sessions.exchanges(conversation, through)]


def test_a_question_asked_again_is_a_branch_beside_the_old_one(sessions: SessionManager) -> None:
    talk = sessions.create_session()
    first = ask(sessions, talk, "one")
    old = ask(sessions, talk, "two")
    ask(sessions, talk, "three")
    new = ask(sessions, talk, "two again", first.id)
    assert new.siblings == (old.id, new.id)
    assert questions(sessions, talk) == ["one", "two again"]
    assert questions(sessions, talk, old.id) == ["one", "two", "three"]
    siblings = [item.siblings for item in sessions.exchanges(talk, old.id)]
    assert siblings[1] == (old.id, new.id)
    assert [len(item) for item in siblings] == [1, 2, 1]


def test_the_first_question_has_branches_too(sessions: SessionManager) -> None:
    talk = sessions.create_session()
    old = ask(sessions, talk, "one")
    new = ask(sessions, talk, "one, in other words", BEFORE_ALL)
    assert new.parent_id is None
    assert new.siblings == (old.id, new.id)
    assert questions(sessions, talk) == ["one, in other words"]
    assert sessions.get_conversation_history(talk, 5, BEFORE_ALL) == []
    assert questions(sessions, talk, old.id) == ["one"]


def test_going_on_in_an_old_branch_makes_it_the_newest(sessions: SessionManager) -> None:
    talk = sessions.create_session()
    old = ask(sessions, talk, "one")
    ask(sessions, talk, "other one", BEFORE_ALL)
    assert questions(sessions, talk) == ["other one"]
    ask(sessions, talk, "two", old.id)
    assert questions(sessions, talk) == ["one", "two"]


def test_where_a_branch_parts_the_newest_way_is_taken(sessions: SessionManager) -> None:
    talk = sessions.create_session()
    one = ask(sessions, talk, "one")
    two = ask(sessions, talk, "two")
    ask(sessions, talk, "two b", one.id)
    ask(sessions, talk, "three a", two.id)
    ask(sessions, talk, "three b", two.id)
    assert questions(sessions, talk, one.id) == ["one", "two", "three b"]


def test_a_title_can_be_changed_but_not_to_nothing(sessions: SessionManager) -> None:
    talk = sessions.create_session()
    ask(sessions, talk, "one")
    updated = sessions.all()[0].updated
    sessions.rename(talk, "  Flour \n and water ")
    sessions.rename(talk, "  ")
    (listed,) = sessions.all()
    assert listed.title == "Flour and water"
    assert listed.updated == updated
    ask(sessions, talk, "two")
    assert sessions.all()[0].title == "Flour and water"


def test_pinned_conversations_come_first(sessions: SessionManager) -> None:
    talks = [sessions.create_session() for _ in range(3)]
    for talk in talks:
        ask(sessions, talk, f"question {talk}")
    sessions.set_pinned(talks[0], True)
    assert [item.id for item in sessions.all()] == [talks[0], talks[2], talks[1]]
    assert [item.pinned for item in sessions.all()] == [True, False, False]
    sessions.set_pinned(talks[0], False)
    assert [item.id for item in sessions.all()] == talks[::-1]


def test_deleted_conversations_can_be_restored_whole(sessions: SessionManager) -> None:
    talk = sessions.create_session()
    ask(sessions, talk, "one")
    before = sessions.exchanges(talk)
    sessions.delete(talk)
    assert sessions.all() == ()
    assert sessions.conversation(talk) is None
    sessions.restore(talk)
    assert [item.id for item in sessions.all()] == [talk]
    assert sessions.exchanges(talk) == before


def test_the_trash_keeps_for_its_time_and_leaves_nothing_behind(
    sessions: SessionManager, database: Database
) -> None:
    kept, gone, unused = (sessions.create_session() for _ in range(3))
    ask(sessions, kept, "walrus")
    ask(sessions, gone, "walrus")
    ask(sessions, gone, "walrus again")
    sessions.delete(gone)
    query = "SELECT deleted_at FROM conversations WHERE id = ?"
    (moment,) = database.connection.execute(query, (gone,)).fetchone()
    assert sessions.empty_trash(moment - 60, moment - 30) == 0
    assert sessions.empty_trash(moment - 60, moment) == 2
    count = "SELECT count(*) FROM {}"
    assert database.connection.execute(count.format("exchanges")).fetchone()[0] == 1
    ids = {row[0] for row in database.connection.execute("SELECT id FROM conversations")}
    assert ids == {kept}
    assert unused not in ids
    found = database.connection.execute("SELECT rowid FROM exchanges_fts WHERE exchanges_fts MATCH 'walrus'")
    assert len(found.fetchall()) == 1
    database.connection.execute("INSERT INTO exchanges_fts (exchanges_fts) VALUES ('integrity-check')")
