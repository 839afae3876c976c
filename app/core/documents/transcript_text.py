"""The text of a transcript: WebVTT, in which words that may be other ones stand in ``<c.unsure>``."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import NamedTuple

from app.core.documents.readers.captions import read_captions
from app.domain.documents import DocumentText

_CUE = re.compile(r"^(?P<times>(?:(\d+):)?(\d\d):(\d\d\.\d{3}) --> [\d:.]+)\n(?P<text>[^\n]*)$", re.MULTILINE)
_UNSURE = re.compile(r"<c\.unsure>([^<\n]*)</c>")
_HEADING = re.compile(r"^NOTE Heading: ([^\n]+)\n\n", re.MULTILINE)
_TAG = re.compile(r"</?c[^<>\n]*>")

HeardCue = tuple[float, float, Sequence[tuple[str, bool]]]
"""Start and end in seconds, and words with the space before them, with whether they may be other ones."""


def beginning(model: str) -> str:
    """Return what a transcript begins with."""
    return f"WEBVTT\n\nNOTE Transcribed by Lectern with {model}, not by a person.\n"


def written(cues: Iterable[HeardCue]) -> str:
    return "".join(f"\n{_time(start)} --> {_time(end)}\n{_marked(words)}\n" for start, end, words in cues)


def _marked(words: Iterable[tuple[str, bool]]) -> str:
    line = ""
    for word, is_unsure in words:
        text = html.escape(word.strip(), quote=False)
        space = " " if word[:1].isspace() and line else ""
        line += f"{space}<c.unsure>{text}</c>" if is_unsure and text else space + text
    return line


def _time(seconds: float) -> str:
    minutes, milliseconds = divmod(round(seconds * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{milliseconds // 1000:02}.{milliseconds % 1000:03}"


def text_of(vtt: str) -> DocumentText:
    """Return a transcript as the text of a document, with its headings."""
    document = read_captions(vtt.encode())
    titles = {
        _seconds(cue): note[1]
        for note in _HEADING.finditer(vtt)
        if (cue := _CUE.match(vtt, note.end())) is not None
    }
    text, at, marks = "", 0, []
    for mark in document.marks:
        title = titles.get(round(float(mark.anchor.value), 3))
        if title is not None:
            text = f"{text}{document.text[at : mark.start]}".rstrip()
            text += "\n\n" if text else ""
            marks.append(mark._replace(start=len(text)))
            text, at = f"{text}## {title}\n\n", mark.start
        marks.append(mark._replace(start=len(text) + mark.start - at))
    return replace(document, text=text + document.text[at:], marks=tuple(marks))


def paragraphs_of(document: DocumentText) -> dict[float, str]:
    """Return the paragraphs of a transcript by the seconds at which they begin."""
    starts = [0, *(found.end() for found in re.finditer("\n\n", document.text))]
    parts = dict(zip(starts, document.text.split("\n\n"), strict=True))
    return {float(mark.anchor.value): parts[mark.start] for mark in document.marks if mark.start in parts}


def with_headings(vtt: str, titles: Mapping[float, str]) -> str:
    """Return a transcript with headings, by the seconds at which their cues begin."""

    def headed(cue: re.Match[str]) -> str:
        title = titles.get(_seconds(cue))
        return cue[0] if title is None else f"NOTE Heading: {title.replace('-->', '→')}\n\n{cue[0]}"

    return _CUE.sub(headed, vtt)


def unsure_words(vtt: str, document: DocumentText) -> Iterator[tuple[int, int]]:
    """Yield where words that may be other ones stand in the text that was read of a transcript."""
    places = {round(float(mark.anchor.value), 3): mark.start for mark in document.marks}
    for cue in _CUE.finditer(vtt):
        start = places.get(_seconds(cue), len(document.text))
        for found in _UNSURE.finditer(cue["text"]):
            word, before = _plain(found[1]), _plain(cue["text"][: found.start()])
            begin = start + len(before)
            if document.text.startswith(word, begin):
                yield begin, begin + len(word)


class _Word(NamedTuple):
    cue: int
    raw: str
    start: int  # in the document
    end: int


def corrected(vtt: str, document: DocumentText, start: int, end: int, text: str) -> str:
    """Return a transcript with a span of its document replaced by ``text``.

    Each word of it goes to the cue of the word that it takes the place of, and counts as sure.
    """
    places = {round(float(mark.anchor.value), 3): mark.start for mark in document.marks}
    cues = list(_CUE.finditer(vtt))
    words = [word for index, cue in enumerate(cues) for word in _words(index, cue, places, document.text)]
    old = [word for word in words if word.start < end and word.end > start]
    if not old:
        return vtt
    before, after = document.text[old[0].start : start], document.text[end : old[-1].end]
    new = [html.escape(word, quote=False) for word in f"{before}{text}{after}".split()]
    kept = [word for word in words if word.start >= old[-1].end]
    words = [word for word in words if word.end <= old[0].start]
    matcher = SequenceMatcher(
        None, [_plain(word.raw) for word in old], list(map(html.unescape, new)), autojunk=False
    )
    for _, first, last, begin, stop in matcher.get_opcodes():
        for index in range(begin, stop):
            at = first + (index - begin) * (last - first) // (stop - begin)
            words.append(old[min(at, len(old) - 1)]._replace(raw=new[index]))
    lines: dict[int, list[str]] = {}
    for word in words + kept:
        lines.setdefault(word.cue, []).append(word.raw)
    touched = {word.cue for word in old}
    for index in sorted(touched, reverse=True):
        cue, line = cues[index], " ".join(lines.get(index, ()))
        whole = f"{cue['times']}\n{line}" if line else ""
        vtt = vtt[: cue.start()] + whole + vtt[cue.end() :]
    return vtt


def _words(index: int, cue: re.Match[str], places: dict[float, int], text: str) -> Iterator[_Word]:
    place = places.get(_seconds(cue), len(text))
    for raw in cue["text"].split(" "):
        plain = _plain(raw)
        if plain and (place := text.find(plain, place)) >= 0:
            yield _Word(index, raw, place, place + len(plain))
            place += len(plain)


def _plain(raw: str) -> str:
    return html.unescape(_TAG.sub("", raw))


def _seconds(cue: re.Match[str]) -> float:
    return round(int(cue[2] or 0) * 3600 + int(cue[3]) * 60 + float(cue[4]), 3)
