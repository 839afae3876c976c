"""The kinds of items, one module each: how an item is made, checked, shown, asked, edited and exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.study.kinds.card import Card
from app.features.study.kinds.choice import Choice
from app.features.study.kinds.cloze import Cloze
from app.features.study.kinds.point import Point
from app.features.study.kinds.short import Short
from app.features.study.kinds.term import Term

if TYPE_CHECKING:
    from app.features.study.kinds.base import Kind
    from app.features.study.model.names import ItemKind

_ALL: tuple[Kind, ...] = (Card(), Term(), Cloze(), Choice(), Short(), Point())
KINDS: dict[ItemKind, Kind] = {kind.name: kind for kind in _ALL}
SCHEDULED = tuple(kind.name for kind in _ALL if kind.is_scheduled)
QUIZ = tuple(kind.name for kind in _ALL if kind.is_quiz)
AUTOMATIC = tuple(kind.name for kind in _ALL if kind.is_automatic)
