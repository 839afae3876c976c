"""Which lessons teach what an exam asks; checks of a course."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.messages import add_texts
from app.features.feature import Feature
from app.features.teaching.commands import COMMANDS
from app.features.teaching.messages import TEXTS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.ui.shell.main_window import MainWindow

add_texts(TEXTS)


def _add_services(rag: RAGSystem) -> None:
    def teaching() -> object:
        from app.features.teaching.service import TeachingService

        return TeachingService(rag.search, rag.catalog)

    rag.add("TeachingService", teaching)


def _add_to_window(window: MainWindow) -> None:
    from app.features.teaching.ui.controller import add_commands

    add_commands(window)


TEACHING = Feature(
    name="teaching", add_services=_add_services, add_to_window=_add_to_window, commands=COMMANDS
)
