"""lectern subscribe: what it prints, its exit codes, and tokens that are shown nowhere."""

from __future__ import annotations

import getpass
import io
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.commands import Commands
from tests.support.courses import TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.shared import ServerAddress

TOKEN = "tok-5f0c2d9a7b13"


@pytest.fixture
def student(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path / "student", capsys)


@pytest.fixture
def class_library(
    data_dir: Path, capsys: pytest.CaptureFixture[str], chroma_database: ServerAddress
) -> ServerAddress:
    Commands(data_dir, capsys)("publish", *_place(chroma_database))
    return chroma_database


def _place(address: ServerAddress) -> tuple[str, ...]:
    return address.url, "--database", address.database


def test_it_adds_lists_and_removes_a_library(student: Commands, class_library: ServerAddress) -> None:
    assert student("subscribe").out == "There is no subscription.\n"
    done = student("subscribe", *_place(class_library))
    assert done.code == 0
    database, host = class_library.database, class_library.url.removeprefix("http://")
    assert done.out.splitlines()[0] == f"database “{database}” on {host}: ready"
    assert f"  {TITLES[2]} (2 passages)" in done.out
    listed = student("subscribe", "--json").json["libraries"]
    assert [(one["state"], one["courses"], one["problem"]) for one in listed] == [("ready", TITLES, None)]
    courses = student("courses", "--json").json["courses"]
    assert [(one["title"], one["server"], one["files"]) for one in courses] == [
        (title, class_library.url, []) for title in TITLES
    ]
    assert f"{TITLES[2]} (2 passages, on {class_library.url})" in student("courses").out
    refused = student("remove", "tides")
    assert (refused.code, refused.out) == (1, "") and "No course or file" in refused.err
    assert student("subscribe", *_place(class_library), "--remove").code == 0
    assert student("courses", "--json").json == {"courses": []}
    gone = student("subscribe", *_place(class_library), "--remove")
    assert (gone.code, gone.out) == (1, "") and "no subscription" in gone.err


def test_a_server_that_is_away_keeps_its_courses(student: Commands, class_library: ServerAddress) -> None:
    with ChromaProxy(class_library.url) as proxy:
        student("subscribe", *_place(proxy.address_of(class_library)))
        proxy.fault = Fault(status=404)
        away = student("subscribe")
    assert away.code == 3
    assert TITLES[1] in away.out and "ready" not in away.out


def test_nothing_there_is_an_error(student: Commands, chroma_database: ServerAddress) -> None:
    done = student("subscribe", *_place(chroma_database))
    assert (done.code, done.out) == (1, "")
    assert "no library" in done.err
    done = student("subscribe", f"http://user:{TOKEN}@127.0.0.1")
    assert done.code == 1 and "must not contain" in done.err and TOKEN not in done.err


def test_a_token_is_asked_for_and_shown_nowhere(
    student: Commands, class_library: ServerAddress, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with ChromaProxy(class_library.url, token=TOKEN) as proxy:
        place = _place(proxy.address_of(class_library))
        refused = student("subscribe", *place)
        assert (refused.code, refused.out) == (1, "")
        terminal = io.StringIO()
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(getpass, "getpass", lambda *_, **__: TOKEN)
        typed = student("subscribe", *place)
        assert typed.code == 0 and "LECTERN_CHROMA_TOKEN" in typed.err  # there is no keychain
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        assert student("subscribe").code == 3
        monkeypatch.setenv("LECTERN_CHROMA_TOKEN", TOKEN)
        assert student("subscribe").code == 0
        assert TOKEN not in typed.out + typed.err
    stored = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert stored and not any(TOKEN.encode() in content for content in stored)
