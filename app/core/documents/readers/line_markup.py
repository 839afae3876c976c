"""Org mode, AsciiDoc and reStructuredText to text, line by line."""

import abc
import csv
import re
from collections.abc import Callable
from itertools import pairwise
from textwrap import dedent

from app.core.documents.readers.plain import decoded
from app.core.documents.readers.text_builder import TextBuilder, picture
from app.domain.documents import DocumentText
from app.domain.words import word_set


class LineReader(abc.ABC):
    """Reads a text line by line; a reader says what a line is, and what signs within one mean."""

    def __init__(self, data: bytes) -> None:
        self.builder = TextBuilder()
        self.lines = decoded(data).split("\n")
        self.index = 0  # of the line after the one being read
        self._paragraph: list[str] = []
        self._unclosed: set[str] = set()

    def read(self) -> DocumentText:
        self.read_lines(self.lines)
        return self.builder.finish()

    def read_lines(self, lines: list[str]) -> None:
        outer = self.lines, self.index
        self.lines, self.index = lines, 0
        while self.index < len(self.lines):
            line = self.lines[self.index]
            self.index += 1
            if not line.strip():
                self.flush()
            elif not self.take(line):
                self._paragraph.append(line)
        self.flush()
        self.lines, self.index = outer

    @abc.abstractmethod
    def take(self, line: str) -> bool:
        """Read a line that is not part of a paragraph, with the block it begins; return whether it is one."""

    @abc.abstractmethod
    def inline(self, text: str) -> str:
        """Return text without signs that Markdown does not have."""

    def flush(self) -> None:
        self.builder.block(self.inline("\n".join(self._paragraph)))
        self._paragraph.clear()

    def until(self, sign: str) -> list[str] | None:
        """Take the lines up to one that is ``sign`` in any case, and that one; None if there is none."""
        if sign not in self._unclosed:
            for end in range(self.index, len(self.lines)):
                if self.lines[end].strip().lower() == sign:
                    found, self.index = self.lines[self.index : end], end + 1
                    return found
            self._unclosed.add(sign)  # so that many unclosed blocks do not take for ever
        return None

    def as_long_as(self, holds: Callable[[str], bool]) -> list[str]:
        """Take lines as long as a condition holds, beginning with the current one."""
        first = self.index - 1
        while self.index < len(self.lines) and holds(self.lines[self.index]):
            self.index += 1
        return self.lines[first : self.index]


_ORG_HEADING = re.compile(
    r"(\*++)[ \t]++(?:(?:TODO|DONE|NEXT|WAITING)[ \t]++)?(?:\[#[A-Z]\][ \t]*+)?([^\n]*)"
)
_TAGS = re.compile(r"(?<![ \t])[ \t]++:(?:[\w@#%]++:)++[ \t]*+\Z")
_BLOCK = re.compile(r"[ \t]*+#\+begin_(\w++)[ \t]*+([\w+#-]*+)", re.IGNORECASE)
_KEY = re.compile(r"[ \t]*+#\+(\w++)(?:\[[^\]]*+\])?:[ \t]*+([^\n]*)")
_DRAWER = re.compile(r"[ \t]*+:[A-Za-z][\w-]*+:[ \t]*+\Z")
_LEFT_OUT = re.compile(r"[ \t]*+(?:#[ \t]|(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):)")
_RULE = re.compile(r"[ \t]*+\|[-+]")
_ORG_PICTURE = re.compile(r"\[\[[^\[\]]*\.(?:png|jpe?g|gif|svg|pdf)\]\]", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:file:|\*)?([^\[\]]++)\](?:\[([^\[\]]++)\])?\]")
_TYPED = re.compile(r"(?<![^\s(\"'])([~=])(?=\S)([^~=`\n]++)(?<=\S)\1(?![^\s.,;:!?)\"'-])")


def read_org(data: bytes) -> DocumentText:
    """Read notes; each heading with the path that leads to it is an anchor."""
    return _OrgReader(data).read()


