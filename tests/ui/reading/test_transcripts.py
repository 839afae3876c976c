"""A transcript says how it came about, marks what is uncertain, and is corrected where it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtTest import QTest

from app.domain.messages import Message
from app.domain.recordings import Transcription
from app.domain.sources import LessonText, SourceState
from tests.support.side_data import citation, exchange, source

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.ui.reading.sources_pane import SourcesPane

PARAGRAPHS = [f"Part {n} says what the moon does to the sea, and why ships wait for it." for n in range(30)]
TEXT = "\n\n".join(PARAGRAPHS)


@pytest.fixture
def heard(panel: SourcesPane, qtbot: QtBot) -> LessonText:
    """A transcript, opened at its third paragraph, in which the word for the sea is uncertain."""
    found = source(1, TEXT)
    found = replace(found, hit=replace(found.hit, path="/course/a.mp3"))
    panel.show_exchange(exchange((found,), (citation(found, PARAGRAPHS[2]),)))
    with qtbot.waitSignal(panel.reading.lesson_requested):
        panel.read(1)
    start = found.hit.start
    sea = start + TEXT.index("sea", len(PARAGRAPHS[0]))
    transcript = Transcription("Whisper base", "en", False, 2, ((sea, sea + 3),))
    lesson = LessonText(
        found, SourceState.CURRENT, TEXT, start, True, "/course/a.mp3", False, transcript=transcript
    )
    panel.reading.show_lesson(lesson)
    qtbot.waitUntil(lambda: panel.reading.text.area((0, 10)) is not None)
    return lesson


def dotted(panel: SourcesPane) -> list[str]:
    line = QTextCharFormat.UnderlineStyle.DotLine
    marks = panel.reading.text.extraSelections()
    return [one.cursor.selectedText() for one in marks if one.format.underlineStyle() == line]


def test_it_says_how_it_came_about(panel: SourcesPane, heard: LessonText) -> None:
    bar = panel.reading.transcript
    assert bar.isVisible()
    assert bar.text.text() == (
        "Written by Whisper base from the recording. Dotted words are uncertain. "
        "2 parts could not be understood."
    )
    assert dotted(panel) == ["sea"]
    assert heard.transcript is not None
    ends = Message("hearing.ends_early", minute=12)
    corrected = heard.transcript._replace(is_corrected=True, unsure=(), dropped=0, unread=ends)
    panel.reading.refresh()
    panel.reading.show_lesson(replace(heard, transcript=corrected))
    assert bar.text.text() == (
        "Written by Whisper base from the recording, and corrected by you. "
        "It can be heard up to minute 12; the rest is damaged or missing."
    )
    assert dotted(panel) == []
    panel.reading.refresh()
    panel.reading.show_lesson(replace(heard, transcript=None))
    assert not bar.isVisible()


def test_a_paragraph_is_corrected_in_place(panel: SourcesPane, heard: LessonText, qtbot: QtBot) -> None:
    reading, editor = panel.reading, panel.reading.correction
    reading.correct(TEXT.index("Part 2"))
    assert editor.field.toPlainText() == PARAGRAPHS[2]
    assert editor.field.hasFocus()
    QTest.keyClick(editor.field, Qt.Key.Key_Escape)
    assert not editor.isVisible()
    assert reading.isVisible(), "Escape leaves the correction, not the lesson"
    with qtbot.assertNotEmitted(reading.correction_made):
        reading.correct(TEXT.index("Part 2"))
        QTest.keyClick(editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    reading.correct(TEXT.index("Part 2"))
    reading.refresh()
    reading.show_lesson(heard)
    assert editor.isVisible(), "a change elsewhere in the library keeps what is being typed"
    editor.field.selectAll()
    QTest.keyClicks(editor.field, "Part two is about tides.")
    with qtbot.waitSignal(reading.correction_made) as made:
        QTest.keyClick(editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    start = heard.start + TEXT.index("Part 2")
    assert made.args == [heard, start, start + len(PARAGRAPHS[2]), "Part two is about tides."]
    assert not editor.isVisible()


def test_captions_are_asked_for(panel: SourcesPane, heard: LessonText, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.reading.captions_requested) as asked:
        QTest.mouseClick(panel.reading.transcript.save, Qt.MouseButton.LeftButton)
    assert asked.args == [heard]
