"""Writes the citations of an answer into its Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.sources import NO_SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.sources import Citation

_FENCED = re.compile(r"^(```|~~~).*?^\1[^\n]*$|^(```|~~~).*\Z", re.MULTILINE | re.DOTALL)


def answer_with_marks(
    answer: str, citations: Sequence[Citation], mark: Callable[[Citation], str] | None = None
) -> str:
    """Return the answer with ``[n]`` behind each claim; what could not be verified says so.

    Args:
        answer: Markdown without marks.
        citations: with positions in ``answer``.
        mark: how a citation is written; by default as ``[n]``.
    """
    mark = mark or _mark
    marks: dict[int, dict[str, None]] = {}  # by place; a dict for its order
    for citation in sorted(citations, key=lambda item: item.answer_end):
        place = max(0, min(citation.answer_end, len(answer)))
        marks.setdefault(place, {})[mark(citation)] = None
    fences = [found.span() for found in _FENCED.finditer(answer)]
    parts: list[str] = []
    done = 0
    for place, written in marks.items():
        text = "".join(written)
        fence = next((end for start, end in fences if start < place <= end), None)
        if fence is not None:  # a mark inside a code block would be code
            parts.append(answer[done:fence] + "\n\n" + text)
            done = max(done, fence)
            continue
        spaced = " " if answer[place - 1 : place].strip() else ""
        # "[1](" would read as a link.
        after = " " if answer[place : place + 1] == "(" else ""
        parts.append(answer[done:place] + spaced + text + after)
        done = place
    return "".join([*parts, answer[done:]])


def _mark(citation: Citation) -> str:
    if citation.verified:
        return f"[{citation.source_n}]"
    number = f"{citation.source_n}: " if citation.source_n != NO_SOURCE else ""
    return f"[{number}could not be verified]"
