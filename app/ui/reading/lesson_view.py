"""A lesson's text, typeset or literal; long texts are drawn block by block around what is in sight."""

from __future__ import annotations

import time
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
)
from PySide6.QtWidgets import QTextEdit, QToolTip, QWidget

from app.domain.documents import becomes_markdown
from app.domain.figures import FileVersion, PlacedPicture
from app.domain.pages import PageStart
from app.domain.plain_text import shorten
from app.ui.markup.pictures import PictureLoader, TextPictures
from app.ui.markup.qt_html import between_edges, qt_html
from app.ui.markup.rich_text import FormulaPictures, RichTextView, in_paragraphs
from app.ui.widgets.building import one_shot
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.sources import LessonText
    from app.ui.markup.typeset import BlockPlaces, LiteralSource, TypesetSource
    from app.ui.widgets.search_fields import Span

_MOST = 40_000  # characters that are drawn at once; Qt lays out all of them when the width changes
_TALLEST = 480  # pixels of a picture
_PATIENCE_MS = 300
_NEAR = 2  # heights of the view that are drawn above and below it
_SPLIT_AT_ONCE = 8_000  # characters
_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
_MARGIN = 16
_LONGEST_TIP = 600  # characters


def clipped(spans: Iterable[Span], first: int, length: int) -> tuple[Span, ...]:
    """Return spans in order, relative to ``first`` and clipped to a text of ``length`` from there on."""
    cut = {(max(start - first, 0), min(end - first, length)) for start, end in spans}
    return tuple(sorted(span for span in cut if span[0] < span[1]))


