"""Formulas in a conversation: set off the window's thread, on the baseline, copied as LaTeX."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QColor, QImage, QTextCursor

from app.core.formulas import FormulaService
from app.domain.events import AnswerDone, AnswerText
from app.ui.chat.transcript import Transcript
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import cite, exchange, source, started
from tests.support.pace import slowness
from tests.support.running_formulas import running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from app.core.sandbox import Sandbox
    from app.domain.cancel import CancelToken
    from app.domain.figures import Formula, SetFormula
    from app.workers.workers import Workers

WIDE = "$$" + " + ".join(f"x_{{{n}}}" for n in range(60)) + "$$"


@pytest.fixture
def service(sandbox: Sandbox) -> FormulaService:
    return FormulaService(sandbox)


class _SlowService(FormulaService):
    """Sets formulas once the gate is open."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox)
        self.gate = threading.Event()

    def set(self, formula: Formula, token: CancelToken) -> SetFormula | None:
        self.gate.wait(60)
        return super().set(formula, token)


def new_transcript(qtbot: QtBot, operations: Workers) -> Transcript:
    widget = Transcript()
    widget.show_formulas(FormulaPictures(operations, widget))
    qtbot.addWidget(widget)
    widget.resize(640, 480)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


@pytest.fixture
def transcript(qtbot: QtBot, qapp: QApplication, service: FormulaService) -> Iterator[Transcript]:
    apply_theme(qapp, Theme.light())
    with running(service) as operations:
        yield new_transcript(qtbot, operations)


def is_drawing(transcript: Transcript) -> bool:
    return any(timer.isActive() and timer.isSingleShot() for timer in transcript.findChildren(QTimer))


def show(qtbot: QtBot, transcript: Transcript, answer: str) -> None:
    transcript.show_exchanges([exchange(1, "Why?", answer)])
    qtbot.waitUntil(lambda: not transcript.is_building)


def pictures(transcript: Transcript) -> list[QTextCursor]:
    """Return a cursor behind each picture."""
    text, found = transcript.document(), []
    for position in range(text.characterCount()):
        if text.characterAt(position) == "\ufffc":
            cursor = QTextCursor(text)
            cursor.setPosition(position + 1)
            found.append(cursor)
    return found


def test_formulas_are_pictures_with_their_source(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, r"Let $x^2$ be **$\frac{a}{b}$**, for $5 to $10." + "\n\n$$\n\\int x\n$$\n\nEnd.")
    assert len(pictures(transcript)) == 3
    transcript.selectAll()
    copied = transcript.createMimeDataFromSelection().text()
    assert r"Let $x^2$ be **$\frac{a}{b}$**, for $5 to $10." in copied
    assert "$$\n\\int x\n$$" in copied
    assert "\ufffc" not in copied
    QAccessible.setActive(True)
    read = QAccessible.queryAccessibleInterface(transcript).text(QAccessible.Text.Value)
    assert r"$\frac{a}{b}$" in read


def test_the_source_takes_no_room(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, r"A $\frac{a+b+c+d+e+f}{a+b+c+d+e+f+a+b+c+d+e+f+a+b+c+d+e+f}$end.")
    (picture,) = pictures(transcript)
    (end,) = [transcript.document().find("end.")]
    end.setPosition(end.selectionStart())
    assert transcript.cursorRect(end).left() - transcript.cursorRect(picture).left() <= 2


@pytest.mark.parametrize("latex", ["A", "y", r"\frac{A}{B}", r"e^{i\pi}", r"\sum_{i}^{n} A"])
def test_stands_on_the_baseline(qtbot: QtBot, transcript: Transcript, latex: str) -> None:
    """The letter A of a formula ends where the letter of the text ends."""
    show(qtbot, transcript, f"E ${latex}\\mathrm{{E}}$")
    (picture,) = pictures(transcript)
    drawn = transcript.viewport().grab().toImage()
    rect = transcript.cursorRect(picture)
    block = transcript.document().findBlock(picture.position())
    start = transcript.cursorRect(QTextCursor(block)).left()

    def lowest(left: int, right: int) -> int:
        rows = range(rect.top(), rect.bottom() + 1)
        return max(y for y in rows for x in range(left, right) if QColor(drawn.pixel(x, y)).lightness() < 120)

    assert abs(lowest(rect.left() - 7, rect.left() - 2) - lowest(start + 1, start + 7)) <= 1


