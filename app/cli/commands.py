"""The command line: the same core and library as the window, without a display and without Qt."""

import argparse
import importlib
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.cli.command import Command
from app.cli.interruptions import TOKEN, Interruptions
from app.cli.output import note, show_progress
from app.config.files import writing
from app.config.paths import user_cache_dir, user_config_dir, user_data_dir
from app.config.settings import Settings, load_settings, save_settings, with_environment
from app.core.embedding.embedder import Embedder
from app.core.rag_system import AddServices, RAGSystem
from app.domain.cancel import Cancelled
from app.domain.embedding_models import model_choice
from app.domain.errors import LecternError
from app.domain.messages import Message

_log = logging.getLogger(__name__)


def run(arguments: argparse.Namespace, services: Sequence[AddServices] = ()) -> int:
    """Run one subcommand and return the exit code; ``services`` are those that features add."""
    command: Command = arguments.chosen
    interruptions = Interruptions(checks=command.writes and not command.asks)
    try:
        with interruptions:
            module, _, name = command.run.partition(":")
            function = getattr(importlib.import_module(module), name)
            if not command.opens_library:
                return int(function(arguments, services))
            return _run_in_library(function, command, arguments, services)
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


def _run_in_library(
    function: Callable[[RAGSystem, argparse.Namespace], int | None],
    command: Command,
    arguments: argparse.Namespace,
    services: Sequence[AddServices],
) -> int:
    settings, data_dir, embedder = parts(arguments)
    rag = RAGSystem(data_dir, settings, embedder, services, read_only=not command.writes)
    rag.open(note)
    try:
        if command.writes:
            show_progress(rag.trash.expire(TOKEN))
        code = function(rag, arguments) or EXIT_OK
        if command.writes:
            rag.backups.make_daily(TOKEN)
        return code
    finally:
        rag.close()


def parts(arguments: argparse.Namespace) -> tuple[Settings, Path, Embedder]:
    """Return the settings in force, the directory of the library and what embeds."""
    settings = with_environment(load_settings(user_config_dir() / "settings.json"))
    embedder = Embedder(model_choice(settings.embedding_model), user_cache_dir())
    return settings, user_data_dir(arguments.data_dir), embedder


def change_settings(**values: Any) -> Settings:  # noqa: ANN401 - the fields of Settings
    """Save some settings and return those in force; raise UserError if they cannot be saved."""
    file = user_config_dir() / "settings.json"
    with writing(file, "config.settings_not_saved"):
        settings = replace(load_settings(file), **values)
        save_settings(settings, file)
    return with_environment(settings)
