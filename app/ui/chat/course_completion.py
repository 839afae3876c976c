"""Choosing a course with ``@`` in the question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem

from app.ui.widgets.building import one_shot
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import row_height

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QPlainTextEdit, QWidget

MOST_ROWS = 8
_ROW_HEIGHT = 32
_LONGEST_WIDTH = 480
_FRAME = 5
# An @ at the start of a word and the text after it, which may contain spaces as titles do.
_MENTION = re.compile(r"(?:^|(?<=[\s(\[“\"']))@(?P<typed>[^@\n]{0,120})$")


def matching_titles(titles: Sequence[str], typed: str) -> list[str]:
    """Return the matching titles: those that start with ``typed`` first, then those with a word that does."""
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
    """Lists courses above a question field while the cursor follows an ``@``.

    Up, Down, Page Up and Page Down move; Enter, Tab and a click choose; Escape closes the list for this
    ``@``. The field keeps the focus.
    """

    chosen = Signal(str)  # the title of a course; its ``@…`` has been removed from the field

    def __init__(self, edit: QPlainTextEdit, frame: QWidget) -> None:
        """Attach to the field ``edit``; the list appears above ``frame``, aligned at its left edge."""
        super().__init__(edit)
        self._edit = edit
        self._frame = frame
        self.titles: Sequence[str] = ()
        self._dismissed: int | None = None  # position of the @ whose list Escape closed
        self.popup = QListWidget(frame)
        self.popup.setObjectName("completion")
        self.popup.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.popup.setFrameShape(QFrame.Shape.NoFrame)
        self.popup.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.popup.setUniformItemSizes(True)
        self.popup.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.popup.setMouseTracking(True)
        self.popup.setAccessibleName(self.tr("Courses to search"))
        self.popup.hide()
        self.popup.itemClicked.connect(self._choose)
        # Deferred until both text and cursor have changed, since each has its own signal.
        self._update_soon = one_shot(self, 0, self._update)
        edit.textChanged.connect(self._update_soon.start)
        edit.cursorPositionChanged.connect(self._update_soon.start)
        edit.installEventFilter(self)
        frame.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the open list; close it when the field loses the focus."""
        if watched is self._edit:
            if isinstance(event, QKeyEvent) and self.popup.isVisible():
                if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                    event.accept()  # Escape closes the list and nothing else
                    return True
                if event.type() == QEvent.Type.KeyPress:
                    return self._press(event)
            elif event.type() == QEvent.Type.FocusOut:
                self.popup.hide()
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.popup.isVisible():
            self._update_soon.start()
        return super().eventFilter(watched, event)

    # ---- internals ----

    def _mention(self) -> tuple[int, str] | None:
        """Return the position of the @ before the cursor and the text typed after it."""
        cursor = self._edit.textCursor()
        if cursor.hasSelection():
            return None
        block = cursor.block()
        found = _MENTION.search(block.text()[: cursor.positionInBlock()])
        return None if found is None else (block.position() + found.start(), found["typed"])

    def _update(self) -> None:
        mention = self._mention() if self._edit.hasFocus() else None
        if mention is None:
            self._dismissed = None
        found = matching_titles(self.titles, mention[1]) if mention else []
        if not found or mention is None or mention[0] == self._dismissed:
            self.popup.hide()
            return
        if found != [self.popup.item(row).text() for row in range(self.popup.count())]:
            self.popup.clear()
            for title in found:
                item = QListWidgetItem(title)
                item.setToolTip(plain_tool_tip(title))
                item.setSizeHint(QSize(0, row_height(_ROW_HEIGHT)))
                self.popup.addItem(item)
            self.popup.setCurrentRow(0)
        self._place()

    def _place(self) -> None:
        """Show the list above the frame, no higher than the window allows."""
        window = self._frame.window()
        if self.popup.parentWidget() is not window:
            self.popup.setParent(window)
        at = self._frame.mapTo(window, QPoint(0, 0))
        rows = min(self.popup.count(), MOST_ROWS, max((at.y() - 2 * _FRAME) // row_height(_ROW_HEIGHT), 1))
        titles = [self.popup.item(row).text() for row in range(self.popup.count())]
        longest = max(map(self.popup.fontMetrics().horizontalAdvance, titles))
        width = min(max(longest + 48, 240), _LONGEST_WIDTH, self._frame.width())
        height = rows * row_height(_ROW_HEIGHT) + 2 * _FRAME
        self.popup.setGeometry(at.x(), at.y() - height - 4, width, height)
        self.popup.show()
        self.popup.raise_()

    def _press(self, event: QKeyEvent) -> bool:
        last = self.popup.count() - 1
        row = self.popup.currentRow()
        shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        match event.key():
            case Qt.Key.Key_Down:
                self.popup.setCurrentRow((row + 1) % (last + 1))
            case Qt.Key.Key_Up:
                self.popup.setCurrentRow((row - 1) % (last + 1))
            case Qt.Key.Key_PageDown:
                self.popup.setCurrentRow(min(row + MOST_ROWS, last))
            case Qt.Key.Key_PageUp:
                self.popup.setCurrentRow(max(row - MOST_ROWS, 0))
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Tab if not shifted:
                self._choose(self.popup.currentItem())
            case Qt.Key.Key_Escape:
                mention = self._mention()
                self._dismissed = mention[0] if mention else None
                self.popup.hide()
            case _:
                return False
        return True

    def _choose(self, item: QListWidgetItem) -> None:
        mention = self._mention()
        self.popup.hide()
        if mention is None:
            return
        title = item.text()
        cursor = self._edit.textCursor()
        cursor.setPosition(mention[0], QTextCursor.MoveMode.KeepAnchor)
        before = self._edit.document().characterAt(mention[0] - 1) if mention[0] else "\n"
        cursor.insertText("")
        after = self._edit.document().characterAt(cursor.position())
        if before.isspace() and after == " ":  # keep one of the two spaces around it
            cursor.deleteChar()
        self._edit.setTextCursor(cursor)
        self.chosen.emit(title)
