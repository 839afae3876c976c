"""The text of one passage, selectable, with its cited sentences marked."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QTextEdit, QWidget

from app.ui.markup.rich_text import between
from app.ui.reading.passage_text import PassageText, TypesetText

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QResizeEvent

    from app.domain.pictures import FileVersion
    from app.ui.markup.formula_pictures import FormulaPictures
    from app.ui.markup.pictures import PictureLoader
    from app.ui.widgets.theme import Theme

COLLAPSED_LINES = 3
# Hiding a single line saves nothing.
_WHOLE_UP_TO = COLLAPSED_LINES + 1


def clipped(spans: Iterable[tuple[int, int]], first: int, length: int) -> tuple[tuple[int, int], ...]:
    """Return spans in order, relative to ``first`` and clipped to a text of ``length`` from there on."""
    cut = {(max(start - first, 0), min(end - first, length)) for start, end in spans}
    return tuple(sorted(span for span in cut if span[0] < span[1]))


class PassageView(QWidget):
    """A passage, either expanded or collapsed to a few lines from the first cited sentence on."""

    collapsible_changed = Signal(bool)  # whether it has more lines than it shows when collapsed

    def __init__(
        self,
        text: str,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        is_markdown: bool = False,
        formulas: FormulaPictures | None = None,
    ) -> None:
        super().__init__(parent)
        self.expanded = False
        self.collapsible = False
        self._theme = theme
        self._spans: tuple[tuple[int, int], ...] = ()
        self._fitted_width = -1
        # Readers do not see the white space around the passage; the spans are shifted by it.
        self._skipped = len(text) - len(text.lstrip())
        self._text = text.strip()
        self.edit: PassageText
        if is_markdown:
            self.edit = TypesetText(self._text, theme, formulas, self)
        else:
            self.edit = PassageText(self._text, self)
        self.edit.redrawn.connect(self._mark_and_fit)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.edit.set_theme(theme)
        self._mark_spans()

    def show_pictures(self, loader: PictureLoader, file: FileVersion, start: int) -> None:
        """Show the pictures within the passage, which begins at ``start`` of its document."""
        if isinstance(self.edit, TypesetText):
            self.edit.show_pictures(loader, file, start + self._skipped)

    def set_expanded(self, expanded: bool) -> None:
        self.expanded = expanded
        self._fit()

    def set_highlights(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark character spans of the text given (end exclusive); spans are clipped to it."""
        self._spans = clipped(spans, self._skipped, len(self._text))
        self._mark_and_fit()

    def first_highlight(self) -> tuple[int, int] | None:
        """Return top and bottom of the first highlight in this widget, in pixels."""
        parts = self.edit.places(self._spans[0]) if self._spans else []
        if not parts:
            return None
        ends = (parts[0][0], parts[-1][1])
        rects = [self.edit.cursorRect(between(self.edit.document(), end, end)) for end in ends]
        return self.edit.y() + rects[0].top(), self.edit.y() + rects[1].bottom()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._fitted_width:
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _mark_and_fit(self) -> None:
        self._mark_spans()
        self._fit()

    def _mark_spans(self) -> None:
        selections = []
        for start, end in (part for span in self._spans for part in self.edit.places(span)):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = between(self.edit.document(), start, end)
            selection.format = self._theme.highlighted()
            selections.append(selection)
        self.edit.setExtraSelections(selections)

    def _fit(self) -> None:
        """Lay out the text for the current width and adopt the height of its visible part."""
        self._fitted_width = self.width()
        self.edit.setLineWrapColumnOrWidth(self.width())
        whole = ceil(self.edit.document().size().height())
        lines = self.edit.lines()
        collapsible = len(lines) > _WHOLE_UP_TO
        top, height = 0, whole
        if collapsible and not self.expanded:
            parts = self.edit.places(self._spans[0]) if self._spans else []
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
