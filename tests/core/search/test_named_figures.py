"""A figure or table that a question names by its number is found by its caption."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.documents import Anchor
from app.domain.scope import only_course
from tests.support.courses import TITLES, ingest
from tests.support.figures import CAPTION, WINTER, tides

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem

NOTES = """# Clouds

Figure {0} is explained in the text, as is every figure of this chapter. Look at a figure before you read.

Figure {0}: The anvil of a thundercloud.

A cloud of water drops is white because all colours are scattered alike. {1}

Table {0}. Heights of ten kinds of clouds in metres.

The higher a cloud is, the colder it is, and the more of it is ice. {1}
"""
FILLER = "The number {0} stands in this sentence, and a figure of speech too; nothing is shown here. " * 6


@pytest.fixture
def clouds(rag: RAGSystem, tmp_path: Path) -> RAGSystem:
    text = "\n".join(NOTES.format(n, FILLER.format(n)) for n in range(1, 12))
    (tmp_path / "Clouds.md").write_text(text, encoding="utf-8")
    ingest(rag, tmp_path / "Clouds.md")
    return rag


def test_the_caption_of_a_figure_comes_first(clouds: RAGSystem) -> None:
    for question, caption in (
        ("What does figure 7 show?", "Figure 7: The anvil"),
        ("Explain Fig. 11", "Figure 11: The anvil"),
        ("Was zeigt Abbildung 4?", "Figure 4: The anvil"),
        ("¿Qué muestra la tabla 9?", "Table 9. Heights"),
    ):
        results = clouds.search.retrieve(question)
        assert caption in results.hits[0].text, question
        assert results.covered, question
    assert not clouds.search.retrieve("What does figure 99 of the lecture about Napoleon show?").covered
    results = clouds.search.retrieve("What does figure 7 show?", scope=only_course(TITLES[0]))
    assert {hit.course_title for hit in results.hits} <= {TITLES[0]}


def test_the_caption_in_a_pdf_is_found_with_its_page(rag: RAGSystem, tmp_path: Path) -> None:
    path = tmp_path / "tides.pdf"
    path.write_bytes(tides())
    ingest(rag, path)
    best = rag.search.retrieve("What does figure 3 show?").hits[0]
    assert CAPTION in best.text
    assert best.anchor == Anchor("page", 1)
    assert WINTER in rag.search.retrieve("What can be seen in figure 4?").hits[0].text
