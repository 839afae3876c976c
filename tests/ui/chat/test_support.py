"""What the conversation shows of the support of an answer."""

from __future__ import annotations

import html
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from app.domain.conversations import ExchangeState, StopReason
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerExamined,
    AnswerInterrupted,
    AnswerText,
    SourcesFound,
)
from app.domain.messages import Message
from app.domain.sources import Citation, Claim, Support
from app.ui.chat.transcript import Transcript
from app.ui.widgets.source_labels import source_label
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import citation, cite, examined, exchange, source, started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.domain.conversations import Exchange

LINE = QTextCharFormat.UnderlineStyle
ANSWER = "The tide rises twice a day. The moon is made of cheese. Spring tides are high. It costs 40 euros."
PARTS = (
    ("The tide rises twice a day.", Support.IN_LINE),
    ("The moon is made of cheese.", Support.QUOTE_FOUND, "The source says “rock”."),
    ("Spring tides are high.", Support.IN_LINE),
    ("It costs 40 euros.", Support.NOT_FOUND, "The number 40 is not in the source."),
)

# The off-screen platform has no stack of windows.
shows_tooltip = pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> Theme:
    return Theme.light() if request.param == "light" else Theme.dark()


@pytest.fixture
def transcript(qtbot: QtBot, qapp: QApplication, theme: Theme) -> Iterator[Transcript]:
    apply_theme(qapp, theme)
    widget = Transcript()
    qtbot.addWidget(widget)
    widget.resize(640, 480)
    widget.show()
    qtbot.waitExposed(widget)
    yield widget
    apply_theme(qapp, Theme.light())


def show(qtbot: QtBot, transcript: Transcript, *exchanges: Exchange) -> None:
    transcript.show_exchanges(exchanges)
    qtbot.waitUntil(lambda: not transcript.is_building)


def words(transcript: Transcript) -> str:
    return re.sub("[\u200b\u2060]", "", transcript.toPlainText()).replace("\xa0", " ")


def look(transcript: Transcript, text: str) -> QTextCharFormat:
    found = transcript.document().find(text)
    assert not found.isNull(), text
    if text[0] in "[(":  # the brackets of a mark are transparent
        found.setPosition(found.selectionEnd() - 1)
    return found.charFormat()


def place_of(transcript: Transcript, text: str) -> QPoint:
    found = transcript.document().find(text)
    assert not found.isNull(), text
    start = QTextCursor(found)
    start.setPosition(found.selectionStart())
    rect, end = transcript.cursorRect(start), transcript.cursorRect(found)
    return QPoint((rect.left() + end.left()) // 2, rect.center().y())


def click(transcript: Transcript, text: str) -> None:
    QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place_of(transcript, text))


def tip(qtbot: QtBot, transcript: Transcript, text: str) -> str:
    """Return what is shown while the mouse rests on a text."""
    at = place_of(transcript, text)
    event = QHelpEvent(QEvent.Type.ToolTip, at, transcript.viewport().mapToGlobal(at))
    QApplication.sendEvent(transcript.viewport(), event)
    qtbot.waitUntil(QToolTip.isVisible)
    shown = QToolTip.text()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    return shown


def what_is_said(qtbot: QtBot, transcript: Transcript, text: str) -> str:
    """Return what is said of a mark."""
    return transcript.words_of(look(transcript, text).anchorHref())


def stream(transcript: Transcript, done: Exchange) -> None:
    """Let an answer come as a model writes it, with plain marks."""
    transcript.handle(started())
    transcript.handle(SourcesFound(done.sources))
    written = [replace(one, support=None) for one in done.citations if not one.is_found]
    transcript.handle(AnswerText(done.answer))
    for one in written:
        transcript.handle(AnswerCitation(one))
    for _ in range(10):  # a long answer is drawn in parts
        transcript.flush()


# ---- marks ----


