"""Composition root: builds the parts and passes them to each other, for the window or a command."""

from __future__ import annotations

import builtins
import gc
import logging
import signal
import socket
import sys
import threading
import traceback
from typing import TYPE_CHECKING, NamedTuple

from app.cli.arguments import EXIT_ERROR, EXIT_NO_READER, EXIT_OK, EXIT_SIGNAL, parse_arguments
from app.cli.interruptions import ENDING_SIGNALS
from app.config.confinement import guard_secrets
from app.config.paths import user_cache_dir, user_config_dir, user_data_dir, user_log_dir
from app.config.settings import load_settings, with_environment
from app.domain.embedding_models import model_choice
from app.domain.errors import UserError
from app.features.keeping import KEEPING
from app.features.shared import SHARED
from app.features.study import STUDY
from app.features.teaching import TEACHING
from app.startup.crash_reports import (
    CrashReportFile,
    ensure_streams,
    log_command,
    log_to_file,
    report_missing,
    restore_environment,
    show_fault,
    show_sentence,
    with_heading,
)
from app.startup.system_check import what_is_missing

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from PySide6.QtWidgets import QApplication

    from app.core.embedding.embedder import Embedder
    from app.core.rag_system import RAGSystem
    from app.features.feature import Feature
    from app.startup.imports import CoreImport
    from app.startup.single_instance import SingleInstance
    from app.ui.shell.main_window import MainWindow
    from app.workers.workers import Workers


class StartRequest(NamedTuple):
    """What the program was started with: files and folders to add, or a link to follow."""

    paths: list[Path]
    link: str = ""


FEATURES: tuple[Feature, ...] = (STUDY, TEACHING, SHARED, KEEPING)
"""All features. Without one of them the program runs on, without its commands, pages and settings."""


def main(argv: Sequence[str] | None = None, features: Sequence[Feature] = FEATURES) -> int:
    """Open the window or run the given command; return the exit code."""
    guard_secrets()
    restore_environment()
    ensure_streams()
    try:
        try:
            commands = [command for feature in features for command in feature.commands]
            return _run(parse_arguments(argv, commands), features)
        finally:
            sys.stdout.flush()  # here, because it would fail with a traceback while Python shuts down
    except BrokenPipeError:
        from app.cli.output import silence  # what commands print, which no window needs

        silence(sys.stdout)
        return EXIT_NO_READER


def _run(arguments: argparse.Namespace, features: Sequence[Feature]) -> int:
    if arguments.selfcheck or arguments.command not in (None, "open"):
        gc.enable()
    if arguments.selfcheck:
        from app.selfcheck import checks  # imports the whole core, like the commands below

        return checks.run(features)
    if arguments.command not in (None, "open"):
        # Here: the window is painted before the core is imported.
        from app.cli import commands

        log_command(debug=arguments.debug)
        return commands.run(arguments, [feature.add_services for feature in features])
    missing = what_is_missing()
    if missing:
        report_missing(missing)
        return EXIT_ERROR
    try:
        log_to_file()
        return _open_window(arguments, features)
    except UserError as error:
        show_sentence(str(error))
    except Exception:  # the outermost frame: the program never ends silently
        logging.getLogger("app").critical("Lectern ended because of a fault", exc_info=True)
        show_fault(with_heading(traceback.format_exc()))
    return EXIT_ERROR


def prioritise_window() -> None:
    """Give the window's thread priority over Python's other threads."""
    # A garbage collection stops all threads for up to 0.1 s, and importing would trigger many: collect
    # nothing until everything is imported.
    gc.disable()
    # How long a thread keeps the interpreter while another waits. Qt needs it many times per frame; a
    # tenth of the default halves the stalls at start-up.
    sys.setswitchinterval(0.0005)


def _open_window(arguments: argparse.Namespace, features: Sequence[Feature]) -> int:
    prioritise_window()
    # Qt is imported here because commands run without a display and without Qt; the window's modules
    # come later, because a second start only calls the open window.
    from PySide6.QtWidgets import QApplication

    # PySide reads the source of every module that is imported after it, to see whether it may ask for the
    # snake_case names of "__feature__", which Lectern does not use.
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)

    from app.startup.single_instance import SingleInstance, address_for, call_first_window

    address = address_for(user_data_dir(arguments.data_dir))
    asked = _asked(getattr(arguments, "paths", ()))
    if call_first_window(address, asked.paths, asked.link):
        return EXIT_OK
    application = QApplication(sys.argv[:1])
    faults = CrashReportFile(user_log_dir())
    try:
        return _run_window(arguments, features, application, SingleInstance(address), faults.start(), asked)
    finally:
        faults.stop()


