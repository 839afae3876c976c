"""How alike texts are, while the model is switched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.answers.likeness import Likeness
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from tests.conftest import OtherModel


@pytest.mark.slow
def test_all_texts_of_an_answer_are_compared_with_one_model(other_model: OtherModel) -> None:
    embedder = Embedder(None, other_model.cache)
    embedder.prepare(CancelToken())
    one, other = "The moon pulls the ocean.", "Tides are made by lunar gravity."
    expected = Likeness(embedder).of(one, other)
    likeness = Likeness(embedder)
    embedder.choose(other_model.folder)
    embedder.take(CancelToken())
    assert likeness.of(one, other) == pytest.approx(expected, abs=1e-3)
