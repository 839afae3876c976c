"""The text of one passage, selectable, with its cited sentences marked."""

from __future__ import annotations

import html
import re
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QImage, QTextBlockFormat, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from app.ui.markup.pictures import TextPictures
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import between, copied_text, finish_formulas, in_paragraphs
from app.ui.markup.typeset import Places
from app.ui.widgets.clipboard import new_mime_data
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QContextMenuEvent, QResizeEvent

    from app.domain.pictures import FileVersion, PlacedPicture
    from app.ui.markup.pictures import PictureLoader
    from app.ui.markup.rich_text import FormulaPictures
    from app.ui.widgets.theme import Theme

SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
_LINE_HEIGHT_PERCENT = 135
_USUAL_WIDTH = 300  # pixels
_TALLEST = 160  # pixels of a picture
_BOX = re.compile("<(?:hr|pre|blockquote|table|tr)")
_MOST_BOXES = 80  # of a passage, with rows; Qt would take longer for more, which only hostile ones have
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*+\n)++[^\S\n]*+")


def without_blank_lines(text: str, span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span between blank lines, of each of which Qt would paint a sliver."""
    start, end = span
    while start < end:
        gap = _BLANK_LINES.search(text, start, end)
        piece = text[start : gap.start() if gap else end]
        if piece.strip():
            before, behind = piece[: -len(piece.lstrip())], piece[len(piece.rstrip()) :]
            first = len(before) if "\n" in before else 0
            yield start + first, start + len(piece) - (len(behind) if "\n" in behind else 0)
        start = gap.end() if gap else end


def utf16_offset(text: str, position: int) -> int:
    """Return a character position of ``text`` in UTF-16 code units, which Qt counts."""
    return len(text[: max(position, 0)].encode("utf-16-le", "surrogatepass")) // 2


class PassageText(QTextEdit):
    """The whole text, read-only; never scrolls, since it is always as high as it needs to be."""

    redrawn = Signal()  # all of the text was replaced

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent, readOnly=True, undoRedoEnabled=False)
        self.text = text
        self.setProperty("plain", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(SELECTABLE)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Qt does not know the widget's width until the widget is shown; without any, each letter is a line.
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(_USUAL_WIDTH)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        self._fill()

    def set_theme(self, theme: Theme) -> None:
        """Adopt a theme's colours."""

    def places(self, span: tuple[int, int]) -> list[tuple[int, int]]:
        """Return where a span of the text stands in the document, in parts."""
        parts = without_blank_lines(self.text, span)
        return [(utf16_offset(self.text, start), utf16_offset(self.text, end)) for start, end in parts]

    def lines(self) -> list[tuple[float, float, int]]:
        """Return the laid-out lines: their tops and bottoms in pixels, and their end positions."""
        lines: list[tuple[float, float, int]] = []
        arrangement = self.document().documentLayout()
        block = self.document().begin()
        while block.isValid():
            layout, block_top = block.layout(), arrangement.blockBoundingRect(block).top()
            for line in map(layout.lineAt, range(layout.lineCount())):
                top = block_top + line.y()
                end = block.position() + line.textStart() + line.textLength()
                lines.append((top, top + line.height(), end))
            block = block.next()
        return lines

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the pane."""
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Leave the menu to the card, unless text is selected."""
        if self.textCursor().hasSelection():
            super().contextMenuEvent(event)
        else:
            event.ignore()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing: returning None would not stop Qt from loading."""
        return QImage()

    def _fill(self) -> None:
        self.setPlainText(self.text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(_LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(spaced)


class TypesetText(PassageText):
    """A text in Markdown with its headings, lists, tables, code and formulas set."""

    def __init__(self, text: str, theme: Theme, formulas: FormulaPictures | None, parent: QWidget) -> None:
        self._theme = theme
        self._pictures: TextPictures | None = None
        self._formulas = formulas
        self._places: Places | None = None
        self._plain = ""
        self._waits = False  # for formulas
        super().__init__(text, parent)
        if formulas is not None:
            formulas.came_late.connect(self._draw_late)

    def set_theme(self, theme: Theme) -> None:
        if theme != self._theme:
            self._theme = theme
            self._draw()

    def show_pictures(self, loader: PictureLoader, file: FileVersion, start: int) -> None:
        """Look for the pictures within the text, which begins at ``start`` of its document, and show them."""

        def show(found: tuple[PlacedPicture, ...]) -> None:
            if found:
                self._pictures = TextPictures(self, _TALLEST)
                self._pictures.show(found, file, loader)
                self._fill()

        loader.find(self, file, self.text, start, show)

    def places(self, span: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the parts of a span in each paragraph and cell; across cells, Qt marks whole ones."""
        if self._places is None:
            self._places = Places(self.text, self.document().toRawText())
        shown = self._places.span(*span)
        return in_paragraphs(self.document(), *shown) if shown else []

    def lines(self) -> list[tuple[float, float, int]]:
        """Return the rows of a table as lines, too: as high as their highest cell."""
        rows: list[tuple[float, float, int]] = []
        for top, bottom, end in sorted(super().lines()):
            if rows and top < rows[-1][1] - 1:
                rows[-1] = (rows[-1][0], max(rows[-1][1], bottom), max(rows[-1][2], end))
            else:
                rows.append((top, bottom, end))
        return rows

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load pictures of formulas and nothing else."""
        address = name.toString() if isinstance(name, QUrl) else name
        return self._formulas.image(address) if self._formulas else QImage()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text: a theme's colours are of no use elsewhere."""
        mime = new_mime_data()
        mime.setText(copied_text(self.textCursor()))
        return mime

    def _fill(self) -> None:
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.markup.typeset import TypesetSource

        asides = self._pictures.asides() if self._pictures else ()
        source = TypesetSource(self.text, is_piece=True, asides=asides)
        source.split_all()
        self._plain = "\n".join(map(source.html, range(len(source))))
        if len(_BOX.findall(self._plain)) > _MOST_BOXES:
            self._pictures = None
            self._plain = "<p>" + html.escape(self.text).replace("\n", "<br>") + "</p>"
        self._draw()

    def _draw_late(self) -> None:
        if self._waits:
            self._draw()

    def _draw(self) -> None:
        self._waits = self._formulas is not None and not self._formulas.prepare(self._plain)
        self._places = None
        self.document().setDefaultStyleSheet(self._theme.document_css())
        self.document().setIndentWidth(scaled(20))
        aside = self._pictures.to_html if self._pictures else lambda _: ""
        self.setHtml(qt_html(self._plain, self._theme, formula=self._formula, aside=aside))
        finish_formulas(self.document(), 0)
        if self._pictures is not None:
            self._pictures.colour = QColor(self._theme.surface_alt)
            self._pictures.finish(0)
        self.redrawn.emit()

    def _formula(self, source: str, size: int) -> str:
        if self._formulas is None:
            return html.escape(source)
        return self._formulas.to_html(source, size, self._theme.text)


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
