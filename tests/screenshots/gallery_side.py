"""Draw the side panes and dialogs in all their states into build/gallery, to be looked at.

Run with ``python -m tests.screenshots.gallery_side``; needs a display or ``QT_QPA_PLATFORM=offscreen``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QWidget

from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.config.settings import Settings
from app.domain.documents import Anchor
from app.domain.events import FileDone, FileStarted, FileStatus, IngestDone, IngestEvent, IngestProgress
from app.domain.messages import LITERAL, Message
from app.ui.courses.sidebar import CourseSidebar
from app.ui.dialogs import show
from app.ui.dialogs.problem_dialogs import CrashDialog, MessageDialog
from app.ui.help.about_dialog import AboutDialog
from app.ui.ingest.failures_dialog import FailuresDialog
from app.ui.ingest.status import IngestStatus
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.sources.source_list import SourceList
from app.ui.widgets.messages import install_translations
from app.ui.widgets.theme import Theme, apply_theme
from tests.support import side_data

if TYPE_CHECKING:
    from collections.abc import Callable

TARGET = Path(__file__).resolve().parents[2] / "build" / "gallery"
Shots = dict[str, "Callable[[Theme], QWidget]"]


def sidebar_empty(theme: Theme) -> QWidget:
    pane = CourseSidebar(theme)
    pane.set_snapshot((), side_data.counts(()), ())
    pane.resize(260, 620)
    return pane


def sidebar_loading(theme: Theme) -> QWidget:
    pane = CourseSidebar(theme)
    pane.resize(260, 620)
    return pane


def sidebar_samples(theme: Theme, width: int = 260) -> QWidget:
    pane = CourseSidebar(theme)
    courses = side_data.samples()
    pane.set_snapshot(courses, side_data.counts(courses), side_data.SUGGESTIONS)
    pane.resize(width, 620)
    pane.tree.setCurrentIndex(pane.tree.model().index(1, 0))
    pane.tree.expand(pane.tree.model().index(1, 0))
    return pane


def sidebar_wide(theme: Theme) -> QWidget:
    return sidebar_samples(theme, 360)


def sidebar_full(theme: Theme) -> QWidget:
    pane = CourseSidebar(theme)
    courses = tuple(
        side_data.course(f"Course number {n}: " + "a long name " * (n % 4), 50) for n in range(40)
    )
    pane.set_snapshot(courses, side_data.counts(courses), side_data.SUGGESTIONS)
    pane.resize(260, 900)
    pane.show()
    box = pane.findChild(QWidget, "filter")
    assert box is not None
    box.setFocus()
    QTest.keyClicks(box, "number 3")
    return pane


def status_line(theme: Theme, *events: IngestEvent, width: int = 900) -> QWidget:
    window = QMainWindow()
    window.statusBar().addWidget(QLabel("4 courses, 33 lessons"), 1)
    line = IngestStatus(theme)
    window.statusBar().addPermanentWidget(line)
    line.begin()
    for event in events:
        line.handle(event)
    window.resize(width, 60)
    return window


def status_reading(theme: Theme) -> QWidget:
    started = FileStarted("/home/me/lecture3.md", 13, 40)
    return status_line(theme, started, IngestProgress(started.path, 12, 40, 0.3, 31.2, 0.4))


def status_reading_long(theme: Theme) -> QWidget:
    name = "/home/me/" + "a very long name of a lecture file " * 4 + ".md"
    return status_line(theme, FileStarted(name, 13, 40), IngestProgress(name, 12, 40, 0.3, 31.2, 3700.0))


def status_done(theme: Theme) -> QWidget:
    files = (
        FileDone("a.txt", FileStatus.ADDED, "A", 118, 118),
        *(
            FileDone(f"{n}.pdf", FileStatus.SKIPPED, reason=Message(LITERAL, text="not yet read: .pdf"))
            for n in range(2)
        ),
        *(
            FileDone(f"{n}.txt", FileStatus.FAILED, reason=Message(LITERAL, text="This file is empty."))
            for n in range(3)
        ),
    )
    return status_line(theme, IngestDone(files, side_data.counts(()), 3.0, 118, 2))


LONG_QUOTE = "A cached part lives for five minutes and every use renews it."


def sources_empty(theme: Theme) -> QWidget:
    pane = SourceList(theme)
    pane.resize(340, 620)
    return pane


def sources_streaming(theme: Theme) -> QWidget:
    pane = SourceList(theme)
    pane.resize(340, 620)
    found = tuple(side_data.source(n, anchor=Anchor("page", n)) for n in range(1, 5))
    pane.begin(1)
    pane.add_sources(found)
    pane.add_citation(side_data.citation(found[1], side_data.PASSAGE[:82]))
    pane.add_citation(side_data.citation(found[2], LONG_QUOTE))
    return pane


def sources_done(theme: Theme) -> QWidget:
    pane = SourceList(theme)
    pane.resize(340, 820)
    found = (
        side_data.source(1),
        side_data.source(2, lesson_number=None, lesson_title="", link=None),
        side_data.source(3, "A short passage 🙂 of one line.", anchor=Anchor("seconds", 725)),
        side_data.source(4, course_title="A course with a very long title, " * 5, lesson_title="Long, " * 40),
    )
    cited = (
        side_data.citation(found[0], LONG_QUOTE),
        side_data.citation(found[0], "nothing that stands there", verified=False),
        side_data.citation(found[2], "A short passage 🙂 of"),
    )
    pane.show_exchange(side_data.exchange(found, cited))
    pane.show()
    pane.activate(1)
    return pane


def settings(theme: Theme) -> QWidget:
    status = KeyStatus(KeyOrigin.NONE, "", KeychainState.MISSING)
    return SettingsDialog(Settings(), status)


def settings_filled(theme: Theme) -> QWidget:
    status = KeyStatus(KeyOrigin.KEYCHAIN, "sk-…wxyz", KeychainState.READY)
    dialog = SettingsDialog(Settings(base_url="http://gpu.example.org:8080"), status)
    dialog.live.tell(models=(("claude-sonnet-5-5", "Claude Sonnet 5.5"), ("other", "Other")))
    return dialog


def settings_advanced(theme: Theme) -> QWidget:
    dialog = SettingsDialog(Settings(), KeyStatus(), None, "advanced")
    dialog.live.change("", chunk_size=600)
    return dialog


def settings_found(theme: Theme) -> QWidget:
    dialog = SettingsDialog(Settings(), KeyStatus())
    dialog.search.setText("price")
    for page in ("library", "appearance", "languages", "advanced"):
        dialog.page(page)
    return dialog


def settings_wrong(theme: Theme) -> QWidget:
    status = KeyStatus(KeyOrigin.ENVIRONMENT, "sk-…wxyz", KeychainState.READY)
    dialog = SettingsDialog(Settings(), status)
    dialog.show()
    QTest.keyClicks(dialog.answers.base_url, "ftp:/nowhere")
    QTest.keyClicks(dialog.answers.key.edit, "sk with spaces")
    return dialog


def settings_whole(theme: Theme) -> QWidget:
    status = KeyStatus(KeyOrigin.KEYCHAIN, "sk-…wxyz", KeychainState.READY)
    dialog = SettingsDialog(Settings(base_url="http://localhost:1234"), status)
    dialog.resize(768, 552)
    return dialog


def about(_theme: Theme) -> QWidget:
    return AboutDialog(Path("/home/somebody/with/a/rather/long/path/.local/share/Lectern"))


def failures(theme: Theme) -> QWidget:
    reason = Message(
        LITERAL, text="This file is not text: it may be a picture or a program with the wrong name."
    )
    files = [
        *(FileDone(f"/home/me/lectures/{n}.txt", FileStatus.FAILED, reason=reason) for n in range(3)),
        FileDone(
            "/home/me/lectures/first slides.pdf",
            FileStatus.SKIPPED,
            reason=Message(LITERAL, text="not yet read: .pdf"),
        ),
    ]
    return FailuresDialog(files)


def crash(_theme: Theme) -> QWidget:
    report = "Lectern 0.1.0 · Python 3.11 · Linux\n\nTraceback (most recent call last):\n" + "  File …\n" * 30
    return CrashDialog(report)


def error(_theme: Theme) -> QWidget:
    sentence = "The folder “/home/me/lectures” is gone. Choose another one, or plug in the disk it was on."
    return show.show_error(None, "The folder cannot be read", sentence)


def question(_theme: Theme) -> QWidget:
    text = "Remove “Statistics for Beginners” from the library? Its files stay where they are."
    return MessageDialog("Remove course", text, action="Remove")


SHOTS: Shots = {
    "sidebar_empty": sidebar_empty,
    "sidebar_loading": sidebar_loading,
    "sidebar_samples": sidebar_samples,
    "sidebar_wide": sidebar_wide,
    "sidebar_full": sidebar_full,
    "sources_empty": sources_empty,
    "sources_streaming": sources_streaming,
    "sources_done": sources_done,
    "dialog_settings": settings,
    "dialog_settings_filled": settings_filled,
    "dialog_settings_wrong": settings_wrong,
    "dialog_settings_whole": settings_whole,
    "dialog_settings_advanced": settings_advanced,
    "dialog_settings_found": settings_found,
    "dialog_about": about,
    "dialog_failures": failures,
    "dialog_crash": crash,
    "dialog_error": error,
    "dialog_question": question,
    "status_begin": status_line,
    "status_reading": status_reading,
    "status_reading_long": status_reading_long,
    "status_done": status_done,
}


def main() -> None:
    app = QApplication(sys.argv[:1])
    install_translations(app)
    TARGET.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:]
    for theme in (Theme.light(), Theme.dark()):
        apply_theme(app, theme)
        for name, build in SHOTS.items():
            if wanted and not any(name.startswith(prefix) for prefix in wanted):
                continue
            widget = build(theme)
            widget.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            widget.show()
            QTest.qWait(60)
            widget.grab().save(str(TARGET / f"{name}_{theme.name}.png"))
            widget.close()


if __name__ == "__main__":
    main()
