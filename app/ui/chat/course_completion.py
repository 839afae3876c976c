"""Choosing a course by ``@`` in the question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem

from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QPlainTextEdit, QWidget

MOST_ROWS = 8
_ROW_HEIGHT = 32
_LONGEST_WIDTH = 480
_FRAME = 5
# An @ at the beginning of a word and what follows it, which may have spaces as titles do.
_MENTION = re.compile(r"(?:^|(?<=[\s(\[“\"']))@(?P<typed>[^@\n]{0,120})$")


def matching_titles(titles: Sequence[str], typed: str) -> list[str]:
    """Return the titles that fit what was typed: those that begin with it first, then by words."""
    wanted = " ".join(typed.casefold().split())
    ranked = []
    for title in titles:
        folded = " ".join(title.casefold().split())
        at = folded.find(wanted)
        if at >= 0:
            rank = 0 if at == 0 else 1 if not folded[at - 1].isalnum() else 2
            ranked.append((rank, title))
    return [title for _, title in sorted(ranked, key=lambda pair: pair[0])]


class CourseCompletion(QObject):
    """Lists courses above a question field while the cursor stands behind an ``@``.

    Up, Down, Page Up and Page Down move, Enter and Tab choose, Escape closes until the text changes;
    so does a click. The field keeps the focus all the time.

    Signals:
        chosen: the title of a course; its ``@…`` has been taken out of the field.
    """

    chosen = Signal(str)

    def __init__(self, edit: QPlainTextEdit, frame: QWidget) -> None:
        """Attach to a field.

        Args:
            edit: where the question is written.
            frame: what the list stands above, aligned at its left edge.
        """
        super().__init__(edit)
        self._edit = edit
        self._frame = frame
        self._titles: tuple[str, ...] = ()
        self._dismissed: int | None = None  # the @ whose list was closed by Escape
        self.popup = QListWidget(frame)
        self.popup.setObjectName("completion")
        self.popup.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.popup.setFrameShape(QFrame.Shape.NoFrame)
        self.popup.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.popup.setUniformItemSizes(True)
        self.popup.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.popup.setMouseTracking(True)
        self.popup.setAccessibleName(self.tr("Courses to restrict the question to"))
        self.popup.hide()
        self.popup.itemClicked.connect(lambda item: self._choose(item))
        # After both text and cursor have changed: each tells by a signal of its own.
        self._look_soon = QTimer(self)
        self._look_soon.setSingleShot(True)
        self._look_soon.setInterval(0)
        self._look_soon.timeout.connect(self._look)
        edit.textChanged.connect(self._look_soon.start)
        edit.cursorPositionChanged.connect(self._look_soon.start)
        edit.installEventFilter(self)
        frame.installEventFilter(self)

    def set_titles(self, titles: Sequence[str]) -> None:
        """Take the titles of the courses there are."""
        self._titles = tuple(titles)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that are meant for the list while it is open; close it with the focus gone."""
        if watched is self._edit:
            if isinstance(event, QKeyEvent) and self.popup.isVisible():
                if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                    event.accept()  # it closes the list, and nothing else
                    return True
                if event.type() == QEvent.Type.KeyPress:
                    return self._press(event)
            elif event.type() == QEvent.Type.FocusOut:
                self.popup.hide()
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.popup.isVisible():
            self._look_soon.start()
        return super().eventFilter(watched, event)

    # Internals

    def _mention(self) -> tuple[int, str] | None:
        """Return where the @ before the cursor stands, and what is typed behind it."""
        cursor = self._edit.textCursor()
        if cursor.hasSelection() or self._edit.isReadOnly():
            return None
        block = cursor.block()
        found = _MENTION.search(block.text()[: cursor.positionInBlock()])
        return None if found is None else (block.position() + found.start(), found["typed"])

    def _look(self) -> None:
        mention = self._mention() if self._edit.hasFocus() else None
        if mention is None:
            self._dismissed = None
        found = matching_titles(self._titles, mention[1]) if mention else []
        if not found or mention is None or mention[0] == self._dismissed:
            self.popup.hide()
            return
        if found != [self.popup.item(row).text() for row in range(self.popup.count())]:
            self.popup.clear()
            for title in found:
                item = QListWidgetItem(title)
                item.setToolTip(plain_tool_tip(title))
                item.setSizeHint(QSize(0, _ROW_HEIGHT))
                self.popup.addItem(item)
            self.popup.setCurrentRow(0)
        self._place()

    def _place(self) -> None:
        """Show the list above the frame, no higher than the window allows."""
        window = self._frame.window()
        if self.popup.parentWidget() is not window:
            self.popup.setParent(window)
        at = self._frame.mapTo(window, QPoint(0, 0))
        rows = min(self.popup.count(), MOST_ROWS, max((at.y() - 2 * _FRAME) // _ROW_HEIGHT, 1))
        metrics = self.popup.fontMetrics()
        longest = max(
            metrics.horizontalAdvance(self.popup.item(row).text()) for row in range(self.popup.count())
        )
        width = min(max(longest + 48, 240), _LONGEST_WIDTH, self._frame.width())
        height = rows * _ROW_HEIGHT + 2 * _FRAME
        self.popup.setGeometry(at.x(), at.y() - height - 4, width, height)
        self.popup.show()
        self.popup.raise_()

    def _press(self, event: QKeyEvent) -> bool:
        last = self.popup.count() - 1
        row = self.popup.currentRow()
        match event.key():
            case Qt.Key.Key_Down:
                self.popup.setCurrentRow(0 if row >= last else row + 1)
            case Qt.Key.Key_Up:
                self.popup.setCurrentRow(last if row <= 0 else row - 1)
            case Qt.Key.Key_PageDown:
                self.popup.setCurrentRow(min(row + MOST_ROWS, last))
            case Qt.Key.Key_PageUp:
                self.popup.setCurrentRow(max(row - MOST_ROWS, 0))
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Tab if not event.modifiers() & (
                Qt.KeyboardModifier.ShiftModifier
            ):
                self._choose(self.popup.currentItem())
            case Qt.Key.Key_Escape:
                mention = self._mention()
                self._dismissed = mention[0] if mention else None
                self.popup.hide()
            case _:
                return False
        return True

    def _choose(self, item: QListWidgetItem | None) -> None:
        mention = self._mention()
        self.popup.hide()
        if item is None or mention is None:
            return
        title = item.text()
        cursor = self._edit.textCursor()
        cursor.setPosition(mention[0], QTextCursor.MoveMode.KeepAnchor)
        before = self._edit.document().characterAt(mention[0] - 1) if mention[0] else "\n"
        cursor.insertText("")
        after = self._edit.document().characterAt(cursor.position())
        if before.isspace() and after == " ":  # of the two spaces around it one is left
            cursor.deleteChar()
        self._edit.setTextCursor(cursor)
        self.chosen.emit(title)
