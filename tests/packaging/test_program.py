"""The packaged program, as ``make package`` left it in ``dist/lectern``: run by ``make check-package``."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PyInstaller.archive.readers import CArchiveReader

from resources.packaging.report import BUDGET, sizes
from tests.support.anthropic_server import AnthropicServer
from tests.support.scripted_turns import Text, Turn
from tests.support.small_gguf import write_gguf

PROJECT = Path(__file__).resolve().parents[2]
MADE = PROJECT / "dist" / "lectern"
NAME = "lectern-console.exe" if sys.platform == "win32" else "lectern"
PATIENCE = 300  # seconds, on a busy machine

pytestmark = pytest.mark.package


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in an empty folder with a difficult name."""
    folder = tmp_path_factory.mktemp("package") / "My Courses – Лекции 講義 📚"
    shutil.copytree(MADE, folder / "lectern", symlinks=True)
    return folder / "lectern" / NAME


def without_network() -> list[str]:
    """Return the prefix that runs a command without a network, if this user may use it."""
    # The loopback interface of a new network namespace is down.
    cut = ["unshare", "--net", "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    tools = shutil.which("unshare"), shutil.which("ip")
    allowed = all(tools) and subprocess.run([*cut, "true"], check=False).returncode == 0
    return [str(tools[0]), *cut[1:]] if allowed else []


def surroundings(folder: Path, **more: str) -> dict[str, str]:
    """Return an environment that contains only the folders the program may write to."""
    # Windows needs these itself.
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
    places = {f"LECTERN_{name}_DIR": str(folder / name.lower()) for name in ("DATA", "CONFIG", "CACHE")}
    return {**kept, **places, **more}


def run(program: Path, *arguments: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*without_network(), str(program), *arguments],
        env=environment,
        cwd=program.parent.parent,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def test_everything_works_with_nothing_around(program: Path) -> None:
    done = run(program, "--selfcheck", environment={})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "Everything works."


def test_files_of_every_format_are_read_and_found(program: Path, tmp_path: Path) -> None:
    environment = surroundings(tmp_path)
    done = run(
        program, "ingest", "--json", str(PROJECT / "tests" / "data" / "formats"), environment=environment
    )
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)["files"]
    failed = {Path(file["path"]).name for file in files if file["status"] != "added"}
    assert failed == {"protected.pdf", "scanned.pdf"}
    found = run(program, "search", "--json", "tables and code in a lecture", environment=environment)
    assert json.loads(found.stdout)["hits"], found.stderr
    told = run(program, "doctor", environment=environment)
    assert told.returncode == 0, told.stdout


def test_a_model_is_asked(program: Path, tmp_path: Path) -> None:
    with AnthropicServer() as server:
        server.script(Turn(Text("A first answer.")))
        places = surroundings(tmp_path, ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY=server.key)
        command = [str(program), "ask", "Say something"]
        done = subprocess.run(
            command, env=places, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("A first answer.")


def test_a_model_on_this_computer_is_asked(program: Path, tmp_path: Path) -> None:
    model = write_gguf(tmp_path / "small.gguf", "An answer of this computer.")
    places = surroundings(tmp_path)
    chosen = run(program, "model", "local", "use", "--json", str(model), environment=places)
    assert json.loads(chosen.stdout)["chosen"] == str(model), chosen.stderr
    done = run(program, "ask", "Say something", environment=places)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("An answer of this computer.")


def test_the_window_opens_on_a_new_library(program: Path, tmp_path: Path) -> None:
    """Off screen, like a first start: it waits to be asked for the samples, and closes on request."""
    environment = surroundings(tmp_path, QT_QPA_PLATFORM="offscreen")
    log = tmp_path / "cache" / "log" / "lectern.log"
    with subprocess.Popen(
        [str(program)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + PATIENCE
        while not (log.exists() and "Ready for questions" in log.read_text(encoding="utf-8")):
            assert process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
            time.sleep(0.1)  # for another process
        process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGINT)
        process.wait(PATIENCE)
    text = log.read_text(encoding="utf-8")
    assert "The window is painted" in text
    assert "ERROR" not in text
    assert "CRITICAL" not in text
    listed = run(program, "courses", "--json", environment=environment)
    assert json.loads(listed.stdout)["courses"] == []
    if sys.platform != "win32":  # there it was ended, not asked to end
        assert process.returncode == 0
        assert not list((tmp_path / "cache" / "log").glob("fault-*"))


def test_another_assistant_is_served(program: Path, tmp_path: Path) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "resources/list"},
    ]
    with subprocess.Popen(
        [str(program), "mcp"],
        env=surroundings(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{json.dumps(one)}\n" for one in asked))
        process.stdin.flush()
        replies = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stdout.read() == ""
    assert replies[0]["result"]["serverInfo"]["name"] == "lectern"
    assert replies[1]["result"]["resources"] == []


def test_nothing_is_inside_that_chroma_only_drags_in() -> None:
    """Its clients for clusters, its exporters of traces, its server, its own model."""
    program = CArchiveReader(str(MADE / NAME))
    (archive,) = (name for name in program.toc if name.endswith(".pyz"))
    modules = set(program.open_embedded_archive(archive).toc)
    assert "chromadb.api.rust" in modules
    unused = {
        *("bcrypt", "fastapi", "google.protobuf", "grpc", "kubernetes", "onnxruntime"),
        *("opentelemetry.exporter", "opentelemetry.proto", "requests_oauthlib", "torch", "uvicorn"),
    }
    assert not {one for one in modules if any(f"{one}.".startswith(f"{name}.") for name in unused)}
    folders = {path.name for path in (MADE / "_internal").iterdir()}
    assert not folders & unused


def test_it_is_no_larger_than_it_may_be() -> None:
    assert sum(sizes(MADE).values()) < BUDGET["on disk"] * 1_000_000
