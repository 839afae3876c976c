"""Loads what is behind the window, beside it and only once it can be seen."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.embedding.embedder import Embedder


class Loading(QThread):
    """Imports the library's code and the workers'; ``finished`` tells when they can be made.

    The embedding model is loaded beside that, since most of its time is not Python's. It may not be
    there yet when this is over: whoever prepares it waits for it.

    What can not be imported is left to whoever imports it next, in the window's thread, where the error
    is shown.

    Args:
        model_dir: from the settings; None for the default.
        cache_dir: where exported models are kept.
    """

    def __init__(self, model_dir: Path | None, cache_dir: Path) -> None:
        super().__init__()
        self.setObjectName("loading")
        self._embedder: Embedder | None = None
        self._model_dir = model_dir
        self._cache_dir = cache_dir

    # Imports stand inside the methods, since to keep them from the window's thread is what this is for.

    def embedder(self) -> Embedder:
        """Return the embedding model, loaded or being loaded."""
        from app.core.embedding.embedder import Embedder

        if self._embedder is None:
            self._embedder = Embedder(self._model_dir, self._cache_dir)
        return self._embedder

    def run(self) -> None:
        """Import and load; Qt calls this in the new thread."""
        with suppress(ImportError):
            threading.Thread(target=self.embedder().load_ahead, name="model").start()
            import app.config.secrets
            import app.core.rag_system
            import app.workers.workers  # noqa: F401
