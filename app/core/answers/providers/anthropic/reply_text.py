"""Separates what a model writes as text into text to show, thoughts, and tool calls.

Some models think aloud, between ``<think>`` and ``</think>``, and some write tool calls as text: as JSON
between ``<tool_call>`` and ``</tool_call>``, or by itself. Neither is part of the answer. Both begin a line,
so ordinary text passes as it comes, and only a line that may be one of them is held back until that is
certain.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Any
from uuid import uuid4

from app.core.answers.providers.base import BlockEnd, ReplyEvent, TextDelta, ToolCall, Unseen

_LONGEST_CALL = 8000  # characters
_LONGEST_OPENING = 300  # a call names its tool within so many
_LONGEST_BLANK = 300  # that is held back before what may be none of the answer
_MOST_CANDIDATES = 50  # in a reply, that turn out to be none

_THOUGHTS = ("think", "thinking", "thought", "reasoning")
_ENDS_OF_THOUGHT = {f"<{tag}>": f"</{tag}>" for tag in _THOUGHTS}
_CALL, _CALL_END = "<tool_call>", "</tool_call>"
_FENCES = ("```", "~~~")
_OPENINGS = (_CALL, *_ENDS_OF_THOUGHT, *_ENDS_OF_THOUGHT.values(), *_FENCES)
_JSON_OPENING = re.compile(r"\[?\s*\{\s*\"")
_PART_OF_OPENING = re.compile(r"\[?\s*(?:\{\s*)?\Z")
_BLANK = re.compile(r"[ \t\r\n]*")
_PLAIN_LINES = re.compile(r"(?:[ \t]*(?:\r?\n|(?![`~<\[{\s])[^\n]*\n))+")  # they begin with no such sign

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*("|\Z)|[{}\[\]]', re.DOTALL)
_ARGUMENTS = ("arguments", "parameters", "input")
# What is most often missing when a model loses count of its brackets.
_MISSING_ENDS = ("", "}", "}}", "]", "}]", "}}]")

_NAMED = re.compile(r'"name"\s*:\s*"([\w-]+)"')

_WAIT = -1  # more text is needed to decide
_TEXT = 0  # it is text


class ReplyText:
    """Reads the texts of one reply.

    ``tools`` are the names of those offered. With ``thinks_first`` the text begins with a thought, whose
    opening tag the server's template has swallowed.
    """

    def __init__(self, tools: Collection[str] = (), *, thinks_first: bool = False) -> None:
        self.has_calls = False
        self.has_thoughts = False
        self.closes_only = False  # a thought was closed that nothing had opened
        self._tools = tuple(tools)
        self._thinks_first = thinks_first
        self._held = ""
        self._ids: list[str] = []
        self._thinking = "</think>" if thinks_first else ""  # how the thought being written ends
        self._unsure: list[str] = []  # the text since the beginning, as long as it may be no thought
        self._fence = ""  # of the code block being written
        self._mid_line = False
        self._wrote = False  # text that is shown
        self._over = False  # a model that goes on after a call makes the result up
        self._refused = 0

    def take(self, event: ReplyEvent) -> list[ReplyEvent]:
        """Return what an event of the reply means once its texts are read."""
        if isinstance(event, TextDelta):
            return self._scan(event.text, final=False)
        if isinstance(event, BlockEnd):
            return [*self._finish_block(), event]
        return [event]

    def finish(self, *, cut: bool = False) -> list[ReplyEvent]:
        """Return what was held back of a reply that is over; ``cut`` if it lacks its end.

        Of a cut reply no call is returned, nor a thought that had no time to end.
        """
        pieces = self._finish_block()
        unsure, self._unsure = "".join(self._unsure), []
        is_tagged = self.has_thoughts
        if unsure and self._thinking and not (cut and is_tagged):
            self._thinking = ""  # nothing ever ended that thought: it was none, unless it led to a call
            self._wrote = True  # so that its tag is text
            found = self._scan(unsure, final=True)
            self.has_thoughts = is_tagged and self.has_calls
            pieces += [piece for piece in found if not (self.has_thoughts and isinstance(piece, TextDelta))]
        return [piece for piece in pieces if not (cut and isinstance(piece, ToolCall))]

    def _finish_block(self) -> list[ReplyEvent]:
        pieces = self._scan("", final=True)
        self._mid_line = False
        return pieces

    def as_sent_back(self, blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the reply's blocks without thoughts in the text, and with written calls as real ones."""
        if not (self.has_calls or self.has_thoughts):
            return blocks
        again, ids = ReplyText(self._tools, thinks_first=self._thinks_first), iter(self._ids)
        sent: list[dict[str, Any]] = []
        for block in blocks:
            if block.get("type") != "text":
                sent.append(block)
                continue
            pieces = [*again.take(TextDelta(str(block.get("text")))), *again.finish()]
            text = "".join(piece.text for piece in pieces if isinstance(piece, TextDelta))
            if text.strip():
                sent.append(block if text == block.get("text") else {**block, "text": text.strip()})
            calls = [piece for piece in pieces if isinstance(piece, ToolCall)]
            # The blocks are as the server sent them; what was read may have had a key hidden in it.
            for call, call_id in zip(calls, ids, strict=False):
                arguments = call.arguments if isinstance(call.arguments, dict) else {}
                sent.append({"type": "tool_use", "id": call_id, "name": call.name, "input": arguments})
        return sent

    def _scan(self, text: str, *, final: bool) -> list[ReplyEvent]:
        text, at = self._held + text, 0
        pieces: list[ReplyEvent] = []
        while at < len(text):
            before = at
            at = self._read(text, at, final, pieces)
            if at == before:
                break
        self._held = text[at:]
        return _joined(pieces)

    def _read(self, text: str, at: int, final: bool, pieces: list[ReplyEvent]) -> int:
        """Read on from ``at``, add what it means to ``pieces``, and return how far it got."""
        if self._thinking:
            return self._think(text, at, final, pieces)
        if self._mid_line:
            end = text.find("\n", at) + 1
            self._mid_line = not end
            return self._show(text, at, end or len(text), pieces)
        plain = None if self._fence else _PLAIN_LINES.match(text, at)
        if plain:
            return self._show(text, at, plain.end(), pieces)
        start = _blank_end(text, at)
        if start == len(text):
            return self._show(text, at, start, pieces) if final or start - at > _LONGEST_BLANK else at
        if self._fence:
            return self._in_fence(text, at, start, final, pieces)
        candidate = text[start : start + _LONGEST_CALL + 1]
        end = self._candidate(candidate, final, pieces)
        if end == _WAIT:
            return at
        if end == _TEXT:
            self._mid_line = True
            return self._show(text, at, max(start, at + 1), pieces)
        return start + end

    def _show(self, text: str, start: int, end: int, pieces: list[ReplyEvent]) -> int:
        shown = text[start:end]
        if self.has_calls:
            self._over = self._over or bool(shown.strip())
            pieces.append(Unseen(len(shown)))
        else:
            self._wrote = self._wrote or bool(shown.strip())
            pieces.append(TextDelta(shown))
        return end

    def _think(self, text: str, at: int, final: bool, pieces: list[ReplyEvent]) -> int:
        end = text.lower().find(self._thinking, at)
        sure = end if end >= 0 else len(text) if final else max(at, len(text) - len(self._thinking) + 1)
        if self._unsure or (self._thinks_first and not self.has_thoughts):
            self._unsure.append(text[at:sure])
        if end >= 0:
            sure += len(self._thinking)
            self._thinking, self._unsure = "", []
            self.has_thoughts = True
        if sure > at:
            pieces.append(Unseen(sure - at))
        return sure

    def _in_fence(self, text: str, at: int, start: int, final: bool, pieces: list[ReplyEvent]) -> int:
        mark = text[start : start + 3]
        if not final and len(mark) < 3 and self._fence.startswith(mark):
            return at
        if mark == self._fence:
            self._fence = ""
        self._mid_line = True
        return self._show(text, at, max(start, at + 1), pieces)

    def _candidate(self, text: str, final: bool, pieces: list[ReplyEvent]) -> int:
        """Decide what a line that begins with ``text`` is; return its length, or what else is to be done."""
        final = final and len(text) <= _LONGEST_CALL
        lowered = text.lower()
        opening = next((known for known in _OPENINGS if lowered.startswith(known)), "")
        if not opening and text[0] not in "{[":
            return _WAIT if not final and any(known.startswith(lowered) for known in _OPENINGS) else _TEXT
        if opening in _FENCES:
            self._fence = opening
            return _TEXT
        if opening in _ENDS_OF_THOUGHT:
            return self._thought(text, opening, final, pieces)
        if opening in _ENDS_OF_THOUGHT.values():
            self.has_thoughts = self.closes_only = True
            pieces.append(Unseen(len(opening)))
            return len(opening)
        if self._over or self._refused > _MOST_CANDIDATES:
            end = _TEXT
        elif opening == _CALL:
            end = self._marked(text, lowered, final, pieces)
        elif not self._tools:
            end = _TEXT
        else:
            end = self._bare(text, final, pieces)
        if end == _WAIT and (final or len(text) > _LONGEST_CALL):
            end = _TEXT
        if end == _TEXT:
            self._refused += 1
        return end

    def _thought(self, text: str, opening: str, final: bool, pieces: list[ReplyEvent]) -> int:
        closing = _ENDS_OF_THOUGHT[opening]
        if not self._wrote:  # a reply that begins so goes on so, also when nothing ends it
            self._thinking = closing
            self._unsure = [text[: len(opening)]]
            self.has_thoughts = True
            pieces.append(Unseen(len(opening)))
            return len(opening)
        end = text.lower().find(closing)
        if end < 0:
            return _TEXT if final or len(text) > _LONGEST_CALL else _WAIT
        self.has_thoughts = True
        pieces.append(Unseen(end + len(closing)))
        return end + len(closing)

    def _marked(self, text: str, lowered: str, final: bool, pieces: list[ReplyEvent]) -> int:
        found = lowered.find(_CALL_END)
        if found < 0 and not final:
            return _WAIT
        end = len(text) if found < 0 else found + len(_CALL_END)
        return end if self._called(text[:end], None, pieces) else _TEXT  # a call, be its name a wrong one

    def _bare(self, text: str, final: bool, pieces: list[ReplyEvent]) -> int:
        if not _JSON_OPENING.match(text):
            return _WAIT if _PART_OF_OPENING.match(text) else _TEXT
        if not self._may_name_a_tool(text):
            return _TEXT
        end = json_end(text) or (len(text) if final else 0)
        if not end:
            return _WAIT
        return end if self._called(text[:end], self._tools, pieces) else _TEXT

    def _may_name_a_tool(self, text: str) -> bool:
        opening = text[:_LONGEST_OPENING]
        return len(text) < _LONGEST_OPENING or any(name in opening for name in self._tools)

    def _called(self, text: str, names: Collection[str] | None, pieces: list[ReplyEvent]) -> bool:
        calls = read_calls(text, names)
        for name, arguments in calls:
            self._ids.append(uuid4().hex[:9])  # the longest that every server takes
            pieces.append(ToolCall(self._ids[-1], name, arguments))
        if calls:
            self.has_calls = True
            pieces.insert(len(pieces) - len(calls), Unseen(len(text)))
        return bool(calls)


