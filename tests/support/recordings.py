"""Small recordings, made on the spot: of sounds, and of pictures in one colour after the other."""

from __future__ import annotations

import array
import math
import struct
import wave
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_RATE = 8_000


def make_sound(path: Path, seconds: float = 20.0) -> Path:
    """Write a tone as a WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, _RATE, 0, "NONE", ""))
        tone = array.array("h", (int(3_000 * math.sin(at / 5)) for at in range(int(seconds * _RATE))))
        file.writeframes(tone.tobytes())
    return path


def make_video(path: Path, pictures: Sequence[str | Image.Image], width: int = 64, each: float = 0.2) -> Path:
    """Write a Matroska file of pictures, or of the colours named, each shown for some seconds."""
    height, clusters = width * 9 // 16, b""
    for number, picture in enumerate(pictures):
        data = BytesIO()
        image = Image.new("RGB", (width, height), picture) if isinstance(picture, str) else picture
        image.save(data, "JPEG", quality=90)
        # Of track 1, at the time of its cluster, complete in itself.
        block = _element(0xA3, b"\x81\x00\x00\x80" + data.getvalue())
        clusters += _element(0x1F43B675, _number(0xE7, round(number * each * 1000)) + block)
    video = _element(0xE0, _number(0xB0, width) + _number(0xBA, height))
    numbers = (0xD7, 1), (0x73C5, 1), (0x83, 1), (0x23E383, round(each * 10**9))
    track = b"".join(_number(*one) for one in numbers) + _element(0x86, b"V_MJPEG") + video
    duration = struct.pack(">d", len(pictures) * each * 1000)
    info = _number(0x2AD7B1, 1_000_000) + _element(0x4489, duration)
    tracks = _element(0x1654AE6B, _element(0xAE, track))
    header = _element(0x1A45DFA3, _element(0x4282, b"matroska") + _number(0x4287, 4) + _number(0x4285, 2))
    path.write_bytes(header + _element(0x18538067, _element(0x1549A966, info) + tracks + clusters))
    return path


def _element(name: int, content: bytes) -> bytes:
    """Return an element of EBML, its length in eight bytes."""
    length = (1 << 56 | len(content)).to_bytes(8, "big")
    return name.to_bytes((name.bit_length() + 7) // 8, "big") + length + content


def _number(name: int, value: int) -> bytes:
    return _element(name, value.to_bytes(8, "big"))
