"""Rows of a form: a label, a field, and a line of help, warning or error under it."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import set_look, vbox
from app.ui.widgets.text_labels import ElidedCombo, plain_label, wrapped
from app.ui.widgets.theme import is_large_text, scaled

_LABEL_WIDTH = 144
_ROUNDED = 2  # pixels that a text may be wider than Qt says
_LEAST_WIDTH = 144  # of a box with its text
FIELD_WIDTH = 168  # of numbers and choices
_BELOW = 12  # each row
_BEFORE_NUMBER = 7  # pixels, as in other fields
_TOP_OF_TEXT = 7  # of a button's text below its edge


class Row:
    """A label, a field and its line of help."""

    def __init__(self, label: str, field: QWidget, help_text: str = "") -> None:
        self.field = field
        self._help_text = help_text
        self.label = QLabel(label)
        self.label.setBuddy(field)
        if not is_large_text():
            self.label.setFixedWidth(scaled(_LABEL_WIDTH))
        self.label.setWordWrap(True)
        self.message = plain_label(help_text, "caption")
        self.message.setContentsMargins(0, 0, 0, _BELOW)
        if not field.accessibleName():
            field.setAccessibleName(label)
        if isinstance(field, QComboBox) and (line := field.lineEdit()) is not None:
            line.setAccessibleName(field.accessibleName())
        field.setAccessibleDescription(help_text)

    @property
    def failed(self) -> bool:
        return self.field.property("invalid") is True

    def need(self, needed: bool) -> None:
        for part in (self.label, self.field, self.message):
            part.setVisible(needed)

    def explain(self, text: str) -> None:
        self._help_text = text
        self.help()

    def help(self) -> None:
        self._show(self._help_text, "caption", invalid=False)

    def warn(self, text: str) -> None:
        self._show(text, "warning-caption", invalid=False)

    def fail(self, text: str) -> None:
        self._show(text, "danger-caption", invalid=True)

    def _show(self, text: str, role: str, *, invalid: bool) -> None:
        if invalid and text != self.message.text():
            announce(self.field, text, urgent=True)
        self.message.setText(text)
        self.field.setAccessibleDescription(text)
        set_look(self.message, "role", role)
        set_look(self.field, "invalid", invalid)


class Section(QWidget):
    """A heading with rows that align across all sections."""

    def __init__(self, title: str) -> None:
        super().__init__()
        heading = QLabel(title)
        heading.setProperty("role", "lead")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        vbox(heading, self._grid, parent=self, spacing=12)

    def add(self, label: str, field: QWidget, help_text: str = "", *, narrow: bool = True) -> Row:
        """Add a field that is only as wide as it needs, or takes all the width."""
        alignment = Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag(0)
        return self._add(Row(label, field, help_text), alignment, Qt.AlignmentFlag.AlignVCenter)

    def add_tall(self, row: Row) -> None:
        """Add a field that grows downwards; its label stays at the top."""
        row.label.setContentsMargins(0, _TOP_OF_TEXT, 0, 0)
        self._add(row, Qt.AlignmentFlag(0), Qt.AlignmentFlag.AlignTop)

    def _add(self, row: Row, field: Qt.AlignmentFlag, label: Qt.AlignmentFlag) -> Row:
        at = self._grid.rowCount()
        if is_large_text():
            self._grid.addWidget(row.label, at, 1)  # above its field
            at += 1
        else:
            self._grid.addWidget(row.label, at, 0, label)
        self._grid.addWidget(row.field, at, 1, field)
        self._grid.addWidget(row.message, at + 1, 1)
        return row


class WheelGuard(QObject):
    """Keeps the wheel, while it scrolls, from changing the number and choice fields it passes over."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        for kind in (QAbstractSpinBox, QComboBox):
            for field in inside.findChildren(kind):
                field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def choice(offers: Mapping[Any, str], chosen: object, *, elided: bool = False) -> QComboBox:
    """Return a choice of names by their values; ``elided`` if they may be longer than there is room."""
    box = ElidedCombo() if elided else QComboBox()
    for value, name in offers.items():
        box.addItem(name, value)
    box.setCurrentIndex(max(box.findData(chosen), 0))
    box.setMinimumWidth(scaled(FIELD_WIDTH))
    return box


def number_box(least: int, most: int, *, step: int = 1, prefix: str = "", suffix: str = "") -> QSpinBox:
    box = QSpinBox(minimum=least, maximum=most, singleStep=step, prefix=prefix, suffix=suffix)
    box.lineEdit().setTextMargins(_BEFORE_NUMBER, 0, 0, 0)  # the style sheet does not reach it
    return box


class WrappingCheckBox(QCheckBox):
    """Breaks its text into lines where there is no room for one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._whole = text
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self._around() + self._advance(self._whole) + _ROUNDED, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), scaled(_LEAST_WIDTH)), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        lines, _ = wrapped(self._whole, self.font(), self.width() - self._around(), 3)
        if (text := "\n".join(lines)) != self.text():
            self.setText(text)

    def _around(self) -> int:
        return super().sizeHint().width() - max(self._advance(line) for line in self.text().split("\n"))

    def _advance(self, line: str) -> int:
        return self.fontMetrics().horizontalAdvance(line)


def check_box(text: str, checked: bool) -> QCheckBox:
    box = WrappingCheckBox(text)
    box.setChecked(checked)
    box.setAccessibleName(text)
    return box
