"""What is known of models at servers, learned once and also kept on the disk.

The file can be lost, old or damaged at any time: all it costs is to learn again. Addresses may hold names
and passwords, so servers and models stand in it as digests only.
"""

import hashlib
import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from app.config.files import private_file, replace_file
from app.core.answers.providers.wire import mapping

_log = logging.getLogger(__name__)

_VERSION = 1
_KEPT = 30 * 86_400.0  # seconds; by then the server may have another model of that name
_LARGEST_FILE = 1 << 20  # a larger one is begun anew
_MOST_PROBES = 3

# How servers answer to a field, and to a whole way of asking, that they do not know.
_UNKNOWN_FIELD = frozenset({400, 422})
UNKNOWN_WAY = _UNKNOWN_FIELD | {404, 405, 500, 501}
_WAYS = frozenset({"tools", "strict", "pictures"})  # that a server fails at, not knowing them

# What an answer can do without, with the words a server names it by. The order matters: a server that
# does not know a kind of block lists all the kinds it knows. "tool" alone says little: it is about the
# tools as such only beside a word that says they cannot be used. "Vision" may be in a model's name.
_TOOLS = r"\b(tools?|tool_choice|function call\w*)\b"
_REFUSED = r"(support|unknown|unrecogni[sz]ed|unexpected|permitted|allowed|enabled|available{also})"
_NAMED_BY = (
    ("citations", re.compile(r"search_result|citations")),
    ("output_config", re.compile(r"output_config|effort")),
    ("reasoning_effort", re.compile(r"effort|thinking")),
    ("stream_options", re.compile(r"stream_options|include_usage")),
    ("max_tokens", re.compile(r"max_completion_tokens")),
    ("toolless", re.compile(r"(define|without) .?tools")),
    ("cache_control", re.compile(r"cache_control")),
    ("thinking", re.compile(r"thinking")),
    ("pictures", re.compile(r"\b(images?|image_url)\b")),
    ("strict", re.compile(r"\bstrict\b|schema|grammar")),
    (
        "tools",
        re.compile(
            f"{_REFUSED.format(also='')}.{{0,60}}{_TOOLS}|{_TOOLS}.{{0,60}}{_REFUSED.format(also='|requires?')}"
            "|failed to call a function"
        ),
    ),
    ("pictures", re.compile(r"\b(vision|multimodal|mmproj)\b")),
)


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


@dataclass(slots=True)
class ServerTraits:
    """What was learned of one model at one server; None is what is not known yet."""

    lacking: set[str] = field(default_factory=set)  # what it refused, as named above
    capabilities: Capabilities | None = None  # what the server's list says; None until it is asked
    searches: bool | None = None  # whether it searches by itself when a question needs it
    cites: bool | None = None  # whether it cites passages that are sent as `search_result` blocks
    thinks: bool | None = None  # whether it thinks before it answers, which takes tokens
    probes_left: int = _MOST_PROBES  # how often to try still to find out what is None
    since: float = 0.0  # when the first of this was learned, in seconds since the epoch; 0 if nothing is

    def forget(self) -> None:
        """Learn everything anew."""
        unknown = ServerTraits()
        for item in fields(self):
            setattr(self, item.name, getattr(unknown, item.name))


class ServerMemory:
    """Traits by server address and model; shared by the providers of a program. Thread-safe.

    Without a ``path`` they are kept as long as the program runs. ``now`` is the clock. Of two programs, what
    the last one to save has learned is kept.
    """

    def __init__(self, path: Path | None = None, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now
        self._lock = threading.Lock()
        self._traits: dict[str, ServerTraits] | None = None
        self._saved = ""

    def of(self, address: str, model: str) -> ServerTraits:
        """Return what is known; whoever learns more changes it there."""
        key = hashlib.sha256(f"{address}\n{model}".encode("utf-8", "replace")).hexdigest()
        with self._lock:
            if self._traits is None:
                self._traits = self._read()
            return self._traits.setdefault(key, ServerTraits())

    def save(self) -> None:
        """Write what has changed to the disk."""
        with self._lock:
            learned = {key: one for key, one in (self._traits or {}).items() if one != ServerTraits()}
            for traits in learned.values():
                traits.since = traits.since or self._now()
            models = {key: asdict(traits) for key, traits in learned.items()}
            text = json.dumps({"version": _VERSION, "models": models}, default=sorted)  # sets become lists
            if self._path is None or not learned or text == self._saved:
                return
            try:
                replace_file(self._path, lambda draft: _write(draft, text))
                self._saved = text
            except OSError as error:  # such as a full disk
                _log.info("What was learned of the model server is not kept: %s", error)

    def _read(self) -> dict[str, ServerTraits]:
        try:
            if self._path is None or not self._path.is_file() or self._path.stat().st_size > _LARGEST_FILE:
                return {}
            stored = mapping(json.loads(self._path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return {}
        models = mapping(stored.get("models")) if stored.get("version") == _VERSION else {}
        read = {key: _traits_of(mapping(entry)) for key, entry in models.items()}
        return {key: traits for key, traits in read.items() if 0 <= self._now() - traits.since <= _KEPT}


def _write(draft: Path, text: str) -> None:
    private_file(draft)
    draft.write_text(text, encoding="utf-8")


def _traits_of(entry: dict[str, Any]) -> ServerTraits:
    """Read what is stored; what another version wrote, or nobody, is learned anew."""
    try:
        entry["since"] = float(entry["since"])
        listed = entry["capabilities"]
        if listed is not None:
            efforts = listed["efforts"]
            listed = Capabilities(**{**listed, "efforts": None if efforts is None else frozenset(efforts)})
        return ServerTraits(**{**entry, "lacking": set(entry["lacking"]), "capabilities": listed})
    except (KeyError, TypeError, ValueError):
        return ServerTraits()


def field_to_drop(message: str, sent: Iterable[str], status: int | None = 400) -> str | None:
    """Return which part of what was sent a refusal is about, if an answer can do without it."""
    if status not in UNKNOWN_WAY:
        return None
    named = set(sent) if status in _UNKNOWN_FIELD else _WAYS.intersection(sent)
    return next((name for name, words in _NAMED_BY if name in named and words.search(message.lower())), None)
