"""Removes what repeats on the pages of a PDF: running headers and footers, page numbers, stamps."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from statistics import median

from app.core.documents.readers.pdf.lines import PdfLine, PdfPage, Run, rows_of

_EDGE = 3  # rows examined at the top and at the bottom
_SAME_PLACE = 8.0  # points
_TITLE = 1.2  # times the height of most letters; a larger line is a title
_SLIDE_TEXT = 0.9  # on slides, running lines are smaller than the text, of which each step repeats the last
_LARGE, _FEW = 15.0, 150  # points a letter is high, and words on a page, of slides on upright pages
_WORD = re.compile(r"[^\W\d_]{3,}")
_DIGITS = re.compile(r"\d+")
_LONE_NUMBER = re.compile(
    r"(?:page|seite|p\.|slide|folie)?\s*+[-–—]?+\s*+(?:\d{1,4}|[ivxlc]{1,7})\s*+[-–—]?+"
    r"(?:\s*+(?:/|of|von|\|)\s*+\d{1,4})?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:page|seite|slide|folie)\s+\d{1,4}(?:\s*(?:/|of|von)\s*\d{1,4})?", re.IGNORECASE)


def body_height(runs: Iterable[Run]) -> float:
    heights = Counter[float]({1.0: 0})
    for run in runs:
        heights[round(run.height, 1)] += len(run.text)
    return heights.most_common(1)[0][0]


def without_repeated_lines(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """Return pages without running lines, nor what repeats on them across or at their side.

    A running line with a word found nowhere else is kept once, apart from the text: a footer may be the only
    place that names the course.
    """
    slides = 2 * sum(page.is_wide for page in pages) > len(pages) or _are_slides(pages)
    kept = without_running_lines([page.runs for page in pages], slides=slides)
    texts = [(*page.lines, *map(_text, page.sideways)) for page in pages]
    times = Counter(chain.from_iterable(map(set, texts)))
    often = {text for text, count in times.items() if len(pages) > 1 and count >= _needed(len(pages))}
    known = {word for runs in kept for run in runs for word in _words(run.text)}
    found = []
    for page, runs in zip(pages, kept, strict=True):
        ids = set(map(id, runs))
        lines = [row.text for row in rows_of(run for run in page.runs if id(run) not in ids)]
        lines += page.lines
        sideways = []
        for part in page.sideways:
            if _text(part) in often:
                lines.append(_text(part))
            else:
                sideways.append(part)
        # What stands on this page only, and what repeats where it stands first.
        new = [line for line in lines if (line in page.lines and line not in often) or _words(line) - known]
        known.update(*map(_words, new))
        found.append(replace(page, runs=runs, sideways=tuple(sideways), lines=tuple(new)))
    return found


def _are_slides(pages: Sequence[PdfPage]) -> bool:
    """Whether upright pages are slides: a few words in large letters."""
    words = [sum(len(run.text.split()) for run in page.runs) for page in pages]
    large = body_height(run for page in pages for run in page.runs) > _LARGE
    return bool(words) and large and median(words) < _FEW


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _text(runs: Iterable[Run]) -> str:
    return " ".join(run.text for run in runs)


def without_running_lines(pages: Sequence[Sequence[Run]], *, slides: bool = False) -> list[list[Run]]:
    """Return each page's runs without running headers, footers and page numbers.

    These are rows at an edge whose words (digits aside) stand there on many pages, or that bear the page's
    number as many pages do; from the edge inwards, where a gap separates them from the text. A title is none,
    and a page that has nothing else keeps its words.
    """
    rows = [rows_of(page) for page in pages]
    limit = body_height(chain.from_iterable(pages)) * (_SLIDE_TEXT if slides else _TITLE)
    dropped: list[set[PdfLine]] = [set() for _ in pages]
    for direction in (1, -1):
        edges = [page[::direction][:_EDGE] for page in rows]
        repeated, everywhere = (_repeated(edges, share) for share in (0.3 if slides else 0.0, 0.5))
        offsets = _offsets(edges)
        for index, page in enumerate(rows):
            waiting = []  # rows that go if a gap follows
            for row, following in islice(zip_longest(page[::direction], page[::direction][1:]), _EDGE):
                is_number = _LONE_NUMBER.fullmatch(row.text.strip()) is not None
                if row.height > limit and not is_number:
                    is_running = _key(row) in everywhere
                else:
                    is_running = _key(row) in repeated or _bears_number(row, index, offsets, len(pages))
                if not is_running:
                    break
                waiting.append(row)
                if is_number or _is_apart(row, following):
                    dropped[index].update(waiting)
    are_all = len(pages) < 4 and all(len(gone) == len(page) for page, gone in zip(rows, dropped, strict=True))
    for page, gone in zip(rows, dropped, strict=True):
        if are_all:  # a page or two with nothing but a number
            gone.clear()
        elif len(gone) == len(page):
            gone.difference_update(row for row in page if not _LONE_NUMBER.fullmatch(row.text.strip()))
    return [
        [run for row in page for run in row.runs if row not in gone]
        for page, gone in zip(rows, dropped, strict=True)
    ]


def _is_apart(row: PdfLine, following: PdfLine | None) -> bool:
    """Whether there is a gap between a row and the next one inwards."""
    if following is None:
        return True
    return max(row.bottom - following.top, following.bottom - row.top) > 0.6 * row.height


def _key(row: PdfLine) -> str:
    """Return a row's words with page numbers as a sign; other numbers tell rows apart."""
    words = row.text.casefold().split()
    ends = {0, len(words) - 1}
    ends |= {
        index for index in range(1, len(words)) if words[index - 1] in ("page", "seite", "slide", "folie")
    }
    return " ".join(_DIGITS.sub("#", word) if index in ends else word for index, word in enumerate(words))


def _repeated(edges: Sequence[list[PdfLine]], share: float) -> set[str]:
    """Return the keys of rows that are in the same place on at least a share of the pages."""
    places: dict[str, list[float]] = defaultdict(list)
    for rows in edges:
        for row in rows:
            places[_key(row)].append(row.middle)
    needed = _needed(len(edges))
    if len(edges) > 20 and not share:
        needed = min(needed, 6)  # a chapter's name stands over its own pages only
    needed = max(needed, math.ceil(share * len(edges)))
    return {
        key
        for key, heights in places.items()
        if len(edges) > 1
        and any(sum(0 <= other - low <= _SAME_PLACE for other in heights) >= needed for low in set(heights))
    }


def _needed(pages: int) -> int:
    return 2 if pages < 4 else max(3, math.ceil(pages * 0.3))


def _offsets(edges: Sequence[list[PdfLine]]) -> set[int]:
    """Return by how much printed page numbers differ from page indexes, where many pages bear one."""
    found: Counter[int] = Counter()
    for index, rows in enumerate(edges):
        found.update({number - index for row in rows for number in _outer_numbers(row)})
    return {offset for offset, times in found.items() if times >= _needed(len(edges))}


def _outer_numbers(row: PdfLine) -> set[int]:
    words = row.text.split()
    return {int(word) for word in (*words[:1], *words[-1:]) if word.isdecimal() and len(word) < 5}


def _bears_number(row: PdfLine, index: int, offsets: set[int], pages: int) -> bool:
    text = row.text.strip()
    if _NUMBERED.fullmatch(text):
        return True
    if any(number - index in offsets for number in _outer_numbers(row)):
        return len(row.text) < 150
    return bool((offsets or pages == 1) and len(row.text) < 20 and _LONE_NUMBER.fullmatch(text))