def test_the_forms_of_marks_differ_by_more_than_their_colour(
    qtbot: QtBot, transcript: Transcript, theme: Theme
) -> None:
    show(qtbot, transcript, examined(ANSWER, *PARTS, found=("Spring tides are high.",), sources=4))
    supported, doubtful, wrong = (look(transcript, f"[{n}]") for n in (1, 2, 4))
    assert (supported.underlineStyle(), supported.fontStrikeOut()) == (LINE.NoUnderline, False)
    assert (doubtful.underlineStyle(), doubtful.fontStrikeOut()) == (LINE.DotLine, False)
    assert wrong.fontStrikeOut()
    assert look(transcript, "(3)").anchorHref().startswith("cite:1/3")  # found by Lectern
    colours = [one.foreground().color().name() for one in (supported, doubtful, wrong)]
    assert colours == [theme.accent, theme.warning, theme.danger]


@shows_tooltip
def test_tool_tips_say_what_is_wrong(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, examined(ANSWER, *PARTS, found=("Spring tides are high.",), sources=4))
    assert "In line with source 1." in what_is_said(qtbot, transcript, "[1]")
    doubtful = what_is_said(qtbot, transcript, "[2]")
    assert "Source 2 has the quoted words, but they do not show this. The source says “rock”." in doubtful
    assert "Lectern found the sentence; the model did not cite it." in what_is_said(qtbot, transcript, "(3)")
    wrong = what_is_said(qtbot, transcript, "[4]")
    assert "Not found in source 4. The number 40 is not in the source." in wrong


@shows_tooltip
def test_a_citation_that_names_nothing_has_no_number(qtbot: QtBot, transcript: Transcript) -> None:
    made_up = Citation(0, 0, 8, 0, 0, "", verified=False)
    show(qtbot, transcript, exchange(answer="A claim.", citations=(made_up,), sources=(source(1),)))
    assert "This citation names no source." in tip(qtbot, transcript, "[?]")


@shows_tooltip
def test_a_number_that_quotes_nothing_is_not_blamed_for_a_quotation(
    qtbot: QtBot, transcript: Transcript
) -> None:
    mark = Citation(1, 0, 8, 0, 10, "", verified=False, support=Support.NOT_FOUND)
    show(qtbot, transcript, exchange(answer="A claim.", citations=(mark,), sources=(source(1),)))
    heard = what_is_said(qtbot, transcript, "[1]")
    assert "Not found in source 1." in heard
    assert "quoted" not in heard


@shows_tooltip
def test_a_reason_may_quote_anything(qtbot: QtBot, transcript: Transcript) -> None:
    reason = "The sources do not mention {n} {0} {."
    show(qtbot, transcript, examined("It costs 40.", ("It costs 40.", Support.QUOTE_FOUND, reason)))
    assert reason in what_is_said(qtbot, transcript, "[1]")


@shows_tooltip
def test_a_claim_from_elsewhere_is_not_held_against_a_source(qtbot: QtBot, transcript: Transcript) -> None:
    outside = ("The moon is made of cheese.", Support.NOT_FROM_COURSES, "The source says 1802, not 1789.")
    show(qtbot, transcript, examined(ANSWER, PARTS[0], outside, *PARTS[2:]))
    said = tip(qtbot, transcript, "moon is made")
    assert "This does not come from your courses." in said
    assert "1802" not in said


@shows_tooltip
def test_a_mark_says_who_confirmed_it(qtbot: QtBot, transcript: Transcript) -> None:
    reason = "A second look by a model confirmed this."
    show(qtbot, transcript, examined("It costs 40.", ("It costs 40.", Support.IN_LINE, reason)))
    assert f"In line with source 1. {reason}" in what_is_said(qtbot, transcript, "[1]")


@shows_tooltip
def test_the_keyboard_reaches_marks_and_hears_what_they_mean(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, examined(ANSWER, *PARTS, sources=4))
    transcript.activateWindow()
    transcript.setFocus()
    qtbot.waitUntil(transcript.hasFocus)
    heard = []
    QTest.keyClick(transcript, Qt.Key.Key_Right)  # the link that edits the question
    for _ in range(4):
        QTest.keyClick(transcript, Qt.Key.Key_Right)
        heard.append(transcript.accessibleDescription())
    assert heard[0] == "In line with source 1."
    assert "The source says “rock”." in heard[1]
    assert "The number 40 is not in the source." in heard[3]
    with qtbot.waitSignal(transcript.citation_activated) as pressed:
        QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert pressed.args == [1, 4]


