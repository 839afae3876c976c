"""A model that answers by itself: it searches for the question and quotes what was found."""

from __future__ import annotations

import re
from typing import Any

from tests.support.scripted_turns import Cite, Item, Text, ToolUse, Turn, search_results

_SEARCH = "search_course_content"
_NOT_COVERED = "The course material does not cover this."
_LONGEST_QUOTE = 320


class SelfAnswering:
    """The script a server follows when a test gives it none."""

    def __init__(self, word_delay: float = 0.0) -> None:
        self._word_delay = word_delay

    def __call__(self, body: dict[str, Any]) -> Turn:
        """Search first, then answer from the results."""
        last = body["messages"][-1]["content"]
        results = (
            [block for block in last if block["type"] == "tool_result"] if isinstance(last, list) else []
        )
        tools = {tool["name"] for tool in body.get("tools", [])}
        may_search = _SEARCH in tools and body.get("tool_choice", {}).get("type") != "none"
        if not results and isinstance(last, list) and (_holds_passages(last) or not tools):
            results = [{"content": last}]  # what was found stands before the question
        if not results and may_search:
            call = ToolUse(_SEARCH, {"query": _question(last)})
            return Turn(call, stop_reason="tool_use", word_delay=self._word_delay)
        items = self._from_results(body, results) or self._from_plain_text(results)
        return Turn(*(items or [Text(_NOT_COVERED)]), word_delay=self._word_delay)

    def _from_results(self, body: dict[str, Any], results: list[dict[str, Any]]) -> list[Item]:
        every = search_results(body)
        contents = [result["content"] for result in results if isinstance(result.get("content"), list)]
        new = [part for content in contents for part in content if part.get("type") == "search_result"]
        wanted = _words(_asked(body))
        items: list[Item] = []
        for count, found in enumerate(new[:3]):
            texts = [" ".join(part["text"].split()) for part in found["content"]]
            start = _nearest(texts, wanted)
            pair = " ".join(texts[start : start + 2])
            end = start + 2 if start + 2 <= len(texts) and len(pair) < _LONGEST_QUOTE else start + 1
            lead = "" if count == 0 else "\n\n"
            items.append(Text(f"{lead}**{found['title']}**: "))
            quote = " ".join(texts[start:end])
            items.append(Text(quote, citations=(Cite(every.index(found), start, end),)))
        return items

    def _from_plain_text(self, results: list[dict[str, Any]]) -> list[Item]:
        parts: list[Item] = []
        for result in results:
            for number, passage in re.findall(
                r"^Passage \[(\d+)\]\n\[[^\n]*\]\n(.*?)(?=^Passage \[|\Z)", _text_of(result), re.S | re.M
            )[:3]:
                sentence = re.split(r"(?<=[.!?])\s", " ".join(passage.split()), maxsplit=1)[0]
                lead = "\n\n" if parts else ""
                parts.append(Text(f"{lead}{sentence} [{number}]"))
        return parts


def _holds_passages(content: list[dict[str, Any]]) -> bool:
    return any(
        block["type"] == "search_result" or block.get("text", "").startswith("Passage [") for block in content
    )


def _words(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def _nearest(texts: list[str], wanted: set[str]) -> int:
    """Return the first sentence that has most of the question's words."""
    shared = [len(wanted & _words(text)) for text in texts]
    return shared.index(max(shared))


def _asked(body: dict[str, Any]) -> str:
    """Return the last thing the user wrote, before any results of tools."""
    for message in reversed(body["messages"]):
        content = message["content"]
        is_result = isinstance(content, list) and any(block["type"] == "tool_result" for block in content)
        if message["role"] == "user" and not is_result:
            return _question(content)
    return ""


def _question(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return str(next(block["text"] for block in reversed(content) if block["type"] == "text"))


def _text_of(result: dict[str, Any]) -> str:
    content = result.get("content", "")
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)
