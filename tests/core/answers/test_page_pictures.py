"""The pages that passages are from go to the model as pictures, if the user allows it."""

from __future__ import annotations

import asyncio
import base64
import io
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from app.core.answers.ai_generator import MOST_PICTURES
from app.core.answers.costs import price_of_picture
from app.core.answers.providers.server_memory import field_to_drop
from app.domain.events import AnswerDone
from app.domain.scope import Scope
from tests.support.answering import settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import ingest, library
from tests.support.figures import CAPTION, tides
from tests.support.message_checks import Model
from tests.support.scripted_turns import Cite, Text, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.answers.providers.base import ModelSettings
    from app.core.embedding.embedder import Embedder
    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange

QUESTION = "How high is the tide at Aberdeen over one day?"
SEARCH = Turn(
    ToolUse("search_course_content", {"query": "height of the tide at Aberdeen"}), stop_reason="tool_use"
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[RAGSystem]:
    """A library of one PDF with figures."""
    place = tmp_path_factory.mktemp("figures")
    (place / "seas").mkdir()
    (place / "seas" / "tides.pdf").write_bytes(tides())
    with library(place / "data", embedder) as rag:
        ingest(rag, place / "seas")
        yield rag


@pytest.fixture
def rag(opened: RAGSystem) -> Iterator[RAGSystem]:
    usual = opened.settings
    opened.settings = replace(usual, send_pages=True)
    yield opened
    opened.settings = usual


def ask(rag: RAGSystem, connection: ModelSettings, conversation: int | None = None) -> Exchange:
    async def run() -> list[Any]:
        events = rag.answers.query(QUESTION, connection, scope=Scope(), conversation_id=conversation)
        try:
            return [event async for event in events]
        finally:
            await rag.answers.disconnect()

    events = asyncio.run(run())
    assert isinstance(events[-1], AnswerDone), events[-1]
    exchange: Exchange = events[-1].exchange
    return exchange


def connected(server: AnthropicServer, **changes: Any) -> ModelSettings:  # noqa: ANN401
    return replace(settings_for(server), **{"send_pages": True, **changes})


def pictures(blocks: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return all pictures in a part of a request."""
    if isinstance(blocks, dict):
        return [blocks] if blocks.get("type") == "image" else pictures(list(blocks.values()))
    return [one for block in blocks for one in pictures(block)] if isinstance(blocks, list) else []


def test_the_page_of_a_figure_goes_along_with_its_passage_and_counts(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(SEARCH, Turn(Text("It rises twice.", citations=(Cite(0, 0, 1),))))
    exchange = ask(rag, connected(server))
    first, second = server.message_requests
    assert not pictures(first)
    (result,) = second["messages"][-1]["content"]
    sent = pictures(result)
    assert 1 <= len(sent) <= MOST_PICTURES
    data = base64.b64decode(sent[0]["source"]["data"])
    assert sent[0]["source"]["media_type"] == "image/jpeg"
    image = Image.open(io.BytesIO(data))
    assert image.width * image.height <= 1_150_000
    kinds = [block["type"] for block in result["content"]]
    assert kinds.index("search_result") < kinds.index("image")
    said = result["content"][kinds.index("image") - 1]["text"]
    ref = next(one.ref for one in exchange.sources if CAPTION in one.hit.text)
    assert "Page 1 of " in str(result["content"])
    assert any(one.ref in said for one in exchange.sources)
    assert ref in str(result["content"])
    without = 1_000  # tokens of both requests without pictures are fewer than pictures alone take
    assert exchange.usage.prompt_tokens > without
    assert exchange.usage.cost is not None
    assert not server.rejections


def test_nothing_is_sent_unless_the_setting_says_so(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(SEARCH, Turn(Text("It rises twice.", citations=(Cite(0, 0, 1),))))
    ask(rag, connected(server, send_pages=False))
    assert not pictures(server.message_requests)
    rag.settings = replace(rag.settings, send_pages=False)
    connection = rag.answers.connection("key")
    assert connection is not None and not connection.send_pages
    assert not type(rag.settings)().send_pages


def test_pictures_are_kept_nowhere_and_not_sent_again(
    rag: RAGSystem, server: AnthropicServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "app")
    conversation = rag.conversations.create_session()
    server.script(*[SEARCH, Turn(Text("It rises twice.", citations=(Cite(0, 0, 1),)))] * 2)
    ask(rag, connected(server), conversation)
    (sent, *_) = pictures(server.message_requests[-1])
    ask(rag, connected(server), conversation)
    assert not pictures(server.message_requests[2])  # what was said before goes along as text
    data: str = sent["source"]["data"]
    stored = rag.database.connection.execute("SELECT * FROM exchanges").fetchall()
    assert data[:200] not in str([tuple(row) for row in stored])
    assert data[:200] not in caplog.text


def test_a_model_that_cannot_see_is_asked_without_pictures(rag: RAGSystem) -> None:
    blind = Model("blind", "Blind", lacks=frozenset({"pictures"}))
    with AnthropicServer(models=(blind,)) as server:
        answer = Turn(Text("It rises twice.", citations=(Cite(0, 0, 1),)))
        server.script(SEARCH, answer, SEARCH, answer)
        connection = connected(server, model="blind")
        assert ask(rag, connection).answer == "It rises twice."
        assert len(server.rejections) == 1
        assert not pictures(server.message_requests[-1])
        ask(rag, connection)
        assert len(server.rejections) == 1  # it is remembered


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        ("messages.2: tool messages do not support images", "pictures"),
        ("image input is not supported - hint: you may need to provide the mmproj", "pictures"),
        ("llama3.2-vision:latest does not support tools", "tools"),
        ("phi-4-multimodal cannot see: this is no vision model", "pictures"),
    ],
)
def test_what_a_server_refuses_is_told_from_how_its_models_are_called(said: str, lost: str) -> None:
    assert field_to_drop(said, {"pictures", "tools"}) == lost


def test_a_server_without_citations_gets_pages_behind_numbered_passages(rag: RAGSystem) -> None:
    plain = Model("plain", "Plain", lacks=frozenset({"citations"}))
    with AnthropicServer(models=(plain,)) as server:
        server.script(SEARCH, *[Turn(Text("It rises twice [1]."))] * 3)
        ask(rag, connected(server, model="plain"))
        sent = server.message_requests[-1]["messages"][-1]["content"]
    assert pictures(sent)
    assert "where the passage [" in str(sent)


def test_passages_that_go_along_with_the_question_bring_their_pages(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text("It rises twice.", citations=(Cite(0, 0, 1),))))
    ask(rag, connected(server, send_passages=True))
    (body,) = server.message_requests
    assert pictures(body["messages"][-1]["content"])


def test_the_price_is_known_before() -> None:
    price = price_of_picture("claude-sonnet-5-5")
    assert price is not None
    assert 0.001 < price < 0.02
    assert price_of_picture("llama") is None
