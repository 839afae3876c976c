"""What was heard in recordings, kept in the library file by their digests."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from app.core.storage.database import Database
from app.domain.messages import Message

AGAIN = " again"
"""Follows the digest of a recording that is heard again: until that is whole, what was heard first stays."""


class Heard(NamedTuple):
    """What is known of a recording; see the table ``transcripts``."""

    sha256: str
    path: str
    size: int
    seconds: float
    heard: float
    is_whole: bool
    model: str
    language: str
    vtt: str
    is_corrected: bool = False
    dropped: int = 0
    saved_size: int = 0
    saved_mtime_ns: int = 0

    @property
    def unread(self) -> Message | None:
        """Say where it ends if the recording goes on there, as far as is known, but cannot be decoded."""
        if not self.is_whole or self.seconds < self.heard + 1:
            return None
        return Message("hearing.ends_early", minute=math.ceil(self.heard / 60))

    def is_by(self, model: str, language: str) -> bool:
        """Whether this model heard it in this language; an empty one is any."""
        return self.model == model and language in ("", self.language)


class Transcripts:
    """Each method is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def of(self, sha256: str) -> Heard | None:
        row = self._db.connection.execute("SELECT * FROM transcripts WHERE sha256 = ?", (sha256,)).fetchone()
        if row is None:
            return None
        heard = Heard(*row)
        return heard._replace(is_whole=bool(heard.is_whole), is_corrected=bool(heard.is_corrected))

    def keep(self, heard: Heard) -> None:
        """Store it; raises LibraryUnusable if the disk does not hold it."""
        marks = ", ".join("?" * len(heard))
        self._db.write(f"INSERT OR REPLACE INTO transcripts VALUES ({marks})", [heard])

    def sizes(self) -> set[int]:
        """Return the sizes in bytes of the recordings that were heard to their ends."""
        rows = self._db.connection.execute("SELECT size FROM transcripts WHERE is_whole")
        return {row["size"] for row in rows}

    def begun(self) -> dict[str, float]:
        """Return to which seconds recordings were heard, by path, without those that are whole."""
        rows = self._db.connection.execute("SELECT path, heard FROM transcripts WHERE NOT is_whole")
        return {row["path"]: row["heard"] for row in rows}

    def saved(self) -> set[tuple[int, int]]:
        """Return the sizes and times of the captions that were written from transcripts."""
        rows = self._db.connection.execute(
            "SELECT saved_size, saved_mtime_ns FROM transcripts WHERE saved_size"
        )
        return {(row["saved_size"], row["saved_mtime_ns"]) for row in rows}

    def forget(self, digests: Iterable[str]) -> None:
        keys = [(key,) for digest in digests for key in (digest, digest + AGAIN)]
        self._db.write("DELETE FROM transcripts WHERE sha256 = ?", keys)
