"""A table that is wider than the column scrolls in itself; narrower ones and the page stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.events import AnswerDone, AnswerText
from app.ui.chat.transcript import Transcript
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import exchange, started

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from pytestqt.qtbot import QtBot

_SIDEWAYS = QPoint(-240, 0)


def table(columns: int, rows: int = 3) -> str:
    head = [f"Column number {n}" for n in range(columns)]
    cells = [[f"some words of cell {row}.{n}" for n in range(columns)] for row in range(rows)]
    lines = [head, ["---"] * columns, *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


ANSWER = f"Before it.\n\n{table(12)}\n\nAfter it.\n\n{table(3)}\n\nThe end."


@pytest.fixture
def transcript(qtbot: QtBot, qapp: QApplication) -> Transcript:
    apply_theme(qapp, Theme.light())
    widget = Transcript(Theme.light())
    qtbot.addWidget(widget)
    widget.resize(640, 900)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def show(qtbot: QtBot, transcript: Transcript, answer: str = ANSWER) -> None:
    transcript.show_exchanges([exchange(answer=answer)])
    qtbot.waitUntil(lambda: not transcript.is_building)


def place(transcript: Transcript, words: str) -> QRect:
    found = transcript.document().find(words)
    assert not found.isNull(), words
    start = QTextCursor(found)
    start.setPosition(found.selectionStart())
    return transcript.cursorRect(start)


def turn_wheel(transcript: Transcript, words: str, by: QPoint, *, shift: bool = False) -> None:
    at = QPointF(60, place(transcript, words).center().y())
    event = QWheelEvent(
        at,
        transcript.viewport().mapToGlobal(at),
        QPoint(),
        by,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(transcript.viewport(), event)


def test_its_columns_keep_a_width_in_which_they_can_be_read(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript)
    starts = [place(transcript, f"some words of cell 0.{n}").left() for n in range(5)]
    assert all(after - before >= 100 for before, after in zip(starts, starts[1:], strict=False))
    room = transcript.viewport().width()
    assert place(transcript, "cell 0.11").left() > room
    assert transcript.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("shift", [False, True])
def test_the_wheel_moves_it_and_nothing_else(qtbot: QtBot, transcript: Transcript, shift: bool) -> None:
    show(qtbot, transcript)
    before = [place(transcript, words) for words in ("Before it.", "After it.", "The end.")]
    cell = place(transcript, "cell 1.0")
    turn_wheel(transcript, "cell 1.0", QPoint(0, -240) if shift else _SIDEWAYS, shift=shift)
    assert place(transcript, "cell 1.0").left() < cell.left() - 100
    for _ in range(20):
        turn_wheel(transcript, "cell 1.0", _SIDEWAYS)
    assert place(transcript, "cell 0.11").left() < transcript.viewport().width() - 60
    assert [place(transcript, words) for words in ("Before it.", "After it.", "The end.")] == before
    for _ in range(30):
        turn_wheel(transcript, "cell 1.0", -_SIDEWAYS)
    assert place(transcript, "cell 1.0") == cell


def test_its_bar_comes_with_the_mouse(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript)
    bar = transcript.tables.bar
    QTest.mouseMove(transcript.viewport(), place(transcript, "After it.").center())
    assert not bar.isVisible()
    QTest.mouseMove(transcript.viewport(), place(transcript, "cell 1.1").center())
    assert bar.isVisible()
    assert place(transcript, "cell 2.0").bottom() < bar.y() < place(transcript, "After it.").top()
    bar.setValue(bar.maximum())
    assert place(transcript, "cell 0.11").left() < transcript.viewport().width() - 60
    QTest.mouseMove(transcript.viewport(), place(transcript, "cell 0.2").center() - QPoint(0, 200))
    assert not bar.isVisible()


def test_what_is_selected_in_it_comes_into_view(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript)
    transcript.setTextCursor(transcript.document().find("cell 2.11"))
    assert 0 <= place(transcript, "cell 2.11").left() < transcript.viewport().width() - 60
    transcript.setTextCursor(transcript.document().find("cell 2.0"))
    assert 0 <= place(transcript, "cell 2.0").left() < 200


def test_it_fits_again_when_there_is_room(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, f"{table(5)}\n\nThe end.")
    assert place(transcript, "cell 0.4").left() > transcript.viewport().width() - 80
    turn_wheel(transcript, "cell 0.1", _SIDEWAYS)
    transcript.resize(900, 900)
    qtbot.waitUntil(lambda: transcript.lineWrapColumnOrWidth() == transcript.viewport().width() > 700)
    assert place(transcript, "cell 0.0").left() >= 0
    assert place(transcript, "some words of cell 0.4").left() < transcript.viewport().width() - 100


def test_a_streamed_table_ends_up_the_same(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript)
    wanted = place(transcript, "cell 2.7").left()
    transcript.show_exchanges([])
    transcript.handle(started(1))
    for at in range(0, len(ANSWER), 90):
        transcript.handle(AnswerText(ANSWER[at : at + 90]))
        transcript.flush()
    transcript.handle(AnswerDone(exchange(answer=ANSWER)))
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert place(transcript, "cell 2.7").left() == wanted
