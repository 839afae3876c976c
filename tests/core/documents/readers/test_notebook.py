from __future__ import annotations

import json

import pytest

from app.core.documents.readers import ReaderError
from app.core.documents.readers.markdown import read_notebook


def text_of(notebook: object) -> str:
    return read_notebook(json.dumps(notebook).encode()).text


def cells(*found: object) -> dict[str, object]:
    return {"cells": list(found), "metadata": {"kernelspec": {"language": "R"}}, "nbformat": 4}


def code(**output: object) -> dict[str, object]:
    return {"cell_type": "code", "source": "1 + 1", "outputs": [output]}


def test_format_3_has_worksheets_and_heading_cells() -> None:
    sheet = {
        "cells": [
            {"cell_type": "heading", "level": 2, "source": ["Wa", "ves"]},
            {"cell_type": "heading", "level": "?", "source": "Wind"},
            {"cell_type": "code", "input": ["x = 1"], "language": "python", "outputs": []},
        ]
    }
    assert text_of({"worksheets": [sheet, "?"], "nbformat": 3}) == "## Waves\n\n# Wind\n\n```\nx = 1\n```"


def test_code_is_in_the_language_of_the_notebook() -> None:
    assert text_of(cells({"cell_type": "code", "source": "1 + 1"})) == "```r\n1 + 1\n```"


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ({"output_type": "stream", "text": ["\x1b[31m2\x1b[0m\n"]}, "2"),
        ({"output_type": "execute_result", "data": {"text/plain": ["2"]}}, "2"),
        ({"output_type": "pyerr", "ename": "Oops", "evalue": "no"}, "Oops: no"),
        ({"output_type": "display_data", "data": {"text/plain": "<Figure size 640x480>"}}, ""),
        (
            {"output_type": "stream", "text": "line\n" * 30},
            "\n".join(["line"] * 18 + ["…"] + ["line"] * 6),
        ),
        ({"output_type": "stream", "text": "x" * 2000}, "x" * 1100 + "…\n…" + "x" * 300),
        ({"output_type": "display_data", "data": {"image/png": "…"}}, ""),
    ],
)
def test_outputs_are_text_of_which_long_ones_are_cut(output: dict[str, object], shown: str) -> None:
    expected = "```r\n1 + 1\n```" + (f"\n\n```\n{shown}\n```" if shown else "")
    assert text_of(cells(code(**output))) == expected


def test_the_text_of_cells_is_clean() -> None:
    data = "data:image/png;base64," + "iVBORw0KGgo" * 100
    markdown = {"cell_type": "markdown", "source": f"![]({data})<b>[Ice](i.html)</b>"}
    shown = code(
        output_type="display_data", data={"text/markdown": "**9** [m](m)", "text/plain": "<Markdown>"}
    )
    source = {"cell_type": "code", "source": f"show('{data}')"}
    assert text_of(cells(markdown, shown, source)) == (
        "Ice\n\n```r\n1 + 1\n```\n\n**9** m\n\n```r\nshow('data:…')\n```"
    )


def test_what_is_no_cell_or_output_is_passed_over() -> None:
    notebook = cells("?", {"cell_type": "code", "source": 3, "outputs": 5}, {"source": "end"})
    document = read_notebook(json.dumps(notebook).encode())
    assert document.text == "end"
    assert str(document.unread) == "2 of 3 cells could not be read."


@pytest.mark.parametrize(
    "content", [b"[]", b"{}", b'{"cells": 3}', b'{"worksheets": 3}', b"{", b"[" * 100_000]
)
def test_damaged(content: bytes) -> None:
    with pytest.raises(ReaderError):
        read_notebook(content)
