"""Reading in the status bar: what is read, how far it is, and what came of it."""

import math
from collections.abc import Collection
from pathlib import PurePath

from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from app.domain.documents import clock
from app.domain.events import (
    FileDone,
    FileStarted,
    FileStatus,
    Hearing,
    IndexProgress,
    IngestDone,
    IngestEvent,
    IngestProgress,
    RecognizingPages,
)
from app.domain.keeping import LibraryExported, LibraryImported, TransferProgress, TransferStep
from app.domain.messages import Message
from app.ui.widgets.accessibility import Announcer, announce, show_waiting
from app.ui.widgets.building import Cell, Stretch, hbox, icon_button, link_button, name_button
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import courses_text, files_text, number_text
from app.ui.widgets.text_labels import ElidedLabel, IconLabel
from app.ui.widgets.theme import Theme, row_height, scaled

_WIDTH, _LEAST_WIDTH, _HEIGHT = 620, 220, 28
_STEPS = 1000
_SLOW = 2  # times as fast as it is said: with a decimal
_LONG = 20  # files; of a job with more, each quarter is announced


class IngestStatus(QWidget):
    """One line at the end of the status bar, of one width so that nothing moves; of none while it is empty.

    It shows nothing, a running job with Pause and Cancel, or the result of the last job until that is
    dismissed or the next one starts.
    """

    cancel_requested = Signal()
    pause_requested = Signal()
    resume_requested = Signal()
    failures_requested = Signal(object)  # list this tuple of FileDone, which were not read

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_reading = self._paused = False
        self._total = self._done = 0  # files
        self._share = 0.0
        self._announcer = Announcer(self)
        self._added: frozenset[str] = frozenset()  # titles of the courses in the result that is shown
        self._refused: tuple[FileDone, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._icon = IconLabel(16)
        self._text = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self._figures = ElidedLabel()
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedWidth(96)
        self.bar.setAccessibleName(self.tr("Reading progress"))
        self._pause = icon_button("", 16, self._toggle_pause)
        self._pause.setObjectName("pause")
        self._cancel = link_button(self.tr("Cancel"), self._request_cancel)
        self._show_refused = link_button("", lambda: self.failures_requested.emit(self._refused))
        dismiss = self.tr("Dismiss")
        self._dismiss = icon_button(dismiss, 14, self.clear, icon="close", colour="text_muted")
        parts = self._figures, self.bar, self._pause, self._cancel, self._show_refused, self._dismiss
        cells = (Cell(part, 0, Qt.AlignmentFlag.AlignVCenter) for part in parts)
        margins = 8, 0, 8, 0
        self._row = hbox(Stretch(), self._icon, self._text, *cells, margins=margins, spacing=8, parent=self)
        self.clear()

    @property
    def sentence(self) -> str:
        return self._text.text()

    def sizeHint(self) -> QSize:
        """Return one size whatever is shown; without a line, the room is for messages of the status bar."""
        return QSize(scaled(_WIDTH) if self.sentence else 0, row_height(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH if self.sentence else 0, row_height(_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._figures.setMinimumWidth(0)

    # ---- a job ----

    def begin(self, text: str = "") -> None:
        """Show a job that has no figures yet."""
        self._show_line(text or self.tr("Looking for course files…"), is_reading=True)
        self._total = self._done = 0
        self._share = 0.0
        self._figures.setMinimumWidth(0)
        show_waiting(self.bar)
        self._cancel.setEnabled(True)
        self._cancel.setText(self.tr("Cancel"))
        self._announcer.show(self.sentence)

    def prepare(self, step: Message) -> None:
        """Show a step in preparing another embedding model, and how much of it has been downloaded."""
        if not self.is_reading:
            self.begin()
        if step.id == "embedding.downloading":
            done, total = (int(str(step.arguments[key])) for key in ("done", "total"))
            figures = self.tr("{0}/{1} MB").format(number_text(done), number_text(total))
            name = str(step.arguments["name"])
            self._show_work(self.tr("Downloading {0}").format(name), figures, done / total if total else 0)
            return
        self._share = 0.0
        self._show_work(f"{shown(step)}…")
        self._announcer.show(self.sentence)
        show_waiting(self.bar)

    def handle(self, event: IngestEvent) -> None:
        match event:
            case IngestDone():
                self._show_result(event)
                return
            case LibraryExported():
                self._end(self.tr("Exported to {0}").format(event.path.name), "check")
                return
            case LibraryImported():
                self._show_imported(event)
                return
        if not self.is_reading:
            self.begin()
        match event:
            case FileStarted(path, index, total):
                self._done, self._total = index - 1, total
                self._show_reading(path)
            case FileDone(status=FileStatus.ADDED | FileStatus.CHANGED) if not self._total:
                self._show_work(self._reading_text(event.path))  # events may be thinned out
            case IngestProgress():
                self._done, self._total = event.files_done, event.files_total
                self._show_reading(event.path, event)
            case RecognizingPages(path, done, total):
                self._done = self._total = 0  # what is stopped goes on by itself
                text = self.tr("Recognizing text in {0}").format(PurePath(path).name)
                self._show_work(text, f"{number_text(done + 1)}/{number_text(total)}", done / total)
            case Hearing(path, heard, length, rate):
                self._done = self._total = 0
                self._show_work(
                    self.tr("Transcribing {0}").format(PurePath(path).name),
                    self._heard_text(heard, length, rate),
                    heard / length if length else 0,
                )
            case TransferProgress(step, done, total):
                imports = step in (TransferStep.CHECKING, TransferStep.ADDING)
                text = self.tr("Importing the library") if imports else self.tr("Exporting the library")
                self._show_work(text, "", done / total if total else 0)
            case IndexProgress(done, total):
                figures = f"{number_text(done)}/{number_text(total)}"
                self._show_work(self.tr("Updating the index"), figures, done / total if total else 0)
        can_pause = isinstance(event, FileStarted | FileDone | IngestProgress | RecognizingPages | Hearing)
        self._pause.setVisible(can_pause)

    def show_paused(self, resting: bool) -> None:
        if self.is_reading and resting:
            text = self._done_of_total(self.tr("Paused – {done} of {files}"))
            done = self._done / self._total if self._total else 0
            self._show_work(text if self._total else self.tr("Paused"), "", done)

    def finish(self) -> None:
        """Show that reading is over; without a result it was stopped."""
        if self.is_reading and self._total:
            stopped = self.tr("Stopped after {done} of {files}; the files read so far stay.")
            self._end(self._done_of_total(stopped), "info")
        elif self.is_reading:
            self.clear()

    def check_result(self, titles: Collection[str]) -> None:
        """Take back the result if courses that it counts as added are no longer among these titles."""
        if not self._added.issubset(titles):
            self.clear()

    def fail(self, sentence: str) -> None:
        self._end(sentence, "warning")

    def clear(self) -> None:
        self._show_line("")

    # ---- internals ----

    def _show_line(
        self, text: str, icon: str = "", refused: tuple[FileDone, ...] = (), *, is_reading: bool = False
    ) -> None:
        """Show a line in place of the one before."""
        self.is_reading, self._paused = is_reading, False
        self._refused, self._added = refused, frozenset()
        self._text.setText(text)
        self._figures.setText("")
        self._icon.show_icon(icon, {"check": "success", "warning": "warning"}.get(icon, "text_muted"))
        self._icon.setVisible(bool(icon))
        self._show_pause()
        # A result is right-aligned; while reading, the name always starts at the same place.
        self._row.setStretch(0, 0 if is_reading else 1)
        self._row.setStretch(2, 1 if is_reading else 0)
        for part in (self._figures, self.bar, self._cancel):
            part.setVisible(is_reading)
        self._pause.hide()
        self._dismiss.setVisible(bool(text) and not is_reading)
        self._show_refused.setVisible(bool(refused))
        self.updateGeometry()

    def _end(self, text: str, icon: str, refused: tuple[FileDone, ...] = ()) -> None:
        self._show_line(text, icon, refused)
        announce(self, text)

    def _show_work(self, text: str, figures: str = "", share: float = 0.0) -> None:
        """Show how far a job is; the bar never goes back, and the figures never get narrower."""
        self._text.setText(text)
        self._figures.setText(figures)
        width = max(self._figures.minimumWidth(), self._figures.sizeHint().width())
        self._figures.setMinimumWidth(min(width, self.width() // 3))
        self._share = max(self._share, min(share, 1.0))
        if self._share > 0:
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(round(self._share * _STEPS))

    def _show_reading(self, path: str, progress: IngestProgress | None = None) -> None:
        figures = [f"{number_text(min(self._done + 1, self._total))}/{number_text(self._total)}"]
        if progress is not None and progress.seconds_left is not None:
            seconds = math.ceil(max(progress.seconds_left, 0))  # rounded up so that 0:00 does not last
            figures.append(self.tr("{0} left").format(clock(seconds)))
        text = self.sentence if self._paused else self._reading_text(path)
        before = int(4 * self._share)
        self._show_work(text, " · ".join(figures), 0.0 if progress is None else progress.share)
        quarter = int(4 * self._share)
        if before < quarter < 4 and self._total >= _LONG:
            announce(self, self.tr("{percent}% read").format(percent=number_text(25 * quarter)))

    def _heard_text(self, heard: float, length: float, rate: float) -> str:
        """Say how much of a recording was heard, how fast, and how long the rest takes."""
        minutes = [number_text(int(seconds / 60)) for seconds in (heard, length)]
        figures = [self.tr("{0}/{1} min").format(*minutes)] if length else []
        if rate > 0:
            figures.append(f"{QLocale().toString(rate, 'f', 1 if rate < _SLOW else 0)}×")
            figures.append(self.tr("{0} left").format(clock(math.ceil(max(length - heard, 0) / rate))))
        return " · ".join(figures)

    def _reading_text(self, path: str) -> str:
        return self.tr("Reading {0}").format(PurePath(path).name or path)

    def _done_of_total(self, text: str) -> str:
        return text.format(done=number_text(self._done), files=files_text(self._total))

    def _toggle_pause(self) -> None:
        self._paused = not self._paused
        self._show_pause()
        self._text.setText(self.tr("Pausing…") if self._paused else self.tr("Resuming…"))
        (self.pause_requested if self._paused else self.resume_requested).emit()

    def _show_pause(self) -> None:
        name_button(self._pause, self.tr("Resume reading") if self._paused else self.tr("Pause reading"))
        self._pause.setIcon(Theme.icon("resume" if self._paused else "pause"))

    def _request_cancel(self) -> None:
        self._cancel.setEnabled(False)
        self._cancel.setText(self.tr("Stopping…"))
        self.cancel_requested.emit()

    def _show_result(self, done: IngestDone) -> None:
        refused = tuple(file for file in done.files if file.reason)
        failed = sum(file.status is FileStatus.FAILED and not file.holds_no_text for file in refused)
        incomplete = sum(file.is_incomplete for file in refused)
        self._name_refused(failed, incomplete, len(refused) - failed - incomplete)
        self._end(self._result_text(done), "warning" if failed or incomplete else "check", refused)
        if done.courses_added:
            added = (one.course_title for one in done.files if one.status is FileStatus.ADDED)
            self._added = frozenset(title for title in added if title is not None)

    def _name_refused(self, failed: int, incomplete: int, skipped: int) -> None:
        """Count on the link what a person may mend; what was skipped is said of it alone."""
        parts = [self.tr("%Ln failed", None, failed)] if failed else []
        if incomplete:
            parts.append(self.tr("%Ln incomplete", None, incomplete))
        counted = self.tr("Show {0}").format(", ".join(parts))
        self._show_refused.setText(counted if parts else self.tr("Details"))
        if skipped:
            parts.append(self.tr("%Ln skipped", None, skipped))
        self._show_refused.setToolTip(self.tr("Show {0}").format(", ".join(parts)))
        self._show_refused.setAccessibleName(self._show_refused.toolTip())

    def _show_imported(self, done: LibraryImported) -> None:
        refused = tuple(FileDone(item.path, FileStatus.SKIPPED, reason=item.reason) for item in done.left_out)
        text = self.tr("Imported {files}, {present} already present")
        if done.embedded_again:
            text = self.tr("Imported {files}, {present} already present; indexed for your language model")
        self._name_refused(0, 0, len(refused))
        present = number_text(done.already_there)
        self._end(text.format(files=files_text(done.documents), present=present), "check", refused)

    def _result_text(self, done: IngestDone) -> str:
        read = [one for one in done.files if one.status in (FileStatus.ADDED, FileStatus.CHANGED)]
        files = files_text(len(read))
        if len(read) < done.to_read:
            files = self.tr("{0} of {1}").format(number_text(len(read)), files_text(done.to_read))
        if read and done.courses_added:
            return self.tr("Added {0}: {1}").format(courses_text(done.courses_added), files)
        if read:
            return self.tr("Read {0}").format(files)
        if any(one.status in (FileStatus.MOVED, FileStatus.REMOVED) for one in done.files):
            return self.tr("The library is up to date")
        unchanged = sum(one.status is FileStatus.UNCHANGED for one in done.files)
        if unchanged:
            return self.tr("Nothing new: %Ln file(s) already in the library", None, unchanged)
        if done.files:
            return self.tr("No file could be read")
        return self.tr("No course files found")
