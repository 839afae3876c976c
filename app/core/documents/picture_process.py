"""Shows the pictures of files of unknown origin from a sandbox."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app.core.documents.readers import ReaderError
from app.core.sandbox import ChildFailed
from app.domain.errors import UnreadableFile
from app.domain.figures import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.core.sandbox import Sandbox
    from app.domain.cancel import CancelToken
    from app.domain.figures import FileVersion

_SECONDS = 60.0  # of processor time for one file

R = TypeVar("R")


class PictureProcess:
    """Asks a sandbox for pictures.

    ``folders`` returns the folders that somebody has chosen. A file that cannot be read any more has no
    pictures, nor has one on a server, whose path is not absolute. The methods raise Cancelled.
    """

    def __init__(self, sandbox: Sandbox, folders: Callable[[], Iterable[str]]) -> None:
        self._sandbox = sandbox
        self._folders = folders

    def placed(
        self, file: FileVersion, text: str, start: int, token: CancelToken
    ) -> tuple[PlacedPicture, ...]:
        """Return the pictures within ``text``, which begins at ``start`` of the document's text."""
        return self._ask(_placed, (), token, file, placed, text, start)

    def pixels(self, file: FileVersion, n: int, width: int, height: int, token: CancelToken) -> bytes:
        """Return a picture in a size, on white, with four bytes a pixel: red, green, blue and 255.

        Empty if it fails.
        """
        reply = self._ask(bytes, b"", token, file, drawn, n, width, height)
        return reply if len(reply) == 4 * width * height else b""

    def _ask(
        self,
        made: Callable[[Any], R],
        otherwise: R,
        token: CancelToken,
        file: FileVersion,
        work: Callable[..., object],
        *arguments: object,
    ) -> R:
        if not os.path.isabs(file.path):
            return otherwise
        around = [one for one in self._folders() if Path(file.path).is_relative_to(one)]
        root = min(around, key=len, default=os.path.dirname(file.path))
        try:
            return self._sandbox.call(made, work, (*file, root), *arguments, seconds=_SECONDS, token=token)
        except (ChildFailed, UnreadableFile):
            return otherwise


def _placed(found: list[Any]) -> tuple[PlacedPicture, ...]:
    return tuple(_placed_picture(*one) for one in found)


def _placed_picture(
    n: int, position: int, width: int, height: int, alt: str, slide: int | None
) -> PlacedPicture:
    """Make one of plain data; a file may have led the child astray."""
    if width < 1 or height < 1:
        raise ValueError("a picture without a size")
    return PlacedPicture(int(n), int(position), int(width), int(height), str(alt), slide and int(slide))


# In the child


def placed(file: tuple[str, str, str], text: str, start: int) -> object:
    from app.core.documents.document_pictures import pictures_of

    try:
        return list(pictures_of(*file).within(text, start))
    except (ReaderError, OSError):
        return []


def drawn(file: tuple[str, str, str], n: int, width: int, height: int) -> bytes:
    from app.core.documents.document_pictures import pictures_of

    try:
        return pictures_of(*file).drawn(n, width, height)
    except (ReaderError, OSError):
        return b""
