"""A transcript plays the recording beside it: from the cited second, following what is said."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from app.domain.sources import Cue, LessonText, Recording, Source, SourceState
from app.ui.widgets.theme import Theme
from tests.support.recordings import make_sound, make_video
from tests.support.side_data import citation, exchange, source

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.ui.reading.sources_pane import SourcesPane

pytest.importorskip("PySide6.QtMultimedia", exc_type=ImportError)  # Linux may lack libpulse

SAID = [f"Sentence {n} is about the tides and the moon that causes them." for n in range(60)]
TEXT = " ".join(SAID)
STARTS = [TEXT.index(one) for one in SAID]
EACH = 0.5  # seconds of a sentence
COLOURS = ["red", "lime", "blue", "yellow"]


def lesson(of: Source, path: Path, *, is_known: bool = True) -> LessonText:
    """Return captions that say a sentence every half second, and the recording beside them."""
    cues = tuple(Cue(of.hit.start + start, n * EACH) for n, start in enumerate(STARTS))
    recording = Recording(str(path), is_known, cues)
    state, start = SourceState.CURRENT, of.hit.start
    return LessonText(of, state, TEXT, start, True, "/course/a.srt", False, recording=recording)


def captions() -> Source:
    found = source(1, TEXT[: STARTS[20]])
    return replace(found, hit=replace(found.hit, path="/course/a.srt"))


def open_at(qtbot: QtBot, panel: SourcesPane, sentence: int, path: Path, **known: bool) -> None:
    """Read a source that is cited at a sentence, in an answer of its own."""
    found = captions()
    number = (panel.list.exchange_id or 0) + 1
    panel.show_exchange(exchange((found,), (citation(found, SAID[sentence]),), exchange_id=number))
    with qtbot.waitSignal(panel.reading.lesson_requested):
        panel.read(1)
    panel.reading.show_lesson(lesson(found, path, **known))


def open_video(qtbot: QtBot, panel: SourcesPane, tmp_path: Path, sentence: int = 4) -> None:
    path = make_video(
        tmp_path / "a 50% #1 [x] & é.mkv", [one for one in COLOURS * 15 for _ in "12"], each=0.25
    )
    open_at(qtbot, panel, sentence, path)
    qtbot.waitUntil(lambda: panel.reading.player.is_usable)


def spoken(panel: SourcesPane) -> str:
    """Return the text with the background of what is being said."""
    colour = Theme.light().accent_soft
    found = [
        one
        for one in panel.reading.text.extraSelections()
        if one.format.background().color().name() == colour
    ]
    return " ".join(one.cursor.selectedText() for one in found)


def colour_in_picture(panel: SourcesPane) -> str:
    """Return the name of the colour in the middle of the picture."""
    image = panel.reading.player.picture.grab().toImage()
    pixel = image.pixelColor(image.rect().center())
    names = {(1, 0, 0): "red", (0, 1, 0): "lime", (0, 0, 1): "blue", (1, 1, 0): "yellow"}
    return names.get((pixel.red() > 127, pixel.green() > 127, pixel.blue() > 127), "")


def button(panel: SourcesPane, name: str) -> QPushButton:
    found = [one for one in panel.reading.findChildren(QPushButton) if one.text() == name and one.isVisible()]
    assert len(found) == 1
    return found[0]


def seen(panel: SourcesPane) -> str:
    return " ".join(one.text() for one in panel.reading.player.findChildren(QLabel) if one.isVisible())


def click_on(panel: SourcesPane, sentence: int) -> None:
    """Click on a word of a sentence that is in sight."""
    text = panel.reading.text
    cursor = text.textCursor()
    cursor.setPosition(STARTS[sentence] + 4)
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=text.cursorRect(cursor).center())


def test_a_citation_opens_the_picture_of_its_second_and_waits(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    open_video(qtbot, panel, tmp_path, 5)  # at 2.5 s, where the second colour begins
    player = panel.reading.player
    qtbot.waitUntil(lambda: colour_in_picture(panel) == COLOURS[1])
    assert not player.is_playing
    assert player.seconds == 2.5
    assert "0:02 / 0:30" in seen(panel)
    assert spoken(panel) == SAID[5]


def test_space_plays_and_the_text_follows(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    open_video(qtbot, panel, tmp_path, 4)
    text, player = panel.reading.text, panel.reading.player
    QTest.keyClick(text, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: player.is_playing)
    qtbot.waitUntil(lambda: spoken(panel) == SAID[6])
    QTest.keyClick(text, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not player.is_playing)


def test_the_view_goes_along_unless_the_reader_has_scrolled_away(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    open_video(qtbot, panel, tmp_path, 0)
    text, player = panel.reading.text, panel.reading.player
    bar = text.verticalScrollBar()
    qtbot.waitUntil(lambda: spoken(panel) == SAID[0] and bar.value() == 0)
    for seconds in range(1, 25):
        player.moved.emit(float(seconds))
    assert spoken(panel) == SAID[48]
    assert bar.value() > 0
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    player.moved.emit(25.0)
    assert spoken(panel) == SAID[50]
    assert bar.value() == 0


def test_a_click_on_a_sentence_leads_there(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    open_video(qtbot, panel, tmp_path, 0)
    click_on(panel, 2)
    qtbot.waitUntil(lambda: spoken(panel) == SAID[2])
    assert panel.reading.player.seconds == 1.0


def test_a_selection_does_not(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    open_video(qtbot, panel, tmp_path, 0)
    text = panel.reading.text
    view, line = text.viewport(), text.cursorRect(text.document().find(SAID[0])).center().y()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(30, line))
    QTest.mouseMove(view, QPoint(150, line))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(150, line))
    assert panel.reading.text.textCursor().hasSelection()
    assert panel.reading.player.seconds == 0.0


def test_keys_and_the_slider_lead_through_it(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    open_video(qtbot, panel, tmp_path, 4)
    text, player = panel.reading.text, panel.reading.player
    QTest.keyClick(text, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: spoken(panel) == SAID[24])
    assert player.seconds == 12.0
    QTest.keyClick(text, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: spoken(panel) == SAID[4])
    QTest.keyClick(player.place, Qt.Key.Key_Right)
    assert player.seconds == 7.0
    middle = QPoint(player.place.width() // 2, player.place.height() // 2)
    QTest.mouseClick(player.place, Qt.MouseButton.LeftButton, pos=middle)
    assert player.seconds == pytest.approx(15.0, abs=0.6)


def test_the_next_citation_moves_the_recording_too(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    found = captions()
    later = replace(citation(found, SAID[10]), answer_end=40)
    open_video(qtbot, panel, tmp_path, 4)
    panel.show_exchange(exchange((found,), (citation(found, SAID[4]), later)))
    QTest.mouseClick(panel.reading.next, Qt.MouseButton.LeftButton)
    assert panel.reading.player.seconds == 5.0


def test_speed_and_volume_stay_from_one_recording_to_the_next(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    open_video(qtbot, panel, tmp_path, 0)
    player = panel.reading.player
    assert player.speed.text() == "1×"
    player.speed.menu().actions()[-1].trigger()
    player.volume.setValue(30)
    open_at(qtbot, panel, 0, make_sound(tmp_path / "b.wav"))
    qtbot.waitUntil(lambda: player.is_usable and player.place.maximum() == 20)
    assert player.speed.text() == "2×"
    assert player.volume.value() == 30
    assert not player.picture.isVisible()
    player.toggle()
    qtbot.waitUntil(lambda: player.seconds > 1.0)
    assert player.is_playing


def test_it_pauses_when_the_reader_leaves(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    open_video(qtbot, panel, tmp_path, 0)
    QTest.keyClick(panel.reading.text, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: panel.reading.player.is_playing)
    QTest.keyClick(panel.reading.text, Qt.Key.Key_Escape)
    assert not panel.is_reading
    qtbot.waitUntil(lambda: not panel.reading.player.is_playing)


@pytest.mark.qt_log_ignore("Could not open media", extend=True)
@pytest.mark.parametrize("content", ["damaged", "unknown"])
def test_a_file_that_cannot_be_played_costs_a_sentence(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path, content: str
) -> None:
    path = make_video(tmp_path / "lecture.mkv", COLOURS)
    path.write_bytes(path.read_bytes()[:120] + b"\x00" * 900)
    open_at(qtbot, panel, 0, path, is_known=content == "damaged")
    qtbot.waitUntil(lambda: "lecture.mkv" in seen(panel))
    assert "Lectern cannot play lecture.mkv" in seen(panel)
    assert not panel.reading.player.place.isVisible()
    with qtbot.waitSignal(panel.reading.file_requested) as asked:
        QTest.mouseClick(button(panel, "Open in your player"), Qt.MouseButton.LeftButton)
    assert asked.args == [str(path)]


def test_a_system_without_the_libraries_gets_a_sentence(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PySide6.QtMultimedia", None)  # importing it fails
    open_at(qtbot, panel, 0, make_sound(tmp_path / "a.wav", 1.0))
    qtbot.waitUntil(lambda: "Lectern cannot play recordings here" in seen(panel))
    assert button(panel, "Open in your player").isEnabled()


def test_a_text_without_a_recording_has_no_player(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    open_video(qtbot, panel, tmp_path, 0)
    found = replace(source(2), hit=replace(source(2).hit, document_id=2))
    panel.show_exchange(exchange((found,), (), exchange_id=2))
    with qtbot.waitSignal(panel.reading.lesson_requested):
        panel.read(2)
    panel.reading.show_lesson(replace(lesson(found, tmp_path), recording=None))
    assert not panel.reading.player.isVisible()
