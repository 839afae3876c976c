"""The figures that sources are about, and their pages as a model sees them."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import ceil, floor

from app.core.documents.page_process import PageProcess
from app.core.sandbox import Sandbox
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.figures import Figure, FigurePicture, labels_in
from app.domain.pages import Box, PagedFile, Strip
from app.domain.search import SearchHit
from app.domain.sources import Source

_MOST_FIGURES = 8  # of one answer
_MOST_PAGES = 6  # of one passage
_WIDTH = 900  # pixels of a figure
_FINEST = 4.0  # pixels a point
_LARGEST = 2**21  # pixels

_log = logging.getLogger(__name__)


class FigureService:
    """Reads PDFs that have not changed since. Thread-safe."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def figures(self, sources: Sequence[Source], token: CancelToken) -> dict[int, FigurePicture]:
        """Return by source number the figures whose captions sources hold, or that they name.

        Raises Cancelled.
        """
        wanted = [one for one in sources if page_of(one.hit) and labels_in(one.hit.text)]
        found = {}
        for process, file, source in self._opened(wanted[:_MOST_FIGURES], token):
            with suppress(UserError):
                figure = process.figure(_pages_around(source.hit), labels_in(source.hit.text), token)
                if figure is not None and 0 < figure.page <= len(file.sizes):
                    size = file.sizes[figure.page - 1]
                    # What is drawn beyond a page's edges, or a page's greatest length, has no pixels.
                    figure = figure._replace(box=figure.box.common(Box(0.0, 0.0, *size)))
                    if not figure.box.is_empty:
                        found[source.n] = _picture(process, figure, size, token)
        return found

    def pages_seen(self, sources: Sequence[Source], most: int, token: CancelToken) -> dict[int, bytes]:
        """Return by source number the pages of sources that show more than text, as JPEGs.

        Raises Cancelled.
        """
        found: dict[int, bytes] = {}
        for process, _, source in self._opened([one for one in sources if page_of(one.hit)], token):
            with suppress(UserError):
                if picture := process.seen(page_of(source.hit) or 0, token):
                    found[source.n] = picture
            if len(found) == most:
                break
        return found

    def _opened(
        self, sources: Sequence[Source], token: CancelToken
    ) -> Iterator[tuple[PageProcess, PagedFile, Source]]:
        """Open the file of each source; leave out what has changed, has gone or cannot be shown."""
        process = PageProcess(self._sandbox)
        for source in sources:
            try:
                yield process, process.open(source.hit.path, source.document_sha256, token), source
            except UserError as error:
                _log.info("No picture for a source: %s", error)


def page_of(hit: SearchHit) -> int | None:
    """Return the page of a PDF that a passage is shown at; None for other files, and those on a server."""
    anchor = hit.anchor if hit.document_id >= 0 else None
    is_page = anchor is not None and anchor.kind in ("page", "scan")
    return int(anchor.value) if anchor is not None and is_page else None


def _pages_around(hit: SearchHit) -> list[int]:
    """Return the pages of a passage, and those beside it."""
    page = page_of(hit) or 1
    first, last = hit.pages or (page, page)
    last = min(last, first + _MOST_PAGES)
    return list(dict.fromkeys((page, *range(first, last + 1), last + 1, first - 1)))


def _picture(
    process: PageProcess, figure: Figure, size: tuple[float, float], token: CancelToken
) -> FigurePicture:
    left, top, right, bottom = figure.box
    width, height = right - left, bottom - top
    scale = min(_WIDTH / width, _FINEST, (_LARGEST / (size[0] * height)) ** 0.5)
    strip = Strip(figure.page, ceil(size[0] * scale), floor(top * scale), max(ceil(height * scale), 1))
    rows = process.picture(strip, token).pixels
    first, count = 4 * floor(left * scale), 4 * max(floor(width * scale), 1)
    starts = range(first, len(rows), 4 * strip.width)
    return FigurePicture(figure, count // 4, strip.height, b"".join(rows[at : at + count] for at in starts))
