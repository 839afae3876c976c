"""The window's language: its catalogues, and the core's messages rendered in it."""

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from app.config.paths import resource_path
from app.domain.messages import TEXTS, Message, Plural, render_with


def install_translations(app: QCoreApplication) -> None:
    """Install the English catalogue, for its plurals, and on top of it the system's language."""
    folder = str(resource_path("resources/i18n"))
    english, own = QTranslator(app), QTranslator(app)
    if english.load("lectern_en", folder):
        app.installTranslator(english)
    if QLocale().language() != QLocale.Language.English and own.load(QLocale(), "lectern", "_", folder):
        app.installTranslator(own)
    render_with(shown)


def shown(message: Message) -> str:
    """Return the translated sentence, with numbers as the locale writes them."""
    text = TEXTS[message.id]
    translate = QCoreApplication.translate
    if isinstance(text, Plural):
        n = int(str(message.arguments["n"]))
        translated = translate("messages", text.other, None, n)
        if translated == text.other and n == 1:  # English
            translated = text.one
    else:
        translated = translate("messages", text)
    return translated.format(**{name: _shown(value) for name, value in message.arguments.items()})


def _shown(value: object) -> str:
    if isinstance(value, Message):
        return shown(value)
    return QLocale().toString(value) if isinstance(value, int) else str(value)
