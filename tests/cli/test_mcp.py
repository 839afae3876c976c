"""The library for other assistants, in sessions that the official client drives."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from app.cli.mcp import answers
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.links import PlaceLink, parse_link
from tests.support.class_library import libraries_of
from tests.support.commands import Commands
from tests.support.courses import TITLES, ingest, library
from tests.support.publishing import publish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from app.domain.shared import ServerAddress
    from tests.support.courses import KeptEmbedder

SEARCH, OUTLINE = "search_course_content", "get_course_outline"
ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


@pytest.fixture
def places(tmp_path: Path, model_cache: Path) -> dict[str, str]:
    """What a client has to pass on, because it hides its own environment from servers."""
    return {
        "LECTERN_CONFIG_DIR": str(tmp_path / "config"),
        "LECTERN_CACHE_DIR": str(model_cache),
        "PYTHONPATH": str(ROOT),
        **{name: value for name, value in os.environ.items() if name.startswith("COVERAGE")},
    }


@asynccontextmanager
async def session(data_dir: Path, places: dict[str, str]) -> AsyncIterator[ClientSession]:
    """Start the command as a client does, and end it; what it says beside the protocol fails the test."""
    arguments = ["-m", "app", "--data-dir", str(data_dir), "mcp"]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=places, cwd=data_dir.parent)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        async with stdio_client(server, errors) as streams, ClientSession(*streams) as client:
            await client.initialize()
            yield client
        errors.seek(0)
        assert errors.read() == ""


async def call(client: ClientSession, name: str, **arguments: Any) -> types.CallToolResult:  # noqa: ANN401
    result = await client.call_tool(name, arguments)
    assert isinstance(result, types.CallToolResult)
    return result


def said(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def titles_of(result: types.CallToolResult) -> list[str]:
    return [passage["course_title"] for passage in result.structured_content["passages"]]


def test_a_session(data_dir: Path, places: dict[str, str]) -> None:
    async def talk() -> None:
        async with session(data_dir, places) as client:
            assert "search_course_content" in (client.instructions or "")
            await look_at_tools(client)
            await search(client)
            await ask_for_an_outline(client)
            await call_wrongly(client)
            await read_lessons(client)
            many = [call(client, SEARCH, query=f"spring tides {n}", limit=2) for n in range(20)]
            found = await asyncio.gather(*many)
            assert [titles_of(result)[0] for result in found] == ["Tides and Currents"] * 20

    asyncio.run(talk())


async def look_at_tools(client: ClientSession) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {SEARCH, OUTLINE}
    assert [tools[name].input_schema["required"] for name in (SEARCH, OUTLINE)] == [["query"], []]
    assert set(tools[SEARCH].input_schema["properties"]) == {"query", "course_name", "lesson_number", "limit"}
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())


async def search(client: ClientSession) -> None:
    result = await call(client, SEARCH, query="why are there two high tides a day?", limit=2)
    assert not result.is_error
    passages = result.structured_content["passages"]
    assert len(passages) == 2
    best = passages[0]
    assert (best["course_title"], best["lesson_number"]) == ("Tides and Currents", 1)
    assert "two high tides" in best["text"]
    link = parse_link(best["lectern_link"])
    assert isinstance(link, PlaceLink)
    assert link.name == "tides.txt"
    assert f"Link: {best['lectern_link']}" in said(result)
    assert said(result).startswith("1. Tides and Currents - Lesson 1: Why the sea rises\n")
    assert not any("/" in str(passage.get("path", "")) for passage in passages)
    only = await call(client, SEARCH, query="tides", course_name="bread", lesson_number="1")
    assert set(titles_of(only)) == {"Bread Baking at Home"}
    none = await call(client, SEARCH, query="tides", course_name="quantum chromodynamics")
    assert (none.is_error, titles_of(none)) == (False, [])
    assert said(none).startswith("No course found matching")


async def ask_for_an_outline(client: ClientSession) -> None:
    result = await call(client, OUTLINE, course_name="bread")
    assert "Lesson 1: Sourdough starters (https://example.org/bread/1)" in said(result)
    assert [lesson["number"] for lesson in result.structured_content["lessons"]] == [0, 1, 2]
    unknown = await call(client, OUTLINE, course_name="quantum chromodynamics")
    assert unknown.is_error
    for arguments in ({}, {"course_name": None}, {"course_name": " "}):
        every = await call(client, OUTLINE, **arguments)
        assert [course["title"] for course in every.structured_content["courses"]] == TITLES
        assert said(every).splitlines()[1] == "Bread Baking at Home (3 lessons)"


async def call_wrongly(client: ClientSession) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        (SEARCH, {}),
        (SEARCH, {"query": ""}),
        (SEARCH, {"query": 7}),
        (SEARCH, {"query": ["tides"]}),
        (SEARCH, {"query": "tides", "lesson_number": -1}),
        (SEARCH, {"query": "tides", "lesson_number": "first"}),
        (SEARCH, {"query": "tides", "lesson_number": True}),
        (SEARCH, {"query": "tides", "limit": 0}),
        (SEARCH, {"query": "tides", "limit": 10**30}),
        (SEARCH, {"query": "tides", "path": "/etc/passwd"}),
        (OUTLINE, {"course_name": 7}),
        (OUTLINE, {"title": "Tides"}),
    ]
    for name, arguments in wrong:
        result = await call(client, name, **arguments)
        assert result.is_error, arguments
        assert said(result).startswith(f"{name}: "), arguments
        assert "\n" not in said(result)
    with pytest.raises(MCPError, match="There is no tool of this name"):
        await client.call_tool("delete_everything", {})
    long = await call(client, SEARCH, query="tides " * 100_000 + "\x00\ud7ff")
    assert not long.is_error


async def read_lessons(client: ClientSession) -> None:
    listed = (await client.list_resources()).resources
    assert [one.name for one in listed if one.description == "Tides and Currents"] == [
        "Lesson 1: Why the sea rises",
        "Lesson 2: Spring tides and neap tides",
    ]
    assert {one.description for one in listed} == set(TITLES)
    for one in listed:
        (content,) = (await client.read_resource(one.uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert content.text.strip()
    templates = (await client.list_resource_templates()).resource_templates
    assert {one.name for one in templates} == {"lesson", "place"}
    found = await call(client, SEARCH, query="oak galls", limit=1)
    place = await client.read_resource(found.structured_content["passages"][0]["lectern_link"])
    assert isinstance(place.contents[0], types.TextResourceContents)
    assert "Iron gall ink" in place.contents[0].text
    for uri in (
        "lectern://lesson?course=No&number=1",
        "file:///etc/passwd",
        "lectern://read?name=..%2fx",
        "x",
    ):
        with pytest.raises(MCPError, match=r"not in your library|not a link"):
            await client.read_resource(uri)


def test_each_lesson_has_its_own_address_and_text(tmp_path: Path, embedder: KeptEmbedder) -> None:
    """Lessons of one course may share their number, their title, or have neither."""
    course = tmp_path / "course.txt"
    course.write_text(
        """Course Title: Ropes

