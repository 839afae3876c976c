from __future__ import annotations

import pytest

from tests.support.small_library import SmallLibrary


@pytest.fixture
def library() -> SmallLibrary:
    return SmallLibrary()
