"""The reranking model: downloaded and prepared once it is chosen, loaded with the first search after that."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from app.core.embedding import hub, model_files
from app.core.embedding.bert_graph import can_build_cross_encoder
from app.core.embedding.model_export import export_in_child, one_at_a_time
from app.domain.embedding_models import HubModel, reranker_choice
from app.domain.errors import ModelMissing
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.config.settings import CurrentSettings
    from app.core.embedding.cross_encoder import CrossEncoder
    from app.core.embedding.model_files import ModelSource
    from app.domain.cancel import CancelToken

_log = logging.getLogger(__name__)


class Reranker:
    """Scores texts by a question with the model that the settings name. Thread-safe.

    Without one, and until it is prepared, nothing is imported or loaded.
    """

    def __init__(self, settings: CurrentSettings, cache_dir: Path) -> None:
        self._settings = settings
        self._cache_dir = cache_dir
        self._loading = threading.Lock()
        self._loaded = ""  # the setting that the model was loaded for, or could not be
        self._model: CrossEncoder | None = None

    def is_missing(self) -> bool:
        """Whether a model is chosen that has not been prepared."""
        if not self._settings.value.reranking_model:
            return False
        source = self._find()
        return source is None or not source.graph.is_dir()

    def prepare(self, token: CancelToken, progress: Callable[[Message], None]) -> None:
        """Download and export the chosen model unless that was done.

        Raises:
            ModelMissing: the model cannot be used.
            LecternError: it cannot be downloaded now; the next attempt resumes.
        """
        chosen = reranker_choice(self._settings.value.reranking_model)
        if chosen is None or not self.is_missing():
            return
        if isinstance(chosen, HubModel):
            hub.download(chosen, self._cache_dir, token, progress)
        source = model_files.find_reranker(chosen, self._cache_dir)
        if source.folder is None or not can_build_cross_encoder(source.folder):
            raise ModelMissing(Message("reranking.unusable", folder=source.folder))
        with one_at_a_time(source.graph, token):
            if not source.graph.is_dir():  # else another Lectern has just made it
                export_in_child(source, token, progress)
        model_files.delete_weights(source)
        self.close()

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Return how well each text answers the question, on a scale of the model's own.

        None if no model is chosen and prepared.
        """
        model = self._ready()
        return None if model is None else model.compare(question, texts)

    def close(self) -> None:
        """Release the model's memory; the next search loads it again."""
        with self._loading:
            self._model, self._loaded = None, ""

    def _ready(self) -> CrossEncoder | None:
        chosen = self._settings.value.reranking_model
        with self._loading:
            if chosen != self._loaded:
                self._model = self._load() if chosen and not self.is_missing() else None
                self._loaded = chosen if self._model is not None else ""
            return self._model

    def _load(self) -> CrossEncoder | None:
        from app.core.embedding.cross_encoder import CrossEncoder
        from app.core.embedding.graph import BrokenGraph

        source = self._find()
        if source is None:
            return None
        try:
            return CrossEncoder(source.graph)
        except BrokenGraph as error:
            _log.warning("The reranking model is damaged and has to be prepared again: %s", error)
            model_files.discard(source.graph)
            return None

    def _find(self) -> ModelSource | None:
        chosen = reranker_choice(self._settings.value.reranking_model)
        with suppress(ModelMissing):
            return None if chosen is None else model_files.find_reranker(chosen, self._cache_dir)
        return None
