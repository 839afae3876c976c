"""Captions (SubRip, WebVTT, SBV, ASS, transcripts of YouTube) to running text with a time at each cue.

One scanner reads them and looks only for lines of times, as players do: captions break every other rule.
"""

import html
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from app.core.documents.readers.plain import decoded, head
from app.core.documents.readers.text_builder import TextBuilder
from app.core.documents.text.sentences import ends_sentence
from app.domain.documents import DocumentText
from app.domain.plain_text import one_line
from app.domain.words import UNSPACED

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
# "00:01,000 --> 00:04,000" or "0:01.000,0:04.000"; and a line of only "0:01" in copied transcripts.
_TIMES = re.compile(rf"^[ \t]*{_TIME}(?:[ \t]*-->[ \t]*|,){_TIME}(?:[ \t][^\n]*)?$", re.MULTILINE)
_TIME_ALONE = re.compile(rf"^[ \t]*{_TIME}[ \t]*$", re.MULTILINE)
_DIALOGUE = re.compile(
    rf"^Dialogue:[^,\n]*,[ \t]*{_TIME},[ \t]*{_TIME},[^,\n]*,([^,\n]*),(?:[^,\n]*,){{4}}([^\n]*)$",
    re.MULTILINE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>|<\d[\d:.]*>|\{\\[^{}\n]{0,200}\}")
_VOICE = re.compile(r"<v(?:\.[^\s<>.]{0,40})*[ \t]+([^<>\n]{1,80})>")
_SPEAKER = re.compile(r"([^\s:][^:\n]{0,60}): ")
_SOUND = re.compile(r"(?:[\[(][^\[\]()]{1,40}[\])]|[♪♫\s])+")
_NUMBER = re.compile(r"\d{1,6}")
_NO_SPACES = re.compile(f"[{UNSPACED}\uff00-\uffef]")  # wide signs too

_PARAGRAPH = 600  # characters after which the next end of a sentence ends a paragraph
_PAUSE = 4.0  # seconds of silence that end a paragraph


def is_captions(data: bytes) -> bool:
    """Whether a file begins as captions do: with a WebVTT header, or a number and a line of times."""
    text = head(data).lstrip("\ufeff \t\r\n").replace("\r\n", "\n")
    if re.match(r"WEBVTT(?:[ \t\n]|$)", text):
        return True
    first, second, third, *_ = [*text.split("\n", 3), "", ""]
    if _TIME_ALONE.match(first):
        return bool(_TIME_ALONE.match(third)) and _TIME_ALONE.match(second) is None
    begins_so = text.startswith("[Script Info]") or _TIMES.match(first)
    return bool(begins_so or (_NUMBER.fullmatch(first.strip()) and _TIMES.match(second)))


def has_times(data: bytes) -> bool:
    """Whether a file that is called captions has a line of times."""
    text = data.replace(b"\x00", b"").replace(b"\r", b"\n").decode("latin-1")
    return any(form.search(text) for form in (_TIMES, _DIALOGUE, _TIME_ALONE))


def read_captions(data: bytes) -> DocumentText:
    """Join cues into paragraphs; each cue's start is an anchor in seconds.

    Numbers, settings, styles, notes, sounds ("[Music]") and what a rolling cue repeats are left out.
    """
    builder = TextBuilder()
    shown: list[str] = []  # the lines on the screen, to know what is repeated
    paragraph, last = "", 0.0
    for start, end, lines in _named_once(list(_cues(decoded(data)))):
        fresh = _fresh(shown, lines)
        shown = lines
        if words := one_line(" ".join(fresh)):
            builder.anchor("seconds", start)
            is_speaker = re.match(r"\x02[^\s:][^:]{0,40}: ", fresh[0]) is not None
            is_full = len(paragraph) > _PARAGRAPH and ends_sentence(paragraph)
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


_Cue = tuple[float, float, list[str]]
"""Start and end in seconds, and the lines; U+0002 stands before the name of who speaks."""


def _cues(text: str) -> Iterator[_Cue]:
    dialogue = list(_DIALOGUE.finditer(text))
    for match in sorted(dialogue, key=lambda match: _seconds(match, 1)):
        name, spoken = match.group(9).strip(), match.group(10)
        if "\\p1" not in spoken:  # a drawing
            lines = spoken.replace("\\n", "\\N").replace("\\h", " ").split("\\N")
            yield _seconds(match, 1), _seconds(match, 5), list(_plain(lines, name))
    if dialogue:
        return
    found = list(_TIMES.finditer(text))
    is_numbered = bool(found)
    found = found or list(_TIME_ALONE.finditer(text))
    for match, following in zip_longest(found, found[1:]):
        body = text[match.end() : following.start() if following else len(text)]
        lines = _lines(body, is_last=following is None) if is_numbered else body.split("\n")[1:]
        start = _seconds(match, 1)
        end = _seconds(match, 5) if is_numbered else _seconds(following or match, 1)
        yield start, end, list(_plain(_without_notes(lines)))


def _plain(lines: Iterable[str], name: str = "") -> Iterator[str]:
    """Yield the lines as they are read, without signs of form and sounds; the name before the first."""
    for line in lines:
        voice = _VOICE.search(line)
        name = voice.group(1).strip() if voice else name
        plain = html.unescape(_TAG.sub("", line.replace("[br]", " "))).strip()
        if plain and not _SOUND.fullmatch(plain):
            yield f"\x02{name}: {plain}" if name else plain
            name = ""


def _named_once(cues: list[_Cue]) -> Iterator[_Cue]:
    """Yield the cues, each name of a speaker only where another one spoke before.

    Meeting programs write "Ada: " before each cue; if few cues begin like this, it is no name.
    """
    spoken = [lines[0] for _, _, lines in cues if lines]
    are_names = sum(map(bool, map(_SPEAKER.match, spoken))) > len(spoken) / 2
    speaker = ""
    for start, end, lines in cues:
        named = []
        for line in lines:
            match = _SPEAKER.match(line) if line[0] == "\x02" or are_names else None
            name = match.group(1).lstrip("\x02").strip() if match else speaker
            if match and name == speaker:
                line = line[match.end() :]
            elif match:
                line = f"\x02{name}: {line[match.end() :]}"
            speaker = name
            named.append(line)
        yield start, end, named


def _lines(body: str, *, is_last: bool) -> list[str]:
    """Return the lines between two lines of times, without the number or name of the next cue."""
    lines = body.split("\n")[1:]
    if is_last:
        return lines
    del lines[-1:]  # what precedes the next line of times on its line: nothing
    if lines and _NUMBER.fullmatch(lines[-1].strip()):
        return lines[:-1]
    is_name = len(lines) > 1 and lines[-1].strip() and not lines[-2].strip()
    return lines[:-1] if is_name else lines


def _without_notes(lines: Iterable[str]) -> Iterator[str]:
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
