"""A whole lesson of Markdown, typeset; of a long one only what is near, block by block as it is read."""

from __future__ import annotations

import html
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QUrl
from PySide6.QtGui import QColor, QImage, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from app.domain.pages import PageStart
from app.domain.pictures import FileVersion
from app.ui.markup.pictures import TextPictures
from app.ui.markup.qt_html import between_edges, qt_html
from app.ui.markup.rich_text import between, copied_text, finish_formulas, in_paragraphs, insert_paragraphs
from app.ui.markup.typeset import Places
from app.ui.reading.reading_text import ReadingText, set_up
from app.ui.widgets.building import one_shot
from app.ui.widgets.clipboard import new_mime_data
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QMimeData

    from app.domain.pictures import PlacedPicture
    from app.domain.sources import LessonText
    from app.ui.markup.pictures import PictureLoader
    from app.ui.markup.rich_text import FormulaPictures
    from app.ui.markup.typeset import TypesetSource
    from app.ui.widgets.text_search import Span
    from app.ui.widgets.theme import Theme

_MOST = 40_000  # characters that are drawn at once; Qt lays out all of them when the width changes
_TALLEST = 480  # pixels of a picture
_PATIENCE_MS = 300
_NEAR = 2  # heights of the view that are drawn above and below it
_SPLIT_AT_ONCE = 8_000  # characters
_TURN = 0.012  # seconds of work in a turn of the event loop


