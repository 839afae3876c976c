"""The Messages API's own checks of a request, as strict as the API is today."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import Any

from tests.support.scripted_turns import search_results

_TOP_LEVEL = {
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "metadata",
    "stop_sequences",
    "thinking",
    "output_config",
    "cache_control",
    "service_tier",
}
_SAMPLING = ("temperature", "top_p", "top_k")
_LARGEST_PICTURE = 5 * 2**20
_STRICT_KEYWORDS = {
    *("type", "description", "properties", "required", "additionalProperties", "items", "enum", "const"),
}
_EFFORTS = ("low", "medium", "high", "xhigh", "max")


class Rejected(Exception):
    """The request is refused with this status and error object."""

    def __init__(self, message: str, status: int = 400, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


@dataclass(frozen=True)
class Model:
    """A model of the server's list.

    Attributes:
        between_tools: accepts ``thinking: {"type": "between_tools"}``.
        lacks: request fields the model answers 400 to: ``effort``, ``thinking``,
            ``cache_control``, ``citations``, ``tools``, ``strict``, ``pictures``.
        listed: shown with its capabilities; a server of another make lists less.
    """

    id: str
    display_name: str
    lifecycle: str = "active"
    created_at: str = "2026-09-15T00:00:00Z"
    retires_at: str | None = None
    max_input_tokens: int = 200_000
    max_tokens: int = 64_000
    between_tools: bool = True
    citations: bool = True
    lacks: frozenset[str] = field(default_factory=frozenset)
    listed: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Return the object of ``/v1/models``."""
        yes, no = {"supported": True}, {"supported": False}
        effort = {level: yes for level in _EFFORTS}
        types = {
            "adaptive": yes,
            "between_tools": yes if self.between_tools else no,
            "disabled": no,
            "enabled": no,
        }
        strategies = ("clear_thinking_20251015", "clear_tool_uses_20250919", "compact_20260112")
        capabilities = {
            "batch": yes,
            "citations": yes if self.citations else no,
            "code_execution": yes,
            "context_management": {"supported": True, **{name: yes for name in strategies}},
            "effort": {"supported": True, **effort},
            "image_input": yes,
            "pdf_input": yes,
            "server_tools": {"supported": True, "web_search": yes, "code_execution": yes},
            "structured_outputs": yes,
            "thinking": {"supported": True, "types": types},
        }
        deprecated = None if self.lifecycle == "active" else "2026-08-01T00:00:00Z"
        return {
            "type": "model",
            "id": self.id,
            "display_name": self.display_name,
            "created_at": self.created_at,
            "lifecycle": self.lifecycle,
            "deprecated_at": deprecated,
            "retires_at": self.retires_at,
            "line": None,
            "max_input_tokens": self.max_input_tokens,
            "max_tokens": self.max_tokens,
            "capabilities": capabilities,
        }


DEFAULT_MODELS = (
    Model("claude-sonnet-5-5", "Claude Sonnet 5.5"),
    Model("claude-haiku-5", "Claude Haiku 5", created_at="2026-06-02T00:00:00Z", between_tools=False),
    Model(
        "claude-sonnet-4-5",
        "Claude Sonnet 4.5",
        "deprecated",
        "2025-09-29T00:00:00Z",
        retires_at="2026-11-30T00:00:00Z",
        between_tools=False,
    ),
    Model("claude-sonnet-4-20250514", "Claude Sonnet 4", "retired", "2025-05-14T00:00:00Z"),
)


def check(body: dict[str, Any], models: tuple[Model, ...], issued: IssuedTurns) -> None:
    """Raise :class:`Rejected` for what the API would refuse.

    Args:
        body: the request.
        models: the server's list.
        issued: what this server has answered so far; assistant turns of a tool loop must come
            back as they were.
    """
    for name in _SAMPLING:
        if name in body:
            raise Rejected(f"{name}: this parameter is no longer supported")
    for name in body:
        if name not in _TOP_LEVEL:
            raise Rejected(f"{name}: Extra inputs are not permitted")
    model = _check_model(body, models)
    _check_fields(body, model)
    _check_tools(body, model)
    _check_system(body)
    _check_messages(body, issued)
    _check_citations(body, model)
    _check_pictures(body["messages"], model)
    _check_cache(body, model)


