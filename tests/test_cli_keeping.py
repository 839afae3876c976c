"""Removing and bringing back from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.commands import Commands
from tests.support.courses import TITLES, library

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

INK, BREAD, TIDES = TITLES


@pytest.fixture(autouse=True)
def kept_model(monkeypatch: pytest.MonkeyPatch, embedder: KeptEmbedder) -> None:
    """Load the model once for all commands of this process, not for each."""
    monkeypatch.setattr("app.cli.Embedder", lambda model_dir, cache_dir: embedder)


@pytest.fixture
def run(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    """Commands on a library of the three tiny courses."""
    return Commands(data_dir, capsys)


def titles(run: Commands) -> list[str]:
    return [course["title"] for course in run("courses", "--json").json["courses"]]


@pytest.mark.parametrize("arguments", [["remove"], ["remove", "x", "--all"], ["trash"], ["trash", "restore"]])
def test_wrong_usage_leaves_with_2(run: Commands, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(*arguments)
    assert left.value.code == 2


def test_a_course_goes_and_comes_back(run: Commands) -> None:
    removed = run("remove", "bread")
    assert removed.code == 0
    assert removed.out.startswith(f"{BREAD}\nRemoved 1 file, 3 passages.")
    assert titles(run) == [INK, TIDES]
    assert run("search", "sourdough", "--course", BREAD, "--json").json["hits"] == []
    assert BREAD in run("trash", "list").out
    (entry,) = run("trash", "list", "--json").json["trash"]
    assert list(entry) == ["course_title", "paths", "passages", "removed", "deleted_after"]
    assert (entry["course_title"], entry["passages"]) == (BREAD, 3)
    assert run("doctor").code == 0
    assert run("trash", "restore", "Bread").out == "Restored 1 file, 3 passages.\n"
    assert titles(run) == TITLES
    assert run("trash", "list").out == "The trash is empty.\n"
    assert run("doctor").code == 0


def test_a_file_a_folder_and_everything(run: Commands, stored_courses: tuple[Path, Path]) -> None:
    folder = stored_courses[0]
    removed = run("remove", folder / "ink.md", "--json").json["removed"]
    assert [(item["path"], item["course_title"]) for item in removed] == [(str(folder / "ink.md"), INK)]
    assert len(run("remove", folder, "--json").json["removed"]) == 2
    assert titles(run) == []
    assert run("trash", "restore", "--all").code == 0
    assert titles(run) == TITLES
    assert len(run("remove", "--all", "--json").json["removed"]) == 3
    assert run("remove", "--all").out == "The library is empty.\n"
    assert run("trash", "empty").out.startswith("Deleted 3 files, ")
    counts = run("doctor", "--json").json["counts"]
    assert set(counts.values()) == {0}


@pytest.mark.parametrize("name", ["quantum mechanics", "nowhere.txt", "/no/such/folder"])
def test_what_is_not_there(run: Commands, name: str) -> None:
    ran = run("remove", name)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"Neither a course nor a file is called “{name}”.\n"
    assert titles(run) == TITLES


def test_what_fits_several_courses(run: Commands, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Course Title: Bread of Rye\n\nLesson 1: A\nRye.\n", encoding="utf-8")
    assert run("ingest", tmp_path / "a.txt").code == 0
    ran = run("remove", "bread")
    assert (ran.code, ran.out) == (1, "")
    assert f"{BREAD}; Bread of Rye" in ran.err
    assert len(titles(run)) == 4


def test_restoring_from_an_empty_trash(run: Commands) -> None:
    ran = run("trash", "restore", "bread")
    assert (ran.code, ran.err) == (1, "The trash is empty.\n")


def test_a_window_holds_the_library(run: Commands, data_dir: Path, embedder: KeptEmbedder) -> None:
    with library(data_dir, embedder, index=False):
        assert "Another Lectern" in run.apart("remove", "bread").err
        assert run.apart("trash", "list").out == "The trash is empty.\n"
