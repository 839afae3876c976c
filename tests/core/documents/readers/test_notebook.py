from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from app.core.documents.document_reader import read_document
from app.core.documents.readers import ReaderError
from app.core.documents.readers.markdown import read_notebook

if TYPE_CHECKING:
    from pathlib import Path


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


PLUTO = """### A Pluto.jl notebook ###
# v0.19.40

using Markdown

# ╔═╡ 00000000-0000-0000-0000-000000000001
PLUTO_PROJECT_TOML_CONTENTS = "[deps]"

# ╔═╡ aaaaaaaa-7c86-11ec-34ca-3347d6c19595
# ╠═╡ show_logs = false
norm(x)

# ╔═╡ bbbbbbbb-7c86-11ec-34ca-3347d6c19595
md\"\"\"
# The sphere

Since ``x^Tx=1``, we have $(br) this:

```math
x^T dx = 0
```
\"\"\"

# ╔═╡ cccccccc-7c86-11ec-34ca-3347d6c19595
md"One line."

# ╔═╡ dddddddd-7c86-11ec-34ca-3347d6c19595
md""\"""\"

# ╔═╡ Cell order:
# ╟─bbbbbbbb-7c86-11ec-34ca-3347d6c19595
# ╠═aaaaaaaa-7c86-11ec-34ca-3347d6c19595
# ╟─cccccccc-7c86-11ec-34ca-3347d6c19595
# ╟─dddddddd-7c86-11ec-34ca-3347d6c19595
# ╟─00000000-0000-0000-0000-000000000001
"""


def test_a_notebook_of_pluto_is_read_as_it_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "sphere.jl"
    path.write_text(PLUTO, encoding="utf-8")
    assert read_document(path).text == (
        "# The sphere\n\nSince $x^Tx=1$, we have   this:\n\n$$\nx^T dx = 0\n$$\n\n"
        "```julia\nnorm(x)\n```\n\nOne line."
    )
