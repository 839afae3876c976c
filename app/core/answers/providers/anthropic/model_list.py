"""Reads what a server says about its models and about when to come back."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from app.domain.model_servers import ModelInfo

if TYPE_CHECKING:
    from collections.abc import Iterable

_EPOCH = datetime.fromtimestamp(0, UTC)
_LONGEST_WAIT = 24 * 3600.0


def read_model_list(entries: Iterable[object]) -> tuple[ModelInfo, ...]:
    """Return the models of a list, newest first, without the retired ones.

    Args:
        entries: as the server sent them; other makes of servers leave most fields out.
    """
    found: dict[str, tuple[datetime, ModelInfo]] = {}
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"]:
            continue
        if entry.get("lifecycle") != "retired":
            found.setdefault(entry["id"], (_created(entry), _info(entry)))
    newest_first = sorted(found.values(), key=lambda item: (-item[0].timestamp(), item[1].name))
    return tuple(info for _, info in newest_first)


def read_retry_after(header: str | None) -> float | None:
    """Return the seconds of a ``retry-after`` header, which holds a number or a date."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError):
            return None
    # "not (0 <= …)" is also true of NaN
    return None if not 0 <= seconds < float("inf") else min(seconds, _LONGEST_WAIT)


def _info(entry: dict[str, Any]) -> ModelInfo:
    name = entry.get("display_name")
    limit = entry.get("max_input_tokens")
    retires = entry.get("retires_at")
    return ModelInfo(
        id=entry["id"],
        name=name if isinstance(name, str) and name else entry["id"],
        deprecated=entry.get("lifecycle") == "deprecated",
        retires=retires[:10] if isinstance(retires, str) else None,
        max_input_tokens=limit if isinstance(limit, int) else None,
    )


def _created(entry: dict[str, Any]) -> datetime:
    value = entry.get("created_at", entry.get("created"))
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        made = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except (ValueError, OverflowError, OSError):
        return _EPOCH
    return made if made.tzinfo else made.replace(tzinfo=UTC)
