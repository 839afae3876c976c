"""What a reader raises when it cannot turn a file into text."""

from __future__ import annotations


class ReaderError(Exception):
    """A file cannot become text; by default because it is damaged.

    ``reason`` is the id of the message for a person, whose arguments besides ``name`` and ``format`` follow.
    """

    def __init__(self, reason: str = "documents.damaged", **arguments: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.arguments = arguments