@shows_tooltip
def test_claims_from_elsewhere_are_underlined_quietly(
    qtbot: QtBot, transcript: Transcript, theme: Theme
) -> None:
    answer = "- **Tides** rise [here](https://x.org).\n- It is *well known* that `x` helps. More.\n\nThe end."
    outside = ("It is *well known* that `x` helps.", Support.NOT_FROM_COURSES)
    show(qtbot, transcript, examined(answer, ("**Tides** rise", Support.IN_LINE), outside))
    for text in ("It is", "well known", "that", "helps."):
        assert look(transcript, text).underlineStyle() == LINE.DotLine, text
        assert look(transcript, text).underlineColor().name() == theme.text_muted
    for text in ("Tides", "rise", "More.", "The end."):
        assert not look(transcript, text).fontUnderline(), text
    assert look(transcript, "here").underlineStyle() == LINE.SingleUnderline
    assert "This does not come from your courses." in tip(qtbot, transcript, "well known")


def test_a_doubtful_claim_without_a_mark_can_be_seen(
    qtbot: QtBot, transcript: Transcript, theme: Theme
) -> None:
    claims = examined(ANSWER, *PARTS)
    show(qtbot, transcript, replace(claims, citations=claims.citations[:1]))
    line = look(transcript, "It costs 40 euros")
    assert line.underlineStyle() == LINE.DashUnderline
    assert line.underlineColor().name() == theme.warning
    assert not look(transcript, "Spring tides").fontUnderline()


@shows_tooltip
def test_a_mark_shows_what_it_cites_and_where_that_stands(qtbot: QtBot, transcript: Transcript) -> None:
    shown = examined(ANSWER, *PARTS, sources=4)
    show(qtbot, transcript, shown)
    said = html.unescape(tip(qtbot, transcript, "[1]"))
    cited = shown.citations[0]
    assert shown.sources[0].text(cited.start, cited.end) in said
    assert source_label(shown.sources[0].hit) in said
    assert "In line with source 1." in said


@shows_tooltip
def test_marks_of_an_answer_being_written_show_it_too(qtbot: QtBot, transcript: Transcript) -> None:
    shown = examined(ANSWER, *PARTS, sources=4)
    stream(transcript, shown)
    assert source_label(shown.sources[0].hit) in html.unescape(tip(qtbot, transcript, "[1]"))


# ---- the count and the way to doubtful statements ----


def test_the_count_leads_to_the_first_statement_that_was_not_found(
    qtbot: QtBot, transcript: Transcript
) -> None:
    show(qtbot, transcript, examined("Long. " * 400 + "\n\n" + ANSWER + "\n\n" + "More. " * 400, *PARTS))
    click(transcript, "2 of 4 statements in line with their sources")
    assert "The moon is made of cheese." in transcript.textCursor().selectedText()
    assert transcript.viewport().rect().contains(transcript.cursorRect())
    assert transcript.hasFocus()


def test_a_second_look_is_offered_until_it_has_judged_all(qtbot: QtBot, transcript: Transcript) -> None:
    done = examined(ANSWER, *PARTS, sources=4)
    show(qtbot, transcript, done)
    with qtbot.waitSignal(transcript.look_requested) as asked:
        click(transcript, "Second look")
    assert asked.args == [done.id]
    verdicts = {
        Support.QUOTE_FOUND: (Support.IN_LINE, Message("answers.second_look_yes", model="m")),
        Support.NOT_FOUND: (Support.NOT_FOUND, Message("answers.second_look_no", model="m")),
    }
    judged = []
    for claim in done.claims:
        support, reason = verdicts.get(claim.support, (claim.support, claim.reason))
        judged.append(claim._replace(support=support, reason=reason))
    transcript.show_judged(replace(done, claims=tuple(judged)))
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert "3 of 4 statements in line with their sources" in words(transcript)
    assert "Second look" not in words(transcript)


@pytest.mark.parametrize("support", [Support.STANDS, Support.IN_LINE])
def test_an_answer_in_line_with_its_sources_has_a_count_that_leads_nowhere(
    qtbot: QtBot, transcript: Transcript, support: Support
) -> None:
    show(qtbot, transcript, examined(ANSWER, *((text, support) for text, *_ in PARTS)))
    assert not look(transcript, "4 of 4 statements").isAnchor()
    show(qtbot, transcript, examined(PARTS[0][0], (PARTS[0][0], support)))
    assert "1 of 1 statement in line with its source" in words(transcript)


