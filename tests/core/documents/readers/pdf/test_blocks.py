from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.documents.readers.pdf.blocks import DocumentWords, PdfBlock, goes_on, page_blocks
from tests.support.pdf_runs import column, run

if TYPE_CHECKING:
    from app.core.documents.readers.pdf.lines import Run


def blocks(runs: list[Run]) -> list[PdfBlock]:
    return page_blocks(runs, DocumentWords(item.text for item in runs), 10)


def prose(*texts: str) -> list[PdfBlock]:
    return [PdfBlock("prose", text) for text in texts]


class TestVocabulary:
    @pytest.mark.parametrize(
        ("known", "before", "after", "whole"),
        [
            ("", "a gas called alco-", "hol leaves", "a gas called alcohol leaves"),
            ("well-known", "it is well-", "known here", "it is well-known here"),
            ("short term", "in the short-", "term view", "in the short-term view"),
            ("alcohol", "a gas called alco-", "hol leaves", "a gas called alcohol leaves"),
            ("", "by Watson-", "Crick", "by Watson-Crick"),
            ("", "in 1914-", "18 there", "in 1914-18 there"),
            ("", "no hyphen", "at all", "no hyphen at all"),
        ],
    )
    def test_lines_are_joined(self, known: str, before: str, after: str, whole: str) -> None:
        assert DocumentWords([known]).joined(before, after) == whole

    @pytest.mark.parametrize(
        ("before", "after", "does"),
        [
            ("the text that", "goes on", True),
            ("the text ends.", "goes on", False),
            ("the text that", "Goes on", False),
        ],
    )
    def test_a_paragraph_may_go_on_at_the_next_column(self, before: str, after: str, does: bool) -> None:
        assert goes_on(before, after) is does


class TestProse:
    def test_lines_become_a_paragraph_and_a_gap_ends_it(self) -> None:
        first = column(
            ["This is the first line of a paragraph that", "goes on in its second line to the end."], 50, 700
        )
        second = column(
            ["After a gap there is the next paragraph and", "its own second line as long as the rest."],
            50,
            660,
        )
        assert blocks([*first, *second]) == prose(
            "This is the first line of a paragraph that goes on in its second line to the end.",
            "After a gap there is the next paragraph and its own second line as long as the rest.",
        )

    def test_an_indent_begins_a_paragraph(self) -> None:
        lines = column(
            ["The first paragraph has two lines, and the", "second one fills the measure to its end."],
            50,
            700,
        )
        indented = run("Then an indent: a new paragraph begins.", 70, 676)
        assert blocks([*lines, indented])[1:] == prose(indented.text)

    def test_a_word_cut_at_the_end_of_a_line_is_whole_again(self) -> None:
        lines = [
            "The yeast eats the sugar and gives off alco-",
            "hol and gas, which blows up the small holes.",
        ]
        (block,) = blocks(column(lines, 50, 700))
        assert "gives off alcohol and gas" in block.text

    def test_larger_letters_are_a_title_even_over_two_lines(self) -> None:
        title = [run("How the Sea", 50, 740, height=20), run("Breathes", 50, 716, height=20)]
        text = column(
            ["Twice a day the water climbs the beach and", "twice it falls back again to where it was."],
            50,
            690,
        )
        assert [block.text for block in blocks([*title, *text])] == [
            "How the Sea Breathes",
            "Twice a day the water climbs the beach and twice it falls back again to where it was.",
        ]

    def test_a_list_has_a_line_for_each_item(self) -> None:
        items = ["The following must be at hand before you begin:", "• flour", "• water", "• salt and time"]
        (block,) = blocks(column(items, 50, 700))
        assert block.text.split("\n") == items

    def test_lines_of_a_table_of_contents_keep_their_numbers_apart(self) -> None:
        lines = ["Flour ............................. 3", "Water ............................. 12"]
        (block,) = blocks(column(lines, 50, 700))
        assert block.text == "Flour … 3\nWater … 12"

    def test_a_paragraph_goes_on_in_the_next_column(self) -> None:
        left = [f"this column has a line number {number:02}" for number in range(6)]
        right = [f"and the other one has its line {number}" for number in range(6)]
        (block,) = blocks([*column(left, 50, 700), *column(right, 250, 700)])
        assert block.text == " ".join([*left, *right])


