"""Finds the recording of a transcript: a file of the same name beside it."""

import os
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from app.core.documents.formats import FORMATS
from app.domain.words import folded

# Those played, the best first: with pictures, and as they are usually published.
RECORDING_ENDINGS = (
    *(".mp4", ".m4v", ".mov", ".webm", ".mkv"),
    *(".m4a", ".mp3", ".ogg", ".opus", ".aac", ".flac", ".wav"),
)
CAPTION_ENDINGS = next(one.endings for one in FORMATS if one.kind == "captions")
# What captions have after the recording's name: their language, or what they are.
_ADDITION = re.compile(r"\.(?:[a-z]{2,3}(?:[-_][a-z0-9]{2,4})?|auto|captions?|orig|subtitles?|transcript)$")
_HEAD = 4096  # bytes
_BEGINNINGS = (b"\x1aE\xdf\xa3", b"OggS", b"fLaC", b"ADIF")  # of Matroska and WebM, Ogg, FLAC, AAC
_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")  # that MPEG-4 and QuickTime begin with


def is_recording(path: str | Path) -> bool:
    """Whether a file of this name is played."""
    return os.path.splitext(path)[1].lower() in RECORDING_ENDINGS


def find_recording(transcript: str) -> str | None:
    """Return the path of the recording beside a transcript, by its name alone."""
    folder, name = os.path.split(transcript)
    stems, found = recording_stems(name), []
    try:
        others = os.listdir(folder)
    except OSError:
        return None
    for other in others:
        stem, ending = os.path.splitext(folded(other))
        if stem in stems and ending in RECORDING_ENDINGS:
            found.append((stems.index(stem), RECORDING_ENDINGS.index(ending), other))
    paths = (os.path.join(folder, other) for *_, other in sorted(found))
    return next(filter(os.path.isfile, paths), None)


def has_captions(recording: Path, own: Collection[tuple[int, int]] = ()) -> bool:
    """Whether a recording has captions beside it, by their names, other than those of :func:`is_own`."""
    with suppress(OSError):
        names = (name for name in os.listdir(recording.parent) if name.lower().endswith(CAPTION_ENDINGS))
        stem, folder = folded(recording.stem), recording.parent
        return any(stem in recording_stems(name) and not is_own(folder / name, own) for name in names)
    return False


def is_own(file: Path, own: Collection[tuple[int, int]]) -> bool:
    """Whether Lectern wrote these captions: the file has one of these sizes and times."""
    with suppress(OSError):
        if own and file.suffix.lower() in CAPTION_ENDINGS:
            status = file.stat()
            return (status.st_size, status.st_mtime_ns) in own
    return False


def recording_stems(transcript: str) -> list[str]:
    """Return what the recording of a transcript may be called, folded and without an ending, best first."""
    stems = [folded(Path(transcript).stem)]
    while (shorter := _ADDITION.sub("", stems[-1])) != stems[-1]:
        stems.append(shorter)
    return stems


def begins_as_recording(path: str) -> bool:
    """Whether a file begins as recordings do, whatever its name says.

    Decoders go by the content, too: a list of addresses that is called a video would be played from there.
    """
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            if head.startswith(b"ID3"):  # titles and pictures, before what is heard
                file.seek(_tag_size(head))
                head = file.read(_HEAD).lstrip(b"\0")
    except OSError:
        return False
    is_frame = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0  # of MP3 and AAC
    is_wave = head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE"
    return is_frame or is_wave or head.startswith(_BEGINNINGS) or head[4:8] in _BOXES


def _tag_size(head: bytes) -> int:
    size = 0
    for byte in head[6:10]:
        size = size << 7 | byte & 0x7F
    return 10 + size
