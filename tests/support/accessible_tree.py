"""The window as a screen reader has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QAccessible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QAccessibleInterface
    from PySide6.QtWidgets import QWidget

Role = QAccessible.Role


class Node(NamedTuple):
    """One node of the tree; ``path`` names it and those above it by class and object name."""

    role: QAccessible.Role
    name: str
    description: str
    value: str
    path: str
    is_focusable: bool
    widget: QWidget | None


def tree_of(widget: QWidget) -> list[Node]:
    """Return all nodes that are on show, top down."""
    return list(_nodes(QAccessible.queryAccessibleInterface(widget), ""))


def _nodes(interface: QAccessibleInterface, above: str) -> Iterator[Node]:
    if not interface.isValid() or interface.state().invisible:
        return
    thing = interface.object()
    own = type(thing).__name__ if thing is not None else interface.role().name
    path = f"{above}/{own}{'#' + thing.objectName() if thing is not None and thing.objectName() else ''}"
    text = QAccessible.Text
    yield Node(
        interface.role(),
        interface.text(text.Name),
        interface.text(text.Description),
        interface.text(text.Value),
        path,
        bool(interface.state().focusable),
        thing,  # type: ignore[arg-type]  # windows have widgets only
    )
    for at in range(interface.childCount()):
        child = interface.child(at)
        if child is not None:
            yield from _nodes(child, path)
