"""What is said of an answer that ended because of something nobody foresaw."""

import logging
import sqlite3

from app.domain.errors import LecternError
from app.domain.messages import Message

_log = logging.getLogger(__name__)


def known_error(error: Exception) -> LecternError:
    """Return an error with a message for the user; anything that has none is logged."""
    if isinstance(error, LecternError):
        return error
    _log.error("An answer failed.", exc_info=error)
    if isinstance(error, MemoryError):
        return LecternError(Message("answers.out_of_memory"))
    if isinstance(error, sqlite3.Error):
        return LecternError(Message("answers.library_failed", reason=str(error)))
    return LecternError(Message("answers.failed_inside"))
