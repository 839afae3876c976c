"""One source of an answer as a card, with its figure."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QPushButton, QWidget

from app.domain.documents import becomes_markdown
from app.domain.figures import FigurePicture, FileVersion
from app.domain.links import link_to
from app.domain.plain_text import harmless
from app.domain.sources import OUTLINE, Citation, Source, SourceState
from app.markup.citation_marks import MarkForm, form_of
from app.ui.markup.pictures import PictureLoader
from app.ui.markup.rich_text import FormulaPictures
from app.ui.markup.support_words import is_bare
from app.ui.reading.passage_view import PassageView
from app.ui.widgets.building import Cell, FlowLayout, hbox, link_button, set_look, vbox
from app.ui.widgets.desktop import is_web_link, open_link
from app.ui.widgets.source_labels import course_name, lesson_name, place_name, server_of, state_words
from app.ui.widgets.text_labels import ClampedLabel, IconLabel, plain_label, plain_tool_tip
from app.ui.widgets.theme import Theme, fix

_TALLEST = 300  # pixels
_LARGEST = 1.4  # pixels for a point of its page


class FigureView(QAbstractButton):
    """Draws a figure on white paper, as wide as there is room for."""

    def __init__(self, picture: FigurePicture, parent: QWidget) -> None:
        super().__init__(parent)
        self._pixels = picture.pixels  # which the image does not own
        size = picture.width, picture.height
        self._image = QImage(self._pixels, *size, 4 * picture.width, QImage.Format.Format_RGB32)
        self._scaled = QImage()
        self._ratio = picture.height / picture.width
        self._widest = round((picture.figure.box.right - picture.figure.box.left) * _LARGEST)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        caption = harmless(picture.figure.caption)
        self.setAccessibleName(caption)
        self.setAccessibleDescription(self.tr("Opens page {0}").format(picture.figure.page))
        self.setToolTip(plain_tool_tip(f"{caption}\n{self.accessibleDescription()}"))

    def fit(self, width: int) -> None:
        self.setFixedHeight(min(round(min(width, self._widest) * self._ratio), _TALLEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit(self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = min(self.width(), self._widest, round(self.height() / self._ratio))
        place = QRect((self.width() - width) // 2, 0, width, self.height())
        ratio = self.devicePixelRatioF()
        wanted = place.size() * ratio
        if self._scaled.size() != wanted:
            keep = Qt.AspectRatioMode.IgnoreAspectRatio
            self._scaled = self._image.scaled(wanted, keep, Qt.TransformationMode.SmoothTransformation)
        theme, outline = Theme.current(), QPainterPath()
        outline.addRoundedRect(QRectF(place).adjusted(1, 1, -1, -1), theme.radius, theme.radius)
        painter.setClipPath(outline)
        painter.drawImage(place, self._scaled)
        painter.setClipping(False)
        ringed = self.hasFocus() or self.underMouse()
        painter.setPen(QPen(QColor(theme.accent if ringed else theme.border), 1 + ringed))
        painter.drawPath(outline)


_TITLE_LINES, _PLACE_LINES = 2, 20  # at most; a page behind a long lesson's name must be readable
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -1000, Qt.Key.Key_End: 1000}


class SourceCard(QWidget):
    """A passage with its origin and the sentences of it that are cited."""

    reading_requested = Signal(int)  # the number of the source
    figure_requested = Signal(int, object)  # the number of the source, and the Figure to go to
    step_requested = Signal(int)  # move focus by this many cards

    def __init__(
        self,
        source: Source,
        parent: QWidget | None = None,
        formulas: FormulaPictures | None = None,
        pictures: PictureLoader | None = None,
    ) -> None:
        super().__init__(parent)
        self.source = source
        self.cited = False  # by a verified citation
        self._doubt = ""  # what is wrong with a citation of it
        self._current = False
        self._cited_spans: list[tuple[int, int]] = []
        self.figure: FigureView | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

        # Each part has its parent from the start: made visible without one, it would be a window.
        hit = source.hit
        self._number = plain_label(str(source.n), "", self, wrap=False)
        self._number.setObjectName("source-number")
        self._number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        fix(self._number, height=22)
        self._title = ClampedLabel(course_name(hit), _TITLE_LINES, self)
        self._title.setProperty("role", "strong")
        self._place = ClampedLabel(self._place_text(), _PLACE_LINES, self)
        self._place.setProperty("role", "caption")
        self._place.setVisible(bool(self._place.text()))
        self._warning = QWidget(self)
        self._warning_text = plain_label("", "warning-caption", self)
        self._state = plain_label("", "badge", self, wrap=False)
        self._state.hide()
        is_markdown = becomes_markdown(hit.path)
        self.passage = PassageView(hit.text, self, is_markdown=is_markdown, formulas=formulas)
        if pictures is not None and hit.chunk_index != OUTLINE and not hit.server:
            self.passage.show_pictures(pictures, FileVersion(hit.path, source.document_sha256), hit.start)
        self.passage.edit.setAccessibleName(self.tr("Passage of source {0}").format(source.n))
        self.passage.collapsible_changed.connect(self._show_toggle)
        self._toggle = link_button("", lambda: self.set_expanded(not self.expanded), self)
        fix(self._toggle, icon=14)
        read = partial(self.reading_requested.emit, source.n)
        self._read = link_button(self.tr("Read in lesson"), read, self)
        self._open = self._make_open_button(hit.link) if is_web_link(hit.link) else None
        self._lay_out()
        self._show_toggle()

    @property
    def expanded(self) -> bool:
        return self.passage.expanded

    def set_citations(self, citations: Sequence[Citation]) -> None:
        """Mark the verified sentences; show a warning if a citation does not show what the answer says."""
        verified = [one for one in citations if one.verified]
        self.cited, self._doubt = bool(verified), self._doubt_about(citations)
        self._cited_spans = [span for one in verified if not self._is_whole(span := self._span_of(one))]
        self.passage.set_highlights(self._cited_spans)
        set_look(self._number, "cited", self.cited)
        self._warning_text.setText(self._doubt)
        self._warning.setVisible(bool(self._doubt))
        self._name()

    def _span_of(self, citation: Citation) -> tuple[int, int]:
        start = self.source.hit.start
        return citation.start - start, citation.end - start

    def _is_whole(self, span: tuple[int, int]) -> bool:
        """Whether all of the passage is cited, as answers without a model do: marks would show nothing."""
        text = self.source.hit.text
        return not text[: max(span[0], 0)].strip() and not text[max(span[1], 0) :].strip()

    def set_state(self, state: SourceState) -> None:
        text, tip = state_words(state)
        self._state.setText(text)
        self._state.setToolTip(tip)
        self._state.setVisible(bool(text))
        self._name()

    def set_figure(self, picture: FigurePicture) -> None:
        if self.figure is None:
            self.figure = FigureView(picture, self)
            self.figure.fit(self.passage.width())
            self.figure.clicked.connect(lambda: self.figure_requested.emit(self.source.n, picture.figure))
            self._column.insertWidget(self._column.count() - 1, self.figure)
            self.figure.show()  # now, so that the list can keep its place

    def set_expanded(self, expanded: bool) -> None:
        self.passage.set_expanded(expanded)
        self._show_toggle()

    def set_current(self, current: bool) -> None:
        self._current = current
        self.update()

    def tab_stops(self) -> tuple[QWidget, ...]:
        return (self, self._toggle, *filter(None, (self.figure, self._read, self._open)))

    def first_highlight(self) -> tuple[int, int] | None:
        """Return top and bottom of the first cited sentence in the card, in pixels."""
        span = self.passage.first_highlight()
        return None if span is None else (self.passage.y() + span[0], self.passage.y() + span[1])

    # ---- events ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Read on Enter, expand on Space, copy on Ctrl+C, move on Up, Down, Home and End."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._read.click()
        elif key == Qt.Key.Key_Space:
            if self.passage.collapsible:
                self.set_expanded(not self.expanded)
        elif key in _STEPS:
            self.step_requested.emit(_STEPS[Qt.Key(key)])
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the passage's text, and a link to its first cited sentence, else to all of it."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy text"), self._copy)
        start = self.source.hit.start
        spans = [(first + start, last + start) for first, last in self._cited_spans]
        add_copy_link(menu, self.source, next(iter(spans), None))
        menu.popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), Theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ringed = self._current or self.hasFocus()
        width = 2.0 if self.hasFocus() else 1.0
        painter.setPen(QPen(QColor(theme.accent if ringed else theme.border), width))
        painter.setBrush(QColor(theme.surface))
        inset = width / 2
        frame = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(frame, theme.radius, theme.radius)

    # ---- internals ----

    def _copy(self) -> None:
        copy(self.source.hit.text.strip())

    def _lay_out(self) -> None:
        top, left = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignLeft
        hbox(
            Cell(IconLabel(14, "warning", "warning"), 0, top),
            Cell(self._warning_text, 1),
            spacing=6,
            parent=self._warning,
        )
        names = vbox(self._title, self._place, spacing=2)
        head = hbox(Cell(self._number, 0, top), Cell(names, 1), spacing=8)
        foot = FlowLayout(8, *filter(None, (self._read, self._open)))
        state, toggle = Cell(self._state, 0, left), Cell(self._toggle, 0, left)
        parts = (head, self._warning, state, self.passage, toggle, foot)
        self._column = vbox(*parts, margins=(12, 12, 12, 8), spacing=8, parent=self)

    def _make_open_button(self, link: str | None) -> QPushButton:
        address = (link or "").strip()
        button = link_button(self.tr("Open lesson"), partial(open_link, address), self, leads_out=True)
        button.setToolTip(plain_tool_tip(address))
        return button

    def _name(self) -> None:
        name = self.tr("Source {0}: {1}").format(self.source.n, course_name(self.source.hit))
        cited = self.tr("cited") if self.cited else ""
        parts = (name, self._place.text(), cited, self._state.text(), self._doubt)
        self.setAccessibleName(", ".join(filter(None, parts)))
        self.setAccessibleDescription(self.source.hit.text.strip())

    def _doubt_about(self, citations: Sequence[Citation]) -> str:
        if not all(one.verified or is_bare(one) for one in citations):
            return self.tr("A quotation could not be verified")
        forms = {form_of(one) for one in citations}
        if MarkForm.WRONG in forms:
            return self.tr("A statement that cites this passage was not found in it")
        if MarkForm.DOUBTFUL in forms:
            return self.tr("A quotation from this passage does not show what the answer says")
        return ""

    def _show_toggle(self) -> None:
        self._toggle.setVisible(self.passage.collapsible)
        self._toggle.setText(self.tr("Show less") if self.expanded else self.tr("Show all"))
        icon = "chevron-up" if self.expanded else "chevron-down"
        self._toggle.setIcon(Theme.icon(icon, "accent"))

    def _place_text(self) -> str:
        hit = self.source.hit
        return " · ".join(filter(None, (lesson_name(hit), place_name(hit), server_of(hit))))


tr = partial(QCoreApplication.translate, "CopiedLink")


def add_copy_link(
    menu: QMenu, source: Source, span: tuple[int, int] | None = None, text: str | None = None
) -> None:
    """Add a command that copies a link to a source or a span of it; an outline is in no file.

    ``text`` is what stands at the span, where that is more than the passage.
    """
    if source.hit.chunk_index != OUTLINE:
        menu.addAction(tr("Copy link"), lambda: copy(link_to(source, span, text)))


def copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
