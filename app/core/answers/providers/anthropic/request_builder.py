"""Builds the requests of one answer: the conversation so far, and the fields a server takes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.core.answers.content_words import content_words, mend_surrogates
from app.core.answers.prompts import load_prompt, scope_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.answers.providers.anthropic.message_reader import ToolCall
    from app.core.answers.tools import ToolOutcome
    from app.domain.conversations import ChatMessage
    from app.domain.scope import Scope

_EPHEMERAL = {"type": "ephemeral"}
_FEW_WORDS = 3


@dataclass(frozen=True, slots=True)
class Fields:
    """What a request holds beside the conversation.

    Attributes:
        max_tokens: for thinking and answer together.
        effort: how hard the model works; None leaves the field out.
        thinking: turn thinking before the first word off.
        cache_control: mark what the server may cache.
        citations: send passages as ``search_result`` blocks; else as text with numbers.
    """

    model: str
    max_tokens: int
    effort: str | None = None
    thinking: bool = False
    cache_control: bool = True
    citations: bool = True


class RequestBuilder:
    """The conversation of one answer, from the earlier exchanges to the last tool result."""

    def __init__(
        self, question: str, history: Sequence[ChatMessage], scope: Scope, tools: list[dict[str, Any]]
    ) -> None:
        """Begin with the question.

        Args:
            question: as the user wrote it.
            history: earlier turns, oldest first; blank ones and ones out of order are repaired.
            scope: goes into the user's turn, where it does not disturb what is cached.
            tools: definitions in a fixed order.
        """
        self._tools = tools
        self._turns: list[dict[str, Any] | list[tuple[ToolCall, ToolOutcome]]] = [
            {"role": turn.role, "content": turn.content} for turn in _paired(history)
        ]
        content = [{"type": "text", "text": text} for text in (scope_note(scope), question) if text.strip()]
        self._turns.append({"role": "user", "content": content or [{"type": "text", "text": "?"}]})
        self._asked_at = len(self._turns)
        self._found: ToolOutcome | None = None

    @property
    def has_tools(self) -> bool:
        """Whether the model is offered tools."""
        return bool(self._tools)

    def answer_from(self, outcome: ToolOutcome) -> None:
        """Offer no tools: the passages of a search that was made already go before the question."""
        self._tools = []
        self._found = outcome
        del self._turns[self._asked_at :]

    def add_assistant(self, content: list[dict[str, Any]]) -> None:
        """Append what the model wrote; nothing of it is changed."""
        if not content:
            return
        last = self._turns[-1]
        if isinstance(last, dict) and last["role"] == "assistant":  # it went on after a pause
            content = [*last["content"], *content]
            self._turns.pop()
        self._turns.append({"role": "assistant", "content": content})

    def add_results(self, results: list[tuple[ToolCall, ToolOutcome]]) -> None:
        """Append the answers to all tool calls of a turn as one user message."""
        self._turns.append(results)

    def body(self, fields: Fields, *, may_search: bool) -> dict[str, Any]:
        """Return the request.

        Args:
            fields: what the server takes.
            may_search: False makes this the last request: the same tools, none to be called.
        """
        body: dict[str, Any] = {
            "model": fields.model,
            "max_tokens": fields.max_tokens,
            "system": self._system(fields),
            "messages": [self._message(at, turn, fields) for at, turn in enumerate(self._turns, 1)],
            "stream": True,
        }
        if self._tools:
            body["tools"] = self._tools
            body["tool_choice"] = {"type": "auto" if may_search else "none"}
        if fields.effort:
            body["output_config"] = {"effort": fields.effort}
        if fields.thinking:
            body["thinking"] = {"type": "between_tools"}
        if fields.cache_control:
            body["cache_control"] = dict(_EPHEMERAL)
        return _sendable(body)

    @property
    def has_passages(self) -> bool:
        """Whether a tool has returned passages."""
        outcomes = [outcome for turn in self._turns if isinstance(turn, list) for _, outcome in turn]
        return any(outcome.has_passages for outcome in [*outcomes, *([self._found] if self._found else [])])

    def _system(self, fields: Fields) -> list[dict[str, Any]]:
        names = ["system"] if fields.citations else ["system", "marks"]
        if self._found:
            names.append("passages")
        blocks: list[dict[str, Any]] = [{"type": "text", "text": load_prompt(name)} for name in names]
        if fields.cache_control:
            blocks[-1]["cache_control"] = dict(_EPHEMERAL)
        return blocks

    def _message(
        self, at: int, turn: dict[str, Any] | list[tuple[ToolCall, ToolOutcome]], fields: Fields
    ) -> dict[str, Any]:
        if isinstance(turn, list):
            return {"role": "user", "content": [_result(call, outcome, fields) for call, outcome in turn]}
        if at == self._asked_at and self._found:
            plain = [{"type": "text", "text": self._found.plain_text}]
            found = list(self._found.content) if fields.citations else plain
            return {"role": "user", "content": [*found, *turn["content"]]}
        if fields.citations or not isinstance(turn["content"], list):
            return turn
        # Citations of blocks that are no longer sent would point nowhere.
        content = [{name: block[name] for name in block if name != "citations"} for block in turn["content"]]
        return {"role": turn["role"], "content": content}


def search_query(question: str, history: Sequence[ChatMessage]) -> str:
    """Return what to search for where the model can not say it: a short question leans on the one before."""
    before = [turn.content for turn in history if turn.role == "user"]
    if before and len(content_words(question)) < _FEW_WORDS:
        return f"{before[-1]} {question}"
    return question


def _result(call: ToolCall, outcome: ToolOutcome, fields: Fields) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call.id}
    block["content"] = list(outcome.content) if fields.citations else outcome.plain_text
    if outcome.is_error:
        block["is_error"] = True
    return block


def _sendable(body: dict[str, Any]) -> dict[str, Any]:
    """Mend halves of surrogate pairs, which a model can write in JSON but nobody can send as UTF-8."""
    written = json.dumps(body, ensure_ascii=False)
    mended = mend_surrogates(written)
    if mended == written:
        return body
    repaired: dict[str, Any] = json.loads(mended)
    return repaired


def _paired(history: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return question and answer in turn, as the API wants them; what has no partner is left out."""
    kept: list[ChatMessage] = []
    for turn in history:
        if not turn.content.strip():
            continue
        expected = "user" if len(kept) % 2 == 0 else "assistant"
        if turn.role == expected:
            kept.append(turn)
        elif turn.role == "user":
            kept[-1] = turn  # the question before it was never answered
    return kept if len(kept) % 2 == 0 else kept[:-1]
