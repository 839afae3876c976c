"""Deleted files, unreachable ones, and names that are not text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.core.ingest.discovery import has_readable_name, is_gone, is_reachable


def test_a_file_is_gone_if_it_or_its_folder_is_missing_or_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.touch()
    assert not is_gone(file)
    assert is_gone(tmp_path / "b.txt")
    assert is_gone(file / "below.txt")
    assert is_gone(tmp_path), "a folder is there instead"


def test_a_file_that_cannot_be_examined_is_not_gone(tmp_path: Path) -> None:
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    assert not is_gone(tmp_path / "loop.txt")


def test_an_empty_folder_where_a_drive_was_is_out_of_reach(tmp_path: Path) -> None:
    assert is_reachable(tmp_path, was_mount=False)
    assert not is_reachable(tmp_path, was_mount=True)
    (tmp_path / "a.txt").touch()
    assert is_reachable(tmp_path, was_mount=True)
    assert not is_reachable(tmp_path / "none", was_mount=False)


@pytest.mark.parametrize(
    ("name", "expected"), [(b"a.txt", True), ("Übung?.txt".encode(), True), (b"\xff.txt", False)]
)
def test_a_name_of_arbitrary_bytes_is_not_text(name: bytes, expected: bool) -> None:
    path = name.decode("utf-8", "surrogateescape")
    assert has_readable_name(path) is expected
    assert has_readable_name(Path(os.sep, path)) is expected
