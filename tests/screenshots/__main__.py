"""Pictures of the window's real states: ``python -m tests.screenshots build/screenshots``.

Not a test: it drives the real window with the real library and a model server on loopback, in
light and dark, and saves what a student would see.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from app.domain.scope import Scope
from app.ui.widgets.messages import install_translations
from app.ui.widgets.theme import Theme
from tests.screenshots.chat import chat_states
from tests.screenshots.figures import figure_states
from tests.screenshots.gallery_answers import fault_states
from tests.screenshots.library import keeping_states
from tests.screenshots.models import embedding_model_states
from tests.screenshots.recordings import recording_states
from tests.screenshots.support import support_states
from tests.support.anthropic_server import AnthropicServer
from tests.support.running_window import RunningWindow, isolate_from_user
from tests.support.scripted_turns import Cut, ErrorReply, Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL_CACHE = Path("build/test-model-cache").absolute()
QUESTION = "Why does a retrieval system cut documents into chunks, and how large should they be?"
SIZES = ((1000, 700), (1600, 1000))


class Pictures:
    """Takes the pictures of one theme."""

    def __init__(self, target: Path, theme: Theme) -> None:
        self.target = target
        self.theme = theme
        self.taken: list[str] = []

    def take(self, running: RunningWindow, name: str, show: Callable[[], object] = lambda: None) -> None:
        """Save the window, and the dialog in front of it if there is one, in every size.

        ``show`` brings up what goes when the window changes its size.
        """
        for width, height in SIZES:
            running.window.resize(width, height)
            settle()
            show()
            path = self.target / f"{name}-{self.theme.name}-{width}.png"
            running.window.grab().save(str(path))
            self.taken.append(path.name)
        dialog = QApplication.activeModalWidget() or next(
            (widget for widget in running.window.findChildren(QDialog) if widget.isVisible()), None
        )
        if dialog is not None:
            path = self.target / f"{name}-dialog-{self.theme.name}.png"
            dialog.grab().save(str(path))
            self.taken.append(path.name)

    def all_states(self) -> None:
        """Walk through the states, each as a user would come to it."""
        with tempfile.TemporaryDirectory() as folder:
            running = RunningWindow(Path(folder), MODEL_CACHE, theme=self.theme)
            running.open()
            settle()
            self.take(running, "01-opening")
            running.wait_until_ready(samples=False)
            self.take(running, "02-first-start")
            running.wait_until_ready()
            self.take(running, "03-samples")
            running.ask(QUESTION)
            self.take(running, "04-search-only-answer")
            running.window.open_settings()
            settle()
            self.take(running, "05-settings")
            running.close()
        # Each with a server and a library of its own: none answers from what another left behind.
        for states in (self.scope_states, self.model_states, self.reading_states):
            with AnthropicServer() as server, tempfile.TemporaryDirectory() as folder:
                running = RunningWindow(
                    Path(folder), MODEL_CACHE, theme=self.theme, base_url=server.url, key=server.key
                )
                running.open()
                running.wait_until_ready()
                states(running, server)
                running.close()
        for more in (chat_states, fault_states, embedding_model_states):
            with AnthropicServer() as server:
                more(self, server, MODEL_CACHE)
        keeping_states(self, MODEL_CACHE)
        support_states(self, MODEL_CACHE)
        figure_states(self, MODEL_CACHE)
        recording_states(self, MODEL_CACHE)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "data").write_text("not a directory", encoding="utf-8")
            running = RunningWindow(Path(folder), MODEL_CACHE, theme=self.theme)
            running.open()
            running.wait_for(lambda: running.window.has_failed, "the failure")
            self.take(running, "12-library-failed")
            running.close()

    def reading_states(self, running: RunningWindow, _server: AnthropicServer) -> None:
        """Take a source in its lesson, as it is and with its file changed and gone."""
        window = running.window
        running.ask(QUESTION)
        window.sources.activate(1)
        self.take(running, "20-source-of-a-mark")
        card = QApplication.focusWidget()
        assert card is not None
        QTest.keyClick(card, Qt.Key.Key_Return)
        running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "the lesson")
        self.take(running, "21-reading-view")
        window.sources.reading.next.click()
        running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "the next lesson")
        self.take(running, "22-reading-view-next-citation")
        title = window.sources.reading.source.hit.course_title if window.sources.reading.source else ""
        window.library_controller.remove_course(title)
        running.wait_for(lambda: running.rag.courses.counts().courses == 3, "the course to go")
        running.wait_for(lambda: window.sources.reading.notice.isVisible(), "the notice")
        self.take(running, "23-reading-view-removed")
        window.sources.show_list()
        self.take(running, "24-sources-no-longer-in-the-library")

    def scope_states(self, running: RunningWindow, _server: AnthropicServer) -> None:
        """Take the ways to restrict questions."""
        window = running.window
        titles = [course.title for course in running.rag.courses.all()]
        tree = window.sidebar.tree
        tree.expand(tree.model().index(0, 0))
        window.set_scope(Scope((titles[2],), ((titles[0], 1), (titles[0], 2)), ((titles[2], 3),)))
        self.take(running, "30-scope-chips")
        window.chat.focus_composer()
        QTest.keyClicks(window.chat.composer.edit, "What does @")
        settle()
        QTest.keyClick(window.chat.composer.edit, Qt.Key.Key_Down)
        self.take(running, "31-completion")
        QTest.keyClick(window.chat.composer.edit, Qt.Key.Key_Escape)
        window.chat.composer.edit.clear()
        window.set_scope(Scope(courses=(titles[1], "A Course That Was Removed")))
        self.take(running, "32-scope-lost-a-course")
        running.ask(QUESTION)
        self.take(running, "33-answer-in-scope")
        settings = replace(window.settings, whole_scope_tokens=50_000, theme=self.theme.name)
        running.workers.library.save_settings(settings).run(window)
        running.wait_for(window.chat.scope_bar.whole.isVisible, "the price")
        self.take(running, "34-price-of-the-whole-scope")
        window.set_scope(Scope())

    def model_states(self, running: RunningWindow, server: AnthropicServer) -> None:
        """Take what needs a model server."""
        running.ask(QUESTION)
        self.take(running, "06-answer")
        gate = Gate()
        server.script(
            Turn(
                Text(
                    "## Measures of the middle\n\nThe **mean** adds everything up, the *median* takes the "
                    "middle value:\n\n| data | mean | median |\n|---|---|---|\n| 1, 2, 3 | 2 | 2 |\n"
                    "| 1, 2, 300 | 101 | 2 |\n\n```python\nfrom statistics import mean, median\n\n"
                    "print(mean([1, 2, 300]), median([1, 2, 300]))\n```\n\n1. One outlier moves the mean.\n"
                    "2. It leaves the median alone.\n\n> A single number never tells the whole st",
                    Wait(gate),
                    "ory.",
                )
            )
        )
        running.ask("Compare the mean and the median, with an example in Python.", wait=False)
        running.wait_for(gate.reached.is_set, "the middle of the answer")
        settle(400)
        self.take(running, "07-streaming")
        gate.open()
        running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer")
        self.take(running, "08-rich-answer")
        server.script(Turn(Text("The alphabet was", Cut())))
        running.ask("Who invented the alphabet?")
        self.take(running, "09-interrupted")
        server.script(*[ErrorReply(401, "authentication_error", "invalid x-api-key")])
        running.ask("And the printing press?")
        self.take(running, "10-wrong-key")
        with tempfile.TemporaryDirectory() as folder:
            make_troubled_folder(Path(folder))
            running.window.ingest_controller.read([Path(folder)])
            running.wait_for(lambda: running.window.ingest_controller.is_reading, "reading to begin")
            running.wait_for(lambda: not running.window.ingest_controller.is_reading, "reading to end")
            self.take(running, "11-some-failed")


def make_troubled_folder(folder: Path) -> None:
    """Fill a folder with one good file and several that cannot be read."""
    (folder / "good.txt").write_text(
        "Course Title: A Short Course\n\nLesson 1: Only\nIt has one sentence.\n", encoding="utf-8"
    )
    (folder / "empty.txt").write_bytes(b"")
    (folder / "picture.txt").write_bytes(bytes(range(256)) * 40)
    (folder / "slides.pdf").write_bytes(b"%PDF-1.7\n")


def settle(milliseconds: int = 150) -> None:
    """Let pending events, layouts and repaints happen."""
    QTest.qWait(milliseconds)


def main() -> int:
    """Take all pictures and print their names."""
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "build/screenshots")
    target.mkdir(parents=True, exist_ok=True)
    application = QApplication.instance() or QApplication(sys.argv[:1])
    install_translations(application)
    with tempfile.TemporaryDirectory() as folder:
        isolate_from_user(Path(folder))
        for theme in (Theme.light(), Theme.dark()):
            pictures = Pictures(target, theme)
            pictures.all_states()
            sys.stdout.write("\n".join(pictures.taken) + "\n")
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main())
