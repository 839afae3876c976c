"""The view that all rich text is shown in, and the pictures of formulas."""

import html
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QMimeData, QObject, QPoint, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QImage,
    QPainter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from app.domain.figures import Formula, SetFormula
from app.markup.formulas import formulas_in
from app.ui.markup.qt_html import ASIDE
from app.ui.widgets.desktop import new_mime_data
from app.ui.widgets.theme import Theme, scaled
from app.workers.job import Job, Lane
from app.workers.workers import Workers

_IN_HTML = re.compile(r'<span class="formula">([^<]*+)</span>')
_ADDRESS = re.compile(r"formula:(\d+)/(\d+)/([0-9a-f]{6})", re.ASCII)
_NO_WIDTH = 1  # height in pixels of the letters behind a picture
_TOP = QTextCharFormat.VerticalAlignment.AlignTop
EM = 1.12
"""Heights of the text around a formula: the letters of its font are smaller than those of most others."""
_MOST = 5_000  # formulas kept; each takes about 8 kB
_WIDE = 300  # pixels that a column of text always has


class FormulaPictures(QObject):
    """The pictures of formulas, set in the background when they are first asked for.

    Signals:
        came_late: formulas have been set that were drawn as their sources before.
    """

    came_late = Signal()

    def __init__(self, workers: Workers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workers = workers
        self._numbers: dict[Formula, int] = {}  # of those that were tried, oldest first
        self._next = 0
        self._pictures: dict[int, SetFormula] = {}
        self._awaited: set[Formula] = set()
        self._is_late = False

    def prepare(self, plain: str) -> bool:
        """Start typesetting the formulas in plain HTML; return whether all of them can be drawn."""
        sources = map(html.unescape, _IN_HTML.findall(plain))
        missing = {formula for source in sources for formula in _formula_of(source)} - self._numbers.keys()
        if new := missing - self._awaited:
            self._awaited |= new
            finish = partial(self._finish, new)
            setting: Job[None] = self._workers.job(
                Lane.READ,
                "Setting formulas",
                lambda rag, job: ((one, rag.formulas.set(one, job.token)) for one in sorted(new)),
                key="formulas",
            )
            setting.run(self, event=self._take, finished=finish)
        return not missing

    def to_html(self, source: str, size: int, colour: str) -> str:
        """Return rich text for a formula with its signs, or the source itself if there is no picture.

        ``size`` is the height of the text in device-independent pixels.
        """
        formula = next(iter(_formula_of(source)), None)
        self._is_late = self._is_late or formula in self._awaited
        number = self._numbers.get(formula, -1) if formula else -1
        picture = self._pictures.get(number)
        if picture is None:
            return html.escape(source)
        place = _Place.of(picture, size)
        # With a height, Qt would keep that where it makes a wide picture narrower.
        height = f'height="{place.height}"' if place.width < _WIDE else ""
        return (
            f'<img src="formula:{number}/{size}/{colour.removeprefix("#")}" width="{place.width}" {height} '
            f'style="vertical-align:{place.align}; max-width:100%">'
            f'<span style="font-size:{_NO_WIDTH}px; color:rgba(0,0,0,0)">{html.escape(source)}</span>'
        )

    def image(self, name: str) -> QImage:
        """Return the picture that an address of :meth:`to_html` names; empty for other addresses."""
        match = _ADDRESS.fullmatch(name)
        picture = self._pictures.get(int(match.group(1))) if match else None
        if match is None or picture is None:
            return QImage()
        return _drawn(picture, int(match.group(2)), QColor(f"#{match.group(3)}"))

    def _take(self, event: tuple[Formula, SetFormula | None]) -> None:
        formula, picture = event
        self._awaited.discard(formula)
        number = self._numbers.setdefault(formula, self._next)
        self._next += 1
        if picture is not None:
            self._pictures[number] = picture
        if len(self._numbers) > _MOST:
            self._pictures.pop(self._numbers.pop(next(iter(self._numbers))), None)

    def _finish(self, formulas: set[Formula]) -> None:
        for formula in formulas & self._awaited:  # the work was cancelled, or failed
            self._take((formula, None))
        if self._is_late:
            self._is_late = False
            self.came_late.emit()


class _Place(NamedTuple):
    """The place of a formula in its picture, aligned with the baseline; in device-independent pixels.

    Qt lets pictures stand only as deep as letters reach (``top``, which :func:`finished_look` replaces), or
    with their middle at half the height of an "x" (``middle``); they are padded to fit.
    """

    width: int
    height: int
    top: float
    align: str

    @classmethod
    def of(cls, picture: SetFormula, size: int) -> "_Place":
        font = QFont(QGuiApplication.font())
        font.setPixelSize(size)
        letters = QFontMetrics(font)
        em = EM * size
        ascent, descent = em * picture.ascent, em * picture.descent
        align, depth, height = "top", float(letters.descent()), math.ceil(ascent + letters.descent())
        if descent > depth:
            middle = letters.xHeight() / 2
            align, height = "middle", math.ceil(max(2 * descent + middle, 2 * ascent - middle))
            depth = (height - middle) / 2
        return cls(max(1, math.ceil(em * picture.width)), max(1, height), height - depth - ascent, align)


def finished_look(look: QTextCharFormat) -> QTextCharFormat | None:
    """Return what HTML cannot say of a picture, or of the source behind it; None for other text."""
    more = QTextCharFormat()
    if look.isImageFormat() and look.verticalAlignment() == _TOP:
        more.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    elif look.intProperty(QTextFormat.Property.FontPixelSize) == _NO_WIDTH:
        more.setFontLetterSpacingType(QFont.SpacingType.PercentageSpacing)
        more.setFontLetterSpacing(1)  # percent; none would mean all
    else:
        return None
    return more


def _formula_of(source: str) -> list[Formula]:
    return [found.formula for found in formulas_in(source)[:1]]


def _drawn(picture: SetFormula, size: int, colour: QColor) -> QImage:
    place = _Place.of(picture, size)
    scale = max(screen.devicePixelRatio() for screen in QGuiApplication.screens())
    pixels = QSize(math.ceil(place.width * scale), math.ceil(place.height * scale))
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    em = EM * size
    area = QRectF(0, place.top, em * picture.width, em * (picture.ascent + picture.descent))
    QSvgRenderer(QByteArray(picture.svg.encode())).render(painter, area)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(0, 0, place.width + 1, place.height + 1, colour)
    painter.end()
    return image


_NOT_COPIED = re.compile(
    f"{ASIDE.pattern}|[\u200b\u2060\ufffc]"
)  # also the pictures, whose sources follow them


def looks(document: QTextDocument, start: int, end: int) -> list[tuple[int, int, QTextCharFormat]]:
    """Return start, end and format of each piece of text in the paragraphs between two positions."""
    found: list[tuple[int, int, QTextCharFormat]] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        part = block.begin()
        while not part.atEnd():
            piece = part.fragment()
            found.append((piece.position(), piece.position() + piece.length(), piece.charFormat()))
            part += 1
        block = block.next()
    return found


def between(document: QTextDocument, start: int, end: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def in_paragraphs(document: QTextDocument, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a span in each paragraph and cell that is not blank.

    Qt would mark whole cells of a selection across some, and a sliver of a blank line.
    """
    parts: list[tuple[int, int]] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        part = (max(block.position(), start), min(block.position() + block.length() - 1, end))
        if part[0] < part[1] and block.text().strip(" \t\xa0\u200b"):
            parts.append(part)
        block = block.next()
    return parts


def copied_text(selection: QTextCursor) -> str:
    """Return what is selected as plain text, with the sources of its formulas and without pictures."""
    return _NOT_COPIED.sub("", selection.selection().toPlainText()).removeprefix("\n")


class RichTextView(QTextBrowser):
    """Shows rich text with formulas; loads nothing else, and copies plain text without colours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, openLinks=False)
        self.formulas: FormulaPictures | None = None
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.restyle(Theme.current())

    @property
    def end_position(self) -> int:
        return self.document().characterCount() - 1

    def set_theme(self, theme: Theme) -> None:
        self.restyle(theme)

    def restyle(self, theme: Theme) -> None:
        """Adopt a theme; what is shown has to be drawn again."""
        self.theme = theme
        self.document().setDefaultStyleSheet(theme.document_css())
        self.document().setIndentWidth(scaled(30))

    def empty(self) -> None:
        """Leave a paragraph of no height, behind whose end paragraphs can be inserted."""
        self.clear()
        self.lower_top()

    def lower_top(self) -> None:
        """Let the empty paragraph at the top have no height."""
        cursor, low, small = QTextCursor(self.document()), QTextBlockFormat(), QTextCharFormat()
        low.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        small.setProperty(QTextCharFormat.Property.FontPixelSize, 1)
        cursor.setBlockFormat(low)
        cursor.setBlockCharFormat(small)

    def between(self, start: int, end: int) -> QTextCursor:
        return between(self.document(), start, end)

    def insert(self, position: int, html: str) -> int:
        """Insert HTML behind the paragraph that ends at a position; return where it ends.

        The first paragraph of a fragment loses its format to the paragraph it is inserted into, so it is
        preceded by a paragraph of one character, which is then removed.
        """
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setPosition(position)
        cursor.insertHtml(f"<p>&#8203;</p>{html}")
        end = cursor.position()
        cursor.setPosition(position)
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.endEditBlock()
        if "formula:" in html:
            self.finish_formulas(position, end - 1)
        return end - 1

    def show_html(self, html: str) -> None:
        self.setHtml(html)
        self.finish_formulas(0, self.end_position)

    def finish_formulas(self, start: int, end: int) -> None:
        """Give formulas between two positions what HTML cannot say of them."""
        for first, last, look in looks(self.document(), start, end):
            if more := finished_look(look):
                self.between(first, last).mergeCharFormat(more)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep what is at the top of the view there while text changes."""
        bar, top = self.verticalScrollBar(), self.cursorForPosition(QPoint(0, 0))
        before = self.cursorRect(top).top()
        yield
        bar.setValue(bar.value() + self.cursorRect(top).top() - before)

    def is_ready(self, plain: str) -> bool:
        """Return whether the formulas in plain HTML can be drawn; start typesetting those that cannot."""
        return self.formulas is None or self.formulas.prepare(plain)

    def formula_html(self, source: str, size: int) -> str:
        return self.formulas.to_html(source, size, self.theme.text) if self.formulas else html.escape(source)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load pictures of formulas, nothing from network or disk; returning None would not stop Qt."""
        address = name.toString() if isinstance(name, QUrl) else name
        return self.formulas.image(address) if self.formulas else QImage()

    def createMimeDataFromSelection(self) -> QMimeData:
        mime = new_mime_data()
        mime.setText(copied_text(self.textCursor()))
        return mime
