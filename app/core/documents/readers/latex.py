"""LaTeX to Markdown: headings, lists, tables, code and formulas, without commands that only format.

Rules, not TeX: the author's own macros are left out, and their arguments stay as text.
"""

import re
import unicodedata
from collections.abc import Iterator

from app.core.documents.readers.plain import decoded
from app.core.documents.readers.text_builder import clean, table_row
from app.core.documents.text.markdown_structure import heading_marks
from app.domain.documents import DocumentText

_CODE = "verbatim|Verbatim|lstlisting|minted|alltt|comment|tikzpicture"
_LEFT_OUT = ("comment", "tikzpicture")
_DISPLAY = "equation|align|alignat|gather|multline|eqnarray|displaymath|flalign|dmath"
# What is not prose, by how it begins; an escaped sign comes first, so that it begins nothing.
_OPENING = re.compile(
    rf"\\[^A-Za-z\[(]|%[^\n]*+\n?|\\begin\{{(?P<name>(?P<code>{_CODE})|(?:{_DISPLAY}))(?P<star>\*?)\}}"
    r"|\\(?:verb\*?+|lstinline(?:\[[^\[\]\n]*+\])?)(?P<verb>[^A-Za-z\s*{\[])|(?P<sign>\$\$?|\\\[|\\\()"
)
_CLOSING = {"$": "$", "$$": "$$", "\\[": "\\]", "\\(": "\\)"}
_OPTIONS = re.compile(r"(?:\[[^\[\]\n]*+\]|\{[^{}\n]*+\})*+")
_LANGUAGE = re.compile(r"language=(\w++)|\{(\w++)\}\s*+\Z")

_NESTED = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+)\}"
_TABLE = re.compile(rf"\\begin\{{(tabular[x*]?|longtable)\}}(?:\[[^\[\]\n]*+\]|{_NESTED})*+")
_LEVELS = {
    "title": 1,
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
}
_HEADING = re.compile(
    rf"\\(title|part|chapter|section|subsection|subsubsection|paragraph|frametitle)\*?+(?:\[[^\[\]]*+\])?{_NESTED}"
)
_FRAME = re.compile(rf"\\begin\{{frame\}}(?:<[^<>\n]*+>)?(?:\[[^\[\]\n]*+\])?{_NESTED}")
_STATEMENT = re.compile(
    r"\\begin\{(theorem|lemma|proposition|corollary|definition|example|remark|proof|exercise|solution|problem"
    r"|question|claim|fact|note)\*?\}(?:\[([^\[\]\n]*+)\])?"
)
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|(?:cline|cmidrule)(?:\([^()\n]*+\))?\{[^{}\n]*+\})"
)
_ARGUMENT = r"(?:\[[^\[\]\n]*+\])*+\{[^{}\n]*+\}"
_WITHOUT_TEXT = re.compile(
    r"\\(?:documentclass|usepackage|label|ref|eqref|pageref|autoref|cref|Cref|[a-z]{0,12}cite[a-z]{0,12}|includegraphics"
    r"|vspace|hspace|bibliography|bibliographystyle|input|include|pagestyle|thispagestyle|color|index"
    r"|graphicspath|hypersetup|usetheme|usecolortheme|pagenumbering|textcolor|href|column|parbox|raisebox"
    rf"|scalebox)\*?{_ARGUMENT}"
    rf"|\\(?:setlength|setcounter|addtocounter|resizebox|rule|fontsize|multicolumn|multirow){_ARGUMENT}{_ARGUMENT}"
)
_ENVIRONMENT = re.compile(
    rf"\\begin\{{(?:minipage|column|multicols|wrapfigure|subfigure|thebibliography)\*?\}}(?:{_ARGUMENT})++"
    r"|\\(?:begin|end)\{[^{}\n]*+\}(?:\[[^\[\]\n]*+\])?"
)
_OVERLAY = re.compile(r"(\\[A-Za-z]++(?:\{[a-z]++\})?)(?:<[\d+.,|:@a-z-]{1,30}>|\[<[\d+.,|:@a-z-]{1,30}>\])")
_LINE_END = re.compile(r"\\\\\*?(?:\[[^\[\]\n]*+\])?")
_ITEM = re.compile(r"(?<!\s)\s*+\\item\b[ \t]*+(?:\[([^\[\]\n]*+)\])?\s*+")
_NOTE = re.compile(rf"\\footnote{_NESTED}")
_TYPED = re.compile(r"\\(?:texttt|code|lstinline|mintinline)\{([^{}`\n]++)\}")
_ACCENT = re.compile(r"\\([`'^\"~=.]|[uvHckr](?![A-Za-z]))[ \t]*+(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))")
_COMBINING = dict(
    zip(
        "`'^\"~=.uvHckr",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a",
        strict=True,
    )
)
_WORDS = {
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "l": "ł",
    "L": "Ł", "ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "LaTeX": "LaTeX", "TeX": "TeX",
    "S": "§", "euro": "€", "textbackslash": "\\", "par": "\n\n", "newline": "\n", "quad": " ", "qquad": " ",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z@]++)\*?+(?:\[[^\[\]\n]*+\])*+[ \t]*+(?:\{\})?")
