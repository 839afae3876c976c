"""Labels for text of any length: they shorten it instead of clipping it or widening the window."""

from __future__ import annotations

import html
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.ui.widgets.theme import Theme

_LEAST_WIDTH = 40


def plain_tool_tip(text: str) -> str:
    """Return ``text`` as a tool tip that is wrapped and literal.

    Qt renders a tool tip that looks like HTML, and titles come from files of unknown origin.
    """
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>" if text else ""


def plain_label(
    text: str, role: str = "", parent: QWidget | None = None, *, wrap: bool = True, selectable: bool = False
) -> QLabel:
    """Return a label of literal text; ``role`` is the style sheet's."""
    label = QLabel(text, parent, textFormat=Qt.TextFormat.PlainText, wordWrap=wrap)
    label.setProperty("role", role)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def monospaced(view: QPlainTextEdit, theme: Theme) -> QPlainTextEdit:
    """Make a view of long text read-only, in a small font of fixed width."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(theme.type.caption)
    view.setFont(font)
    view.setReadOnly(True)
    return view


def wrapped(text: str, font: QFont, width: int, max_lines: int) -> tuple[tuple[str, ...], bool]:
    """Return ``text`` as lines that fit, and whether its end was cut off.

    Args:
        text: runs of white space count as one space.
        font: to paint it in.
        width: of a line, in device-independent pixels.
        max_lines: the last one ends in an ellipsis if there is more.
    """
    return _wrapped(text, font.key(), width, max_lines)


# Layouts ask for a label's height many times.
@lru_cache(maxsize=1024)
def _wrapped(text: str, font_key: str, width: int, max_lines: int) -> tuple[tuple[str, ...], bool]:
    font = QFont()
    font.fromString(font_key)
    text = " ".join(text.split())
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(text, font)
    layout.setTextOption(option)
    # Qt counts in UTF-16 code units.
    units = text.encode("utf-16-le", "surrogatepass")
    lines: list[str] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        start = 2 * line.textStart()
        if len(lines) == max_lines - 1:
            rest = units[start:].decode("utf-16-le", "surrogatepass")
            shown = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
            layout.endLayout()
            return (*lines, shown), shown != rest
        piece = units[start : start + 2 * line.textLength()]
        lines.append(piece.decode("utf-16-le", "surrogatepass").rstrip())
    layout.endLayout()
    return tuple(lines), False


class _ShortenedLabel(QLabel):
    """Plain text that is shortened to fit, with the whole text in its tool tip and for screen readers."""

    def __init__(self, text: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def lines(self) -> tuple[tuple[str, ...], bool]:
        """Return the lines as they are painted, and whether they are shortened."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        return self._size(self.fontMetrics().horizontalAdvance(" ".join(self.text().split())) + 1)

    def minimumSizeHint(self) -> QSize:
        return self._size(_LEAST_WIDTH)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._update_tool_tip()
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tool_tip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        _draw_lines(painter, self.lines()[0], self.contentsRect(), self.fontMetrics())

    def _size(self, width: int) -> QSize:
        return QSize(width, self.fontMetrics().lineSpacing()).grownBy(self.contentsMargins())

    def _update_tool_tip(self) -> None:
        self.setToolTip(plain_tool_tip(self.text()) if self.lines()[1] else "")


class ElidedLabel(_ShortenedLabel):
    """One line, shortened at the end or in the middle."""

    def __init__(
        self,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        self._mode = mode
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def lines(self) -> tuple[tuple[str, ...], bool]:
        line = " ".join(self.text().split())
        shown = self.fontMetrics().elidedText(line, self._mode, self.contentsRect().width())
        return (shown,), shown != line


class ClampedLabel(_ShortenedLabel):
    """A few lines at most."""

    def __init__(self, text: str = "", max_lines: int = 2, parent: QWidget | None = None) -> None:
        self._max_lines = max_lines
        super().__init__(text, parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_max_lines(self, lines: int) -> None:
        self._max_lines = lines
        self._update_tool_tip()
        self.updateGeometry()
        self.update()

    def lines(self) -> tuple[tuple[str, ...], bool]:
        return wrapped(self.text(), self.font(), self.contentsRect().width(), self._max_lines)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        inner = width - margins.left() - margins.right()
        lines, _ = wrapped(self.text(), self.font(), inner, self._max_lines)
        return max(len(lines), 1) * self.fontMetrics().lineSpacing() + margins.top() + margins.bottom()


class WrappingButton(QPushButton):
    """A push button with a left-aligned label of a few lines, elided if there is more."""

    def __init__(self, text: str, max_lines: int = 2, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = text
        self._max_lines = max_lines
        self._padding = QPoint(8, 6)
        self.setAccessibleName(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def label(self) -> str:
        return self._label

    def shown_lines(self) -> tuple[str, ...]:
        """Return the lines of the label as they are painted."""
        return wrapped(self._label, self.font(), self._text_area().width(), self._max_lines)[0]

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        inner = width - 2 * self._padding.x()
        lines, _ = wrapped(self._label, self.font(), inner, self._max_lines)
        return max(len(lines), 1) * self.fontMetrics().lineSpacing() + 2 * self._padding.y()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._label) + 2 * self._padding.x() + 1
        return QSize(width, self.fontMetrics().lineSpacing() + 2 * self._padding.y())

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        _, cut = wrapped(self._label, self.font(), self._text_area().width(), self._max_lines)
        self.setToolTip(plain_tool_tip(self._label) if cut else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.setPen(self.palette().color(self.foregroundRole()))
        _draw_lines(painter, self.shown_lines(), self._text_area(), self.fontMetrics())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def _text_area(self) -> QRect:
        x, y = self._padding.x(), self._padding.y()
        return self.rect().adjusted(x, y, -x, -y)


def _draw_lines(painter: QPainter, lines: Sequence[str], area: QRect, metrics: QFontMetrics) -> None:
    flags = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
    for row, line in enumerate(lines):
        top = area.top() + row * metrics.lineSpacing()
        painter.drawText(QRect(area.left(), top, area.width(), metrics.height()), flags, line)
