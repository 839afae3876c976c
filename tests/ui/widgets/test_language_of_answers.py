"""What the core writes for a student to read is in the language of the window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTranslator

from app.core.answers.passage_answer import passage_answer
from app.core.conversations.markdown_export import conversation_markdown
from app.domain.conversations import Conversation, OpenedConversation
from app.domain.search import SearchResults
from resources.packaging import translations
from tests.support import side_data

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


@pytest.fixture
def _german(qapp: QApplication, tmp_path: Path) -> Iterator[None]:
    compiled = tmp_path / "lectern_de.qm"
    translations.compile_catalogue(translations.CATALOGUES / "lectern_de.ts", compiled)
    german = QTranslator()
    assert german.load(str(compiled))
    qapp.installTranslator(german)
    yield
    qapp.removeTranslator(german)


@pytest.mark.usefixtures("_german")
def test_an_answer_of_passages() -> None:
    source = side_data.source(1, lesson_number=3, lesson_title="Spread")
    results = SearchResults("Zebras?", None, (source.hit,), None, covered=False, missing=("zebras",))
    text, _ = passage_answer(results, [source])
    lines = [line for line in text.splitlines() if line and line[0] not in ">-"]
    assert lines[:2] == [
        "In keiner der durchsuchten Lektionen: zebras.",
        "Deine Kurse scheinen das nicht zu behandeln. Diese Lektionen kommen dem am nächsten:",
    ]
    assert lines[2] == "Das sagen diese Lektionen:"
    assert lines[3].startswith("*Lektion 3: Spread · ")


@pytest.mark.usefixtures("_german")
def test_an_exported_chat() -> None:
    source = side_data.source(1, lesson_number=3, lesson_title="")
    citation = side_data.citation(source, source.hit.text)
    exchange = replace(side_data.exchange((source,), (citation,)), question="Warum?")
    text = conversation_markdown(OpenedConversation(Conversation(1, "Streuung", 0.0), (exchange,)))
    assert "## 1. Frage" in text
    assert "### Antwort" in text
    assert ", Lektion 3. „" in text
