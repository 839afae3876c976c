"""Imports the rest of the program beside the window, once the window can be seen.

Imports stand inside the functions: keeping them out of the window's thread is what this is for. What
cannot be imported is left to whoever imports it next, in the window's thread, where the error is shown.
"""

from __future__ import annotations

import gc
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.embedding.embedder import Embedder

# Programming languages whose rules are read before the first answer; those of others take up to 0.2 s
# when they are first met.
_LANGUAGES = ("python", "bash", "json", "javascript", "html", "css", "sql", "c", "java", "r", "matlab")


def favour_window() -> None:
    """Make Python's other threads give way to the window's."""
    # A garbage collection stops all threads for up to a tenth of a second, and there would be many while
    # thousands of objects are made: none until everything is imported.
    gc.disable()
    # How long the interpreter is kept from a thread that waits for it. Qt asks for it many times in each
    # picture; ten times shorter than usual, it halves the stalls at start.
    sys.setswitchinterval(0.0005)


class CoreImport(QThread):
    """Imports the core; ``finished`` tells when the library can be opened.

    The embedding model is loaded in another thread, since most of its time is not Python's. It may not be
    there yet when this is over: whoever prepares it waits for it.

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
            import app.workers.chat_loop  # noqa: F401


class LateImport(QThread):
    """Imports what the first question, the first file and the settings need.

    To be started once questions can be asked; garbage is collected again from then on.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("later")
        self.finished.connect(_collect_again)

    def run(self) -> None:
        """Import, and make what is made once; Qt calls this in the new thread."""
        with suppress(ImportError):
            import app.core.ingest.run
            import app.ui.settings.settings_dialog  # noqa: F401
            from app.core.answers.providers.anthropic.client import import_sdk
            from app.ui.markup.code_style import highlighted
            from app.ui.markup.markdown_html import converter

            converter()
            for language in _LANGUAGES:
                highlighted("pass", language, dark=False)  # a language's rules are read with its first code
            import_sdk()


def _collect_again() -> None:
    """Collect garbage from now on, but not what the start has made: most of it stays."""
    gc.freeze()
    gc.enable()
