"""A model behind chat completions: at OpenAI, Gemini, Groq, Mistral, OpenRouter or any other server."""

from typing import Any

from app.core.answers.providers.base import ModelSettings, Turn
from app.core.answers.providers.openai.chat_reader import ChatReader
from app.core.answers.providers.openai.client import OpenAIClient
from app.core.answers.providers.openai.request_builder import request_body
from app.core.answers.providers.server_memory import Capabilities, ServerMemory
from app.core.answers.providers.server_provider import ServerProvider
from app.core.answers.providers.wire import mapping, whole_number


class OpenAIProvider(ServerProvider):
    """Implements :class:`ModelProvider`; all providers of a program share one ``memory``."""

    def __init__(self, settings: ModelSettings, memory: ServerMemory) -> None:
        super().__init__(settings, memory, OpenAIClient(settings))

    def make_reader(self) -> ChatReader:
        return ChatReader()

    def request(self, turn: Turn, fields: dict[str, Any]) -> dict[str, Any]:
        lacking = self.traits.lacking
        # Some servers do not know that tools are shown but not to be called.
        offers = turn.may_call or "toolless" in lacking
        return request_body(turn, fields, strict="strict" not in lacking, offers_tools=offers)

    def limit(self, tokens: int) -> dict[str, Any]:
        """Return the usual name, or the new one that some models of OpenAI insist on."""
        name = "max_completion_tokens" if "max_tokens" in self.traits.lacking else "max_tokens"
        return {name: tokens}

    def options(self) -> dict[str, Any]:
        effort = {"reasoning_effort": self.settings.effort} if self.settings.effort else {}
        return {**effort, "stream_options": {"include_usage": True}}

    def thinks_by_name(self) -> bool:
        return True  # the names tell nothing, and a limit costs nothing

    def capabilities_of(self, entry: dict[str, Any]) -> Capabilities:
        """Read Mistral's and Groq's additions; other servers say nothing."""
        sees = mapping(entry.get("capabilities")).get("vision")
        limit = whole_number(entry.get("max_completion_tokens"))
        return Capabilities(
            pictures=sees if isinstance(sees, bool) else None, max_tokens=limit if limit > 0 else None
        )
