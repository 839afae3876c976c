"""The window's texts in the user's language; English needs a catalogue for its plurals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QTranslator

from app.config.paths import resource_path

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication


def install_translations(app: QCoreApplication) -> None:
    """Install the English catalogue and, on top of it, the one of the system's language."""
    folder = str(resource_path("resources/i18n"))
    english, own = QTranslator(app), QTranslator(app)
    if english.load("lectern_en", folder):
        app.installTranslator(english)
    if QLocale().language() != QLocale.Language.English and own.load(QLocale(), "lectern", "_", folder):
        app.installTranslator(own)