def test_a_formula_wider_than_the_column_is_made_smaller(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, WIDE)
    (picture,) = pictures(transcript)
    assert transcript.cursorRect(picture).right() <= transcript.viewport().width()


def test_what_cannot_be_set_stays_as_it_is(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, r"See $\unknowncommand{x}$ & $$\frac{a$$ and $y$.")
    assert len(pictures(transcript)) == 1
    assert r"$\unknowncommand{x}$" in transcript.toPlainText()
    assert r"$$\frac{a$$" in transcript.toPlainText()


def test_follows_the_theme(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, "So $x$.")
    transcript.set_theme(Theme.dark())
    qtbot.waitUntil(lambda: not transcript.is_building)
    name = pictures(transcript)[0].charFormat().toImageFormat().name()
    image = transcript.loadResource(0, name)
    assert isinstance(image, QImage)
    colours = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    strongest = max(colours, key=QColor.alpha)
    assert strongest.lightness() > 150


def test_loads_nothing_else(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, "So $x$.")
    for name in ("formula:9999/14/000000", "formula:0/14/../x", "file:///etc/passwd", "http://example.org/a"):
        image = transcript.loadResource(2, name)
        assert isinstance(image, QImage)
        assert image.isNull()


def test_while_an_answer_streams_no_source_is_shown(qtbot: QtBot, transcript: Transcript) -> None:
    """Nor does a paragraph move once the next one has begun."""
    transcript.handle(started(1, "Why?"))
    answer = "The rule is $\\frac{a}{b}$ here.\n\n$$\n\\int_0^1 x\\,dx\n$$\n\nThen $y_2$ follows, and $5.\n"
    places: set[int] = set()
    for at in range(0, len(answer), 3):
        transcript.handle(AnswerText(answer[at : at + 3]))
        qtbot.waitUntil(lambda: not is_drawing(transcript))
        shown = transcript.document().toPlainText()
        if at > answer.index("$$"):
            places.add(transcript.cursorRect(transcript.document().find("The rule")).top())
        assert shown.count("\\frac") == shown.count("\ufffc$\\frac"), at
        assert shown.count("\\int") == shown.count("\ufffc$$ \\int"), at
    assert len(places) == 1
    transcript.handle(AnswerDone(exchange(1, "Why?", answer)))
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert len(pictures(transcript)) == 3


@pytest.mark.slow
def test_an_answer_does_not_wait_for_a_formula_for_ever(
    qtbot: QtBot, qapp: QApplication, sandbox: Sandbox
) -> None:
    """It is shown as its source until it comes."""
    with running(slow := _SlowService(sandbox)) as operations:
        transcript = new_transcript(qtbot, operations)
        began = time.monotonic()
        show(qtbot, transcript, "So $late_1$.")
        assert time.monotonic() - began > 0.9
        assert "$late_1$" in transcript.toPlainText()
        assert not pictures(transcript)
        transcript.setTextCursor(transcript.document().find("Why"))
        slow.gate.set()
        qtbot.waitUntil(lambda: len(pictures(transcript)) == 1)
        assert transcript.textCursor().selectedText() == "Why", "nothing else is drawn again"


def test_marks_stand_behind_formulas(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "It grows by $x^2$. Then"
    one = exchange(1, "Why?", answer, citations=cite(answer, (1, "$x^2$")), sources=(source(1),))
    transcript.show_exchanges([one])
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert len(pictures(transcript)) == 1
    assert "$x^2$" in transcript.toPlainText()


@pytest.mark.slow
@pytest.mark.usefixtures("no_collections")
def test_two_hundred_formulas_do_not_stop_the_window(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "\n\n".join(f"Number {n}: $\\frac{{x_{{{n}}}}}{{{n}}}$ and $y^{{{n}}}$." for n in range(100))
    transcript.show_exchanges([exchange(1, "Why?", answer)])
    longest, last = 0.0, time.thread_time()
    while transcript.is_building:
        qtbot.wait(1)
        longest, last = max(longest, time.thread_time() - last), time.thread_time()
    assert longest < 0.25 * slowness()  # 0.02 of processor time on a machine that does nothing else
    qtbot.waitUntil(lambda: len(pictures(transcript)) == 200, timeout=60_000)
