"""Hears a piece of a recording in a child process: decodes it, finds who speaks when, and writes it down.

Nothing is kept between two calls but the model, so that any child can go on where another one ended.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.config.confinement import give_way
from app.core.documents.recordings import begins_as_recording
from app.domain.errors import UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from av.container import InputContainer
    from faster_whisper import BatchedInferencePipeline
    from numpy.typing import NDArray

_RATE = 16_000  # samples a second, as the model hears
PIECE = 60  # seconds that are decoded at once
_WINDOW = 29.0  # seconds of speech that are written down at once; the model takes 30
_BEFORE = 1.0  # seconds decoded before a piece, because decoders begin with noise
_GAP = 0.1  # seconds by which the times of a recording may jump without anything missing
_REPEATED = 2.4  # times that a text is longer than compressed: from here on it goes round in circles
_LOOP = 5  # tokens that may not come twice when a window is heard again
_SILENT, _GUESSED = 0.6, -1.0  # likely without speech, and unlikely as a text
_UNSURE = 0.4  # probability of a word that may be another one
_ENDS = (".", "!", "?", "…", "。", "？", "！")
_PAUSE = 1.0  # seconds without a word that end a cue
_LONGEST = 160  # characters of a cue


class Spoken(NamedTuple):
    """A word as it is written, with the space before it, and when it is said in seconds."""

    text: str
    start: float
    end: float
    sureness: float


def lengths(paths: Sequence[str]) -> list[float]:
    """Return how many seconds recordings last; 0 for those that do not say, or cannot be read."""
    found = [0.0] * len(paths)
    for index, path in enumerate(paths):
        with suppress(UnreadableFile), _opened(Path(path)) as container:
            found[index] = _seconds(container)
    return found


def hear(path: Path, start: float, model: Path, language: str, hint: str) -> dict[str, Any]:
    """Write down about a minute of a recording from a second on; it ends where nobody speaks.

    Args:
        path: of the recording.
        start: in seconds.
        model: folder of a Whisper model in the form of CTranslate2.
        language: a code of ISO 639; empty to find it.
        hint: names and terms that may be said.

    Returns:
        ``cues``: start, end and the words of each, a word being its text and whether it is unsure;
        ``end``: the second at which the next piece begins; ``is_last``; ``seconds`` that all of it lasts;
        ``language`` if something was said; ``dropped``: parts in which nothing was understood.

    Raises:
        UnreadableFile: it is no recording, is damaged, or has no sound.
    """
    give_way()
    sound, seconds, is_last = _sound(path, start)
    windows = _windows(sound)
    end = len(sound)
    if not is_last and len(windows) > 1:  # the last one may go on
        end = windows.pop()[0]
    cues: list[object] = []
    dropped = 0
    for begin, stop in windows:
        language, words = _written(sound[begin:stop], model, language, hint)
        dropped += not words
        shift = start + begin / _RATE
        for cue in _cues(words):
            texts = [(word.text, word.sureness < _UNSURE) for word in cue]
            cues.append((round(cue[0].start + shift, 3), round(cue[-1].end + shift, 3), texts))
    heard = round(start + end / _RATE, 3)
    return {
        "cues": cues,
        "end": heard,
        "is_last": is_last,
        "seconds": max(seconds, heard),
        "language": language if cues else "",
        "dropped": dropped,
    }


def _opened(path: Path) -> InputContainer:
    import av

    name = shown_name(path)
    if not begins_as_recording(str(path)):
        raise UnreadableFile(Message("hearing.no_recording", name=name))
    try:
        container = av.open(path, metadata_errors="replace", options={"protocol_whitelist": "file"})
    except (av.FFmpegError, ValueError) as error:
        raise UnreadableFile(Message("hearing.damaged", name=name)) from error
    if not container.streams.audio:
        container.close()
        raise UnreadableFile(Message("hearing.no_sound", name=name))
    return container


def _seconds(container: InputContainer) -> float:
    return (container.duration or 0) / 1_000_000


def _sound(path: Path, start: float) -> tuple[NDArray[np.float32], float, bool]:
    """Return a piece of a recording, how long all of it is, and whether it ends with this piece."""
    import av

    sound = np.zeros(PIECE * _RATE, np.float32)
    filled = 0
    with _opened(path) as container:
        seconds, begin = _seconds(container), (container.start_time or 0) / 1_000_000 + start
        if start:
            with suppress(av.FFmpegError):  # what cannot be wound is decoded from its beginning
                container.seek(int((begin - _BEFORE) * 1_000_000))
        for at, samples in _decoded(container):
            place = filled if at is None else round((at - begin) * _RATE)
            if abs(place - filled) <= _GAP * _RATE:
                place = filled
            samples = samples[max(filled - place, 0) :]
            place = max(place, filled)
            filled = min(place + len(samples), len(sound)) if len(samples) else filled
            sound[place:filled] = samples[: max(filled - place, 0)]
            if filled == len(sound):
                return sound, seconds, False
    return sound[:filled], seconds, True


def _decoded(container: InputContainer) -> Iterator[tuple[float | None, NDArray[np.float32]]]:
    """Yield what can be decoded: seconds at which it begins, if known, and samples."""
    import av

    stream = container.streams.audio[0]
    stream.thread_type = "NONE"
    resamplers: dict[tuple[object, ...], av.AudioResampler] = {}
    packets = container.demux(stream)
    while True:
        try:
            frames = next(packets).decode()
        except StopIteration:
            return
        except av.FFmpegError:  # a damaged part
            continue
        for frame in frames:
            kind = frame.format.name, frame.layout.name, frame.sample_rate
            if kind not in resamplers:
                resamplers[kind] = av.AudioResampler("flt", "mono", _RATE)
            for part in resamplers[kind].resample(frame):
                yield frame.time, part.to_ndarray()[0]


def _windows(sound: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Return spans in which somebody speaks, as long as the model takes and begun and ended at pauses."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(max_speech_duration_s=_WINDOW - 1, min_silence_duration_ms=300, speech_pad_ms=200)
    windows: list[tuple[int, int]] = []
    for speech in get_speech_timestamps(sound, options):
        if windows and speech["end"] - windows[-1][0] <= _WINDOW * _RATE:
            windows[-1] = windows[-1][0], speech["end"]
        else:
            windows.append((speech["start"], speech["end"]))
    return windows


@lru_cache(maxsize=1)
def _pipeline(model: Path) -> BatchedInferencePipeline:
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    return BatchedInferencePipeline(WhisperModel(str(model), device="cpu", compute_type="int8"))


def _written(sound: NDArray[np.float32], model: Path, language: str, hint: str) -> tuple[str, list[Spoken]]:
    """Return the language and the words of a window; none if the model doubts that they were said.

    A text that goes round in circles is written once more, without repetitions.
    """
    for loop in (0, _LOOP):
        segments, info = _pipeline(model).transcribe(
            sound,
            language=language or None,
            initial_prompt=hint or None,
            clip_timestamps=[{"start": 0, "end": len(sound) / _RATE}],
            word_timestamps=True,
            no_repeat_ngram_size=loop,
        )
        (segment,) = segments
        if segment.compression_ratio <= _REPEATED:
            break
    is_guessed = segment.no_speech_prob > _SILENT and segment.avg_logprob < _GUESSED
    if is_guessed or segment.compression_ratio > _REPEATED:
        return info.language, []
    words = segment.words or ()
    return info.language, [Spoken(one.word, one.start, one.end, float(one.probability)) for one in words]


def _cues(words: Sequence[Spoken]) -> Iterator[Sequence[Spoken]]:
    """Cut words into sentences, and at pauses; a cue that fills two lines ends with its next comma."""
    start = size = 0
    for index, (word, following) in enumerate(pairwise((*words, None)), 1):
        assert word is not None
        size += len(word.text)
        ends = word.text.endswith(_ENDS) or (size > _LONGEST and word.text.endswith(","))
        if following is None or ends or following.start - word.end > _PAUSE:
            yield words[start:index]
            start, size = index, 0
