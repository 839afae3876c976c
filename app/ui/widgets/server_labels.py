"""What a library on a server is called, and how it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.plain_text import harmless
from app.domain.shared import DEFAULT_DATABASE, ServerState
from app.ui.widgets.messages import shown

if TYPE_CHECKING:
    from app.domain.shared import SharedLibrary

TROUBLED = (ServerState.AWAY, ServerState.REFUSED)
tr = partial(QCoreApplication.translate, "ServerLabels")


def server_name(library: SharedLibrary) -> str:
    """Return the server's name, with the database unless it is the usual one: a server may have several."""
    address = library.address
    named = address.host if address.database == DEFAULT_DATABASE else f"{address.host} · {address.database}"
    return harmless(named)


def state_word(state: ServerState) -> str:
    """Return a word for a row; empty for a server that is ready."""
    match state:
        case ServerState.UNKNOWN | ServerState.CHECKING:
            return tr("checking…")
        case ServerState.AWAY:
            return tr("unavailable")
        case ServerState.REFUSED:
            return tr("refused")
        case ServerState.READY:
            return ""


def state_sentence(library: SharedLibrary) -> str:
    """Return how a server is, and what to do about it if something is wrong."""
    if library.state in TROUBLED:
        why = shown(library.problem) if library.problem is not None else tr("The server cannot be used.")
        return f"{why} {tr('Your own courses are searched as usual.')}"
    if library.state is ServerState.READY:
        return tr("Ready. Its courses are searched together with yours.")
    return tr("Checking the server…")
