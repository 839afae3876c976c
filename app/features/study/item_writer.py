"""How a model is asked for items, the tools by which it hands them in, and how these are read.

A model without tools writes the same as JSON. Nothing in it is trusted to be right, or even to be text.
"""

import re
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any

from app.core.answers.costs import CHARACTERS_OF_TOKEN, price_list
from app.core.answers.prompts import load_prompt, mend_surrogates
from app.core.answers.providers.base import (
    ModelProvider,
    ModelSettings,
    ReplyEnd,
    ReplyEvent,
    TextDelta,
    ToolCall,
    ToolDefinition,
    Turn,
    Unseen,
)
from app.core.answers.providers.wire import json_end, read_json_objects
from app.core.answers.side_request import until_answered
from app.domain.events import AnswerWaiting
from app.domain.model_servers import Usage
from app.domain.plain_text import harmless
from app.features.study.kinds import KINDS, Kind
from app.features.study.model.names import ItemKind, ItemText

MOST_ITEMS = 10  # asked for at a time
TOKENS_OF_ITEM = 200  # with its quotation and, in a quiz, its wrong answers
_MOST_TOKENS = 2 * TOKENS_OF_ITEM * MOST_ITEMS + 300  # of a reply
_MOST_OTHERS = 4
_LONGEST_OBJECT = 8_000  # characters of one item's JSON
_LONGEST_TEXT = 10_000  # characters of a field that are looked at
_BLANK_LINES = re.compile(r"\n\s*\n\s*")

_TYPES = {"list": "array"}
_PASSAGE = ("passage", "integer", "The number of the passage.")
_QUOTE = ("quote", "string", "The sentence of that passage which shows the answer, copied letter by letter.")


class DropReason(StrEnum):
    """Why something that the model wrote was not kept."""

    FORM = "form"  # not written as requested: parts missing, too long, HTML, no gap
    QUOTE = "quote"  # the quoted sentence does not stand in the passage
    UNSUPPORTED = "unsupported"  # the passage does not say it
    CHOICES = "choices"  # the wrong answers are too few, alike, or hold the right one
    GIVEN_AWAY = "given_away"  # the question holds its answer
    LANGUAGE = "language"
    REPEATED = "repeated"
    TOO_MANY = "too_many"


class Refused(Exception):
    """An item cannot be kept; the message tells the model why."""

    def __init__(self, reason: DropReason, say: str) -> None:
        super().__init__(say)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Draft:
    """An item as the model wrote it; only its types are right."""

    kind: ItemKind
    passage: int
    quote: str
    text: ItemText


def tools_for(kinds: Collection[ItemKind]) -> tuple[ToolDefinition, ...]:
    """Return a tool for each kind, always in the same order."""
    return tuple(
        ToolDefinition(_tool_name(kind), load_prompt(_tool_name(kind)), _schema(kind), strict=True)
        for kind in ItemKind
        if kind in kinds
    )


def described_as_text(kinds: Collection[ItemKind]) -> str:
    """Return how a model without tools hands in items of these kinds."""
    lines = []
    for kind in (one for one in ItemKind if one in kinds):
        fields = ", ".join(f'"{name}" ({said})' for name, _, said in _asked(kind))
        lines.append(f'- "kind": "{kind}": {load_prompt(_tool_name(kind))} Fields: {fields}')
    return load_prompt("make_as_text").replace("{kinds}", "\n".join(lines))


def read_call(name: str, arguments: object, kinds: Collection[ItemKind]) -> Draft:
    """Read a call of one of the tools; raises Refused."""
    kind = next((one for one in kinds if name in (_tool_name(one), one)), None)
    if kind is None:
        names = ", ".join(_tool_name(one) for one in kinds)
        raise Refused(DropReason.FORM, f"There is no such tool here. Tools: {names}.")
    if not isinstance(arguments, dict):
        raise Refused(DropReason.FORM, "The arguments are no JSON object.")
    return Draft(kind, _number(arguments), _line(arguments, "quote"), _item_text(KINDS[kind], arguments))


