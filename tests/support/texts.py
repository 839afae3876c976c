"""Random texts for tests of splitting: everything that real files have, in every order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

_WORDS = (
    *("the", "a", "of", "caching", "model", "we", "naïve", "e\u0301", "👩\u200d🔬", "word-" * 12, "x" * 60),
    *("Dr.", "e.g.", "i.e.", "etc.", "vs.", "Fig.", "No.", "U.S.", "J.", "K.", "3.14", "v1.2.3", "app.py"),
    *(
        "https://x.org/a.b?c=d.",
        "said.",
        "Yes.",
        "No!",
        "Why?",
        "really?!",
        "wait...",
        "so…",
        "(see",
        "above.)",
    ),
    *("“quoted.”", '"Stop!"', "これは文です。", "次？", "هل؟", "वाक्य।", "[1]", "**bold.**", "1.", "12", "I."),
    *(".", "...", "»", "«", "\u00a0", "\u3000", "\u200b"),
)
_LINES = (
    *(
        "# Heading. Two",
        "## B",
        "Title\n=====",
        "---",
        "- item one. Two",
        "* item",
        "1. first",
        "2) second",
        "> quoted",
    ),
    *(
        "| a | b |",
        "```python\nx = 1\n\ny = 2.5\n```",
        "~~~",
        "```",
        "    code()",
        "",
        "",
        "",
        "Lesson 3 was long",
    ),
)


def random_text(chance: random.Random, size: int) -> str:
    """Return a text of about ``size`` characters, prose mostly."""
    parts: list[str] = []
    length = 0
    while length < size:
        if chance.random() < 0.15:
            part = "\n" + chance.choice(_LINES) + "\n"
        else:
            part = " ".join(chance.choices(_WORDS, k=chance.randrange(1, 15)))
            part += chance.choice((". ", " ", "\n", "! ", ".\n\n", "  "))
        parts.append(part)
        length += len(part)
    return "".join(parts)
