"""The language of the settings is that of the window from the next start on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 120  # seconds on a busy machine
PROGRAM = """
import argparse, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from app.main import FEATURES, StartRequest, _run_window
from app.startup.single_instance import SingleInstance, address_for

application = QApplication([])

def look():
    for window in QApplication.topLevelWidgets():
        if isinstance(window, QMainWindow) and window.isVisible():
            print(*(action.text() for action in window.menuBar().actions()), sep="|")
            window.close()
            return
    QTimer.singleShot(50, look)

QTimer.singleShot(0, look)
data_dir = Path(sys.argv[1])
given = argparse.Namespace(debug=False, data_dir=data_dir)
instance = SingleInstance(address_for(data_dir))
sys.exit(_run_window(given, FEATURES, application, instance, "", StartRequest([])))
"""


@pytest.mark.parametrize(
    ("language", "menu"),
    [
        ("de", "&Datei"),
        ("", "&File"),
        pytest.param("es", "&Archivo", marks=pytest.mark.slow),
    ],
)
def test_the_window_starts_in_the_language_of_the_settings(tmp_path: Path, language: str, menu: str) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"language": language}), encoding="utf-8")
    places = {"LECTERN_CACHE_DIR": str(tmp_path / "cache"), "LECTERN_CONFIG_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "data")],
        env={**os.environ, **places, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=True,
    )
    assert menu in done.stdout.strip().split("|")
