"""Keeps what was learned of models and servers, also on the disk, so that nothing is found out twice.

The file can be lost, old or damaged at any time: all it costs is to learn again. Addresses may hold names
and passwords, so servers and models stand in it as digests only.
"""

import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from app.config.files import private_file, replace_file
from app.core.answers.providers.anthropic.message_reader import mapping
from app.core.answers.providers.anthropic.server_traits import MOST_PROBES, Capabilities, ServerTraits

_log = logging.getLogger(__name__)

_VERSION = 1
_KEPT = 30 * 86_400.0  # seconds; by then the server may have another model of that name
_DOUBTED = 3600.0  # what is older may have changed when the server refuses something
_MOST_ENTRIES = 200
_LARGEST_FILE = 1 << 20
_MOST_LACKING = 20
_CHARACTERS = 100  # of the name of a field

Entry = dict[str, Any]


class ServerMemory:
    """Traits by server address and model; shared by the providers of a program. Thread-safe.

    Without a ``path`` they are kept as long as the program runs. ``now`` is the clock.
    """

    def __init__(self, path: Path | None = None, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now
        self._lock = threading.Lock()
        self._traits: dict[str, ServerTraits] = {}
        self._saved: dict[str, Entry] | None = None

    def of(self, address: str, model: str) -> ServerTraits:
        """Return what is known; whoever learns more changes it there."""
        key = hashlib.sha256(f"{address}\n{model}".encode("utf-8", "replace")).hexdigest()
        with self._lock:
            if self._saved is None:
                self._saved = self._read()
            if key not in self._traits:
                self._traits[key] = _traits_of(self._saved.get(key, {}))
            return self._traits[key]

    def doubt(self, traits: ServerTraits) -> None:
        """Forget what was learned a while ago: the server has just refused a request."""
        if traits.since and self._now() - traits.since > _DOUBTED:
            traits.forget()

    def save(self) -> None:
        """Write what has changed to the disk, beside what other processes have learned."""
        with self._lock:
            saved, nothing = self._saved or {}, _entry_of(ServerTraits())
            changed = {
                key: traits
                for key, traits in self._traits.items()
                if _entry_of(traits) != saved.get(key, nothing)
            }
            if not changed:
                return
            for traits in changed.values():
                traits.since = traits.since or self._now()
            self._saved = saved | self._read() | {key: _entry_of(traits) for key, traits in changed.items()}
            if self._path is not None:
                try:
                    self._write(self._path, self._saved)
                except OSError as error:  # such as a full disk
                    _log.info("What was learned of the model server is not kept: %s", error)

    def _read(self) -> dict[str, Entry]:
        try:
            if self._path is None or not self._path.is_file() or self._path.stat().st_size > _LARGEST_FILE:
                return {}
            stored = mapping(json.loads(self._path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return {}
        models = mapping(stored.get("models")) if stored.get("version") == _VERSION else {}
        return {key: entry for key, entry in models.items() if self._is_fresh(mapping(entry).get("since"))}

    def _is_fresh(self, since: object) -> bool:
        return isinstance(since, int | float) and 0 <= self._now() - since <= _KEPT

    def _write(self, path: Path, entries: dict[str, Entry]) -> None:
        def worth(item: tuple[str, Entry]) -> tuple[bool, float]:
            """What a server only lists goes first: hundreds of models, none of which was used."""
            used = bool(item[1].get("lacking")) or item[1].get("probes_left") != MOST_PROBES
            return used or item[1].get("searches") is not None, float(item[1]["since"])

        newest = sorted(entries.items(), key=worth)[-_MOST_ENTRIES:]
        text = json.dumps({"version": _VERSION, "models": dict(newest)})

        def write(draft: Path) -> None:
            private_file(draft)
            draft.write_text(text, encoding="utf-8")

        replace_file(path, write)


def _entry_of(traits: ServerTraits) -> Entry:
    """Return the traits as they are stored."""
    entry: Entry = json.loads(json.dumps(asdict(traits), default=sorted))  # sets become lists
    return entry


def _traits_of(entry: Entry) -> ServerTraits:
    """Read what is stored, of which anything may be missing or wrong."""
    traits = ServerTraits(**_booleans(ServerTraits, entry))
    lacking = entry.get("lacking")
    if isinstance(lacking, list):
        names = [name for name in lacking[:_MOST_LACKING] if isinstance(name, str)]
        traits.lacking = {name for name in names if len(name) <= _CHARACTERS}
    left = entry.get("probes_left")
    if isinstance(left, int) and 0 <= left < MOST_PROBES:
        traits.probes_left = left
    traits.since = entry.get("since", 0.0)
    if isinstance(entry.get("capabilities"), dict):
        traits.capabilities = _capabilities_of(entry["capabilities"])
    return traits


def _capabilities_of(entry: Entry) -> Capabilities:
    efforts, limit = entry.get("efforts"), entry.get("max_tokens")
    levels = [level for level in efforts if isinstance(level, str)] if isinstance(efforts, list) else None
    return Capabilities(
        **_booleans(Capabilities, entry),
        efforts=None if levels is None else frozenset(levels),
        max_tokens=limit if isinstance(limit, int) and limit > 1 else None,
    )


def _booleans(kind: type, entry: Entry) -> dict[str, Any]:
    """Return those of the fields that ``kind`` has as true or false."""
    names = [item.name for item in fields(kind) if "bool" in str(item.type)]
    return {name: entry[name] for name in names if isinstance(entry.get(name), bool)}
