"""The log file, in the user's log directory."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler

from app.config.paths import user_log_dir
from app.config.redaction import RedactingFormatter

_LOG_BYTES = 1_000_000
_LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to_file() -> None:
    """Send the log of this process to the file, without keys."""
    folder = user_log_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            folder / "lectern.log", maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8"
        )
    except OSError:  # a read-only home: the window works without a log
        handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter(_LOG_FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for chatty in ("httpx2", "httpx", "anthropic", "chromadb", "urllib3"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