class _OrgReader(LineReader):
    _below_title = 0

    def take(self, line: str) -> bool:
        if match := _ORG_HEADING.fullmatch(line):
            self.flush()
            title = self.inline(_TAGS.sub("", match.group(2)))
            self.builder.heading(len(match.group(1)) + self._below_title, title)
        elif match := _BLOCK.match(line):
            self._block(match.group(1).lower(), match.group(2).lower())
        elif match := _KEY.match(line):
            self._key(match.group(1).lower(), match.group(2))
        elif _LEFT_OUT.match(line) or (_DRAWER.match(line) and self.until(":end:") is not None):
            pass
        elif line.lstrip()[0] == "|":
            self.flush()
            rows = [
                row for row in self.as_long_as(lambda row: row.lstrip()[:1] == "|") if not _RULE.match(row)
            ]
            self.builder.table([self.inline(row).strip().strip("|").split("|") for row in rows])
        elif line.lstrip()[:2] == ": ":
            self.flush()
            rows = self.as_long_as(lambda row: row.lstrip()[:2] == ": ")
            self.builder.code("\n".join(row.lstrip()[2:] for row in rows))
        else:
            return False
        return True

    def inline(self, text: str) -> str:
        text = _LINK.sub(lambda match: match.group(2) or match.group(1), _ORG_PICTURE.sub("", text))
        return _TYPED.sub(r"`\2`", text)

    def _block(self, kind: str, language: str) -> None:
        self.flush()
        inside = self.until(f"#+end_{kind}") or []
        if kind in ("src", "example"):
            self.builder.code("\n".join(inside), language)
        elif kind not in ("export", "comment"):
            self.builder.block(self.inline("\n".join(inside)))

    def _key(self, key: str, value: str) -> None:
        self.flush()
        if key == "title":
            self._below_title = 1
            self.builder.heading(1, value)
        elif key == "caption":
            self.builder.block(self.inline(value))


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


_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1++[ \t]*+\Z")
_DIRECTIVE = re.compile(r"[ \t]*+\.\.[ \t]++(?:\|[^|\n]++\|[ \t]++)?([\w:+-]*\w)::[ \t]*+([^\n]*)")
_FOOTNOTE = re.compile(r"[ \t]*+\.\.[ \t]++\[([#*\w-]++)\][ \t]++")
_OPTION = re.compile(r"[ \t]*+:([\w-]++):[ \t]*+([^\n]*)")
_CODE = word_set("code code-block sourcecode ipython parsed-literal testcode prompt command-output")
_RST_LEFT_OUT = word_set(
    "toctree contents index raw include literalinclude meta highlight sectnum default-role role "
    "currentmodule module automodule autoclass autofunction autosummary bibliography replace unicode "
    "tabularcolumns testsetup youtube"
)
_SIMPLE_TABLE = re.compile(r"[ \t]*+=++(?:[ \t]++=++)++[ \t]*+\Z")
_GRID = re.compile(r"[ \t]*+\+[-=+]{3,}[ \t]*+\Z")
_RST_COLUMNS = 60  # of a table; what stands in further ones is left out
_ROLE = re.compile(r":([\w+-]{1,40}+(?::[\w+-]{1,40}+){0,3}+):`([^`]++)`")
_RST_LINK = re.compile(r"`([^`<>]*+)<[^`<>]*+>`_{0,2}")
_NAMED = re.compile(r"(?<!`)`([^`]++)`__?(?!\w)")
_RST_TYPED = re.compile(r"``([^`\n](?:[^`]|`(?!`))*+)``")
_TARGET = re.compile(r"(?<!\s)\s*+<[^<>]*+>\Z")


def read_rst(data: bytes) -> DocumentText:
    """Read a document; each heading with the path that leads to it is an anchor."""
    return _RstReader(data).read()


