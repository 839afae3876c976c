"""Draws the program's icon in every format: ``python -m resources.packaging.icons DIR``.

Converts ``resources/icons/app.svg`` to ``hicolor/SIZExSIZE/apps/ID.png`` for Linux (with a copy of the
SVG), ``lectern.ico`` for Windows and ``lectern.icns`` for macOS.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

APP_ID = "org.lectern.Lectern"
"""Name of the desktop entry, the metainfo and the icons; ``app.main`` passes it to the desktop."""

SOURCE = Path(__file__).resolve().parents[1] / "icons" / "app.svg"
LINUX_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
WINDOWS_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
MACOS_SIZES = (16, 32, 64, 128, 256, 512, 1024)


def draw(size: int) -> Image.Image:
    """Return the icon, ``size`` pixels wide and high, on a transparent background."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(SOURCE)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    straight = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return Image.frombytes("RGBA", (size, size), bytes(straight.constBits()))


def make_hicolor(folder: Path) -> None:
    """Write the icon theme ``hicolor`` in ``folder``."""
    for size in LINUX_SIZES:
        place = folder / "hicolor" / f"{size}x{size}" / "apps"
        place.mkdir(parents=True, exist_ok=True)
        draw(size).save(place / f"{APP_ID}.png", optimize=True)
    scalable = folder / "hicolor" / "scalable" / "apps"
    scalable.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SOURCE, scalable / f"{APP_ID}.svg")


def make_icons(folder: Path) -> None:
    """Write all formats in ``folder``; each size is drawn, not scaled."""
    make_hicolor(folder)
    _save_all(folder / "lectern.ico", WINDOWS_SIZES)
    _save_all(folder / "lectern.icns", MACOS_SIZES)


def _save_all(path: Path, sizes: tuple[int, ...]) -> None:
    *smaller, largest = (draw(size) for size in sizes)
    # Pillow uses the image of the right size from append_images; otherwise it would scale the first one.
    largest.save(path, sizes=[(size, size) for size in sizes], append_images=smaller)


if __name__ == "__main__":
    make_icons(Path(sys.argv[1]))
