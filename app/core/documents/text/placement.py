"""Finds the characters of a page that a stretch of a document's text was read from.

A reader changes what it reads: it joins divided words, orders columns, leaves out what repeats on every
page, writes tables in Markdown. So only letters and digits are compared, whatever stands between them, and
the text is matched with the page in stretches, longest first, which may stand in another order.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from app.domain.words import folded

PAGE_END = "\f"

_GRAM = 8  # letters that a stretch has at least, unless it stands between two others
_LONGEST_LOOK = 80  # letters looked ahead to tell apart places that begin alike
_PLACES = 64  # looked at, of those that begin alike
_NEAR = 600  # letters around its neighbours in which a shorter stretch is looked for
_SHORT, _BESIDE = 3, 12  # a stretch with fewer letters stands within so many of its neighbour
_GAP = 24  # characters that are no letters, such as a formula's signs, between two that belong together


def places(text: str, spans: Sequence[tuple[int, int]], characters: str) -> list[list[int]]:
    """Return for each span of ``text`` the indices of its characters, in order.

    ``characters`` may be those of several pages with :data:`PAGE_END` between them.
    """
    keys, origins = _keys(text)
    page_keys, page_origins = _keys(characters)
    found, used = _matched(keys, page_keys)
    result = []
    for start, end in spans:
        first, last = bisect_left(origins, start), bisect_left(origins, end)
        _fill(found, used, keys, page_keys, first, last)
        hits = sorted({page_origins[at] for at in found[first:last] if at >= 0})
        result.append(list(_with_signs(hits, characters, text[start:end])))
    return result


@lru_cache(maxsize=4096)
def _key(character: str) -> str:
    """Return the plain letters and digits that a character stands for; none goes on over a page's end."""
    if character == PAGE_END:
        return character
    return "".join(one for one in folded(character) if one.isalnum())


def _keys(text: str) -> tuple[str, list[int]]:
    """Return the letters of a text, and where each stands in it."""
    keys, origins = [], []
    for at, character in enumerate(text):
        if key := _key(character):
            keys.append(key)
            origins.extend([at] * len(key))
    return "".join(keys), origins


def _matched(keys: str, page: str) -> tuple[list[int], bytearray]:
    """Return for each letter of the text its index on the page or -1, and which of the page's are taken."""
    grams: defaultdict[str, list[int]] = defaultdict(list)
    for at in range(len(page) - _GRAM + 1):
        grams[page[at : at + _GRAM]].append(at)
    found, used = [-1] * len(keys), bytearray(len(page))
    at, expected = 0, 0
    while at < len(keys):
        candidates = [one for one in grams.get(keys[at : at + _GRAM], ()) if not used[one]]
        if not candidates:
            at += 1
            continue
        candidates.sort(key=lambda one: (one < expected, abs(one - expected)))
        place = max(candidates[:_PLACES], key=lambda one: _common(keys, at, page, one))
        while at < len(keys) and place < len(page) and keys[at] == page[place] and not used[place]:
            found[at], used[place] = place, 1
            at, place = at + 1, place + 1
        expected = place
    return found, used


def _common(keys: str, at: int, page: str, place: int) -> int:
    """Return how many letters are alike from two places on."""
    length = _GRAM
    limit = min(_LONGEST_LOOK, len(keys) - at, len(page) - place)
    while length < limit and keys[at + length] == page[place + length]:
        length += 1
    return length


def _fill(found: list[int], used: bytearray, keys: str, page: str, first: int, last: int) -> None:
    """Match the letters from ``first`` to ``last`` that no stretch holds with what is free near them."""
    at = first
    while at < last:
        if found[at] >= 0:
            at += 1
            continue
        before = found[at - 1] if at else -1
        gap = next((one - at for one in range(at, last) if found[one] >= 0), last - at)
        for length in range(min(gap, _GRAM - 1), 0, -1):
            wanted = keys[at : at + length]
            near = _NEAR if length >= _SHORT else _BESIDE
            place = _free(page, used, wanted, before + 1, before + 1 + near)
            if place < 0 and length >= _SHORT:
                place = _free(page, used, wanted, max(before - near, 0), before + 1)
            if place >= 0:
                found[at : at + length] = range(place, place + length)
                used[place : place + length] = b"\1" * length
                at += length
                break
        else:
            at += 1


def _free(page: str, used: bytearray, wanted: str, start: int, end: int) -> int:
    """Return where letters stand that are not taken, or -1."""
    place = page.find(wanted, start, end)
    while place >= 0 and any(used[place : place + len(wanted)]):
        place = page.find(wanted, place + 1, end)
    return place


def _with_signs(hits: Sequence[int], characters: str, text: str) -> Iterator[int]:
    """Yield the indices of letters, and those of the signs between and after them."""
    last = None
    for hit in hits:
        if last is not None and hit - last <= _GAP and not any(map(_key, characters[last + 1 : hit])):
            yield from range(last + 1, hit)
        yield hit
        last = hit
    end = len(text)
    while end and not _key(text[end - 1]):
        end -= 1
    for sign in text[end:].split():
        for character in sign:
            if last is None or characters[last + 1 : last + 2] != character:
                return
            last += 1
            yield last
