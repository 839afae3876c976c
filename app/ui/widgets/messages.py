"""The window's language: its catalogues, and the core's messages rendered in it."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QGuiApplication

from app.config.paths import resource_path
from app.domain.messages import TEXTS, Message, Plural, render_with

_ENGLISH = "en"
_NAMES = {_ENGLISH: "English", "de": "Deutsch", "es": "Español"}


def offered_languages() -> dict[str, str]:
    """Return the languages whose catalogues are complete: their codes, and what they call themselves."""
    folder = resource_path("resources/i18n")
    return {code: name for code, name in _NAMES.items() if (folder / f"lectern_{code}.qm").is_file()}


def install_translations(app: QCoreApplication, language: str = "") -> None:
    """Show a language, and numbers and dates as it writes them; by default the system's.

    Args:
        app: shows it from now on; windows that are open keep their texts.
        language: a code such as ``de``; one that is not offered counts as none.
    """
    for before in app.findChildren(QTranslator):
        app.removeTranslator(before)
        before.deleteLater()
    code = language if language in offered_languages() else _system_language()
    own, qts = (
        str(resource_path("resources/i18n")),
        QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath),
    )
    # English is below the others for its plurals; Qt itself speaks it.
    others = [] if code == _ENGLISH else [(f"qtbase_{code}", qts), (f"lectern_{code}", own)]
    for name, folder in ((f"lectern_{_ENGLISH}", own), *others):
        catalogue = QTranslator(app)
        if catalogue.load(name, folder):
            app.installTranslator(catalogue)
    locale = _locale(code)
    QLocale.setDefault(locale)
    QGuiApplication.setLayoutDirection(locale.textDirection())
    render_with(shown)


def _system_language() -> str:
    """Return the first language that the user prefers and Lectern offers, or English."""
    offered, preferred = offered_languages(), QLocale.system().uiLanguages()
    codes = (tag.partition("-")[0] for tag in preferred)
    return next((code for code in codes if code in offered), _ENGLISH)


def _locale(code: str) -> QLocale:
    """Return the locale of a language as it is written where the user lives."""
    system, language = QLocale.system(), QLocale(code).language()
    return system if system.language() == language else QLocale(language, system.territory())


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
