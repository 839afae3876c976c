"""Takes the thoughts out of what a model writes.

Some models begin a reply by thinking aloud, between ``<think>`` and ``</think>``.
"""

import re

from app.core.answers.providers.base import BlockEnd, ReplyEvent, TextDelta, Unseen

_LONGEST_BLANK = 300  # characters that are held back before what may be a thought
_OPENINGS = ("<think>", "<thinking>", "<thought>", "<reasoning>")
_CLOSING = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_LONGEST_TAG = len("</reasoning>")


class ReplyText:
    """Reads the texts of one reply."""

    def __init__(self) -> None:
        self.has_thoughts = False
        self.thinks_apart = False  # in blocks of their own, by who reads these
        self._held = ""  # the beginning, as long as it may open a thought; of a thought, its end so far
        self._thinks = False
        self._thought: list[str] = []  # with its tags, which may be text that nothing ends
        self._is_text = False
        self._shown: list[str] = []

    def take(self, event: ReplyEvent) -> list[ReplyEvent]:
        """Return what an event of the reply means once its texts are read."""
        if isinstance(event, BlockEnd):
            return [*self._end_block(), event]
        if not isinstance(event, TextDelta):
            return [event]
        if self._is_text:
            return self._show(event.text)
        if self._thinks:
            return self._think(event.text)
        self._held += event.text
        begun = self._held.lstrip()[:_LONGEST_TAG].lower()
        if begun.startswith(_OPENINGS):
            self._thinks = self.has_thoughts = True
            written, self._held = self._held, ""
            return self._think(written)
        if len(self._held) <= _LONGEST_BLANK and any(tag.startswith(begun) for tag in _OPENINGS):
            return []
        return self._end_block()

    def finish(self, *, cut: bool = False) -> list[ReplyEvent]:
        """Return what was held back of a reply that is over; ``cut`` if it lacks its end.

        An unended thought is part of the answer, unless the reply was cut.
        """
        if self._thinks and not cut:
            self._thinks, self.has_thoughts, self._held = False, False, "".join(self._thought)
        return self._end_block()

    @property
    def without_thoughts(self) -> str | None:
        """The text as it goes back to the model; None if it holds no thoughts."""
        return "".join(self._shown).strip() if self.has_thoughts else None

    def _end_block(self) -> list[ReplyEvent]:
        if self._thinks:
            return []
        text, self._held = self._held, ""
        self._is_text = self._is_text or bool(text.strip())
        return self._show(text)

    def _show(self, text: str) -> list[ReplyEvent]:
        self._shown.append(text)
        return [TextDelta(text)] if text else []

    def _think(self, text: str) -> list[ReplyEvent]:
        self._thought.append(text)
        written = self._held + text
        if (end := _CLOSING.search(written)) is None:
            self._held = written[-_LONGEST_TAG:]
            return [Unseen(len(text))]
        self._thinks, self._held, self._is_text = False, "", True
        rest = written[end.end() :]
        return [Unseen(len(text) - len(rest)), *self._show(rest)]
