"""Takes pictures of the window, and puts them on one sheet."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.config.settings import Settings
from app.ui.widgets.theme import theme_for
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.anthropic_server import AnthropicServer

MODEL_CACHE = Path("build/test-model-cache").absolute()
_COLUMNS, _WIDE, _HIGH, _NAME, _GAP = 6, 320, 180, 22, 12  # of a sheet, in pixels


@dataclass(frozen=True)
class Look:
    """How the window looks to somebody; the first size is the one on the sheet."""

    name: str
    theme: str
    text_size: int
    language: str
    sizes: tuple[tuple[int, int], ...]


LOOKS = (
    Look("light", "light", 100, "en", ((1366, 768), (800, 600), (2560, 1440))),
    Look("dark", "dark", 100, "en", ((1366, 768), (1000, 700))),
    Look("large", "light", 200, "en", ((1366, 768), (800, 600))),
    Look("deutsch", "dark", 100, "de", ((1366, 768), (800, 600))),
    Look("espanol", "light", 100, "es", ((1366, 768), (800, 600))),
)


class Pictures:
    """Takes the pictures of one look."""

    def __init__(self, folder: Path, look: Look) -> None:
        self.look = look
        self.theme = theme_for(look.theme, look.text_size)
        self.taken: list[Path] = []
        self._folder = folder
        (folder / look.name).mkdir(parents=True, exist_ok=True)

    def settings(self, base_url: str = "") -> Settings:
        """Return settings that look so."""
        look = self.look
        return Settings(
            base_url=base_url,
            theme=look.theme,
            text_size=look.text_size,
            language=look.language,
            send_passages=True,  # answers of one request, so that a script needs no search
        )

    @contextmanager
    def window(
        self, server: AnthropicServer | None = None, *, is_ready: bool = True
    ) -> Iterator[tuple[RunningWindow, Path]]:
        """Open a window with a library of its own; yield it and a folder that goes with it.

        ``is_ready``: the sample courses are in it.
        """
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            url, key = (server.url, server.key) if server is not None else ("", "")
            running = RunningWindow(
                folder, MODEL_CACHE, theme=self.theme, key=key, settings=self.settings(url)
            )
            running.open(*self.look.sizes[0])
            if is_ready:
                running.wait_until_ready()
            activate(running)
            try:
                yield running, folder
            finally:
                os.environ.pop("HF_ENDPOINT", None)
                for dialog in running.window.findChildren(QDialog):
                    dialog.close()
                running.close()
                settle()

    def take(self, running: RunningWindow, name: str, show: Callable[[], object] = lambda: None) -> None:
        """Save the window, and the dialog in front of it if there is one, in every size.

        ``show`` brings up what goes when the window changes its size.
        """
        window = running.window
        dialog = QApplication.activeModalWidget() or next(
            (widget for widget in window.findChildren(QDialog) if widget.isVisible()), None
        )
        for width, height in self.look.sizes:
            window.resize(width, height)
            settle()
            show()
            settle()
            image = window.grab().toImage()
            if dialog is not None:
                _lay_over(image, dialog)
            self._save(image, f"{name}-{width}", is_first=(width, height) == self.look.sizes[0])
        window.resize(*self.look.sizes[0])
        if dialog is None:
            activate(running)

    def take_with_sources(self, running: RunningWindow, name: str) -> None:
        """Save the window with its sources, which lie over the chat where there is little room."""
        self.take(running, name, lambda: running.window.actions_["sources"].setChecked(True))

    def take_widget(self, widget: QWidget, name: str) -> None:
        """Save a window that stands alone."""
        settle()
        self._save(widget.grab().toImage(), name, is_first=True)

    def save_sheet(self) -> Path:
        """Save small pictures of all states, in order, on one; return its path."""
        rows = -(-len(self.taken) // _COLUMNS)
        width, height = _WIDE + _GAP, _HIGH + _NAME + _GAP
        sheet = QImage(_COLUMNS * width + _GAP, rows * height + _GAP, QImage.Format.Format_RGB32)
        sheet.fill(QColor("#808080"))
        painter = QPainter(sheet)
        painter.setPen(Qt.GlobalColor.white)
        for n, path in enumerate(self.taken):
            left, top = _GAP + n % _COLUMNS * width, _GAP + n // _COLUMNS * height
            painter.drawText(left, top + 14, path.stem.rpartition("-")[0] or path.stem)
            small = QImage(str(path)).scaled(
                _WIDE,
                _HIGH,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            painter.drawImage(left, top + _NAME, small)
        painter.end()
        target = self._folder / f"{self.look.name}.jpg"
        sheet.save(str(target), quality=75)
        return target

    def _save(self, image: QImage, name: str, *, is_first: bool) -> None:
        number = len(self.taken) + is_first
        path = self._folder / self.look.name / f"{number:02}-{name}.png"
        image.save(str(path))
        if is_first:
            self.taken.append(path)


def _lay_over(image: QImage, dialog: QWidget) -> None:
    """Draw a dialog in the middle of a window, as a desktop would."""
    painter = QPainter(image)
    painter.fillRect(image.rect(), QColor(0, 0, 0, 90))
    place = QRect(dialog.rect())
    place.moveCenter(image.rect().center())
    painter.drawPixmap(place.topLeft(), dialog.grab())
    painter.end()


def activate(running: RunningWindow) -> None:
    """Give the window the keyboard, as its user would by a click."""
    running.window.activateWindow()
    settle()


def settle(milliseconds: int = 150) -> None:
    """Let pending events, layouts and repaints happen."""
    QTest.qWait(milliseconds)