def holds_thoughts(blocks: Iterable[dict[str, Any]]) -> bool:
    """Whether a model thought in blocks of their own."""
    return any(block.get("type") in ("thinking", "redacted_thinking") for block in blocks)


def _blank_end(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _joined(pieces: list[ReplyEvent]) -> list[ReplyEvent]:
    """Return the events with text that follows text in one."""
    joined: list[ReplyEvent] = []
    for kind, group in groupby(pieces, type):
        if kind is TextDelta:
            joined.append(TextDelta("".join(piece.text for piece in group if isinstance(piece, TextDelta))))
        else:
            joined += group
    return joined


def read_calls(text: str, names: Collection[str] | None) -> list[tuple[str, object]]:
    """Return the names and arguments of the calls in a text; with ``names``, only of tools that have them.

    Arguments are text where they were no JSON.
    """
    found = [call for value in read_json_objects(text) for call in _calls_of(value)]
    if not found and (named := _NAMED.search(text)):  # broken JSON: the tool will say so
        found = [(named[1], text)]
    return [call for call in found if names is None or call[0] in names]


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
    while (start := _first(text, "{[", at)) is not None:
        at = json_end(text, start) or len(text)
        found.append(_loaded(text[start:at]))
    return [value for value in found if isinstance(value, dict | list)]


def _calls_of(value: object) -> Iterator[tuple[str, object]]:
    for call in value if isinstance(value, list) else [value]:
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            key = next((key for key in _ARGUMENTS if key in call), None)
            if key:
                given = call[key]
                yield call["name"], _loaded(given) if isinstance(given, str) else given


def _loaded(text: str) -> object:
    """Return the JSON value of a text, even one that lacks its last brackets; else the text itself."""
    for end in _MISSING_ENDS:
        try:
            return json.loads(text + end, strict=False)
        except (ValueError, RecursionError):
            continue
    return text


def _first(text: str, characters: str, at: int) -> int | None:
    return next((n for n in range(at, len(text)) if text[n] in characters), None)
