"""The links of a PDF's pages: to web addresses and to places of the file; no others are ever followed."""

from __future__ import annotations

import ctypes
from contextlib import closing
from typing import TYPE_CHECKING, Any

from app.domain.pages import PageLink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.domain.pages import Box

_MOST = 1_000  # of a page
_MOST_TARGETS = 64  # pages that are looked at for where on them a page's links lead
_LONGEST = 2_000  # bytes of an address


def links_of(document: Any, number: int, shown: Callable[[Any], Callable[[Any], Box]]) -> Iterator[PageLink]:  # noqa: ANN401
    """Yield the links of a page; ``shown`` returns what turns a rectangle of a page into its box."""
    import pypdfium2.raw as pdfium

    ways: dict[int, Callable[[Any], Box]] = {}
    position, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    with closing(document[number - 1]) as page:
        here = shown(page)
        for _ in range(_MOST):
            if not pdfium.FPDFLink_Enumerate(page, position, link):
                return
            if not pdfium.FPDFLink_GetAnnotRect(link, rectangle):
                continue
            box, target = here(rectangle), _target(document, link)
            if isinstance(target, str):
                yield PageLink(box, address=target)
            elif target is not None:
                index = pdfium.FPDFDest_GetDestPageIndex(document, target)
                if not 0 <= index < len(document):
                    continue
                if index not in ways and len(ways) < _MOST_TARGETS:
                    with closing(document[index]) as there:
                        ways[index] = shown(there)
                yield PageLink(box, page=index + 1, y=_height(target, ways.get(index)))


def _target(document: Any, link: Any) -> Any:  # noqa: ANN401 - an address, or a place of PDFium's
    """Return a web address or a place of the file; None for programs, other files and scripts."""
    import pypdfium2.raw as pdfium

    action = pdfium.FPDFLink_GetAction(link)
    if not action:
        return pdfium.FPDFLink_GetDest(document, link) or None
    kind = pdfium.FPDFAction_GetType(action)
    if kind == pdfium.PDFACTION_GOTO:
        return pdfium.FPDFAction_GetDest(document, action) or None
    if kind != pdfium.PDFACTION_URI:
        return None
    length = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
    if not 0 < length <= _LONGEST:
        return None
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(document, action, buffer, length)
    address = buffer.value.decode("utf-8", "replace").strip()
    return address if address.lower().startswith(("http://", "https://")) else None


def _height(place: Any, way: Callable[[Any], Box] | None) -> float:  # noqa: ANN401
    """Return how far below a page's upper edge a place is; 0 if it names the page only."""
    import pypdfium2.raw as pdfium

    has_x, has_y, has_zoom = (pdfium.FPDF_BOOL() for _ in range(3))
    x, y, zoom = (pdfium.FS_FLOAT() for _ in range(3))
    pdfium.FPDFDest_GetLocationInPage(place, has_x, has_y, has_zoom, x, y, zoom)
    if way is None or not has_y:
        return 0.0
    spot = pdfium.FS_RECTF(x.value, y.value, x.value, y.value)
    return max(way(spot).top, 0.0)
