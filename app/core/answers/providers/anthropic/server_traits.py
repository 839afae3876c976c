"""What is known of a model server: which fields it takes, learned once and remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

# What an answer can do without, with the words a server names it by. The order matters: a server that
# does not know a kind of block lists all the kinds it knows. "tool" alone says little: it is about the
# tools as such only beside a word that says they can not be used.
_NAMED_BY = (
    ("citations", re.compile(r"search_result|citations")),
    ("effort", re.compile(r"output_config|effort")),
    ("cache_control", re.compile(r"cache_control")),
    ("thinking", re.compile(r"thinking")),
    ("stream", re.compile(r"\bstream(ing)?\b")),
    (
        "tools",
        re.compile(
            r"(support|unknown|unrecogni[sz]ed|unexpected|permitted|allowed|enabled|available)"
            r".{0,60}\b(tools?|tool_choice|function call\w*)\b"
            r"|\b(tools?|tool_choice|function call\w*)\b.{0,60}"
            r"(support|unknown|unrecogni[sz]ed|unexpected|permitted|allowed|enabled|available|requires?)"
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the server's list says about a model; None where it says nothing."""

    efforts: frozenset[str] | None = None
    thinks: bool | None = None
    between_tools: bool = False
    citations: bool | None = None
    max_tokens: int | None = None

    @classmethod
    def of(cls, entry: object) -> Capabilities:
        """Read an entry of the model list; whatever is missing or odd counts as unknown."""
        found = _mapping(entry)
        listed = _mapping(found.get("capabilities"))
        effort = _mapping(listed.get("effort"))
        thinking = _mapping(listed.get("thinking"))
        efforts = None
        if effort:
            supported = _supported(effort)
            efforts = frozenset(level for level in effort if supported and _supported(effort[level]))
        limit = found.get("max_tokens")
        return cls(
            efforts=efforts,
            thinks=_supported(thinking) if thinking else None,
            between_tools=bool(_supported(_mapping(thinking.get("types")).get("between_tools"))),
            citations=_supported(listed.get("citations")) if "citations" in listed else None,
            max_tokens=limit if isinstance(limit, int) and limit > 0 else None,
        )


class ServerMemory:
    """Remembers by server and model what was learned; shared by the generators of a program."""

    def __init__(self) -> None:
        self._lacking: dict[tuple[str, str], set[str]] = {}
        self._capabilities: dict[tuple[str, str], Capabilities] = {}

    def lacking(self, base_url: str, model: str) -> frozenset[str]:
        """Return what this server has refused for this model: fields, ``tools``, ``stream``."""
        return frozenset(self._lacking.get((base_url, model), ()))

    def drop(self, base_url: str, model: str, name: str) -> None:
        """Never ask for this there again."""
        self._lacking.setdefault((base_url, model), set()).add(name)

    def capabilities(self, base_url: str, model: str) -> Capabilities | None:
        """Return what the server's list says; None while it was not asked."""
        return self._capabilities.get((base_url, model))

    def learn(self, base_url: str, model: str, capabilities: Capabilities) -> None:
        """Keep what the server's list says."""
        self._capabilities[base_url, model] = capabilities


def field_to_drop(message: str, sent: frozenset[str]) -> str | None:
    """Return which part of what was sent a refusal is about, if an answer can do without it."""
    said = message.lower()
    for name, words in _NAMED_BY:
        if name in sent and words.search(said):
            return name
    return None


def knows_search_results(capabilities: Capabilities, model: str) -> bool:
    """Whether passages can be sent as ``search_result`` blocks.

    Where the list does not say, the name decides: a server for other models may drop blocks it does
    not know without a word, and the model would answer from nothing.
    """
    if capabilities.citations is not None:
        return capabilities.citations
    return "claude" in model.lower()


def _supported(value: object) -> bool:
    return _mapping(value).get("supported") is True


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
