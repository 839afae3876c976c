"""Two versions of a sentence as rich text, with the words in which they differ marked."""

from __future__ import annotations

import html
import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.ui.widgets.theme import Theme

_WORD = re.compile(r"\S+")
_MOST_WORDS = 400  # compared: a whole passage has fewer, and aligning takes time


def marked_versions(old: str, new: str, theme: Theme) -> tuple[str, str]:
    """Return HTML of both: what is lacking now is struck out, what is new underlined and bold."""
    before, after = (_WORD.findall(text)[:_MOST_WORDS] for text in (old, new))
    gone = f"background-color:{theme.danger_bg}; text-decoration:line-through"
    come = f"background-color:{theme.highlight}; text-decoration:underline; font-weight:600"
    left, right = [], []
    for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        left.append(_shown(before[start:end], "" if kind == "equal" else gone))
        right.append(_shown(after[first:last], "" if kind == "equal" else come))
    return " ".join(filter(None, left)), " ".join(filter(None, right))


def _shown(words: list[str], style: str) -> str:
    text = html.escape(" ".join(words))
    return f'<span style="{style}">{text}</span>' if style and text else text
