"""Rows and columns of widgets, made in one call."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

_Box = TypeVar("_Box", bound=QBoxLayout)
Margins = tuple[int, int, int, int]

Item = QWidget | QLayout | None
"""A widget, a layout, or None for room that stretches."""


def row(
    *items: Item,
    parent: QWidget | None = None,
    wide: Item = None,
    spacing: int = 8,
    margins: Margins = (0, 0, 0, 0),
) -> QHBoxLayout:
    """Return a row; ``wide`` is the item that takes the remaining room."""
    return _filled(QHBoxLayout() if parent is None else QHBoxLayout(parent), items, wide, spacing, margins)


def column(
    *items: Item,
    parent: QWidget | None = None,
    tall: Item = None,
    spacing: int = 8,
    margins: Margins = (0, 0, 0, 0),
) -> QVBoxLayout:
    """Return a column; ``tall`` is the item that takes the remaining room."""
    return _filled(QVBoxLayout() if parent is None else QVBoxLayout(parent), items, tall, spacing, margins)


def _filled(layout: _Box, items: tuple[Item, ...], largest: Item, spacing: int, margins: Margins) -> _Box:
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    for item in items:
        stretch = int(item is largest)
        if isinstance(item, QWidget):
            layout.addWidget(item, stretch)
        elif isinstance(item, QLayout):
            layout.addLayout(item, stretch)
        else:
            layout.addStretch()
    return layout
