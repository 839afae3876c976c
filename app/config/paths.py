"""Paths of the program's resources and of the user's directories, and the user's language."""

import locale
import os
import sys
from collections.abc import Callable
from pathlib import Path

import platformdirs

from app.domain.errors import UserError
from app.domain.messages import Message

_PACKAGE = Path(__file__).resolve().parent.parent


def user_language() -> str:
    """Return the two letters of the user's language, such as "de"; "" if the system does not say."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        code = os.environ.get(name, "")[:2].lower()
        if code.isalpha() and len(code) == 2:
            return code
    if sys.platform == "win32":
        import ctypes

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "")[:2]
    return ""


def resource_path(relative: str) -> Path:
    """Return the path of a file or folder that comes with the program.

    Works in a checkout (project root), an installed wheel (copied under ``app/``) and a packaged
    program (copied into the bundle). Raises ``FileNotFoundError`` if it is missing.

    Args:
        relative: from the project's root, with ``/``, such as ``"resources/prompts/system.md"``.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    roots = [Path(bundle)] if bundle else [_PACKAGE, _PACKAGE.parent]
    for root in roots:
        candidate = root.joinpath(*relative.split("/"))
        if candidate.exists():
            return candidate
    raise FileNotFoundError(str(Message("config.resource_missing", path=relative)))


def licences_file() -> Path | None:
    """Return the licences of the libraries inside a packaged program; None for other installations."""
    try:
        return resource_path("THIRD_PARTY_LICENSES.txt")
    except FileNotFoundError:
        return None


def user_data_dir(override: str | None = None) -> Path:
    """Return the library's directory: ``override``, ``LECTERN_DATA_DIR``, or the platform's."""
    return _user_dir("LECTERN_DATA_DIR", platformdirs.user_data_dir, override)


def user_config_dir() -> Path:
    """Return the directory of the settings file (``LECTERN_CONFIG_DIR`` or the platform's)."""
    return _user_dir("LECTERN_CONFIG_DIR", platformdirs.user_config_dir)


def user_cache_dir() -> Path:
    """Return the directory of derived files (``LECTERN_CACHE_DIR`` or the platform's)."""
    return _user_dir("LECTERN_CACHE_DIR", platformdirs.user_cache_dir)


def user_log_dir() -> Path:
    """Return the directory of the log file (below ``LECTERN_CACHE_DIR`` or the platform's)."""
    below_cache = os.environ.get("LECTERN_CACHE_DIR")
    return user_cache_dir() / "log" if below_cache else _user_dir("", platformdirs.user_log_dir)


def _user_dir(variable: str, of_platform: Callable[..., str], override: str | None = None) -> Path:
    chosen = override or os.environ.get(variable)
    if chosen:
        return Path(chosen).expanduser().absolute()
    try:
        return Path(of_platform("Lectern", appauthor=False))
    except RuntimeError as error:
        raise UserError(Message("config.no_home")) from error
