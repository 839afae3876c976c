"""Keeps a transcript and its recording together: the text follows what is said, and leads to it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.ui.widgets.pane_keys import PaneShortcut

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.sources import LessonText
    from app.ui.reading.lesson_view import LessonView
    from app.ui.reading.recording_player import RecordingPlayer


class Following(QObject):
    """Marks what is being said, and plays what is clicked on."""

    def __init__(self, player: RecordingPlayer, text: LessonView) -> None:
        super().__init__(text)
        self._player, self._text = player, text
        self._lesson: LessonText | None = None
        player.moved.connect(self._mark)
        player.jumped.connect(partial(self._mark, go_there=True))
        text.clicked.connect(self._play_from)
        back, ahead = partial(player.step, -1), partial(player.step, 1)
        commands: tuple[tuple[str, Callable[[], object], str, str], ...] = (
            ("Space", player.toggle, "play", self.tr("Play or pause the recording")),
            ("J", back, "play_back", self.tr("Ten seconds back")),
            ("L", ahead, "play_ahead", self.tr("Ten seconds ahead")),
        )
        self._keys = [
            PaneShortcut(text, key, act, command=command, text=name, is_plain=True)
            for key, act, command, name in commands
        ]
        self.show(None)

    def show(self, lesson: LessonText | None) -> None:
        """Show the recording of a lesson, if there is one."""
        recording = lesson.recording if lesson is not None else None
        self._lesson = lesson if recording is not None else None
        self._player.show_recording(recording)
        self._text.set_spoken(None)
        for key in self._keys:
            key.setEnabled(recording is not None)

    def go_to(self, position: int) -> None:
        """Go to what stands at a position of the document."""
        if self._lesson is not None and self._lesson.recording is not None:
            self._player.go_to(self._lesson.recording.seconds_at(position))

    def _play_from(self, position: int) -> None:
        if self._lesson is not None and self._lesson.recording is not None:
            self._player.jump(self._lesson.recording.seconds_at(position + self._lesson.start))

    def _mark(self, seconds: float, *, go_there: bool = False) -> None:
        lesson = self._lesson
        if lesson is not None and lesson.recording is not None:
            span = lesson.recording.span_at(seconds, lesson.end)
            spoken = (span[0] - lesson.start, span[1] - lesson.start) if span else None
            self._text.set_spoken(spoken, go_there=go_there)
