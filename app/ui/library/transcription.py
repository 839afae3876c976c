"""Transcribes chosen recordings while nothing else is read."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from app.domain.events import FolderSettled, Hearing, IngestDone
from app.ui.widgets.bars import OfferBar
from app.ui.widgets.building import one_shot
from app.ui.widgets.messages import shown
from app.workers.power import is_on_battery

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.domain.recordings import Transcription, TranscriptionChoice, TranscriptionOffer
    from app.domain.sources import LessonText
    from app.ui.library.ingest_controller import IngestController
    from app.workers.job import Job
    from app.workers.workers import Workers

_QUEUE = "recordings_to_transcribe"  # in the memory of the window
_GATHER_MS = 1_500  # longer than changed folders take, which go first


class TranscriptionQueue(QObject):
    """Transcribes one recording after the other, and gives way to everything else that is read.

    What waits is kept in ``memory``; after a restart ``bar`` offers to go on.
    """

    def __init__(
        self,
        ingest: IngestController,
        workers: Workers,
        memory: QSettings,
        say: Callable[[str], object],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._ingest, self._workers, self._memory, self._say = ingest, workers, memory, say
        self._window = window
        self.bar = OfferBar()
        self.bar.accepted.connect(self._go_on)
        self._queue: list[tuple[str, str, str]] = []
        with suppress(ValueError, TypeError):
            self._queue = [
                (str(a), str(b), str(c)) for a, b, c in json.loads(str(memory.value(_QUEUE, "[]")))
            ]
        self._resting = bool(self._queue)  # until the user wants what was left by the last run
        self._may_use_battery = False  # since the user said so while the computer ran on it
        self._running: Job[None] | None = None
        self._has_changes = False  # in watched folders, which are read after the next piece
        self._is_done = False  # the recording, whatever came of it; without its model it waits
        self._gather = one_shot(self, _GATHER_MS, self._begin)
        ingest.begun.connect(lambda _: self._running and self._running.cancel())
        ingest.given_up.connect(self._give_up)
        ingest.finished.connect(self._finished)
        ingest.plan_controller.transcription_chosen.connect(self.add)
        workers.folders.happened.connect(self._note_change)
        workers.ready.connect(self._offer)

    def choose(self) -> None:
        """Look for recordings that have no text, and ask which to transcribe."""
        self._say(self.tr("Looking for recordings…"))
        self._workers.library.recordings(None).run(self, success=self._ask)

    def choose_again(self, lesson: LessonText) -> None:
        """Ask how to transcribe a recording that has been transcribed."""
        ask = partial(self._ask, present=lesson.transcript)
        self._workers.library.recordings([lesson.path]).run(self, success=ask)

    def add(self, choice: TranscriptionChoice) -> None:
        """Transcribe recordings as soon as nothing else is read."""
        running = self._queue[:1] if self._running is not None else []
        paths = [path for path in choice.paths if path not in [one[0] for one in running]]
        waiting = [one for one in self._queue[len(running) :] if one[0] not in paths]
        self._queue = [*running, *waiting, *((path, choice.model, choice.language) for path in paths)]
        self._go_on()

    def _ask(self, offer: TranscriptionOffer, present: Transcription | None = None) -> None:
        if not offer.recordings:
            self._say(self.tr("There are no recordings without text in your folders."))
            return
        from app.ui.library.transcription_dialog import TranscriptionDialog  # the window paints sooner

        dialog = TranscriptionDialog(offer, self._window, present)
        dialog.chosen.connect(self.add)
        dialog.open()

    def _offer(self) -> None:
        if self._resting:
            text = self.tr("%Ln recording(s) left to transcribe.", None, len(self._queue))
            if is_on_battery():
                battery = self.tr("This computer runs on battery power; transcribing uses much of it.")
                text = f"{text} {battery}"
            self.bar.offer(text, self.tr("Go on"))

    def _go_on(self) -> None:
        self._resting = False
        self._may_use_battery = is_on_battery()
        self.bar.hide()
        self._keep()
        self._gather.start()

    def _begin(self) -> None:
        if not self._queue or self._resting or self._ingest.is_reading:
            return
        self._has_changes = self._is_done = False
        self._running = self._workers.ingest.transcribe(*self._queue[0], by_battery=self._may_use_battery)
        self._ingest.start_quietly(self._running, self._note)

    def _note_change(self, event: object) -> None:
        self._has_changes = self._has_changes or isinstance(event, FolderSettled)

    def _note(self, event: object) -> None:
        if isinstance(event, Hearing) and event.rate and self._has_changes and self._running is not None:
            self._running.cancel()
        if isinstance(event, IngestDone):
            self._is_done = True
            if event.files and (reason := event.files[-1].reason) is not None:
                self._say(shown(reason))

    def _give_up(self) -> None:
        if self._running is not None:
            self._queue.clear()

    def _finished(self, job: Job[None]) -> None:
        if job is self._running:
            self._running = None
            if self._is_done:
                del self._queue[:1]
            elif self._queue and not job.token.cancelled:  # else it gave way, and goes on where it was
                self._queue.append(self._queue.pop(0))
                self._resting = True
                self._offer()
            self._keep()
        self._gather.start()

    def _keep(self) -> None:
        self._memory.setValue(_QUEUE, json.dumps(self._queue))
