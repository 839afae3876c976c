"""Imports the rest of the program in the background once the window is visible.

The imports stand inside functions to keep them out of the window's thread. A failed import is ignored
here: the next one, in the window's thread, raises it where it can be shown.
"""

from __future__ import annotations

import gc
import threading
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.core.embedding.embedder import Embedder
    from app.core.rag_system import RAGSystem
    from app.domain.embedding_models import ModelChoice

# Programming languages whose highlighting rules are loaded in advance; loading others takes up to 0.2 s
# when they first occur.
_LANGUAGES = ("python", "bash", "json", "javascript", "html", "css", "sql", "c", "java", "r", "matlab")


class CoreImport(QThread):
    """Imports the core and builds a RAGSystem; after ``finished`` its library can be opened.

    The embedding model loads in another thread, mostly outside
    Python, and may take longer: preparing it waits for that thread.
    """

    def __init__(
        self, chosen: ModelChoice, cache_dir: Path, build: Callable[[type[RAGSystem], Embedder], RAGSystem]
    ) -> None:
        super().__init__()
        self.setObjectName("loading")
        self._choice = chosen, cache_dir
        self._build = build

    @cached_property
    def rag(self) -> RAGSystem:
        from app.core.embedding.embedder import Embedder
        from app.core.embedding.graph import import_openvino

        embedder = Embedder(*self._choice)
        threading.Thread(target=embedder.load_ahead, name="model").start()
        import_openvino()  # waits while the model's thread imports it: side by side, both would take longer
        from app.core.rag_system import RAGSystem  # while the model loads

        return self._build(RAGSystem, embedder)

    def run(self) -> None:
        with suppress(ImportError):
            self.rag  # noqa: B018 - built here
            import app.config.secrets
            import app.workers.chat_loop  # noqa: F401


class LateImport(QThread):
    """Imports what the first question, the first file and the settings dialog need.

    Start it once questions can be asked; garbage collection resumes when it finishes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("later")
        self.finished.connect(_resume_collecting)

    def run(self) -> None:
        with suppress(ImportError):
            import app.core.answers.service
            import app.core.ingest.run
            import app.ui.reading.reading_view
            import app.ui.reading.source_card
            import app.ui.settings.settings_dialog  # noqa: F401
            from app.core.answers.providers.anthropic.client import import_sdk
            from app.markup.markdown_html import markdown_to_html
            from app.ui.markup.code_style import highlighted

            markdown_to_html("text")
            for language in _LANGUAGES:
                highlighted("pass", language, dark=False)  # loads the language's rules
            import_sdk()


def _resume_collecting() -> None:
    # Most objects made at start-up live as long as the program; the collector skips them.
    gc.freeze()
    gc.enable()
