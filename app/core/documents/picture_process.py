"""Shows the pictures of files of unknown origin from a child process."""

from __future__ import annotations

import json
import os
import sys
from collections import OrderedDict
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.child_process import ChildDied, ChildOverspent, ChildProcess, ChildTimedOut
from app.core.documents.readers import ReaderError
from app.core.documents.sandbox import DEPTH
from app.domain.errors import UnreadableFile
from app.domain.figures import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.core.documents.document_pictures import DocumentPictures
    from app.domain.cancel import CancelToken
    from app.domain.figures import FileVersion

_SECONDS = 60.0  # of processor time for one file
_CLOCK_SECONDS = 120.0
_MEMORY = 2 * 2**30
_KEPT_BYTES = 64 * 2**20


class PictureProcess(AbstractContextManager["PictureProcess"]):
    """Asks a child process, started by the first request, for pictures. For one thread.

    ``folders`` returns the folders that somebody has chosen. A file that cannot be read any more has no
    pictures, nor has one on a server, whose path is not absolute. The methods raise Cancelled.
    """

    def __init__(self, folders: Callable[[], Iterable[str]]) -> None:
        self._folders = folders
        self._child = ChildProcess(
            PictureServer(), "lectern-pictures", seconds=_CLOCK_SECONDS, cpu_seconds=_SECONDS, memory=_MEMORY
        )

    def __exit__(self, *_: object) -> None:
        self.close()

    def placed(
        self, file: FileVersion, text: str, start: int, token: CancelToken
    ) -> tuple[PlacedPicture, ...]:
        """Return the pictures within ``text``, which begins at ``start`` of the document's text."""
        reply = self._ask(token, "list", file, text=text, start=start)
        try:
            return tuple(_placed_picture(*one) for one in json.loads(reply or b"[]"))
        except (ValueError, TypeError):
            return ()

    def pixels(self, file: FileVersion, n: int, width: int, height: int, token: CancelToken) -> bytes:
        """Return a picture in a size, on white, with four bytes a pixel: red, green, blue and 255.

        Empty if it fails.
        """
        reply = self._ask(token, "draw", file, n=n, width=width, height=height)
        return reply if len(reply) == 4 * width * height else b""

    def close(self) -> None:
        self._child.close()

    def _ask(self, token: CancelToken, what: str, file: FileVersion, **arguments: object) -> bytes:
        if not os.path.isabs(file.path):
            return b""
        around = [one for one in self._folders() if Path(file.path).is_relative_to(one)]
        root = min(around, key=len, default=os.path.dirname(file.path))
        request = {"do": what, "path": file.path, "sha256": file.sha256, "root": root, **arguments}
        try:
            return self._child.ask(json.dumps(request).encode(), token)
        except (ChildDied, ChildTimedOut, ChildOverspent):
            return b""


def _placed_picture(
    n: int, position: int, width: int, height: int, alt: str, slide: int | None
) -> PlacedPicture:
    """Make one of plain data; a file may have led the child astray."""
    if width < 1 or height < 1:
        raise ValueError("a picture without a size")
    return PlacedPicture(int(n), int(position), int(width), int(height), str(alt), slide and int(slide))


# In the child


class PictureServer:
    """Answers requests about files; keeps the last few, since sources may come from several in turn."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], DocumentPictures] = OrderedDict()

    def __call__(self, request: bytes, _: Callable[[bytes], None]) -> bytes:
        sys.setrecursionlimit(DEPTH)
        wanted = json.loads(request)
        try:
            pictures = self._opened(wanted["path"], wanted["sha256"], wanted["root"])
            if wanted["do"] == "draw":
                return pictures.drawn(wanted["n"], wanted["width"], wanted["height"])
            return json.dumps(list(pictures.within(wanted["text"], wanted["start"]))).encode()
        except (UnreadableFile, ReaderError, MemoryError, OSError):
            return b""

    def _opened(self, path: str, sha256: str, root: str) -> DocumentPictures:
        from app.core.documents.document_pictures import DocumentPictures

        key = (path, sha256, root)
        if key not in self._kept:
            while self._kept and sum(one.size for one in self._kept.values()) > _KEPT_BYTES:
                self._kept.popitem(last=False)
            self._kept[key] = DocumentPictures(Path(path), sha256, Path(root))
        self._kept.move_to_end(key)
        return self._kept[key]
