"""How the place of a source is named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.documents import Anchor
from app.features.study.model.names import ItemKind
from app.ui.widgets.source_labels import place_name
from tests.support.exported import item

if TYPE_CHECKING:
    from app.domain.documents import AnchorKind

HIT = item(ItemKind.CARD, "Why?").source.hit


@pytest.mark.parametrize(
    ("kind", "value", "pages", "name"),
    [
        ("page", 3, None, "page 3"),
        ("page", 3, (3, 5), "pages 3–5"),
        ("scan", 3, None, "page 3 (recognized text)"),
        ("slide", 2, None, "slide 2"),
        ("slide", 2, (2, 4), "slides 2–4"),
        ("slide_scan", 2, None, "slide 2 (recognized text)"),
        ("cell", 7, None, "cell 7"),
        ("cell", 7, (7, 8), "cells 7–8"),
        ("seconds", 75.0, None, "at 1:15"),
        ("heading", "Spring tides", None, "Spring tides"),
    ],
)
def test_a_place_is_named_by_what_its_file_has(
    kind: AnchorKind, value: object, pages: tuple[int, int] | None, name: str
) -> None:
    assert place_name(replace(HIT, anchor=Anchor(kind, value), pages=pages)) == name  # type: ignore[arg-type]


def test_no_place_has_no_name() -> None:
    assert place_name(HIT) == ""


@pytest.mark.parametrize("lesson", ["First-Order Functions", "first order functions › First-Order Functions"])
def test_headings_that_the_lesson_is_named_after_are_not_repeated(lesson: str) -> None:
    anchor = Anchor("heading", "First-Order Functions › First-Order Functions › Scope")
    assert place_name(replace(HIT, lesson_title=lesson, anchor=anchor)) == "Scope"
