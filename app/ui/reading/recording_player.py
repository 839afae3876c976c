"""Plays the recording of a lesson, and keeps it together with its transcript."""

from __future__ import annotations

import os
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QLocale,
    QLoggingCategory,
    QObject,
    QPoint,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    QThreadPool,
    QUrl,
    Signal,
)
from PySide6.QtGui import QActionGroup, QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QSlider, QStyle, QToolButton, QWidget

from app.domain.documents import clock
from app.domain.plain_text import harmless
from app.ui.widgets.building import Stretch, hbox, icon_button, link_button, name_button, one_shot, vbox
from app.ui.widgets.pane_keys import PaneShortcut
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtMultimedia import QMediaPlayer, QVideoFrame

    from app.domain.sources import LessonText, Recording
    from app.ui.reading.lesson_view import LessonView

_STEP = 10.0  # seconds, back and ahead
_SPEEDS = (0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
_HIGHEST = 360  # pixels of a picture
_BESIDE = 450  # pixels of a window that are left to the text and the controls
_LARGEST = 8192 * 4320  # pixels of a recording's picture
_NARROW = 400
_HANDLE = 16  # pixels, as the style sheet has it


class RecordingPlayer(QWidget):
    """Hidden unless there is a recording."""

    moved = Signal(float)  # to this second, by playing on
    jumped = Signal(float)  # to this second, because the user wanted to
    open_requested = Signal(str)  # the path of a recording, to be opened in another program

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seconds = 0.0  # that are played now
        self._media: QMediaPlayer | None = None  # made for the first recording
        self._path = ""
        self._speed = 1.0
        self._open_soon = one_shot(self, 0, self._open_recording)
        self._build()
        self._set_speed(self._speed)
        self._show_playing(playing=False)
        self._show_volume()
        self.hide()

    @property
    def is_playing(self) -> bool:
        return self._media is not None and self._media.isPlaying()

    @property
    def is_usable(self) -> bool:
        return self._play.isEnabled()

    # ---- what is played ----

    def show_recording(self, recording: Recording | None) -> None:
        """Show a recording without playing it; one that is shown already stays where it is."""
        path = recording.path if recording is not None else ""
        if path == self._path:
            return
        self._path = path
        self._open_soon.stop()
        self.seconds = 0.0
        self.setVisible(recording is not None)
        self.picture.set_size(QSize())
        self._set_usable(False)
        self._say("")
        if self._media is not None:
            self._media.setSource(QUrl())
        if recording is not None and recording.is_known:
            self._open_soon.start()
        elif recording is not None:
            self._refuse()

    def go_to(self, seconds: float) -> None:
        """Go to a second; go on playing there if it is playing."""
        self.seconds = max(seconds, 0.0)
        if self._media is not None and self.is_usable:
            self.seconds = min(self.seconds, self._media.duration() / 1000)
            self._media.setPosition(round(self.seconds * 1000))
            self.moved.emit(self.seconds)
        self._show_time()

    def jump(self, seconds: float) -> None:
        """Go to a second because the user wants to."""
        if self.is_usable:
            self.go_to(seconds)
            self.jumped.emit(self.seconds)

    def step(self, steps: int) -> None:
        self.jump(self.seconds + steps * _STEP)

    def toggle(self) -> None:
        if self._media is not None and self.is_usable:
            (self._media.pause if self._media.isPlaying() else self._media.play)()

    def pause(self) -> None:
        if self._media is not None and self._media.isPlaying():
            self._media.pause()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow pane, leave out what also has a key."""
        super().resizeEvent(event)
        for button in (self._back, self._ahead):
            button.setVisible(event.size().width() >= _NARROW)

    # ---- building ----

    def _build(self) -> None:
        self.picture = Picture(self)
        self.place = SecondsSlider(self)
        self.place.setAccessibleName(self.tr("Place in the recording, in seconds"))
        self.place.valueChanged.connect(lambda seconds: self.jump(float(seconds)))
        self._play = icon_button(self.tr("Play (Space)"), 20, self.toggle, self)
        back, ahead = partial(self.step, -1), partial(self.step, 1)
        self._back = icon_button(self.tr("10 seconds back (J)"), 18, back, self, icon="back")
        self._ahead = icon_button(self.tr("10 seconds ahead (L)"), 18, ahead, self, icon="ahead")
        self.time = plain_label("", "caption", self, wrap=False)
        self.speed = self._make_speed()
        self.mute = icon_button(self.tr("Mute"), 18, lambda: None, self)
        self.mute.setCheckable(True)
        self.mute.toggled.connect(self._show_volume)
        self.volume = QSlider(Qt.Orientation.Horizontal, self)
        self.volume.setRange(0, 100)
        self.volume.setValue(100)
        self.volume.setPageStep(10)
        self.volume.setFixedWidth(64)
        self.volume.setAccessibleName(self.tr("Volume"))
        self.volume.valueChanged.connect(self._show_volume)
        self.sentence = plain_label("", "caption", self)
        self._open = link_button(
            self.tr("Open in your player"), lambda: self.open_requested.emit(self._path), self, leads_out=True
        )
        sounds = (self.speed, self.mute, self.volume)
        row = (self._play, self._back, self._ahead, 4, self.time, Stretch(), *sounds)
        for slider in (self.place, self.volume):
            slider.setMinimumHeight(_HANDLE + 2)
        self._controls = QWidget(self)
        vbox(self.place, hbox(*row, spacing=1), spacing=2, parent=self._controls)
        parts = (self.picture, self._controls, self.sentence, hbox(self._open, Stretch()))
        vbox(*parts, margins=(16, 0, 16, 8), spacing=4, parent=self)
        self._set_usable(False)

    def _make_speed(self) -> QToolButton:
        button = QToolButton(self)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu, group = QMenu(button), QActionGroup(button)
        for speed in _SPEEDS:
            action = menu.addAction(speed_text(speed), partial(self._set_speed, speed))
            action.setCheckable(True)
            action.setChecked(speed == self._speed)
            group.addAction(action)
        button.setMenu(menu)
        return button

    # ---- playing ----

    def _open_recording(self) -> None:
        """Open the recording in a turn of its own, since loading the decoders takes a while."""
        try:
            self._media = self._media or self._make_media()
        except ImportError as error:
            named = str(error).partition(":")[0]
            text = self.tr("Lectern cannot play recordings here, because {0} is not installed.")
            self._fail(text.format(named if ".so" in named else "Qt Multimedia"))
        else:
            self._media.setSource(QUrl.fromLocalFile(self._path))

    def _make_media(self) -> QMediaPlayer:
        """Make a player, which lacks nothing but what Qt can do without.

        Recordings are from anywhere: what one refers to is not fetched, and no driver of a graphics card
        sees it. Qt reads both variables when it opens the first one.

        Raises:
            ImportError: the system lacks a library for it.
        """
        QLoggingCategory.setFilterRules("qt.multimedia.symbolsresolver=false")
        os.environ["QT_FFMPEG_PROTOCOL_WHITELIST"] = "file"
        os.environ["QT_FFMPEG_DECODING_HW_DEVICE_TYPES"] = ","
        from PySide6.QtMultimedia import QAudioOutput, QMediaPlayer, QVideoSink  # large, and few need it

        media, sound, sink = QMediaPlayer(self), QAudioOutput(self), QVideoSink(self)
        media.setAudioOutput(sound)
        media.setVideoSink(sink)
        media.setPitchCompensation(True)
        media.mediaStatusChanged.connect(self._take_status)
        media.errorOccurred.connect(lambda *_: self._refuse())
        media.positionChanged.connect(self._take_position)
        media.playingChanged.connect(self._show_playing)
        media.setPlaybackRate(self._speed)
        self._painter = _Painter(round(_HIGHEST * self.devicePixelRatioF()))
        self._painter.drawn.connect(self.picture.set_image)
        sink.videoFrameChanged.connect(self._painter.take)
        self._media = media
        self._show_volume()
        return media

    def _take_status(self, status: QMediaPlayer.MediaStatus) -> None:
        from PySide6.QtMultimedia import QMediaDevices, QMediaMetaData, QMediaPlayer

        media = self._media
        if media is None or status != QMediaPlayer.MediaStatus.LoadedMedia or not self._path:
            return
        size = media.metaData().value(QMediaMetaData.Key.Resolution) or QSize()
        size = size if media.hasVideo() else QSize()
        if size.width() * size.height() > _LARGEST or (size.isEmpty() and not media.hasAudio()):
            media.setSource(QUrl())
            self._refuse()
            return
        self.picture.set_size(size)
        self._set_usable(True)
        with QSignalBlocker(self.place):
            self.place.setMaximum(max(media.duration() // 1000, 1))
        if QMediaDevices.defaultAudioOutput().isNull():
            self._say(self.tr("You hear nothing, because no sound device was found."))
        self.go_to(self.seconds)
        if not size.isEmpty():
            media.pause()  # shows the picture at that second

    def _take_position(self, milliseconds: int) -> None:
        if self.is_usable:
            self.seconds = milliseconds / 1000
            self._show_time()
            self.moved.emit(self.seconds)

    def _set_speed(self, speed: float) -> None:
        self._speed = speed
        self.speed.setText(speed_text(speed))
        name_button(self.speed, self.tr("Speed: {0}").format(speed_text(speed)))
        if self._media is not None:
            self._media.setPlaybackRate(speed)

    def _refuse(self) -> None:
        if not self._path:
            return
        name = harmless(PurePath(self._path).name)
        text = self.tr("Lectern cannot play {0}: the file is damaged, or of a kind that it does not know.")
        self._fail(text.format(name))

    def _fail(self, sentence: str) -> None:
        self.picture.set_size(QSize())
        self._set_usable(False)
        self._say(sentence)

    # ---- what is shown ----

    def _set_usable(self, usable: bool) -> None:
        for part in (self._play, self._back, self._ahead, self.place):
            part.setEnabled(usable)
        self._show_time()

    def _say(self, sentence: str) -> None:
        """Show a sentence; if nothing can be played, in place of the controls."""
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self._open.setVisible(bool(sentence))
        self._controls.setVisible(self.is_usable or not sentence)

    def _show_time(self) -> None:
        whole = self._media.duration() / 1000 if self._media is not None and self.is_usable else 0.0
        self.time.setText(f"{clock(self.seconds)} / {clock(whole)}" if whole else clock(self.seconds))
        with QSignalBlocker(self.place):
            if not self.place.isSliderDown():
                self.place.setValue(int(self.seconds))

    def _show_playing(self, playing: bool) -> None:
        self._play.setIcon(Theme.icon("pause" if playing else "resume"))
        name_button(self._play, self.tr("Pause (Space)") if playing else self.tr("Play (Space)"))

    def _show_volume(self) -> None:
        is_silent = self.mute.isChecked() or not self.volume.value()
        self.mute.setIcon(Theme.icon("volume-off" if is_silent else "volume"))
        if self._media is not None:
            self._media.audioOutput().setVolume(0.0 if is_silent else self.volume.value() / 100)


class _Painter(QObject):
    """Turns frames into pictures: of a large one, that takes 0.1 s, and so it does so in another thread.

    It has no parent, and what it does there keeps it alive, whatever happens to the player meanwhile.
    """

    drawn = Signal(object)  # a QImage
    _made = Signal(QImage)

    def __init__(self, highest: int) -> None:
        super().__init__()
        self._highest = highest
        self._is_drawing = False
        self._newest: QVideoFrame | None = None  # of those that came meanwhile
        self._made.connect(self._take)

    def take(self, frame: QVideoFrame) -> None:
        if self._is_drawing:
            self._newest = frame
        else:
            self._is_drawing = True
            QThreadPool.globalInstance().start(partial(self._draw, frame))

    def _draw(self, frame: QVideoFrame) -> None:
        image = frame.toImage()
        if image.height() > self._highest:
            image = image.scaledToHeight(self._highest, Qt.TransformationMode.SmoothTransformation)
        self._made.emit(image)

    def _take(self, image: QImage) -> None:
        self._is_drawing = False
        if not image.isNull():  # as at the end
            self.drawn.emit(image)
        if (newest := self._newest) is not None:
            self._newest = None
            self.take(newest)


class SecondsSlider(QSlider):
    """A slider over a recording: a click leads to its place, arrows a few seconds on."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSingleStep(5)
        self.setPageStep(30)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            x = round(event.position().x()) - _HANDLE // 2
            room = self.width() - _HANDLE
            self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), x, room))
        super().mousePressEvent(event)


