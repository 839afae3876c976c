"""Which quiz questions need the course: the cheapest model solves them with their passage alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.core.answers.proof.evidence import folded
from app.core.answers.side_request import ask_cheapest
from app.features.study.model.items import ItemKind
from app.features.study.model.making import DropReason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.core.answers.model_settings import ModelSettings
    from app.core.answers.providers.base import ModelProvider
    from app.domain.model_servers import Usage
    from app.features.study.model.items import NewItem

TOKENS_OF_REPLY = 30  # of a reply to one question
_LETTERS = "ABCDEF"
_LINE = re.compile(r"^[^\w\n]{0,4}(\d{1,3})[^\w\n]{1,4}(\S[^\n]{0,300})$", re.MULTILINE)
_LETTER = re.compile(r"([A-F])\b")


async def solved(
    items: Sequence[NewItem],
    connection: ModelSettings,
    make_provider: Callable[[ModelSettings], ModelProvider],
    *,
    with_passages: bool,
) -> tuple[list[bool], Usage]:
    """Return which of the items the cheapest model solves, and what asking cost."""
    asked = "\n\n".join(_asked(n, item, with_passages) for n, item in enumerate(items, 1))
    reply, usage = await ask_cheapest(
        connection, make_provider, "solve_quiz", asked, TOKENS_OF_REPLY * len(items) + 50
    )
    said: dict[int, str] = {}
    for number, answer in _LINE.findall(reply):
        said.setdefault(int(number), answer)
    return [_is_right(item, said.get(n, "")) for n, item in enumerate(items, 1)], usage


def why_dropped(alone: bool, with_passage: bool) -> DropReason | None:
    """Return why a question is dropped that was solved like this; None if it is kept."""
    if alone:
        return DropReason.NOT_NEEDING_COURSE
    return None if with_passage else DropReason.NOT_SOLVABLE


def _choices(item: NewItem) -> list[str]:
    """Return the choices in an order that says nothing about which is right."""
    return sorted((item.text.back, *item.text.others))


def _asked(number: int, item: NewItem, with_passage: bool) -> str:
    lines = [f"Question {number}: {item.text.front}"]
    if item.kind is ItemKind.CHOICE:
        lines += [f"{letter}) {one}" for letter, one in zip(_LETTERS, _choices(item), strict=False)]
    if with_passage:
        lines.insert(0, f"Passage for {number}: {item.source.hit.text}")
    return "\n".join(lines)


def _is_right(item: NewItem, said: str) -> bool:
    if item.kind is ItemKind.CHOICE:
        letter = _LETTER.match(said)
        return letter is not None and _LETTERS.index(letter[1]) == _choices(item).index(item.text.back)
    words = f" {folded(said)} "
    return any(f" {folded(right)} " in words for right in (item.text.back, *item.text.others))
