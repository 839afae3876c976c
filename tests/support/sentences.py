"""What every failure's sentence has to be like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.errors import LecternError


def check_sentence(error: LecternError | None) -> str:
    """One or more whole sentences for a person, without the words of a programmer."""
    said = str(error)
    assert re.fullmatch(r"[A-Z“0-9a-z].*[.!?]", said), said
    for technical in ("Error", "Exception", "Traceback", "None", "{", "httpx", "anthropic."):
        assert technical not in said, said
    return said
