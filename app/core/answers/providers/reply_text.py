"""Separates what a model writes as text into text to show, thoughts, and tool calls.

Some models begin by thinking aloud, between ``<think>`` and ``</think>``, and some write tool calls as text:
as a JSON object by itself, or between ``<tool_call>`` and ``</tool_call>``. Neither is part of the answer.
Both begin a line, so ordinary text passes as it comes, and only a line that may be one of them is held back
until that is certain.
"""

import json
import re
from collections.abc import Collection
from typing import NamedTuple
from uuid import uuid4

from app.core.answers.providers.base import BlockEnd, ReplyEvent, TextDelta, ToolCall, Unseen

_LONGEST_CALL = 8000  # characters
_LONGEST_OPENING = 300  # a call names its tool within so many
_LONGEST_BLANK = 300  # that is held back before what may be none of the answer
_MOST_CANDIDATES = 50  # in a reply, that turn out to be none

_THOUGHTS = {f"<{tag}>": f"</{tag}>" for tag in ("think", "thinking", "thought", "reasoning")}
_CALL, _CALL_END = "<tool_call>", "</tool_call>"
_FENCES = ("```", "~~~")
_OPENINGS = (_CALL, *_THOUGHTS, *_FENCES, "{")
_LONGEST_TAG = max(map(len, _OPENINGS))
_PLAIN_LINES = re.compile(r"(?:[ \t]*(?:\r?\n|(?![`~<{\s])[^\n]*\n))+")  # they begin with no such sign
_BLANK = re.compile(r"[ \t\r\n]*")
_KEY = re.compile(r"\{\s*+(\"|\Z)")

_BRACKET = re.compile(r"[{\[]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*("|\Z)|[{}\[\]]', re.DOTALL)
_ARGUMENTS = ("arguments", "parameters", "input")
# What is most often missing when a model loses count of its brackets.
_MISSING_ENDS = ("", "}", "}}", "]", "}]", "}}]")
_NAMED = re.compile(r'"name"\s*:\s*"([\w-]+)"')


class Rewritten(NamedTuple):
    """The text of a reply that goes back to the model, and the calls that were written in it."""

    text: str
    calls: tuple[ToolCall, ...]