class Picture(QWidget):
    """The picture of a recording that has pictures; its room is there before the first one comes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._size = QSize()
        self._image = QImage()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.hide()

    def set_size(self, size: QSize) -> None:
        """Prepare for pictures of a size; none if it is empty."""
        self._size, self._image = size, QImage()
        self.setVisible(not size.isEmpty())
        self.updateGeometry()
        self.update()

    def set_image(self, image: QImage) -> None:
        self._image = image
        self.update()

    def heightForWidth(self, width: int) -> int:
        if self._size.isEmpty():
            return 0
        natural = width * self._size.height() // self._size.width()
        room = max(self.window().height() - scaled(_BESIDE), 0)
        return min(natural, _HIGHEST, room)

    def sizeHint(self) -> QSize:
        return QSize(_HIGHEST, self.heightForWidth(_HIGHEST))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("black"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        edge = self.size() - size
        place = QRect(QPoint(edge.width() // 2, edge.height() // 2), size)
        if max(edge.width(), edge.height()) < 3:  # of rounding
            place = self.rect()
        painter.drawImage(place, self._image)


def speed_text(speed: float) -> str:
    return f"{QLocale().toString(speed, 'g', 3)}×"


class Following(QObject):
    """Marks what is being said, and plays what is clicked on."""

    def __init__(self, player: RecordingPlayer, text: LessonView) -> None:
        super().__init__(text)
        self._player, self._text = player, text
        self._recording: Recording | None = None
        self._start = self._end = 0  # of the lesson in its document
        player.moved.connect(self._mark)
        player.jumped.connect(partial(self._mark, go_there=True))
        text.clicked.connect(self._play_from)
        back, ahead = partial(player.step, -1), partial(player.step, 1)
        commands: tuple[tuple[str, Callable[[], object], str], ...] = (
            ("Space", player.toggle, self.tr("Play or pause the recording")),
            ("J", back, self.tr("Ten seconds back")),
            ("L", ahead, self.tr("Ten seconds ahead")),
        )
        self._keys = [PaneShortcut(text, key, act, text=name, is_plain=True) for key, act, name in commands]
        self.show(None)

    def show(self, lesson: LessonText | None) -> None:
        if lesson is not None:
            self._start, self._end = lesson.start, lesson.end
        self._recording = lesson.recording if lesson is not None else None
        self._player.show_recording(self._recording)
        self._text.set_spoken(None)
        for key in self._keys:
            key.setEnabled(self._recording is not None)

    def go_to(self, position: int) -> None:
        if self._recording is not None:
            self._player.go_to(self._recording.seconds_at(position))

    def _play_from(self, position: int) -> None:
        if self._recording is not None:
            self._player.jump(self._recording.seconds_at(position + self._start))

    def _mark(self, seconds: float, *, go_there: bool = False) -> None:
        if self._recording is not None:
            span = self._recording.span_at(seconds, self._end)
            spoken = (span[0] - self._start, span[1] - self._start) if span else None
            self._text.set_spoken(spoken, go_there=go_there)
