"""What readers of markup by lines share: paragraphs, blocks up to a closing line."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING

from app.core.documents.readers.plain import decoded
from app.core.documents.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.documents import DocumentText


class LineReader(abc.ABC):
    """Reads a text line by line; a reader says what a line is, and what signs within one mean."""

    def __init__(self, data: bytes) -> None:
        self.builder = TextBuilder()
        self.lines = decoded(data).split("\n")
        self.index = 0  # of the line after the one being read
        self._paragraph: list[str] = []
        self._unclosed: set[str] = set()

    def read(self) -> DocumentText:
        self.read_lines(self.lines)
        return self.builder.finish()

    def read_lines(self, lines: list[str]) -> None:
        """Read lines, also those within a block."""
        outer = self.lines, self.index
        self.lines, self.index = lines, 0
        while self.index < len(self.lines):
            line = self.lines[self.index]
            self.index += 1
            if not line.strip():
                self.flush()
            elif not self.take(line):
                self._paragraph.append(line)
        self.flush()
        self.lines, self.index = outer

    @abc.abstractmethod
    def take(self, line: str) -> bool:
        """Read a line that is not part of a paragraph, with the block it begins; return whether it is one."""

    @abc.abstractmethod
    def inline(self, text: str) -> str:
        """Return text without signs that Markdown does not have."""

    def flush(self) -> None:
        self.builder.block(self.inline("\n".join(self._paragraph)))
        self._paragraph.clear()

    def until(self, sign: str) -> list[str] | None:
        """Take the lines up to one that is ``sign`` in any case, and that one; None if there is none."""
        if sign not in self._unclosed:
            for end in range(self.index, len(self.lines)):
                if self.lines[end].strip().lower() == sign:
                    found, self.index = self.lines[self.index : end], end + 1
                    return found
            self._unclosed.add(sign)  # so that many unclosed blocks do not take for ever
        return None

    def as_long_as(self, holds: Callable[[str], bool]) -> list[str]:
        """Take the lines of which something holds, beginning with the one being read."""
        first = self.index - 1
        while self.index < len(self.lines) and holds(self.lines[self.index]):
            self.index += 1
        return self.lines[first : self.index]
