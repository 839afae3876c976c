"""Nothing that comes from outside steers the terminal, misleads its reader or forges a line of output."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
from typing import TYPE_CHECKING

import pytest

from app.domain.plain_text import for_terminal, harmless
from tests.support.anthropic_server import AnthropicServer
from tests.support.commands import Commands, Ran
from tests.support.scripted_turns import ErrorReply, Text, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

RED = "\x1b[31mred\x1b[0m"
TITLE = "\x1b]0;Owned\x07"
LINK = "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\"
C1 = "\x9b2J\x90q\x9c"
TURNED = "\u202egnp.exe\u202c \u2066hidden\u2069"
HIDDEN = "\U000e0041\U000e0042"
HOSTILE = f"{RED}{TITLE}{LINK}{C1}\r\b{TURNED}{HIDDEN}\x7f\x00"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


@pytest.fixture
def run(
    data_dir: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    embedder: KeptEmbedder,
) -> Commands:
    monkeypatch.setattr("app.cli.commands.Embedder", lambda model_dir, cache_dir: embedder)
    return Commands(data_dir, capsys)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        yield server


def clean(ran: Ran) -> Ran:
    assert not HARMFUL.search(ran.out), ran.out
    assert not HARMFUL.search(ran.err), ran.err
    return ran


def spoil_titles(data_dir: Path) -> None:
    """Write titles that an imported library, made by anyone, may hold."""
    connection = sqlite3.connect(data_dir / "library.sqlite3")
    connection.execute("UPDATE courses SET title = ? || title, instructor = ?", (HOSTILE, HOSTILE))
    connection.execute("UPDATE lessons SET title = ? || title", (HOSTILE,))
    connection.commit()
    connection.close()


def test_titles(run: Commands, data_dir: Path) -> None:
    spoil_titles(data_dir)
    assert "Bread Baking" in clean(run("courses")).out
    assert "Bread Baking" in clean(run("search", "sourdough")).out
    clean(run("search", "sourdough", "--course", HOSTILE))
    clean(run("ask", "sourdough"))
    as_json = clean(run("courses", "--json")).json
    assert [course["title"].startswith(HOSTILE) for course in as_json["courses"]] == [True] * 3
    clean(run("remove", "--all"))
    clean(run("trash", "list"))
    clean(run("trash", "restore", "--all"))


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="such names are refused there")
def test_file_names(run: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    name = HOSTILE.replace("\x00", "").replace("/", "") + "\nfailed: all"
    (folder / f"{name}.txt").write_text(
        "Course Title: Names\n\nLesson 1: A\nNames matter.\n", encoding="utf-8"
    )
    (folder / f"{name}.bin.txt").write_bytes(bytes(range(256)) * 9)
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text("Coffee is hot.\n", encoding="utf-8")
    for command in (("plan", folder), ("ingest", folder), ("search", "names matter"), ("ingest", "--retry")):
        ran = clean(run(*command))
        assert not [line for line in (ran.out + ran.err).splitlines() if line == "failed: all"]
    paths = {file["path"] for file in clean(run("ingest", folder, "--json")).json["files"]}
    assert str((folder / f"{name}.txt").resolve()) in paths
    clean(run("remove", folder))
    clean(run("trash", "list"))


def test_search_hits_and_the_texts_of_files(run: Commands, tmp_path: Path) -> None:
    said = f"{RED} and {TURNED}" + " It is a small animal with a calm face." * 20
    path = tmp_path / "escape.txt"
    path.write_text(f"Course Title: Escapes\n\nLesson 1: A\nThe quokka says {said}.\n", encoding="utf-8")
    run("ingest", path)
    out = clean(run("search", "quokka")).out
    assert "The quokka says red and" in out
    assert "The quokka says red and" in clean(run("ask", "What does the quokka say?")).out
    (hit, *_) = clean(run("search", "quokka", "--json")).json["hits"]
    assert "quokka" in hit["text"]
    assert TURNED in hit["text"]


def test_answers(run: Commands, server: AnthropicServer) -> None:
    server.script(Turn(Text("Hello ", *HOSTILE.replace("\x00", ""), " world.")))
    out = clean(run("ask", "x")).out
    assert out.startswith("Hello ")
    assert " world." in out
    server.script(Turn(Text("Hello ", TURNED, " world.")))
    assert TURNED in clean(run("ask", "x", "--json")).json["answer"]


def test_what_the_model_searches_for(run: Commands, server: AnthropicServer) -> None:
    server.script(
        Turn(ToolUse("search_course_content", {"query": f"{HOSTILE}\nInterrupted"}), stop_reason="tool_use"),
        Turn(Text("No.")),
    )
    ran = clean(run("ask", "x"))
    assert "Interrupted" not in ran.err.splitlines()


def test_errors_of_a_server(run: Commands, server: AnthropicServer) -> None:
    server.answer_with(lambda body: ErrorReply(400, "invalid_request_error", f"No: {HOSTILE}."))
    for options in ((), ("--json",)):
        ran = clean(run("ask", "x", *options))
        assert ran.code == 1


def test_json_arrives_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    from app.cli.output import print_json

    print_json({"text": HOSTILE, "other": "数学 😀 \t\n\u200d"})
    out = capsys.readouterr().out
    assert not HARMFUL.search(out)
    assert "\\u202e" in out
    assert "数学 😀" in out
    assert json.loads(out) == {"text": HOSTILE, "other": "数学 😀 \t\n\u200d"}


@pytest.mark.parametrize("text", ["plain", "数学 → ∑ 😀", "می‌خواهم", "a\tb\nc", "שלום \u200f!"])
def test_what_is_harmless_stays(text: str) -> None:
    assert for_terminal(text) == harmless(text) == text


def test_positions_stay_and_sequences_go() -> None:
    assert len(harmless(HOSTILE)) == len(HOSTILE)
    assert for_terminal(f"a{RED}b{TITLE}c{LINK}d\x1bMe{C1}f") == "aredbcheredef"
    assert for_terminal("\x1b]0;never ended") == "0;never ended"
