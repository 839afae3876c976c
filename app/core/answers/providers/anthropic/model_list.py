"""Reads the list of models of the Messages protocol; some servers leave most fields out."""

from collections.abc import Iterable
from typing import Any

from app.core.answers.providers.server_memory import Capabilities
from app.core.answers.providers.wire import mapping
from app.domain.model_servers import ModelInfo


def capabilities_of(entry: object) -> Capabilities:
    """Read an entry of the list; whatever is missing or odd counts as unknown."""
    found = mapping(entry)
    listed = mapping(found.get("capabilities"))
    effort = mapping(listed.get("effort"))
    thinking = mapping(listed.get("thinking"))
    efforts = frozenset(level for level in effort if _supported(effort) and _supported(effort[level]))
    limit = found.get("max_tokens")
    return Capabilities(
        efforts=efforts if effort else None,
        thinks=_supported(thinking) if thinking else None,
        between_tools=_supported(mapping(thinking.get("types")).get("between_tools")),
        citations=_supported(listed.get("citations")) if "citations" in listed else None,
        pictures=_supported(listed.get("image_input")) if "image_input" in listed else None,
        max_tokens=limit if isinstance(limit, int) and limit > 0 else None,
        listed="citations" in listed and "thinking" in listed,
    )


def read_model_list(entries: Iterable[object]) -> tuple[ModelInfo, ...]:
    """Return a list's models in its order, in which Anthropic's newest comes first, without retired ones."""
    found: dict[str, ModelInfo] = {}
    for entry in map(mapping, entries):
        model = entry.get("id")
        if isinstance(model, str) and model and entry.get("lifecycle") != "retired":
            found.setdefault(model, _info(model, entry))
    return tuple(found.values())


def _info(model: str, entry: dict[str, Any]) -> ModelInfo:
    name, retires = entry.get("display_name"), entry.get("retires_at")
    name = name if isinstance(name, str) and name else model
    day = retires[:10] if isinstance(retires, str) else None
    return ModelInfo(model, name, entry.get("lifecycle") == "deprecated", day)


def _supported(value: object) -> bool:
    return mapping(value).get("supported") is True
