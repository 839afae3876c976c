"""Lines with Hebrew or Arabic on a PDF page: from where characters stand to the order they are read in.

PDFium turns such lines around, but mixes up parts in the other direction: in a Hebrew line, the words of an
English term change places. So only positions count.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise

from app.core.documents.readers.pdf.lines import RIGHT_TO_LEFT, Glyph, Run, joined_run, reads_backwards

_SPACE = 0.12  # heights of the line between two words, at least
_TURNED = re.compile("[\u05d0-\u05ea\u0620-\u06ff\u0750-\u077f\u08a0-\u08c9]")  # Hebrew and Arabic letters
_KINDS = {"R": "R", "AL": "R", "L": "L", "EN": "E", "AN": "A", "CS": "S", "ES": "S", "ET": "T"}
_BACKWARDS = re.compile("R(?:[^L]*R)?")  # within a line from left to right
# Within one from right to left: terms and numbers.
_FORWARDS = re.compile("L(?:[^R]*[LEA])?|T?E(?:S?E)*T?|A(?:S?A)*")
_OPENING, _CLOSING = tuple("([{«"), tuple(")]}»")
_MIRRORED = str.maketrans("([{«)]}»", ")]}»([{«")
# PDFium mirrors some of the brackets that stand beside Hebrew and Arabic.
_WRONG_WAY = re.compile(r"(?<=\S)[(\[{«](?=[\s.,;:!?،؛]|\Z)|(?<!\S)[)\]}»](?=\S)")
_ALEF_LAM = re.compile("([اأإآٱ])ل")


@dataclass
class _Word:
    """Letters side by side, all of one kind, in the order they are read in; ``index``: in PDFium's order."""

    text: str
    box: tuple[float, float, float, float]
    index: int
    after_space: bool  # as PDFium has it


def runs_in_order(glyphs: Sequence[Glyph], *, fixed: bool, backwards: bool) -> Iterator[Run]:
    """Yield the runs of a line, cut where it is wide open; ``backwards``: the page is from right to left."""
    if not any(_TURNED.search(glyph[0]) for glyph in glyphs):
        for part in _parts(glyphs):
            run = joined_run(part, fixed=fixed)
            yield replace(run, text=run.text.strip())
        return
    words = sorted(_words(_letters(glyphs)), key=lambda word: _centre(word.box))
    whole = [(word.text, *word.box) for word in words]
    start = 0
    for part in _parts(whole):
        end = start + len(part)
        text = _text(words[start:end], backwards=backwards)
        yield replace(joined_run(part, fixed=fixed), text=text)
        start = end


def _parts(glyphs: Sequence[Glyph]) -> Iterator[Sequence[Glyph]]:
    """Cut where the next character is more than its height away from all before."""
    start, low, high = 0, *glyphs[0][1::2]
    for index, (_, left, bottom, right, top) in enumerate(glyphs):
        if max(left - high, low - right) > top - bottom:
            yield glyphs[start:index]
            start, low, high = index, left, right
        low, high = min(low, left), max(high, right)
    yield glyphs[start:]


def _text(words: Sequence[_Word], *, backwards: bool) -> str:
    """Return what stands from left to right in the order it is read in."""
    is_mixed = any(RIGHT_TO_LEFT.search(word.text) for word in words)
    texts = [words[0].text]
    for last, word in pairwise(words):
        is_told = _has_space(last, word, is_mixed=is_mixed)
        if is_told or word.box[0] - last.box[2] > _SPACE * (word.box[3] - word.box[1]):
            texts.append(" ")
        texts.append(word.text)
    if is_mixed and (backwards or reads_backwards("".join(texts))):
        texts = _turned(texts)
    else:
        for found in _BACKWARDS.finditer("".join(map(_kind, texts))):
            texts[found.start() : found.end()] = _turned(texts[found.start() : found.end()])
    text = " ".join("".join(texts).split())
    if is_mixed:
        text = _WRONG_WAY.sub(lambda found: found.group().translate(_MIRRORED), text)
    return unicodedata.normalize("NFC", text)


