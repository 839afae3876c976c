"""Names a missing system package before Qt aborts without it.

Only Linux provides such libraries itself; on Windows and macOS, Qt brings its own.
"""

import ctypes
import importlib.util
import os
import re
import sys
from pathlib import Path

# The libraries of the window system. Debian names a library's package after it: libGL.so.1 → libgl1.
_LIBRARY = re.compile(
    r"lib(EGL|GL|X11-xcb|dbus-1|fontconfig|freetype|glib-2\.0|xcb-[a-z-]+|xkbcommon(-x11)?)"
)
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
    import PySide6

    plugin = Path(PySide6.__path__[0], "Qt", "plugins", "platforms", "libqxcb.so")
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


def _sentence(error: Exception) -> str:
    found = _MISSING.search(str(error))
    if not found:
        return f"The window system cannot be loaded: {error}"
    library = found.group(1)
    name, _, version = library.partition(".so.")
    if not _LIBRARY.fullmatch(name):
        return f"The window needs the library {library}, which is not installed on this system."
    dash = "-" if name[-1].isdigit() else ""
    package = "libglib2.0-0" if name == "libglib-2.0" else f"{name.lower()}{dash}{version}"
    return f"The window needs {library}. Install it with: sudo apt install {package}"
