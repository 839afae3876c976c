from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.anthropic_server import AnthropicServer
from tests.support.small_library import SmallLibrary

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer() as running:
        yield running


@pytest.fixture
def library() -> SmallLibrary:
    return SmallLibrary()
