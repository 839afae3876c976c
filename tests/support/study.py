"""Items of the three tiny courses, each resting on a sentence of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.scope import only_course
from app.features.study.model.items import NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.service import StudyService

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem

BREAD_TITLE = "Bread Baking at Home"
TIDES_TITLE = "Tides and Currents"
STARTER = "A sourdough starter is flour and water in which wild yeast and bacteria live."
SCALE = "A kitchen scale matters more than an expensive oven."
MOON = "The moon pulls the ocean into two bulges."


def study_of(rag: RAGSystem) -> StudyService:
    return rag.service(StudyService)


def item_on(
    rag: RAGSystem,
    course: str,
    sentence: str,
    kind: ItemKind = ItemKind.CARD,
    front: str = "What lives in a sourdough starter?",
    back: str = "Wild yeast and bacteria",
    others: tuple[str, ...] = (),
) -> NewItem:
    """Return an item that rests on a sentence of a course."""
    hits = rag.search.whole(only_course(course), 1_000_000)
    hit = next(one for one in hits if sentence in one.text)
    start = hit.start + hit.text.index(sentence)
    source = rag.search.make_source(1, hit)
    return NewItem(kind, ItemText(front, back, others), source, start, start + len(sentence), sentence)


def add_item(rag: RAGSystem, course: str, sentence: str, kind: ItemKind = ItemKind.CARD) -> int:
    """Store an item on a sentence of a course in its deck; return its key."""
    repository = study_of(rag).repository
    (key,) = repository.add(repository.deck_of(course), [item_on(rag, course, sentence, kind)])
    return key
