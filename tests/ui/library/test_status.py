from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QProgressBar, QPushButton, QToolButton

from app.domain.courses import LibraryCounts
from app.domain.events import (
    FileDone,
    FileStarted,
    FileStatus,
    IndexProgress,
    IngestDone,
    IngestProgress,
    RecognizingPages,
)
from app.domain.messages import LITERAL, Message
from app.ui.library.ingest_status import IngestStatus
from app.ui.widgets.theme import Theme, apply_theme, theme_for

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

PATH = "/courses/lecture3.md"


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> QMainWindow:
    apply_theme(qapp, Theme.light())
    main = QMainWindow()
    qtbot.addWidget(main)
    main.resize(1000, 200)
    main.show()
    qtbot.waitExposed(main)
    return main


@pytest.fixture
def line(window: QMainWindow) -> IngestStatus:
    status = IngestStatus()
    window.statusBar().addPermanentWidget(status)
    QApplication.processEvents()
    return status


def shown(line: IngestStatus) -> str:
    labels = [label for label in line.findChildren(QLabel) if label.isVisible() and label.text()]
    labels.sort(key=lambda label: label.mapTo(line, QPoint()).x())
    return " | ".join(label.text() for label in labels)


def downloading(done: int) -> Message:
    name, percent = "multilingual-e5-small", done * 100 // 488
    return Message("embedding.downloading", name=name, percent=percent, done=done, total=488)


def test_a_download_shows_how_far_it_is_and_can_be_cancelled(line: IngestStatus) -> None:
    line.begin("")
    line.prepare(downloading(122))
    assert shown(line) == "Downloading multilingual-e5-small | 122/488 MB"
    (bar,) = line.findChildren(QProgressBar)
    assert (bar.value(), bar.maximum()) == (250, 1000)
    QTest.mouseClick(button(line, "Cancel"), Qt.MouseButton.LeftButton)
    line.prepare(downloading(244))
    assert not button(line, "Stopping…").isEnabled(), "it is still being cancelled"
    assert bar.value() == 500
    line.prepare(Message("embedding.exporting"))
    assert shown(line) == "Getting ready (first time only)…"
    assert bar.maximum() == 0, "nobody knows how long that takes"


def test_recognising_shows_the_page_and_leaves_nothing_behind(line: IngestStatus) -> None:
    line.handle(RecognizingPages("/courses/scan.pdf", 2, 8))
    assert shown(line) == "Recognizing text in scan.pdf | 3/8"
    (bar,) = line.findChildren(QProgressBar)
    assert (bar.value(), bar.maximum()) == (250, 1000)
    line.finish()
    assert shown(line) == ""


def button(line: IngestStatus, text: str) -> QPushButton:
    found = [b for b in line.findChildren(QPushButton) if b.isVisible() and text in b.text()]
    assert len(found) == 1
    return found[0]


def buttons(line: IngestStatus) -> list[str]:
    return [b.text() for b in line.findChildren(QPushButton) if b.isVisible()]


def bar(line: IngestStatus) -> QProgressBar:
    found = line.findChild(QProgressBar)
    assert isinstance(found, QProgressBar)
    return found


def progress(done: int = 11, rate: float = 31.4, left: float | None = 39.2) -> IngestProgress:
    return IngestProgress(PATH, done, 40, done / 40, rate, left)


def result(*files: FileDone, courses: int = 0, to_read: int = 0) -> IngestDone:
    return IngestDone(files, LibraryCounts(0, 0, 0), 1.0, 0, courses, to_read=to_read)


def added(passages: int, course: str = "A") -> FileDone:
    return FileDone("a.txt", FileStatus.ADDED, course, passages, passages)


def test_nothing_is_shown_at_first(line: IngestStatus) -> None:
    assert shown(line) == ""
    assert buttons(line) == []
    assert not bar(line).isVisible()


