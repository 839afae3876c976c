"""Choosing a course with ``@`` in the question."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QCompleter, QListView, QPlainTextEdit

from app.ui.widgets.building import one_shot

MOST_ROWS = 8
_LONGEST_WIDTH = 480
# An @ at the start of a word and the text after it, which may contain spaces as titles do.
_MENTION = re.compile(r"(?:^|(?<=[\s(\[“\"']))@(?P<typed>[^@\n]{0,120})$")


def matching_titles(titles: Sequence[str], typed: str) -> list[str]:
    """Return the matching titles: first those that start with ``typed``, then those with a word that does."""
    wanted = " ".join(typed.casefold().split())
    ranked = []
    for title in titles:
        folded = " ".join(title.casefold().split())
        at = folded.find(wanted)
        if at >= 0:
            rank = 0 if at == 0 else 1 if not folded[at - 1].isalnum() else 2
            ranked.append((rank, title))
    return [title for _, title in sorted(ranked, key=lambda pair: pair[0])]


class CourseCompletion(QCompleter):
    """Lists courses while the cursor follows an ``@``; Enter, Tab and a click choose one."""

    chosen = Signal(str)  # the title of a course; its ``@…`` has been removed from the field

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self.titles: Sequence[str] = ()
        self._dismissed = -1  # where the @ is whose courses are not to be listed
        self._found = QStringListModel(self)
        self.setModel(self._found)
        self.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.setMaxVisibleItems(MOST_ROWS)
        self.setWidget(edit)
        self.list = QListView()
        self.list.setAccessibleName(self.tr("Courses to search"))
        self.setPopup(self.list)
        self.activated.connect(self._choose)
        # Deferred until both text and cursor have changed, since each has its own signal.
        self._update_soon = one_shot(self, 0, self._update)
        edit.textChanged.connect(self._update_soon.start)
        edit.cursorPositionChanged.connect(self._update_soon.start)

    def dismiss(self) -> None:
        """List no courses for this ``@`` any more."""
        if (mention := self._mention()) is not None:
            self._dismissed = mention[0]

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
        if self._edit.document().characterAt(self._dismissed) != "@":
            self._dismissed = -1  # it was deleted
        is_listed = mention is not None and mention[0] != self._dismissed
        found = matching_titles(self.titles, mention[1]) if mention and is_listed else []
        if found != self._found.stringList():
            self._found.setStringList(found)
        if not found:
            self.list.hide()
            return
        place = self._edit.cursorRect()
        place.setWidth(min(_LONGEST_WIDTH, self._edit.width()))
        self.complete(place)
        self.list.setCurrentIndex(self.completionModel().index(0, 0))

    def _choose(self, title: str) -> None:
        mention = self._mention()
        if mention is None:
            return
        cursor = self._edit.textCursor()
        cursor.setPosition(mention[0], QTextCursor.MoveMode.KeepAnchor)
        before = self._edit.document().characterAt(mention[0] - 1) if mention[0] else "\n"
        cursor.insertText("")
        after = self._edit.document().characterAt(cursor.position())
        if before.isspace() and after == " ":  # keep one of the two spaces around it
            cursor.deleteChar()
        self._edit.setTextCursor(cursor)
        self.chosen.emit(title)
