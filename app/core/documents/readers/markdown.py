"""Markdown and Jupyter notebooks to clean text: what a page would show, with the signs of its structure.

Link targets, HTML tags and comments, embedded data and the instructions of site builders go; headings, lists,
tables, emphasis and code stay as they are written. Covers what R Markdown, Quarto, MyST and MDX add. Code of
notebooks stands between fences, long outputs are cut.
"""

import html
import json
import re
from collections.abc import Mapping
from typing import Any

from app.core.documents.readers import ReaderError
from app.core.documents.readers.html import HtmlBlocks, is_around, parse_html, pixels
from app.core.documents.readers.plain import decoded
from app.core.documents.readers.text_builder import TextBuilder, data_sign, picture, unread
from app.core.documents.text.markdown_structure import fences, front_matter_end, heading_marks, is_within
from app.domain.documents import DocumentText
from app.domain.words import word_set

_DATA = re.compile(
    r"\bdata:[a-z]{1,20}/[\w.+-]{1,80}(?:;[\w.=-]{1,60}){0,5},[A-Za-z0-9+/=%_-]{80,}+", re.IGNORECASE
)
_DEFINITION = re.compile(
    r"^ {0,3}\[(?!\^)([^\[\]\n]{1,200}+)\]:[ \t]*+(<[^<>\n]*+>|[^\s<]\S*+)"
    r"(?:[ \t]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?[ \t]*+(?:\n|\Z)",
    re.MULTILINE,
)
# Text in brackets that may hold other brackets; and a target in parentheses, with its title.
_BRACKETED = r"(?P<words>(?:[^\[\]\n]|\n(?![ \t]*+\n)|\[[^\[\]\n]*+\])*+)"
_TARGET = (
    r"\([ \t]*+(?P<target><[^<>\n]*+>|(?:[^()\s]|\((?:[^()\s]|\([^()\s]*+\))*+\))*+)"
    r"(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?\s*+\)"
)
_NAMED = r"\[(?P<name>[^\[\]\n]*+)\]"
# What is not to be touched: code and formulas within a line, and a line that gives a course its link.
_KEPT = (
    r"(?P<kept>``(?:[^`\n]|`(?!`))*+``|`[^`\n]++`|\$(?:[^$\n\]]|\](?!\())++\$"
    r"|^[^\w\n]{0,12}(?:[Cc]ourse|[Ll]esson)[ \t]+[Ll]ink\b[^\n]*+$)"
)
_IMAGE = re.compile(rf"{_KEPT}|!\[{_BRACKETED}\](?:{_TARGET}|{_NAMED})(?:\{{[^{{}}\n]*+\}})?", re.MULTILINE)
_LINK = re.compile(
    rf"{_KEPT}|(?<!!)\[{_BRACKETED}\](?:{_TARGET}|{_NAMED})(?:\{{:?[ \t]*+[#.\w][^{{}}\n]*+\}})?",
    re.MULTILINE,
)
_ANCHOR = re.compile(r"(?<!!)\[\[[^\[\]|\n]*+\]\](?:(?=\w)|(?:[ \t]*+\n)++(?=#))")  # of what follows
_WIKI_LINK = re.compile(r"(!?)(?<!\w)\[\[([^\[\]|\n]++)(?:\|([^\[\]\n]*+))?\]\]")
_TAGS = word_set(
    "a abbr acronym address article aside audio b big blockquote body br button caption center cite code "
    "col colgroup dd del details dfn div dl dt em embed figcaption figure font footer form h1 h2 h3 h4 h5 "
    "h6 head header hr html i iframe img input ins kbd label li link main mark meta nav noscript object "
    "ol option p param picture pre q s samp section select small source span strike strong sub summary "
    "sup svg path tbody td tfoot th thead time tr tt u ul var video wbr"
)
_TAG = re.compile(
    rf"{_KEPT}|</?(?P<name>(?i:{'|'.join(_TAGS)})|(?<!\w<)[A-Z][\w.]*+)(?P<more>\s[^<>]*+)?/?>", re.MULTILINE
)
_TABLE = re.compile(rf"{_KEPT}|<table\b", re.MULTILINE)
_COMPONENT = re.compile(r"</[A-Z][\w.]*+>|<[A-Z][\w.]*+\s[^<>]*+/>")
_GIVEN = re.compile(r"\b(alt|src|width)\s*+=\s*+(?:\"([^\"<>]*+)\"|'([^'<>]*+)')")
_LINE_TAGS = word_set(
    "address article blockquote br center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li "
    "ol p pre section summary tr ul video"
)
# What stands between the tags of a heading is one line.
_HEADING_TAGS = re.compile(r"(<(h[1-6])\b[^<>]*+>)((?:(?!</?h[1-6]\b)[^`]){1,600}+)(?=</\2>)", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]*+>", re.IGNORECASE)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_NEAR = 500  # characters in which a row of a table shows its first "|"
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,10}|#\d{1,6}|#[xX][0-9a-fA-F]{1,5});")
# Lines and marks for what builds a site or a paper: imports, blocks (":::"), attributes, short codes.
_BUILDING = re.compile(
    r"^import\b[^\n'\"]*+['\"][^'\"\n]++['\"];?[ \t]*+$|^export[ \t]+(?:const|default|let)\b[^\n]*+$"
    r"|^[ \t]*+:{3,}[ \t]*+(?:\{[^{}\n]*+\}|[\w-]++(?=[ \t]*+$))?"
    r"|(?<![ \t])[ \t]*+\{:?[ \t]*+[#.][A-Za-z_-][^{}\n]*+\}[ \t]*+$"
    r"|\{%[^%\n]*+%\}|\{\{<[^<>\n]*+>\}\}|\{/\*[^*]*+\*/\}",
    re.MULTILINE,
)
# Fences of MyST that hold prose: "```{note} Title".
_PROSE_FENCE = re.compile(
    r"[ \t]*+[`~]{3,}+\{(admonition|attention|caution|danger|dropdown|error|exercise|figure|hint|important"
    r"|margin|note|proof|prf:\w++|sidebar|seealso|solution|tip|warning)\}[ \t]*+([^\n]*+)\n"
)
_OPTION = re.compile(r"\A---\n(?:(?!---)[^\n]*+\n)*+---\n|^[ \t]*+:[\w-]++:[^\n]*+\n", re.MULTILINE)
_BLANK_LINES = re.compile(r"(?<!\n)\n(?:[ \t]*+\n){2,}")


