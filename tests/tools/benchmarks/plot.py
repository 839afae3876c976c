"""Draws how figures grow: one panel a figure, both axes logarithmic, a line a side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from pathlib import Path

_WIDTH, _HEIGHT, _MARGIN, _TOP = 420, 340, 64, 48
_COLOURS = {"ours": "#1f6feb", "reference": "#b35900"}
_NAMES = {"ours": "Lectern", "reference": "web version's pipeline"}


def draw(figures: dict[str, dict[str, list[tuple[float, float]]]], file: Path) -> None:
    """Write a PNG with a panel for each figure."""
    application = QApplication.instance() or QApplication([])
    image = QImage(_WIDTH * max(len(figures), 1), _HEIGHT + 24, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for number, (title, sides) in enumerate(figures.items()):
        _panel(painter, title, sides, QRectF(number * _WIDTH, 0, _WIDTH, _HEIGHT))
    for number, side in enumerate(_COLOURS):
        painter.setPen(QColor(_COLOURS[side]))
        painter.drawText(QPointF(_MARGIN + number * 120, _HEIGHT + 10), f"— {_NAMES[side]}")
    painter.end()
    image.save(str(file))
    del application


def _panel(painter: QPainter, title: str, sides: dict[str, list[tuple[float, float]]], area: QRectF) -> None:
    plot = area.adjusted(_MARGIN, _TOP, -24, -_MARGIN + 16)
    every = [point for points in sides.values() for point in points if point[1] > 0]
    if not every:
        return
    left, right = _decades([x for x, _ in every])
    low, high = _decades([y for _, y in every])

    def place(x: float, y: float) -> QPointF:
        across = (math.log10(x) - left) / (right - left)
        up = (math.log10(y) - low) / (high - low)
        return QPointF(plot.left() + across * plot.width(), plot.bottom() - up * plot.height())

    painter.setPen(Qt.GlobalColor.black)
    bold = QFont(painter.font())
    bold.setBold(True)
    plain = painter.font()
    painter.setFont(bold)
    painter.drawText(QPointF(plot.left(), plot.top() - 14), title)
    painter.setFont(plain)
    for power in range(low, high + 1):
        at = place(10**left, 10**power)
        painter.setPen(QColor("#dddddd"))
        painter.drawLine(at, QPointF(plot.right(), at.y()))
        painter.setPen(QColor("#555555"))
        painter.drawText(
            QRectF(area.left(), at.y() - 9, _MARGIN - 8, 18), Qt.AlignmentFlag.AlignRight, f"{10**power:,}"
        )
    for power in range(left, right + 1):
        at = place(10**power, 10**low)
        painter.drawText(
            QRectF(at.x() - 40, plot.bottom() + 6, 80, 18), Qt.AlignmentFlag.AlignCenter, f"{10**power:,}"
        )
    painter.drawText(
        QRectF(plot.left(), plot.bottom() + 22, plot.width(), 18), Qt.AlignmentFlag.AlignCenter, "passages"
    )
    for side, points in sides.items():
        painter.setPen(QPen(QColor(_COLOURS[side]), 2))
        placed = [place(*point) for point in points if point[1] > 0]
        painter.drawPolyline(placed)
        for point in placed:
            painter.drawEllipse(point, 3, 3)


def _decades(values: list[float]) -> tuple[int, int]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)
