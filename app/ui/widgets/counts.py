"""Numbers and how many there are of something, as the locale writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

if TYPE_CHECKING:
    from app.domain.courses import LibraryCounts


def number_text(value: int) -> str:
    """Return a number such as ``12,345``."""
    return QLocale().toString(value)


def files_text(n: int) -> str:
    """Return ``1 file`` or ``12 files``."""
    return QCoreApplication.translate("Counts", "%Ln file(s)", None, n)


def courses_text(n: int) -> str:
    """Return ``1 course`` or ``4 courses``."""
    return QCoreApplication.translate("Counts", "%Ln course(s)", None, n)


def passages_text(n: int) -> str:
    """Return ``1 passage`` or ``528 passages``."""
    return QCoreApplication.translate("Counts", "%Ln passage(s)", None, n)


def library_text(counts: LibraryCounts) -> str:
    """Return what a library holds, such as ``4 courses · 528 passages``."""
    return f"{courses_text(counts.courses)} · {passages_text(counts.passages)}"