def _run_window(
    arguments: argparse.Namespace,
    features: Sequence[Feature],
    application: QApplication,
    instance: SingleInstance,
    last_crash: str,
    asked: StartRequest,
) -> int:
    from PySide6.QtCore import Qt, QTimer

    from app.startup.imports import CoreImport, LateImport
    from app.ui.shell.main_window import MainWindow
    from app.ui.widgets.messages import install_translations
    from app.ui.widgets.show_dialogs import show_crash
    from app.ui.widgets.theme import apply_ground, theme_for
    from app.workers.workers import Workers

    settings_file = user_config_dir() / "settings.json"
    settings = load_settings(settings_file)
    application.setApplicationName("Lectern")
    application.setDesktopFileName("org.lectern.Lectern")
    install_translations(application, settings.language)
    theme = theme_for(settings.theme, settings.text_size)
    apply_ground(application, theme)
    workers, data_dir = Workers(), user_data_dir(arguments.data_dir)
    state_file = user_config_dir() / "window.ini"
    window = MainWindow(workers, settings, theme, data_dir, state_file, features)
    application.setStyleSheet(theme.stylesheet())
    application.setWindowIcon(theme.icon("app"))
    window.show()
    _take_files(application, instance, window, asked)
    window.closing.connect(instance.close)
    report_faults(window)
    if last_crash:
        QTimer.singleShot(0, lambda: show_crash(window, last_crash, ended=True))
    # The core is imported after the first frame, because its imports take longer than painting and would
    # block the window. Whatever is needed even later is imported once questions can be asked.
    model = with_environment(settings).embedding_model
    services = [feature.add_services for feature in features]

    def build(system: type[RAGSystem], embedder: Embedder) -> RAGSystem:
        return system(data_dir, with_environment(window.settings), embedder, services)

    core, later = CoreImport(model_choice(model), user_cache_dir(), build), LateImport()
    core.finished.connect(lambda: _start_workers(workers, settings_file, core))
    workers.ready.connect(later.start, Qt.ConnectionType.SingleShotConnection)
    log = logging.getLogger("app")
    core.started.connect(lambda: log.info("The window is painted"))
    workers.ready.connect(lambda: log.info("Ready for questions"))
    workers.failed.connect(lambda _: later.start())
    QTimer.singleShot(0, lambda: QTimer.singleShot(0, core.start))  # the second comes after the first frame
    received = _close_on_signals(window)
    code = application.exec()
    core.wait()
    later.wait()
    return EXIT_SIGNAL + received[-1] if received else code


def _asked(words: Sequence[Path | str]) -> StartRequest:
    """Return what a start asks for. A link counts alone: its author may have hidden paths after it."""
    links = [word for word in words if isinstance(word, str)]
    if links:
        return StartRequest([], links[0])
    return StartRequest([word.absolute() for word in words if not isinstance(word, str)])


def _take_files(
    application: QApplication, instance: SingleInstance, window: MainWindow, asked: StartRequest
) -> None:
    """Add the files that the program was started with, or follow its link; likewise for later starts."""
    from app.startup.single_instance import FileOpener
    from app.ui.shell.attention import bring_forward

    def add(paths: list[Path]) -> None:
        bring_forward(window)
        window.ingest_controller.add_paths(paths)

    def follow(link: str) -> None:
        bring_forward(window)
        window.sources_controller.follow_link(link)

    instance.called.connect(add)
    instance.linked.connect(follow)
    if sys.platform == "darwin":  # elsewhere, files and links come as arguments
        opener = FileOpener(application)
        opener.chosen.connect(add)
        opener.linked.connect(follow)
    window.ingest_controller.add_paths(asked.paths)
    if asked.link:
        window.sources_controller.follow_link(asked.link)


def _close_on_signals(window: MainWindow) -> list[int]:
    """Close the window on Ctrl+C and on signals that end programs; return those received, except Ctrl+C."""
    from PySide6.QtCore import QCoreApplication, QSocketNotifier, QTimer

    received: list[int] = []

    def close(number: int, _: object) -> None:
        """Close the window from the event loop: a signal may come in the middle of anything."""
        if number != signal.SIGINT:
            received.append(number)
        QTimer.singleShot(0, window.close)

    signal.signal(signal.SIGINT, close)
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as behind nohup
            signal.signal(number, close)
    # Python handles signals only while its code runs, as it does when a byte for each arrives here. Both ends
    # stay open for as long as the program, since a signal may come at any time.
    ends = waking, woken = socket.socketpair()
    for end in ends:
        end.setblocking(False)
    signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    notifier = QSocketNotifier(woken.fileno(), QSocketNotifier.Type.Read, QCoreApplication.instance())
    notifier.activated.connect(lambda: ends[1].recv(64))
    return received


def _start_workers(workers: Workers, settings_file: Path, core: CoreImport) -> None:
    from app.config.secrets import KeyStore

    workers.start(core.rag, KeyStore(), settings_file)


def report_faults(window: MainWindow) -> None:
    """Log unhandled errors and show a report of them."""
    from app.ui.widgets.show_dialogs import show_crash

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        logging.getLogger("app").critical("Unhandled error", exc_info=(kind, error, trace))
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may open dialogs
        lines = traceback.format_exception(kind, error, trace)
        show_crash(window, with_heading("".join(lines)))

    sys.excepthook = report