def test_messages_have_the_room_while_nothing_is_read(window: QMainWindow, line: IngestStatus) -> None:
    bar = window.statusBar()
    QApplication.processEvents()
    assert line.width() == 0
    line.begin()
    QApplication.processEvents()
    width = line.width()
    assert 220 <= width < bar.width()
    line.fail("The disk is full.")
    QApplication.processEvents()
    assert line.width() == width
    line.clear()
    QApplication.processEvents()
    assert line.width() == 0


def test_reading_shows_file_place_and_time(line: IngestStatus) -> None:
    line.begin()
    assert shown(line) == "Looking for course files…"
    assert bar(line).maximum() == 0  # busy: nothing is known yet
    line.handle(FileStarted(PATH, 12, 40))
    assert shown(line) == "Reading lecture3.md | 12/40"
    line.handle(progress())
    assert shown(line) == "Reading lecture3.md | 12/40 · 0:40 left"
    assert buttons(line) == ["Cancel"]


def test_a_finished_file_is_shown_where_its_beginning_was_not(line: IngestStatus) -> None:
    line.begin()
    line.handle(FileDone(PATH, FileStatus.ADDED, "A", 5, 5))
    assert shown(line) == "Reading lecture3.md"
    line.handle(FileStarted("/courses/next.md", 2, 9))
    line.handle(FileDone("/courses/next.md", FileStatus.ADDED, "A", 5, 5))
    assert shown(line) == "Reading next.md | 2/9"


@pytest.mark.parametrize(
    ("event", "figures"),
    [
        (progress(rate=0.0, left=None), "12/40"),
        (progress(rate=0.0, left=0.0), "12/40 · 0:00 left"),
        (progress(rate=0.0, left=3725.0), "12/40 · 1:02:05 left"),
        (progress(done=40, rate=0.0, left=None), "40/40"),
    ],
)
def test_what_is_unknown_is_left_out(line: IngestStatus, event: IngestProgress, figures: str) -> None:
    line.handle(event)
    assert shown(line) == f"Reading lecture3.md | {figures}"


def test_the_bar_never_goes_back(line: IngestStatus) -> None:
    line.begin()
    line.handle(progress(20, left=None))
    assert bar(line).value() == bar(line).maximum() // 2
    line.handle(progress(10, left=None))
    assert bar(line).value() == bar(line).maximum() // 2
    line.begin()
    assert bar(line).maximum() == 0


def test_the_bar_moves_with_the_passages_of_a_long_file(line: IngestStatus) -> None:
    line.begin()
    values = []
    for share in (0.1, 0.15, 0.2):
        line.handle(IngestProgress(PATH, 7, 278, share, 15.0, 169.0))
        values.append(bar(line).value())
    assert values == [100, 150, 200], "the time left may stand still; what is read does not"


def test_a_result_goes_with_the_courses_it_speaks_of(line: IngestStatus) -> None:
    line.handle(result(added(3, "Knots"), added(4, "Sails"), courses=2))
    line.check_result({"Knots", "Sails", "Tides"})
    assert shown(line) == "Added 2 courses: 2 files"
    line.check_result({"Knots", "Tides"})
    assert shown(line) == ""
    line.fail("The folder is gone.")
    line.check_result(set())
    assert shown(line) == "The folder is gone.", "it does not speak of courses"


def test_index_progress(line: IngestStatus) -> None:
    line.handle(IndexProgress(120, 480))
    assert shown(line) == "Updating the index | 120/480"
    assert bar(line).value() == bar(line).maximum() // 4


def test_cancel_is_asked_once_and_ends_in_a_sentence(line: IngestStatus, qtbot: QtBot) -> None:
    line.begin()
    line.handle(progress(12))
    with qtbot.waitSignal(line.cancel_requested):
        QTest.mouseClick(button(line, "Cancel"), Qt.MouseButton.LeftButton)
    assert not button(line, "Stopping…").isEnabled()
    line.finish()
    assert shown(line) == "Stopped after 12 of 40 files; the files read so far stay."
    line.begin()
    assert button(line, "Cancel").isEnabled()
    line.finish()  # stopped before any file was known: nothing to say
    assert shown(line) == ""