class _RstReader(LineReader):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._levels: list[tuple[str, bool]] = []  # adornments and whether they are above too, topmost first

    def take(self, line: str) -> bool:
        if title := self._title(line):
            return title
        if match := _DIRECTIVE.match(line):
            self._directive(match.group(1).lower(), match.group(2), self._indented(line))
        elif match := _FOOTNOTE.match(line):
            self.flush()
            self.read_lines([f"[{match.group(1)}] {line[match.end() :]}", *self._indented(line)])
        elif line.lstrip().startswith(".. ") or line.strip() in ("..", "__"):
            self._indented(line)
        elif _SIMPLE_TABLE.match(line) or _GRID.match(line):
            self.flush()
            self._table(line)
        elif line.lstrip().startswith(">>> "):
            self.flush()
            self.builder.code(dedent("\n".join(self.as_long_as(lambda row: bool(row.strip())))), "python")
        elif line.rstrip().endswith("::"):
            self._literal(line)
        elif match := _OPTION.fullmatch(line):
            return not match.group(2)  # ":orphan:"
        else:
            return False
        return True

    def inline(self, text: str) -> str:
        text = _RST_TYPED.sub(
            r"`\1`", _RST_LINK.sub(lambda match: match.group(1).strip(), _ROLE.sub(_role, text))
        )
        return _NAMED.sub(r"\1", text).replace("\\ ", "")

    def _title(self, line: str) -> bool:
        """Read a heading, which is underlined and may have a line above."""
        rest = self.lines[self.index : self.index + 2]
        above = _ADORNMENT.match(line)
        if above and len(rest) == 2 and rest[0].strip() and rest[1].rstrip() == line.rstrip():
            title, sign, taken = rest[0], above.group(1), 2
        elif not above and rest and (below := _ADORNMENT.match(rest[0])) and not line[0].isspace():
            if len(rest[0].rstrip()) < min(len(line.rstrip()), 4):
                return False
            title, sign, taken = line, below.group(1), 1
        else:
            return bool(above) and len(line.strip()) > 3 and not _GRID.match(line)  # a rule
        form = (sign, taken == 2)
        if form not in self._levels:
            self._levels.append(form)
        self.flush()
        self.index += taken
        self.builder.heading(self._levels.index(form) + 1, self.inline(title))
        return True

    def _indented(self, line: str) -> list[str]:
        """Take the lines below that stand further in than a line."""
        depth = len(line) - len(line.lstrip())
        end = self.index
        while end < len(self.lines):
            below = self.lines[end]
            if below.strip() and len(below) - len(below.lstrip()) <= depth:
                break
            end += 1
        found, self.index = self.lines[self.index : end], end
        return dedent("\n".join(found)).strip("\n").split("\n") if found else []

    def _directive(self, name: str, argument: str, inside: list[str]) -> None:
        self.flush()
        options = {}
        while inside and (option := _OPTION.fullmatch(inside[0])):
            options[option.group(1)] = option.group(2)
            del inside[0]
        if name in _CODE or name.startswith("code"):
            self.builder.code("\n".join(inside), argument.strip().lower())
        elif name == "math":
            self.builder.block("$$\n" + "\n".join(filter(None, [argument, *inside])) + "\n$$")
        elif name in ("image", "figure"):
            self.builder.block(picture(options.get("alt"), argument.strip()).strip())
            self.read_lines(inside)
        elif name == "csv-table":
            self.builder.block(self.inline(argument))
            rows = csv.reader([options.get("header", ""), *inside], skipinitialspace=True)
            self.builder.table([[self.inline(cell) for cell in row] for row in rows])
        elif name not in _RST_LEFT_OUT:
            self.builder.block(self.inline(argument))
            self.read_lines(inside)

    def _literal(self, line: str) -> None:
        """Read what precedes "::", and the code below it."""
        text = line.rstrip()[:-2].rstrip()
        if text:
            self._paragraph.append(text + ("" if line.rstrip()[-3:-2].isspace() else ":"))
        self.flush()
        if self.index < len(self.lines) and not self.lines[self.index].strip():
            self.builder.code("\n".join(self._indented(line)))

    def _table(self, line: str) -> None:
        is_grid = _GRID.match(line) is not None
        if is_grid:
            lines = self.as_long_as(lambda row: row.lstrip()[:1] in ("+", "|") and bool(row.strip()))
            borders = [at for at, sign in enumerate(line) if sign == "+"]
        else:
            lines = self.as_long_as(lambda row: bool(row.strip()))
            starts = [match.start() for match in re.finditer(r"=++", line)]
            borders = [start - 1 for start in [*starts, 10_000]]
        del borders[_RST_COLUMNS + 1 :]
        rows: list[list[str]] = []
        is_new = True
        for row in lines:
            if (_GRID if is_grid else _SIMPLE_TABLE).match(row):
                is_new = True
                continue
            cells = [row[start + 1 : end].strip() for start, end in pairwise(borders)]
            if rows and not is_new and (is_grid or not cells[0]):
                rows[-1] = [f"{before} {cell}".strip() for before, cell in zip(rows[-1], cells, strict=True)]
            else:
                rows.append(cells)
            is_new = False
        self.builder.table([[self.inline(cell) for cell in row] for row in rows])


def _role(match: re.Match[str]) -> str:
    text = match.group(2)
    if match.group(1) == "math":
        return f"${text}$"
    shown = _TARGET.sub("", text).lstrip("~!")
    return f"`{shown}`" if match.group(1) in ("code", "kbd", "command", "file", "samp") else shown