def read_markdown(data: bytes) -> DocumentText:
    """Read Markdown; each heading with the path that leads to it is an anchor."""
    text = clean_markdown(decoded(data))
    return DocumentText(text, heading_marks(text))


def clean_markdown(text: str) -> str:
    """Return Markdown without what a page does not show; code and front matter stay as they are."""
    text = _without_comments(without_data(text))
    names = {_folded(match.group(1)): match.group(2) for match in _DEFINITION.finditer(text)}
    begin = front_matter_end(text)
    parts, position = [text[:begin]], begin
    for start, end in (*fences(text, begin), (len(text), len(text))):
        parts.append(_clean_prose(text[position:start], names))
        code = text[start:end]
        if prose := _PROSE_FENCE.match(code):
            inside = code[prose.end() : code.rfind("\n")] if code.count("\n") > 1 else ""
            kind, title = prose.group(1), prose.group(2).strip()
            head = picture("", title) if kind == "figure" else title if " " in title else ""
            code = f"{head}\n\n{_clean_prose(_OPTION.sub('', inside), names)}\n"
        parts.append(code)
        position = end
    return "".join(parts)


def without_data(text: str) -> str:
    """Return text without embedded files ("data:image/png;base64,…"), which may be nearly all of it."""
    return _DATA.sub(lambda match: data_sign(match.group()), text)


def _without_comments(text: str) -> str:
    """Return text without HTML comments, except in code."""
    if "<!--" not in text:
        return text
    code = fences(text)
    parts, position, start = [], 0, text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        if is_within(code, start) or text[start - 1 : start] == "`":
            start = text.find("<!--", start + 4)
            continue
        parts.append(text[position:start])
        position = end + 3
        start = text.find("<!--", position)
    return "".join([*parts, text[position:]])


def _clean_prose(text: str, names: Mapping[str, str]) -> str:
    cleaned = _BUILDING.sub("", _DEFINITION.sub("", text))
    cleaned = _without_links(cleaned, names)
    if "<" in cleaned:
        cleaned = _without_tags(_with_tables(cleaned))
    if "&" in cleaned:
        cleaned = _ENTITY.sub(lambda match: html.unescape(match.group()), cleaned)
    return cleaned if cleaned == text else _BLANK_LINES.sub("\n\n", cleaned)


