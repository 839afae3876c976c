"""Opens what helps: the guide, the list of changes, a report of problems, and About."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QGuiApplication

from app import __version__
from app.config.paths import resource_path, user_log_dir
from app.config.redaction import redact
from app.config.settings import Settings
from app.ui.widgets.bars import OfferBar
from app.ui.widgets.theme import Theme
from app.workers.job import read_text_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QMainWindow

    from app.domain.courses import LibraryCounts
    from app.ui.shell.guide_window import GuideWindow
    from app.workers.library import LibrarySnapshot


_GUIDE, _CHANGES = "docs/user-guide.md", "docs/CHANGELOG.md"
_VERSION = "version"  # that was started last


class HelpController(QObject):
    """Opens windows and dialogs, which are imported late so that the main window paints sooner."""

    def __init__(
        self,
        window: QMainWindow,
        data_dir: Path,
        memory: QSettings,
        situation: Callable[[], tuple[Settings, LibrarySnapshot | None]],
        features: Collection[str] = (),
    ) -> None:
        super().__init__(window)
        self._window = window
        self._data_dir = data_dir
        self._situation = situation
        self._features = features
        self._texts: dict[str, GuideWindow] = {}  # that are open, by their files
        self.news = OfferBar()
        """Says once that this version is new."""
        self.news.accepted.connect(self.show_changes)
        if memory.value(_VERSION, __version__) != __version__:
            self.news.offer(self.tr("Lectern is now version {0}.").format(__version__), self.tr("What’s new"))
        memory.setValue(_VERSION, __version__)

    @property
    def guide(self) -> GuideWindow | None:
        return self._texts.get(_GUIDE)

    def set_theme(self, theme: Theme) -> None:
        self.news.set_theme(theme)
        for window in self._texts.values():
            window.set_theme(theme)

    def show_guide(self) -> None:
        """Open the user guide in the user's language, or bring it to the front."""
        self._show_text(_GUIDE, self.tr("User guide"))

    def show_changes(self) -> None:
        self._show_text(_CHANGES, self.tr("What’s new"))

    def _show_text(self, name: str, title: str) -> None:
        from app.ui.shell.guide_window import GuideWindow

        window = self._texts.get(name)
        if window is None:
            window = GuideWindow(_translated(name), title, Theme.current(), self._window, self._features)
            self._texts[name] = window
            window.finished.connect(lambda: self._texts.pop(name, None))
        window.show()
        window.raise_()
        window.activateWindow()

    def show_report(self) -> None:
        """Show what developers need to know about a problem."""
        read_text_file(user_log_dir() / "lectern.log", self._show_report)

    def _show_report(self, log: str) -> None:
        from app.ui.widgets.dialog import ReportDialog

        text = self.tr(
            "Describe the problem in your own words and add this report. It contains no keys, but names of "
            "files may be in it: read it before you send it."
        )
        report = problem_report(*self._situation(), log)
        ReportDialog(self.tr("Report a problem"), text, report, self._window).open()

    def show_about(self) -> None:
        from app.ui.shell.help_dialogs import AboutDialog

        AboutDialog(self._data_dir, self._window).open()


def _translated(name: str) -> Path:
    """Return a text in the user's language, or in English."""
    language = QLocale().name().partition("_")[0]
    try:
        return resource_path(name.replace(".md", f".{language}.md"))
    except FileNotFoundError:
        return resource_path(name)


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
