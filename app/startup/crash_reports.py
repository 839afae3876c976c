"""Keeps the log, and reports crashes to the user.

A crash in native code, such as Qt, leaves a report in a file that the next start shows. An error before
the window opens is shown at once.
"""

import contextlib
import faulthandler
import io
import logging
import os
import sys
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

from app import __version__
from app.config.files import private_directory, private_file
from app.config.paths import user_log_dir
from app.config.redaction import RedactingFormatter, redact
from app.domain.errors import UserError
from app.domain.plain_text import for_terminal

_ABANDONED = 7 * 86_400  # seconds after which no running Lectern owns an empty file
_LONGEST = 100_000  # characters shown of a report

_log = logging.getLogger(__name__)


class _PrivateLog(RotatingFileHandler):
    def _open(self) -> io.TextIOWrapper:
        private_file(Path(self.baseFilename))
        return super()._open()


def log_to_file() -> None:
    """Send the log of this process to the file, without keys."""
    _configure(_log_file() or _dated(logging.StreamHandler()))


def log_command(*, debug: bool) -> None:
    """Print the warnings of a command as sentences; the file, or ``debug``, has the details."""
    if logging.getLogger().handlers:  # as basicConfig: the caller keeps a log of its own
        return
    logging.raiseExceptions = False  # a log that cannot be written is no reason for a traceback
    printed = logging.StreamHandler()
    printed.setFormatter(RedactingFormatter("%(message)s") if debug else _SentenceFormatter())
    printed.setLevel(logging.INFO if debug else logging.WARNING)
    _configure(*filter(None, [printed, _log_file()]))


class _SentenceFormatter(logging.Formatter):
    """Leaves out tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        return for_terminal(redact(record.getMessage()))


def _log_file() -> logging.Handler | None:
    try:
        folder = user_log_dir()
        private_directory(folder)
        return _dated(
            _PrivateLog(folder / "lectern.log", maxBytes=1_000_000, backupCount=1, encoding="utf-8")
        )
    except (OSError, UserError):  # a read-only home, or none: the program works without a log
        return None


def _dated(handler: logging.Handler) -> logging.Handler:
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler


def _configure(*handlers: logging.Handler) -> None:
    logging.basicConfig(level=logging.INFO, handlers=handlers)
    for chatty in ("httpx2", "httpx", "anthropic", "chromadb", "urllib3"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


class CrashReportFile:
    """The file in the log folder that receives this run's crash report; deleted on a normal exit."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f"fault-{os.getpid()}.txt"
        self._file: IO[str] | None = None

    def start(self) -> str:
        """Enable the report; return those of earlier runs, or an empty string."""
        earlier = self._take_earlier()
        with contextlib.suppress(OSError):  # then there is no log either
            private_file(self._path)
            self._file = self._path.open("w", encoding="utf-8")
            faulthandler.enable(self._file)
        return with_heading(earlier) if earlier else ""

    def stop(self) -> None:
        if self._file is None:
            return
        faulthandler.disable()
        self._file.close()
        self._file = None
        with contextlib.suppress(OSError):
            self._path.unlink()

    def _take_earlier(self) -> str:
        reports = []
        for path in sorted(self._folder.glob("fault-*.txt")):
            with contextlib.suppress(OSError):
                report = path.read_text(encoding="utf-8", errors="replace")
                if report:
                    reports.append(report)
                    _log.error("The last run crashed:\n%s", report)
                if report or time.time() - path.stat().st_mtime > _ABANDONED:
                    path.unlink()
        return "\n".join(reports)[:_LONGEST]


def with_heading(report: str) -> str:
    """Return a report with the version above it and without secrets."""
    return redact(f"Lectern {__version__}, {sys.platform}\n\n{report}")


def ensure_streams() -> None:
    """Make writing to standard output and error safe.

    A program with a window may have neither, and a Windows console or a plain locale cannot encode every
    character of a passage.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - stays open
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def restore_environment() -> None:
    """Remove the variables that the packaged program's loader set.

    Child processes inherit them: a browser opened for a link would load Lectern's libraries and fail.
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


def report_missing(sentence: str) -> None:
    """Print why the window cannot open; on Windows, which shows no console, also open a message box."""
    sys.stderr.write(f"{sentence}\n")
    if sys.platform == "win32":
        import ctypes  # needed on Windows only

        ctypes.windll.user32.MessageBoxW(None, sentence, "Lectern", 0x10)


def show_fault(report: str) -> None:
    """Show the report of a fault that kept the window from opening, until it is closed."""
    _prepare_application()
    # Here and below: commands run without Qt.
    from app.ui.widgets.dialog import CrashDialog

    CrashDialog(report, ended=True).exec()


def show_sentence(sentence: str) -> None:
    """Print why the window cannot open, and show it until it is closed."""
    sys.stderr.write(f"{sentence}\n")
    _prepare_application()
    from app.ui.widgets.dialog import MessageDialog

    MessageDialog("Lectern", sentence).exec()


def _prepare_application() -> None:
    from PySide6.QtWidgets import QApplication

    from app.ui.widgets.theme import Theme, apply_theme

    application = QApplication.instance() or QApplication(sys.argv[:1])
    if isinstance(application, QApplication):
        apply_theme(application, Theme.light())
