from __future__ import annotations

import random
import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QImage,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.domain.conversations import ExchangeState
from app.domain.events import (
    AnswerChecking,
    AnswerCitation,
    AnswerDone,
    AnswerInterrupted,
    AnswerText,
    PassagesAtOnce,
    ReadingStarted,
    SearchStarted,
    SourcesFound,
)
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.ui.chat import transcript_html as pieces
from app.ui.chat.transcript import Transcript
from app.ui.widgets.theme import Theme
from tests.support.chat_builders import citation, cite, exchange, source, started
from tests.support.sidebar import choose, opens_menus

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.domain.conversations import Exchange
    from app.domain.sources import Citation


def show(qtbot: QtBot, transcript: Transcript, *exchanges: Exchange) -> None:
    transcript.show_exchanges(exchanges)
    qtbot.waitUntil(lambda: not transcript.is_building)


def place_of(transcript: Transcript, text: str) -> QPoint:
    """Return a point inside the first occurrence of ``text``, in the viewport."""
    found = transcript.document().find(text)
    assert not found.isNull(), text
    start = QTextCursor(found)
    start.setPosition(found.selectionStart())
    rect, end = transcript.cursorRect(start), transcript.cursorRect(found)
    return QPoint((rect.left() + end.left()) // 2, rect.center().y())


def formats(transcript: Transcript, text: str) -> QTextCursor:
    """Return a cursor whose charFormat is that of ``text``."""
    found = transcript.document().find(text)
    assert not found.isNull(), text
    return found


def stream(transcript: Transcript, text: str, size: int = 9) -> None:
    for start in range(0, len(text), size):
        transcript.handle(AnswerText(text[start : start + size]))


# The off-screen platform has no stack of windows.
shows_tooltip = pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")


# ---- what is shown ----


def test_question_is_shown_literally(qtbot: QtBot, transcript: Transcript) -> None:
    question = "<b>bold</b> & **stars**\n  two   spaces <img src='x'> [l](http://x.org)"
    show(qtbot, transcript, exchange(question=question))
    text = transcript.toPlainText()
    assert "<b>bold</b> & **stars**\n  two   spaces <img src='x'> [l](http://x.org)" in text
    assert not formats(transcript, "bold").charFormat().fontWeight() > 400
    assert not formats(transcript, "[l]").charFormat().isAnchor()


def test_answer_is_rendered_from_markdown(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(answer="A **bold** word\n\n- item\n\n```python\ndef f(): pass\n```"))
    assert formats(transcript, "bold").charFormat().fontWeight() >= 600
    assert formats(transcript, "item").block().textList() is not None
    keyword = formats(transcript, "def")
    assert keyword.currentTable() is not None
    assert keyword.charFormat().foreground().color().name() == Theme.light().accent
    assert "Lectern" in transcript.toPlainText()


def test_html_in_an_answer_is_inert(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "<script>alert(1)</script> <a href='http://x.org'>no link</a> [bad](javascript:x) [c](cite:1/1)"
    show(qtbot, transcript, exchange(answer=answer))
    assert "<script>alert(1)</script>" in transcript.toPlainText()
    for text in ("no link", "bad", "c"):
        assert not formats(transcript, text).charFormat().isAnchor()


def test_pictures_are_never_loaded(qtbot: QtBot, transcript: Transcript, tmp_path: Path) -> None:
    picture = tmp_path / "secret.png"
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(picture))
    address = picture.as_uri()
    show(
        qtbot,
        transcript,
        exchange(answer=f"![a]({address}) <img src='{address}'> ![b](https://x.invalid/b.png)"),
    )
    assert "\ufffc" not in transcript.toPlainText()
    # Even HTML that came past everything else cannot make the browser read a file.
    transcript.append_html(f'<p>x<img src="{address}"><img src="https://x.invalid/b.png"></p>')
    kind = QTextDocument.ResourceType.ImageResource
    for name in (address, "https://x.invalid/b.png"):
        loaded = transcript.document().resource(kind, QUrl(name))
        assert isinstance(loaded, QImage)
        assert loaded.isNull()
    assert transcript.grab().toImage().pixelColor(30, 30) != Qt.GlobalColor.red


def test_footer_says_sources_and_time(qtbot: QtBot, transcript: Transcript) -> None:
    show(
        qtbot,
        transcript,
        exchange(1, sources=(source(1), source(2))),
        exchange(2, sources=(source(1),), seconds=0.0),
    )
    lines = [" ".join(line.split()) for line in transcript.toPlainText().splitlines()]
    assert "2 sources · 1.2 s · Copy · Regenerate" in lines
    assert "1 source · Copy · Regenerate" in lines


def test_stopped_and_failed_answers_say_so(qtbot: QtBot, transcript: Transcript) -> None:
    show(
        qtbot,
        transcript,
        exchange(1, answer="Half an", state=ExchangeState.STOPPED),
        exchange(2, answer="", state=ExchangeState.FAILED, error="The server <b>said</b> no."),
        exchange(3, answer="", state=ExchangeState.DONE),
        exchange(4, answer="Cut", state=ExchangeState.WRITING),
    )
    text = transcript.toPlainText()
    assert "Stopped" in text
    assert "The server <b>said</b> no." in text
    assert "There is no answer." in text
    assert "Interrupted" in text
    assert text.count("Try again") == 4


def test_notice_shows_its_words(transcript: Transcript) -> None:
    transcript.add_notice("The disk is <full>.", "danger")
    assert transcript.toPlainText().strip() == "The disk is <full>."


def test_questions_and_code_stand_in_boxes(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(question="Where?", answer="```\ncode\n```\n\n> ```\n> inner\n> ```"))
    kinds = [transcript.kind_of_box(formats(transcript, text).currentTable()) for text in ("Where?", "code")]
    assert kinds == ["question", "code"]
    transcript.verticalScrollBar().setValue(0)
    image = transcript.viewport().grab().toImage()
    inside = place_of(transcript, "Where?") - QPoint(0, 12)
    assert image.pixelColor(inside).name() == Theme.light().user_bubble


def test_a_table_of_many_columns_wraps_into_the_column(qtbot: QtBot, transcript: Transcript) -> None:
    line = "| " + " | ".join(["Column of words"] * 12) + " |\n"
    show(qtbot, transcript, exchange(answer=f"{line}|{'---|' * 12}\n{line * 3}\nThe end."))
    assert transcript.document().size().width() <= transcript.viewport().width()


def test_theme_change_shows_everything_anew(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *(exchange(i, answer=f"Answer {i} `code`\n\n" + "text " * 300) for i in range(5)))
    transcript.verticalScrollBar().setValue(100)
    before = transcript.toPlainText()
    distance = transcript.distance_from_end
    transcript.set_theme(Theme.dark())
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert transcript.toPlainText() == before
    assert formats(transcript, "code").charFormat().background().color().name() == Theme.dark().code_bg
    assert abs(transcript.distance_from_end - distance) <= 2


def test_theme_change_while_an_answer_runs(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.handle(started())
    stream(transcript, "First part.\n\nSecond")
    transcript.flush()
    transcript.set_theme(Theme.dark())
    stream(transcript, " part.")
    qtbot.waitUntil(lambda: not transcript.is_building)
    stream(transcript, " Third.")
    done = exchange(answer="First part.\n\nSecond part. Third.")
    transcript.handle(AnswerDone(done))
    streamed = transcript.toHtml()
    other = Transcript()
    other.set_theme(Theme.dark())
    qtbot.addWidget(other)
    show(qtbot, other, done)
    assert streamed == other.toHtml()


# ---- streaming ----

PIECES = (
    "Plain words, more words and a **bold** one.",
    "A line\nand another *with* `code` in it\nand a third",
    "# Heading one",
    "### Heading `three`",
    "Under\n====",
    "- a\n- b\n  - c\n  - d\n- e",
    "1. one\n\n   para in one\n2. two\n   ```python\n   x = 1\n\n   y = 2\n   ```\n3. three",
    "```python\ndef f(x):\n    return x * 2\n\n\nprint(f(2))\n```",
    "~~~\nno language <b>\n~~~",
    "```\nnever closed",
    "| a | b |\n|---|--:|\n| 1 | 2 |\n| **3** | `4` |",
    "> quoted\n> - list\n>\n> more",
    "---",
    "    indented\n      code",
    "text right before\n- a list",
    "text right before\n| x | y |\n|-|-|\n| 1 | 2 |",
    "A [link](https://x.org) <b>raw</b> ![p](https://x.org/p.png)",
    "\\* escaped \\_ &amp; &lt; 1986. x",
    "***",
    "Größe – 数学 🎓 e\u0301",
)


def random_answer(chance: random.Random) -> str:
    parts = [chance.choice(PIECES) for _ in range(chance.randint(1, 9))]
    return "".join(part + chance.choice(("\n\n", "\n\n", "\n\n\n", "\n")) for part in parts)


@pytest.mark.parametrize("seed", range(60))
def test_streaming_ends_as_the_whole_would_look(qtbot: QtBot, transcript: Transcript, seed: int) -> None:
    chance = random.Random(seed)
    answer = random_answer(chance)
    ends = sorted(chance.randrange(len(answer) + 1) for _ in range(chance.randint(0, 6)))
    citations = [citation(chance.randint(1, 4), end, verified=chance.random() < 0.8) for end in ends]
    came: list[Citation] = []
    transcript.handle(started())
    at = 0
    while at < len(answer):
        size = chance.randint(1, 25)
        transcript.handle(AnswerText(answer[at : at + size]))
        at += size
        while len(came) < len(citations) and citations[len(came)].answer_end <= at - chance.randint(0, 80):
            came.append(citations[len(came)])
            transcript.handle(AnswerCitation(came[-1]))
        if chance.random() < 0.4:
            transcript.flush()
    for late in citations[len(came) :]:
        transcript.handle(AnswerCitation(late))
    done = exchange(answer=answer, citations=tuple(citations), sources=(source(1),))
    transcript.handle(AnswerDone(done))
    streamed, words = transcript.toHtml(), transcript.toPlainText()
    show(qtbot, transcript, done)
    assert words == transcript.toPlainText()
    assert streamed == transcript.toHtml()


def test_the_timer_draws_what_came(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.handle(started())
    stream(transcript, "Word by word it comes")
    assert "Word by word" not in transcript.toPlainText()
    qtbot.waitUntil(lambda: "Word by word it comes" in transcript.toPlainText())


def test_status_line_is_replaced(transcript: Transcript) -> None:
    transcript.handle(started())
    assert "Thinking…" in transcript.toPlainText()
    for event, text in (
        (SearchStarted("prompt caching", "Course A"), "Searching for “prompt caching” in Course A…"),
        (ReadingStarted("Course A", 3), "Reading lesson 3 of Course A…"),
        (ReadingStarted("Course A", part=2), "Reading Course A…"),
        (SearchStarted("x" * 500), "Searching for “xxx"),
        (SourcesFound((source(1), source(2))), "Reading 2 passages…"),
        (SourcesFound((source(3),)), "Reading 1 passage…"),
        (AnswerText("So"), "Writing…"),
        (AnswerChecking(), "Checking the answer against your courses…"),
    ):
        transcript.handle(event)
        transcript.flush()
        lines = transcript.toPlainText().splitlines()
        assert lines[-1].startswith(text)
        assert len(lines[-1]) < 120
    assert transcript.toPlainText().count("…") == 1
    transcript.handle(AnswerDone(exchange(answer="So")))
    assert "…" not in transcript.toPlainText()


def test_passages_can_be_read_until_the_answer_begins(transcript: Transcript) -> None:
    transcript.handle(started())
    transcript.handle(SourcesFound((source(1),)))
    transcript.handle(PassagesAtOnce("Nearest passages:\n\n> It stands here.\n\n*Lesson 1*", ()))
    transcript.flush()
    lines = transcript.toPlainText().splitlines()
    assert lines.index("Reading 1 passage…") < lines.index("It stands here.")
    stream(transcript, "It is so.")
    transcript.flush()
    lines = transcript.toPlainText().splitlines()
    assert lines.index("It is so.") < lines.index("Writing…") < lines.index("Show the passages")
    assert "It stands here." not in lines, "they would move down with every line"
    transcript.handle(AnswerDone(exchange(answer="It is so.")))
    assert "It is so." in transcript.toPlainText()
    assert "Show the passages" not in transcript.toPlainText()


def test_what_a_model_would_add_is_said_below_the_first_answer_without_one(
    qtbot: QtBot, transcript: Transcript
) -> None:
    transcript.offers_model = True
    passages = [replace(exchange(number, sources=(source(1),)), model=None) for number in (1, 2)]
    show(qtbot, transcript, *passages)
    assert transcript.toPlainText().count("A model would answer") == 1
    with qtbot.waitSignal(transcript.settings_requested):
        at = place_of(transcript, "Ways")
        QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=at)
    show(qtbot, transcript, exchange(1, sources=(source(1),)), passages[1])
    assert "A model would answer" not in transcript.toPlainText()


def test_the_footer_names_a_model_without_a_price(qtbot: QtBot, transcript: Transcript) -> None:
    usage = Usage(700, 60)
    show(qtbot, transcript, replace(exchange(), model="/home/me/qwen3-1.7b.gguf", usage=usage))
    assert "qwen3-1.7b" in transcript.toPlainText()
    assert "/home" not in transcript.toPlainText()


def test_what_was_saved_wins_over_what_was_streamed(transcript: Transcript) -> None:
    transcript.handle(started())
    stream(transcript, "Some text.\n\nThat was cut")
    transcript.flush()
    transcript.handle(AnswerDone(exchange(answer="Another text.")))
    assert "Some text" not in transcript.toPlainText()
    assert transcript.toPlainText().count("Another text.") == 1


def test_interrupted_answer_keeps_what_came(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.handle(started())
    stream(transcript, "Half an ans")
    why = Message("answers.key_refused")
    failed = exchange(answer="Half an ans", state=ExchangeState.FAILED, error=why)
    transcript.handle(AnswerInterrupted(failed))
    text = transcript.toPlainText()
    assert "Half an ans" in text
    assert str(why) in text
    with qtbot.waitSignal(transcript.settings_requested):
        QTest.mouseClick(
            transcript.viewport(), Qt.MouseButton.LeftButton, pos=place_of(transcript, "Open settings…")
        )


def test_events_without_an_answer_are_ignored(transcript: Transcript) -> None:
    transcript.handle(AnswerText("late"))
    transcript.handle(AnswerDone(exchange()))
    transcript.flush()
    assert transcript.is_empty
    assert transcript.toPlainText() == ""


def test_notice_during_an_answer_stands_below_it(transcript: Transcript) -> None:
    transcript.handle(started())
    stream(transcript, "An answer")
    transcript.add_notice("Something happened.", "warning")
    stream(transcript, " to the end.")
    transcript.handle(AnswerDone(exchange(answer="An answer to the end.")))
    text = transcript.toPlainText()
    assert text.index("An answer to the end.") < text.index("Copy") < text.index("Something happened.")


def test_selection_above_the_open_end_stays(transcript: Transcript) -> None:
    transcript.handle(started())
    stream(transcript, "The first paragraph is finished.\n\nThe second")
    transcript.flush()
    transcript.setTextCursor(formats(transcript, "first paragraph"))
    for word in (" is", " still", " growing.\n\n", "Third"):
        transcript.handle(AnswerText(word))
        transcript.flush()
    transcript.handle(
        AnswerDone(
            exchange(answer="The first paragraph is finished.\n\nThe second is still growing.\n\nThird")
        )
    )
    assert transcript.textCursor().selectedText() == "first paragraph"


def test_double_length_costs_about_double(transcript: Transcript) -> None:
    def cost(paragraphs: int) -> float:
        text = "".join(
            f"Paragraph {i} has **some** words that `fill` it up to a line.\n\n" for i in range(paragraphs)
        )
        transcript.show_exchanges(())
        transcript.handle(started())
        begun = time.thread_time()
        for start in range(0, len(text), 40):
            transcript.handle(AnswerText(text[start : start + 40]))
            transcript.flush()
        return time.thread_time() - begun

    cost(20)
    small = min(cost(100) for _ in range(2))
    large = min(cost(200) for _ in range(2))
    assert large <= 2.5 * small + 0.05


# ---- links ----


def test_click_on_a_citation_opens_it(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "A claim. Another claim."
    marks = cite(answer, (2, "A claim."), (3, "Another claim."))
    show(qtbot, transcript, exchange(41, answer="First.", citations=cite("First.", (1, "First."))))
    show(qtbot, transcript, exchange(41, answer="First."), exchange(42, answer=answer, citations=marks))
    with qtbot.waitSignal(transcript.citation_activated) as clicked:
        QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place_of(transcript, "[3]"))
    assert clicked.args == [42, 3]


@shows_tooltip
def test_enter_on_a_focused_citation_opens_it(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "A claim. Another claim."
    show(
        qtbot,
        transcript,
        exchange(7, answer=answer, citations=cite(answer, (1, "A claim."), (2, "Another claim."))),
    )
    transcript.activateWindow()
    transcript.setFocus()
    qtbot.waitUntil(transcript.hasFocus)
    for _ in range(3):  # the link that edits the question, then the marks
        QTest.keyClick(transcript, Qt.Key.Key_Right)
    with qtbot.waitSignal(transcript.citation_activated) as pressed:
        QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert pressed.args == [7, 2]


def middle_of(transcript: Transcript, text: str) -> QTextCursor:
    """Return a cursor within a mark's number, whose brackets are transparent."""
    cursor = formats(transcript, text)
    cursor.setPosition(cursor.selectionStart() + len(text) - 1)
    return cursor


def test_citation_marks_can_be_read(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "A claim. Another."
    show(
        qtbot,
        transcript,
        exchange(answer=answer, citations=cite(answer, (1, "A claim."), (2, "Another.", False))),
    )
    good, bad = (middle_of(transcript, text).charFormat() for text in ("[1]", "[2]"))
    for mark in (good, bad):
        assert mark.font().pixelSize() >= 12
    assert not good.fontStrikeOut()
    assert bad.fontStrikeOut()
    assert bad.foreground().color().name() == Theme.light().danger


def test_citation_marks_have_a_ground_that_can_be_hit(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "A claim. Another."
    show(
        qtbot,
        transcript,
        exchange(answer=answer, citations=cite(answer, (1, "A claim."), (2, "Another.", False))),
    )
    theme, places = Theme.light(), []
    for text, colour in (("[1]", theme.accent_soft), ("[2]", theme.danger_bg)):
        found = formats(transcript, text)
        start = QTextCursor(found)
        start.setPosition(found.selectionStart())
        left, right = transcript.cursorRect(start), transcript.cursorRect(found)
        middle = QPoint((left.x() + right.x()) // 2, left.center().y())
        chip = [
            (x, y)
            for x in range(left.x(), right.x())
            for y in range(middle.y() - 16, middle.y() + 16)
            if transcript.viewport().grab().toImage().pixelColor(x, y).name() == colour
        ]
        columns, rows = {x for x, _ in chip}, {y for _, y in chip}
        assert max(columns) - min(columns) >= 14
        assert max(rows) - min(rows) >= 14
        for x, y in ((min(columns) + 2, middle.y()), (max(columns) - 2, middle.y()), (middle.x(), max(rows))):
            assert transcript.anchorAt(QPoint(x, y)).startswith("cite:"), (x, y)
        places.append(right.x() - left.x())
    assert places[0] == places[1], "nothing moves when an answer has been examined"


@shows_tooltip
def test_unverified_citation_says_so(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "A claim."
    show(qtbot, transcript, exchange(answer=answer, citations=cite(answer, (3, "A claim.", False))))
    transcript.activateWindow()
    transcript.setFocus()
    qtbot.waitUntil(transcript.hasFocus)
    for _ in range(2):  # the link that edits the question, then the mark
        QTest.keyClick(transcript, Qt.Key.Key_Right)
    assert "Source 3: could not be verified" in transcript.accessibleDescription()


def test_marks_do_not_move_lines(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "one line of words and more words"
    plain, marked = exchange(1, answer=answer), exchange(1, answer=answer, citations=(citation(1, 8),))
    show(qtbot, transcript, plain)
    height = transcript.document().size().height()
    show(qtbot, transcript, marked)
    assert transcript.document().size().height() == height


@pytest.mark.parametrize(
    ("text", "signal"), [("1 source", "sources_requested"), ("Try again", "retry_requested")]
)
def test_links_below_an_answer(qtbot: QtBot, transcript: Transcript, text: str, signal: str) -> None:
    show(qtbot, transcript, exchange(9, sources=(source(1),), state=ExchangeState.STOPPED))
    with qtbot.waitSignal(getattr(transcript, signal)) as clicked:
        QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place_of(transcript, text))
    assert clicked.args == [9]


def test_web_link_is_handed_on_and_never_opened_here(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(answer="See [the page](https://x.org/a?b=c%20d#e)."))
    before = transcript.toPlainText()
    with qtbot.waitSignal(transcript.link_activated) as clicked:
        QTest.mouseClick(
            transcript.viewport(), Qt.MouseButton.LeftButton, pos=place_of(transcript, "the page")
        )
    assert clicked.args == ["https://x.org/a?b=c%20d#e"]
    assert transcript.toPlainText() == before


@shows_tooltip
def test_copy_puts_markdown_and_html_on_the_clipboard(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "A **claim**."
    show(
        qtbot,
        transcript,
        exchange(5, answer=answer, citations=cite(answer, (1, answer)), sources=(source(1),)),
    )
    QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place_of(transcript, "Copy"))
    mime = QApplication.clipboard().mimeData()
    assert mime.text() == "A **claim**.[^1]\n\n[^1]: Course A, Lesson 5: Caching"
    assert mime.html().startswith("<p>A <strong>claim</strong>.<sup>[1]</sup></p>")
    assert bytes(mime.data("text/markdown").data()).decode("utf-8") == mime.text()


def test_copying_a_selection_gives_the_words(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "A claim. More."
    show(qtbot, transcript, exchange(answer=answer, citations=cite(answer, (1, "A claim."))))
    transcript.setTextCursor(formats(transcript, "A claim.\u2060[1] More."))
    transcript.activateWindow()
    transcript.setFocus()
    qtbot.waitUntil(transcript.hasFocus)
    QTest.keyClick(transcript, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().mimeData().text() == "A claim.[1] More."
    assert not QApplication.clipboard().mimeData().hasHtml()


# ---- scrolling ----


def fill(transcript: Transcript, lines: int) -> None:
    for i in range(lines):
        transcript.handle(AnswerText(f"Line {i} of a long answer.\n\n"))
        transcript.flush()


def test_view_follows_its_end(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.handle(started())
    fill(transcript, 40)
    bar = transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 300)
    assert bar.value() == bar.maximum()


def test_scrolling_back_is_not_fought(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.handle(started())
    fill(transcript, 40)
    bar = transcript.verticalScrollBar()
    turn = QWheelEvent(
        QPointF(100, 100),
        QPointF(transcript.viewport().mapToGlobal(QPoint(100, 100))),
        QPoint(0, 0),
        QPoint(0, 360),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(transcript.viewport(), turn)
    there = bar.value()
    assert there < bar.maximum() - 24
    fill(transcript, 30)
    assert bar.value() == there
    bar.setValue(bar.maximum())
    fill(transcript, 10)
    assert bar.value() == bar.maximum()


def test_a_new_question_brings_the_end_into_sight(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *(exchange(i, answer="text\n\n" * 20) for i in range(4)))
    bar = transcript.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    transcript.handle(started(9))
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())


def test_passages_are_read_from_their_question_at_the_top(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *(exchange(i, answer="text\n\n" * 20) for i in range(1, 4)))
    transcript.handle(started(9))
    fill(transcript, 60)
    text = "".join(f"Line {i} of a long answer.\n\n" for i in range(60))
    end = replace(exchange(9, answer=text, sources=(source(1),)), model=None)
    transcript.handle(AnswerDone(end))
    question = transcript.place_of(9)
    assert question is not None
    start = transcript.between(question[0], question[0])
    qtbot.waitUntil(lambda: 8 <= transcript.cursorRect(start).top() <= 40)


def test_text_does_not_move_sideways_when_the_scroll_bar_comes(transcript: Transcript) -> None:
    transcript.handle(started())
    fill(transcript, 3)
    left = place_of(transcript, "Line 1").x()
    width = transcript.viewport().width()
    assert transcript.verticalScrollBar().maximum() == 0
    fill(transcript, 60)
    assert transcript.verticalScrollBar().maximum() > 0
    assert transcript.viewport().width() == width
    assert place_of(transcript, "Line 1").x() == left
    assert transcript.horizontalScrollBar().maximum() == 0


def test_lines_stay_readable_in_a_wide_window(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(answer="word " * 300))
    transcript.resize(1600, 700)
    assert transcript.viewport().width() == 760
    assert abs(transcript.viewport().x() - (1600 - 760) // 2) <= 1
    transcript.resize(400, 700)
    assert transcript.viewport().width() == 400 - 48
    assert transcript.horizontalScrollBar().maximum() == 0


# ---- long conversations ----


def test_exchanges_come_one_a_turn_of_the_event_loop(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.show_exchanges([exchange(i, f"Question {i}?") for i in range(10)])
    assert transcript.is_building
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert [f"Question {i}?" in transcript.toPlainText() for i in range(10)] == [True] * 10
    assert transcript.viewport().updatesEnabled()


def test_only_the_newest_are_shown_until_more_are_asked_for(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, *(exchange(i, f"Question {i}?", "text " * 50) for i in range(50)))
    assert "Question 20?" in transcript.toPlainText()
    assert "Question 19?" not in transcript.toPlainText()
    transcript.verticalScrollBar().setValue(0)
    distance = transcript.distance_from_end
    QTest.mouseClick(
        transcript.viewport(),
        Qt.MouseButton.LeftButton,
        pos=place_of(transcript, "Show 20 earlier questions"),
    )
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert "Question 0?" in transcript.toPlainText()
    assert "earlier" not in transcript.toPlainText()
    assert abs(transcript.distance_from_end - distance) <= 40


@pytest.mark.parametrize("change", ["width", "font"])
def test_a_long_conversation_is_laid_out_anew_in_parts(
    qtbot: QtBot, transcript: Transcript, change: str
) -> None:
    show(qtbot, transcript, *(exchange(i, f"Question {i}?", "some text " * 300) for i in range(30)))
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = transcript.cursorForPosition(QPoint(0, 0))
    before.movePosition(QTextCursor.MoveOperation.StartOfBlock)
    block, text = before.blockNumber(), transcript.toPlainText()
    if change == "width":
        transcript.resize(560, 480)
    else:
        font = transcript.font()
        font.setPixelSize(font.pixelSize() + 3)
        transcript.setFont(font)
    qtbot.waitUntil(lambda: transcript.is_building)
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert transcript.viewport().updatesEnabled()
    assert transcript.lineWrapColumnOrWidth() == transcript.viewport().width()
    assert transcript.toPlainText() == text
    assert transcript.cursorForPosition(QPoint(0, 0)).blockNumber() == block


def test_an_answer_may_begin_while_a_conversation_is_put_in(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.show_exchanges([exchange(i, f"Question {i}?") for i in range(8)])
    transcript.handle(started(99, "The new one?"))
    stream(transcript, "It comes.")
    transcript.handle(AnswerDone(exchange(99, "The new one?", "It comes.")))
    qtbot.waitUntil(lambda: not transcript.is_building)
    text = transcript.toPlainText()
    assert text.index("Question 7?") < text.index("The new one?") < text.index("It comes.")
    assert text.count("The new one?") == 1


def test_a_conversation_replaces_another_that_is_still_put_in(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.show_exchanges([exchange(i, f"Old {i}?") for i in range(8)])
    show(qtbot, transcript, exchange(1, "New?"))
    assert "Old" not in transcript.toPlainText()
    transcript.show_exchanges([exchange(i, f"Old {i}?") for i in range(8)])
    transcript.show_exchanges(())
    assert not transcript.is_building
    assert transcript.toPlainText() == ""
    assert transcript.viewport().updatesEnabled()


def test_two_hundred_exchanges_do_not_block(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "Some **text** with `code`.\n\n- a\n- b\n\n" + "words " * 100
    transcript.show_exchanges([exchange(i, answer=answer) for i in range(200)])
    turns = 0
    while transcript.is_building:
        QApplication.processEvents()
        turns += 1
    assert turns >= 30


def long_answer() -> str:
    return "\n\n".join(f"Paragraph {n} with a **bold** word.\n\n```\ncode {n}\n```" for n in range(40))


def test_a_long_answer_comes_in_parts_and_looks_the_same(qtbot: QtBot, transcript: Transcript) -> None:
    citations = tuple(citation(1 + n % 4, 40 * n) for n in range(1, 50))
    done = exchange(answer=long_answer(), citations=citations, sources=(source(1),))
    transcript.handle(started())
    transcript.handle(AnswerDone(done))
    qtbot.waitUntil(lambda: not transcript.is_building)
    whole = transcript.toHtml()
    transcript.show_exchanges([done])
    turns = 0
    while transcript.is_building:
        QApplication.processEvents()
        turns += 1
    assert turns >= 5
    assert transcript.toHtml() == whole


def test_an_answer_may_end_while_a_part_of_it_is_drawn(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.handle(started())
    transcript.handle(AnswerText(long_answer()))
    transcript.flush()
    transcript.set_theme(Theme.dark())
    qtbot.waitUntil(lambda: "Paragraph 5" in transcript.toPlainText())
    assert transcript.is_building
    done = exchange(answer="Another. " + long_answer())
    transcript.handle(AnswerDone(done))
    qtbot.waitUntil(lambda: not transcript.is_building)
    html = transcript.toHtml()
    show(qtbot, transcript, done)
    assert html == transcript.toHtml()
    assert transcript.toPlainText().count("Paragraph 5 ") == 1


def test_a_long_text_is_wrapped_once_resizing_is_over(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(answer="word " * 6000))
    width = transcript.lineWrapColumnOrWidth()
    transcript.resize(560, 480)
    transcript.resize(540, 480)
    assert transcript.lineWrapColumnOrWidth() == width
    qtbot.waitUntil(lambda: transcript.lineWrapColumnOrWidth() == transcript.viewport().width())
    assert transcript.lineWrapColumnOrWidth() < width


def test_what_looks_like_html_in_a_tool_tip_is_shown_as_it_stands(qapp: QApplication) -> None:
    hostile = 'Bread <img src="file:///etc/passwd">'
    for made in (
        pieces.link("lesson:1", "Lesson 1", hostile),
        pieces.hint("3 s", hostile),
    ):
        document = QTextDocument()
        document.setHtml(made)
        cursor = QTextCursor(document)
        tips = set()
        while cursor.movePosition(QTextCursor.MoveOperation.NextCharacter):
            tips.add(cursor.charFormat().toolTip())
        (tip,) = tips - {""}
        assert "<img" not in tip
        assert "&lt;img" in tip


@opens_menus
def test_the_context_menu_copies_links_and_selections(qtbot: QtBot, transcript: Transcript) -> None:
    def open_menu(text: str) -> QMenu:
        at = place_of(transcript, text)
        view = transcript.viewport()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view, event)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu

    show(qtbot, transcript, exchange(answer="See [the notes](https://example.org/a) for more."))
    menu = open_menu("the notes")
    assert [action.text() for action in menu.actions()] == ["Copy", "Copy link", "Select all"]
    assert not menu.actions()[0].isEnabled()
    choose(menu, "Copy link")
    assert QApplication.clipboard().text() == "https://example.org/a"
    choose(open_menu("for more"), "Select all")
    menu = open_menu("for more")
    assert [action.text() for action in menu.actions()] == ["Copy", "Select all"]
    choose(menu, "Copy")
    assert "See [the notes](https://example.org/a) for more." in QApplication.clipboard().text()


# ---- lists, footnotes ----


def test_a_list_drawn_in_parts_has_no_gap(qtbot: QtBot, transcript: Transcript) -> None:
    items = "\n".join(f"{n}. {'A long item of a list. ' * 10}" for n in range(1, 61))
    show(qtbot, transcript, exchange(answer=f"{items}\n\nThe end."))
    layout = transcript.document().documentLayout()
    bounds: list[tuple[float, float]] = []
    block = transcript.document().begin()
    while block.isValid():
        if block.textList() is not None or block.text() == "The end.":
            rect = layout.blockBoundingRect(block)
            bounds.append((rect.top(), rect.bottom()))
        block = block.next()
    gaps = [round(below[0] - above[1]) for above, below in pairwise(bounds)]
    assert len(gaps) == 60
    assert len(set(gaps[:-1])) == 1, gaps
    assert gaps[-1] > gaps[0], "a paragraph stands apart from the list before it"


def test_a_footnote_is_raised_and_readable(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(answer="Tides rise.[^7] They fall.\n\n[^7]: Twice a day."))
    assert "Tides rise.7 They fall.\n7 Twice a day." in transcript.toPlainText()
    number = formats(transcript, "7").charFormat()
    assert number.verticalAlignment() == QTextCharFormat.VerticalAlignment.AlignSuperScript
    assert not number.isAnchor()
    assert number.font().pixelSize() == 18, "which is drawn at two thirds"