class TestTables:
    def test_cells_below_each_other_are_rows(self) -> None:
        runs = [run("Swift", 50, 700), run("9000", 200, 700), run("Tern", 50, 688), run("35000", 200, 688)]
        assert blocks(runs) == [PdfBlock("table", "| Swift | 9000 |\n| Tern | 35000 |")]

    def test_numbers_set_to_the_right(self) -> None:
        runs = [run("Swift", 50, 700), run("9", 220, 700), run("Tern", 50, 688), run("35000", 200, 688)]
        assert blocks(runs) == [PdfBlock("table", "| Swift | 9 |\n| Tern | 35000 |")]

    def test_empty_cells_stay_empty(self) -> None:
        runs = [run("Week", 50, 700), run("Topic", 150, 700), run("Due", 300, 700)]
        runs += [run("1", 50, 688), run("Sorting", 150, 688)]
        runs += [run("2", 50, 676), run("Hashing", 150, 676), run("Essay", 300, 676)]
        assert blocks(runs) == [
            PdfBlock("table", "| Week | Topic | Due |\n| 1 | Sorting |  |\n| 2 | Hashing | Essay |")
        ]

    def test_a_cell_of_several_lines_is_one(self) -> None:
        runs = [run("Crumb", 50, 700), run("the inside", 150, 700)]
        runs += [run("Proof", 50, 684), run("the last rise of", 150, 684), run("a loaf", 150, 672)]
        runs += [run("Crust", 50, 656), run("the outside", 150, 656)]
        assert blocks(runs) == [
            PdfBlock(
                "table",
                "| Crumb | the inside |\n| Proof | the last rise of a loaf |\n| Crust | the outside |",
            )
        ]

    def test_numbered_formulas_are_lines(self) -> None:
        runs = [run("f(x) = ax + b", 100, 700), run("(3.1)", 300, 700)]
        runs += [run("g(x) = cx − d", 100, 680), run("(3.2)", 300, 680)]
        assert blocks(runs) == prose("f(x) = ax + b (3.1)\ng(x) = cx − d (3.2)")

    def test_a_numbered_list_keeps_its_numbers(self) -> None:
        numbers = [run(str(number), 20, 700 - 12 * number) for number in range(1, 11)]
        text = [run(f"Chapter about {word}", 60, 688 - 12 * n) for n, word in enumerate("abcdefghij")]
        (block,) = blocks([*numbers, *text])
        assert block.text.startswith("| 1 | Chapter about a |\n| 2 ")

    def test_prose_around_a_table_stays_prose(self) -> None:
        table = [run("Swift", 50, 680), run("9000", 200, 680), run("Tern", 50, 668), run("35000", 200, 668)]
        before, after = run("Birds fly far.", 50, 700), run("Nobody knows why.", 50, 640)
        assert [block.kind for block in blocks([before, *table, after])] == ["prose", "table", "prose"]

    def test_the_bullet_of_a_list_item_is_no_cell(self) -> None:
        runs = [run("•", 50, 700), run("flour", 80, 700), run("•", 50, 688), run("water", 80, 688)]
        assert all(block.kind == "prose" for block in blocks(runs))


class TestCode:
    def test_letters_of_one_width_keep_their_indents_and_blank_lines(self) -> None:
        lines = [("def water(flour):", 50, 700), ("half = flour / 2", 70, 688), ("return half", 70, 676)]
        lines.append(("water(500)", 50, 652))
        runs = [run(text, left, bottom, fixed=True) for text, left, bottom in lines]
        assert blocks(runs) == [
            PdfBlock("code", "def water(flour):\n    half = flour / 2\n    return half\n\nwater(500)")
        ]

    def test_one_line_of_it_is_part_of_the_text(self) -> None:
        (block,) = blocks([run("print(1)", 50, 700, fixed=True)])
        assert block == PdfBlock("prose", "print(1)")
