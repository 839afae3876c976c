"""Natural order of paths, and which files belong together."""

from __future__ import annotations

import os

from app.domain.file_paths import lesson_stem, natural_path, root_of


def test_files_of_one_lesson() -> None:
    assert lesson_stem("/c/01.pdf") == lesson_stem("/c/01.srt") == lesson_stem("/c/01.en.vtt")
    assert lesson_stem("/c/v1.2.pdf") != lesson_stem("/c/v1.pdf")


def test_natural_order_on_every_system() -> None:
    paths = ["/c/b 10.md", "/c/a/1.md", "/c/b 2.md", "/c/B 3.md"]
    assert sorted(paths, key=natural_path) == ["/c/b 2.md", "/c/B 3.md", "/c/b 10.md", "/c/a/1.md"]
    assert sorted(["C:\\x\\10.md", "C:\\x\\9.md"], key=natural_path) == ["C:\\x\\9.md", "C:\\x\\10.md"]


def test_the_innermost_folder_of_a_path() -> None:
    outer = os.path.join(os.sep, "c")
    inner = os.path.join(outer, "week 1")
    assert root_of(os.path.join(inner, "a.md"), [outer, inner]) == inner
    assert root_of(outer, [outer, inner]) == outer
    assert root_of(os.path.join(os.sep, "courses"), [outer, inner]) is None
    assert root_of(inner, [os.sep]) == os.sep
