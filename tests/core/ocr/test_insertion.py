"""Recognized pages stand where they belong, and what was kept of them is used only if it is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.ocr.kept_texts import RecognizedTexts, ScannedPages, with_recognized
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.pages import RecognizedLine

if TYPE_CHECKING:
    from pathlib import Path

DIGEST = "ab" * 32
READ = DocumentText(
    "Second.\n\nFifth.", (AnchorMark(0, Anchor("page", 2)), AnchorMark(9, Anchor("page", 5))), DIGEST
)


def test_pages_are_put_between_those_with_text() -> None:
    whole = with_recognized(READ, {6: "Sixth.", 3: "Third.", 1: "First.", 4: ""}, "a.pdf")
    assert whole.text == "First.\n\nSecond.\n\nThird.\n\nFifth.\n\nSixth."
    places = [(mark.anchor.kind, mark.anchor.value, whole.text[mark.start :][:3]) for mark in whole.marks]
    assert places == [
        ("scan", 1, "Fir"),
        ("page", 2, "Sec"),
        ("scan", 3, "Thi"),
        ("page", 5, "Fif"),
        ("scan", 6, "Six"),
    ]
    assert whole.sha256 == DIGEST
    assert with_recognized(READ, {}, "a.pdf") == READ
    assert with_recognized(DocumentText(""), {1: "All."}, "a.pdf").text == "All."


def test_what_was_recognised_is_kept_until_its_file_is_forgotten(tmp_path: Path) -> None:
    texts = RecognizedTexts(tmp_path / "ocr")
    assert texts.of(DIGEST) is None
    scanned = ScannedPages(DIGEST, (1, 3), {1: "Erste Seite mit Ümlaut"})
    texts.keep(scanned)
    assert texts.of(DIGEST) == scanned
    assert scanned.waiting == [3]
    texts.forget_others({DIGEST})
    assert texts.of(DIGEST) == scanned
    texts.forget_others(set())
    assert texts.of(DIGEST) is None


def test_a_damaged_file_counts_as_none(tmp_path: Path) -> None:
    texts = RecognizedTexts(tmp_path)
    for content in ("{", "[]", '{"pages": 3}', '{"pages": [1], "texts": {"one": "x"}}'):
        (tmp_path / f"{DIGEST}.json").write_text(content, encoding="utf-8")
        assert texts.of(DIGEST) is None


def test_a_row_of_lines_cut_within_a_letter_costs_no_other(tmp_path: Path) -> None:
    texts = RecognizedTexts(tmp_path)
    line = RecognizedLine("Übung", (1.0, 2.0), (3.0, 2.0), 1.0, ())
    texts.keep_lines(DIGEST, 1, [line])
    with (tmp_path / f"{DIGEST}.lines").open("ab") as file:
        file.write('\n[2,[["Ü'.encode()[:-1])
    texts.keep_lines(DIGEST, 3, [line])
    assert texts.lines(DIGEST) == {1: [line], 3: [line]}