class TextReader:
    """Finds items in text as it streams in: JSON objects, alone or in lists, also in code blocks."""

    def __init__(self, kinds: Collection[ItemKind]) -> None:
        self._kinds = kinds
        self._held = ""

    def feed(self, text: str) -> list[Draft | Refused]:
        """Take more text; return the items that are complete."""
        self._held += text
        found: list[Draft | Refused] = []
        while (start := self._held.find("{")) >= 0 and (end := json_end(self._held, start)) is not None:
            found += self._items(self._held[start:end])
            self._held = self._held[end:]
        if start < 0 or len(self._held) - start > _LONGEST_OBJECT:
            self._held = ""
        return found

    def finish(self) -> list[Draft | Refused]:
        """Nothing more comes: return what can be read of an item that was broken off."""
        start, held = self._held.find("{"), self._held
        self._held = ""
        return self._items(held[start:]) if start >= 0 else []

    def _items(self, text: str) -> list[Draft | Refused]:
        objects = [one for value in read_json_objects(text) for one in _leaves(value)]
        if not objects and '"quote"' in text:
            return [Refused(DropReason.FORM, "This is no JSON.")]
        return [self._item(one) for one in objects]

    def _item(self, found: dict[str, Any]) -> Draft | Refused:
        name = next((found[key] for key in ("kind", "type", "name", "tool") if key in found), "")
        arguments = next((found[key] for key in ("arguments", "input", "parameters") if key in found), found)
        if not name and len(self._kinds) == 1:
            name = next(iter(self._kinds))
        try:
            return read_call(str(name), arguments, self._kinds)
        except Refused as refused:
            return refused


def _leaves(value: object, depth: int = 2) -> list[dict[str, Any]]:
    """Return the items in a list, or in an object that holds one."""
    if isinstance(value, dict) and "quote" not in value:
        lists = [one for one in value.values() if isinstance(one, list)]
        value = lists[0] if lists and "arguments" not in value else value
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one, depth - 1)] if depth else []
    return [value] if isinstance(value, dict) else []


def _tool_name(kind: ItemKind) -> str:
    return f"make_{kind}"


def _schema(kind: ItemKind) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, shape, said in _asked(kind):
        properties[name] = {"type": shape, "description": said}
        if shape == "array":
            properties[name]["items"] = {"type": "string"}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _asked(kind: ItemKind) -> list[tuple[str, str, str]]:
    """Return name, type and description of what the model hands in."""
    own = ((one.name, _TYPES.get(one.shape, "string"), one.said) for one in KINDS[kind].fields if one.name)
    return [_PASSAGE, _QUOTE, *own]


def _item_text(kind: Kind, given: Mapping[str, Any]) -> ItemText:
    parts: dict[str, Any] = {}
    for field in kind.fields:
        if not field.name:
            continue
        if field.shape == "list":
            is_there = field.required or given.get(field.name)
            parts[field.part] = _texts(given, field.name) if is_there else ()
        elif field.shape == "line":
            parts[field.part] = _line(given, field.name).lstrip("# ")
        else:
            parts[field.part] = _text(given, field.name, None if field.required else "")
    return ItemText(**parts)


def _text(given: Mapping[str, Any], name: str, missing: str | None = None) -> str:
    value = given.get(name, missing)
    if not isinstance(value, str) or (not value.strip() and missing is None):
        raise Refused(DropReason.FORM, f"{name} must be text, and must not be empty.")
    # One character more than is allowed stays, so that it is noticed.
    text = harmless(mend_surrogates(value[:_LONGEST_TEXT]).replace("\r\n", "\n"))
    return _BLANK_LINES.sub("\n\n", text).strip()


def _line(given: Mapping[str, Any], name: str) -> str:
    return " ".join(_text(given, name).split())


