"""Libraries on Chroma servers: publishing, subscribing, searching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.messages import add_texts
from app.features.feature import Feature
from app.features.shared.commands import COMMANDS
from app.features.shared.messages import TEXTS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.ui.shell.main_window import MainWindow

add_texts(TEXTS)


def _add_services(rag: RAGSystem) -> None:
    from app.features.shared.reading import SharedReading
    from app.features.shared.service import SharedLibraries

    embedder, data_dir = rag.embedder, rag.database.data_dir
    libraries = SharedLibraries(
        data_dir, rag.catalog.courses.titles, lambda: (embedder.model_id, embedder.dimension)
    )

    def publishing() -> object:
        from app.features.shared.publishing import PublishingService

        return PublishingService(rag)

    rag.add("SharedLibraries", lambda: libraries)
    rag.add("PublishingService", publishing)
    rag.search.remote = SharedReading(libraries)


def _add_to_window(window: MainWindow) -> None:
    from app.features.shared.ui.controller import add_commands

    add_commands(window)


SHARED = Feature(name="shared", add_services=_add_services, add_to_window=_add_to_window, commands=COMMANDS)
