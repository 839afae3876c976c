"""Figures and tables that a question names: their captions come first, then what mentions them.

Meaning and words do not find them: a number tells an embedding model little, and stands in many passages.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.figures import FIGURE_WORDS, TABLE_WORDS, captions_in, labels_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.search.ranking import RankedPieces
    from app.domain.figures import FigureLabel

_CAPTION, _MENTION = 1.0, 0.25  # added to the score of a piece
_MOST = 2  # pieces of each kind; other courses have a Figure 3 as well


def naming(labels: Sequence[FigureLabel]) -> str:
    """Return the expression of FTS5 that passages match which name one of some figures in any language."""
    phrases = []
    for label in labels:
        number = " ".join(re.findall(r"\w+", label.number))
        words = FIGURE_WORDS if label.kind == "figure" else TABLE_WORDS
        phrases += [f'"{word} {number}"' for word in words]
    return " OR ".join(phrases)


def favoured(ranked: RankedPieces, labels: Sequence[FigureLabel]) -> tuple[RankedPieces, bool]:
    """Return pieces with those first that name figures, and whether one of these has a caption there."""
    if not labels:
        return ranked, False
    wanted, score = set(labels), ranked.score.copy()
    texts = [ranked.text(piece) for piece in range(len(score))]
    captions = {piece for piece, text in enumerate(texts) if wanted.intersection(captions_in(text))}
    mentions = {piece for piece, text in enumerate(texts) if wanted.intersection(labels_in(text))} - captions
    for pieces, worth in ((captions, _CAPTION), (mentions, _MENTION)):
        score[sorted(pieces, key=lambda piece: -float(ranked.score[piece]))[:_MOST]] += worth
    return replace(ranked, score=score), bool(captions)