class TypesetLesson(ReadingText, QTextEdit):
    """Shows a text in Markdown, read-only and selectable; positions are those of the text given."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, readOnly=True, undoRedoEnabled=False)
        self.formulas: FormulaPictures | None = None
        self.pictures: PictureLoader | None = None
        self._source: TypesetSource | None = None
        self._first = 0  # block that is drawn; each of those drawn stands behind its place in the document
        self._drawn: list[int] = []
        self._late: set[int] = set()  # blocks drawn without the pictures of their formulas
        self._again: set[int] = set()  # those of them to be drawn again
        self._places: dict[int, Places] = {}  # of the text of blocks, as they are drawn
        self._lesson: LessonText | None = None
        self._slides: tuple[PageStart, ...] = ()
        self._shown = TextPictures(self, _TALLEST)
        self._shown.colour = QColor(theme.surface_alt)
        set_up(self)
        self._share(theme, self._work)
        self._target = 0
        self._patience = one_shot(self, _PATIENCE_MS, self._work)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._arrange_soon.start())

    def set_theme(self, theme: Theme) -> None:
        if theme != self._theme:
            self._theme = theme
            self._shown.colour = QColor(theme.surface_alt)
            self._target = self._top_position() if self._target is None else self._target
            self._restart()

    def show_formulas(self, formulas: FormulaPictures) -> None:
        """Draw formulas from now on."""
        self.formulas = formulas
        formulas.came_late.connect(self._draw_late)

    def set_text(self, text: str) -> None:
        """Show a text from its beginning, with nothing marked, and without pictures."""
        self._spans, self._current, self._found, self._target = (), None, (), 0
        self._lesson, self._text, self._slides = None, text, ()
        self._shown.show((), None, None)
        self._patience.stop()
        self._begin()

    def set_lesson(self, lesson: LessonText) -> None:
        """Show a lesson from its beginning, with its pictures, and each of its slides as one.

        Nothing is drawn for a moment, so that pictures found meanwhile need not move what is.
        """
        self.set_text(lesson.text)
        self._lesson = lesson
        near = (PageStart(one.start - lesson.start, one.number) for one in lesson.slides)
        self._slides = tuple(one for one in near if 0 <= one.start < len(lesson.text))
        if self.pictures is not None and lesson.is_whole and lesson.file_exists:
            self._patience.start()
            file = FileVersion(lesson.path, lesson.source.document_sha256)
            found = partial(self._show_pictures, lesson, file)
            self.pictures.find(self, file, lesson.text, lesson.start, found)
        self._begin()

    def in_sight(self) -> Span:
        source, last = self._source, len(self._drawn) - 1
        if source is None or last < 0:
            return 0, 0
        area = self.viewport().rect()
        ends = (self.cursorForPosition(corner).position() for corner in (area.topLeft(), area.bottomRight()))
        first, end = (max(sum(place <= one for place in self._drawn) - 1, 0) for one in ends)
        return source.span(self._first + first)[0], source.span(self._first + end)[1]

    # ---- events ----

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load pictures of formulas and nothing else; returning None would not stop Qt."""
        address = name.toString() if isinstance(name, QUrl) else name
        return self.formulas.image(address) if self.formulas else QImage()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text: a theme's colours are of no use elsewhere."""
        mime = new_mime_data()
        mime.setText(copied_text(self.textCursor()))
        return mime

    # ---- drawing ----

    def _show_pictures(
        self, lesson: LessonText, file: FileVersion, pictures: Sequence[PlacedPicture]
    ) -> None:
        """Show pictures in their places; what is at the top of the view stays there."""
        if lesson is not self._lesson:
            return
        self._patience.stop()
        if pictures:
            self._shown.show(pictures, file, self.pictures)
            self._target = self._top_position() if self._target is None else self._target
            self._begin()
        self._arrange_soon.start()

    def _begin(self) -> None:
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.markup.typeset import TypesetSource

        asides = self._shown.asides(self._slides)
        self._source = TypesetSource(self._text, is_piece=False, asides=asides) if self._text else None
        self._restart()

    def _restart(self) -> None:
        """Draw everything again, from the target on."""
        self.clear()
        self.document().setDefaultStyleSheet(self._theme.document_css())
        self.document().setIndentWidth(scaled(24))
        cursor = QTextCursor(self.document())  # of the empty paragraph at the top
        small, low = QTextCharFormat(), QTextBlockFormat()
        small.setProperty(QTextCharFormat.Property.FontPixelSize, 1)
        low.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.setBlockFormat(low)
        cursor.setBlockCharFormat(small)
        self._drawn, self._late, self._again, self._places = [], set(), set(), {}
        self._arrange_soon.start()

    def _work(self) -> None:
        """Do what fits into a turn: split the text, then draw what is near, the target first."""
        source, until = self._source, time.monotonic() + _TURN
        if source is None or not self.isVisible() or self._patience.isActive():
            return
        goes_on = True
        while goes_on and time.monotonic() < until:
            if not source.is_split:
                source.split(_SPLIT_AT_ONCE)
            elif len(source):
                goes_on = self._draw_next(source)
            else:
                return
        self._scroll()
        if goes_on:
            self._arrange_soon.start()

    def _draw_next(self, source: TypesetSource) -> bool:
        """Draw or remove one block; return whether there may be more to do."""
        last = self._first + len(self._drawn)
        if self._target is not None:
            wanted = source.block_at(self._target)
            if not self._first <= wanted < last:
                if self._drawn:
                    self._restart()
                self._first = wanted
                return self._draw(source, wanted)
        if self._again:
            return self._draw_again(source, self._again.pop())
        bar, near = self.verticalScrollBar(), _NEAR * self.viewport().height()
        is_short = len(self._text) <= _MOST
        if last < len(source) and (is_short or bar.maximum() - bar.value() < near):
            return self._draw(source, last)
        if self._first > 0 and (is_short or bar.value() < near):
            return self._draw(source, self._first - 1)
        return self._drop_far(source, near)

    def _draw(self, source: TypesetSource, at: int) -> bool:
        """Draw a block below those drawn, or above them."""
        place = self.document().characterCount() - 1 if at >= self._first else 0
        with self._held():
            end = self._insert(source, at, place)
        if at >= self._first:
            self._drawn.append(place)
        else:
            self._first -= 1
            self._drawn = [0, *(one + end for one in self._drawn)]
        self._mark_if_in(source, at)
        return True

    def _insert(self, source: TypesetSource, at: int, place: int) -> int:
        """Insert a block behind a place in the document; return where it ends."""
        self._places.pop(at, None)
        plain = source.html(at)
        if self.formulas is not None and not self.formulas.prepare(plain):
            self._late.add(at)
        rich = qt_html(plain, self._theme, formula=self._formula, aside=self._aside)
        end = insert_paragraphs(self.document(), place, rich)
        if "<img " in rich:
            finish_formulas(self.document(), place, end)
            self._shown.finish(place, end)
        return end

    def _aside(self, name: str) -> str:
        if not name.startswith("s"):
            return self._shown.to_html(name)
        words = between_edges(self.tr("Slide {0}").format(name[1:]))
        return f'<span style="color:{self._theme.text_muted}; font-weight:600">{words}</span>'

    def _draw_late(self) -> None:
        """Draw formulas again, as some are ready; those that are not will be reported when they are."""
        self._again = set(self._late)
        self._arrange_soon.start()

    def _draw_again(self, source: TypesetSource, at: int) -> bool:
        plain = source.html(at)
        if self.formulas is not None and not self.formulas.prepare(plain):
            qt_html(plain, self._theme, formula=self._formula)  # asks to be told again
            return True
        self._late.discard(at)
        start, end = self._range(at)
        with self._held():
            between(self.document(), start, end).removeSelectedText()
            longer = self._insert(source, at, start) - end
        index = at - self._first + 1
        self._drawn[index:] = [one + longer for one in self._drawn[index:]]
        self._mark_if_in(source, at)
        return True

    def _drop_far(self, source: TypesetSource, near: int) -> bool:
        """Remove a block far from the view if there are too many; return whether one was removed."""
        last = self._first + len(self._drawn) - 1
        if last <= self._first or source.span(last)[1] - source.span(self._first)[0] <= _MOST:
            return False
        if self._top_of(self._first + 1) < -near:
            at = self._first
        elif self._top_of(last) > self.viewport().height() + near:
            at = last
        else:
            return False
        start, end = self._range(at)
        with self._held():
            between(self.document(), start, end).removeSelectedText()
        self._late.discard(at)
        self._again.discard(at)
        self._places.pop(at, None)
        if at == last:
            self._drawn.pop()
        else:
            self._drawn = [one - end for one in self._drawn[1:]]
            self._first += 1
        return True

    def _top_of(self, at: int) -> int:
        """Return about where a block begins, in pixels from the top of the view."""
        place = self._range(at)[0]
        return self.cursorRect(between(self.document(), place, place)).top()

    def _formula(self, source: str, size: int) -> str:
        return self.formulas.to_html(source, size, self._theme.text) if self.formulas else html.escape(source)

    def _range(self, at: int) -> tuple[int, int]:
        """Return where a drawn block stands in the document."""
        index = at - self._first
        is_last = index == len(self._drawn) - 1
        return self._drawn[index], self.document().characterCount() - 1 if is_last else self._drawn[index + 1]

    # ---- places ----

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep what is at the top of the view there while text changes."""
        bar, top = self.verticalScrollBar(), self.cursorForPosition(QPoint(0, 0))
        before = self.cursorRect(top).top()
        yield
        bar.setValue(bar.value() + self.cursorRect(top).top() - before)

    def _scroll(self) -> None:
        parts = self._shown_parts(self._target, self._target + 1) if self._target is not None else []
        if not parts:
            return
        rect = self.cursorRect(between(self.document(), parts[0][0], parts[0][0]))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + rect.top() - self.viewport().height() // 4)

    def _top_position(self) -> int:
        """Return about which position of the text is at the top of the view."""
        if self._source is None or not self._drawn:
            return 0
        top = self.cursorForPosition(QPoint(0, 0)).position()
        index = sum(place <= top for place in self._drawn) - 1
        return self._source.span(self._first + max(index, 0))[0]

    def _shown_parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return where a span of the text is drawn, in parts; the nearest text for what is not shown."""
        source = self._source
        if source is None or not self._drawn:
            return []
        parts: list[tuple[int, int]] = []
        last = self._first + len(self._drawn) - 1
        for at in range(max(source.block_at(start), self._first), min(source.block_at(end - 1), last) + 1):
            begin, (place, stop) = source.span(at)[0], self._range(at)
            found = self._places_of(source, at).span(start - begin, end - begin)
            if found is not None:
                parts += in_paragraphs(self.document(), place + found[0], place + found[1])
            elif end == start + 1:  # a sign: the beginning of its block will do
                parts.append((min(place + 1, stop), min(place + 1, stop)))
        return parts

    def _places_of(self, source: TypesetSource, at: int) -> Places:
        if at not in self._places:
            raw = self.document().toRawText().encode("utf-16-le", "surrogatepass")
            (begin, close), (place, stop) = source.span(at), self._range(at)
            shown = raw[2 * place : 2 * stop].decode("utf-16-le", "surrogatepass")
            self._places[at] = Places(self._text[begin:close], shown)
        return self._places[at]

    def _mark_if_in(self, source: TypesetSource, at: int) -> None:
        begin, close = source.span(at)
        if self._found or any(start < close and end > begin for start, end in self._spans):
            self._mark_soon.start()

    def _mark(self) -> None:
        def cursors(start: int, end: int) -> list[QTextCursor]:
            found = [between(self.document(), *part) for part in self._shown_parts(start, end)]
            for cursor in found:
                cursor.setKeepPositionOnInsert(True)  # what is drawn behind it is not marked
            return found

        self.setExtraSelections(self._selections(cursors))
