"""Whatever a command is given, it ends with one true sentence; the details are in the log file."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.support.commands import Commands, Ran
from tests.support.courses import TITLES

pytestmark = pytest.mark.slow

DEEP = "[" * 50_000


@pytest.fixture
def cache(tmp_path: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of the test's own, with the exported model."""
    place = tmp_path / "cache"
    shutil.copytree(model_cache, place, ignore=shutil.ignore_patterns("log"))
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(place))
    return place


def sentence(ran: Ran, code: int = 1) -> str:
    """Return the one sentence that is the whole of standard error."""
    assert ran.code == code, ran.err
    assert ran.err.count("\n") == 1, ran.err
    assert ran.err.endswith(".\n")
    return ran.err.strip()


def spoil(data_dir: Path, statement: str) -> None:
    connection = sqlite3.connect(data_dir / "library.sqlite3")
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="Windows has no special files")
def test_special_files(run: Commands, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        assert sentence(run.apart("import", path)) == f"{path} cannot be read (Not a regular file)."
        expected = f"The library could not be written to {path} (Not a regular file)."
        assert sentence(run.apart("export", path)) == expected
    assert "Is a directory" in sentence(run.apart("import", tmp_path))
    assert "Is a directory" in sentence(run.apart("export", tmp_path))


@pytest.mark.parametrize("line", [DEEP, f'{{"question": {DEEP}', f'{{"lesson_number": {"9" * 5000}}}'])
def test_questions_that_are_none(run: Commands, tmp_path: Path, line: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(line, encoding="utf-8")
    ran = run("search", "--questions", path)
    assert sentence(ran) == f"Line 1 of {path} is not a JSON object with a “question”."


def test_values_that_no_search_expects(run: Commands, data_dir: Path, cache: Path) -> None:
    spoil(data_dir, "UPDATE chunks SET terms = x'00'")
    assert sentence(run.apart("search", "ink")) == (
        "The command failed because of a fault in Lectern or a damaged library (ValueError). "
        "Run “lectern doctor” to check the library; “lectern --debug” prints the details."
    )
    log = cache / "log" / "lectern.log"
    assert "Traceback" in log.read_text(encoding="utf-8")
    assert "Traceback" in run.apart("--debug", "search", "ink").err


@pytest.mark.parametrize("removed", ["'soon'", "1e300"])
def test_a_time_that_is_none(run: Commands, data_dir: Path, removed: str) -> None:
    spoil(data_dir, f"UPDATE documents SET trashed_at = {removed}")
    assert "a damaged library" in sentence(run.apart("trash", "list"))


def test_a_damaged_file_is_named_without_a_traceback(run: Commands, tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "notes.rtf"
    path.write_text(r"{\rtf1 \u99999999 text}", encoding="utf-8")
    ran = run.apart("ingest", path, "--json")
    assert ran.code == 3
    (file,) = ran.json["files"]
    assert file["status"] == "failed"
    assert ran.err.split("\n") == [f"1/1: {path}", f"failed: {path}", ""]
    assert "Traceback" in (cache / "log" / "lectern.log").read_text(encoding="utf-8")


def test_a_path_that_is_too_long(run: Commands, tmp_path: Path) -> None:
    settings = tmp_path / "config" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"embedding_model": "a" * 5000}), encoding="utf-8")
    assert "File name too long" in sentence(run.apart("search", "ink"))


def test_settings_that_cannot_be_saved_after_an_import(
    run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", tmp_path / "a.zip").code == 0
    (tmp_path / "config").write_text("in the way", encoding="utf-8")
    other = Commands(tmp_path / "other", capsys)
    ran = other.apart("import", tmp_path / "a.zip")
    assert ran.code == 3
    assert ran.out.startswith("Imported 3 files, ")
    assert "Traceback" not in ran.err
    assert f"The settings could not be saved in {tmp_path / 'config' / 'settings.json'} (" in ran.err
    assert [course["title"] for course in other("courses", "--json").json["courses"]] == TITLES


def test_a_library_whose_text_cannot_be_decoded(run: Commands, data_dir: Path, tmp_path: Path) -> None:
    spoil(data_dir, "UPDATE courses SET title = CAST(x'41ff' AS TEXT) WHERE id = 1")
    ran = run.apart("export", tmp_path / "b.zip")
    assert f"The library in {data_dir} is damaged" in sentence(ran)
    assert not (tmp_path / "b.zip").exists()


def test_settings_nested_too_deeply(run: Commands, tmp_path: Path) -> None:
    settings = tmp_path / "config" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(DEEP, encoding="utf-8")
    ran = run.apart("courses")
    assert "The settings could not be read; the defaults are used" in sentence_of_success(ran)


def sentence_of_success(ran: Ran) -> str:
    assert ran.code == 0
    assert ran.err.count("\n") == 1, ran.err
    return ran.err
