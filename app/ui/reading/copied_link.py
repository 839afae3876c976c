"""What is copied of a source: a link to it, or a quotation with its origin."""

from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from app.domain.links import link_to
from app.domain.sources import OUTLINE, Source

tr = partial(QCoreApplication.translate, "CopiedLink")


def add_copy_link(
    menu: QMenu, source: Source, span: tuple[int, int] | None = None, text: str | None = None
) -> None:
    """Add a command that copies a link to a source or a span of it; an outline stands in no file.

    ``text`` is what stands at the span, where that is more than the passage.
    """
    if source.hit.chunk_index != OUTLINE:
        menu.addAction(tr("Copy link"), lambda: copy(link_to(source, span, text)))


def copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
