"""Runs an exported cross-encoder, which reads a question and a text together and gives one score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.core.embedding.graph import BrokenGraph, EmbeddingGraph
from app.core.embedding.scale import PASSAGES, QUESTIONS
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_LIKE_EXPORTED = 0.05  # most that a probe's score may differ, as a share of how far they all lie apart


class CrossEncoder(EmbeddingGraph):
    """A loaded cross-encoder: an exported model whose output for two texts is one number. Thread-safe."""

    def compare(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return how well each text answers the question, shape (n,), on a scale of the model's own."""
        return self._outputs(self._tokenize([(question, text) for text in texts]), CancelToken())[:, 0]

    def probe_scores(self) -> NDArray[np.float32]:
        """Return scores that tell a sound graph from a damaged one."""
        return self.compare(QUESTIONS[0], PASSAGES)

    def _choose_question_graph(self) -> None:
        """Check the scores of the probe; questions alone are never computed."""
        expected = np.array(self.meta.probe, dtype=np.float32)
        if expected.size:  # else the graph is just being exported
            scores = self.probe_scores()
            if scores.shape != expected.shape:
                raise BrokenGraph("the graph gives another number of scores than when it was exported")
            if not np.abs(scores - expected).max() <= _LIKE_EXPORTED * max(float(np.ptp(expected)), 1e-3):
                raise BrokenGraph("the graph gives other scores than when it was exported")