Lesson 1: Bends
A sheet bend joins two ropes of unequal thickness.

Lesson 1: Hitches
A clove hitch holds a rope on a pole.

Lesson 2: Bends
A carrick bend joins two heavy cables.

Lesson 3: 海海
"""
        + "Splices last longer than knots.\n",
        encoding="utf-8",
    )
    with library(tmp_path / "data", embedder, index=False) as rag:
        ingest(rag, course)
        listed = answers.lessons(rag)
        read = [answers.read(rag, one.uri) for one in listed]
        assert len({one.uri for one in listed}) == len(listed) == 4
        for text, word in zip(read, ("sheet", "clove", "carrick", "Splices"), strict=True):
            assert word in text
            assert len(text.splitlines()) == 1
        assert "clove" in answers.read(rag, "lectern://lesson?course=Ropes&number=1&title=Hitches")
        assert "carrick" in answers.read(rag, "lectern://lesson?course=Ropes&number=2&title=Renamed")
        with pytest.raises(UserError, match="not in your library"):
            answers.read(rag, "lectern://lesson?course=Ropes&number=1&title=Renamed")


@pytest.mark.slow
def test_beside_one_that_writes(
    data_dir: Path, places: dict[str, str], tmp_path: Path, embedder: KeptEmbedder
) -> None:
    """The library is opened for writing, changed and closed while a session goes on."""
    new = tmp_path / "new" / "bees.txt"
    new.parent.mkdir()
    new.write_text("Course Title: Bees\n\nLesson 1: Honey\nBees make honey from nectar.\n", encoding="utf-8")

    async def talk() -> None:
        async with session(data_dir, places) as client:
            assert titles_of(await call(client, SEARCH, query="tides", limit=1)) == ["Tides and Currents"]
            with library(data_dir, embedder) as rag:
                ingest(rag, new)
                assert titles_of(await call(client, SEARCH, query="honey", limit=1)) == ["Bees"]
                rag.courses.remove_courses(["Tides and Currents"], CancelToken())
                left = titles_of(await call(client, SEARCH, query="tides"))
                assert "Tides and Currents" not in left
            assert titles_of(await call(client, SEARCH, query="honey", limit=1)) == ["Bees"]

    asyncio.run(talk())


@pytest.mark.slow
def test_a_library_that_comes_goes_and_is_another(
    data_dir: Path, places: dict[str, str], tmp_path: Path, embedder: KeptEmbedder
) -> None:
    place = tmp_path / "somewhere" / "data"
    place.parent.mkdir()

    async def talk() -> None:
        async with session(place, places) as client:
            assert said(await call(client, SEARCH, query="tides")).startswith("The library is empty.")
            assert said(await call(client, OUTLINE)).startswith("The library is empty.")
            shutil.copytree(data_dir, place)
            assert titles_of(await call(client, SEARCH, query="tides", limit=1)) == ["Tides and Currents"]
            shutil.rmtree(place)
            assert said(await call(client, SEARCH, query="tides")).startswith("The library is empty.")
            place.mkdir()
            (place / "library.sqlite3").write_bytes(b"no library at all" * 500)
            broken = await call(client, SEARCH, query="tides")
            assert broken.is_error
            assert "\n" not in said(broken)
            assert (await client.list_tools()).tools
            shutil.rmtree(place)
            shutil.copytree(data_dir, place)
            assert titles_of(await call(client, SEARCH, query="tides", limit=1)) == ["Tides and Currents"]

    asyncio.run(talk())


def test_only_the_protocol_on_standard_output_and_an_end_with_the_input(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    lines = [json.dumps(one) for one in asked]
    lines[2:2] = ["no JSON", "[" * 10_000, '{"jsonrpc": "2.0", "id": 9, "method": "no/such"}', "\x00", ""]
    with Commands(data_dir, capsys).start("mcp") as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        replies: list[dict[str, Any]] = []
        while not replies or replies[-1].get("id") != 2:  # what is being answered when the input ends is not
            replies.append(json.loads(process.stdout.readline()))
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0
    replies += [json.loads(line) for line in out.splitlines()]
    assert all(reply["jsonrpc"] == "2.0" for reply in replies)
    assert len([reply for reply in replies if reply.get("id") == 2 and "tools" in reply["result"]]) == 1
    assert "Traceback" not in err


@pytest.mark.slow
@POSIX
def test_a_signal_ends_it_while_it_waits(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Commands(data_dir, capsys).start("mcp") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(120) == 128 + signal.SIGTERM
        except subprocess.TimeoutExpired:
            process.kill()
            raise


@pytest.mark.slow
def test_courses_on_a_server(
    data_dir: Path,
    places: dict[str, str],
    tmp_path: Path,
    embedder: KeptEmbedder,
    chroma_database: ServerAddress,
) -> None:
    """What is subscribed to is searched, listed and read like the own courses."""
    with library(data_dir, embedder, index=False) as teacher:
        publish(teacher, chroma_database, "Tides and Currents")
    mine = tmp_path / "mine"
    with library(mine, embedder, index=False) as student:
        libraries_of(student).subscribe(chroma_database)

    async def talk() -> None:
        async with session(mine, places) as client:
            outline = await call(client, OUTLINE, course_name="tides")
            assert "Lesson 2: Spring tides and neap tides" in said(outline)
            every = await call(client, OUTLINE)
            assert said(every) == f"Tides and Currents (2 lessons, on {chroma_database.url})"
            unknown = await call(client, OUTLINE, course_name="qqqq")
            assert unknown.is_error and said(unknown).endswith("Courses: Tides and Currents.")
            listed = (await client.list_resources()).resources
            assert [one.name for one in listed] == [
                "Lesson 1: Why the sea rises",
                "Lesson 2: Spring tides and neap tides",
            ]
            (content,) = (await client.read_resource(listed[0].uri)).contents
            assert isinstance(content, types.TextResourceContents)
            assert "two high tides a day" in content.text
            found = await call(client, SEARCH, query="why are there two high tides a day?", limit=1)
            (passage,) = found.structured_content["passages"]
            assert (passage["course_title"], passage["lesson_number"]) == ("Tides and Currents", 1)
            assert passage["server"] and f"Server: {passage['server']}" in said(found)
            (content,) = (await client.read_resource(passage["lectern_link"])).contents
            assert isinstance(content, types.TextResourceContents)
            assert "two high tides a day" in content.text

    asyncio.run(talk())
