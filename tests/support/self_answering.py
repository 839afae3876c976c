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
        if not results and may_search:
            call = ToolUse(_SEARCH, {"query": _question(last)})
            return Turn(call, stop_reason="tool_use", word_delay=self._word_delay)
        items = self._from_results(body, results) or self._from_plain_text(results)
        return Turn(*(items or [Text(_NOT_COVERED)]), word_delay=self._word_delay)

    def _from_results(self, body: dict[str, Any], results: list[dict[str, Any]]) -> list[Item]:
        every = search_results(body)
        contents = [result["content"] for result in results if isinstance(result.get("content"), list)]
        new = [part for content in contents for part in content if part.get("type") == "search_result"]
        items: list[Item] = []
        for count, found in enumerate(new[:3]):
            texts = [" ".join(part["text"].split()) for part in found["content"]]
            end = 2 if len(texts) > 1 and len(texts[0]) + len(texts[1]) < _LONGEST_QUOTE else 1
            lead = "" if count == 0 else "\n\n"
            items.append(Text(f"{lead}**{found['title']}**: "))
            quote = " ".join(texts[:end])
            items.append(Text(quote, citations=(Cite(every.index(found), 0, end),)))
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


def _question(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return str(next(block["text"] for block in reversed(content) if block["type"] == "text"))


def _text_of(result: dict[str, Any]) -> str:
    content = result.get("content", "")
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)