def pause_button(line: IngestStatus) -> QToolButton:
    found = line.findChild(QToolButton, "pause")
    assert isinstance(found, QToolButton)
    return found


def test_reading_is_paused_and_goes_on(line: IngestStatus, qtbot: QtBot) -> None:
    line.begin()
    assert not pause_button(line).isVisible()  # nothing to hold yet
    line.handle(progress(12))
    assert pause_button(line).accessibleName() == "Pause reading"
    with qtbot.waitSignal(line.pause_requested):
        QTest.mouseClick(pause_button(line), Qt.MouseButton.LeftButton)
    assert shown(line).startswith("Pausing…")
    line.handle(progress(12))  # the batch at hand
    line.show_paused(True)
    assert shown(line) == "Paused – 12 of 40 files"
    assert pause_button(line).accessibleName() == "Resume reading"
    pause_button(line).setFocus()
    with qtbot.waitSignal(line.resume_requested):
        QTest.keyClick(pause_button(line), Qt.Key.Key_Space)
    line.show_paused(False)
    assert pause_button(line).hasFocus()
    line.handle(progress(13))
    assert shown(line) == "Reading lecture3.md | 14/40 · 0:40 left"


def test_the_bar_stands_still_while_it_is_paused(line: IngestStatus) -> None:
    line.begin()
    line.handle(FileStarted("lecture3.md", 11, 40))  # no estimate yet
    line.show_paused(True)
    assert bar(line).value() / bar(line).maximum() == 0.25


def test_a_paused_job_can_be_cancelled(line: IngestStatus, qtbot: QtBot) -> None:
    line.begin()
    line.handle(progress(12))
    QTest.mouseClick(pause_button(line), Qt.MouseButton.LeftButton)
    line.show_paused(True)
    with qtbot.waitSignal(line.cancel_requested):
        QTest.mouseClick(button(line, "Cancel"), Qt.MouseButton.LeftButton)
    line.show_paused(False)
    line.finish()
    assert shown(line) == "Stopped after 12 of 40 files; the files read so far stay."
    assert not pause_button(line).isVisible()


def test_only_reading_can_be_paused(line: IngestStatus) -> None:
    line.handle(progress())
    assert pause_button(line).isVisible()
    line.handle(IndexProgress(120, 480))
    assert not pause_button(line).isVisible()


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (result(added(100), added(18), courses=2, to_read=2), "Added 2 courses: 2 files"),
        (result(added(1), courses=1), "Added 1 course: 1 file"),
        (
            result(added(1), FileDone("b", FileStatus.SKIPPED), courses=1, to_read=2),
            "Added 1 course: 1 of 2 files",
        ),
        (result(added(18), FileDone("b", FileStatus.CHANGED, "B", 7, 2)), "Read 2 files"),
        (result(FileDone("b", FileStatus.REMOVED)), "The library is up to date"),
        (result(FileDone("b", FileStatus.UNCHANGED)), "Nothing new: 1 file already in the library"),
        (result(), "No course files found"),
        (
            result(FileDone("b", FileStatus.FAILED, reason=Message(LITERAL, text="Empty."))),
            "No file could be read",
        ),
    ],
)
def test_the_result_says_what_came_of_it(line: IngestStatus, event: IngestDone, text: str) -> None:
    line.begin()
    line.handle(event)
    line.finish()
    assert shown(line) == text
    assert not bar(line).isVisible()


def test_failures_are_offered_and_stay_until_dismissed(line: IngestStatus, qtbot: QtBot) -> None:
    failed = [
        FileDone(f"{n}.txt", FileStatus.FAILED, reason=Message(LITERAL, text="Empty.")) for n in range(3)
    ]
    skipped = FileDone("x.pdf", FileStatus.SKIPPED, reason=Message(LITERAL, text="not yet read: .pdf"))
    line.handle(result(added(118), *failed, skipped, courses=2))
    with qtbot.waitSignal(line.failures_requested) as asked:
        QTest.mouseClick(button(line, "Show 3 failed"), Qt.MouseButton.LeftButton)
    assert asked.args == [(*failed, skipped)]
    line.finish()
    assert buttons(line) == ["Show 3 failed"]
    dismiss = next(one for one in line.findChildren(QToolButton) if one.isVisible())
    QTest.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    assert shown(line) == ""
    assert buttons(line) == []


