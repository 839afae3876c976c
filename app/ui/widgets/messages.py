"""Renders the core's messages in the window's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from app.domain.messages import TEXTS, Message, Plural


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
