"""What ``ask`` prints, refuses and keeps."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.cli.answers import PrintedAnswer, exchange_json, print_support
from app.config.paths import user_config_dir
from app.config.settings import Settings, save_settings
from app.domain.conversations import Exchange, ExchangeState
from app.domain.messages import Message
from app.domain.search import SearchHit
from app.domain.sources import Citation, Claim, Source, Support
from tests.support.anthropic_server import AnthropicServer
from tests.support.commands import Commands
from tests.support.courses import library
from tests.support.scripted_turns import Cite, ErrorReply, Gate, Text, ToolUse, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

SEARCH = ToolUse("search_course_content", {"query": "neap tides"})
posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal to send")


@pytest.fixture
def run(
    data_dir: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    embedder: KeptEmbedder,
    tmp_path: Path,
) -> Commands:
    """Commands on a library of the three tiny courses, with settings of their own."""
    monkeypatch.setattr("app.cli.commands.Embedder", lambda model_dir, cache_dir: embedder)
    return Commands(data_dir, capsys)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        yield server


def answered(server: AnthropicServer, *items: Text) -> None:
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(*items))


class TestJson:
    def test_says_how_it_ended_what_it_cost_and_what_supports_it(
        self, run: Commands, server: AnthropicServer
    ) -> None:
        answered(server, Text("Neap tides come a week later.", citations=(Cite(0, 0, 1),)))
        answer = run("ask", "When do neap tides come?", "--json").json
        assert list(answer) == [
            *("answer", "sources", "citations", "usage", "stop_reason", "seconds"),
            *("state", "error", "model", "cost", "covered", "missing", "claims"),
        ]
        assert (answer["state"], answer["error"]) == ("done", None)
        assert answer["model"] == "claude-sonnet-5-5"
        assert answer["cost"] > 0
        assert answer["covered"] is True
        assert [list(claim) for claim in answer["claims"]] == [["start", "end", "support", "reason"]]
        assert [list(item)[-2:] for item in answer["citations"]] == [["support", "found"]]

    def test_says_why_it_failed(self, run: Commands, server: AnthropicServer) -> None:
        server.script(ErrorReply(401, "authentication_error", "no"))
        done = run("ask", "x", "--json")
        assert done.code == 1
        assert done.json["state"] == "failed"
        assert done.json["error"] == "The server does not accept this API key. Check it in the settings."
        assert done.json["error"] in done.err

    def test_of_a_search_only_answer(self, run: Commands) -> None:
        answer = run("ask", "what is a sourdough starter?", "--json").json
        assert (answer["state"], answer["model"], answer["cost"]) == ("done", None, None)
        assert answer["claims"] == []


def examined(*, model: str | None = "m") -> Exchange:
    answer = "It rises(a lot). It sinks. Cake is nice."
    hit = SearchHit(1, 0.5, "Tides", 1, "Spring", 1, "…", "/t.txt", 0, 9, None, None, 1)
    return Exchange(
        1,
        None,
        "q",
        answer,
        ExchangeState.DONE,
        sources=(Source(1, "ref:1", hit, ((0, 9),), "ab"),),
        citations=(
            Citation(1, 0, 8, 0, 9, "a", True, Support.IN_LINE, is_found=True),
            Citation(1, 17, 26, 0, 9, "a", True, Support.NOT_FOUND),
        ),
        claims=(
            Claim(0, 16, Support.IN_LINE),
            Claim(17, 26, Support.NOT_FOUND, Message("answers.empty")),
            Claim(27, 40, Support.NOT_FROM_COURSES),
        ),
        model=model,
    )


class TestSupport:
    def test_positions_are_those_of_the_answer_with_its_marks(self) -> None:
        answer = json.loads(json.dumps(exchange_json(examined()), default=str))
        marked = answer["answer"]
        assert marked == "It rises [1] (a lot). It sinks. [1] Cake is nice."
        claims = answer["claims"]
        assert [marked[claim["start"] : claim["end"]] for claim in claims] == [
            *("It rises [1] (a lot).", "It sinks.", "Cake is nice."),
        ]
        assert [claim["support"] for claim in claims] == [
            *("in_line", "not_found", "not_from_courses"),
        ]
        assert [claim["reason"] for claim in claims] == [None, str(Message("answers.empty")), None]
        assert [(item["support"], item["found"]) for item in answer["citations"]] == [
            ("in_line", True),
            ("not_found", False),
        ]

    def test_as_text_the_count_and_what_was_not_found(self, capsys: pytest.CaptureFixture[str]) -> None:
        print_support(examined())
        assert capsys.readouterr().out.splitlines() == [
            "",
            "1 of 3 statements in line with their sources",
            "  [1] in line with the source: “It rises(a lot).”",
            f"  [1] not found in the sources: “It sinks.” {Message('answers.empty')}",
            "  not from your courses: “Cake is nice.”",
        ]

    def test_a_courtesy_is_not_said_to_come_from_elsewhere(self, capsys: pytest.CaptureFixture[str]) -> None:
        print_support(replace(examined(), question="Thank you!", sources=(), citations=(), claims=()))
        assert capsys.readouterr().out == ""

    def test_as_text_the_words_that_no_lesson_has(self, capsys: pytest.CaptureFixture[str]) -> None:
        asked = examined()
        (source,) = asked.sources
        hit = replace(source.hit, missing=("photosynthesis",))
        claims = (Claim(0, 16, Support.NOT_FROM_COURSES),)
        print_support(replace(asked, sources=(replace(source, hit=hit),), citations=(), claims=claims))
        assert "In none of the lessons searched: photosynthesis." in capsys.readouterr().out

    def test_an_invented_mark_does_not_look_like_one_that_was_checked(
        self, run: Commands, server: AnthropicServer
    ) -> None:
        server.script(Turn(Text("It deletes your disk [", "3", "] every night [1, 2].")))
        done = run("ask", "What does a query do?")
        assert "[3]" not in done.out
        assert "could not be verified] every night" in " ".join(done.out.split())
        assert "[1, 2: could not be verified]" in done.out
        assert "does not come from your courses" in done.out


class TestPrinting:
    def printed(
        self, capsys: pytest.CaptureFixture[str], *pieces: str | Citation, is_passages: bool = False
    ) -> str:
        printed = PrintedAnswer(is_passages=is_passages)
        for piece in pieces:
            if isinstance(piece, str):
                printed.write(piece)
            else:
                printed.cite(piece)
        printed.finish()
        return capsys.readouterr().out.removesuffix("\n")

    @staticmethod
    def mark(end: int, n: int = 1) -> Citation:
        return Citation(n, 0, end, 0, 9, "a", verified=True)

    def test_marks_touch_their_words_even_if_white_space_came_first(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = self.printed(capsys, "It rises. ", self.mark(9), self.mark(9), self.mark(9, 2), "It sinks")
        assert out == "It rises. [1] [2] It sinks"

    def test_a_mark_in_code_comes_after_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        out = self.printed(capsys, "So:\n```\nx[1] = [2]", self.mark(18), "\n```", "\nDone [", "4", "].")
        assert out == "So:\n```\nx[1] = [2]\n```\n\n[1]\nDone [4: could not be verified]."

    def test_brackets_that_are_no_marks_stay(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = "Take x[3], `[4]`, [5](https://e.org) and [six]."
        assert self.printed(capsys, *text) == text

    def test_what_was_escaped_for_markdown_is_printed_as_it_was(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = self.printed(capsys, r"> 1\. a \* b [2\] \\n", is_passages=True)
        assert out == r"> 1. a * b [2] \n"

    def test_formulas_and_code_of_passages_are_printed_as_they_are(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = "> \\[\n> \\{1\\}\n> \\]\n>\n> ```\n> a\\*b\n> ```"
        assert self.printed(capsys, text, is_passages=True) == text

    def test_a_mark_behind_quoted_code_leaves_its_fence_alone(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = "> ```julia\n> x\n> ```"
        out = self.printed(capsys, text, self.mark(len(text)), "\n\n> y", is_passages=True)
        assert out == f"{text}\n\n[1]\n\n> y"
        assert self.printed(capsys, text, self.mark(len(text)), is_passages=True) == f"{text}\n\n[1]"

    def test_a_long_answer_is_printed_in_linear_time(self, capsys: pytest.CaptureFixture[str]) -> None:
        pieces = [piece for _ in range(20_000) for piece in ("word ", "[1", "] ")]
        assert self.printed(capsys, *pieces).count("could not be verified") == 20_000


STARS = "Course Title: Stars\n\nLesson 1: A\n1. The `flux` * 2 is [3] <y> #1.\n"


def test_a_second_look_is_taken_when_it_is_asked_for(run: Commands, server: AnthropicServer) -> None:
    answered(server, Text("Sailors love the sea most of all", citations=(Cite(0, 0, 1),)))
    assert run("ask", "Why?", "--json").json["claims"][0]["support"] == "quote_found"
    answered(server, Text("Sailors love the sea most of all", citations=(Cite(0, 0, 1),)))
    server.script(Turn(Text("1 yes")))
    claim = run("ask", "Why?", "--json", "--second-look").json["claims"][0]
    assert claim["support"] == "in_line"
    assert "second look" in claim["reason"]


@pytest.fixture
def stars(run: Commands, tmp_path: Path) -> None:
    path = tmp_path / "stars.txt"
    path.write_text(STARS, encoding="utf-8")
    run("ingest", path)


@pytest.mark.usefixtures("stars")
def test_passages_in_place_of_a_model_that_fails_show_no_escapes(
    run: Commands, server: AnthropicServer
) -> None:
    search = ToolUse("search_course_content", {"query": "flux of stars"})
    server.script(
        Turn(search, stop_reason="tool_use"), *[ErrorReply(400, "invalid_request_error", "No.")] * 4
    )
    done = run("ask", "What is the flux of stars?", "--course", "Stars")
    assert done.code == 1
    assert "> 1. The `flux` * 2 is [3] <y> #1." in done.out
    assert "\\" not in done.out


@pytest.mark.usefixtures("stars")
def test_search_only_answers_show_no_escapes(run: Commands) -> None:
    done = run("ask", "What is the flux of stars?", "--course", "Stars")
    assert "> 1. The `flux` * 2 is [3] <y> #1." in done.out
    assert "\\" not in done.out


class TestBudget:
    def spend(self, run: Commands, server: AnthropicServer) -> float:
        server.script(
            Turn(
                Text("One."),
            )
        )
        cost = run("ask", "x", "--json").json["cost"]
        assert cost > 0
        return float(cost)

    def test_what_ask_costs_counts(
        self, run: Commands, server: AnthropicServer, data_dir: Path, embedder: KeptEmbedder
    ) -> None:
        cost = self.spend(run, server) + self.spend(run, server)
        with library(data_dir, embedder, index=False) as rag:
            spending = rag.answers.spending()
            assert spending.dollars == pytest.approx(cost)
            assert spending.answers == 2
            assert spending.tokens > 0
            # Beside an open window, too.
            self.spend(run, server)
            assert rag.answers.spending().answers == 3

    def test_it_stops_at_the_limit(self, run: Commands, server: AnthropicServer, data_dir: Path) -> None:
        save_settings(Settings(monthly_budget=1), user_config_dir() / "settings.json")
        self.spend(run, server)
        file = data_dir / "lectern.spending.jsonl"
        entry = json.loads(file.read_text(encoding="utf-8"))
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({**entry, "cost": 1.5}) + "\n" + '{"time": 17, "co')
        asked = len(server.requests)
        for options in ((), ("--json",)):
            done = run("ask", "x", *options)
            assert (done.code, done.out) == (1, "")
            assert done.err.count("\n") == 1
            assert "your budget of $1" in done.err
        assert len(server.requests) == asked
        assert run("search", "tides").code == 0

    def test_another_month_does_not_count(
        self, run: Commands, server: AnthropicServer, data_dir: Path
    ) -> None:
        save_settings(Settings(monthly_budget=1), user_config_dir() / "settings.json")
        entry = {"time": 1.0, "input_tokens": 5, "output_tokens": 5, "cost": 99.0}
        (data_dir / "lectern.spending.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
        self.spend(run, server)

    def test_nothing_of_the_question_is_kept(
        self, run: Commands, server: AnthropicServer, data_dir: Path
    ) -> None:
        server.script(Turn(Text("Secretly.")))
        run("ask", "What is my confidential question?")
        entry = json.loads((data_dir / "lectern.spending.jsonl").read_text(encoding="utf-8"))
        assert set(entry) == {
            *("time", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost"),
        }
        with sqlite3.connect(data_dir / "library.sqlite3") as connection:
            assert connection.execute("SELECT count(*) FROM exchanges").fetchone()[0] == 0
        connection.close()


@pytest.mark.slow
@posix
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_interrupted_with_what_came(
    run: Commands, server: AnthropicServer, *, as_json: bool, name: str
) -> None:
    number = getattr(signal, name)
    again = ToolUse("search_course_content", {"query": "spring tides"})
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(Text("Neap tides come.", citations=(Cite(0, 0, 1),)), again, stop_reason="tool_use"),
        Turn(Text(Wait(Gate()), "Later.")),
    )
    options = ["--json"] if as_json else []
    with run.start("ask", "When do neap tides come?", *options) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line == "Searching for spring tides\n":  # which the model wrote after its text
                break
        process.send_signal(number)
        out, err = process.communicate(timeout=300)
    assert process.returncode == 128 + number
    assert err.endswith("Interrupted; the library is intact.\n")
    assert "Traceback" not in err
    if as_json:
        answer: dict[str, Any] = json.loads(out)
        assert (answer["state"], answer["stop_reason"]) == ("stopped", "stopped")
        assert answer["answer"].startswith("Neap tides come.")
        assert answer["sources"]
        assert len(answer["citations"]) == 1
    else:
        assert out.startswith("Neap tides come. [1]")
        assert "\n[1] Tides and Currents - Lesson" in out


def test_options_are_described(capsys: pytest.CaptureFixture[str]) -> None:
    from app.cli.arguments import build_parser

    for command in ("ask", "search"):
        with pytest.raises(SystemExit):
            build_parser().parse_args([command, "--help"])
        lines = capsys.readouterr().out.splitlines()
        options = [line for line in lines if line.startswith("  ") and line.strip()[0] in "-Q"]
        bare = [
            line
            for line, after in zip(lines, [*lines[1:], ""], strict=True)
            if line in options and len(line.split("  ")) < 3 and not after.startswith("      ")
        ]
        assert len(options) > 5
        assert bare == []


class TestWholeScope:
    def test_is_announced_with_its_price_before_it_is_sent(
        self, run: Commands, server: AnthropicServer
    ) -> None:
        save_settings(Settings(whole_scope_tokens=2_000), user_config_dir() / "settings.json")
        server.script(Turn(Text("Neap tides come a week later.", citations=(Cite(1, 1, 2),))))
        done = run("ask", "When do neap tides come?", "--course", "tides")
        said = r"All of .* is sent along: about 1\d\d tokens, .*\$0\.001 now and less than \$0\.001 for each"
        assert re.search(said, done.err)
        assert "Neap tides come a week later." in done.out
        assert len(server.message_requests) == 1
