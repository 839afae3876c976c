"""A model behind the Messages protocol, Anthropic's own or a compatible server's."""

from typing import Any

from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.message_reader import MessageReader
from app.core.answers.providers.anthropic.request_builder import request_body
from app.core.answers.providers.base import ModelSettings, Turn
from app.core.answers.providers.reply_stream import ReplyReader
from app.core.answers.providers.server_memory import Capabilities, ServerMemory
from app.core.answers.providers.server_provider import ServerProvider
from app.core.answers.providers.wire import mapping


class AnthropicProvider(ServerProvider):
    """Implements :class:`ModelProvider`; all providers of a program share one ``memory``."""

    can_cite = True
    models_path = "/v1/models"
    listing = "?limit=1000"  # the most that a page holds

    def __init__(self, settings: ModelSettings, memory: ServerMemory) -> None:
        super().__init__(settings, memory, AnthropicClient(settings))

    def make_reader(self) -> ReplyReader:
        return MessageReader()

    def request(self, turn: Turn, fields: dict[str, Any]) -> dict[str, Any]:
        lacking = self.traits.lacking
        # Some servers do not know that tools are shown but not to be called.
        offers = turn.may_call or not self.settings.is_own_server or "toolless" in lacking
        return request_body(turn, fields, strict="strict" not in lacking, offers_tools=offers)

    def limit(self, tokens: int) -> dict[str, Any]:
        return {"max_tokens": tokens}

    def options(self) -> dict[str, Any]:
        effort, known = self.settings.effort, self.listed
        fields: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}
        if effort and (known.efforts is None or effort in known.efforts):
            fields["output_config"] = {"effort": effort}
        if known.between_tools:
            fields["thinking"] = {"type": "between_tools"}  # none before the first word
        return fields

    def thinks_by_name(self) -> bool:
        return "claude" in self.settings.model.lower()

    def capabilities_of(self, entry: dict[str, Any]) -> Capabilities:
        listed = mapping(entry.get("capabilities"))
        effort = mapping(listed.get("effort"))
        thinking = mapping(listed.get("thinking"))
        efforts = frozenset(level for level in effort if _supported(effort) and _supported(effort[level]))
        limit = entry.get("max_tokens")
        return Capabilities(
            efforts=efforts if effort else None,
            thinks=_supported(thinking) if thinking else None,
            between_tools=_supported(mapping(thinking.get("types")).get("between_tools")),
            citations=_supported(listed.get("citations")) if "citations" in listed else None,
            pictures=_supported(listed.get("image_input")) if "image_input" in listed else None,
            max_tokens=limit if isinstance(limit, int) and limit > 0 else None,
            listed="citations" in listed and "thinking" in listed,
        )

    def is_known_to_search(self) -> bool:
        """Whether it is one of Anthropic's models: there, or at a server that lists models as they do."""
        return self.listed.listed or not self.settings.is_own_server

    def knows_citations(self) -> bool:
        """Whether passages can be sent as ``search_result`` blocks.

        A server that does not know these may drop them without a word, and the model would answer from
        nothing: one that neither lists them nor was tried gets plain text.
        """
        tried = self.listed.citations if self.traits.cites is None else self.traits.cites
        return not self.settings.is_own_server if tried is None else tried


def _supported(value: object) -> bool:
    return mapping(value).get("supported") is True
