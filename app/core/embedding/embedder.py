"""The embedding model: finds it, exports it once, embeds questions and passages."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from app.core.embedding import model_files
from app.core.embedding.export_process import export_in_child, one_at_a_time
from app.core.embedding.graph import BrokenGraph, EmbeddingGraph
from app.domain.errors import ModelMissing
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.core.embedding.model_files import ModelSource
    from app.domain.cancel import CancelToken

_POLL = 0.1  # seconds between two looks at the token while waiting

_log = logging.getLogger(__name__)


class Embedder:
    """Turns texts into vectors of length 1. Thread-safe.

    Cheap to create. :meth:`prepare` must succeed before anything is embedded.

    Args:
        model_dir: a sentence-transformers folder from the settings; None for the default.
        cache_dir: holds exported models.
    """

    def __init__(self, model_dir: Path | None, cache_dir: Path) -> None:
        self._model_dir = model_dir
        self._cache_dir = cache_dir
        self._lock = threading.Lock()
        self._source: ModelSource | None = None
        self._graph: EmbeddingGraph | None = None

    @property
    def model_id(self) -> str:
        """Name and checksum of the model, such as ``all-MiniLM-L6-v2@53aa51172d14``.

        Raises:
            ModelMissing: the folder in the settings is not a usable model.
        """
        return self._find().model_id

    @property
    def dimension(self) -> int:
        """Length of a vector; raises as :attr:`model_id` does."""
        return self._find().dimension

    def other(self, model_dir: Path | None) -> Embedder:
        """Return the embedder of another model, not loaded yet, or this one for the same model.

        Raises:
            ModelMissing: it is not a usable model.
        """
        if model_dir == self._model_dir:
            return self
        other = Embedder(model_dir, self._cache_dir)
        source = other._find()
        if source.folder is not None and model_files.is_frozen() and not source.graph.exists():
            raise ModelMissing(_without_export(source))
        return other

    def prepare(self, token: CancelToken, progress: Callable[[Message], None] | None = None) -> None:
        """Load the model, after exporting it in a child process where that was not done yet.

        Raises:
            ModelMissing: there is no model, or it cannot be exported.
            Cancelled: ``token`` was cancelled; nothing is left behind.
        """
        while not self._lock.acquire(timeout=_POLL):
            token.check()
        try:
            if self._graph is None:
                self._graph = self._load(self._find(), token, progress or (lambda step: None))
        finally:
            self._lock.release()

    def load_ahead(self) -> None:
        """Load the model unless it must be exported first, so that :meth:`prepare` finds it. Never fails."""
        with self._lock, suppress(BrokenGraph, ModelMissing):
            if self._graph is None:
                self._graph = EmbeddingGraph(self._find().graph)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape (dimension,); any text has one, even ""."""
        return self._ready().embed_query(text)

    def embed_passages(
        self, texts: Sequence[str], token: CancelToken, on_batch: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """Return the vectors of passages; see :meth:`EmbeddingGraph.embed_passages`."""
        return self._ready().embed_passages(texts, token, on_batch)

    def close(self) -> None:
        """Release the model's memory; :meth:`prepare` loads it again."""
        with self._lock:
            self._graph = None

    def _find(self) -> ModelSource:
        if self._source is None:
            self._source = model_files.find_model(self._model_dir, self._cache_dir)
        return self._source

    def _ready(self) -> EmbeddingGraph:
        graph = self._graph
        if graph is None:
            raise RuntimeError("Embedder.prepare() must succeed before anything is embedded")
        return graph

    def _load(
        self, source: ModelSource, token: CancelToken, progress: Callable[[Message], None]
    ) -> EmbeddingGraph:
        try:
            return EmbeddingGraph(source.graph)
        except BrokenGraph as error:
            if source.packaged or model_files.is_frozen():
                raise ModelMissing(_without_export(source)) from error
            if source.graph.exists():
                _log.warning("The exported embedding model is damaged; exporting it again: %s", error)
        with one_at_a_time(source.graph, token):
            try:
                return EmbeddingGraph(source.graph)  # another Lectern may just have made it
            except BrokenGraph:
                export_in_child(source, self._cache_dir, token, progress)
        try:
            return EmbeddingGraph(source.graph)
        except BrokenGraph as error:
            raise ModelMissing(Message("embedding.broken_after_export", folder=source.graph)) from error


def _without_export(source: ModelSource) -> Message:
    return Message("embedding.damaged_package" if source.folder is None else "embedding.needs_pip_install")