class LessonView(RichTextView):
    """Shows a text block by block, only the nearby part of a long one; positions are those of the given text.

    Stays at a place until the reader scrolls; marks cited sentences, what is being said of a recording, and
    found words that are in sight.
    """

    widest = 680 + 2 * _MARGIN  # pixels of a line at most, and its margins
    turn = 0.012  # seconds of work in a turn of the event loop
    clicked = Signal(int)  # on the character at this position
    drawn = Signal()  # more of the text, or some of it anew

    def __init__(self, parent: QWidget | None = None, *, tallest: int = _TALLEST) -> None:
        """``tallest`` is the height of pictures, in pixels."""
        super().__init__(parent)
        self.pictures: PictureLoader | None = None
        self.is_markdown = False
        self.is_piece = False  # of a longer text, and may begin inside its code
        self._text = ""
        self._source: TypesetSource | LiteralSource | None = None
        self._first = 0  # block that is drawn; each of those drawn stands behind its place in the document
        self._drawn: list[int] = []
        self._late: set[int] = set()  # blocks drawn without the pictures of their formulas
        self._again: set[int] = set()  # those of them to be drawn again
        self._places: dict[int, BlockPlaces] = {}  # of the text of blocks, as they are drawn
        self._slides: tuple[PageStart, ...] = ()
        self._spans: tuple[Span, ...] = ()  # cited
        self._current: Span | None = None
        self._found: Sequence[Span] = ()
        self._found_now: Span | None = None
        self._spoken: Span | None = None
        self._own: Sequence[tuple[Span, str]] = ()  # that the reader marked, with notes
        self._unsure: Sequence[Span] = ()  # words of a transcript that may be others
        self._target: int | None = 0  # shown until the reader scrolls
        self._shown = TextPictures(self, tallest)
        self._work_soon = one_shot(self, 0, self._work)
        self._mark_soon = one_shot(self, 0, self._mark)
        self._patience = one_shot(self, _PATIENCE_MS, self._work)
        self.setObjectName("lesson")
        self.setTextInteractionFlags(_SELECTABLE)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.document().setDocumentMargin(_MARGIN)
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._forget_target)
        bar.valueChanged.connect(self._note_scroll)

    # ---- what is shown ----

    def set_theme(self, theme: Theme) -> None:
        if theme != self.theme:
            self.restyle(theme)
            self._target = self._top_position() if self._target is None else self._target
            self._restart()

    def show_formulas(self, formulas: FormulaPictures) -> None:
        self.formulas = formulas
        formulas.came_late.connect(self._draw_late)

    def set_text(self, text: str, *, is_markdown: bool = False) -> None:
        """Show a text from its beginning, with nothing marked, and without pictures."""
        self._spans, self._current, self._found, self._spoken, self._own = (), None, (), None, ()
        self._unsure = ()
        self._text, self._slides, self._target = text, (), 0
        self.is_markdown = is_markdown
        self._shown.show((), None, None)
        self._patience.stop()
        self._begin()

    def set_lesson(self, lesson: LessonText) -> None:
        """Show a lesson from its beginning, with its pictures, and each of its slides as one.

        Nothing is drawn for a moment, so that pictures found meanwhile need not move what is.
        """
        self.set_text(lesson.text, is_markdown=becomes_markdown(lesson.source.hit.path))
        near = (PageStart(one.start - lesson.start, one.number) for one in lesson.slides)
        self._slides = tuple(one for one in near if 0 <= one.start < len(lesson.text))
        if self.pictures is not None and self.is_markdown and lesson.is_whole and lesson.file_exists:
            self._patience.start()
            self.find_pictures(FileVersion(lesson.path, lesson.source.document_sha256), lesson.start)
        self._begin()

    def find_pictures(self, file: FileVersion, start: int) -> None:
        """Look for the pictures within the text, which begins at ``start`` of its document, and show them."""
        if self.pictures is not None:
            found = partial(self._show_pictures, self._text, file)
            self.pictures.find(self, file, self._text, start, found)

    def set_highlights(self, spans: Sequence[Span], current: Span | None) -> None:
        """Mark cited sentences, clipped to the text; of several, underline the current one."""
        self._spans, self._current = clipped(spans, 0, len(self._text)), current
        self._mark()

    def set_own(self, own: Sequence[tuple[Span, str]]) -> None:
        """Mark what the reader marked, given in order, each with its note, which the mouse shows."""
        self._own = own
        self.setAccessibleDescription(self.tr("%Ln mark(s) of yours", None, len(own)) if own else "")
        self._mark()

    def set_unsure(self, unsure: Sequence[Span]) -> None:
        """Mark words that may be others, given in order."""
        self._unsure = clipped(unsure, 0, len(self._text))
        self._mark()

    def set_found(self, found: Sequence[Span], current: Span | None) -> None:
        """Mark words that were searched for, given in order."""
        self._found, self._found_now = found, current
        self._mark()

    def set_spoken(self, span: Span | None, *, go_there: bool = False) -> None:
        """Mark what is being said; keep it in sight unless the reader has scrolled away from it."""
        before, self._spoken = self._spoken, span if span and span[0] < span[1] else None
        if self._spoken == before:
            return
        follows = before is not None and self._is_in_sight(before)
        self._mark()
        if self._spoken is not None and (follows or go_there):
            area, height = self.area(self._spoken), self.viewport().height()
            if area is None or area.top() < 0 or area.bottom() > height * 3 // 4:
                self.show_position(self._spoken[0])

    def show_position(self, position: int) -> None:
        """Scroll ``position`` into the upper part of the view."""
        self._target = min(max(position, 0), len(self._text))
        self._work()

    def in_sight(self) -> Span:
        """Return about which part of the text is seen."""
        source = self._source
        if source is None or not self._drawn:
            return 0, 0
        area = self.viewport().rect()
        ends = (self.cursorForPosition(corner).position() for corner in (area.topLeft(), area.bottomRight()))
        first, last = map(self._block_of, ends)
        return source.span(first)[0], source.span(last)[1]

    def position_under(self, place: QPoint) -> int:
        """Return which position of the text is shown at a point of the viewport."""
        source = self._source
        at = self.cursorForPosition(place).position()
        return self._position_at(source, at) if source is not None and self._drawn else 0

    @property
    def spoken(self) -> Span | None:
        """What is being said of a recording, while it plays."""
        return self._spoken

    @property
    def selected(self) -> Span | None:
        cursor, source = self.textCursor(), self._source
        text = cursor.selectedText()
        if source is None or not self._drawn or not text.strip():
            return None
        start = cursor.selectionStart() + len(text) - len(text.lstrip())
        end = cursor.selectionEnd() - len(text) + len(text.rstrip())
        return self._position_at(source, start), self._position_at(source, end - 1) + 1

    # ---- events ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the ends of the whole text; any other key may scroll."""
        self._forget_target()
        if event.matches(QKeySequence.StandardKey.MoveToStartOfDocument):
            self.show_position(0)
        elif event.matches(QKeySequence.StandardKey.MoveToEndOfDocument):
            self.show_position(len(self._text))
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        is_click = self._drawn and not self.textCursor().hasSelection()
        if is_click and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(self.position_under(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the note of the mark that the mouse rests on, or that a word may be another."""
        if not isinstance(event, QHelpEvent) or not (self._own or self._unsure):
            return super().viewportEvent(event)
        at = self.position_under(event.pos())
        notes = [note for (start, end), note in self._own if start <= at < end and note]
        if any(start <= at < end for start, end in self._unsure):
            notes.append(self.tr("This word was hard to hear; it may be another."))
        tip = shorten("\n".join(notes), _LONGEST_TIP)
        QToolTip.showText(event.globalPos(), plain_tool_tip(tip), self)
        return True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._work_soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep lines short enough to read, and the target in view until the reader scrolls."""
        beside = max((self.width() - scaled(self.widest)) // 2, 0)
        if self.viewportMargins().left() != beside:
            self.setViewportMargins(beside, 0, beside, 0)
        super().resizeEvent(event)
        self._work_soon.start()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the whole text if all is selected, also what is not drawn."""
        mime, cursor = super().createMimeDataFromSelection(), self.textCursor()
        is_all = cursor.selectionEnd() - cursor.selectionStart() >= self.end_position
        if is_all and self._source is not None and len(self._drawn) < len(self._source):
            mime.setText(self._text)
        return mime

    def _note_scroll(self) -> None:
        self._work_soon.start()
        if self._found or self._own or self._unsure:
            self._mark_soon.start()

    def _forget_target(self) -> None:
        self._target = None

    # ---- drawing ----

    def _show_pictures(self, text: str, file: FileVersion, pictures: Sequence[PlacedPicture]) -> None:
        """Show pictures in their places; what is at the top of the view stays there."""
        if text is not self._text:
            return
        self._patience.stop()
        if pictures:
            self._shown.show(pictures, file, self.pictures)
            self._target = self._top_position() if self._target is None else self._target
            self._begin()
        self._work_soon.start()

    def _begin(self) -> None:
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.markup.typeset import source_of

        kind = {"is_markdown": self.is_markdown, "is_piece": self.is_piece}
        asides = self._shown.asides(self._slides)
        self._source = source_of(self._text, **kind, asides=asides) if self._text else None
        self._restart()

    def _restart(self) -> None:
        """Draw everything again, from the target on."""
        self._shown.colour = QColor(self.theme.surface_alt)
        self.empty()
        self._drawn, self._late, self._again, self._places = [], set(), set(), {}
        self._work_soon.start()

    def _work(self) -> None:
        """Do what fits into a turn: split the text, then draw what is near, the target first."""
        source, until = self._source, time.monotonic() + self.turn
        if source is None or not self._is_due():
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
        if self._mark_soon.isActive():
            self._mark_soon.stop()
            self._mark()
        if goes_on:
            self._work_soon.start()
        self.drawn.emit()

    def _is_due(self) -> bool:
        return self.isVisible() and not self._patience.isActive()

    def _draw_next(self, source: TypesetSource | LiteralSource) -> bool:
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

    def _draw(self, source: TypesetSource | LiteralSource, at: int) -> bool:
        """Draw a block below those drawn, or above them."""
        place = self.end_position if at >= self._first else 0
        with self.held():
            end = self._insert(source, at, place)
        if at >= self._first:
            self._drawn.append(place)
        else:
            self._first -= 1
            self._drawn = [0, *(one + end for one in self._drawn)]
        self._mark_if_in(source, at)
        return True

    def _insert(self, source: TypesetSource | LiteralSource, at: int, place: int) -> int:
        """Insert a block behind a place in the document; return where it ends."""
        self._places.pop(at, None)
        plain = source.html(at)
        if not self.is_ready(plain):
            self._late.add(at)
        rich = qt_html(plain, self.theme, formula=self.formula_html, aside=self._aside)
        end = self.insert(place, rich)
        if not place:  # the empty paragraph at the top takes the look of the first one below it
            self.lower_top()
        if "<img " in rich:
            self._shown.finish(place, end)
        return end

    def _aside(self, name: str) -> str:
        if not name.startswith("s"):
            return self._shown.to_html(name)
        words = between_edges(self.tr("Slide {0}").format(name[1:]))
        return f'<span style="color:{self.theme.text_muted}; font-weight:600">{words}</span>'

    def _draw_late(self) -> None:
        """Draw formulas again, as some are ready; those that are not will be reported when they are."""
        self._again = set(self._late)
        self._work_soon.start()

    def _draw_again(self, source: TypesetSource | LiteralSource, at: int) -> bool:
        plain = source.html(at)
        if not self.is_ready(plain):
            qt_html(plain, self.theme, formula=self.formula_html)  # asks to be told again
            return True
        self._late.discard(at)
        start, end = self._range(at)
        with self.held():
            self.between(start, end).removeSelectedText()
            longer = self._insert(source, at, start) - end
        index = at - self._first + 1
        self._drawn[index:] = [one + longer for one in self._drawn[index:]]
        self._mark_if_in(source, at)
        return True

    def _drop_far(self, source: TypesetSource | LiteralSource, near: int) -> bool:
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
        with self.held():
            self.between(start, end).removeSelectedText()
        self._late.discard(at)
        self._again.discard(at)
        self._places.pop(at, None)
        if at == last:
            self._drawn.pop()
        else:
            self._drawn = [one - end for one in self._drawn[1:]]
            self._first += 1
        return True

    # ---- places ----

    def _top_of(self, at: int) -> int:
        """Return about where a block begins, in pixels from the top of the view."""
        place = self._range(at)[0]
        return self.cursorRect(self.between(place, place)).top()

    def _range(self, at: int) -> Span:
        """Return where a drawn block stands in the document."""
        index = at - self._first
        is_last = index == len(self._drawn) - 1
        return self._drawn[index], self.end_position if is_last else self._drawn[index + 1]

    def _block_of(self, place: int) -> int:
        return self._first + max(bisect_left(self._drawn, place) - 1, 0)

    def _position_at(self, source: TypesetSource | LiteralSource, place: int) -> int:
        """Return which position of the text is shown at a place in the document."""
        at = self._block_of(place)
        offset = self._places_of(source, at).source_at(place - self._range(at)[0])
        return source.span(at)[0] + offset

    def _scroll(self) -> None:
        area = self.area((self._target, self._target + 1)) if self._target is not None else None
        if area is not None:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + area.top() - self.viewport().height() // 4 if self._target else 0)

    def _top_position(self) -> int:
        return self.in_sight()[0]

    def area(self, span: Span) -> QRect | None:
        """Return where a span of the text is in the viewport; None if it is not drawn."""
        parts = self.shown_parts(*span)
        if not parts:
            return None
        ends = (self.cursorRect(self.between(one, one)) for one in (parts[0][0], parts[-1][1]))
        first, last = ends
        return QRect(0, first.top(), self.viewport().width(), last.bottom() - first.top() + 1)

    def _is_in_sight(self, span: Span) -> bool:
        area = self.area(span)
        return area is not None and self.viewport().rect().intersects(area)

    def shown_parts(self, start: int, end: int) -> list[Span]:
        """Return where a span of the text is drawn, in parts; the nearest text for what is not shown."""
        source = self._source
        if source is None or not self._drawn:
            return []
        parts: list[Span] = []
        last = self._first + len(self._drawn) - 1
        for at in range(max(source.block_at(start), self._first), min(source.block_at(end - 1), last) + 1):
            begin, (place, stop) = source.span(at)[0], self._range(at)
            found = self._places_of(source, at).span(start - begin, end - begin)
            if found is not None:
                parts += in_paragraphs(self.document(), place + found[0], place + found[1])
            elif end == start + 1:  # a sign: the beginning of its block will do
                parts.append((min(place + 1, stop), min(place + 1, stop)))
        return parts

    def _places_of(self, source: TypesetSource | LiteralSource, at: int) -> BlockPlaces:
        from app.ui.markup.typeset import BlockPlaces

        if at not in self._places:
            raw = self.document().toRawText().encode("utf-16-le", "surrogatepass")
            (begin, close), (place, stop) = source.span(at), self._range(at)
            shown = raw[2 * place : 2 * stop].decode("utf-16-le", "surrogatepass")
            self._places[at] = BlockPlaces(self._text[begin:close], shown)
        return self._places[at]

    # ---- marks ----

    def _mark_if_in(self, source: TypesetSource | LiteralSource, at: int) -> None:
        begin, close = source.span(at)
        marked = (*self._spans, *([self._spoken] if self._spoken else []))
        if (
            self._found
            or self._own
            or self._unsure
            or any(start < close and end > begin for start, end in marked)
        ):
            self._mark_soon.start()

    def _mark(self) -> None:
        """Mark cited sentences, above them what is being said, and above that the found words in sight.

        What the reader marked has its ground below all of these, and its line above them.
        """
        theme, cited = self.theme, self.theme.highlighted()
        others = QTextCharFormat(cited)
        if self._current is not None:  # dots below words of a transcript mean another thing
            line = QTextCharFormat.UnderlineStyle
            others.setUnderlineStyle(line.NoUnderline if self._unsure else line.DotLine)
        first, last = self.in_sight() if self._found or self._own or self._unsure else (0, 0)
        near = (span for span, _ in self._own if span[0] < last and span[1] > first)
        own = [part for span in near for part in self.shown_parts(*span)]
        marks = [self._marked(part, theme.own_ground()) for part in own]
        for span in self._spans:
            marks += self._marks_of(span, cited if span == self._current else others)
        marks += [self._marked(part, theme.own_line()) for part in own]
        if self._spoken is not None:
            marks += self._marks_of(self._spoken, _look(theme.text, theme.accent_soft))
        dotted = QTextCharFormat()
        dotted.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        dotted.setUnderlineColor(QColor(theme.warning))
        begin = max(bisect_left(self._unsure, (first, 0)) - 1, 0)
        for span in self._unsure[begin : bisect_left(self._unsure, (last + 1, 0))]:
            marks += self._marks_of(span, dotted)
        begin = max(bisect_left(self._found, (first, 0)) - 1, 0)
        for span in self._found[begin : bisect_left(self._found, (last + 1, 0))]:
            is_now = span == self._found_now
            look = (theme.accent_text, theme.accent) if is_now else (theme.text, theme.selection)
            marks += self._marks_of(span, _look(*look))
        self.setExtraSelections(marks)

    def _marks_of(self, span: Span, look: QTextCharFormat) -> list[QTextEdit.ExtraSelection]:
        return [self._marked(part, look) for part in self.shown_parts(*span)]

    def _marked(self, part: Span, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.cursor, mark.format = self.between(*part), look
        mark.cursor.setKeepPositionOnInsert(True)  # what is drawn behind it is not marked
        return mark


def _look(colour: str, ground: str) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(QColor(colour))
    look.setBackground(QColor(ground))
    return look