def _check_model(body: dict[str, Any], models: tuple[Model, ...]) -> Model:
    name = body.get("model")
    for model in models:
        if model.id == name and model.lifecycle != "retired":
            return model
    raise Rejected(f"model: {name}", 404, "not_found_error")


def _check_fields(body: dict[str, Any], model: Model) -> None:
    limit = body.get("max_tokens")
    if not isinstance(limit, int) or isinstance(limit, bool) or not 0 < limit <= model.max_tokens:
        raise Rejected(f"max_tokens: must be between 1 and {model.max_tokens}")
    thinking = body.get("thinking")
    if thinking is not None:
        kind = thinking.get("type")
        allowed = {"adaptive"} | ({"between_tools"} if model.between_tools else set())
        if "thinking" in model.lacks or kind not in allowed:
            raise Rejected(f"thinking.type: '{kind}' is not supported on this model")
    config = body.get("output_config")
    if config is not None:
        if "effort" in model.lacks:
            raise Rejected("output_config.effort: This model does not support the effort parameter.")
        if config.get("effort") not in _EFFORTS:
            raise Rejected(f"output_config.effort: Input should be one of {', '.join(_EFFORTS)}")


def _check_tools(body: dict[str, Any], model: Model) -> None:
    tools = body.get("tools")
    if tools and "tools" in model.lacks:
        raise Rejected(f"{model.id} does not support tools")
    choice = body.get("tool_choice")
    if choice is not None:
        if not tools:
            raise Rejected("tool_choice: may only be specified while providing tools")
        if choice.get("type") not in ("auto", "none") and model.id == "claude-sonnet-5-5":
            raise Rejected("tool_choice: forced tool use is not supported on this model")
    for tool in tools or []:
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", str(tool.get("name"))):
            raise Rejected("tools.0.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'")
        if tool.get("input_schema", {}).get("type") != "object":
            raise Rejected("tools.0.input_schema.type: Field required")
        if tool.get("strict"):
            if "strict" in model.lacks:
                raise Rejected("tools.0.custom.strict: Extra inputs are not permitted")
            _check_strict(tool["input_schema"])


def _check_strict(schema: dict[str, Any]) -> None:
    """Check a schema that the model shall be kept to: few keywords can be turned into a grammar."""
    if unknown := schema.keys() - _STRICT_KEYWORDS:
        raise Rejected(f"tools.0.input_schema: {sorted(unknown)} are not supported with strict")
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            raise Rejected("tools.0.input_schema: additionalProperties must be false with strict")
        if set(schema.get("required", ())) != schema["properties"].keys():
            raise Rejected("tools.0.input_schema: all properties must be required with strict")
    for part in (*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])):
        _check_strict(part)


def _check_system(body: dict[str, Any]) -> None:
    system = body.get("system")
    if isinstance(system, list):
        for block in system:
            if block.get("type") != "text" or not str(block.get("text", "")).strip():
                raise Rejected("system: text content blocks must be non-empty")


class IssuedTurns:
    """The assistant turns this server has written."""

    def __init__(self) -> None:
        self._thinking: set[tuple[str, str]] = set()
        self._tool_calls: dict[str, list[str]] = {}
        self._paused: list[list[dict[str, Any]]] = []

    def remember(self, message: dict[str, Any]) -> None:
        """Keep what must come back unchanged."""
        content = message["content"]
        for block in content:
            if block["type"] == "thinking":
                self._thinking.add((block["thinking"], block["signature"]))
        kinds = [block["type"] for block in content if block["type"] != "text"]
        for block in content:
            if block["type"] == "tool_use":
                self._tool_calls[block["id"]] = kinds
        if message.get("stop_reason") == "pause_turn":
            self._paused.append(content)

    def goes_on_from(self, content: list[dict[str, Any]]) -> bool:
        """Whether an assistant turn ends with one that paused, unchanged."""
        return any(content[-len(paused) :] == paused for paused in self._paused if paused)

    def check(self, content: list[dict[str, Any]]) -> None:
        """Raise when an assistant turn comes back changed."""
        kinds = [block["type"] for block in content if block["type"] != "text"]
        for block in content:
            if block["type"] == "thinking":
                if (block.get("thinking"), block.get("signature")) not in self._thinking:
                    raise Rejected("messages: thinking blocks cannot be modified")
            elif block["type"] == "tool_use":
                issued = self._tool_calls.get(block["id"], kinds)
                if kinds[-len(issued) :] != issued:
                    raise Rejected("messages: blocks of the assistant turn are missing")


