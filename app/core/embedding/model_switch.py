"""The embedding model in use, and how another takes its place while questions are asked."""

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


class ModelSwitch:
    """Embeds with one model until another that was chosen is taken.

    Attributes:
        searching: held while a question's vector is compared with stored ones, so that the model does
            not change in between.
        restoring: held while documents are embedded beside the thread that takes another model.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.searching = threading.Lock()
        self.restoring = threading.Lock()
        self._current = self._chosen = embedder

    @property
    def model_id(self) -> str:
        """The model in use; see :attr:`Embedder.model_id`."""
        return self._current.model_id

    @property
    def dimension(self) -> int:
        """Length of a vector of the model in use."""
        return self._current.dimension

    @property
    def is_waiting(self) -> bool:
        """Whether another model was chosen and not taken yet."""
        return self._chosen is not self._current

    def choose(self, model_dir: Path | None) -> None:
        """Have another model taken at the next :meth:`take`.

        Raises:
            ModelMissing: it can not be used; nothing was changed.
        """
        self._chosen = self._current.other(model_dir)

    def check(self, model_dir: Path | None) -> None:
        """Only look whether :meth:`choose` would raise."""
        self._current.other(model_dir)

    def prepare(self, token: CancelToken, progress: Callable[[str], None] | None = None) -> None:
        """Load the model in use; see :meth:`Embedder.prepare`."""
        self._current.prepare(token, progress)

    def take(self, token: CancelToken, progress: Callable[[str], None] | None = None) -> None:
        """Load the chosen model, then use it; until it is loaded the one before embeds questions.

        Only for the thread that reads files, which embeds nothing meanwhile.

        Raises:
            ModelMissing: it can not be exported or loaded; the one before stays in use.
            Cancelled: ``token`` was cancelled; the same.
        """
        chosen = self._chosen
        chosen.prepare(token, progress)
        if chosen is not self._current:
            with self.restoring, self.searching:
                before, self._current = self._current, chosen
            before.close()

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question."""
        return self._current.embed_query(text)

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return the vectors of passages, in the order given."""
        return self._current.embed_passages(texts, token)

    def close(self) -> None:
        """Let go of the models' memory."""
        self._current.close()
        self._chosen.close()