class ReplyText:
    """Reads the texts of one reply; ``tools`` are the names of those offered."""

    def __init__(self, tools: Collection[str] = ()) -> None:
        self.has_thoughts = False
        self.thinks_apart = False  # in blocks of their own, by who reads these
        self._calls: list[ToolCall] = []
        self._tools = tuple(tools)
        self._held = ""
        self._closing = ""  # how the thought being written ends
        self._thought: list[str] = []  # with its tag, which may be text that nothing ends
        self._fence = ""  # of the code block being written
        self._mid_line = False
        self._shown: list[str] = []
        self._over = False  # a model that goes on after a call makes the result up
        self._candidates = 0  # lines that looked like a call and were none
        self._pieces: list[ReplyEvent] = []

    def take(self, event: ReplyEvent) -> list[ReplyEvent]:
        """Return what an event of the reply means once its texts are read."""
        if isinstance(event, TextDelta):
            return self._scan(event.text, final=False)
        return [*self._end_block(), event] if isinstance(event, BlockEnd) else [event]

    def finish(self, *, cut: bool = False) -> list[ReplyEvent]:
        """Return what was held back of a reply that is over; ``cut`` if it lacks its end.

        Of a cut reply no call is returned, nor a thought that had no time to end.
        """
        pieces = self._end_block()
        if self._closing and not cut:
            self._closing = ""  # nothing ever ended that thought: it was none, unless it led to a call
            found = self._scan("".join(self._thought), final=True)
            self.has_thoughts = bool(self._calls)
            pieces += [piece for piece in found if not (self.has_thoughts and isinstance(piece, TextDelta))]
        return [piece for piece in pieces if not (cut and isinstance(piece, ToolCall))]

    def _end_block(self) -> list[ReplyEvent]:
        pieces = self._scan("", final=True)
        self._mid_line = False
        return pieces

    @property
    def rewritten(self) -> Rewritten | None:
        """What was made of a text that holds thoughts or calls; None if it holds none."""
        if not (self._calls or self.has_thoughts):
            return None
        return Rewritten("".join(self._shown).strip(), tuple(self._calls))

    def _scan(self, text: str, *, final: bool) -> list[ReplyEvent]:
        text, at, self._pieces = self._held + text, 0, []
        while at < len(text):
            end = self._read(text, at, final)
            if end == at:
                break
            at = end
        self._held = text[at:]
        return self._pieces

    def _read(self, text: str, at: int, final: bool) -> int:
        """Read on from ``at``, add what it means, and return how far it got."""
        if self._closing:
            return self._think(text, at, final)
        if self._mid_line:
            end = text.find("\n", at) + 1
            self._mid_line = not end
            return self._show(text, at, end or len(text))
        if not self._fence and (plain := _PLAIN_LINES.match(text, at)):
            return self._show(text, at, plain.end())
        blank = _BLANK.match(text, at)
        start = blank.end() if blank else at
        if start == len(text):
            return self._show(text, at, start) if final or start - at > _LONGEST_BLANK else at
        begun = text[start : start + _LONGEST_TAG].lower()
        if not final and any(tag.startswith(begun) for tag in _OPENINGS if len(tag) > len(begun)):
            return at
        opening = next((tag for tag in _OPENINGS if begun.startswith(tag)), "")
        opened = self._end_of_opened(text, start, opening, final)
        if opened is None:
            return at
        if opened > start:
            return opened
        self._mid_line = True  # it is text
        return self._show(text, at, max(start, at + 1))

    def _end_of_opened(self, text: str, start: int, opening: str, final: bool) -> int | None:
        """Return where the tag or call at ``start`` ends: there if it is none; None if it is uncertain."""
        if self._fence or opening in _FENCES:
            self._fence = "" if opening == self._fence else self._fence or opening
            return start
        if opening in _THOUGHTS and not any(map(str.strip, self._shown)) and not self._thought:
            end = start + len(opening)
            self._closing, self._thought, self.has_thoughts = _THOUGHTS[opening], [text[start:end]], True
            self._pieces.append(Unseen(len(opening)))
            return end
        if opening not in (_CALL, "{") or self._over or self._candidates > _MOST_CANDIDATES:
            return start
        length = self._read_call(text[start : start + _LONGEST_CALL + 1], opening, final)
        if length is None:
            return None
        self._candidates += length == 0
        return start + length

    def _read_call(self, text: str, opening: str, final: bool) -> int | None:
        """Read the call at the beginning, where marked ones may name a wrong tool; return its length.

        That is 0 if there is none, and None as long as it is uncertain.
        """
        is_marked = opening == _CALL
        if is_marked:
            end = text.lower().find(_CALL_END) + len(_CALL_END)
            end = end if end >= len(_CALL_END) else 0
        elif not _KEY.match(text) or not self._may_name_a_tool(text):
            return 0
        else:
            end = json_end(text) or 0
        if not end and not final and len(text) <= _LONGEST_CALL:
            return None
        end = end or len(text)
        calls = read_calls(text[:end]) if len(text) <= _LONGEST_CALL or end < len(text) else []
        if not calls or not (is_marked or calls[0].name in self._tools):
            return 0
        self._pieces += [Unseen(end), *calls]
        self._calls += calls
        return end

    def _may_name_a_tool(self, text: str) -> bool:
        opening = text[:_LONGEST_OPENING]
        return bool(self._tools) and (
            len(text) < _LONGEST_OPENING or any(name in opening for name in self._tools)
        )

    def _show(self, text: str, start: int, end: int) -> int:
        shown = text[start:end]
        if self._calls:
            self._over = self._over or bool(shown.strip())
            self._pieces.append(Unseen(len(shown)))
        else:
            self._shown.append(shown)
            last = self._pieces[-1] if self._pieces else None
            if isinstance(last, TextDelta):
                self._pieces[-1] = TextDelta(last.text + shown)
            else:
                self._pieces.append(TextDelta(shown))
        return end

    def _think(self, text: str, at: int, final: bool) -> int:
        end = text.lower().find(self._closing, at)
        sure = end if end >= 0 else len(text) if final else max(at, len(text) - len(self._closing) + 1)
        self._thought.append(text[at:sure])
        if end >= 0:
            sure += len(self._closing)
            self._closing = ""
        if sure > at:
            self._pieces.append(Unseen(sure - at))
        return sure


def read_calls(text: str) -> list[ToolCall]:
    """Return the calls in a text; their arguments are the text itself where that is broken JSON."""
    found = [call for value in read_json_objects(text) for call in [_call_of(value)] if call]
    if not found and (named := _NAMED.search(text)):  # the tool will say what is wrong
        found = [(named[1], text)]
    return [ToolCall(uuid4().hex[:9], name, given) for name, given in found]  # the longest id that is taken


def _call_of(value: object) -> tuple[str, object] | None:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    key = next((key for key in _ARGUMENTS if key in value), None)
    if key is None:
        return None
    given = value[key]
    return value["name"], _loaded(given) if isinstance(given, str) else given


def json_end(text: str, start: int = 0) -> int | None:
    """Return where the JSON object or list at ``start`` ends; None if it does not."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0][0] == '"':
            if not token[1]:
                return None
            continue
        depth += 1 if token[0] in "{[" else -1
        if depth <= 0:
            return token.end()
    return None


def read_json_objects(text: str) -> list[object]:
    """Return the JSON objects and lists in a text, also one that lacks its last brackets."""
    found: list[object] = []
    at = 0
    while begin := _BRACKET.search(text, at):
        at = json_end(text, begin.start()) or len(text)
        found.append(_loaded(text[begin.start() : at]))
    return [value for value in found if isinstance(value, dict | list)]


def _loaded(text: str) -> object:
    """Return the JSON value of a text, even one that lacks its last brackets; else the text itself."""
    for end in _MISSING_ENDS:
        try:
            return json.loads(text + end, strict=False)
        except (ValueError, RecursionError):
            continue
    return text
