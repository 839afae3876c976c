"""Whether the computer runs on battery power."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from pathlib import Path

_SUPPLIES = Path("/sys/class/power_supply")  # as Linux lists them


def is_on_battery() -> bool:
    """Whether the computer is known to be without mains; macOS does not tell."""
    if sys.platform == "win32":
        status = (ctypes.c_ubyte * 12)()
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(status)) and status[0] == 0
    states = []
    for supply in _SUPPLIES.glob("*/online"):
        with suppress(OSError):
            if supply.with_name("type").read_text(encoding="ascii").strip() != "Battery":  # as of a mouse
                states.append(supply.read_text(encoding="ascii").strip())
    return bool(states) and "1" not in states
