"""Libraries on servers in a running window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.shared.ui.controller import SharedController

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow


def controller_of(running: RunningWindow) -> SharedController:
    found = running.window.findChild(SharedController)
    assert isinstance(found, SharedController)
    return found
