"""Sentences for a person, as an id and arguments; the window and the command line render them.

The English texts are in this package, one module for each part of the program. The window translates the same
texts through Qt (:mod:`app.ui.widgets.messages`); ``str(message)`` is the English sentence, and
:func:`rendered` what the core writes into answers and exports.
"""

import json
from collections.abc import Callable, Mapping
from typing import Self

from app.domain.messages import answers, documents, library
from app.domain.messages.plural import Plural

__all__ = ["LITERAL", "TEXTS", "Message", "Plural", "add_texts", "render_with", "rendered"]

LITERAL = "literal"
"""Id of a message that holds its text as its only argument, such as one an earlier version stored."""

TEXTS: dict[str, str | Plural] = {LITERAL: "{text}"}
for _room in (answers, documents, library):
    TEXTS |= _room.TEXTS


def add_texts(texts: Mapping[str, str | Plural]) -> None:
    TEXTS.update(texts)


class Message:
    """A sentence for a person: a key of :data:`TEXTS`, and the values of the text's placeholders.

    Arguments are strings, numbers or other messages. Compares by value and can be pickled.
    """

    __slots__ = ("arguments", "id")

    def __init__(self, message_id: str, /, **arguments: object) -> None:
        self.id = message_id
        self.arguments = arguments

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.id, self.arguments) == (other.id, other.arguments)

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Message({self.id!r}, {self.arguments!r})"

    def __str__(self) -> str:
        text = TEXTS[self.id]
        if isinstance(text, Plural):
            text = text.one if self.arguments["n"] == 1 else text.other
        return text.format(**{name: _shown(value) for name, value in self.arguments.items()})

    def to_json(self) -> str:
        """Return the form in which a message is stored or sent between processes."""
        return json.dumps(_packed(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return a stored message; a plain text, from an earlier version, becomes a literal one."""
        try:
            message = _unpacked(json.loads(text))
            str(message)  # a text changed since may want other arguments
        except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
            message = None
        return message if isinstance(message, cls) else cls(LITERAL, text=text)


_render: Callable[[Message], str] = str


def render_with(render: Callable[[Message], str]) -> None:
    """Have :func:`rendered` use the window's language; from any thread."""
    global _render
    _render = render


def rendered(message: Message) -> str:
    """Return a message in the language of the window; in English without one."""
    return _render(message)


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _packed(value: object) -> object:
    if isinstance(value, Message):
        return {"id": value.id, "arguments": {name: _packed(item) for name, item in value.arguments.items()}}
    return value if isinstance(value, int | float) else str(value)


def _unpacked(value: object) -> object:
    match value:
        case {"id": str(message_id), "arguments": dict(arguments)} if message_id in TEXTS:
            return Message(message_id, **{name: _unpacked(item) for name, item in arguments.items()})
    return value
