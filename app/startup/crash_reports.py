"""Keeps a fault of the program from ending it in silence.

A crash below Python, in Qt or another library, leaves its report in a file that the next start shows.
A fault before there is a window is shown at once.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import sys
import time
from typing import TYPE_CHECKING

from app import __version__
from app.config.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import IO

    from PySide6.QtWidgets import QDialog

    from app.ui.shell.theme import Theme

_PATTERN = "fault-*.txt"
_ABANDONED = 7 * 86_400  # seconds after which an empty file belongs to no running Lectern
_LONGEST = 100_000  # characters of a report that are shown

_log = logging.getLogger(__name__)


class CrashReportFile:
    """Where this run leaves its report should it crash; empty, and gone, when it ends well.

    Args:
        folder: of the log.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f"fault-{os.getpid()}.txt"
        self._file: IO[str] | None = None

    def start(self) -> str:
        """Write to the file from now on; return what earlier runs left, empty if they ended well."""
        earlier = self._take_earlier()
        with contextlib.suppress(OSError):  # no log then either
            self._file = self._path.open("w", encoding="utf-8")
            faulthandler.enable(self._file)
        return with_heading(earlier) if earlier else ""

    def stop(self) -> None:
        """End: this run ended well."""
        if self._file is None:
            return
        faulthandler.disable()
        self._file.close()
        self._file = None
        with contextlib.suppress(OSError):
            self._path.unlink()

    def _take_earlier(self) -> str:
        reports = []
        for path in sorted(self._folder.glob(_PATTERN)):
            with contextlib.suppress(OSError):
                report = path.read_text(encoding="utf-8", errors="replace")
                if report:
                    reports.append(report)
                    _log.error("The last run crashed:\n%s", report)
                if report or time.time() - path.stat().st_mtime > _ABANDONED:
                    path.unlink()
        return "\n".join(reports)[:_LONGEST]


def with_heading(report: str) -> str:
    """Return a report as it is shown: with the version, and without secrets."""
    return redact(f"Lectern {__version__}, {sys.platform}\n\n{report}")


def have_streams() -> None:
    """Make writing to standard output and error safe: a program with a window may have neither.

    Passages hold any character; a Windows console or a plain locale would stop at some.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - for good
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def leave_no_traces_in_environment() -> None:
    """Undo what starting the packaged program set for itself.

    Others inherit the environment, such as the browser that shows a link: with Lectern's libraries and
    plugins in place of its own it would not start.
    """
    if not getattr(sys, "frozen", False):
        return
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH"):
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before
    for name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH"):
        os.environ.pop(name, None)


def tell(sentence: str) -> None:
    """Say why there is no window: on the console, and on Windows, which shows none, in a box."""
    sys.stderr.write(f"{sentence}\n")
    if sys.platform == "win32":
        import ctypes  # of no use elsewhere

        ctypes.windll.user32.MessageBoxW(None, sentence, "Lectern", 0x10)


def show_fault(report: str) -> None:
    """Show a fault that kept the window from opening, and wait until it is closed."""
    _show(lambda theme: _crash_dialog(report, theme))


def show_sentence(sentence: str) -> None:
    """Show why there can be no window, on the console too, and wait until it is closed."""
    sys.stderr.write(f"{sentence}\n")
    _show(lambda theme: _message_dialog(sentence, theme))


def _show(make: Callable[[Theme], QDialog]) -> None:
    # Qt is not loaded where the program only tells its version.
    from PySide6.QtWidgets import QApplication

    from app.ui.shell.theme import Theme, apply_theme

    application = QApplication.instance() or QApplication(sys.argv[:1])
    theme = Theme.light()
    if isinstance(application, QApplication):
        apply_theme(application, theme)
    make(theme).exec()


def _crash_dialog(report: str, theme: Theme) -> QDialog:
    from app.ui.dialogs.crash_dialog import CrashDialog

    return CrashDialog(report, theme, ended=True)


def _message_dialog(sentence: str, theme: Theme) -> QDialog:
    from app.ui.dialogs.message_dialog import MessageDialog

    return MessageDialog("Lectern", sentence, theme)
