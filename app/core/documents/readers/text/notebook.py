"""Jupyter notebooks to text: Markdown as it is, code between fences, short outputs as text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from app.core.documents.text.text_builder import TextBuilder
from app.domain.errors import UnreadableFile

if TYPE_CHECKING:
    from app.domain.documents import DocumentText

_OUTPUT_LINES = 25
_OUTPUT_LENGTH = 1500  # characters; what is longer is data, not what a lesson says
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_EMBEDDED = re.compile(r"!\[([^\]\n]*)\]\((?:attachment:|data:)[^)\n]*\)")


def read_notebook(text: str, name: str) -> DocumentText:
    """Read a notebook of format 3 or 4; each cell with text is an anchor, counted from 1.

    Raises:
        UnreadableFile: it is not a notebook, or damaged.
    """
    damaged = UnreadableFile(f"{name} can not be read as a notebook: the file is damaged.")
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise damaged from error
    if not isinstance(notebook, dict):
        raise damaged
    cells = notebook.get("cells")
    if cells is None and isinstance(notebook.get("worksheets"), list):
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    if not isinstance(cells, list):
        raise damaged
    builder = TextBuilder(name)
    language = _language(notebook)
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict):
            builder.anchor("cell", number)
            _add_cell(builder, cell, language)
    return builder.finish()


def _language(notebook: dict[str, object]) -> str:
    metadata = notebook.get("metadata")
    for key, inner in (("language_info", "name"), ("kernelspec", "language")):
        entry = metadata.get(key) if isinstance(metadata, dict) else None
        value = entry.get(inner) if isinstance(entry, dict) else None
        if isinstance(value, str) and re.fullmatch(r"[\w+#.-]{1,20}", value):
            return value.lower()
    return ""


def _add_cell(builder: TextBuilder, cell: dict[str, object], language: str) -> None:
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input")))
    if kind == "code":
        builder.code(source, language)
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            if isinstance(output, dict):
                _add_output(builder, output)
    elif kind == "heading":
        level = cell.get("level")
        builder.heading(level if isinstance(level, int) else 1, source, anchored=False)
    else:
        builder.block(_EMBEDDED.sub(r"\1", source))


def _add_output(builder: TextBuilder, output: dict[str, object]) -> None:
    data = output.get("data")
    if output.get("output_type") in ("error", "pyerr"):
        text = f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
    elif isinstance(data, dict):
        text = _joined(data.get("text/plain"))
        if re.fullmatch(r"<[\w.]+[^\n]*>", text.strip()):
            text = ""  # "<Figure size 640x480 with 1 Axes>": the name of a picture
    else:
        text = _joined(output.get("text"))
    text = _ANSI.sub("", text).strip("\n")
    if len(text) <= _OUTPUT_LENGTH and text.count("\n") < _OUTPUT_LINES:
        builder.code(text)


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
