"""Commands that are ended, or whose output nobody reads: in order, and without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from app.cli.arguments import parse_arguments
from app.core.embedding.model_files import find_model
from app.features.keeping import KEEPING
from tests.support.anthropic_server import AnthropicServer
from tests.support.commands import Commands
from tests.support.courses import write_courses
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals to send")
LIMIT = 120  # seconds on a busy machine


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path / "new" / "data", capsys)


def many_courses(folder: Path) -> Path:
    folder.mkdir()
    for number in range(200):
        text = f"Course Title: Course {number}\n\nLesson 1: A\n" + f"Thing {number} is blue. " * 80
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_reading_that_all_its_processes_are_asked_to_end(run: Commands, tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    with run.start("ingest", many_courses(tmp_path / "many"), start_new_session=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("added: "):
                break
        os.killpg(process.pid, number)  # as a session ends: Chroma's process and the reader's get it too
        out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 128 + number
    assert out == ""
    assert err.endswith("Interrupted; the library is intact.\n")
    assert "Traceback" not in err
    assert (run.data_dir / "chroma.clean").exists()
    report = run("doctor", "--json", "--repair").json
    assert report["ok"]
    assert 0 < report["counts"]["documents"] < 200
    assert run("remove", "--all").code == 0  # the lock was released


@posix
def test_an_answer_that_is_asked_to_end(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with AnthropicServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        server.script(Turn(Text("First", Wait(Gate()), " last.")))
        with Commands(data_dir, capsys).start("ask", "Say something") as process:
            assert process.stdout is not None
            assert process.stdout.read(5) == "First"
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 143
    assert "Traceback" not in err


@posix
@pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL"])
def test_the_export_of_a_model_ends_with_its_command(run: Commands, tmp_path: Path, number: str) -> None:
    cache = tmp_path / "cache"
    courses = write_courses(tmp_path / "courses")
    with run.start("ingest", courses, LECTERN_CACHE_DIR=str(cache)) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("Getting ready"):
                break
        process.send_signal(getattr(signal, number))
        process.stderr.read()  # until the child has ended too
    assert process.returncode == (143 if number == "SIGTERM" else -9)
    if number == "SIGTERM":  # what one that was killed leaves goes with the next export
        assert not list(find_model(None, cache).graph.parent.glob(".preparing-*"))


def without_reader(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run with an output that is closed at once, as by ``head -0``."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            [sys.executable, "-m", "app", *map(str, arguments)],
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            stdout=writer,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
    finally:
        os.close(writer)


@posix
@pytest.mark.parametrize("arguments", [["courses"], ["courses", "--json"], ["doctor"], ["--help"]])
def test_output_that_nobody_reads_ends_quietly(data_dir: Path, arguments: list[str]) -> None:
    done = without_reader("--data-dir", data_dir, *arguments)
    assert (done.returncode, done.stderr) == (141, "")


@posix
def test_progress_that_nobody_reads_stops_nothing(run: Commands, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "app", "ingest", str(write_courses(tmp_path / "courses"))]
    with subprocess.Popen([*command, "--data-dir", str(run.data_dir)], stderr=writer) as process:
        os.close(writer)
        assert process.wait(LIMIT) == 0
    assert len(run("courses", "--json").json["courses"]) == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["courses", "--data-dir", "here"],
        ["--data-dir", "there", "courses", "--data-dir", "here"],
        ["--data-dir", "here", "courses"],
        ["trash", "list", "--data-dir", "here"],
        ["trash", "--data-dir", "here", "list"],
        ["--data-dir", "here", "trash", "list"],
        ["ingest", "--data-dir", "here", "PATH"],
        ["ask", "why", "--data-dir=here"],
    ],
)
def test_global_options_before_and_after_a_command(arguments: list[str]) -> None:
    parsed = parse_arguments(arguments, KEEPING.commands)
    assert parsed.data_dir == "here"
    assert not parsed.debug
    assert parse_arguments([*arguments, "--debug"], KEEPING.commands).debug


def test_the_version_after_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parse_arguments(["courses", "--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("lectern ")


def test_files_that_a_desktop_opens_are_for_the_window(tmp_path: Path) -> None:
    files = [tmp_path / "notes.md", tmp_path / "slides 2.pdf"]
    for words in (["open"], []):
        parsed = parse_arguments([*words, *map(str, files)])
        assert (parsed.command, parsed.paths) == ("open", files)


def test_desktops_may_give_files_as_addresses_and_links_as_they_are(tmp_path: Path) -> None:
    file, link = tmp_path / "week 1 – ü.md", "lectern://read?file=0123456789abcdef&at=1-5"
    for words in (["open"], []):
        assert parse_arguments([*words, file.as_uri()]).paths == [file]
        parsed = parse_arguments([*words, link])
        assert (parsed.command, parsed.paths) == ("open", [link])


@pytest.mark.parametrize(
    "arguments", [["ingest"], ["ingest", "--rebuild"], ["ingest", "--retry", "--rebuild"]]
)
def test_reading_needs_a_path_or_earlier_failures(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parse_arguments(arguments)
    assert left.value.code == 2


def test_files_that_failed_are_tried_again(run: Commands, tmp_path: Path) -> None:
    notes = write_courses(tmp_path / "courses") / "notes.pdf"
    notes.write_bytes(b"%PDF-1.7 and no more")
    assert run("ingest", notes.parent).code == 0
    assert run("ingest", "--retry").code == 3  # still damaged
    done = run("ingest", "--retry", "--json")
    assert [file["path"] for file in done.json["files"]] == [str(notes)]
    notes.unlink()
    done = run("ingest", "--retry")
    assert (done.code, done.out.splitlines()[-1]) == (0, "No file failed earlier.")
