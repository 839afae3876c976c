"""The seam between the program and a feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.cli.command import Command
    from app.core.rag_system import RAGSystem
    from app.ui.shell.main_window import MainWindow


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """All that the program knows of a feature, listed in :mod:`app.main`.

    A feature is imported at every start, so its package imports nothing but its commands and messages; the
    functions import the rest when they are called.

    Attributes:
        name: marks its sections in the user guide.
        add_services: adds its services to a library that is being built, and joins those it extends.
        add_to_window: adds its commands, pages and settings to a main window, before the menus are built.
        commands: of the command line.
    """

    name: str
    add_services: Callable[[RAGSystem], None] = lambda _: None
    add_to_window: Callable[[MainWindow], None] = lambda _: None
    commands: tuple[Command, ...] = ()
