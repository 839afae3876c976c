"""Colours for highlighted code that go with the program's own."""

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

# Lexing is linear but not free: code beyond this many characters is shown in one colour.
_LONGEST = 20_000


class _LightStyle(Style):
    """On the light theme's code background; every colour reaches 4.5 : 1."""

    styles: ClassVar[dict[_TokenType, str]] = {
        Token: "",
        Comment: "italic #756d5f",
        Keyword: "bold #23695b",
        Keyword.Constant: "#23695b",
        Operator: "#5c5548",
        Operator.Word: "bold #23695b",
        Punctuation: "#5c5548",
        Name.Builtin: "#2f5f8a",
        Name.Function: "#2f5f8a",
        Name.Class: "bold #2f5f8a",
        Name.Decorator: "#865803",
        Name.Tag: "#23695b",
        Name.Attribute: "#865803",
        Number: "#9a4a1f",
        String: "#7d4b8c",
        String.Escape: "#9a4a1f",
        Generic.Deleted: "#a4342b",
        Generic.Inserted: "#2f6b35",
        Generic.Heading: "bold",
        Error: "",
    }


class _DarkStyle(Style):
    """On the dark theme's code background."""

    styles: ClassVar[dict[_TokenType, str]] = {
        Token: "",
        Comment: "italic #968e80",
        Keyword: "bold #82c7b3",
        Keyword.Constant: "#82c7b3",
        Operator: "#b9b1a3",
        Operator.Word: "bold #82c7b3",
        Punctuation: "#b9b1a3",
        Name.Builtin: "#8fb8e0",
        Name.Function: "#8fb8e0",
        Name.Class: "bold #8fb8e0",
        Name.Decorator: "#e5b967",
        Name.Tag: "#82c7b3",
        Name.Attribute: "#e5b967",
        Number: "#e39b72",
        String: "#cfa3dd",
        String.Escape: "#e39b72",
        Generic.Deleted: "#f09a8f",
        Generic.Inserted: "#93cb95",
        Generic.Heading: "bold",
        Error: "",
    }


@lru_cache(maxsize=2)
def _formatter(dark: bool) -> HtmlFormatter[str]:
    return HtmlFormatter(style=_DarkStyle if dark else _LightStyle, noclasses=True, nowrap=True)


def highlighted(code: str, language: str, *, dark: bool) -> str:
    """Return ``code`` as HTML with inline colours; only escaped where the language is unknown."""
    if not language or len(code) > _LONGEST:
        return html.escape(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return html.escape(code)
    return highlight(code, lexer, _formatter(dark))
