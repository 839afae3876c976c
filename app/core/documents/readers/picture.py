"""Pictures as documents: their text is recognised later, and each frame is shown as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.documents.images import decoded, frame_sizes, jpeg_seen, size_seen
from app.core.documents.readers import ReaderError
from app.domain.pages import PagedFile, PageLink, PageText

if TYPE_CHECKING:
    from PIL.Image import Image

    from app.domain.documents import DocumentText
    from app.domain.figures import Figure
    from app.domain.pages import Strip


_SMALL = 64  # pixels; enough to find out whether it can be decoded


def read_picture(data: bytes) -> DocumentText:
    """Raise the reason why a picture has no text yet, or why it never will have any."""
    decoded(data, _SMALL)
    raise ReaderError("documents.picture")


POINTS_PER_PIXEL = 72 / 150  # as if all were scanned at 150 dpi; what they say of themselves is rarely true

_SHARPEST = 4000  # pixels of the longer side that is shown
_LARGEST = 8 * 2**20  # pixels of a strip


class PicturePages:
    """An open picture, used like :class:`app.core.documents.readers.pdf.pages.PdfPages`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._sizes = frame_sizes(data)
        self._shown: tuple[int, Image] | None = None
        self.count = len(self._sizes)

    def close(self) -> None:
        self._shown = None

    def describe(self) -> PagedFile:
        sizes = ((width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL) for width, height in self._sizes)
        return PagedFile(tuple(sizes), ())

    def picture(self, strip: Strip) -> bytes:
        """Draw a strip; see :class:`app.domain.pages.PagePicture`."""
        from PIL.Image import Resampling

        if not 0 < strip.width * strip.height <= _LARGEST:
            raise ReaderError
        page = self._page(strip.page)
        scale = page.width / strip.width
        top = min(strip.top * scale, page.height - 1)
        box = (0, top, page.width, min(top + strip.height * scale, page.height))
        part = page.resize((strip.width, strip.height), Resampling.BILINEAR, box, reducing_gap=2)
        # Opaque, although it should not matter: Qt blends marks with what is there.
        return part.convert("RGBA").tobytes("raw", "BGRA")

    def text(self, number: int) -> PageText:
        """Return no characters: those of a picture are recognised elsewhere."""
        return PageText(number, "", ())

    def links(self, _number: int) -> tuple[PageLink, ...]:
        return ()

    def figures(self, _: int) -> list[Figure]:
        """Return no figures: there are no captions that name them."""
        return []

    def seen(self, number: int) -> bytes:
        """Return a page as a JPEG, for a model."""
        longest = max(size_seen(*self._sizes[number - 1]))
        return jpeg_seen(decoded(self._data, longest, number - 1))

    def _page(self, number: int) -> Image:
        if self._shown is None or self._shown[0] != number:
            self._shown = number, decoded(self._data, _SHARPEST, number - 1)
        return self._shown[1]