def _has_space(last: _Word, word: _Word, *, is_mixed: bool) -> bool:
    """Whether PDFium has a space between two words; in mixed lines it may have moved next to a sign."""
    if last.index + 1 == word.index:
        return word.after_space and (not is_mixed or _kind(last.text) in "RLEAST")
    is_backwards = last.index == word.index + 1 and {_kind(last.text), _kind(word.text)} <= set("REA")
    return is_backwards and last.after_space


def _turned(texts: Sequence[str]) -> list[str]:
    """Return what is seen from left to right in the order it is read from the right."""
    kinds = "".join(map(_kind, texts))
    turned: list[str] = []
    end = 0
    for found in _FORWARDS.finditer(kinds):
        turned += texts[end : found.start()]
        end = found.end()
        inside = "".join(texts[found.start() : end])
        brackets = sum(map(inside.count, "()"))
        if brackets % 2 and "".join(texts[end : end + 1]) in ("(", ")"):
            inside, end = inside + ")", end + 1
        turned.append(inside)
    turned = [*turned, *texts[end:]][::-1]
    mirrored = [text.translate(_MIRRORED) if len(text) == 1 else text for text in turned]
    return min(turned, mirrored, key=_unpaired)


def _unpaired(texts: Sequence[str]) -> int:
    """Return how many brackets neither open nor close anything."""
    opened = alone = 0
    for text in texts:
        opened += text in _OPENING
        if text in _CLOSING:
            alone += not opened
            opened -= opened > 0
    return alone + opened


def _words(letters: Sequence[Glyph]) -> list[_Word]:
    """Join letters of one kind that follow each other; a sign is a word of its own."""
    words: list[list[Glyph]] = []
    for letter in letters:
        last = words[-1][-1] if words else letter
        gap = max(letter[1] - last[3], last[1] - letter[3]) / max(letter[4] - letter[2], 1.0)
        is_near = gap <= _SPACE and letter[0][0] != " "
        if words and is_near and _kind(letter[0]) == _kind(last[0]) in "RLEA":
            words[-1].append(letter)
        else:
            words.append([letter])
    return [_word(index, word) for index, word in enumerate(words)]


def _word(index: int, letters: list[Glyph]) -> _Word:
    texts, lefts, bottoms, rights, tops = zip(*letters, strict=True)
    is_seen = _kind(texts[0]) == "R" and _centre(letters[0][1:]) < _centre(letters[-1][1:])
    text = "".join(texts[::-1] if is_seen else texts)  # a few files have the order in which letters are seen
    box = (min(lefts), min(bottoms), max(rights), max(tops))
    return _Word(text.strip(), box, index, texts[0].startswith(" "))


def _letters(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Return what stands in one place as one, and marks with the letter before, in PDFium's order."""
    letters: list[Glyph] = []
    replaced: set[str] = set()
    for box, group in groupby(glyphs, key=lambda glyph: glyph[1:]):
        text = "".join(glyph[0] for glyph in group)
        plain = text.strip()
        if letters and all(map(unicodedata.combining, plain)):
            letters[-1] = (letters[-1][0] + plain, *letters[-1][1:])
            continue
        if sum(not unicodedata.combining(sign) for sign in plain) > 2 and RIGHT_TO_LEFT.search(plain):
            # The text that a file gives in place of its signs. PDFium has reversed it, and repeats it.
            if plain in replaced:
                continue
            replaced.add(plain)
            text = f" {plain[::-1]} "
        elif len(plain) == 2:
            text = text.replace(plain, _ALEF_LAM.sub(r"ل\1", plain))
        letters.append((text, *box))
    return letters


def _centre(box: Sequence[float]) -> float:
    return box[0] + box[2]


@lru_cache(maxsize=4096)
def _kind(text: str) -> str:
    """Return R for a letter read from the right, L for another, E, A, S or T for a digit or number's sign."""
    return _KINDS.get(unicodedata.bidirectional(text.strip()[:1] or " "), "N")
