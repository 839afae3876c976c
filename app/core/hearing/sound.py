"""Decodes the sound of recordings, in a child process, with the FFmpeg that Qt brings along.

Qt cannot wind there, but decodes hours in seconds: a child keeps the hour that it is hearing.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from app.core.documents.recordings import begins_as_recording
from app.domain.errors import UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

RATE = 16_000  # samples a second, as models hear
_DECODED = 3 * RATE  # what Qt is asked for: its decoder stops for ever where it takes the rate of an MP3 down
_FILTER = 48  # samples of a decoded sound that one sample is made of
_CHUNK = 10 * _DECODED  # samples that are filtered at once
_HOUR = 3600  # seconds that are kept
_MORE = 120  # seconds kept beyond it, so that pieces of up to this length are whole
_MISSING = 30.0  # seconds by which films outlast their sound; what lacks more breaks off


def length(path: Path) -> float:
    """Return how many seconds a recording lasts, 0 if it does not say; raises as :func:`sound` does."""
    return _decoded(path, 0, 0)[1]


def sound(path: Path, start: float, seconds: float) -> tuple[NDArray[np.float32], float, bool]:
    """Return samples of a part of a recording, the seconds of all of it, and whether the part ends it.

    Where a damaged recording breaks off, the seconds are more than those up to that end.

    Raises:
        UnreadableFile: it is no recording, is damaged from its beginning, or has no sound.
    """
    hour = int(start) // _HOUR
    samples, total, is_last = _kept(path, path.stat().st_mtime_ns, hour)
    first = round((start - hour * _HOUR) * RATE)
    part = samples[first : first + round(seconds * RATE)]
    return part.astype(np.float32) / np.float32(32768), total, is_last and first + len(part) >= len(samples)


@lru_cache(maxsize=1)
def _kept(path: Path, _changed: int, hour: int) -> tuple[NDArray[np.int16], float, bool]:
    _kept.cache_clear()  # before another hour needs as much memory
    first = hour * _HOUR * RATE
    return _decoded(path, first, first + (_HOUR + _MORE) * RATE)


def _decoded(path: Path, first: int, end: int) -> tuple[NDArray[np.int16], float, bool]:
    """Return samples from one to another, how long all of it lasts, and whether they end it."""
    os.environ["QT_FFMPEG_PROTOCOL_WHITELIST"] = "file"  # whatever addresses a file holds
    from PySide6.QtCore import QCoreApplication, QTimer, QUrl
    from PySide6.QtMultimedia import QAudioDecoder, QAudioFormat

    if not begins_as_recording(str(path)):
        raise UnreadableFile(Message("hearing.no_recording", name=shown_name(path)))
    app = QCoreApplication.instance() or QCoreApplication([])
    wanted = QAudioFormat()
    wanted.setSampleRate(_DECODED)
    wanted.setChannelCount(1)
    wanted.setSampleFormat(QAudioFormat.SampleFormat.Int16)
    decoder = QAudioDecoder()
    decoder.setAudioFormat(wanted)
    decoder.setSource(QUrl.fromLocalFile(str(path)))
    waiting: list[NDArray[np.int16]] = [np.zeros(_FILTER // 2, np.int16)]
    whole = np.zeros(end - first, np.int16)  # takes memory only where it is filled
    at, size, milliseconds, is_last, has_failed = 0, 0, 0, True, False

    def filtered() -> None:
        nonlocal at, size
        samples = np.concatenate(waiting)
        count = max(len(samples) - _FILTER, 0) // 3
        if at + count > first:
            frames = np.lib.stride_tricks.sliding_window_view(samples, _FILTER)[: 3 * count : 3]
            made = (frames.astype(np.float32) @ _lowpass()).round().clip(-32768, 32767).astype(np.int16)
            part = made[max(first - at, 0) : max(end - at, 0)]
            begin = max(at - first, 0)
            whole[begin : begin + len(part)] = part
        at += count
        waiting[:] = [samples[3 * count :]]
        size = 0

    def take() -> None:
        nonlocal size, milliseconds, is_last
        while decoder.bufferAvailable():
            waiting.append(np.frombuffer(decoder.read().constData(), np.int16).copy())
            size += len(waiting[-1])
            milliseconds = max(milliseconds, decoder.duration())
            if size > _CHUNK:
                filtered()
            if at > end or (not end and milliseconds > 0):
                is_last = False
                app.exit()
                return

    def fail(_: QAudioDecoder.Error) -> None:
        nonlocal has_failed
        has_failed = True
        app.exit()

    decoder.bufferReady.connect(take)
    decoder.finished.connect(app.exit)
    decoder.error.connect(fail)
    QTimer.singleShot(0, decoder.start)  # what it says before the loop runs would be missed
    app.exec()
    decoder.stop()
    for signal in (decoder.bufferReady, decoder.error):
        signal.disconnect()  # else Qt keeps the functions, and these the sound
    if is_last:
        waiting.append(np.zeros(_FILTER // 2, np.int16))
        filtered()
    if is_last and not at:
        raise UnreadableFile(Message("hearing.no_sound", name=shown_name(path)))
    whole = whole[: max(at - first, 0)]
    until, stated = at / RATE, milliseconds / 1000
    if is_last and not has_failed and stated < until + _MISSING:
        return whole, until, is_last
    return whole, max(stated, until + _MISSING if has_failed else until), is_last


@lru_cache(maxsize=1)
def _lowpass() -> NDArray[np.float32]:
    """Return weights that take away what a third of the rate cannot hold."""
    at = np.arange(_FILTER) - (_FILTER - 1) / 2
    weights = np.sinc(at / 3) * np.hanning(_FILTER)
    return np.asarray(weights / weights.sum(), np.float32)