_SIGN = re.compile(r"\\([%&$#_{}])|\\[,;:!/ @-]|[{}~]|---?|``|''")
_SIGNS = {
    "---": "—",
    "--": "–",
    "``": "“",
    "''": "”",
    "~": " ",
    "\\ ": " ",
    "\\,": " ",
    "\\;": " ",
    "\\:": " ",
}
_KEPT = re.compile("\x02(\\d++)\x03")
_SPACES = re.compile(r"(?<![ \t\n])[ \t]{2,}+")
_BLANK_LINES = re.compile(r"(?<!\n)\n(?:[ \t]*+\n)++")


def read_latex(data: bytes) -> DocumentText:
    """Read a document, or a part of one; each heading with the path that leads to it is an anchor."""
    source = clean(decoded(data))
    begin = source.find("\\begin{document}")
    if begin >= 0:
        title = next(
            (match.group() for match in _HEADING.finditer(source, 0, begin) if match.group(1) == "title"), ""
        )
        end = source.find("\\end{document}", begin)
        source = title + "\n\n" + source[begin + 16 : end if end > 0 else len(source)]
    kept: list[str] = []  # what is no prose; its number stands for it, so that headings can hold formulas
    parts = []
    for is_set, part in _parts(_with_tables(source)):
        parts.append(f"\x02{len(kept)}\x03" if is_set else part)
        kept += [part] * is_set
    text = _KEPT.sub(lambda match: kept[int(match.group(1))], _prose("".join(parts)))
    text = _BLANK_LINES.sub("\n\n", text).strip()
    return DocumentText(text, heading_marks(text))


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yield (whether it is final, part): prose, or code and formulas in Markdown. Comments are left out."""
    position = end = 0
    hopeless = set()  # what is never closed from here on
    while match := _OPENING.search(text, end):
        end = match.end()
        if match.group().startswith("\\") and match.lastgroup is None:
            continue
        closing = _closing(match)
        if closing:
            if closing in hopeless or (at := text.find(closing, end)) < 0:
                hopeless.add(closing)
                continue
            end = at + len(closing)
        yield False, text[position : match.start()]
        if closing:
            yield True, _as_markdown(match, text[match.end() : at])
        position = end
    yield False, text[position:]


def _closing(opening: re.Match[str]) -> str:
    """Return what ends a part; empty for a comment."""
    if opening.group("name"):
        return f"\\end{{{opening.group('name')}{opening.group('star')}}}"
    return opening.group("verb") or _CLOSING.get(opening.group("sign"), "")


def _as_markdown(opening: re.Match[str], inside: str) -> str:
    if opening.group("code"):
        options = _OPTIONS.match(inside)
        head = options.group() if options else ""
        named = _LANGUAGE.search(head)
        language = (named.group(1) or named.group(2)).lower() if named else ""
        code = inside[len(head) :].strip("\n").replace("```", "'''")
        return "" if opening.group("code") in _LEFT_OUT else f"\n\n```{language}\n{code}\n```\n\n"
    if opening.group("verb"):
        return f"`{inside}`"
    inside = _WITHOUT_TEXT.sub("", inside).strip()
    return (
        f"\n\n$$\n{inside}\n$$\n\n"
        if opening.group("name") or opening.group("sign") in ("$$", "\\[")
        else f"${inside}$"
    )


def _with_tables(text: str) -> str:
    """Replace tables with rows: ``| a | b |``."""
    parts, position = [], 0
    while (match := _TABLE.search(text, position)) and (
        end := text.find(f"\\end{{{match.group(1)}}}", match.end())
    ) >= 0:
        inside = _RULE.sub("", text[match.end() : end])
        rows = [re.split(r"(?<!\\)&", row) for row in inside.split("\\\\") if row.strip()]
        parts += [text[position : match.start()], "\n\n", "\n".join(map(table_row, rows)), "\n\n"]
        position = end + len(match.group(1)) + 6
    return "".join([*parts, text[position:]])


def _prose(text: str) -> str:
    text = _LINE_END.sub("\n", text)  # first, so that no word below becomes a command
    text = _OVERLAY.sub(r"\1", text)
    text = _HEADING.sub(lambda match: _heading(_LEVELS.get(match.group(1), 3), match.group(2)), text)
    text = _FRAME.sub(lambda match: _heading(3, match.group(1)), text)
    text = _STATEMENT.sub(_statement, text)
    text = _WITHOUT_TEXT.sub("", text)
    text = _ITEM.sub(lambda match: f"\n- {match.group(1) + ': ' if match.group(1) else ''}", text)
    text = _ENVIRONMENT.sub("\n\n", text)
    text = _TYPED.sub(r"`\1`", _NOTE.sub(r" (\1)", text))
    text = _ACCENT.sub(_accented, text)
    text = _COMMAND.sub(lambda match: _WORDS.get(match.group(1), ""), text)
    return _SPACES.sub(" ", _SIGN.sub(_signed, text))


def _heading(level: int, title: str) -> str:
    return f"\n\n{'#' * level} {' '.join(title.split())}\n\n"


def _statement(match: re.Match[str]) -> str:
    name = match.group(1).capitalize()
    return f"\n\n**{name} ({match.group(2)}).** " if match.group(2) else f"\n\n**{name}.** "


def _accented(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", (match.group(2) or match.group(3)) + _COMBINING[match.group(1)])


def _signed(match: re.Match[str]) -> str:
    return match.group(1) or _SIGNS.get(match.group(), "")
