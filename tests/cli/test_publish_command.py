"""lectern publish: output, exit codes, tokens that are shown nowhere, and a process that is killed."""

from __future__ import annotations

import getpass
import io
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.commands import Commands
from tests.support.courses import TITLES
from tests.support.publishing import contents, leftovers

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.shared import ServerAddress

TOKEN = "tok-5f0c2d9a7b13"


def _place(address: ServerAddress) -> tuple[str, ...]:
    return address.url, "--database", address.database


def test_it_says_what_became_of_each_course(run: Commands, chroma_database: ServerAddress) -> None:
    done = run("publish", *_place(chroma_database), "--course", "bread", "--json")
    assert done.code == 0
    (course,) = done.json["courses"]
    assert (course["title"], course["status"], course["reason"]) == (TITLES[1], "added", None)
    assert course["sent"] == course["passages"] == done.json["passages_sent"] > 0
    assert f"{TITLES[1]}: {course['sent']}/{course['sent']} passages" in done.err
    done = run("publish", *_place(chroma_database))
    assert done.code == 0
    assert f"unchanged: {TITLES[1]}" in done.out
    assert f"added: {TITLES[2]}" in done.out
    assert contents(chroma_database).keys() == {*TITLES}
    done = run("publish", *_place(chroma_database), "--remove", "bread", "--remove", "tides")
    assert (done.code, done.out.count("removed: ")) == (0, 2)
    assert contents(chroma_database).keys() == {TITLES[0]}


def test_a_wrong_name_or_address_is_an_error(run: Commands, chroma_database: ServerAddress) -> None:
    for arguments, said in (
        ((*_place(chroma_database), "--course", "no such course"), "no such course"),
        ((*_place(chroma_database), "--course", "a"), "No course or file"),
        ((f"http://user:{TOKEN}@127.0.0.1",), "must not contain"),
        (("http://127.0.0.1:9", "--course", "bread"), "cannot be reached"),
        ((chroma_database.url, "--ca", "no-such-file.pem"), "no-such-file.pem"),
    ):
        done = run("publish", *arguments)
        assert (done.code, done.out) == (1, "")
        assert said in done.err
        assert TOKEN not in done.err


def test_a_course_of_another_library_makes_it_done_in_part(
    run: Commands,
    chroma_database: ServerAddress,
    stored_courses: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = Commands(shutil.copytree(stored_courses[1], tmp_path / "other"), capsys)
    other("publish", *_place(chroma_database), "--course", "bread")
    done = run("publish", *_place(chroma_database), "--json")
    assert done.code == 3
    statuses = {course["title"]: course["status"] for course in done.json["courses"]}
    assert statuses == {TITLES[0]: "added", TITLES[1]: "failed", TITLES[2]: "added"}
    assert run("publish", *_place(chroma_database), "--course", "bread").code == 1
    assert run("publish", *_place(chroma_database), "--replace").code == 0


def test_a_token_comes_from_the_environment_or_is_asked_for_and_shown_nowhere(
    run: Commands, chroma_database: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChromaProxy(chroma_database.url, token=TOKEN) as proxy:
        place = _place(proxy.address_of(chroma_database))
        refused = run("publish", *place)
        assert (refused.code, refused.out) == (1, "")
        assert "wants a token" in refused.err
        monkeypatch.setenv("LECTERN_CHROMA_TOKEN", TOKEN)
        given = run("publish", *place, "--json")
        assert given.code == 0
        monkeypatch.setenv("LECTERN_CHROMA_TOKEN", "tok-wrong-and-old")
        asked: list[str] = []

        def typed(prompt: str, stream: object = None) -> str:
            asked.append(prompt)
            return TOKEN

        monkeypatch.setattr(getpass, "getpass", typed)
        terminal = io.StringIO()
        terminal.isatty = lambda: True  # type: ignore[method-assign]
        monkeypatch.setattr(sys, "stdin", terminal)
        done = run("publish", *place)
        assert done.code == 0
        assert len(asked) == 1
        assert "does not accept the token" in asked[0]
        for ran in (refused, given, done):
            assert TOKEN not in ran.out + ran.err


@pytest.mark.slow
def test_a_killed_command_is_continued_by_the_next(run: Commands, chroma_database: ServerAddress) -> None:
    fault = Fault(on="/upsert", after=2, is_silent=True)
    with ChromaProxy(chroma_database.url, fault=fault) as proxy:
        with run.start("publish", *_place(proxy.address_of(chroma_database))) as process:
            assert proxy.stuck.wait(120)
            process.kill()
        assert contents(chroma_database) == {}
    done = run("publish", *_place(chroma_database), "--json")
    assert done.code == 0
    assert [course["sent"] for course in done.json["courses"]][0] == 0  # sent before it was killed
    assert contents(chroma_database).keys() == {*TITLES}
    assert not leftovers(chroma_database)
