"""What is too small for its text."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QTabBar, QToolButton, QWidget

from app.ui.widgets.text_labels import ElidedLabel, WrappingButton

LINES = (QLabel, QPushButton, QToolButton, QLineEdit, QComboBox, QTabBar)


def cut_off(parent: QWidget) -> list[str]:
    """Return what is shown lower than a line of its text, or narrower than its words."""
    found = []
    for kind in LINES:
        for widget in parent.findChildren(kind):
            text = widget.text() if hasattr(widget, "text") else widget.accessibleName()
            if not widget.isVisible() or not text or (isinstance(widget, QLabel) and widget.pixmap()):
                continue
            if isinstance(widget, QToolButton) and widget.toolButtonStyle().name == "ToolButtonIconOnly":
                continue
            if widget.height() < widget.fontMetrics().height():
                found.append(f"{text}: {widget.height()} high")
            if isinstance(widget, QLabel) and widget.wordWrap():
                needed = widget.heightForWidth(widget.width())
                if widget.height() < needed:
                    found.append(f"{text}: {widget.height()} high of {needed}")
            short = widget.width() < widget.minimumSizeHint().width()
            if kind is QPushButton and short and not isinstance(widget, WrappingButton | ElidedLabel):
                found.append(f"{text}: {widget.width()} wide")
    return found
