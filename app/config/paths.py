"""Where things lie: resources of the program, and the user's own directories."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from app.domain.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

_APP = "Lectern"


def resource_path(relative: str) -> Path:
    """Return the path of a file or folder that comes with the program.

    Args:
        relative: from the project's root, with ``/``: ``"resources/prompts/system.md"``,
            ``"docs/courses"``.

    The same in a checkout (project root), an installed wheel (copied under ``app/``) and a
    packaged program (copied beside the executable's bundle).
    """
    package = Path(__file__).resolve().parent.parent
    bundle = getattr(sys, "_MEIPASS", None)
    roots = [Path(bundle)] if bundle else [package, package.parent]
    for root in roots:
        candidate = root.joinpath(*relative.split("/"))
        if candidate.exists():
            return candidate
    message = f"{relative} is missing from this installation of Lectern; install it again."
    raise FileNotFoundError(message)


def licences_file() -> Path | None:
    """Return the licences of what is inside a packaged program; others installed it piece by piece."""
    try:
        return resource_path("THIRD_PARTY_LICENSES.txt")
    except FileNotFoundError:
        return None


def user_data_dir(override: str | None = None) -> Path:
    """Return the directory of the library: ``override``, ``LECTERN_DATA_DIR``, or the platform's."""
    chosen = override or os.environ.get("LECTERN_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _own_place(platformdirs.user_data_dir)


def user_config_dir() -> Path:
    """Return the directory of the settings file (``LECTERN_CONFIG_DIR`` or the platform's)."""
    chosen = os.environ.get("LECTERN_CONFIG_DIR")
    return Path(chosen).absolute() if chosen else _own_place(platformdirs.user_config_dir)


def user_cache_dir() -> Path:
    """Return the directory of what can be made again (``LECTERN_CACHE_DIR`` or the platform's)."""
    chosen = os.environ.get("LECTERN_CACHE_DIR")
    return Path(chosen).absolute() if chosen else _own_place(platformdirs.user_cache_dir)


def user_log_dir() -> Path:
    """Return the directory of the log file (below the cache when that was set)."""
    chosen = os.environ.get("LECTERN_CACHE_DIR")
    return Path(chosen).absolute() / "log" if chosen else _own_place(platformdirs.user_log_dir)


def _own_place(find: Callable[..., str]) -> Path:
    try:
        return Path(find(_APP, appauthor=False))
    except RuntimeError as error:
        message = (
            "This user has no home directory, so there is no place for a library. Set HOME, or each of "
            "LECTERN_DATA_DIR, LECTERN_CONFIG_DIR and LECTERN_CACHE_DIR."
        )
        raise UserError(message) from error