def test_an_answer_that_was_not_examined_has_no_count(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(answer="A claim.", sources=(source(1),)))
    assert "in line with" not in words(transcript)


# ---- while it streams ----


def test_examining_changes_marks_and_adds_found_ones(qtbot: QtBot, transcript: Transcript) -> None:
    done = examined(ANSWER, *PARTS, found=("Spring tides are high.",), sources=4)
    stream(transcript, done)
    assert look(transcript, "[2]").underlineStyle() == LINE.NoUnderline
    assert "(3)" not in words(transcript)
    transcript.handle(AnswerExamined(done.citations, done.claims))
    transcript.flush()
    assert look(transcript, "[2]").underlineStyle() == LINE.DotLine
    assert "(3)" in words(transcript)
    transcript.handle(AnswerDone(done))
    assert "(3)" in words(transcript)


PIECES = (
    "Plain words, more words and a **bold** one.",
    "A line\nand *another* with `code` in it\nand a third",
    "### Heading `three`",
    "- a\n- b\n  - c\n  - d\n- e",
    "1. one\n\n   para in one\n2. two\n   ```python\n   x = 1\n   ```\n3. three",
    "```python\ndef f(x):\n    return x * 2\n```",
    "| a | b |\n|---|--:|\n| 1 | 2 |\n| **3** | `4` |",
    "> quoted\n> - list\n>\n> more",
    "---",
    "A [link](https://x.org) <b>raw</b> \\* escaped",
    "Größe – 数学 🎓 e\u0301",
)


@pytest.mark.parametrize("seed", range(40))
def test_examining_ends_as_the_saved_answer_looks(qtbot: QtBot, transcript: Transcript, seed: int) -> None:
    chance = random.Random(seed)
    answer = "\n\n".join(chance.choice(PIECES) for _ in range(chance.randint(1, 9)))
    ends = sorted(chance.sample(range(1, len(answer) + 1), min(8, len(answer))))
    kinds = list(Support)
    claims = tuple(
        Claim(start, end, chance.choice(kinds)) for start, end in zip([0, *ends], ends, strict=False)
    )
    found = tuple(
        replace(
            citation(chance.randint(1, 4), one.answer_end),
            support=one.support,
            is_found=chance.random() < 0.3,
        )
        for one in claims
        if one.support is not Support.NOT_FROM_COURSES
    )
    done = replace(exchange(answer=answer, citations=found, sources=(source(1),)), claims=claims)
    stream(transcript, done)
    transcript.handle(AnswerExamined(done.citations, done.claims))
    if chance.random() < 0.5:
        transcript.flush()
    transcript.handle(AnswerDone(done))
    qtbot.waitUntil(lambda: not transcript.is_building)
    streamed, text = transcript.toHtml(), transcript.toPlainText()
    show(qtbot, transcript, done)
    assert text == transcript.toPlainText()
    assert streamed == transcript.toHtml()


