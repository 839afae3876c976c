from __future__ import annotations

import pytest

from app.core.documents.readers import ReaderError
from app.core.documents.readers.text_builder import TextBuilder
from app.domain.documents import Anchor, AnchorMark


def test_what_holds_no_text_leaves_neither_block_nor_anchor() -> None:
    builder = TextBuilder()
    builder.anchor("page", 1)
    builder.block(" \n")
    builder.heading(1, "\u200b")
    builder.code(" ")
    builder.table([["", " "]])
    builder.run_on("")
    builder.anchor("page", 2)
    builder.block("a")
    assert builder.finish().text == "a"
    assert builder.finish().marks == (AnchorMark(0, Anchor("page", 2)),)


def test_more_text_than_any_course_material_has() -> None:
    builder = TextBuilder()
    builder.block("x" * (32 * 2**20 - 2))
    with pytest.raises(ReaderError, match="too_much_text"):
        builder.block("y")


def test_code_stands_between_fences_that_it_does_not_hold() -> None:
    builder = TextBuilder()
    builder.code("```\n\tindented\n````", "md")
    assert builder.finish().text == "`````md\n```\n    indented\n````\n`````"
