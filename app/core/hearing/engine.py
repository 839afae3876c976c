"""Transcribes a piece of a recording in a child process: decodes it, finds the speech, and writes it down.

Nothing is kept between two calls but the model and the hour that is heard, so that any child can go on where
another one ended.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.config.confinement import give_way
from app.config.paths import resource_path
from app.core.hearing.sound import RATE
from app.core.hearing.sound import sound as sound_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from faster_whisper import WhisperModel
    from numpy.typing import NDArray

PIECE = 60  # seconds that are decoded at once
_WINDOW = 29.0  # seconds of speech that are written down at once; the model takes 30
_FRAME, _CONTEXT = 512, 64  # samples that are judged at once, and of those before them
_VOICE, _STILL_VOICE = 0.5, 0.35  # probabilities at which speech begins and goes on
_SHORT, _MARGIN = 9, 6  # frames: of a pause within speech, and kept before and after speech
_THREADS = 4
_REPEATED = 3.0  # times that a text is longer than compressed: from here on it goes round in circles
_LEFT_OUT = 3.0  # seconds of speech without a word from which on a window is heard again
_LOOP = 5  # tokens that may not come twice when a window is heard again
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
    sound, seconds, is_last = sound_of(path, start, PIECE)
    windows = _windows(sound)
    end = len(sound)
    if not is_last and len(windows) > 1:  # the last one may go on
        end = windows.pop()[0]
    cues: list[object] = []
    dropped = 0
    for begin, stop in windows:
        language, words = _written(sound[begin:stop], model, language, hint)
        dropped += not words
        shift = start + begin / RATE
        for cue in _cues(words):
            texts = [(word.text, word.sureness < _UNSURE) for word in cue]
            cues.append((round(cue[0].start + shift, 3), round(cue[-1].end + shift, 3), texts))
    heard = round(start + end / RATE, 3)
    return {
        "cues": cues,
        "end": heard,
        "is_last": is_last,
        "seconds": max(seconds, heard),
        "language": language if cues else "",
        "dropped": dropped,
    }


def _windows(sound: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Return spans in which somebody speaks, about as long as the model takes and cut at pauses."""
    windows: list[tuple[int, int]] = []
    for start, end in _speech(sound):
        if windows and end - windows[-1][0] <= _WINDOW * RATE:
            windows[-1] = windows[-1][0], end
        else:
            windows.append((start, end))
    return windows


def _speech(sound: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Return spans in which somebody speaks, with a little before and after each."""
    padded = np.pad(sound, (_CONTEXT, -len(sound) % _FRAME))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FRAME + _CONTEXT)[::_FRAME]
    nothing = np.zeros((1, 1, 128), np.float32)
    voiced = _voices()([np.ascontiguousarray(frames), nothing, nothing])[0].ravel()
    spans: list[tuple[int, int]] = []
    start, last = -1, 0
    for index, likely in enumerate((*voiced, *[0.0] * (_SHORT + 1))):
        if likely >= _VOICE or (start >= 0 and likely >= _STILL_VOICE):
            start, last = index if start < 0 else start, index
        elif start >= 0 and index - last > _SHORT:
            begin, end = (start - _MARGIN) * _FRAME, (last + 1 + _MARGIN) * _FRAME
            spans.append((max(begin, 0), min(end, len(sound))))
            start = -1
    return spans


@lru_cache(maxsize=1)
def _voices() -> Any:  # noqa: ANN401 - OpenVINO is not typed
    """Return the network that tells speech from other sounds, frame by frame."""
    from app.core.embedding.graph import import_openvino

    core, network = import_openvino().Core(), resource_path("resources/speech/silero_vad.xml")
    return core.compile_model(str(network), "CPU", {"INFERENCE_NUM_THREADS": 1})


def leave_out_decoder() -> None:
    """Let faster-whisper be imported without what would decode recordings for it, under the GPL."""
    sys.modules.setdefault("av", ModuleType("av"))


@lru_cache(maxsize=1)
def _model(folder: Path) -> WhisperModel:
    leave_out_decoder()
    from faster_whisper import WhisperModel

    threads = min(os.cpu_count() or 1, _THREADS)
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads)


def _written(sound: NDArray[np.float32], model: Path, language: str, hint: str) -> tuple[str, list[Spoken]]:
    """Return the language and the words of a window; none if the model doubts that something is said.

    A text that goes round in circles is written once more without repetitions, not by chance as the engine
    would: a recording has the same text however often its hearing was interrupted. One that leaves out what
    is said, as a hint can make it do, is written once more without the hint.
    """
    loop = 0
    for _ in range(2):
        segments, info = _model(model).transcribe(
            sound,
            language=language or None,
            initial_prompt=hint or None,
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            word_timestamps=True,
            no_repeat_ngram_size=loop,
        )
        said = list(segments)
        found = [word for segment in said for word in segment.words or ()]
        words = [Spoken(one.word, one.start, one.end, float(one.probability)) for one in found]
        if any(segment.compression_ratio > _REPEATED for segment in said):
            loop = _LOOP
        elif hint and _leaves_out(sound, words):
            hint = ""
        else:
            break
    return info.language, words


def _leaves_out(sound: NDArray[np.float32], words: Sequence[Spoken]) -> bool:
    """Return whether somebody speaks for seconds before, between or after the words."""
    ends = (0.0, *(word.end for word in words))
    starts = (*(word.start for word in words), len(sound) / RATE)
    return any(
        sum(last - first for first, last in _speech(sound[int(end * RATE) : int(start * RATE)]))
        > _LEFT_OUT * RATE
        for end, start in zip(ends, starts, strict=True)
        if start - end > _LEFT_OUT
    )


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
