"""A library that is kept open for reading while others write to it, replace it or take it away."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, TypeVar

from app.config.paths import user_cache_dir, user_config_dir
from app.config.settings import load_settings, with_environment
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.core.storage.database import LIBRARY_FILE
from app.domain.embedding_models import model_choice
from app.domain.errors import LibraryUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from app.config.settings import Settings
    from app.core.rag_system import AddServices
    from app.domain.cancel import CancelToken

R = TypeVar("R")


class OpenLibrary:
    """Used by one thread at a time.

    It takes no lock, so that a window can open beside it, and follows what becomes of the library: a new
    file in its place, or another embedding model.
    """

    def __init__(self, data_dir: Path, token: CancelToken, services: Sequence[AddServices] = ()) -> None:
        self._data_dir, self._services = data_dir, services
        self._token = token
        self._rag: RAGSystem | None = None
        self._seen: tuple[Settings, object] | None = None  # when it was opened

    def use(self, work: Callable[[RAGSystem], R]) -> R:
        """Do something with the library, which is opened first where necessary.

        Raises:
            LecternError: it cannot be opened or used; the next call tries again.
        """
        rag = self._current()
        try:
            return work(rag)
        except (LibraryUnusable, sqlite3.DatabaseError):
            self.close()  # another may have taken its place
            return work(self._current())

    def close(self) -> None:
        rag, self._rag = self._rag, None
        if rag is not None:
            rag.close()

    def _current(self) -> RAGSystem:
        settings = with_environment(load_settings(user_config_dir() / "settings.json"))
        seen = settings, self._identity()
        if self._rag is None or self._seen != seen:
            self.close()
            self._seen = seen
            embedder = Embedder(model_choice(settings.embedding_model), user_cache_dir())
            rag = RAGSystem(self._data_dir, settings, embedder, self._services, read_only=True)
            try:
                rag.open()
                rag.prepare_model(self._token)
            except BaseException:
                rag.close()
                raise
            self._rag = rag
        return self._rag

    def _identity(self) -> object:
        """Return which file the library is; None while there is none, which reads as an empty one."""
        try:
            found = os.stat(self._data_dir / LIBRARY_FILE)
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found.st_size else None
