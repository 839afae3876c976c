"""Reads tool calls that a model wrote into its text, in the ways models were taught to write them.

Models that were trained on other servers' templates, or run behind a server that does not read them, write
``{"name": …, "arguments": …}``, the same in a code block or between ``<tool_call>`` tags, ``[TOOL_CALLS]``,
``<function=…>``, or a call as Python has it. Where a call begins and ends in a text is not decided here.
"""

import ast
import json
import re
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters", "input", "args")
# What is most often missing when a model loses count of its brackets.
_MISSING_ENDS = ("", "}", "}}", "]", "}]", "}}]")

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*("|\Z)|[{}\[\]]', re.DOTALL)
_ELEMENT = re.compile(
    r'<(?:function=|invoke\s+name=)"?([\w-]+)"?>(.*?)(?:</(?:function|invoke)>|\Z)', re.DOTALL
)
_PARAMETER = re.compile(r'<parameter(?:=|\s+name=)"?([\w-]+)"?>((?:[^<]|<(?!/?parameter))*)</parameter>')
_BEFORE_ARGUMENTS = re.compile(r"(?<![\w-])([\w-]+)\[ARGS\]\s*(?=\{)")
_PYTHON = re.compile(r"\b([A-Za-z_]\w*)\(")
_NAMED = re.compile(rf'"(?:{"|".join(_NAMES)})"\s*:\s*"([\w-]+)"')


class WrittenCall(NamedTuple):
    """A call as it was written; ``arguments`` is text where it was no JSON."""

    name: str
    arguments: object


def read_calls(text: str, names: Collection[str] | None) -> list[WrittenCall]:
    """Return the calls in a text; with ``names``, only those of tools that have one of them."""
    for read in (_elements, _with_arguments, _objects, _python_calls):
        found = [call for call in read(text) if names is None or call.name in names]
        if found:
            return found
    named = _NAMED.search(text)
    if named and (names is None or named[1] in names):  # broken JSON: the tool will say so
        return [WrittenCall(named[1], text)]
    return []


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


def _elements(text: str) -> Iterator[WrittenCall]:
    for name, body in _ELEMENT.findall(text):
        given = {key: _scalar(value.strip()) for key, value in _PARAMETER.findall(body)}
        yield WrittenCall(name, given or _loaded(body.strip() or "{}"))


def _with_arguments(text: str) -> Iterator[WrittenCall]:
    for found in _BEFORE_ARGUMENTS.finditer(text):
        yield WrittenCall(found[1], _loaded(text[found.end() : json_end(text, found.end())]))


def _objects(text: str) -> Iterator[WrittenCall]:
    for value in read_json_objects(text):
        yield from _calls_of(value)


def _python_calls(text: str) -> Iterator[WrittenCall]:
    for found in _PYTHON.finditer(text):
        line = text[found.start() :].partition("\n")[0]
        try:
            call = ast.parse(line[: line.rfind(")") + 1], mode="eval").body
            if isinstance(call, ast.Call) and call.keywords and not call.args:
                given = {str(part.arg): ast.literal_eval(part.value) for part in call.keywords}
                yield WrittenCall(found[1], given)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue


def _calls_of(value: object) -> Iterator[WrittenCall]:
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from _calls_of(item)
    elif isinstance(value, dict):
        if isinstance(value.get("tool_calls"), list):
            yield from _calls_of(value["tool_calls"])
        elif isinstance(value.get("function"), dict):
            yield from _calls_of(value["function"])
        else:
            yield from _call_of(value)


def _call_of(value: dict[str, Any]) -> Iterator[WrittenCall]:
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    key = next((key for key in _ARGUMENTS if key in value), None)
    if name and key:
        arguments = value[key]
        yield WrittenCall(name, _loaded(arguments) if isinstance(arguments, str) else arguments)


def _loaded(text: str) -> object:
    """Return the JSON value of a text, even one that lacks its last brackets; else the text itself."""
    for end in _MISSING_ENDS:
        try:
            return json.loads(text + end, strict=False)
        except (ValueError, RecursionError):
            continue
    return text


def _scalar(text: str) -> object:
    return int(text) if text.isdecimal() and len(text) < 10 else text


def _first(text: str, characters: str, at: int) -> int | None:
    return next((n for n in range(at, len(text)) if text[n] in characters), None)
