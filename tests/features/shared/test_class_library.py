"""The whole way of a library for a class: a teacher, a student without the files, and what may go wrong."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.base import ModelSettings
from app.core.conversations.markdown_export import conversation_markdown
from app.domain.cancel import CancelToken
from app.domain.conversations import OpenedConversation
from app.domain.events import AnswerDone
from app.domain.scope import Scope
from app.domain.shared import ServerState
from app.domain.sources import SourceState
from tests.support.anthropic_server import AnthropicServer
from tests.support.chroma_server import ChromaProxy, ChromaServer, Fault
from tests.support.class_library import libraries_of, student, teacher
from tests.support.commands import Commands
from tests.support.courses import BREAD, TITLES, ingest
from tests.support.publishing import leftovers, publish
from tests.support.scripted_turns import Cite, Text, ToolUse, Turn
from tests.support.study import study_of

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange
    from app.domain.search import SearchResults
    from app.domain.shared import ServerAddress
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

OWN = "Course Title: Valves\n\n# Valves\n\nA gate valve is closed by a wedge. A ball valve turns.\n"


def test_a_class_shares_a_library(
    tmp_path: Path,
    embedder: KeptEmbedder,
    chroma_server: ChromaServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    address = chroma_server.new_database()
    with teacher(tmp_path, embedder) as rag:
        publish(rag, address)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "valves.md").write_text(OWN, encoding="utf-8")
    kept_away = tmp_path / "kept away"
    shutil.move(tmp_path / "files", kept_away)  # no student has them
    with student(tmp_path, embedder) as rag:
        ingest(rag, tmp_path / "own")
        library = libraries_of(rag).subscribe(address)
        assert [course.title for course in library.courses] == TITLES
        _check_search(rag, address)
        exchange = _check_answer(rag)
        shutil.move(kept_away, tmp_path / "files")
        _republish_and_resume(tmp_path, address, Commands(tmp_path / "teacher", capsys))
        _check_republished(rag, exchange)
        assert not leftovers(address)
        _check_without_server(rag, chroma_server, exchange)


def _check_search(rag: RAGSystem, address: ServerAddress) -> None:
    """Search with and without filters."""
    found = rag.search.retrieve("When do spring tides follow?")
    assert (found.hits[0].course_title, found.covered, found.message) == (TITLES[2], True, None)
    assert found.hits[0].server == address.host
    assert _courses(rag.search.retrieve("What closes a gate valve?"))[0] == "Valves"
    both = rag.search.retrieve("moon and valve", limit=20)
    assert {"Valves", TITLES[2]} <= {*_courses(both)}
    named = rag.search.retrieve("What doubles within hours?", course_name="bread", lesson_number=1)
    assert {(hit.course_title, hit.lesson_number) for hit in named.hits} == {(TITLES[1], 1)}
    limited = rag.search.retrieve("gluten dough", scope=Scope(up_to=((TITLES[1], 1),)), limit=20)
    assert (TITLES[1], 2) not in {(hit.course_title, hit.lesson_number) for hit in limited.hits}
    own = rag.search.retrieve("moon", scope=Scope(courses=("Valves",)))
    assert {*_courses(own)} <= {"Valves"}


def _check_answer(rag: RAGSystem) -> Exchange:
    """Have a model answer from the server's courses; return the exchange, which is saved."""
    with AnthropicServer() as server:
        server.script(
            Turn(ToolUse("search_course_content", {"query": "starter fed"}), stop_reason="tool_use"),
            Turn(Text("It is flour and water", citations=(Cite(0, 0, 1),)), Text(".")),
        )
        model = ModelSettings("claude-sonnet-5-5", server.url, server.key)
        exchange = asyncio.run(_answered(rag, "What is a sourdough starter?", model))
    [citation] = exchange.citations
    source = next(one for one in exchange.sources if one.n == citation.source_n)
    assert citation.verified and source.hit.document_id < 0
    assert source.hit.course_title == TITLES[1]
    assert citation.cited_text == BREAD[citation.start : citation.end]
    lesson = rag.search.lesson_text(source)
    assert (lesson.is_whole, lesson.file_exists) == (True, False)
    return exchange


def _republish_and_resume(folder: Path, address: ServerAddress, lectern: Commands) -> None:
    """Change a course, kill the command that publishes it halfway, and run it again."""
    bread = folder / "files" / "bread.txt"
    bread.write_text(BREAD.replace("fed once a day", "fed twice a day"), encoding="utf-8", newline="\n")
    assert lectern("ingest", bread).code == 0
    fault = Fault(on="/upsert", after=2, is_silent=True)
    with ChromaProxy(address.url, fault=fault) as proxy:
        there = proxy.address_of(address)
        with lectern.start("publish", there.url, "--database", there.database) as process:
            assert proxy.stuck.wait(120)
            process.kill()
    done = lectern("publish", address.url, "--database", address.database, "--json")
    assert done.code == 0
    statuses = {course["title"]: course["status"] for course in done.json["courses"]}
    assert statuses == {TITLES[0]: "unchanged", TITLES[1]: "changed", TITLES[2]: "unchanged"}


def _check_republished(rag: RAGSystem, exchange: Exchange) -> None:
    """Find the new text, and read the old answer again."""
    list(libraries_of(rag).refresh())
    found = rag.search.retrieve("How often is a sourdough starter fed?")
    assert "fed twice a day" in found.hits[0].text
    assert not any("fed once a day" in hit.text for hit in found.hits)
    [citation] = exchange.citations
    source = next(one for one in exchange.sources if one.n == citation.source_n)
    assert rag.search.source_state(source) is SourceState.CHANGED
    assert rag.search.lesson_text(source).text == source.hit.text
    for _ in study_of(rag).stale.check(CancelToken()):
        pass
    assert study_of(rag).stale.entries() == ()  # what is on a server is not followed


def _check_without_server(rag: RAGSystem, server: ChromaServer, exchange: Exchange) -> None:
    """Kill the server, and go on with the own library."""
    server.kill()
    try:
        found = rag.search.retrieve("What closes a gate valve?")
        assert {*_courses(found)} == {"Valves"}
        assert found.message is not None
        answer = asyncio.run(_answered(rag, "What closes a gate valve?", None))
        assert "wedge" in answer.answer
        [library] = libraries_of(rag).libraries()
        assert (library.state, len(library.courses)) == (ServerState.AWAY, 3)
        talk = rag.conversations.all()[-1]
        opened = OpenedConversation(talk, rag.conversations.exchanges(talk.id))
        text = conversation_markdown(opened)
        assert exchange.citations[0].cited_text.split(".")[0] in text
    finally:
        server.start()
    list(libraries_of(rag).refresh())
    assert libraries_of(rag).libraries()[0].state is ServerState.READY
    assert _courses(rag.search.retrieve("When do spring tides follow?"))[0] == TITLES[2]


async def _answered(rag: RAGSystem, question: str, model: ModelSettings | None) -> Exchange:
    talk = rag.conversations.create_session()
    events = [event async for event in rag.answers.query(question, model, conversation_id=talk)]
    await rag.answers.disconnect()
    assert isinstance(events[-1], AnswerDone), events[-1]
    return events[-1].exchange


def _courses(found: SearchResults) -> list[str]:
    return [hit.course_title for hit in found.hits]
