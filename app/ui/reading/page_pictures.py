"""The pictures of pages that are kept in memory, and which is wanted next."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.domain.pages import PagePicture, Strip

MOST_BYTES = 100 * 2**20
"""Of all pictures; what was not looked at for longest goes first."""


class PagePictures:
    """Pictures by strip."""

    def __init__(self) -> None:
        self._images: OrderedDict[Strip, tuple[QImage, bytes]] = OrderedDict()
        self._failed: set[Strip] = set()
        self.bytes = 0

    def clear(self) -> None:
        self._images.clear()
        self._failed.clear()
        self.bytes = 0

    def add(self, picture: PagePicture) -> None:
        strip = picture.strip
        # The image does not own its bytes, so both are kept.
        image = QImage(picture.pixels, strip.width, strip.height, 4 * strip.width, QImage.Format.Format_RGB32)
        self._images[strip] = image, picture.pixels
        self.bytes += len(picture.pixels)
        while self.bytes > MOST_BYTES and len(self._images) > 1:
            _, (_, pixels) = self._images.popitem(last=False)
            self.bytes -= len(pixels)

    def give_up(self, strip: Strip) -> None:
        """Ask no more for a strip that cannot be drawn; its place stays white."""
        self._failed.add(strip)

    def image(self, strip: Strip) -> QImage | None:
        if strip not in self._images:
            return None
        self._images.move_to_end(strip)
        return self._images[strip][0]

    def stand_ins(self, page: int) -> Iterator[tuple[Strip, QImage]]:
        """Yield pictures of a page in other sizes, to show until it is drawn."""
        return ((strip, image) for strip, (image, _) in self._images.items() if strip.page == page)

    def missing(self, strips: Iterable[Strip]) -> Strip | None:
        """Return the first strip without a picture."""
        return next((one for one in strips if one not in self._images and one not in self._failed), None)
