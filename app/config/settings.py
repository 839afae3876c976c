"""The user's settings: frozen, validated, one JSON file in the platform's config directory.

The API key is never here; see :mod:`app.config.secrets`.
"""

import errno
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from app.config.files import replace_file
from app.domain.embedding_models import supported
from app.domain.model_servers import OPENAI_URL, needs_key

DEFAULT_MODEL = "claude-sonnet-5-5"
EFFORTS = ("low", "medium", "high")
PROVIDERS = ("anthropic", "openai", "local")  # whose protocol is spoken; the last is run by Lectern

_log = logging.getLogger(__name__)

# Inclusive limits of the numbers; values outside are replaced by the nearest limit.
LIMITS: dict[str, tuple[int, int]] = {
    "passages_per_search": (1, 20),
    "exchanges_remembered": (0, 20),
    "chunk_size": (200, 4000),
    "chunk_overlap": (0, 1000),
    "max_tokens": (100, 16000),
    "max_search_rounds": (1, 10),
    "whole_scope_tokens": (0, 50_000),
    "monthly_budget": (0, 10_000),
    "backup_gigabytes": (0, 1000),
    "text_size": (80, 200),
    "new_cards_a_day": (0, 1000),
    "reviews_a_day": (0, 10_000),
    "retention": (70, 97),
}


