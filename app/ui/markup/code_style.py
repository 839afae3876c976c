"""Highlighted code in colours that match the themes."""

from __future__ import annotations

import html
from functools import lru_cache
from typing import ClassVar

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.style import Style
from pygments.token import (
    Comment,
    Error,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Token,
    _TokenType,
)
from pygments.util import ClassNotFound

_LONGEST = 20_000  # characters; lexing more takes too long


# On the code background of the light theme and of the dark one; every colour reaches 4.5 : 1.
_COLOURS: dict[_TokenType, tuple[str, str]] = {
    Token: ("", ""),
    Comment: ("italic #756d5f", "italic #968e80"),
    Keyword: ("bold #23695b", "bold #82c7b3"),
    Keyword.Constant: ("#23695b", "#82c7b3"),
    Operator: ("#5c5548", "#b9b1a3"),
    Operator.Word: ("bold #23695b", "bold #82c7b3"),
    Punctuation: ("#5c5548", "#b9b1a3"),
    Name.Builtin: ("#2f5f8a", "#8fb8e0"),
    Name.Function: ("#2f5f8a", "#8fb8e0"),
    Name.Class: ("bold #2f5f8a", "bold #8fb8e0"),
    Name.Decorator: ("#865803", "#e5b967"),
    Name.Tag: ("#23695b", "#82c7b3"),
    Name.Attribute: ("#865803", "#e5b967"),
    Number: ("#9a4a1f", "#e39b72"),
    String: ("#7d4b8c", "#cfa3dd"),
    String.Escape: ("#9a4a1f", "#e39b72"),
    Generic.Deleted: ("#a4342b", "#f09a8f"),
    Generic.Inserted: ("#2f6b35", "#93cb95"),
    Generic.Heading: ("bold", "bold"),
    Error: ("", ""),
}


class _LightStyle(Style):
    styles: ClassVar[dict[_TokenType, str]] = {token: light for token, (light, _) in _COLOURS.items()}


class _DarkStyle(Style):
    styles: ClassVar[dict[_TokenType, str]] = {token: dark for token, (_, dark) in _COLOURS.items()}


@lru_cache(maxsize=2)
def _formatter(dark: bool) -> HtmlFormatter[str]:
    return HtmlFormatter(style=_DarkStyle if dark else _LightStyle, noclasses=True, nowrap=True)


def highlighted(code: str, language: str, *, dark: bool) -> str:
    """Return ``code`` as HTML with inline colours, or only escaped if the language is unknown."""
    if not language or len(code) > _LONGEST:
        return html.escape(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return html.escape(code)
    return highlight(code, lexer, _formatter(dark))
