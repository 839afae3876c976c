"""Pictures that are documents: their text is recognised later, so reading one only checks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.documents.images import decoded
from app.core.documents.readers import ReaderError

if TYPE_CHECKING:
    from app.domain.documents import DocumentText

_SMALL = 64  # pixels; enough to find out whether it can be decoded


def read_picture(data: bytes) -> DocumentText:
    """Raise the reason why a picture has no text yet, or why it never will have any."""
    decoded(data, _SMALL)
    raise ReaderError("documents.picture")
