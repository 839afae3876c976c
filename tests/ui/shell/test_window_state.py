"""Where the window opens, and what of it is in view there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRect, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter

from app.ui.chat.composer import Composer
from app.ui.shell.window_state import WindowState, first_place

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


def shown(folder: Path, width: int, height: int, scale: float = 1.0) -> dict[str, QRect]:
    """Show a window on a screen of this size in a process of its own; return where things lie."""
    screen = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screens = {"windowFrameMargins": True, "screens": [{**screen, "logicalDpi": 96, "logicalBaseDpi": 96}]}
    (folder / "screens.json").write_text(json.dumps(screens), encoding="utf-8")
    environ = {
        **os.environ,
        "QT_QPA_PLATFORM": f"offscreen:configfile={folder / 'screens.json'}",
        "QT_SCALE_FACTOR": str(scale),
    }
    command = [sys.executable, "-m", "tests.support.first_window", str(folder)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True, timeout=300)
    places = json.loads(done.stdout.splitlines()[-1])
    return {name: QRect(*place) for name, place in places.items()}


@pytest.mark.parametrize(
    ("width", "height", "scale"),
    [
        (800, 600, 1),
        *(
            pytest.param(*screen, marks=pytest.mark.slow)
            for screen in ((1366, 768, 1), (2560, 1440, 2), (1280, 800, 1.5), (2560, 1440, 1))
        ),
    ],
)
def test_a_first_window_lies_on_the_screen_with_what_one_needs(
    tmp_path: Path, width: int, height: int, scale: float
) -> None:
    places = shown(tmp_path, width, height, scale)
    room = places.pop("room")
    assert abs(room.width() - width / scale) <= 1
    for name, place in places.items():
        assert room.contains(place), f"{name} lies at {place} on {room}"


def test_a_window_of_a_large_screen_is_moved_into_a_small_one(tmp_path: Path) -> None:
    shown(tmp_path, 2560, 1440)
    places = shown(tmp_path, 1366, 768)
    room = places.pop("room")
    assert all(room.contains(place) for place in places.values()), places


def test_a_place_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
    file = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)

    def open_one() -> tuple[QMainWindow, WindowState]:
        window = QMainWindow()
        qtbot.addWidget(window)
        return window, WindowState(file, window, QSplitter(window), {}, Composer(window))

    window, state = open_one()
    place = QRect(40, 60, 500, 400)
    window.setGeometry(place)
    state.save()
    assert open_one()[0].geometry() == place


def test_a_large_screen_is_used() -> None:
    place = first_place(QRect(0, 0, 2560, 1400))
    assert place == QRect(320, 175, 1920, 1050)
