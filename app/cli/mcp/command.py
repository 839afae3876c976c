"""The command that serves the library to another assistant."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from app.cli.arguments import EXIT_OK, EXIT_SIGNAL
from app.cli.interruptions import ENDING_SIGNALS
from app.cli.mcp.open_library import OpenLibrary
from app.config.paths import user_data_dir
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from app.core.rag_system import AddServices


def serve(arguments: argparse.Namespace, services: Sequence[AddServices]) -> int:
    """Answer on standard output what is asked on standard input, until that ends."""
    # Here, because no other command needs it.
    from app.cli.mcp.server import LibraryServer

    for number in (signal.SIGINT, *ENDING_SIGNALS):
        signal.signal(number, _end)
    token = CancelToken()
    server = LibraryServer(OpenLibrary(user_data_dir(arguments.data_dir), token, services))
    try:
        asyncio.run(server.serve())
    finally:
        token.cancel()
        server.close()
    return EXIT_OK


def _end(number: int, _: object) -> None:
    """End at once: a thread waits for input that may never come, and nothing is being written."""
    os._exit(EXIT_SIGNAL + number)
