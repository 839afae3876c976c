"""The text of one passage, selectable, with its cited sentences marked."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QTextEdit, QWidget

from app.domain.figures import FileVersion
from app.ui.markup.pictures import PictureLoader
from app.ui.markup.rich_text import FormulaPictures
from app.ui.reading.lesson_view import LessonView, clipped
from app.ui.widgets.building import one_shot

COLLAPSED_LINES = 3
_WHOLE_UP_TO = COLLAPSED_LINES + 1  # hiding a single line saves nothing
_USUAL_WIDTH = 300  # pixels
_TALLEST = 160  # pixels of a picture


class PassageText(LessonView):
    """Draws all of a passage, also while it is not shown; never scrolls, since it is as high as it needs."""

    widest = 10_000
    turn = 0.05

    def __init__(
        self, text: str, parent: QWidget, *, is_markdown: bool, formulas: FormulaPictures | None
    ) -> None:
        super().__init__(parent, tallest=_TALLEST)
        self.is_piece = True
        self.setObjectName("passage")
        self.setProperty("plain", True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Qt does not know the widget's width until the widget is shown; without any, each letter is a line.
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(_USUAL_WIDTH)
        self.document().setDocumentMargin(0)
        if formulas is not None:
            self.show_formulas(formulas)
        self.set_text(text, is_markdown=is_markdown)

    def lines(self) -> list[tuple[float, float, int]]:
        """Return the tops and bottoms of lines, and their end positions; rows of a table count as lines."""
        found: list[tuple[float, float, int]] = []
        block = self.document().begin().next()  # behind the empty paragraph at the top
        while block.isValid():
            layout, top = block.layout(), self.document().documentLayout().blockBoundingRect(block).top()
            for line in map(layout.lineAt, range(layout.lineCount())):
                end = block.position() + line.textStart() + line.textLength()
                found.append((top + line.y(), top + line.y() + line.height(), end))
            block = block.next()
        rows: list[tuple[float, float, int]] = []
        for upper, lower, end in sorted(found):
            if rows and upper < rows[-1][1] - 1:
                rows[-1] = (rows[-1][0], max(rows[-1][1], lower), max(rows[-1][2], end))
            else:
                rows.append((upper, lower, end))
        return rows

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the pane."""
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Leave the menu to the card, unless text is selected."""
        if self.textCursor().hasSelection():
            super().contextMenuEvent(event)
        else:
            event.ignore()

    def _is_due(self) -> bool:
        return True

    def _restart(self) -> None:
        super()._restart()
        self._work()


class PassageView(QWidget):
    """A passage, either expanded or collapsed to a few lines from the first cited sentence on."""

    collapsible_changed = Signal(bool)  # whether it has more lines than it shows when collapsed

    def __init__(
        self,
        text: str,
        parent: QWidget | None = None,
        *,
        is_markdown: bool = False,
        formulas: FormulaPictures | None = None,
    ) -> None:
        super().__init__(parent)
        self.expanded = False
        self.collapsible = False
        self._fit_soon = one_shot(self, 0, self._fit)
        self._spans: tuple[tuple[int, int], ...] = ()
        self._fitted_width = -1
        # Readers do not see the white space around the passage; the spans are shifted by it.
        self._skipped = len(text) - len(text.lstrip())
        self._text = text.strip()
        self.edit = PassageText(self._text, self, is_markdown=is_markdown, formulas=formulas)
        self.edit.drawn.connect(self._fit)

    def show_pictures(self, loader: PictureLoader, file: FileVersion, start: int) -> None:
        """Show the pictures within the passage, which begins at ``start`` of its document."""
        if self.edit.is_markdown:
            self.edit.pictures = loader
            self.edit.find_pictures(file, start + self._skipped)

    def set_expanded(self, expanded: bool) -> None:
        self.expanded = expanded
        self._fit()

    def set_highlights(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark character spans of the text given (end exclusive); spans are clipped to it."""
        self._spans = clipped(spans, self._skipped, len(self._text))
        self.edit.set_highlights(self._spans, None)
        self._fit()

    def first_highlight(self) -> tuple[int, int] | None:
        """Return top and bottom of the first highlight in this widget, in pixels."""
        area = self.edit.area(self._spans[0]) if self._spans else None
        return (self.edit.y() + area.top(), self.edit.y() + area.bottom()) if area is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._fitted_width:
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_soon.start()  # once for all of them, as while the theme changes

    def _fit(self) -> None:
        """Lay out the text for the current width and adopt the height of its visible part."""
        self._fitted_width = self.width()
        self.edit.setLineWrapColumnOrWidth(self.width())
        whole = ceil(self.edit.document().size().height())
        lines = self.edit.lines()
        collapsible = len(lines) > _WHOLE_UP_TO
        top, height = 0, whole
        if collapsible and not self.expanded:
            parts = self.edit.shown_parts(*self._spans[0]) if self._spans else []
            start = parts[0][0] if parts else 0
            first = next((at for at, (_, _, end) in enumerate(lines) if end > start), 0)
            first = min(first, len(lines) - COLLAPSED_LINES)
            top = round(lines[first][0])
            height = ceil(lines[first + COLLAPSED_LINES - 1][1]) - top
        self.edit.setGeometry(0, -top, self.width(), whole)
        self.setFixedHeight(height)
        if collapsible != self.collapsible:
            self.collapsible = collapsible
            self.collapsible_changed.emit(collapsible)
