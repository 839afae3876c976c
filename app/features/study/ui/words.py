"""What the kinds of items are called, what is noted of an item, and where it stands in its course."""

from functools import partial

from PySide6.QtCore import QCoreApplication

from app.domain.documents import becomes_markdown
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.sources import Source
from app.features.study.model.items import Difficulty, Item
from app.features.study.model.names import ItemKind
from app.markup.formulas import without_signs
from app.ui.widgets.messages import shown

tr = partial(QCoreApplication.translate, "StudyWords")


def kind_name(kind: ItemKind) -> str:
    """Return what one item of a kind is called."""
    return shown(Message(f"study.kind_{kind}"))


def kinds_name(kind: ItemKind) -> str:
    """Return what items of a kind are called together."""
    return shown(Message(f"study.kinds_{kind}"))


def difficulty_name(difficulty: Difficulty) -> str:
    match difficulty:
        case Difficulty.EASY:
            return tr("Easy: what a sentence says")
        case Difficulty.MEDIUM:
            return tr("Medium: what it means")
        case Difficulty.HARD:
            return tr("Hard: how ideas connect")


def marks(item: Item) -> list[str]:
    """Return what is to be known of an item beside its text, a word or two each."""
    found = {
        tr("automatic"): item.automatic,
        tr("edited"): item.edited,
        tr("stale"): item.state != "current",
        tr("suspended"): item.suspended,
    }
    return [words for words, holds in found.items() if holds]


def as_read(source: Source, sentence: str) -> str:
    """Return a sentence of a source without signs of Markdown, if that is what its file becomes."""
    return harmless(without_signs(sentence) if becomes_markdown(source.hit.path) else sentence)
