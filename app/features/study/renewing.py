"""Puts a sentence that has changed into the item that repeats it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.answers.quotations import literal, without_escapes
from app.core.documents.text.definitions import definition_in
from app.domain.documents import becomes_markdown
from app.features.study.automatic import with_gap
from app.features.study.kinds import KINDS
from app.features.study.kinds.gaps import gaps
from app.features.study.terms import key_of

if TYPE_CHECKING:
    from app.features.study.model.items import Item, ItemText


def renewed(item: Item, now: str) -> ItemText | None:
    """Return what an item says with the sentence of now in place of its quote.

    None if it does not repeat its quote, or if the sentence of now lacks what it asks for.
    """
    text, language, kind = item.text, item.language, KINDS[item.kind]
    shown = str if becomes_markdown(item.source.hit.path) else literal
    terms = {key_of(without_escapes(asked), language) for asked in gaps(text.front) or (text.front,)}
    for said in (lambda sentence: shown(_said(sentence, language)), str):
        old, new = said(item.quote), said(now)
        if text.back == old:
            is_there = not kind.has_wording_alone or with_gap(now, terms.pop(), language, str)
            return replace(text, back=new) if is_there else None
        if len(terms) == 1 and kind.statement(text) == old:
            front = with_gap(new, terms.pop(), language, str)
            return replace(text, front=front) if front else None
    return None


def _said(sentence: str, language: str) -> str:
    """Return a sentence as items made without a model repeat it."""
    definition = definition_in(sentence, language)
    return definition.sentence if definition else " ".join(sentence.split())