@dataclass(frozen=True, slots=True)
class Settings:
    provider: str = "anthropic"  # how the model is reached: one of PROVIDERS
    base_url: str = ""  # of the model server; empty for the provider's own
    model: str = DEFAULT_MODEL  # its id on the server
    effort: str = "low"  # how much the model thinks about an answer: one of EFFORTS
    passages_per_search: int = 5
    exchanges_remembered: int = 2  # earlier exchanges sent with a question
    chunk_size: int = 800  # target length of a passage, in characters
    chunk_overlap: int = 100  # characters shared with the previous passage; at most half of ``chunk_size``
    max_tokens: int = 800  # visible ones of an answer
    max_search_rounds: int = 3  # searches the model may run before it must answer
    whole_scope_tokens: int = 0  # up to which all that a question is restricted to goes along; 0 for never
    send_passages: bool = False  # along with each question, instead of when the model asks for them
    short_prompts: bool = False  # for small models: few sentences of passages, nothing to call
    send_pages: bool = False  # pictures of the pages that passages are from, where these show figures
    monthly_budget: int = 0  # US dollars after which Lectern asks before each answer; 0 for no budget
    # Empty for the one that comes with Lectern, else ``multilingual`` or a sentence-transformers folder.
    embedding_model: str = ""
    sync_folders: bool = True  # whether changes in folders are read automatically
    recognize_text: bool = True  # whether the text of scanned pages is recognized
    hints_first: bool = False  # whether the switch for hints is on at the start
    new_cards_a_day: int = 20  # of each deck
    reviews_a_day: int = 200  # of each deck, not counting what is learnt on that day
    retention: int = 90  # percent of what is asked that is to be recalled
    backup_gigabytes: int = 2  # space for backups of the library; 0 for no backups
    notify: bool = True  # when something long has ended while the user is elsewhere
    language: str = ""  # of the window: a code such as ``de``; empty for the system's
    theme: str = "system"  # or ``light``, ``dark``
    text_size: int = 100  # percent
    reduce_motion: bool = False  # whether nothing moves by itself, whatever the system is set to

    def has_model(self, key: str | None) -> bool:
        """Whether there is a model to ask, and a key where its service needs one."""
        return bool(self.model) and (self.provider == "local" or bool(key) or not needs_key(self.base_url))

    def validated(self) -> "Settings":
        """Return a copy with every value inside its limits."""
        numbers = {name: min(max(getattr(self, name), low), high) for name, (low, high) in LIMITS.items()}
        numbers["chunk_overlap"] = min(numbers["chunk_overlap"], numbers["chunk_size"] // 2)
        return replace(
            self,
            base_url=self.base_url.strip().rstrip("/") or (OPENAI_URL if self.provider == "openai" else ""),
            model=self.model.strip() or (DEFAULT_MODEL if self.provider != "openai" else ""),
            embedding_model=supported(self.embedding_model),
            provider=self.provider if self.provider in PROVIDERS else "anthropic",
            effort=self.effort if self.effort in EFFORTS else "low",
            theme=self.theme if self.theme in ("system", "light", "dark") else "system",
            **numbers,
        )


@dataclass(slots=True)
class CurrentSettings:
    """The settings in force. The services share one, so that a change reaches all of them."""

    value: Settings


# What is useful on another computer, and cannot redirect a key to another server.
_LOCAL = ("provider", "base_url", "short_prompts", "embedding_model", "backup_gigabytes")
_PORTABLE = tuple(item.name for item in fields(Settings) if item.name not in _LOCAL)


def _moved(settings: Settings) -> tuple[str, ...]:
    """Return what can be moved: a model only where it is one of Anthropic's, which every computer reaches."""
    is_everywhere = settings.provider == "anthropic" and not settings.base_url
    return tuple(name for name in _PORTABLE if name != "model" or is_everywhere)


def portable(settings: Settings) -> dict[str, Any]:
    """Return the settings that can be moved to another computer: no addresses, folders and disk space."""
    return {name: getattr(settings, name) for name in _moved(settings)}


def adopt(settings: Settings, stored: Mapping[str, Any]) -> Settings:
    """Apply settings from another computer; invalid values become the defaults."""
    taken = {name: stored[name] for name in _moved(settings) if name in stored}
    other = _from_mapping(taken)
    return replace(settings, **{name: getattr(other, name) for name in taken}).validated()


def load_settings(path: Path, otherwise: Settings | None = None) -> Settings:
    """Read the settings; an invalid value gives its default.

    If none can be read, return ``otherwise`` or the defaults.
    """
    stored: dict[str, Any] = asdict(otherwise) if otherwise else {}
    try:
        if path.exists() and not path.is_file():  # reading a pipe would wait for ever
            raise OSError(errno.EINVAL, "Not a regular file")
        # Some editors put a byte-order mark before what they save.
        loaded = json.loads(path.read_text(encoding="utf-8-sig"))
        if isinstance(loaded, dict):
            stored = loaded
        else:
            _log.warning("The settings file does not contain an object of settings; the defaults are used.")
    except FileNotFoundError:
        pass
    except (OSError, ValueError, RecursionError) as error:
        _log.warning("The settings could not be read; the defaults are used: %s", error)
    return _from_mapping(stored).validated()


_VARIABLES = {"base_url": "ANTHROPIC_BASE_URL", "model": "LECTERN_MODEL"}


def overridden(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the settings that environment variables override, each with the name of its variable."""
    return {name: variable for name, variable in _VARIABLES.items() if environ.get(variable, "").strip()}


def with_environment(settings: Settings, environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in use: where an environment variable is set, its value."""
    values: dict[str, Any] = {name: environ[variable] for name, variable in overridden(environ).items()}
    if "base_url" in values and settings.provider != "anthropic":  # whose model is no other server's
        values = {"model": DEFAULT_MODEL, **values, "provider": "anthropic"}
    return replace(settings, **values).validated()


# Settings that are of use only together: a model is of a server.
_CONNECTION = ("provider", "base_url", "model", "short_prompts")


def rebased(settings: Settings, before: Settings, path: Path) -> Settings:
    """Return a file's settings, with the changes from ``before`` to ``settings``.

    So what another program, such as a command, has saved since then is kept.
    """
    changed = [
        item.name for item in fields(Settings) if getattr(settings, item.name) != getattr(before, item.name)
    ]
    if not set(changed).isdisjoint(_CONNECTION):
        changed += _CONNECTION
    stored = load_settings(path, before)
    return replace(stored, **{name: getattr(settings, name) for name in changed}).validated()


def save_settings(settings: Settings, path: Path) -> None:
    """Write the settings whole or not at all; raise ``OSError`` if the disk does not hold them."""
    text = json.dumps(asdict(settings), indent=2, sort_keys=True) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def _from_mapping(stored: Mapping[str, Any]) -> Settings:
    defaults = Settings()
    values: dict[str, Any] = {}
    for item in fields(Settings):
        if item.name not in stored:
            continue
        value = stored[item.name]
        if type(value) is type(getattr(defaults, item.name)):
            values[item.name] = value
        else:
            _log.warning("The setting %s has a value of the wrong type; its default is used.", item.name)
    return Settings(**values)
