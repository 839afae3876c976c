from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

CHECK = "from app.startup.system_check import what_is_missing; print(what_is_missing())"
LINUX = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux leaves libraries to the system"
)


def sentence(
    *,
    code: str = CHECK,
    packages: Path | None = None,
    display: str = "",
    wayland: str = "",
    platform: str = "",
) -> str:
    """Return what a child process in this environment prints."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    chosen = {"DISPLAY": display, "WAYLAND_DISPLAY": wayland, "QT_QPA_PLATFORM": platform}
    environment |= {name: value for name, value in chosen.items() if value}
    if packages is not None:
        environment["PYTHONPATH"] = str(packages)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout.strip()


def pyside(folder: Path, body: str) -> Path:
    """Create a PySide6 in ``folder`` whose widgets cannot be loaded."""
    (folder / "PySide6").mkdir()
    (folder / "PySide6" / "__init__.py").touch()
    (folder / "PySide6" / "QtWidgets.py").write_text(body, encoding="utf-8")
    return folder


def test_off_screen_nothing_is_missing() -> None:
    assert sentence(platform="offscreen") == "None"


@LINUX
def test_without_a_display() -> None:
    said = sentence()
    assert said.startswith("There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.")
    assert "lectern --help" in said


@LINUX
def test_a_display_that_cannot_be_opened() -> None:
    said = sentence(display=":9753")
    assert said == "The display :9753 cannot be opened. Check DISPLAY, or start a desktop."


@LINUX
def test_wayland_needs_no_x11() -> None:
    assert sentence(wayland="wayland-0") == "None"
    assert sentence(wayland="wayland-0", display=":9753") == "None"


def test_a_missing_library_comes_with_its_package(tmp_path: Path) -> None:
    reason = "libEGL.so.1: cannot open shared object file: No such file or directory"
    said = sentence(packages=pyside(tmp_path, f"raise ImportError({reason!r})"))
    assert said == "The window needs libEGL.so.1. Install it with: sudo apt install libegl1"


def test_a_missing_library_of_an_unknown_package(tmp_path: Path) -> None:
    reason = "libodd.so.3: cannot open shared object file: No such file or directory"
    said = sentence(packages=pyside(tmp_path, f"raise ImportError({reason!r})"))
    assert said == "The window needs the library libodd.so.3, which is not installed on this system."


def test_qt_that_fails_for_another_reason(tmp_path: Path) -> None:
    said = sentence(packages=pyside(tmp_path, "raise ImportError('undefined symbol: spam')"))
    assert said == "The window system cannot be loaded: undefined symbol: spam"


def test_without_pyside() -> None:
    said = sentence(code=f"import sys; sys.modules['PySide6'] = None; {CHECK}")
    assert said == "The package PySide6 is not installed: run “pip install pyside6-essentials”."


@LINUX
def test_the_program_says_it_and_leaves(tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    done = subprocess.run(
        [sys.executable, "-m", "app", "--data-dir", str(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("There is no display")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()
