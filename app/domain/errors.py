"""One tree of errors; each carries a sentence for a person.

::

    LecternError
    ├── UserError          the user can mend it: the sentence says how
    │   ├── UnreadableFile     a file that can not become text
    │   │   └── FileNotOpened      … because of permissions, disk or network, not of what is in it
    │   ├── LibraryLocked      another Lectern holds the data directory
    │   ├── LibraryUnusable    the data directory can not be read or written, or is too new
    │   ├── ModelMissing       no usable embedding model
    │   ├── KeyProblem         no key, or the server refuses it
    │   └── RequestRefused     the server will not take this request as it is
    └── TemporaryError     the same thing may work later
        ├── ServerBusy         rate limit or overload; may say when to come back
        └── ConnectionTrouble  not reached, cut off, or silent for too long

Anything else that reaches a border is a bug and is reported as one. Whether an error is permanent
or temporary is decided where it is first seen, by the class it is mapped to.
"""

from __future__ import annotations

from app.domain.messages import LITERAL, Message


class LecternError(Exception):
    """Base of all expected failures.

    Args:
        message: the sentence to show, whose English text is ``str(error)``.
    """

    def __init__(self, message: Message | str) -> None:
        self.message = message if isinstance(message, Message) else Message(LITERAL, text=message)
        super().__init__(str(self.message))


class UserError(LecternError):
    """The user can mend it; trying the same again will not help."""


class UnreadableFile(UserError):
    """A file that can not become text."""


class FileNotOpened(UnreadableFile):
    """Permissions, disk or network are to blame: it may be read later though it does not change."""


class LibraryLocked(UserError):
    """Another Lectern holds the data directory."""


class LibraryUnusable(UserError):
    """The data directory can not be read or written, or was written by a newer Lectern."""


class ModelMissing(UserError):
    """No usable embedding model was found."""


class KeyProblem(UserError):
    """There is no API key, or the server refuses it."""


class RequestRefused(UserError):
    """The model server will not take this request as it is."""


class TemporaryError(LecternError):
    """The same thing may work later."""


class ServerBusy(TemporaryError):
    """Rate limit or overload.

    Attributes:
        retry_after: seconds after which the server wants to be asked again; None if it did not say.
        reason: the message without the advice to ask again, for where Lectern does so by itself.
    """

    def __init__(
        self, message: Message | str, retry_after: float | None = None, reason: Message | None = None
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.reason = reason or self.message


class ConnectionTrouble(TemporaryError):
    """The server was not reached, cut the connection, or was silent for too long."""
