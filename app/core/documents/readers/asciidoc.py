"""AsciiDoc to text: headings, code, lists, tables, notes; attributes and macros go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.core.documents.readers.line_reader import LineReader
from app.core.documents.readers.pictures import picture

if TYPE_CHECKING:
    from app.domain.documents import DocumentText


_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]++([^\n]*\S)")
_DELIMITER = re.compile(r"(-{4,}+|\.{4,}+|\+{4,}+|/{4,}+|={4,}+|\*{4,}+|_{4,}+|--|```)([\w+#-]*+)[ \t]*+\Z")
_TABLE = re.compile(r"([|!,])={3,}[ \t]*+\Z")
_STYLE = re.compile(r"\[([^\]\n]*+)\][ \t]*+\Z")
_LANGUAGE = re.compile(r"source[^,]*+,[ \t]*+([\w+#-]++)|,[ \t]*+([\w+#-]++)")
_COLUMNS = re.compile(r"cols=\"?([^\"\n]*+)")
_TIMES = re.compile(r"(\d{1,2})\*")
_ATTRIBUTE = re.compile(r":!?[\w-]++!?:(?:[ \t]|\Z)")
_MACRO = re.compile(
    r"(image|video|audio|include|toc|ifdef|ifndef|ifeval|endif)::([^\[\]\n]*+)\[([^\]\n]*+)\][ \t]*+\Z"
)
_ITEM = re.compile(r"[ \t]*+(\*{1,5}|\.{1,5}|-)[ \t]++(?=\S)")
_BLOCK_TITLE = re.compile(r"\.(?=[^\s.])")
_CELL = re.compile(r"(?<!\\)(?:[.\d<>^]{0,6}[*+])?[<>^.]{0,4}[adehlmsv]?\|")
_SHOWN = re.compile(
    r"(?<!\w)(?:link:|xref:|https?://|mailto:|kbd:|btn:|menu:)[^\s\[\]]{0,400}+\[([^\[\]\n]*+)\]"
    r"|<<[^<>,\n]*+,([^<>\n]*+)>>|<<([^<>,\n]++)>>"
)
_FORMULA = re.compile(r"\b(?:stem|latexmath|asciimath):\[((?:[^\]\\\n]|\\.){0,400}+)\]")
_NOTE = re.compile(r"\bfootnote:\w*+\[([^\[\]\n]*+)\]")
_PICTURE = re.compile(r"\bimage:[^\s\[\]:]++\[([^\[\]\n,]*+)[^\[\]\n]*+\]")
_ANCHOR = re.compile(r"\[\[[^\[\]\n]*+\]\]")


def read_asciidoc(data: bytes) -> DocumentText:
    """Read an article or a book; each heading with the path that leads to it is an anchor."""
    return _AsciiDocReader(data).read()


class _AsciiDocReader(LineReader):
    _style = ""  # in brackets above the next block

    def take(self, line: str) -> bool:
        style, self._style = self._style, ""
        if match := _HEADING.fullmatch(line.rstrip()):
            self.flush()
            self.builder.heading(len(match.group(1)), self.inline(match.group(2)))
        elif match := _DELIMITER.match(line):
            self._block(match.group(1), match.group(2), style)
        elif _TABLE.match(line) and (rows := self.until(line.strip())) is not None:
            self.flush()
            self._table(rows, style)
        elif match := _STYLE.match(line):
            self.flush()
            self._style = match.group(1)
        elif match := _MACRO.match(line):
            self.flush()
            if match.group(1) == "image":
                words = match.group(3).partition(",")[0].strip('"')
                self.builder.block(picture(words, match.group(2)).strip())
        elif line.startswith("//") or _ATTRIBUTE.match(line) or line.strip() == "+":
            pass
        elif match := _ITEM.match(line):
            self.flush()
            sign = match.group(1)
            marker = "1. " if sign[0] == "." else "- "
            self.builder.block("  " * (len(sign) - 1) + marker + self.inline(line[match.end() :]), tight=True)
        elif match := _BLOCK_TITLE.match(line):
            self.flush()
            self.builder.block(self.inline(line[1:]))
        else:
            return False
        return True

    def inline(self, text: str) -> str:
        text = _PICTURE.sub(lambda match: picture(match.group(1)).strip(), _ANCHOR.sub("", text))
        text = _NOTE.sub(r" (\1)", _FORMULA.sub(r"$\1$", text))
        return _SHOWN.sub(lambda match: match.group(1) or match.group(2) or match.group(3) or "", text)

    def _block(self, sign: str, language: str, style: str) -> None:
        self.flush()
        if sign[0] in "=*_" or (sign == "--" and not style.startswith("source")):
            return  # around other blocks
        inside = self.until(sign + language if sign != "```" else sign)
        if inside is None or sign[0] == "/":
            return
        if sign[0] == "+":
            if style.startswith(("stem", "latexmath")):
                self.builder.block("$$\n" + "\n".join(inside) + "\n$$")
            return
        named = _LANGUAGE.match(style)
        self.builder.code("\n".join(inside), language or (named and (named.group(1) or named.group(2))) or "")

    def _table(self, lines: list[str], style: str) -> None:
        cells = [self.inline(cell).strip() for cell in _CELL.split("\n".join(lines))[1:]]
        named = _COLUMNS.search(style)
        if named:
            times = _TIMES.match(named.group(1))
            width = int(times.group(1)) if times else named.group(1).count(",") + 1
        else:
            width = len(_CELL.findall(next((line for line in lines if line.strip()), "")))
        width = max(width, 1)
        self.builder.table([cells[at : at + width] for at in range(0, len(cells), width)])
