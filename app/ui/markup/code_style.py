"""Highlighted code in colours that match the themes."""

import html
import re
import time
from functools import lru_cache

import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.style import Style
from pygments.token import Token, _TokenType

_LONGEST = 20_000  # characters
_SECONDS = 0.05  # of this thread; some texts make a language's rules slow
_MOST_TOKENS = 2_000
_MOST_COLOURED = 1_200  # pieces; Qt takes longer for them than for the text
_LANGUAGES = frozenset(
    {
        *("asm", "bash", "c", "c#", "c++", "cmake", "console", "cpp", "cs", "csharp", "css", "dart", "diff"),
        *("docker", "dockerfile", "elixir", "go", "golang", "graphql", "haskell", "html", "java"),
        *("javascript", "js", "json", "julia", "kotlin", "latex", "lua", "make", "makefile", "matlab"),
        *("objective-c", "octave", "perl", "php", "powershell", "ps1", "py", "py3", "pycon", "python"),
        *("python3", "r", "rb", "rs", "ruby", "rust", "scala", "scheme", "scss", "sh", "shell", "sql"),
        *("swift", "tex", "toml", "ts", "typescript", "verilog", "vhdl", "xml", "yaml", "yml", "zsh"),
    }
)
"""Languages that are coloured; others may have rules that some text keeps busy for hours."""
# What makes even some of their rules as slow: long runs, PHP's texts, many escaped backslashes.
_SLOW = re.compile(r"<<<|\s{60}|(.)\1{59}")
_MOST_BACKSLASHES = 10

# On the code background of the light theme and of the dark one; every colour reaches 4.5 : 1.
_COLOURS: dict[_TokenType, tuple[str, str]] = {
    Token: ("", ""),
    Token.Comment: ("italic #756d5f", "italic #968e80"),
    Token.Keyword: ("bold #23695b", "bold #82c7b3"),
    Token.Keyword.Constant: ("#23695b", "#82c7b3"),
    Token.Operator: ("#5c5548", "#b9b1a3"),
    Token.Operator.Word: ("bold #23695b", "bold #82c7b3"),
    Token.Punctuation: ("#5c5548", "#b9b1a3"),
    Token.Name.Builtin: ("#2f5f8a", "#8fb8e0"),
    Token.Name.Function: ("#2f5f8a", "#8fb8e0"),
    Token.Name.Class: ("bold #2f5f8a", "bold #8fb8e0"),
    Token.Name.Decorator: ("#865803", "#e5b967"),
    Token.Name.Tag: ("#23695b", "#82c7b3"),
    Token.Name.Attribute: ("#865803", "#e5b967"),
    Token.Literal.Number: ("#9a4a1f", "#e39b72"),
    Token.Literal.String: ("#7d4b8c", "#cfa3dd"),
    Token.Literal.String.Escape: ("#9a4a1f", "#e39b72"),
    Token.Generic.Deleted: ("#a4342b", "#f09a8f"),
    Token.Generic.Inserted: ("#2f6b35", "#93cb95"),
    Token.Generic.Heading: ("bold", "bold"),
    Token.Error: ("", ""),
}


@lru_cache(maxsize=2)
def _formatter(dark: bool) -> HtmlFormatter[str]:
    styles = {token: colours[dark] for token, colours in _COLOURS.items()}
    style = type("CodeStyle", (Style,), {"styles": styles})
    return HtmlFormatter(style=style, noclasses=True, nowrap=True)


def highlighted(code: str, language: str, *, dark: bool) -> str:
    """Return ``code`` as HTML with inline colours, or only escaped if that takes too long."""
    plain = html.escape(code)
    if language not in _LANGUAGES or len(code) > _LONGEST:
        return plain
    if _SLOW.search(code) or code.count("\\\\") > _MOST_BACKSLASHES:
        return plain
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    tokens = []
    until = time.thread_time() + _SECONDS
    for token in lexer.get_tokens(code):
        tokens.append(token)
        if len(tokens) > _MOST_TOKENS or time.thread_time() > until:
            return plain
    coloured = pygments.format(tokens, _formatter(dark))
    return coloured if coloured.count("<span") <= _MOST_COLOURED else plain
