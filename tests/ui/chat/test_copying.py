"""Copying from a conversation: a few words as they stand, more than a paragraph as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.events import AnswerText
from tests.support.chat_builders import cite, exchange, source, started

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.domain.conversations import Exchange
    from app.ui.chat.transcript import Transcript

TIDES = "The **moon** pulls.\n\n- spring\n- neap\n\n```python\nx = 1\n```"
FLOUR = "It is `ground`, see [this](https://x.org).\n\n| a | b |\n|---|---|\n| 1 | 2 |"


def show(qtbot: QtBot, transcript: Transcript, *exchanges: Exchange) -> None:
    transcript.show_exchanges(exchanges)
    qtbot.waitUntil(lambda: not transcript.is_building)


def two() -> tuple[Exchange, Exchange]:
    tides = exchange(
        1, "Why?\nReally?", TIDES, citations=cite(TIDES, (1, "pulls.")), sources=(source(1), source(2))
    )
    link = "https://x.org/6"
    flour = exchange(
        2,
        "What is flour?",
        FLOUR,
        citations=cite(FLOUR, (1, "x.org)."), (2, "x.org).")),
        sources=(source(1, lesson=6, link=link), source(2)),
    )
    return tides, flour


def copied(transcript: Transcript, first: str, last: str) -> str:
    """Return what Copy gives of the text from some words to others."""
    document = transcript.document()
    start = document.find(first)
    end = document.find(last, start)
    cursor = QTextCursor(document)
    cursor.setPosition(start.selectionStart())
    cursor.setPosition(end.selectionEnd(), QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    QTest.keySequence(transcript, QKeySequence(QKeySequence.StandardKey.Copy))
    return QApplication.clipboard().text()


def test_all_of_a_conversation_is_clean_markdown(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *two())
    transcript.selectAll()
    transcript.copy()
    mime = QApplication.clipboard().mimeData()
    assert mime.text() == (
        f"> Why?\n> Really?\n\n{TIDES.replace('pulls.', 'pulls.[^1]')}\n\n"
        f"> What is flour?\n\n{FLOUR.replace('x.org).', 'x.org).[^2][^1]')}\n\n"
        "[^1]: Course A, Lesson 5: Caching\n[^2]: Course A, Lesson 6: Caching. https://x.org/6"
    )
    assert bytes(mime.data("text/markdown").data()).decode("utf-8") == mime.text()


def test_blocks_that_are_cut_are_plain_text(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *two())
    text = copied(transcript, "neap", "ground")
    assert text == "neap\n\n```python\nx = 1\n```\n\n> What is flour?\n\nIt is ground"


def test_within_a_paragraph_words_are_copied_as_they_stand(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *two())
    assert copied(transcript, "moon", "pulls") == "moon pulls"


def test_one_answer_keeps_its_numbers(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *two())
    text = copied(transcript, "It is", "2 sources")
    assert text == (
        f"{FLOUR.replace('x.org).', 'x.org).[^1][^2]')}\n\n"
        "[^1]: Course A, Lesson 6: Caching. https://x.org/6\n[^2]: Course A, Lesson 5: Caching"
    )


def test_an_answer_being_written_can_be_copied(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, two()[0])
    transcript.handle(started(2, "And then?"))
    transcript.handle(AnswerText("First.\n\nSecond"))
    qtbot.waitUntil(lambda: "Second" in transcript.toPlainText())
    text = copied(transcript, "And then?", "Second")
    assert text.startswith("> And then?\n\n")
    assert text.split() == [">", "And", "then?", "First.", "Second"]
