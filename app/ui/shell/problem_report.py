"""The report that people add when they say what went wrong."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtGui import QGuiApplication

from app import __version__
from app.config.redaction import redact
from app.config.settings import Settings

if TYPE_CHECKING:
    from app.domain.courses import LibraryCounts
    from app.workers.workers import LibrarySnapshot

_LINES = 200  # of the log


def problem_report(settings: Settings, library: LibrarySnapshot | None, log: str) -> str:
    """Return what developers need to know: versions, changed settings, and the end of the log.

    Keys are left out, and the user's folder is written as ``~``.
    """
    usual = asdict(Settings())
    changed = {name: value for name, value in asdict(settings).items() if value != usual[name]}
    screens = (
        f"{one.size().width()}×{one.size().height()} at {one.devicePixelRatio():g}"
        for one in QGuiApplication.screens()
    )
    lines = (
        f"Lectern {__version__}, Python {platform.python_version()}, PySide {PySide6.__version__}",
        f"{platform.platform()}, {QGuiApplication.platformName()}, {', '.join(screens)}",
        _size(library.counts) if library else "The library is not open",
        f"Settings: {json.dumps(changed, ensure_ascii=False)}",
        "",
        *log.splitlines()[-_LINES:],
    )
    report = redact("\n".join(lines))
    home = str(Path.home())
    # In settings and quoted in the log, the backslashes of Windows are doubled; in addresses they are turned.
    for spelling in (home, json.dumps(home, ensure_ascii=False)[1:-1], Path.home().as_posix()):
        report = report.replace(spelling, "~")
    return report


def _size(counts: LibraryCounts) -> str:
    return f"{counts.courses} courses, {counts.documents} files, {counts.passages} passages"
