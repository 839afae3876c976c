"""Plays recordings with Qt Multimedia. Imported late: it is large, and a system may lack a library for it."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, QThreadPool, QUrl, Signal
from PySide6.QtMultimedia import (
    QAudioOutput,
    QMediaDevices,
    QMediaMetaData,
    QMediaPlayer,
    QVideoFrame,
    QVideoSink,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

# Recordings are from anywhere: what one refers to is not fetched, and no driver of a graphics card sees it.
# Qt reads both when it opens the first one.
os.environ["QT_FFMPEG_PROTOCOL_WHITELIST"] = "file"
os.environ["QT_FFMPEG_DECODING_HW_DEVICE_TYPES"] = ","

_LARGEST = 8192 * 4320  # pixels of a picture


class _Painter(QObject):
    """Turns frames into pictures: of a large one, that takes 0.1 s, and so it does so in another thread.

    It has no parent, and what it does there keeps it alive, whatever happens to the engine meanwhile.
    """

    drawn = Signal(object)  # a QImage

    def draw(self, frame: QVideoFrame, highest: int) -> None:
        image = frame.toImage()
        if image.height() > highest:
            image = image.scaledToHeight(highest, Qt.TransformationMode.SmoothTransformation)
        self.drawn.emit(image)


class RecordingEngine(QObject):
    loaded = Signal(QSize)  # it can be played; the size of its pictures, empty if it has none
    failed = Signal()  # it is damaged, or of a kind that cannot be played
    moved = Signal(float)  # to this second
    playing_changed = Signal(bool)
    picture_changed = Signal(object)  # a QImage, at most as high as asked for

    def __init__(self, highest: int, parent: QObject) -> None:
        super().__init__(parent)
        self._highest = highest
        self._player, self._sound = QMediaPlayer(self), QAudioOutput(self)
        self._sink = QVideoSink(self)
        self._player.setAudioOutput(self._sound)
        self._player.setVideoSink(self._sink)
        self._player.setPitchCompensation(True)
        self._player.mediaStatusChanged.connect(self._take_status)
        self._player.errorOccurred.connect(lambda *_: self.failed.emit())
        self._player.positionChanged.connect(lambda position: self.moved.emit(position / 1000))
        self._player.playingChanged.connect(self.playing_changed)
        self._painter = _Painter()
        self._is_drawing = False
        self._newest: QVideoFrame | None = None  # of those that came meanwhile
        self._painter.drawn.connect(self._take_picture)
        self._sink.videoFrameChanged.connect(self._take_frame)

    @property
    def is_playing(self) -> bool:
        return self._player.isPlaying()

    @property
    def duration(self) -> float:
        return self._player.duration() / 1000

    @property
    def has_sound_device(self) -> bool:
        return not QMediaDevices.defaultAudioOutput().isNull()

    def open(self, path: str) -> None:
        self._player.setSource(QUrl.fromLocalFile(path))

    def close(self) -> None:
        self._player.setSource(QUrl())

    def play(self) -> None:
        self._player.play()

    def pause(self) -> None:
        self._player.pause()

    def seek(self, seconds: float) -> None:
        self._player.setPosition(round(seconds * 1000))

    def set_speed(self, speed: float) -> None:
        self._player.setPlaybackRate(speed)

    def set_volume(self, share: float) -> None:
        self._sound.setVolume(share)

    def _take_status(self, status: QMediaPlayer.MediaStatus) -> None:
        if status != QMediaPlayer.MediaStatus.LoadedMedia:
            return
        size = self._player.metaData().value(QMediaMetaData.Key.Resolution) or QSize()
        has_pictures = self._player.hasVideo() and not size.isEmpty()
        if size.width() * size.height() > _LARGEST or not (has_pictures or self._player.hasAudio()):
            self.close()
            self.failed.emit()
        else:
            self.loaded.emit(size if has_pictures else QSize())

    def _take_frame(self, frame: QVideoFrame) -> None:
        if self._is_drawing:
            self._newest = frame
        else:
            self._is_drawing = True
            QThreadPool.globalInstance().start(partial(self._painter.draw, frame, self._highest))

    def _take_picture(self, image: QImage) -> None:
        self._is_drawing = False
        if not image.isNull():  # as at the end
            self.picture_changed.emit(image)
        if (newest := self._newest) is not None:
            self._newest = None
            self._take_frame(newest)