def _texts(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = given.get(name)
    texts: Sequence[object] = value if isinstance(value, list) else [value]
    return tuple(_line({name: one}, name) for one in texts[:_MOST_OTHERS])


def _number(given: Mapping[str, Any]) -> int:
    value = given.get("passage")
    if isinstance(value, str) and value.strip(" []").isdecimal() and len(value) < 10:
        value = int(value.strip(" []"))
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused(DropReason.FORM, "passage must be the number of a passage.")
    return value


_LONGEST_REPLY = 100_000  # characters


class ItemWriter:
    """One model, for one making of items. ``record`` is told what each reply cost."""

    def __init__(
        self,
        connection: ModelSettings,
        make_provider: Callable[[ModelSettings], ModelProvider],
        kinds: Sequence[ItemKind],
        record: Callable[[Usage], None],
    ) -> None:
        self._connection = replace(connection, max_tokens=_MOST_TOKENS)
        self._provider = make_provider(self._connection)
        self._kinds = kinds
        self._record = record
        self._has_called = False
        self._by_text = False  # it does not call the tools that it is offered
        self.characters = 0  # of the last reply, as far as it has come
        self._usage, self._is_complete, self._has_begun = Usage(), False, False  # of that

    async def aclose(self) -> None:
        await self._provider.aclose()

    async def write(self, asked: tuple[str, ...]) -> AsyncGenerator[AnswerWaiting | Draft | Refused, None]:
        """Ask once; yield what the model hands in.

        Raises LecternError if there is no reply, or it broke off.
        """
        text = TextReader(self._kinds)
        self.characters, self._usage, self._is_complete = 0, Usage(), False
        self._has_begun = False
        try:
            replies = until_answered(partial(self._attempt, asked), self._connection, lambda: self._has_begun)
            async with aclosing(replies) as events:
                async for event in events:
                    if isinstance(event, AnswerWaiting):
                        yield event
                    elif isinstance(event, TextDelta):
                        for draft in text.feed(event.text):
                            yield draft
                    elif isinstance(event, ToolCall):
                        self._has_called = True
                        yield self._draft(event)
                    if self.characters > _LONGEST_REPLY:
                        break
            for draft in text.finish():
                yield draft
            self._by_text = not self._has_called
        finally:
            self._count()

    async def _attempt(self, asked: tuple[str, ...]) -> AsyncGenerator[ReplyEvent, None]:
        turn = await self._turn(asked)
        async with aclosing(self._provider.reply(turn)) as events:
            async for event in events:
                self._has_begun = self._has_begun or isinstance(event, TextDelta | ToolCall)
                match event:
                    case TextDelta(text):
                        self.characters += len(text)
                    case Unseen(characters):
                        self.characters += characters
                    case Usage():
                        self._usage = event
                    case ReplyEnd():
                        self._is_complete = True
                yield event

    async def _turn(self, asked: tuple[str, ...]) -> Turn:
        abilities = await self._provider.abilities()
        if self._connection.short or not abilities.tools or self._by_text:
            how = described_as_text(self._kinds)
            return Turn(asked, system=(load_prompt("make_items"), how), cites=False)
        system = (load_prompt("make_items"), load_prompt("make_with_tools"))
        return Turn(asked, tools=tools_for(self._kinds), system=system, cites=False)

    def _draft(self, call: ToolCall) -> Draft | Refused:
        try:
            return read_call(call.name, call.arguments, self._kinds)
        except Refused as refused:
            return refused

    def _count(self) -> None:
        """Count the cost of a reply; one that was not read to its end has not reported its length."""
        usage = self._usage
        if not self._is_complete and usage.tokens:
            written = max(usage.output_tokens, round(self.characters / CHARACTERS_OF_TOKEN))
            usage = replace(usage, output_tokens=written)
        self._record(replace(usage, cost=price_list().cost(self._connection.model, usage)))
