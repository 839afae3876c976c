"""The pictures of a document in rich text, drawn when they come into sight; room is kept for them."""

from collections import OrderedDict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
    QPalette,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QTextEdit

from app.domain.figures import FileVersion, PlacedPicture
from app.domain.pages import PageStart
from app.ui.markup.qt_html import Aside, between_edges
from app.ui.markup.rich_text import between, looks
from app.workers.job import Lane
from app.workers.workers import Workers

_KEPT_BYTES = 64 * 2**20
_SCHEME = "picture:"
_KIND = QTextFormat.ObjectTypes.UserObject.value + 1
_IN_LINE = 40  # pixels; a higher picture begins a line
_MARGIN = 8  # pixels that are left beside a picture, for a box around it
_HIDDEN = "font-size:1px; color:rgba(0,0,0,0)"  # for screen readers


class PictureLoader(QObject):
    """Draws pictures in the background when they are first asked for; keeps those asked for last.

    Signals:
        came: a picture that was asked for can be drawn, or never will be.
    """

    came = Signal()

    def __init__(self, workers: Workers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workers = workers
        self._images: OrderedDict[tuple[FileVersion, int], QImage] = OrderedDict()
        self._awaited: set[tuple[FileVersion, int]] = set()
        self._failed: set[tuple[FileVersion, int]] = set()

    def find(
        self,
        owner: QObject,
        file: FileVersion,
        text: str,
        start: int,
        found: Callable[[tuple[PlacedPicture, ...]], object],
    ) -> None:
        """Look for the pictures within a text, which begins at ``start`` of its document."""
        self._workers.job(
            Lane.READ,
            "Looking for pictures",
            lambda rag, job: rag.pictures.placed(file, text, start, job.token),
            key="pictures",
        ).run(owner, success=found, failure=lambda _: found(()))

    def image(self, file: FileVersion, n: int, size: QSize) -> QImage | None:
        """Return a picture in about a size, in pixels; None for one that is on its way or cannot be shown."""
        key = (file, n)
        image = self._images.get(key)
        if image is not None:
            self._images.move_to_end(key)
        if (image is None or image.size() != size) and key not in self._awaited | self._failed:
            self._awaited.add(key)
            job = self._workers.job(
                Lane.READ,
                "Drawing a picture",
                lambda rag, job: rag.pictures.pixels(file, n, size.width(), size.height(), job.token),
                key="pictures",
            )
            job.run(
                self,
                success=lambda pixels: self._take(key, size, pixels),
                failure=lambda _: self._take(key, size, b""),
                finished=lambda: self._awaited.discard(key),
            )
        return image

    def has_failed(self, file: FileVersion, n: int) -> bool:
        """Return whether a picture was asked for and cannot be shown."""
        return (file, n) in self._failed

    def _take(self, key: tuple[FileVersion, int], size: QSize, pixels: bytes) -> None:
        if not pixels:
            self._failed.add(key)
            self.came.emit()
            return
        whole = QImage(pixels, size.width(), size.height(), QImage.Format.Format_RGBX8888)
        self._images[key] = whole.convertToFormat(QImage.Format.Format_RGB32)
        while sum(image.sizeInBytes() for image in self._images.values()) > _KEPT_BYTES:
            self._images.popitem(last=False)
        self.came.emit()


class TextPictures(QPyTextObject):
    def __init__(self, view: QTextEdit, tallest: int) -> None:
        """``tallest`` is the height up to which pictures are shown, in device-independent pixels."""
        super().__init__(view)
        self._view, self._tallest = view, tallest
        self._loader: PictureLoader | None = None
        self._file: FileVersion | None = None
        self._pictures: dict[int, PlacedPicture] = {}
        self.colour = QColor()  # of a picture that is on its way
        view.document().documentLayout().registerHandler(_KIND, self)

    def show(
        self, pictures: Sequence[PlacedPicture], file: FileVersion | None, loader: PictureLoader | None
    ) -> None:
        if loader is not None and loader is not self._loader:
            self._loader = loader
            loader.came.connect(self._view.viewport().update)
        self._file, self._pictures = file, {one.n: one for one in pictures}

    def asides(self, slides: Sequence[PageStart] = ()) -> list[Aside]:
        """Return what to insert into the text: its pictures, and the numbers of slides if there are any."""
        starts = {slide.number: slide.start for slide in slides}
        found = [Aside(slide.start, f"s{slide.number}", leads=True) for slide in slides]
        for one in self._pictures.values():
            if slides and one.slide is not None and one.slide not in starts:  # it has no text
                starts[one.slide] = -1
                found.append(Aside(one.position, f"s{one.slide}"))
            start = starts.get(one.slide or 0, -1)
            found.append(Aside(max(one.position, start), f"p{one.n}", leads=one.position < start))
        return sorted(found, key=lambda aside: aside.position)

    def to_html(self, name: str) -> str:
        """Return rich text for a picture, by the name of its aside."""
        picture = self._pictures[int(name[1:])]
        words = picture.alt or self.tr("Picture")
        line = "<br>" if name.startswith("q") and picture.height > _IN_LINE else ""
        return f'{line}<img src="{_SCHEME}{picture.n}"><span style="{_HIDDEN}">{between_edges(words)}</span>'

    def finish(self, start: int, end: int | None = None) -> None:
        """Let pictures between two positions of the document be drawn by this."""
        document = self._view.document()
        for first, last, look in looks(document, start, document.characterCount() if end is None else end):
            if look.isImageFormat() and look.toImageFormat().name().startswith(_SCHEME):
                own = QTextCharFormat()
                own.setObjectType(_KIND)
                between(document, first, last).mergeCharFormat(own)

    # ---- QTextObjectInterface ----

    def intrinsicSize(self, document: QTextDocument, position: int, look: QTextFormat) -> QSizeF:
        picture = self._picture_of(look)
        if picture is None:
            return QSizeF()
        room = _room(document, position) - _MARGIN
        scale = min(1, max(room, 1) / picture.width, self._tallest / picture.height)
        return QSizeF(max(picture.width * scale, 1), max(picture.height * scale, 1))

    def drawObject(
        self,
        painter: QPainter,
        area: QRectF | object,
        _document: QTextDocument,
        _position: int,
        look: QTextFormat,
    ) -> None:
        picture = self._picture_of(look)
        if picture is None or self._file is None or self._loader is None:
            return
        assert isinstance(area, QRectF)
        ratio = self._view.devicePixelRatioF()
        size = QSize(max(round(area.width() * ratio), 1), max(round(area.height() * ratio), 1))
        image = self._loader.image(self._file, picture.n, size)
        if image is None:
            painter.fillRect(area, self.colour)
            if self._loader.has_failed(self._file, picture.n):
                painter.setPen(self._view.palette().color(QPalette.ColorRole.Text))
                centred = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(area, centred, self.tr("This picture cannot be shown."))
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(area, image)

    def _picture_of(self, look: QTextFormat) -> PlacedPicture | None:
        name = look.stringProperty(QTextFormat.Property.ImageName)
        return self._pictures.get(int(name.removeprefix(_SCHEME)))


def _room(document: QTextDocument, position: int) -> float:
    """Return how wide the text is at a position: within a list, or in a table of as wide columns."""
    room = document.textWidth() - 2 * document.documentMargin()
    place = QTextCursor(document.findBlock(position))  # to move one would lay out the text, again
    if (items := place.currentList()) is not None:
        room -= items.format().indent() * document.indentWidth()
    if (table := place.currentTable()) is not None:
        room = room / table.columns() - 2 * table.format().cellPadding()
    return room