def test_examining_moves_nothing_under_the_reader(qtbot: QtBot, transcript: Transcript) -> None:
    paragraphs = [f"Paragraph {n} says something of some length about tides. " * 3 for n in range(30)]
    answer = "\n\n".join(paragraphs)
    parts = [(f"Paragraph {n} says something", Support.IN_LINE) for n in range(30)]
    done = examined(answer, *parts, found=[text for text, _ in parts])
    stream(transcript, done)
    transcript.setTextCursor(transcript.document().find("Paragraph 2 "))
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    at = transcript.cursorForPosition(QPoint(0, transcript.viewport().height() // 2))
    line = at.block().text()[:14]
    before = place_of(transcript, line).y()
    transcript.handle(AnswerExamined(done.citations, done.claims))
    transcript.handle(AnswerDone(done))
    qtbot.waitUntil(lambda: not transcript.is_building)
    assert words(transcript).count("(1)") == 15
    assert abs(place_of(transcript, line).y() - before) <= 2


def test_a_supported_answer_is_not_drawn_again(qtbot: QtBot, transcript: Transcript) -> None:
    """A selection in it survives: nothing that the reader does is undone."""
    answer = "\n\n".join(text for text, *_ in PARTS) + "\n\nThe end."
    done = examined(answer, *((text, Support.IN_LINE) for text, *_ in PARTS))
    stream(transcript, done)
    transcript.setTextCursor(transcript.document().find("tide rises"))
    transcript.handle(AnswerExamined(done.citations, done.claims))
    transcript.handle(AnswerDone(done))
    assert transcript.textCursor().selectedText() == "tide rises"


# ---- the origin ----


@pytest.mark.parametrize(
    ("done", "sentence"),
    [
        pytest.param(
            exchange(answer="Rome was founded long ago."),
            "This answer does not come from your courses: no passage was used for it.",
            id="nothing searched",
        ),
        pytest.param(
            examined(ANSWER, *((text, Support.NOT_FROM_COURSES) for text, *_ in PARTS)),
            "This answer does not come from your courses.",
            id="nothing of it",
        ),
        pytest.param(
            examined(ANSWER, PARTS[0], *((text, Support.NOT_FROM_COURSES) for text, *_ in PARTS[1:])),
            "Most of this answer does not come from your courses.",
            id="little of it",
        ),
        pytest.param(
            examined(ANSWER, (PARTS[0][0], Support.NOT_FOUND), (PARTS[1][0], Support.NOT_FROM_COURSES)),
            "Nothing that this answer says was found in your courses.",
            id="nothing supported",
        ),
    ],
)
def test_an_answer_from_elsewhere_says_so_below_its_text(
    qtbot: QtBot, transcript: Transcript, done: Exchange, sentence: str
) -> None:
    show(qtbot, transcript, done)
    text = words(transcript)
    assert text.index(done.answer[-10:]) < text.index(sentence) < text.index("Copy")


def test_an_answer_from_elsewhere_altogether_needs_no_marks_besides(
    qtbot: QtBot, transcript: Transcript
) -> None:
    show(qtbot, transcript, examined(ANSWER, *((text, Support.NOT_FROM_COURSES) for text, *_ in PARTS)))
    assert not look(transcript, "The moon is made").fontUnderline()
    assert "in line with" not in words(transcript)


@pytest.mark.parametrize("said", ["Hello", "Thanks a lot!", "Guten Tag", "¡Muchas gracias!"])
@pytest.mark.parametrize("found", [False, True])
def test_an_answer_to_a_courtesy_needs_no_source(
    qtbot: QtBot, transcript: Transcript, said: str, found: bool
) -> None:
    far = source(1)
    far = replace(far, hit=replace(far.hit, score=0.1))
    show(
        qtbot, transcript, exchange(question=said, answer="How can I help?", sources=(far,) if found else ())
    )
    assert "your courses" not in words(transcript).lower()


def test_what_is_claimed_beside_a_courtesy_needs_one(qtbot: QtBot, transcript: Transcript) -> None:
    done = replace(
        examined(ANSWER, *((text, Support.NOT_FROM_COURSES) for text, *_ in PARTS)), question="Hello"
    )
    show(qtbot, transcript, done)
    assert "This answer does not come from your courses." in words(transcript)


def test_titles_below_an_answer_cannot_turn_it_around(qtbot: QtBot, transcript: Transcript) -> None:
    far = source(1)
    hit = replace(far.hit, score=0.1, course_title="A\u202eB\x1b[1m", lesson_title="", lesson_number=None)
    show(qtbot, transcript, exchange(answer="I do not know.", sources=(replace(far, hit=hit),)))
    assert "Nearest lessons:\nA\ufffdB\ufffd[1m" in words(transcript)


def test_words_that_no_lesson_has_are_named(qtbot: QtBot, transcript: Transcript) -> None:
    far = source(1)
    far = replace(far, hit=replace(far.hit, score=0.1, missing=("photosynthesis",)))
    show(qtbot, transcript, exchange(answer="I do not know.", sources=(far,)))
    assert (
        "Your courses do not seem to cover this. In none of the lessons searched: photosynthesis. "
        "Nearest lessons:\nLesson 5: Caching"
    ) in words(transcript)


def test_an_answer_from_the_courses_says_nothing_of_the_kind(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, examined(ANSWER, *PARTS))
    assert "your courses" not in words(transcript)


def test_only_a_whole_answer_has_nearest_lessons(qtbot: QtBot, transcript: Transcript) -> None:
    stopped = exchange(answer="", state=ExchangeState.STOPPED, sources=(source(1),))
    show(qtbot, transcript, stopped)
    assert "Nearest lessons" not in words(transcript)
    show(qtbot, transcript, replace(stopped, answer="Caching is described in"))
    assert "Nearest lessons" not in words(transcript), "it may have been about to cite"
    show(qtbot, transcript, replace(stopped, answer="Caching.", state=ExchangeState.DONE))
    assert "Nearest lessons" in words(transcript)


def test_an_answer_cut_at_its_limit_may_still_have_cited(qtbot: QtBot, transcript: Transcript) -> None:
    cut = exchange(answer="Caching is described in", sources=(source(1),), error="It stops here.")
    show(qtbot, transcript, replace(cut, stop_reason=StopReason.LENGTH))
    assert "It stops here." in words(transcript)
    assert "Nearest lessons" not in words(transcript)


# ---- answers that failed ----


def test_a_failed_answer_shows_what_was_found_and_the_way_on(qtbot: QtBot, transcript: Transcript) -> None:
    answer = "What these lessons say:\n\n**Lesson 5** · Course A\n\n> cited text"
    failed = exchange(
        answer=answer,
        state=ExchangeState.FAILED,
        citations=cite(answer, (1, "cited text")),
        sources=(source(1),),
        error=Message("answers.key_refused"),
    )
    failed = replace(failed, model=None)
    show(qtbot, transcript, failed)
    text = words(transcript)
    assert text.count("does not accept this API key") == 1
    assert text.index("does not accept this API key") < text.index("cited text"), "read from the top"
    assert "1 source" in text
    assert "does not come from" not in text
    with qtbot.waitSignal(transcript.settings_requested):
        click(transcript, "Open settings…")
    with qtbot.waitSignal(transcript.retry_requested):
        click(transcript, "Try again")


def test_a_failure_while_it_is_watched_stands_above_what_was_found(transcript: Transcript) -> None:
    transcript.handle(started(1, "First?"))
    for event in (SourcesFound((source(1),)), AnswerText("Search found this:\n\n> cited text")):
        transcript.handle(event)
    transcript.flush()
    failed = exchange(1, "First?", "Search found this:\n\n> cited text", ExchangeState.FAILED, error="Down.")
    transcript.handle(AnswerInterrupted(replace(failed, model=None)))
    text = words(transcript)
    assert text.index("First?") < text.index("Down.") < text.index("Try again") < text.index("cited text")
    assert [text.count(each) for each in ("First?", "Down.", "Try again", "cited text")] == [1] * 4


def test_only_faults_of_the_settings_lead_there(qtbot: QtBot, transcript: Transcript) -> None:
    busy = "The server is busy: look at this computer in the settings."  # what a server says leads nowhere
    show(qtbot, transcript, exchange(answer="", state=ExchangeState.FAILED, error=busy))
    assert "Open settings…" not in words(transcript)
    assert "Try again" in words(transcript)


def test_an_answer_whose_end_was_lost_is_no_longer_thinking(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.handle(started(1, "First?"))
    transcript.handle(started(2, "Second?"))
    assert words(transcript).count("Thinking…") == 1
    assert "The answer could not be completed." in words(transcript)
    transcript.handle(AnswerInterrupted(exchange(2, "Second?", "", ExchangeState.FAILED)))
    assert "Thinking…" not in words(transcript)


def test_what_is_not_covered_names_the_words_that_no_lesson_contains(
    qtbot: QtBot, transcript: Transcript
) -> None:
    passage = source(1)
    far = replace(passage, hit=replace(passage.hit, score=0.1, missing=("Jupiter", "<b>moons</b>")))
    show(qtbot, transcript, replace(exchange(answer="It has many.", sources=(far,)), model="m"))
    said = "Your courses do not seem to cover this. In none of the lessons searched: Jupiter, <b>moons</b>."
    assert said in words(transcript)
