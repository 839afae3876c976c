"""Ends a command in order when the user or the system asks it to."""

import signal
from contextlib import AbstractContextManager
from types import FrameType

from app.cli.arguments import EXIT_SIGNAL
from app.domain.cancel import CancelToken

TOKEN = CancelToken()
"""Cancels what the one command of this process does; Chroma and the library are then closed properly."""

ENDING_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Interruptions(AbstractContextManager["Interruptions"]):
    """Handles the signals that end a program, in the main thread.

    If the command ``checks`` the token, the first signal cancels that, and the second raises
    KeyboardInterrupt. Otherwise they all act like Ctrl+C, which asyncio handles in its own way.
    """

    def __init__(self, *, checks: bool) -> None:
        self._checks = checks
        numbers = (signal.SIGINT, *ENDING_SIGNALS) if checks else ENDING_SIGNALS
        handlers = {number: signal.getsignal(number) for number in numbers}
        # An ignored one stays so, as behind nohup.
        self._before = {number: handler for number, handler in handlers.items() if handler != signal.SIG_IGN}
        self.number = signal.SIGINT  # the last one received

    @property
    def exit_code(self) -> int:
        return EXIT_SIGNAL + self.number

    def __enter__(self) -> "Interruptions":
        for number in self._before:
            signal.signal(number, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        self.number = signal.Signals(number)
        if self._checks and not TOKEN.cancelled:
            TOKEN.cancel()
            return
        interrupt = signal.default_int_handler if self._checks else signal.getsignal(signal.SIGINT)
        (interrupt if callable(interrupt) else signal.default_int_handler)(number, frame)
