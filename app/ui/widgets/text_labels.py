"""Labels for text of any length: they shorten it instead of clipping it or widening the window."""

import html
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetrics,
    QIcon,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from app.ui.widgets.theme import Theme, scaled

_LEAST_WIDTH = 40
_BUTTON_PADDING = QPoint(8, 6)


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


class IconLabel(QLabel):
    """An icon of this many pixels, which grow with the text; its colour follows its role in the theme."""

    def __init__(self, pixels: int, name: str = "", role: str = "text_muted") -> None:
        super().__init__()
        self._pixels = pixels
        self.setPixmap(QPixmap(1, 1))  # makes it a picture to screen readers
        self.show_icon(name, role)

    def show_icon(self, name: str, role: str = "text_muted") -> None:
        """Show another icon, or none if there is no name."""
        names = {
            "warning": QCoreApplication.translate("Icons", "Warning"),
            "check": QCoreApplication.translate("Icons", "Done"),
            "info": QCoreApplication.translate("Icons", "Note"),
        }
        self.setAccessibleName(names.get(name, ""))
        self._icon = Theme.icon(name, role) if name else QIcon()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(self._pixels), scaled(self._pixels))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        place = QRect(QPoint(), self.sizeHint())
        place.moveCenter(self.rect().center())
        self._icon.paint(QPainter(self), place)


def long_text(text: str, name: str, theme: Theme) -> QPlainTextEdit:
    """Return a read-only view of long text in a small font of fixed width; ``name`` is for screen readers."""
    view = QPlainTextEdit(text, readOnly=True)
    view.setAccessibleName(name)
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(theme.caption)
    view.setFont(font)
    return view


def wrapped(text: str, font: QFont, width: int, max_lines: int) -> tuple[tuple[str, ...], bool]:
    """Return ``text``, its runs of white space as one space, as lines that fit, and whether its end is cut.

    ``width`` is in device-independent pixels; the last of ``max_lines`` ends in an ellipsis if there is more.
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


class ElidedLabel(QLabel):
    """One line of plain text, shortened to fit; the whole text is its tool tip."""

    def __init__(
        self,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        self._mode = mode
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def lines(self) -> tuple[tuple[str, ...], bool]:
        """Return the lines as they are painted, and whether they are shortened."""
        line = " ".join(self.text().split())
        shown = self.fontMetrics().elidedText(line, self._mode, self.contentsRect().width())
        return (shown,), shown != line

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


class ClampedLabel(ElidedLabel):
    def __init__(self, text: str, max_lines: int, parent: QWidget) -> None:
        self._max_lines = max_lines
        super().__init__(text, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setWordWrap(True)  # gives it a height for each width

    def lines(self) -> tuple[tuple[str, ...], bool]:
        return wrapped(self.text(), self.font(), self.contentsRect().width(), self._max_lines)

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        inner = width - margins.left() - margins.right()
        lines, _ = wrapped(self.text(), self.font(), inner, self._max_lines)
        return max(len(lines), 1) * self.fontMetrics().lineSpacing() + margins.top() + margins.bottom()


class WrappingButton(QPushButton):
    """A push button with a left-aligned label, its accessible name, of two lines at most."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setAccessibleName(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def lines(self) -> tuple[tuple[str, ...], bool]:
        """Return the lines as they are painted, and whether they are shortened."""
        return self._wrapped(self.width())

    def heightForWidth(self, width: int) -> int:
        lines = max(len(self._wrapped(width)[0]), 1)
        return lines * self.fontMetrics().lineSpacing() + 2 * _BUTTON_PADDING.y()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.accessibleName()) + 2 * _BUTTON_PADDING.x() + 1
        return QSize(width, self.fontMetrics().lineSpacing() + 2 * _BUTTON_PADDING.y())

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setToolTip(plain_tool_tip(self.accessibleName()) if self.lines()[1] else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.setPen(self.palette().color(self.foregroundRole()))
        lines, metrics, x = self.lines()[0], self.fontMetrics(), _BUTTON_PADDING.x()
        y = (self.height() - len(lines) * metrics.lineSpacing()) // 2  # it may be higher than its lines
        _draw_lines(painter, lines, self.rect().adjusted(x, y, -x, -y), metrics)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def _wrapped(self, width: int) -> tuple[tuple[str, ...], bool]:
        return wrapped(self.accessibleName(), self.font(), width - 2 * _BUTTON_PADDING.x(), 2)


def _draw_lines(painter: QPainter, lines: Sequence[str], area: QRect, metrics: QFontMetrics) -> None:
    flags = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
    for row, line in enumerate(lines):
        top = area.top() + row * metrics.lineSpacing()
        painter.drawText(QRect(area.left(), top, area.width(), metrics.height()), flags, line)


_LEAST = 12  # characters


class ElidedCombo(QComboBox):
    """As wide as its longest text if it can be; Qt would cut a text without a sign that there is more."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumContentsLength(_LEAST)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        text, elide = option.currentText, Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(text, elide, field.width() - 2)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
