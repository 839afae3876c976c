"""Jupyter notebooks to text: Markdown as it stands, code between fences, outputs as text, long ones cut."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from app.core.documents.readers import ReaderError
from app.core.documents.readers.markdown import clean_markdown, without_data
from app.core.documents.readers.plain import decoded
from app.core.documents.readers.text_builder import TextBuilder, picture, unread

if TYPE_CHECKING:
    from app.domain.documents import DocumentText


# Of a long output its beginning and its end are kept: what is between them is data, not what a lesson says.
_OUTPUT_LINES = (18, 6)
_OUTPUT_LENGTH = (1100, 300)  # characters
_PICTURES = ("image/png", "image/jpeg", "image/gif")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read_notebook(data: bytes) -> DocumentText:
    """Read a notebook of format 3 or 4; each cell with text is an anchor, counted from 1."""
    try:
        notebook = _object(json.loads(decoded(data)))
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
