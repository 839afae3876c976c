"""Where the keyboard is can be seen, on every control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.domain.scope import Scope

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from tests.support.running_window import Opener

_LEAST = 24  # pixels that change when a control gets the focus
_AROUND = 16


def picture(widget: QWidget) -> QImage:
    """Return how a widget and the pixels around it look in their window."""
    window = widget.window()
    place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    return window.grab(place.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)).toImage()


def changed(one: QImage, other: QImage) -> int:
    if one.size() != other.size():
        return _LEAST
    points = ((x, y) for x in range(one.width()) for y in range(one.height()))
    found = 0
    for x, y in points:
        found += one.pixel(x, y) != other.pixel(x, y)
        if found >= _LEAST:
            break
    return found


def without_sign(window: QWidget) -> list[str]:
    """Return the controls on show that look the same with the keyboard's focus and without."""
    elsewhere = QWidget(window)
    elsewhere.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    elsewhere.show()
    found = []
    for widget in window.findChildren(QWidget):
        by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if not by_tab or not widget.isEnabled() or not widget.isVisible() or widget is elsewhere:
            continue
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        with_focus = picture(widget)
        elsewhere.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        if changed(with_focus, picture(widget)) < _LEAST:
            found.append(f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}")
    elsewhere.setParent(None)
    elsewhere.deleteLater()
    return found


def test_the_focus_can_be_seen(open_window: Opener) -> None:
    running = open_window()
    window = running.window
    running.activate()
    running.ask("What is a sourdough starter?")
    window.set_scope(Scope(courses=(running.rag.courses.all()[0].title,)))
    window.chat.open_find()
    window.offer_bar.offer("Another model reads more languages.", "Download")
    window.sidebar.tree.expandAll()
    QApplication.processEvents()
    assert without_sign(window) == []
    window.chat.search.dismiss()
    window.sources.read(1)
    running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "the lesson")
    window.search_chats()
    assert without_sign(window) == []
