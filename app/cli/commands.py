"""The command line: the same core and library as the window, without a display and without Qt."""

import argparse
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from app import __version__
from app.cli import answers, library, models, questions
from app.cli.arguments import EXIT_ERROR, EXIT_OK, EXIT_USAGE
from app.cli.interruptions import TOKEN, Interruptions
from app.cli.mcp import command as mcp
from app.cli.output import note, print_json, say, show_progress
from app.config.paths import user_cache_dir, user_config_dir, user_data_dir
from app.config.settings import Settings, load_settings, with_environment
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.domain.cancel import Cancelled
from app.domain.embedding_models import model_choice
from app.domain.errors import LecternError
from app.domain.messages import Message
from app.features.keeping.doctor import examine
from app.features.shared import cli as shared
from app.features.shared.subscriptions import SubscriptionFile
from app.features.study import cli as study
from app.features.teaching import cli as teaching

_log = logging.getLogger(__name__)


class _Command(NamedTuple):
    run: Callable[[RAGSystem, argparse.Namespace], int | None]
    writes: bool = False  # those that only read work beside a window
    asks: bool = False  # and waits for what is typed, which no token ends


_COMMANDS = {
    "ingest": _Command(library.ingest, writes=True),
    "plan": _Command(library.plan),
    "courses": _Command(library.courses),
    "search": _Command(questions.search),
    "ask": _Command(answers.ask),
    "map": _Command(teaching.map_questions),
    "check": _Command(teaching.check),
    "study make": _Command(study.make, writes=True),
    "study due": _Command(study.due),
    "study review": _Command(study.review, writes=True, asks=True),
    "study export": _Command(study.export),
    "remove": _Command(library.remove, writes=True),
    "trash list": _Command(library.list_trash),
    "trash restore": _Command(library.restore, writes=True),
    "trash empty": _Command(library.empty_trash, writes=True),
    "model show": _Command(models.show),
    "model use": _Command(models.use, writes=True),
    "publish": _Command(shared.publish),
    "subscribe": _Command(shared.subscribe),
    "export": _Command(library.export_library),
    "import": _Command(library.import_library, writes=True),
}


def run(arguments: argparse.Namespace) -> int:
    """Run one subcommand and return the exit code."""
    if arguments.command == "search" and (arguments.query is None) == (arguments.questions is None):
        note("Give a question, or --questions FILE.")
        return EXIT_USAGE
    action = getattr(arguments, "action", None)
    command = _COMMANDS.get(f"{arguments.command} {action}" if action else arguments.command)
    interruptions = Interruptions(checks=command is not None and command.writes and not command.asks)
    try:
        with interruptions:
            if command is None:
                return _ALONE[arguments.command](arguments)
            return _run_in_library(command, arguments)
    except LecternError as error:
        note(error)
        return EXIT_ERROR
    except sqlite3.DatabaseError as error:
        directory = user_data_dir(arguments.data_dir)
        note(Message("storage.damaged", directory=directory, reason=error))
        return EXIT_ERROR
    except (KeyboardInterrupt, Cancelled):
        note("Interrupted; the library is intact.")
        return interruptions.exit_code
    except BrokenPipeError:  # not a fault: nobody reads the output
        raise
    except Exception as error:  # the outermost frame: one sentence, whatever it is
        _log.info("A command failed.", exc_info=True)
        note(_unexpected(error))
        return EXIT_ERROR


def _unexpected(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"The system reports an error: {error}."
    return (
        f"The command failed because of a fault in Lectern or a damaged library ({type(error).__name__}). "
        "Run “lectern doctor” to check the library; “lectern --debug” prints the details."
    )


def _run_in_library(command: _Command, arguments: argparse.Namespace) -> int:
    settings, data_dir, embedder = _parts(arguments)
    rag = RAGSystem(data_dir, settings, embedder, read_only=not command.writes)
    rag.open(note)
    try:
        if command.writes:
            show_progress(rag.trash.expire(TOKEN))
        code = command.run(rag, arguments) or EXIT_OK
        if command.writes:
            rag.backups.make_daily(TOKEN)
        return code
    finally:
        rag.close()


def _parts(arguments: argparse.Namespace) -> tuple[Settings, Path, Embedder]:
    settings = with_environment(load_settings(user_config_dir() / "settings.json"))
    embedder = Embedder(model_choice(settings.embedding_model), user_cache_dir())
    return settings, user_data_dir(arguments.data_dir), embedder


def _doctor(arguments: argparse.Namespace) -> int:
    if arguments.restore is not None:
        return library.restore_backup(user_data_dir(arguments.data_dir), arguments)
    settings, data_dir, embedder = _parts(arguments)
    report = examine(data_dir, settings, embedder, repair=arguments.repair, progress=note)
    if arguments.json:
        print_json(report.as_dict())
    else:
        say(f"lectern {__version__}")
        say(f"data in {data_dir}")
        for name, count in report.counts.items():
            say(f"  {name}: {'unknown' if count is None else count}")
        for entry in SubscriptionFile(data_dir).read():
            say(f"subscribed to {shared.there(entry.address)}; “lectern subscribe” checks it")
        for problem in report.problems:
            say(f"problem: {problem.what}")
            say(f"    fix: {problem.fix}")
        if report.ok:
            say("Everything is in order.")
    return EXIT_OK if report.ok else EXIT_ERROR


_ALONE = {"doctor": _doctor, "mcp": mcp.serve}  # they open the library themselves
