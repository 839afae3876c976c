"""reStructuredText to text: headings, code, tables, notes; comments, targets and settings go."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from textwrap import dedent
from typing import TYPE_CHECKING

from app.core.documents.readers.line_markup import LineReader
from app.core.documents.readers.pictures import picture

if TYPE_CHECKING:
    from app.domain.documents import DocumentText


_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1++[ \t]*+\Z")
_DIRECTIVE = re.compile(r"[ \t]*+\.\.[ \t]++(?:\|[^|\n]++\|[ \t]++)?([\w:+-]*\w)::[ \t]*+([^\n]*)")
_FOOTNOTE = re.compile(r"[ \t]*+\.\.[ \t]++\[([#*\w-]++)\][ \t]++")
_OPTION = re.compile(r"[ \t]*+:([\w-]++):[ \t]*+([^\n]*)")
_CODE = frozenset(
    ("code", "code-block", "sourcecode", "ipython", "parsed-literal", "testcode", "prompt", "command-output")
)
_LEFT_OUT = frozenset(
    (
        *("toctree", "contents", "index", "raw", "include", "literalinclude", "meta", "highlight", "sectnum"),
        *("default-role", "role", "currentmodule", "module", "automodule", "autoclass", "autofunction"),
        *("autosummary", "bibliography", "replace", "unicode", "tabularcolumns", "testsetup", "youtube"),
    )
)  # fmt: skip
_SIMPLE_TABLE = re.compile(r"[ \t]*+=++(?:[ \t]++=++)++[ \t]*+\Z")
_GRID = re.compile(r"[ \t]*+\+[-=+]{3,}[ \t]*+\Z")
_COLUMNS = 60  # of a table; what stands in further ones is left out
_ROLE = re.compile(r":([\w+-]{1,40}+(?::[\w+-]{1,40}+){0,3}+):`([^`]++)`")
_LINK = re.compile(r"`([^`<>]*+)<[^`<>]*+>`_{0,2}")
_NAMED = re.compile(r"(?<!`)`([^`]++)`__?(?!\w)")
_TYPED = re.compile(r"``([^`\n](?:[^`]|`(?!`))*+)``")
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
        text = _TYPED.sub(r"`\1`", _LINK.sub(lambda match: match.group(1).strip(), _ROLE.sub(_role, text)))
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
        elif name not in _LEFT_OUT:
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
        del borders[_COLUMNS + 1 :]
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
