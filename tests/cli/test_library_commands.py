"""Removing and bringing back from the command line."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from app.core.embedding.embedder import Embedder
from tests.support.commands import Commands
from tests.support.courses import TITLES, library

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.cancel import CancelToken
    from tests.support.courses import KeptEmbedder

INK, BREAD, TIDES = TITLES


pytestmark = pytest.mark.usefixtures("kept_model")


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
    assert list(entry) == ["course_title", "paths", "passages", "items", "removed", "deleted_after"]
    assert (entry["course_title"], entry["passages"]) == (BREAD, 3)
    assert run("doctor").code == 0
    assert run("trash", "restore", "Bread").out == "Restored 1 file, 3 passages.\n"
    assert titles(run) == TITLES
    assert run("trash", "list").out == "The trash is empty.\n"
    assert run("doctor").code == 0


def test_a_file_that_was_read_in_part_is_added_and_says_what_is_missing(
    run: Commands, tmp_path: Path
) -> None:
    path = tmp_path / "Owls.ipynb"
    path.write_text('{"cells": ["?", {"cell_type": "markdown", "source": "Owls hunt."}]}', encoding="utf-8")
    ran = run("ingest", path, "--json")
    assert ran.code == 0
    (file,) = ran.json["files"]
    assert (file["status"], file["passages"]) == ("added", 1)
    assert file["reason"] == "1 of 2 cells could not be read."


def test_a_library_without_courses_says_so(run: Commands) -> None:
    run("remove", "--all")
    assert run("courses").out == "There are no courses; “lectern ingest” adds some.\n"
    assert run("courses", "--json").json == {"courses": []}


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
    assert ran.err == f"No course or file is called “{name}”.\n"
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


class TestMoving:
    def test_to_another_computer_and_back(
        self, run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        archive = tmp_path / "library.zip"
        told = run("export", archive)
        assert told.code == 0
        assert told.out.startswith("Exported 3 files, ")
        other = Commands(tmp_path / "other", capsys)
        question = ("search", "what is a sourdough starter?", "--json")
        done = other("import", archive, "--json")
        assert done.code == 0
        assert {name: done.json[name] for name in ("documents", "already_there", "left_out")} == {
            "documents": 3,
            "already_there": 0,
            "left_out": [],
        }
        assert other(*question).json == run(*question).json
        assert other("doctor").code == 0
        assert "already there: 3 files." in other("import", archive).out

    def test_replacing(self, run: Commands, tmp_path: Path) -> None:
        archive = tmp_path / "library.zip"
        assert run("export", archive, "--json").json["documents"] == 3
        (tmp_path / "rye.txt").write_text("Course Title: Rye\n\nLesson 1: A\nRye.\n", encoding="utf-8")
        assert run("ingest", tmp_path / "rye.txt").code == 0
        assert len(titles(run)) == 4
        assert run("import", archive, "--replace").code == 0
        assert titles(run) == TITLES
        assert run("doctor").code == 0

    def test_what_is_left_out_is_named(self, run: Commands, tmp_path: Path) -> None:
        archive = tmp_path / "library.zip"
        run("export", archive)
        run("remove", "ink")
        path = tmp_path / "ink.md"
        path.write_text(f"# {INK}\n\nIt is another text now.\n", encoding="utf-8")
        run("ingest", path)
        ran = run("import", archive)
        assert ran.code == 3
        assert "left out: " in ran.out

    def test_a_bad_archive(self, run: Commands, tmp_path: Path) -> None:
        path = tmp_path / "bad.zip"
        path.write_text("no archive", encoding="utf-8")
        ran = run("import", path)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.count("\n") == 1
        assert "is not a library exported by Lectern" in ran.err
        assert titles(run) == TITLES


@pytest.mark.skipif(sys.platform == "win32", reason="open files cannot vanish there")
def test_a_library_deleted_while_files_are_read_is_said_in_one_sentence(
    run: Commands, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_cache: Path
) -> None:
    class Deleting(Embedder):
        """Computes vectors while someone deletes the library."""

        def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
            shutil.rmtree(data_dir, ignore_errors=True)
            return super().embed_passages(texts, token)

    monkeypatch.setattr("app.cli.commands.Embedder", lambda *_: Deleting(None, model_cache))
    path = tmp_path / "herons.txt"
    path.write_text("Course Title: Herons\n\nLesson 1: All\nHerons wait in the reeds.\n", encoding="utf-8")
    ran = run("ingest", path)
    assert ran.code == 1
    assert ran.out == ""
    assert "added" not in ran.err
    *_, last = ran.err.splitlines()
    assert last.startswith(f"The library in {data_dir} was deleted, moved or replaced while it was open")
    assert not data_dir.exists()


def test_a_folder_is_one_course_or_each_folder_in_it_is(run: Commands, tmp_path: Path) -> None:
    folder = (tmp_path / "Seas").resolve()
    for name in ("slides", "notes"):
        (folder / name).mkdir(parents=True)
        (folder / name / "1.md").write_text(f"The {name} are about waves.\n", encoding="utf-8")
    planned = run("plan", str(folder))
    assert planned.out.startswith("Seas\n")
    assert f"{folder} is one course. --course-per-folder makes each folder in it a course." in planned.out
    other_way = run("plan", str(folder), "--course-per-folder")
    assert f"Each folder in {folder} is a course. --one-course makes one course of it." in other_way.out
    assert "is one course" in run("ingest", str(folder)).out
    assert titles(run) == [INK, BREAD, "Seas", TIDES]
    assert "is one course" not in run("ingest", str(folder)).out
    again = run("ingest", str(folder), "--course-per-folder", "--json").json
    assert again["folders"] == [{"path": str(folder), "one_course": False, "is_new": True}]
    assert titles(run) == [INK, BREAD, "notes", "slides", TIDES]
    with pytest.raises(SystemExit):
        run("ingest", "--retry", "--one-course")


def test_a_folder_that_cannot_be_decided_on_is_said(run: Commands, tmp_path: Path) -> None:
    folder = (tmp_path / "Uni").resolve()
    for name in ("Seas/waves", "Seas/winds", "Woods"):
        (folder / name).mkdir(parents=True)
        (folder / name / "1.md").write_text(f"Of {name} and more.\n", encoding="utf-8")
    assert run("ingest", str(folder), "--course-per-folder").code == 0
    before = titles(run)
    for command in ("plan", "ingest"):
        for option in ("--one-course", "--course-per-folder"):
            ran = run(command, str(folder / "Seas"), option)
            assert (ran.code, ran.out) == (1, "")
            assert f"{folder / 'Seas'} lies in {folder}, whose courses are decided on together." in ran.err
    assert run("plan", str(folder / "Seas")).code == 0
    assert titles(run) == before
    alone = run("plan", str(folder / "Woods"), str(tmp_path / "Uni"), "--one-course")
    assert "lies in" in alone.err
    weeks = (tmp_path / "Weeks").resolve()
    (weeks / "Week 1").mkdir(parents=True)
    (weeks / "Week 1" / "1.md").write_text("Of weeks.\n", encoding="utf-8")
    said = f"{weeks} is one course: no folder in it can be a course of its own."
    assert said in run("plan", str(weeks), "--course-per-folder").out
    assert said not in run("plan", str(weeks), "--one-course").out
