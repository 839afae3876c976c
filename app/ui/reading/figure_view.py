"""A figure on the card of its source; a click opens the page it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.domain.plain_text import harmless
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from app.domain.figures import FigurePicture
    from app.ui.widgets.theme import Theme

_TALLEST = 300  # pixels
_LARGEST = 1.4  # pixels for a point of its page


class FigureView(QAbstractButton):
    """Draws a figure on white paper, as wide as there is room for."""

    def __init__(self, picture: FigurePicture, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._pixels = picture.pixels  # which the image does not own
        size = picture.width, picture.height
        self._image = QImage(self._pixels, *size, 4 * picture.width, QImage.Format.Format_RGB32)
        self._scaled = QImage()
        self._ratio = picture.height / picture.width
        self._widest = round((picture.figure.box.right - picture.figure.box.left) * _LARGEST)
        self._theme = theme
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        caption = harmless(picture.figure.caption)
        self.setAccessibleName(caption)
        self.setAccessibleDescription(self.tr("Opens page {0}").format(picture.figure.page))
        self.setToolTip(plain_tool_tip(f"{caption}\n{self.accessibleDescription()}"))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def fit(self, width: int) -> None:
        """Take the height that suits a width."""
        self.setFixedHeight(min(round(min(width, self._widest) * self._ratio), _TALLEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit(self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = min(self.width(), self._widest, round(self.height() / self._ratio))
        place = QRect((self.width() - width) // 2, 0, width, self.height())
        ratio = self.devicePixelRatioF()
        wanted = place.size() * ratio
        if self._scaled.size() != wanted:
            keep = Qt.AspectRatioMode.IgnoreAspectRatio
            self._scaled = self._image.scaled(wanted, keep, Qt.TransformationMode.SmoothTransformation)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(place).adjusted(1, 1, -1, -1), self._theme.radius, self._theme.radius)
        painter.setClipPath(outline)
        painter.drawImage(place, self._scaled)
        painter.setClipping(False)
        ringed = self.hasFocus() or self.underMouse()
        painter.setPen(QPen(QColor(self._theme.accent if ringed else self._theme.border), 1 + ringed))
        painter.drawPath(outline)
