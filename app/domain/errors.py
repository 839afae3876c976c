"""One tree of errors, each with a message for a person.

::

    LecternError
    ├── UserError          the user can fix it; the message says how
    │   ├── UnreadableFile     a file that cannot be read as text
    │   │   ├── FileNotOpened      … because of permissions, disk or network
    │   │   └── ReaderStopped      … because the process that read it came to an end
    │   ├── LibraryLocked      another Lectern holds the data directory
    │   ├── LibraryUnusable    the data directory is unreadable, unwritable or too new
    │   ├── ModelMissing       no usable embedding model
    │   ├── KeyProblem         no key, or the server rejects it
    │   ├── RequestRefused     the server rejects this request
    │   └── SharedError        a library on a server cannot be used
    └── TemporaryError     the same thing may work later
        ├── ServerBusy         rate limit or overload; may say when to retry
        └── ConnectionTrouble  unreachable, cut off, or silent for too long

Any other exception that reaches a border is a bug and is reported as one. The adapter that first sees a
foreign error decides whether it is permanent or temporary, by the class it maps it to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.messages import LITERAL, Message

if TYPE_CHECKING:
    from app.domain.shared import ServerState


class LecternError(Exception):
    """Base of all expected failures; ``str(error)`` is the English text of its message."""

    def __init__(self, message: Message | str) -> None:
        self.message = message if isinstance(message, Message) else Message(LITERAL, text=message)
        super().__init__(str(self.message))


class UserError(LecternError):
    """The user can fix it; trying the same again will not help."""


class UnreadableFile(UserError):
    """A file that cannot be read as text."""


class FileNotOpened(UnreadableFile):
    """Permissions, disk or network are to blame: the file may be readable later without a change."""


class ReaderStopped(UnreadableFile):
    """The process that read the file ended; the file may be readable in another one.

    ``undecided``: it was ended from outside, so the file is not to blame.
    """

    def __init__(self, message: Message, *, undecided: bool = False) -> None:
        super().__init__(message)
        self.undecided = undecided


class LibraryLocked(UserError):
    """Another Lectern holds the data directory."""


class LibraryUnusable(UserError):
    """The data directory cannot be read or written, or was written by a newer Lectern."""


class ModelMissing(UserError):
    """No usable embedding model was found."""


class KeyProblem(UserError):
    """There is no API key, or the server rejects it."""


class RequestRefused(UserError):
    """The model server rejects this request."""


class SharedError(UserError):
    """A library on a Chroma server cannot be read or written; the user's own works as before.

    ``state`` says whether the server is away, so that the same may work later, or refuses.
    """

    def __init__(self, message: Message, state: ServerState) -> None:
        super().__init__(message)
        self.state = state


class TemporaryError(LecternError):
    """The same thing may work later."""

    may_pass = False  # within a second, so that it is worth trying again without asking


class ServerBusy(TemporaryError):
    """Rate limit or overload."""

    def __init__(
        self, message: Message | str, retry_after: float | None = None, reason: Message | None = None
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after  # seconds; None if the server did not say
        # The message without the advice to ask again, for where Lectern does so by itself.
        self.reason = reason or self.message


class ConnectionTrouble(TemporaryError):
    """The server was not reached, cut the connection, or was silent for too long."""
