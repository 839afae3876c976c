"""Export and import of a library, its trash and backups in the window, and its examination."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.messages import add_texts
from app.features.feature import Feature
from app.features.keeping.commands import COMMANDS
from app.features.keeping.messages import TEXTS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.ui.shell.main_window import MainWindow

add_texts(TEXTS)


def _add_services(rag: RAGSystem) -> None:
    def transfer() -> object:
        from app.features.keeping.transfer import TransferService

        return TransferService(rag)

    rag.add("TransferService", transfer)


def _add_to_window(window: MainWindow) -> None:
    from app.features.keeping.ui.controller import add_commands

    add_commands(window)


KEEPING = Feature(name="keeping", add_services=_add_services, add_to_window=_add_to_window, commands=COMMANDS)
