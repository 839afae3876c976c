"""What study material can be made from."""

from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from app.domain.plain_text import harmless
from app.domain.scope import Scope, only_course, scope_parts
from app.ui.widgets.source_labels import numbered_lesson


class Origin(NamedTuple):
    """A scope, or the passages that the answers of a chat cite; ``name`` is shown."""

    name: str
    scope: Scope = Scope()
    conversation_id: int | None = None


def of_course(title: str) -> Origin:
    return Origin(harmless(title), only_course(title))


def scope_name(scope: Scope) -> str:
    """Return what a scope is called, such as ``Statistics, Lesson 3``."""
    parts = scope_parts(scope)
    if len(parts) == 1 and len(parts[0].lessons) == 1 and parts[0].lessons[0] is not None:
        return f"{harmless(parts[0].title)}, {numbered_lesson(parts[0].lessons[0], '')}"
    if len(parts) == 1 and not parts[0].lessons and parts[0].up_to is None:
        return harmless(parts[0].title)
    return QCoreApplication.translate("Origins", "What is ticked in the sidebar")