def _without_links(text: str, names: Mapping[str, str]) -> str:
    """Replace pictures with their descriptions, and links with their texts."""

    def shown(match: re.Match[str], *, is_image: bool) -> str:
        words, name = match["words"], match["name"]
        if match["kept"] or (name is not None and _folded(name or words) not in names):
            return match.group()
        if not is_image:
            return words
        return picture(words, match["target"] if name is None else names[_folded(name or words)]).strip()

    if "](" in text or names:
        text = _IMAGE.sub(lambda match: shown(match, is_image=True), text)
        text = _LINK.sub(lambda match: shown(match, is_image=False), text)
    return _WIKI_LINK.sub(_wiki_words, _ANCHOR.sub("", text))


def _wiki_words(match: re.Match[str]) -> str:
    return picture("", match.group(2)) if match.group(1) else match.group(3) or match.group(2)


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _with_tables(text: str) -> str:
    """Replace tables in HTML with rows: ``| a | b |``."""
    parts, position = [], 0
    for match in _TABLE.finditer(text):
        if match.group("kept") or match.start() < position:
            continue
        if (end := text.find("</table>", match.end())) < 0:
            break
        builder = TextBuilder()
        HtmlBlocks(builder, is_around).add(parse_html(text[match.start() : end + 8]))
        parts += [text[position : match.start()], "\n\n", builder.finish().text, "\n\n"]
        position = end + 8
    return "".join([*parts, text[position:]])


def _without_tags(text: str) -> str:
    text = _HEADING_TAGS.sub(lambda match: match[1] + " ".join(_BREAK.sub(" ", match[3]).split()), text)
    has_components = _COMPONENT.search(text) is not None

    def shown(match: re.Match[str]) -> str:
        name = (match.group("name") or "").lower()
        if match.group("kept") or (name not in _TAGS and not has_components):
            return match.group()
        if name == "img":
            given = {name: one or other for name, one, other in _GIVEN.findall(match["more"] or "")}
            return picture(given.get("alt"), given.get("src", ""), pixels(given.get("width")))
        if name not in _LINE_TAGS:
            return ""
        if name in _HEADINGS and match.group()[1] != "/" and text[match.end() : match.end() + 1].strip():
            return f"\n{'#' * int(name[1])} "
        before = text[max(match.start() - _NEAR, 0) : match.start()].rpartition("\n")[2]
        return " " if "|" in before else "\n"  # within a row of a table

    return _TAG.sub(shown, text)


# Of a long output its beginning and its end are kept: what is between them is data, not what a lesson says.
_OUTPUT_LINES = (18, 6)
_OUTPUT_LENGTH = (1100, 300)  # characters
_PICTURES = ("image/png", "image/jpeg", "image/gif")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


# A notebook of Pluto is a program: each cell follows its sign, and the order they are shown in is at the end.
_PLUTO = b"### A Pluto.jl notebook ###"
_PLUTO_CELL = re.compile(r"^# ╔═╡ ([0-9a-f-]{36})\n", re.MULTILINE)
_PLUTO_STATE = re.compile(r"^[^\n╠]*+╠═╡[^\n]*+\n", re.MULTILINE)  # "# ╠═╡ show_logs = false"
_PLUTO_SHOWN = re.compile(r"^# [╠╟][═─]([0-9a-f-]{36})", re.MULTILINE)
_PLUTO_TEXT = re.compile(r'\s*+(?:md"""(?P<text>.*)"""|md"(?P<line>[^"\n]*+)")\s*+', re.DOTALL)
_PLUTO_PACKAGES = "00000000-"  # of the cells that list them
_JULIA_FORMULA = re.compile(r"(?<!`)``([^`\n]++)``(?!`)|^```math\n((?:(?!```)[^\n]*+\n)*+)```", re.MULTILINE)
_JULIA_VALUE = re.compile(r"\$\([^()\n]*+\)")


def is_pluto(data: bytes) -> bool:
    return data.startswith(_PLUTO)


def _of_pluto(code: str) -> dict[str, Any]:
    """Return a notebook of Pluto in the form of Jupyter's."""
    cells, _, shown = code.partition("# ╔═╡ Cell order:")
    _, *parts = _PLUTO_CELL.split(_PLUTO_STATE.sub("", cells))
    sources = dict(zip(parts[::2], parts[1::2], strict=True))
    order = [key for key in _PLUTO_SHOWN.findall(shown) if key in sources] or list(sources)
    found = []
    for key in order:
        if text := _PLUTO_TEXT.fullmatch(sources[key]):
            markdown = _JULIA_VALUE.sub(" ", text["text"] or text["line"] or "")
            found.append({"cell_type": "markdown", "source": _JULIA_FORMULA.sub(_with_dollars, markdown)})
        elif not key.startswith(_PLUTO_PACKAGES):
            found.append({"cell_type": "code", "source": sources[key]})
    return {"cells": found, "metadata": {"language_info": {"name": "julia"}}}


