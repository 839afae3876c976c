"""Text of Markdown without the signs that stand within a line."""

from __future__ import annotations

import re

_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|(?<!`)`++|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)")


def without_signs(line: str) -> str:
    """Return a line with links as their text, and without the signs of emphasis and code."""
    return _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", line))
