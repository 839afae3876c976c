"""Captions (SubRip and WebVTT) to running text with a time at each cue.

One scanner reads both and looks only for lines of times, as players do: captions break every other rule.
"""

from __future__ import annotations

import html
import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from app.core.documents.readers.text.plain import decoded, head
from app.core.documents.readers.text_builder import TextBuilder
from app.core.documents.text.display import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.documents import DocumentText

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMES = re.compile(rf"^[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t][^\n]*)?$", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>|<\d[\d:.]*>|\{\\[^{}\n]{0,40}\}")
_VOICE = re.compile(r"<v(?:\.[^\s<>.]{0,40})*[ \t]+([^<>\n]{1,80})>")
_SOUND = re.compile(r"(?:[\[(][^\[\]()]{1,40}[\])]|[♪♫\s])+")
_NUMBER = re.compile(r"\d{1,6}")
_SENTENCE_END = re.compile(r"[.!?…。！？؟]['\"”’»)\]]*$")
_NO_SPACES = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f\uff00-\uffef]")

_PARAGRAPH = 600  # characters after which the next end of a sentence ends a paragraph
_PAUSE = 4.0  # seconds of silence that end a paragraph


def is_captions(data: bytes) -> bool:
    """Whether a file begins as captions do: with a WebVTT header, or a number and a line of times."""
    text = head(data).lstrip("\ufeff \t\r\n").replace("\r\n", "\n")
    if re.match(r"WEBVTT(?:[ \t\n]|$)", text):
        return True
    first, second, *_ = [*text.split("\n", 2), ""]
    return bool(_TIMES.match(first) or (_NUMBER.fullmatch(first.strip()) and _TIMES.match(second)))


def read_captions(data: bytes) -> DocumentText:
    """Join cues into paragraphs; each cue's start is an anchor in seconds.

    Numbers, settings, styles, notes, sounds ("[Music]") and what a rolling cue repeats are left out.
    """
    builder = TextBuilder()
    shown: list[str] = []  # the lines on the screen, to know what is repeated
    paragraph, last = "", 0.0
    for start, end, lines in _cues(decoded(data)):
        fresh = _fresh(shown, lines)
        shown = lines
        if words := one_line(" ".join(fresh)):
            builder.anchor("seconds", start)
            is_speaker = re.match(r"\x02[^\s:][^:]{0,40}: ", fresh[0]) is not None
            is_full = len(paragraph) > _PARAGRAPH and _SENTENCE_END.search(paragraph)
            if not paragraph or is_speaker or is_full or start - last > _PAUSE:
                builder.block(words)
                paragraph = words
            else:
                # Scripts without spaces have none between two cues either.
                joint = "" if _NO_SPACES.match(paragraph[-1]) and _NO_SPACES.match(words) else " "
                builder.run_on(words, joint)
                paragraph += " " + words
        last = max(last, end)
    return builder.finish()


def _cues(text: str) -> Iterator[tuple[float, float, list[str]]]:
    """Yield the start and end of each cue in seconds, and its lines; a new speaker's name follows U+0002."""
    found = list(_TIMES.finditer(text))
    speaker = ""
    for match, following in zip_longest(found, found[1:]):
        body = text[match.end() : following.start() if following else len(text)]
        spoken = []
        for line in _without_notes(_lines(body, is_last=following is None)):
            voice = _VOICE.search(line)
            plain = html.unescape(_TAG.sub("", line)).strip()
            if voice and voice.group(1).strip() != speaker:
                speaker = voice.group(1).strip()
                plain = f"\x02{speaker}: {plain}"
            if plain and not _SOUND.fullmatch(plain):
                spoken.append(plain)
        yield _seconds(match, 1), _seconds(match, 5), spoken


def _lines(body: str, *, is_last: bool) -> list[str]:
    """Return the lines between two lines of times, without the number or name of the next cue."""
    lines = body.strip("\n").split("\n")
    if is_last or len(lines) < 2:
        return lines
    if _NUMBER.fullmatch(lines[-1].strip()):
        return lines[:-1]
    return lines[:-2] if lines[-1].strip() and not lines[-2].strip() else lines


def _without_notes(lines: list[str]) -> Iterator[str]:
    """Leave out WebVTT's comments, styles and regions, which stand between two cues."""
    after_blank = skipping = False
    for line in lines:
        if not line.strip():
            after_blank, skipping = True, False
            continue
        if after_blank and re.match(r"(?:NOTE|STYLE|REGION)\b", line):
            skipping = True
        after_blank = False
        if not skipping:
            yield line


def _fresh(shown: list[str], lines: list[str]) -> list[str]:
    """Return what a cue adds to the lines that are on the screen already."""
    for count in range(min(len(shown), len(lines)), 0, -1):
        if lines[:count] == shown[-count:]:
            return lines[count:]
    before, now = " ".join(shown), " ".join(lines)
    if before and now.startswith(before + " "):
        return [now[len(before) :]]  # one cue per word, each with all the words so far
    if before and len(lines) == 1 and before.endswith(" " + now):
        return []
    return lines


def _seconds(match: re.Match[str], first: int) -> float:
    hours, minutes, seconds, fraction = (match.group(first + offset) or "0" for offset in range(4))
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000