def _with_dollars(formula: re.Match[str]) -> str:
    return f"${formula[1]}$" if formula[1] else f"$$\n{formula[2]}$$"


def read_notebook(data: bytes) -> DocumentText:
    """Read a notebook of Jupyter or Pluto; each cell with text is an anchor, counted from 1."""
    try:
        notebook = _of_pluto(decoded(data)) if is_pluto(data) else _object(json.loads(decoded(data)))
    except (ValueError, RecursionError) as error:
        raise ReaderError from error
    cells = notebook.get("cells")
    if cells is None and isinstance(notebook.get("worksheets"), list):  # format 3
        cells = [cell for sheet in notebook["worksheets"] for cell in _list(_object(sheet).get("cells"))]
    if not isinstance(cells, list):
        raise ReaderError
    builder = TextBuilder()
    language = _language(_object(notebook.get("metadata")))
    for number, cell in enumerate(map(_object, cells), 1):
        builder.anchor("cell", number)
        _add_cell(builder, cell, language)
    damaged = sum(not _is_cell(cell) for cell in cells)
    return builder.finish(unread("cells", damaged, len(cells)))


def _is_cell(cell: object) -> bool:
    return isinstance(cell, dict) and isinstance(cell.get("source", cell.get("input", "")), str | list)


def _object(value: object) -> dict[str, Any]:
    """Return a JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _language(metadata: dict[str, Any]) -> str:
    for key, inner in (("language_info", "name"), ("kernelspec", "language")):
        value = _object(metadata.get(key)).get(inner)
        if isinstance(value, str) and re.fullmatch(r"[\w+#.-]{1,20}", value):
            return value.lower()
    return ""


def _add_cell(builder: TextBuilder, cell: dict[str, Any], language: str) -> None:
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input")))
    if kind == "code":
        builder.code(without_data(source), language)
        for output in _list(cell.get("outputs")):
            _add_output(builder, _object(output))
    elif kind == "heading":
        level = cell.get("level")
        builder.heading(level if isinstance(level, int) else 1, source, anchored=False)
    else:
        builder.block(clean_markdown(_with_attachments(source, _object(cell.get("attachments")))))


def _with_attachments(source: str, attachments: dict[str, Any]) -> str:
    """Return Markdown with the pictures in it that lie in its cell ("attachment:plot.png")."""
    for name, kinds in attachments.items():
        if uri := _picture_in(_object(kinds)):
            source = source.replace(f"(attachment:{name})", f"({uri})")
    return source


def _picture_in(data: dict[str, Any]) -> str:
    """Return a picture among the forms of an output, as a URI; empty if there is none."""
    kind = next((kind for kind in _PICTURES if kind in data), "")
    return f"data:{kind};base64,{''.join(_joined(data[kind]).split())}" if kind else ""


def _add_output(builder: TextBuilder, output: dict[str, Any]) -> None:
    data = output.get("data")
    if output.get("output_type") in ("error", "pyerr"):
        text = f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
    elif isinstance(data, dict) and (markdown := _joined(data.get("text/markdown"))):
        builder.block(clean_markdown(markdown))
        return
    elif isinstance(data, dict):
        text = _joined(data.get("text/plain"))
        if re.fullmatch(r"<[\w.][^\n]*>", text.strip()):
            text = ""  # "<Figure size 640x480 with 1 Axes>": the name of a picture
    else:
        text = _joined(output.get("text"))
    builder.code(_cut(without_data(_ANSI.sub("", text)).strip("\n")))
    if isinstance(data, dict):
        builder.block(picture("", _picture_in(data)))


def _cut(text: str) -> str:
    """Return an output's beginning and end, with "…" between them, if it is long."""
    first, last = _OUTPUT_LINES
    lines = text.split("\n")
    if len(lines) > first + last + 1:
        text = "\n".join([*lines[:first], "…", *lines[-last:]])
    first, last = _OUTPUT_LENGTH
    return text if len(text) <= first + last else f"{text[:first]}…\n…{text[-last:]}"


def _joined(value: object) -> str:
    """Return a text that a notebook may also give as a list of its lines."""
    parts = [value] if isinstance(value, str) else _list(value)
    return "".join(part for part in parts if isinstance(part, str))
