"""Org mode to text: headings, code, tables, links; drawers, schedules and settings go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.core.documents.readers.line_reader import LineReader

if TYPE_CHECKING:
    from app.domain.documents import DocumentText


_HEADING = re.compile(r"(\*++)[ \t]++(?:(?:TODO|DONE|NEXT|WAITING)[ \t]++)?(?:\[#[A-Z]\][ \t]*+)?([^\n]*)")
_TAGS = re.compile(r"(?<![ \t])[ \t]++:(?:[\w@#%]++:)++[ \t]*+\Z")
_BLOCK = re.compile(r"[ \t]*+#\+begin_(\w++)[ \t]*+([\w+#-]*+)", re.IGNORECASE)
_KEY = re.compile(r"[ \t]*+#\+(\w++)(?:\[[^\]]*+\])?:[ \t]*+([^\n]*)")
_DRAWER = re.compile(r"[ \t]*+:[A-Za-z][\w-]*+:[ \t]*+\Z")
_LEFT_OUT = re.compile(r"[ \t]*+(?:#[ \t]|(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):)")
_RULE = re.compile(r"[ \t]*+\|[-+]")
_PICTURE = re.compile(r"\[\[[^\[\]]*\.(?:png|jpe?g|gif|svg|pdf)\]\]", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:file:|\*)?([^\[\]]++)\](?:\[([^\[\]]++)\])?\]")
_TYPED = re.compile(r"(?<![^\s(\"'])([~=])(?=\S)([^~=`\n]++)(?<=\S)\1(?![^\s.,;:!?)\"'-])")


def read_org(data: bytes) -> DocumentText:
    """Read notes; each heading with the path that leads to it is an anchor."""
    return _OrgReader(data).read()


class _OrgReader(LineReader):
    _below_title = 0

    def take(self, line: str) -> bool:
        if match := _HEADING.fullmatch(line):
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
            self.builder.code("\n".join(row.lstrip()[2:] for row in self.as_long_as(_is_literal)))
        else:
            return False
        return True

    def inline(self, text: str) -> str:
        text = _LINK.sub(lambda match: match.group(2) or match.group(1), _PICTURE.sub("", text))
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


def _is_literal(line: str) -> bool:
    return line.lstrip()[:2] == ": "
