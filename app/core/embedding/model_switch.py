"""Switches to another embedding model while questions are asked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder
    from app.domain.cancel import CancelToken
    from app.domain.messages import Message


class ModelSwitch:
    """Embeds with one model until another, chosen one takes over.

    Attributes:
        searching: held while a question's vector is compared with stored ones, so that the model does
            not change meanwhile.
        restoring: held while documents are embedded by another thread than the one that calls :meth:`take`.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.searching = threading.Lock()
        self.restoring = threading.Lock()
        self._current = self._chosen = embedder

    @property
    def model_id(self) -> str:
        """Of the model in use; see :attr:`Embedder.model_id`."""
        return self._current.model_id

    @property
    def dimension(self) -> int:
        """Of the model in use; the length of a vector."""
        return self._current.dimension

    @property
    def is_waiting(self) -> bool:
        """Whether another model was chosen that has not taken over."""
        return self._chosen is not self._current

    def choose(self, model_dir: Path | None) -> None:
        """Choose the model for the next :meth:`take`.

        Raises:
            ModelMissing: it cannot be used; nothing was changed.
        """
        self._chosen = self._current.other(model_dir)

    def check(self, model_dir: Path | None) -> None:
        """Raise what :meth:`choose` would raise, and change nothing."""
        self._current.other(model_dir)

    def prepare(self, token: CancelToken, progress: Callable[[Message], None] | None = None) -> None:
        """Load the model in use; see :meth:`Embedder.prepare`."""
        self._current.prepare(token, progress)

    def take(self, token: CancelToken, progress: Callable[[Message], None] | None = None) -> None:
        """Load and use the chosen model; until it is loaded the previous one embeds questions.

        Only for the thread that reads files, which embeds nothing meanwhile.

        Raises:
            ModelMissing: it cannot be exported or loaded; the previous one stays in use.
            Cancelled: ``token`` was cancelled; the previous one stays in use.
        """
        chosen = self._chosen
        chosen.prepare(token, progress)
        if chosen is not self._current:
            with self.restoring, self.searching:
                before, self._current = self._current, chosen
            before.close()

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._current.embed_query(text)

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        return self._current.embed_passages(texts, token)

    def close(self) -> None:
        self._current.close()
        self._chosen.close()
