"""Separates what a model writes as text into text to show, thoughts, and tool calls.

Some models think aloud, between ``<think>`` and ``</think>``, and some write tool calls as text. Neither is
part of the answer. Both are told by how a line begins, so that ordinary text passes as it comes and only a
line that may be one of them is held back, until that is certain.
"""

import re
from collections.abc import Collection, Iterable
from itertools import groupby
from typing import Any
from uuid import uuid4

from app.core.answers.providers.anthropic.written_calls import json_end, read_calls
from app.core.answers.providers.base import BlockEnd, ReplyEvent, TextDelta, ToolCall, Unseen

_LONGEST_CALL = 8000  # characters
_LONGEST_OPENING = 300  # a call names its tool within so many
_LONGEST_FENCE_LINE = 40
_LONGEST_BLANK = 300  # that is held back before what may be none of the answer
_MOST_CANDIDATES = 50  # in a reply, that turn out to be none

_THOUGHTS = ("think", "thinking", "thought", "reasoning")
_ENDS_OF_THOUGHT = {f"<{tag}>": f"</{tag}>" for tag in _THOUGHTS}
_TAGS = ("tool_call", "tool_calls", "tools", "function_call", "function_calls")
# How calls begin that nothing else begins with, and how they end; None for the end of the text.
_MARKED: dict[str, str | None] = {
    **{f"<{tag}>": f"</{tag}>" for tag in _TAGS},
    "<function=": "</function>",
    "<invoke ": "</invoke>",
    "<|python_tag|>": None,
    "[tool_calls]": None,
}
_FENCES = ("```", "~~~")
_FENCE_LINE = re.compile(
    r"(```|~~~)[ \t]*(?:(?:json|xml|python|text|tool_\w+)[ \t]*)?\r?\n\s*", re.IGNORECASE
)
_JSON_OPENING = re.compile(r"\[?\s*\{\s*\"")
_PART_OF_OPENING = re.compile(r"\[?\s*(?:\{\s*)?\Z")
_BLANK = re.compile(r"[ \t\r\n]*")
# Lines that begin with none of these signs, nor with a small letter, as the names of tools do.
_PLAIN_LINES = re.compile(r"(?:[ \t]*(?:\r?\n|(?![`~<\[{\sa-z_])[^\n]*\n))+")
_FENCE_ENDS = {
    "```": re.compile(r"\n[ \t]*```[ \t]*(?:\r?\n|\Z)"),
    "~~~": re.compile(r"\n[ \t]*~~~[ \t]*(?:\r?\n|\Z)"),
}
_BLOCKS = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)

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
        python = [f"{before}{name}(" for name in tools for before in ("", "[")]
        self._openings = (
            *_MARKED, *_ENDS_OF_THOUGHT, *_ENDS_OF_THOUGHT.values(), *_FENCES, *python
        )  # fmt: skip
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
        opening = next((known for known in self._openings if lowered.startswith(known.lower())), "")
        if not opening and text[0] not in "{[":
            return _WAIT if not final and self._may_open(lowered) else _TEXT
        if opening in _ENDS_OF_THOUGHT:
            return self._thought(text, opening, final, pieces)
        if opening in _ENDS_OF_THOUGHT.values():
            self.has_thoughts = self.closes_only = True
            pieces.append(Unseen(len(opening)))
            return len(opening)
        if self._over or self._refused > _MOST_CANDIDATES:
            end = _TEXT
        elif opening and opening not in _FENCES:
            end = self._marked(text, lowered, opening, final, pieces)
        elif not self._tools:
            end = _TEXT
        elif opening in _FENCES:
            end = self._fenced(text, final, pieces)
        else:
            end = self._bare(text, final, pieces)
        if end == _WAIT and (final or len(text) > _LONGEST_CALL):
            end = _TEXT
        if end == _TEXT:
            self._refused += 1
            self._fence = opening if opening in _FENCES else ""
        return end

    def _may_open(self, lowered: str) -> bool:
        return any(known.lower().startswith(lowered) for known in self._openings)

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

    def _marked(self, text: str, lowered: str, opening: str, final: bool, pieces: list[ReplyEvent]) -> int:
        closing = _MARKED.get(opening, "\n")
        found = lowered.find(closing, len(opening)) if closing else -1
        if found < 0 and not final:
            return _WAIT
        end = len(text) if found < 0 else found + len(closing or "")
        # These signs mean a call, be its name a wrong one; the name of a tool may begin a sentence.
        names = None if opening in _MARKED else self._tools
        return end if self._called(text[:end], names, pieces) else _TEXT

    def _bare(self, text: str, final: bool, pieces: list[ReplyEvent]) -> int:
        if not _JSON_OPENING.match(text):
            return _WAIT if _PART_OF_OPENING.match(text) or self._may_open(text.lower()) else _TEXT
        if not self._may_name_a_tool(text):
            return _TEXT
        end = json_end(text) or (len(text) if final else 0)
        if not end:
            return _WAIT
        return end if self._called(text[:end], self._tools, pieces) else _TEXT

    def _fenced(self, text: str, final: bool, pieces: list[ReplyEvent]) -> int:
        """Decide on a code block: a call only if the reply begins or ends with it."""
        line = _FENCE_LINE.match(text)
        if not line:
            return _TEXT if "\n" in text.strip() or len(text) > _LONGEST_FENCE_LINE else _WAIT
        body = text[line.end() :]
        if body and not self._may_begin(body) or not self._may_name_a_tool(text):
            return _TEXT
        closed = _FENCE_ENDS[line[1]].search(text, line.end() - 1)
        if not closed and not final:
            return _WAIT
        end = closed.end() if closed else len(text)
        rest = text[end:].strip()
        if self._wrote:
            if rest and rest[:3] != line[1][: len(rest)]:
                return _TEXT
            if not final:
                return _WAIT
            if rest and _BLOCKS.sub("", text).strip():
                return _TEXT
            end = len(text)
        return end if self._called(text[line.end() : end], self._tools, pieces) else _TEXT

    def _may_begin(self, body: str) -> bool:
        calls = [f"{name}(" for name in self._tools]
        return body[0] in "{[<" or any(call.startswith(body[: len(call)]) for call in calls)

    def _may_name_a_tool(self, text: str) -> bool:
        opening = text[:_LONGEST_OPENING]
        return len(text) < _LONGEST_OPENING or any(name in opening for name in self._tools)

    def _called(self, text: str, names: Collection[str] | None, pieces: list[ReplyEvent]) -> bool:
        calls = read_calls(text, names)
        for call in calls:
            self._ids.append(uuid4().hex[:9])  # the longest that every server takes
            pieces.append(ToolCall(self._ids[-1], call.name, call.arguments))
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
