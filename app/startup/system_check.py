"""Names a missing system package before Qt aborts without it.

Only Linux provides such libraries itself; on Windows and macOS, Qt brings its own.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import sys
from pathlib import Path

# Library → Debian package.
_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_MISSING = re.compile(r"(?<![\w.+-])([\w.+-]+\.so[.\d]*): cannot open shared object")


def what_is_missing() -> str | None:
    """Return a sentence about what the window needs and the system lacks, or None."""
    if importlib.util.find_spec("PySide6") is None:
        return "The package PySide6 is not installed: run “pip install pyside6-essentials”."
    try:
        import PySide6.QtWidgets  # noqa: F401 - loading it is the test
    except ImportError as error:
        return _sentence(error)
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM", "xcb") != "xcb":
        return None
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return (
            "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Start Lectern from a desktop, "
            "or use its commands (lectern --help)."
        )
    if os.environ.get("DISPLAY"):
        return _x11_problem()
    return None


def _x11_problem() -> str | None:
    plugin = Path(_pyside_folder(), "Qt", "plugins", "platforms", "libqxcb.so")
    try:
        if plugin.exists():
            ctypes.CDLL(str(plugin))
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError as error:
        return _sentence(error)
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if refused and not os.environ.get("WAYLAND_DISPLAY"):
        return f"The display {os.environ['DISPLAY']} cannot be opened. Check DISPLAY, or start a desktop."
    return None


def _pyside_folder() -> str:
    spec = importlib.util.find_spec("PySide6")
    locations = spec.submodule_search_locations if spec else None
    return next(iter(locations or ["."]))


def _sentence(error: Exception) -> str:
    found = _MISSING.search(str(error))
    if not found:
        return f"The window system cannot be loaded: {error}"
    library = found.group(1)
    package = _PACKAGES.get(library)
    if package is None:
        return f"The window needs the library {library}, which is not installed on this system."
    return f"The window needs {library}. Install it with: sudo apt install {package}"
