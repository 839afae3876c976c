"""Opens what helps: the guide, the lists of changes and keys, a report of problems, and About."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QLocale, QObject, QSettings, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QWidget

from app import __version__
from app.config.paths import resource_path, user_log_dir
from app.config.redaction import redact
from app.config.settings import Settings
from app.ui.widgets.bars import OfferBar
from app.ui.widgets.pane_keys import PaneKey, PaneShortcut
from app.workers.job import Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from PySide6.QtWidgets import QMainWindow

    from app.domain.courses import LibraryCounts
    from app.ui.shell.actions import MenuCommand
    from app.ui.shell.guide_window import GuideWindow
    from app.ui.widgets.theme import Theme
    from app.workers.library import LibrarySnapshot, LibraryWorkers


_GUIDE, _CHANGES = "docs/user-guide.md", "docs/CHANGELOG.md"
_KEYS = "keys"
_VERSION = "version"  # that was started last


class HelpController(QObject):
    """Opens windows and dialogs, which are imported late so that the main window paints sooner."""

    def __init__(
        self,
        window: QMainWindow,
        data_dir: Path,
        memory: QSettings,
        workers: LibraryWorkers,
        situation: Callable[[], tuple[Settings, LibrarySnapshot | None]],
        features: Collection[str] = (),
    ) -> None:
        super().__init__(window)
        self._window = window
        self._data_dir = data_dir
        self._workers = workers
        self._situation = situation
        self._features = features
        self._texts: dict[str, GuideWindow] = {}  # that are open, by their names
        self.news = OfferBar()
        """Says once that this version is new."""
        self.news.accepted.connect(self.show_changes)
        if memory.value(_VERSION, __version__) != __version__:
            self.news.offer(self.tr("Lectern is now version {0}.").format(__version__), self.tr("What's new"))
        memory.setValue(_VERSION, __version__)

    @property
    def guide(self) -> GuideWindow | None:
        return self._texts.get(_GUIDE)

    def set_theme(self, theme: Theme) -> None:
        for window in self._texts.values():
            window.set_theme(theme)

    def show_guide(self) -> None:
        """Open the user guide in the user's language, or bring it to the front."""
        self._show_file(_GUIDE, self.tr("User guide"))

    def show_changes(self) -> None:
        self._show_file(_CHANGES, self.tr("What's new"))

    def show_keys(self, commands: Iterable[MenuCommand]) -> None:
        """List the keys of the menus, of the panes of the window, and of all lists and fields."""
        groups: dict[str, dict[str, str]] = {}
        for menu, name, action in commands:
            if action.objectName():
                groups.setdefault(menu, {})[name] = _shown(action.shortcuts())
        keys: list[PaneKey | PaneShortcut] = list(self._window.findChildren(PaneKey))
        of_panes = (*keys, *self._window.findChildren(PaneShortcut))
        for key in of_panes:
            pane = key.parent()
            title = pane.windowTitle() if isinstance(pane, QWidget) else ""
            if key.text:
                groups.setdefault(title or self.tr("Panes"), {})[key.text] = _shown(key.keys())
        groups[self.tr("In every list, field and answer")] = self._keys_everywhere()
        head = f"| {self.tr('Command')} | {self.tr('Keys')} |\n|---|---|"
        lines = {
            group: [f"| {text} | {keys} |" for text, keys in rows.items() if keys]
            for group, rows in groups.items()
        }
        sections = ("\n".join([f"## {group}\n", head, *rows]) for group, rows in lines.items() if rows)
        self._open(_KEYS, self.tr("Keyboard shortcuts")).show_text("\n\n".join(sections))

    def _keys_everywhere(self) -> dict[str, str]:
        key = Qt.Key
        keys = {
            self.tr("Send the question, open an entry, follow a link"): key.Key_Return,
            self.tr("Stop the answer, close, go back"): key.Key_Escape,
            self.tr("Tick a lesson, show all of a source"): key.Key_Space,
            self.tr("Previous link of an answer"): key.Key_Left,
            self.tr("Next link of an answer"): key.Key_Right,
            self.tr("Rename"): key.Key_F2,
            self.tr("Remove a course, delete a chat"): key.Key_Delete,
        }
        texts = {text: _shown([QKeySequence(one)]) for text, one in keys.items()}
        return {**texts, self.tr("Choose a course while writing a question"): "@"}

    def _show_file(self, name: str, title: str) -> None:
        is_open = name in self._texts
        window = self._open(name, title)
        if not is_open:
            window.show_text(_text_of(_translated(name)))

    def _open(self, name: str, title: str) -> GuideWindow:
        from app.ui.shell.guide_window import GuideWindow

        window = self._texts.get(name)
        if window is None:
            window = self._texts[name] = GuideWindow(title, self._window, self._features)
            window.finished.connect(lambda: self._texts.pop(name, None))
        window.show()
        window.raise_()
        window.activateWindow()
        return window

    def show_report(self) -> None:
        """Show what developers need to know about a problem."""
        log = user_log_dir() / "lectern.log"
        if self._workers.is_running:
            reading = self._workers.job(Lane.READ, "Reading the log", lambda *_: _text_of(log))
            reading.run(self, success=self._show_report)
        else:  # a report may tell why they do not start
            self._show_report(_text_of(log))

    def _show_report(self, log: str) -> None:
        from app.ui.widgets.dialog import ReportDialog

        text = self.tr(
            "Describe the problem in your own words and add this report. It contains no keys, but names of "
            "files may be in it: read it before you send it."
        )
        report = problem_report(*self._situation(), log)
        ReportDialog(self.tr("Report a problem"), text, report, self._window).open()

    def show_about(self) -> None:
        from app.ui.shell.about_dialog import AboutDialog

        AboutDialog(self._data_dir, self._window).open()


def _shown(keys: Iterable[QKeySequence]) -> str:
    return "  ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in keys)


def _text_of(path: Path) -> str:
    """Return the text of one of the program's own files; nothing if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


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
