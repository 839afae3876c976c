"""A library whose searches Chroma answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.courses import open_index

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem


@pytest.fixture
def rag(rag: RAGSystem) -> RAGSystem:
    open_index(rag)
    return rag