def test_files_that_were_read_in_part_are_listed(line: IngestStatus, qtbot: QtBot) -> None:
    incomplete = FileDone("a.pptx", FileStatus.ADDED, reason=Message(LITERAL, text="2 of 14 slides."))
    line.handle(result(incomplete, courses=1))
    with qtbot.waitSignal(line.failures_requested) as asked:
        QTest.mouseClick(button(line, "Show 1 incomplete"), Qt.MouseButton.LeftButton)
    assert asked.args == [(incomplete,)]


def test_only_skipped_files_are_counted_as_such(line: IngestStatus) -> None:
    line.handle(
        result(
            FileDone("x.pdf", FileStatus.SKIPPED, reason=Message(LITERAL, text="not yet read: .pdf")),
            courses=0,
        )
    )
    assert buttons(line) == ["Details"]
    line.begin()
    assert buttons(line) == ["Cancel"]


def test_a_failure_of_the_whole_is_shown(line: IngestStatus) -> None:
    line.begin()
    line.fail("The folder is gone.")
    line.finish()
    assert shown(line) == "The folder is gone."


def test_nothing_resizes_the_window_and_the_name_is_elided(window: QMainWindow, line: IngestStatus) -> None:
    window.resize(500, 200)
    line.begin()
    QApplication.processEvents()
    size, place = window.size(), line.geometry()
    name = "a very long name of a lecture file " * 9
    line.handle(FileStarted(f"/courses/{name}.md", 1, 4000))
    line.handle(IngestProgress(f"/courses/{name}.md", 1, 4000, 0.0, 31.0, 40000.0))
    QApplication.processEvents()
    assert window.size() == size
    assert line.geometry() == place
    label = next(one for one in line.findChildren(QLabel) if one.text().startswith("Reading"))
    assert name in label.toolTip()
    cancel = button(line, "Cancel")
    assert cancel.mapTo(line, cancel.rect().bottomRight()).x() <= line.width()
    assert cancel.width() >= cancel.sizeHint().width()
    line.fail(name)
    QApplication.processEvents()
    assert window.size() == size


def test_figures_do_not_tremble(line: IngestStatus) -> None:
    line.begin()
    line.handle(progress(rate=100.0, left=100.0))
    QApplication.processEvents()
    left = [label.x() for label in line.findChildren(QLabel) if "left" in label.text()]
    line.handle(progress(rate=1.0, left=9.0))
    QApplication.processEvents()
    assert [label.x() for label in line.findChildren(QLabel) if "left" in label.text()] == left


def test_figures_leave_the_bar_its_place(line: IngestStatus, window: QMainWindow, qapp: QApplication) -> None:
    apply_theme(qapp, theme_for("light", 200))
    line.begin()
    line.handle(progress(rate=100.0, left=100.0))
    for width in (1400, 440):
        window.resize(width, 200)
        QApplication.processEvents()
        (figures,) = (label for label in line.findChildren(QLabel) if label.text().startswith("12/"))
        assert figures.geometry().right() < line.bar.x()
    apply_theme(qapp, Theme.light())


def test_the_link_counts_what_can_be_mended_and_names_the_rest(line: IngestStatus) -> None:
    reason = Message(LITERAL, text="It is empty.")
    states = (FileStatus.FAILED, FileStatus.FAILED, FileStatus.SKIPPED)
    failed = tuple(FileDone(f"{n}.txt", state, reason=reason) for n, state in enumerate(states))
    line.handle(IngestDone(failed, LibraryCounts(0, 0, 0), 1.0, 3, 0))
    (link,) = (one for one in line.findChildren(QPushButton) if one.isVisible())
    assert (link.text(), link.accessibleName()) == ("Show 2 failed", "Show 2 failed, 1 skipped")
