"""The text of one passage, selectable, with its cited sentences marked."""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QTextEdit, QWidget

from app.ui.markup.pictures import TextPictures
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import RichTextView, in_paragraphs
from app.ui.widgets.building import one_shot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QContextMenuEvent, QResizeEvent

    from app.domain.figures import FileVersion, PlacedPicture
    from app.ui.markup.pictures import PictureLoader
    from app.ui.markup.rich_text import FormulaPictures
    from app.ui.markup.typeset import BlockPlaces
    from app.ui.widgets.theme import Theme

SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
COLLAPSED_LINES = 3
_WHOLE_UP_TO = COLLAPSED_LINES + 1  # hiding a single line saves nothing
_USUAL_WIDTH = 300  # pixels
_TALLEST = 160  # pixels of a picture
_BOX = re.compile("<(?:hr|pre|blockquote|table|tr)")
_MOST_BOXES = 80  # of a passage, with rows; Qt would take longer for more, which only hostile ones have


def clipped(spans: Iterable[tuple[int, int]], first: int, length: int) -> tuple[tuple[int, int], ...]:
    """Return spans in order, relative to ``first`` and clipped to a text of ``length`` from there on."""
    cut = {(max(start - first, 0), min(end - first, length)) for start, end in spans}
    return tuple(sorted(span for span in cut if span[0] < span[1]))


class PassageText(RichTextView):
    """A text, typeset if it is Markdown; never scrolls, since it is always as high as it needs to be."""

    redrawn = Signal()  # all of the text was replaced

    def __init__(
        self, text: str, theme: Theme, parent: QWidget, *, is_markdown: bool, formulas: FormulaPictures | None
    ) -> None:
        super().__init__(theme, parent)
        self.formulas = formulas
        self._text, self._is_markdown = text, is_markdown
        self._pictures: TextPictures | None = None
        self._places: BlockPlaces | None = None
        self._plain = ""
        self._waits = False  # for formulas
        self.setProperty("plain", True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(SELECTABLE)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Qt does not know the widget's width until the widget is shown; without any, each letter is a line.
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(_USUAL_WIDTH)
        self.document().setDocumentMargin(0)
        self._fill()
        if formulas is not None:
            formulas.came_late.connect(self._draw_late)

    def set_theme(self, theme: Theme) -> None:
        if theme != self.theme:
            self.restyle(theme)
            self._draw()

    def show_pictures(self, loader: PictureLoader, file: FileVersion, start: int) -> None:
        """Look for the pictures within the text, which begins at ``start`` of its document, and show them."""

        def show(found: tuple[PlacedPicture, ...]) -> None:
            if found:
                self._pictures = TextPictures(self, _TALLEST)
                self._pictures.show(found, file, loader)
                self._fill()

        loader.find(self, file, self._text, start, show)

    def places(self, span: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the parts of a span in each paragraph and cell; across cells, Qt marks whole ones."""
        from app.ui.markup.typeset import BlockPlaces

        if self._places is None:
            self._places = BlockPlaces(self._text, self.document().toRawText())
        shown = self._places.span(*span)
        return in_paragraphs(self.document(), *shown) if shown else []

    def lines(self) -> list[tuple[float, float, int]]:
        """Return the tops and bottoms of lines, and their end positions; rows of a table count as lines."""
        found: list[tuple[float, float, int]] = []
        block = self.document().begin()
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

    def _fill(self) -> None:
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.markup.typeset import LiteralSource, source_of

        asides = self._pictures.asides() if self._pictures else ()
        source = source_of(self._text, is_markdown=self._is_markdown, is_piece=True, asides=asides)
        while not source.is_split:
            source.split(len(self._text))
        self._plain = "\n".join(map(source.html, range(len(source))))
        if len(_BOX.findall(self._plain)) > _MOST_BOXES:
            self._pictures, source = None, LiteralSource(self._text)
            self._plain = "\n".join(map(source.html, range(len(source))))
        self._draw()

    def _draw_late(self) -> None:
        if self._waits:
            self._draw()

    def _draw(self) -> None:
        self._waits = not self.is_ready(self._plain)
        self._places = None
        aside = self._pictures.to_html if self._pictures else lambda _: ""
        self.show_html(qt_html(self._plain, self.theme, formula=self.formula_html, aside=aside))
        if self._pictures is not None:
            self._pictures.colour = QColor(self.theme.surface_alt)
            self._pictures.finish(0)
        self.redrawn.emit()


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
        self._fit_soon = one_shot(self, 0, self._fit)
        self._theme = theme
        self._spans: tuple[tuple[int, int], ...] = ()
        self._fitted_width = -1
        # Readers do not see the white space around the passage; the spans are shifted by it.
        self._skipped = len(text) - len(text.lstrip())
        self._text = text.strip()
        self.edit = PassageText(self._text, theme, self, is_markdown=is_markdown, formulas=formulas)
        self._is_markdown = is_markdown
        self.edit.redrawn.connect(self._mark_and_fit)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.edit.set_theme(theme)
        self._mark_spans()

    def show_pictures(self, loader: PictureLoader, file: FileVersion, start: int) -> None:
        """Show the pictures within the passage, which begins at ``start`` of its document."""
        if self._is_markdown:
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
        rects = [self.edit.cursorRect(self.edit.between(end, end)) for end in ends]
        return self.edit.y() + rects[0].top(), self.edit.y() + rects[1].bottom()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._fitted_width:
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_soon.start()  # once for all of them, as while the theme changes

    def _mark_and_fit(self) -> None:
        self._mark_spans()
        self._fit()

    def _mark_spans(self) -> None:
        selections = []
        for start, end in (part for span in self._spans for part in self.edit.places(span)):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = self.edit.between(start, end)
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