def _check_messages(body: dict[str, Any], issued: IssuedTurns) -> None:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Rejected("messages: at least one message is required")
    waiting: list[str] = []
    for index, message in enumerate(messages):
        expected = "user" if index % 2 == 0 else "assistant"
        if message.get("role") != expected:
            raise Rejected(f"messages.{index}: roles must alternate, expected {expected}")
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if not content:
            raise Rejected(f"messages.{index}: content must not be empty")
        _check_texts(content, index)
        if expected == "user":
            _check_results(content, waiting, index)
            waiting = []
        else:
            issued.check(content)
            waiting = [block["id"] for block in content if block["type"] == "tool_use"]
    if messages[-1]["role"] == "assistant" and not issued.goes_on_from(messages[-1]["content"]):
        raise Rejected("messages: This model does not support assistant message prefill.")


def _check_texts(content: list[dict[str, Any]], index: int) -> None:
    for block in content:
        if block["type"] == "text" and not str(block.get("text", "")).strip():
            raise Rejected(f"messages.{index}: text content blocks must contain non-whitespace text")


def _check_results(content: list[dict[str, Any]], waiting: list[str], index: int) -> None:
    answered = []
    seen_other = False
    for block in content:
        if block["type"] == "tool_result":
            if seen_other:
                raise Rejected(f"messages.{index}: tool_result blocks must come first")
            answered.append(block.get("tool_use_id"))
        else:
            seen_other = True
    if sorted(map(str, answered)) != sorted(waiting):
        raise Rejected(
            f"messages.{index}: `tool_use` ids {waiting} need `tool_result` blocks immediately after, "
            f"found {answered}"
        )


def _check_citations(body: dict[str, Any], model: Model) -> None:
    results = search_results(body)
    if results and "citations" in model.lacks:
        raise Rejected(
            "messages: Input tag 'search_result' found using 'type' does not match any of the expected tags"
        )
    enabled = set()
    for result in results:
        texts = result.get("content")
        if not (result.get("source") and result.get("title") and isinstance(texts, list) and texts):
            raise Rejected("search_result: source, title and content are required")
        if any(part.get("type") != "text" or not part.get("text", "").strip() for part in texts):
            raise Rejected("search_result.content: text blocks must be non-empty")
        enabled.add(bool(result.get("citations", {}).get("enabled")))
    if len(enabled) > 1:
        raise Rejected("search_result: citations must be enabled on all or none of the blocks")


def _check_pictures(value: object, model: Model) -> None:
    if isinstance(value, list):
        for part in value:
            _check_pictures(part, model)
    if not isinstance(value, dict):
        return
    if value.get("type") != "image":
        _check_pictures(value.get("content"), model)
        return
    if "pictures" in model.lacks:
        raise Rejected("messages: This model does not support image input.")
    source = value.get("source", {})
    data = base64.b64decode(source.get("data", ""), validate=True)
    if source.get("type") != "base64" or len(data) > _LARGEST_PICTURE:
        raise Rejected("image.source: Input should be base64 of at most 5 MB")
    if source.get("media_type") != "image/jpeg" or not data.startswith(b"\xff\xd8"):
        raise Rejected("image.source.base64: Could not process image")


def _check_cache(body: dict[str, Any], model: Model) -> None:
    marks = _count_cache_marks(body)
    if marks and "cache_control" in model.lacks:
        raise Rejected("cache_control: Extra inputs are not permitted")
    if marks > 4:
        raise Rejected(f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.")


def _count_cache_marks(value: object) -> int:
    if isinstance(value, dict):
        own = 1 if value.get("cache_control") else 0
        return own + sum(_count_cache_marks(part) for part in value.values())
    if isinstance(value, list):
        return sum(_count_cache_marks(part) for part in value)
    return 0
