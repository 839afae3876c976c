"""What is known of a model at a server: what it takes, learned once and remembered, and how it is listed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Self

from app.core.answers.providers.anthropic.message_reader import mapping
from app.domain.model_servers import ModelInfo

# What an answer can do without, with the words a server names it by. The order matters: a server that
# does not know a kind of block lists all the kinds it knows. "tool" alone says little: it is about the
# tools as such only beside a word that says they cannot be used. "Vision" may be in a model's name.
_TOOLS = r"\b(tools?|tool_choice|function call\w*)\b"
_REFUSED = r"(support|unknown|unrecogni[sz]ed|unexpected|permitted|allowed|enabled|available{also})"
_NAMED_BY = (
    ("citations", re.compile(r"search_result|citations")),
    ("output_config", re.compile(r"output_config|effort")),
    ("cache_control", re.compile(r"cache_control")),
    ("thinking", re.compile(r"thinking")),
    ("stream", re.compile(r"\bstream(ing)?\b")),
    ("pictures", re.compile(r"\b(images?|image_url)\b")),
    ("strict", re.compile(r"\bstrict\b|schema|grammar")),
    (
        "tools",
        re.compile(
            f"{_REFUSED.format(also='')}.{{0,60}}{_TOOLS}|{_TOOLS}.{{0,60}}{_REFUSED.format(also='|requires?')}"
        ),
    ),
    ("pictures", re.compile(r"\b(vision|multimodal|mmproj)\b")),
)

MOST_PROBES = 3


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the server's list says about a model; None where it says nothing."""

    efforts: frozenset[str] | None = None
    thinks: bool | None = None
    between_tools: bool = False
    citations: bool | None = None
    pictures: bool | None = None
    max_tokens: int | None = None
    listed: bool = False  # the list says what the model can do, as Anthropic's own does

    @classmethod
    def of(cls, entry: object) -> Self:
        """Read an entry of the model list; whatever is missing or odd counts as unknown."""
        found = mapping(entry)
        listed = mapping(found.get("capabilities"))
        effort = mapping(listed.get("effort"))
        thinking = mapping(listed.get("thinking"))
        efforts = frozenset(level for level in effort if _supported(effort) and _supported(effort[level]))
        limit = found.get("max_tokens")
        return cls(
            efforts=efforts if effort else None,
            thinks=_supported(thinking) if thinking else None,
            between_tools=_supported(mapping(thinking.get("types")).get("between_tools")),
            citations=_supported(listed.get("citations")) if "citations" in listed else None,
            pictures=_supported(listed.get("image_input")) if "image_input" in listed else None,
            max_tokens=limit if isinstance(limit, int) and limit > 0 else None,
            listed="citations" in listed and "thinking" in listed,
        )


@dataclass(slots=True)
class ServerTraits:
    """What was learned of one model at one server; None is what is not known yet."""

    lacking: set[str] = field(default_factory=set)  # what it refused, as named above
    capabilities: Capabilities | None = None  # what the server's list says; None until it is asked
    searches: bool | None = None  # whether it searches by itself when a question needs it
    cites: bool | None = None  # whether it cites passages that are sent as `search_result` blocks
    marks: bool | None = None  # whether it writes `[1]` behind a sentence when it is asked to
    thinks: bool | None = None  # whether it thinks before it answers, which takes tokens
    thinks_first: bool = False  # its text begins with a thought that nothing opens, only `</think>` ends it
    writes_calls: bool = False  # it writes tool calls into its text
    probes_left: int = MOST_PROBES  # how often to try still to find out what is None
    since: float = 0.0  # when the first of this was learned, in seconds since the epoch; 0 if nothing is

    def forget(self) -> None:
        """Learn everything anew."""
        unknown = ServerTraits()
        for item in fields(self):
            setattr(self, item.name, getattr(unknown, item.name))


def field_to_drop(message: str, sent: Iterable[str]) -> str | None:
    """Return which part of what was sent a refusal is about, if an answer can do without it."""
    said = message.lower()
    return next((name for name, words in _NAMED_BY if name in sent and words.search(said)), None)


def read_model_list(entries: Iterable[object]) -> tuple[ModelInfo, ...]:
    """Return a list's models, newest first, without retired ones; some servers leave most fields out."""
    found: dict[str, tuple[float, ModelInfo]] = {}
    for entry in map(mapping, entries):
        model = entry.get("id")
        if isinstance(model, str) and model and entry.get("lifecycle") != "retired":
            found.setdefault(model, (_created(entry), _info(model, entry)))
    newest_first = sorted(found.values(), key=lambda item: (-item[0], item[1].name))
    return tuple(info for _, info in newest_first)


def _info(model: str, entry: dict[str, Any]) -> ModelInfo:
    name, retires = entry.get("display_name"), entry.get("retires_at")
    name = name if isinstance(name, str) and name else model
    day = retires[:10] if isinstance(retires, str) else None
    return ModelInfo(model, name, entry.get("lifecycle") == "deprecated", day)


def _created(entry: dict[str, Any]) -> float:
    value = entry.get("created_at", entry.get("created"))
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC).timestamp()
        made = datetime.fromisoformat(str(value))
        return (made if made.tzinfo else made.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _supported(value: object) -> bool:
    return mapping(value).get("supported") is True
