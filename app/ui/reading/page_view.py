"""Pages below each other; only those in sight are drawn, from pictures fetched on demand."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.domain.pages import Box, Mark, PagedFile, PageLink, PagePicture, PageText, Strip
from app.ui.reading.page_model import Caret, FoundPlaces, PageLayout, PagePictures, PageSelection
from app.ui.widgets.building import one_shot
from app.ui.widgets.desktop import is_web_link
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme

_ZOOMS = (0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0)
_STEP = 48  # pixels that an arrow key scrolls
_SETTLE_MS = 80  # without a change of size before pictures are made for it
_DRAG_MS = 40  # between two steps of scrolling while the mouse selects beyond the edge
_NOTHING = PagedFile((), ())
_FOUND, _FOUND_NOW = "#cfe3ff", "#ffb86b"  # behind words that were searched for; paper is white in any theme


class Position(NamedTuple):
    """What stands a quarter below the upper edge: a place on a page, in points."""

    page: int
    y: float


class PageView(QAbstractScrollArea):
    """Shows the pages of a file; ``wanted`` says that ``next_wanted`` may have something to ask for."""

    wanted = Signal()
    page_changed = Signal(int)
    zoom_changed = Signal()
    link_clicked = Signal(object)  # a PageLink

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.zoom: float | None = None  # 1.0 for 100 %; None to fit the width
        self.selection = PageSelection()
        self._pictures = PagePictures()
        self._file = _NOTHING
        self._layout = PageLayout((), 0, None, 1.0)
        self._marks: dict[int, list[tuple[Box, bool]]] = {}
        self._own: dict[int, list[tuple[Box, bool]]] = {}
        self._found = FoundPlaces()
        self._page = 0
        self._mouse = QPointF()
        self._pressed: PageLink | None = None  # followed when the button is released over it
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setMouseTracking(True)
        self._want_soon = one_shot(self, _SETTLE_MS, self.wanted.emit)
        self._drag = QTimer(self, interval=_DRAG_MS)
        self._drag.timeout.connect(self._drag_on)

    # ---- what is shown ----

    def set_file(self, file: PagedFile | None) -> None:
        self._file = file or _NOTHING
        for kept in (self._pictures, self.selection, self._marks, self._own):
            kept.clear()
        self._lay_out(Position(1, 0.0))

    def set_marks(self, marks: Iterable[Mark], current: Iterable[Mark], own: Iterable[Mark]) -> None:
        """Mark cited sentences, the current one of several darker, and the reader's own marks."""
        self._marks, self._own = _by_page(marks, current), _by_page(own, ())
        self.viewport().update()

    def set_found(self, found: FoundPlaces) -> None:
        self._found = found
        self.viewport().update()

    @property
    def page(self) -> int:
        return self._layout.page_at(self.verticalScrollBar().value() + self.viewport().height() / 4)

    @property
    def position(self) -> Position:
        return self._position_in(self.viewport().height())

    def _position_in(self, height: int) -> Position:
        """Return the place a quarter below the upper edge of a view of this height."""
        y = self.verticalScrollBar().value() + height / 4
        page = self._layout.page_at(y)
        return Position(page, (y - self._layout.rect(page).top()) / self._layout.scale(page))

    def show_position(self, position: Position) -> None:
        """Scroll a place to a quarter below the upper edge."""
        if position.page in self._layout.pages:
            spot = self._layout.shown(position.page, Box(0, position.y, 0, position.y))
            self.verticalScrollBar().setValue(round(spot.top() - self.viewport().height() / 4))

    def show_page(self, page: int) -> None:
        """Scroll the upper edge of a page into view."""
        if page in self._layout.pages:
            self.verticalScrollBar().setValue(round(self._layout.rect(page).top()) - 4)

    def show_mark(self, mark: Mark) -> None:
        """Scroll to a line on a page, sideways too if the page is wider than the view."""
        if mark.page not in self._layout.pages:
            return
        self.show_position(Position(mark.page, mark.box.top))
        spot, bar = self._layout.shown(mark.page, mark.box), self.horizontalScrollBar()
        if not bar.value() <= spot.left() <= bar.value() + 0.8 * self.viewport().width():
            bar.setValue(round(spot.left() - self.viewport().width() / 4))

    def set_zoom(self, zoom: float | None) -> None:
        """Set 1.0 for 100 %, or None to fit the width."""
        position = self.position if self._file.sizes else Position(1, 0.0)
        self.zoom = zoom
        self._lay_out(position)

    def step_zoom(self, steps: int) -> None:
        now = self.zoom_shown
        others = [one for one in _ZOOMS if (one > now * 1.01 if steps > 0 else one < now * 0.99)]
        if others:
            self.set_zoom(others[0] if steps > 0 else others[-1])

    @property
    def zoom_shown(self) -> float:
        return self._layout.zoom(self.page) if self._file.sizes else 1.0

    # ---- what is wanted ----

    def has_gap(self) -> bool:
        """Return whether something in sight is not drawn yet."""
        top = self.verticalScrollBar().value()
        seen = self._strips(top, top + self.viewport().height()) if self._file.sizes else ()
        return self.isVisible() and self._pictures.missing(seen) is not None

    def next_wanted(self) -> Strip | int | None:
        """Return the next strip to draw or page to read: what is in sight first, then what is near."""
        if not self._file.sizes or not self.isVisible():
            return None
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        seen = self._layout.pages_between(top, top + height)
        if strip := self._pictures.missing(self._strips(top, top + height)):
            return strip
        if (page := next((one for one in seen if not self.selection.has_text(one)), None)) is not None:
            return page
        return self._pictures.missing(
            (*self._strips(top + height, top + 2 * height), *self._strips(top - height / 2, top))
        )

    def add_picture(self, picture: PagePicture) -> None:
        self._pictures.add(picture)
        self.viewport().update()

    def give_up(self, wanted: Strip | int) -> None:
        """Ask no more for what the file does not give; its place stays white, its page without text."""
        if isinstance(wanted, Strip):
            self._pictures.give_up(wanted)
        else:
            self.selection.add(PageText(wanted, "", ()))

    def add_text(self, text: PageText) -> None:
        self.selection.add(text)
        if not self.selection.is_empty:
            self.viewport().update()

    @property
    def picture_bytes(self) -> int:
        return self._pictures.bytes

    # ---- events ----

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_shown = bool(self._file.sizes) and event.oldSize().width() > 0
        self._lay_out(self._position_in(event.oldSize().height()) if is_shown else None)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()
        if self._file.sizes and self.page != self._page:
            self._page = self.page
            self.page_changed.emit(self._page)
        self.wanted.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.step_zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() == Qt.Key.Key_Home:
            bar.setValue(0)
        elif event.key() == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif event.key() == Qt.Key.Key_Space:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            bar.setValue(bar.value() + (-1 if back else 1) * bar.pageStep())
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        if not self.selection.is_empty:
            QGuiApplication.clipboard().setText(self.selection.text())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        place, self._pressed = self._place(event.position()), self._link(event.position())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and place is not None:
            self.selection.extend(place)
        else:
            self.selection.begin(place)
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if (place := self._place(event.position())) is not None:
            self.selection.select_word(place)
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse = event.position()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self.viewport().setCursor(self._cursor_at(self._mouse))
            return
        self._select_to_mouse()
        if not 0 <= self._mouse.y() < self.viewport().height():
            self._drag.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow a link unless the mouse has selected something on its way."""
        self._drag.stop()
        link, self._pressed = self._pressed, None
        if link is not None and self.selection.is_empty and link == self._link(event.position()):
            self.link_clicked.emit(link)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say where a link leads that the mouse rests on."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        link = self._link(event.pos().toPointF())
        page = self.tr("Page {0}").format(link.page) if link is not None else ""
        tip = plain_tool_tip((link.address or page) if link is not None else "")
        QToolTip.showText(event.globalPos(), tip, self)
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(Theme.current().surface_alt))
        if not self._file.sizes:
            return
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        for page in self._layout.pages_between(top, top + height):
            self._paint_page(painter, page, top, height)

    # ---- internals ----

    def _lay_out(self, position: Position | None) -> None:
        """Arrange the pages for the current width and zoom, and keep a place where it is."""
        size = self.viewport().size()
        self._layout = PageLayout(self._file.sizes, size.width(), self.zoom, self.devicePixelRatioF())
        bar = self.verticalScrollBar()
        bar.setRange(0, max(round(self._layout.height) - size.height(), 0))
        bar.setPageStep(max(size.height() - _STEP, 1))
        bar.setSingleStep(_STEP)
        side = self.horizontalScrollBar()
        side.setRange(0, max(round(self._layout.width) - size.width(), 0))
        side.setPageStep(size.width())
        side.setValue(side.maximum() // 2)
        if position is not None:
            self.show_position(position)
        self.viewport().update()
        self._want_soon.start()
        self.zoom_changed.emit()

    def _strips(self, top: float, bottom: float) -> Iterable[Strip]:
        for page in self._layout.pages_between(top, bottom):
            yield from self._layout.strips(page, top, bottom)

    def _paint_page(self, painter: QPainter, page: int, top: int, height: int) -> None:
        offset = QPointF(-self.horizontalScrollBar().value(), -top)
        rect = self._layout.rect(page).translated(offset)
        painter.fillRect(rect, Qt.GlobalColor.white)
        strips = list(self._layout.strips(page, top, top + height))
        if self._pictures.missing(strips):
            for strip, image in self._pictures.stand_ins(page):
                painter.drawImage(self._layout.strip_rect(strip).translated(offset), image)
        ratio = self._layout.ratio
        painter.save()
        painter.scale(1 / ratio, 1 / ratio)  # pixel by pixel
        for strip in strips:
            if (picture := self._pictures.image(strip)) is not None:
                place = QPoint(round(rect.left() * ratio), round(rect.top() * ratio) + strip.top)
                painter.drawImage(place, picture)
        painter.restore()
        self._paint_marks(painter, page, offset)
        painter.setPen(QPen(QColor(Theme.current().border_strong), 1))
        painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _paint_marks(self, painter: QPainter, page: int, offset: QPointF) -> None:
        paper = Theme.light()
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        marks, own = self._marks.get(page, []), self._own.get(page, [])
        hits = list(self._found.boxes(page))
        layers = (
            ([box for box, _ in own], paper.mark),
            ([box for box, _ in marks], paper.highlight),
            ([box for box, is_current in marks if is_current], paper.highlight),  # twice is darker
            ([box for box, is_current in hits if not is_current], _FOUND),
            ([box for box, is_current in hits if is_current], _FOUND_NOW),
            (self.selection.lines(page), paper.selection),
        )
        for boxes, colour in layers:
            path = QPainterPath()  # lines set tight overlap, and must not be darker where they do
            path.setFillRule(Qt.FillRule.WindingFill)
            for box in boxes:
                path.addRect(self._spot(page, box, offset))
            painter.fillPath(path, QColor(colour))
        for lined, colour in ((marks, paper.highlight_line), (own, paper.mark_line)):
            for spot in (self._spot(page, box, offset) for box, _ in lined):
                painter.fillRect(QRectF(spot.left(), spot.bottom() - 1, spot.width(), 1), QColor(colour))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    def _spot(self, page: int, box: Box, offset: QPointF) -> QRectF:
        return self._layout.shown(page, box).translated(offset)

    def spot(self, page: int, x: float, y: float) -> QPoint:
        offset = QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        return self._spot(page, Box(x, y, x, y), offset).topLeft().toPoint()

    def on_page(self, point: QPointF) -> tuple[int, float, float]:
        """Return the page at a point of the view, 0 without any, and the place on it in points."""
        if not self._file.sizes:
            return 0, 0.0, 0.0
        at = point + QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        page = self._layout.page_at(at.y())
        inside, scale = at - self._layout.rect(page).topLeft(), self._layout.scale(page)
        return page, inside.x() / scale, inside.y() / scale

    def _link(self, point: QPointF) -> PageLink | None:
        page, x, y = self.on_page(point)
        link = self.selection.link_at(page, x, y) if page else None
        leads = link is not None and (link.page in self._layout.pages or is_web_link(link.address))
        return link if leads else None

    def _cursor_at(self, point: QPointF) -> Qt.CursorShape:
        page, x, y = self.on_page(point)
        if self._link(point) is not None:
            return Qt.CursorShape.PointingHandCursor
        is_text = bool(page) and self.selection.is_over_text(page, x, y)
        return Qt.CursorShape.IBeamCursor if is_text else Qt.CursorShape.ArrowCursor

    def _place(self, point: QPointF) -> Caret | None:
        page, x, y = self.on_page(point)
        return self.selection.place(page, x, y) if page else None

    def _select_to_mouse(self) -> None:
        if (place := self._place(self._mouse)) is not None:
            self.selection.extend(place)
            self.viewport().update()

    def _drag_on(self) -> None:
        """Scroll as long as the mouse selects beyond the edge."""
        height = self.viewport().height()
        beyond = self._mouse.y() - (height if self._mouse.y() >= height else 0)
        if 0 <= self._mouse.y() < height:
            self._drag.stop()
            return
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + round(beyond / 2))
        self._select_to_mouse()


def _by_page(marks: Iterable[Mark], current: Iterable[Mark]) -> dict[int, list[tuple[Box, bool]]]:
    chosen = set(current)
    found: dict[int, list[tuple[Box, bool]]] = {}
    for mark in dict.fromkeys((*marks, *chosen)):
        found.setdefault(mark.page, []).append((mark.box, mark in chosen))
    return found
