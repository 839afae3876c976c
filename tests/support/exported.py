"""Items to give away, with what other programs could stumble over; and a reader of GIFT."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.search import SearchHit
from app.domain.sources import Source
from app.features.study.model.items import Deck, Item
from app.features.study.model.names import ItemText

if TYPE_CHECKING:
    from app.features.study.model.names import ItemKind

QUOTE = "The moon pulls the ocean into two bulges."
DECK = Deck(1, "d" * 32, "Tides and Currents")


def item(
    kind: ItemKind,
    front: str,
    back: str = "",
    others: tuple[str, ...] = (),
    explanation: str = "",
    *,
    lesson: tuple[int | None, str] = (1, "Why the sea rises"),
    key: int = 1,
    quote: str = QUOTE,
) -> Item:
    """Return an item on a sentence of a course."""
    hit = SearchHit(1, 1.0, DECK.course_title, *lesson, 0, quote, "/tides.txt", 0, len(quote), None, None, 1)
    source = Source(1, "ref", hit, ((0, len(quote)),), "0" * 64)
    text = ItemText(front, back, others, explanation)
    return Item(kind, text, source, 0, len(quote), quote, item_id=key, uid=f"{key:032x}", deck_id=1)


def read_gift(text: str) -> list[dict[str, object]]:
    """Read GIFT as its documentation describes it: questions are apart by empty lines, signs are escaped."""
    found: list[dict[str, object]] = []
    place = ""
    for block in filter(None, (part.strip() for part in re.split(r"\n\s*\n", text))):
        if block.startswith("$CATEGORY:"):
            place = block.removeprefix("$CATEGORY:").strip()
            continue
        lines = [line for line in block.split("\n") if not line.startswith("//")]
        # What is escaped becomes a character that means nothing, until the parts are known.
        kept = re.sub(r"\\([\\~=#{}:n])", lambda sign: chr(0xF0000 + ord(sign[1])), "\n".join(lines))
        _, name, rest = kept.split("::", 2)
        question, answers = rest.split("{")
        answers, after = answers.split("}")
        assert not after
        answers, general = answers.split("####")
        parts = re.findall(r"([=~])((?:%[0-9.]+%)?)([^=~]*)", answers)
        found.append(
            {
                "category": place,
                "name": _said(name),
                "question": _said(question),
                "answers": [(sign, _said(said)) for sign, _, said in parts],
                "feedback": _said(general),
            }
        )
    return found


def _said(text: str) -> str:
    plain = re.sub(
        "[\U000f0000-\U000f007f]", lambda sign: chr(ord(sign[0]) - 0xF0000).replace("n", "\n"), text
    )
    return plain.strip().removeprefix("[html]")
