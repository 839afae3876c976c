"""What every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """The cache directory with the exported embedding model, kept from one run to the next.

    The first run exports the model into it, which takes some ten seconds.
    """
    chosen = os.environ.get("LECTERN_TEST_MODEL_CACHE")
    folder = Path(chosen) if chosen else Path(__file__).parent.parent / "build" / "test-model-cache"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["LECTERN_CACHE_DIR"] = str(folder.absolute())
    return folder.absolute()
