"""Shows the pages of a file of unknown origin from a child process, like :mod:`app.core.documents.sandbox`.

The child holds one file in memory: what is shown is what was compared with the library.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app.core.child_process import ChildDied, ChildOverspent, ChildProcess, ChildTimedOut
from app.core.documents.formats import FORMATS
from app.core.documents.opening import read_bytes
from app.core.documents.readers import ReaderError
from app.core.documents.text.placement import PAGE_END, places
from app.domain.errors import UnreadableFile, UserError
from app.domain.figures import Figure, FigureLabel
from app.domain.messages import Message
from app.domain.pages import (
    Box,
    Mark,
    OutlineEntry,
    PagedFile,
    PageLink,
    PagePicture,
    PageText,
    RecognizedLine,
    Strip,
    lines_of,
    recognized_line,
    text_of_lines,
)
from app.domain.plain_text import shown_name
from app.domain.words import occurrences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from app.core.documents.images import PicturePages
    from app.core.documents.readers.pdf.pages import PdfPages
    from app.domain.cancel import CancelToken

_SECONDS = 20.0  # of processor time for a picture, or for some pages to be searched
_CLOCK_SECONDS = 120.0
_MEMORY = 2 * 2**30
_MOST_BYTES = next(one.max_bytes for one in FORMATS if one.kind == "pdf")
_FOUND, _REFUSED = b"=", b"!"

R = TypeVar("R")


class PageProcess(AbstractContextManager["PageProcess"]):
    """Holds a file open in a child process, started by the first request. For one thread.

    ``recognized`` returns the lines that were recognised on pages of a file, by its digest. Every method
    raises UserError if the file, or one of its pages, cannot be shown, and Cancelled.
    """

    def __init__(
        self, recognized: Callable[[str], Mapping[int, Sequence[RecognizedLine]]] = lambda _: {}
    ) -> None:
        self._recognized = recognized
        self._child = ChildProcess(
            PageServer(), "lectern-pages", seconds=_CLOCK_SECONDS, cpu_seconds=_SECONDS, memory=_MEMORY
        )
        self._file = ("", "")

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, path: str, sha256: str, token: CancelToken) -> PagedFile:
        """Open a file whose bytes must have a digest; it takes the place of the one that was open."""
        self._file = (path, sha256)
        return self._open(token)

    def picture(self, strip: Strip, token: CancelToken) -> PagePicture:
        pixels = self._ask(token, "picture", strip=strip)
        if len(pixels) != 4 * strip.width * strip.height:
            raise self._failure()
        return PagePicture(strip, pixels)

    def text(self, page: int, token: CancelToken) -> PageText:
        return self._made(_page_text, self._ask(token, "text", page=page))

    def marks(
        self, pages: range, text: str, spans: Sequence[tuple[int, int]], token: CancelToken
    ) -> list[tuple[Mark, ...]]:
        """Return for each span of ``text``, which was read from ``pages``, the lines it takes on them."""
        reply = self._ask(token, "marks", pages=[pages.start, pages.stop], text=text, spans=spans)
        return self._made(_marks, reply)

    def find(self, query: str, pages: range, token: CancelToken) -> list[tuple[Mark, ...]]:
        """Return the places of some words; case, accents and line ends make no difference."""
        return self._made(_marks, self._ask(token, "find", pages=[pages.start, pages.stop], query=query))

    def figure(
        self, pages: Sequence[int], labels: Sequence[FigureLabel], token: CancelToken
    ) -> Figure | None:
        """Return the first of some figures that stands on one of the pages; None if none does."""
        return self._made(_figure, self._ask(token, "figure", pages=pages, labels=labels))

    def seen(self, page: int, token: CancelToken) -> bytes:
        """Return a page as a JPEG of about a million pixels; nothing for one that is only text."""
        return self._ask(token, "seen", page=page)

    def close(self) -> None:
        self._child.close()
        self._file = ("", "")

    def _open(self, token: CancelToken) -> PagedFile:
        path, sha256 = self._file
        lines = self._recognized(sha256)
        request = {"do": "open", "path": path, "sha256": sha256, "recognized": lines}
        return self._made(_paged_file, self._reply(token, request))

    def _ask(self, token: CancelToken, what: str, **arguments: object) -> bytes:
        """Ask about the open file; a child that has ended meanwhile is replaced."""
        if not self._child.is_alive:
            self._open(token)
        return self._reply(token, {"do": what, **arguments})

    def _reply(self, token: CancelToken, request: Mapping[str, object]) -> bytes:
        try:
            reply = self._child.ask(json.dumps(request).encode(), token)
        except (ChildDied, ChildTimedOut, ChildOverspent) as error:
            raise self._failure() from error
        if reply.startswith(_REFUSED):
            raise UserError(Message.from_json(reply[1:].decode("utf-8", "replace")))
        return reply[1:]

    def _made(self, make: Callable[[Any], R], reply: bytes) -> R:
        """Return what a reply stands for: plain data only, since a file may have led the child astray."""
        try:
            return make(json.loads(reply))
        except (ValueError, TypeError, KeyError) as error:
            raise self._failure() from error

    def _failure(self) -> UserError:
        return UserError(Message("documents.pages_not_shown", name=shown_name(Path(self._file[0]))))


def _paged_file(found: dict[str, Any]) -> PagedFile:
    sizes = tuple((float(width), float(height)) for width, height in found["sizes"])
    outline = (OutlineEntry(int(level), str(title), int(page)) for level, title, page in found["outline"])
    return PagedFile(sizes, tuple(one for one in outline if 0 < one.page <= len(sizes)))


def _page_text(found: dict[str, Any]) -> PageText:
    boxes = tuple(Box(*map(float, box)) for box in found["boxes"])
    if len(boxes) != len(found["text"]):
        raise ValueError("a character has no box")
    links = (
        PageLink(Box(*map(float, box)), str(address), int(page), float(y))
        for box, address, page, y in found["links"]
    )
    return PageText(int(found["page"]), str(found["text"]), boxes, tuple(links))


def _marks(found: list[Any]) -> list[tuple[Mark, ...]]:
    return [tuple(Mark(int(page), Box(*map(float, box))) for page, box in one) for one in found]


def _figure(found: list[Any] | None) -> Figure | None:
    if found is None:
        return None
    (kind, number), caption, page, box = found
    label = FigureLabel("table" if kind == "table" else "figure", str(number))
    return Figure(label, str(caption), int(page), Box(*map(float, box)))


# In the child


class PageServer:
    """Answers requests about the file that it holds open."""

    def __init__(self) -> None:
        self._pages: PdfPages | PicturePages | None = None
        self._recognized: dict[int, list[RecognizedLine]] = {}
        self._name = ""

    def __call__(self, request: bytes, _: Callable[[bytes], None]) -> bytes:
        wanted = json.loads(request)
        try:
            return _FOUND + self._answer(wanted.pop("do"), **wanted)
        except UnreadableFile as error:
            message = error.message
        except (ReaderError, MemoryError):
            message = Message("documents.pages_not_shown", name=self._name)
        return _REFUSED + message.to_json().encode()

    def _answer(self, what: str, **wanted: Any) -> bytes:  # noqa: ANN401 - as JSON has it
        if what == "open":
            return _encoded(self._open(**wanted))
        assert self._pages is not None
        if what == "picture":
            return self._pages.picture(Strip(*wanted["strip"]))
        if what == "text":
            page = wanted["page"]
            return _encoded(_rounded(self._text(self._pages, page), self._pages.links(page)))
        if what == "seen":
            return self._pages.seen(wanted["page"])
        if what == "figure":
            return _encoded(self._figure(wanted["pages"], [FigureLabel(*one) for one in wanted["labels"]]))
        first, end = wanted["pages"]
        numbers = range(max(first, 1), min(end, self._pages.count + 1))
        texts = [self._text(self._pages, number) for number in numbers]
        if what == "find":
            return _encoded(list(_found_on(texts, wanted["query"])))
        return _encoded(list(_marked_on(texts, wanted["text"], wanted["spans"])))

    def _figure(self, pages: list[int], labels: list[FigureLabel]) -> Figure | None:
        assert self._pages is not None
        there = [number for number in pages if 0 < number <= self._pages.count]
        found = [figure for number in there for figure in self._pages.figures(number)]
        return next((figure for label in labels for figure in found if figure.label == label), None)

    def _text(self, pages: PdfPages | PicturePages, number: int) -> PageText:
        lines = self._recognized.get(number)
        return pages.text(number) if lines is None else text_of_lines(number, lines)

    def _open(self, path: str, sha256: str, recognized: dict[str, list[Any]]) -> object:
        from app.core.documents.images import PicturePages
        from app.core.documents.readers.pdf.pages import PdfPages
        from app.core.documents.readers.pdf.reader import may_be_pdf

        if self._pages is not None:
            self._pages.close()
            self._pages = None
        self._name = shown_name(Path(path))
        data = read_bytes(Path(path), self._name, _MOST_BYTES)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise UnreadableFile(Message("documents.pages_changed", name=self._name))
        self._pages = PdfPages(data) if may_be_pdf(data) else PicturePages(data)
        self._recognized = {
            int(page): [recognized_line(*line) for line in lines] for page, lines in recognized.items()
        }
        found = self._pages.describe()
        return {"sizes": found.sizes, "outline": found.outline}


def _rounded(text: PageText, links: Iterable[PageLink]) -> dict[str, object]:
    boxes = [[round(side, 1) for side in box] for box in text.boxes]
    return {"page": text.page, "text": text.text, "boxes": boxes, "links": list(links)}


def _found_on(texts: Iterable[PageText], query: str) -> Iterable[object]:
    for text in texts:
        for start, end in occurrences(text.text, query):
            yield [(text.page, line) for line in lines_of(text.boxes[start:end])]


def _marked_on(texts: list[PageText], text: str, spans: list[tuple[int, int]]) -> Iterable[object]:
    owners = [(page, at) for page in texts for at in range(len(page.text) + 1)]  # and the page's end
    for indices in places(text, spans, PAGE_END.join(page.text for page in texts)):
        marks = []
        for page in texts:
            own = (page.boxes[at] for owner, at in map(owners.__getitem__, indices) if owner is page)
            marks += [(page.page, line) for line in lines_of(own)]
        yield marks


def _encoded(reply: object) -> bytes:
    return json.dumps(reply, separators=(",", ":")).encode()
