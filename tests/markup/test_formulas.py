"""Formulas in Markdown: what is one, what is not, and what becomes of them in HTML."""

from __future__ import annotations

import time

import pytest

from app.markup.formulas import formulas_in, open_formula
from app.markup.markdown_blocks import BlockSplitter, split_blocks
from app.markup.markdown_html import markdown_to_html
from tests.support.chat_builders import cite
from tests.support.pace import slowness


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$x$ and $y_1$.", ["$x$", "$y_1$"]),
        (r"\(a+b\) and \[c\]", [r"\(a+b\)", r"\[c\]"]),
        ("so $$\nx\n$$ holds", ["$$\nx\n$$"]),
        (r"\begin{align*} a &= b \end{align*}", [r"\begin{align*} a &= b \end{align*}"]),
        ("the $n$th and $x$-axis", ["$n$", "$x$"]),
        (r"$x = \$5$", [r"$x = \$5$"]),
        ("for $i = 1$ to $n$", ["$i = 1$", "$n$"]),
        ("$2^n$ and $100", ["$2^n$"]),
        ("$5 to $10 and $x$", ["$x$"]),
        ("`$x$` and ``a ` $y$`` and $z$", ["$z$"]),
        (r"price \$5 and $6$", ["$6$"]),
        ("It costs $5 to $10.", []),
        ("US$5 or 10$", []),
        ("$5, or 10$ total", []),
        ("$1.5 million$ now", []),
        ("$HOME and $PATH", []),
        ("$ x $", []),
        ("$$ $$", []),
        ("$a\n\nb$", []),
        (r"\begin{theorem} x \end{theorem}", []),
        ("$" + "x" * 2_000 + "$", []),
    ],
)
def test_finds_formulas_and_no_money(text: str, expected: list[str]) -> None:
    assert [text[found.start : found.end] for found in formulas_in(text)] == expected


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (r"so $\frac{a", 3),
        ("so $$\nx =", 3),
        (r"so \[ x", 3),
        (r"so \begin{align} x", 3),
        ("so \\", 3),
        ("costs $5 and", None),
        ("costs $ and", None),
        ("so $x$", None),
        ("`code $x", 6),
        ("$x\n\nmore", None),
    ],
)
def test_an_unfinished_formula_is_held_back(text: str, start: int | None) -> None:
    assert open_formula(text) == start


def test_while_it_streams_only_whole_formulas_are_shown() -> None:
    answer = "The rule:\n$$\nx = \\frac{a}{b}\n$$\nHere $y$ is *it*, for $5."
    splitter = BlockSplitter()
    for at, sign in enumerate(answer):
        finished = splitter.feed(sign)
        shown = [answer[block.start : block.end] for block in (*finished, *splitter.open_blocks())]
        for text in shown:
            outside = text
            for found in reversed(formulas_in(text)):
                outside = outside[: found.start] + outside[found.end :]
            assert "\\frac" not in outside, at
            assert "$" not in outside.replace("$5", ""), at
    assert [block.kind for block in split_blocks(answer)] == ["paragraph", "formula", "paragraph"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let $x_1*y*z_2$ be", '<p>Let <span class="formula">$x_1*y*z_2$</span> be</p>'),
        ("**so $a$**", '<p><strong>so <span class="formula">$a$</span></strong></p>'),
        ("$$\na\n- b\n# c\n$$", '<p class="formula"><span class="formula">$$\na\n- b\n# c\n$$</span></p>'),
        ("# On $$x$$", '<h1>On <span class="formula">$x$</span></h1>'),
        ("$a<b$", '<p><span class="formula">$a&lt;b$</span></p>'),
        ("`$x$`", "<p><code>$x$</code></p>"),
        (
            "> so $$x$$ is",
            '<blockquote><p>so</p><p class="formula"><span class="formula">$$x$$</span></p>'
            "<p>is</p></blockquote>",
        ),
    ],
)
def test_html_has_the_source(text: str, expected: str) -> None:
    assert markdown_to_html(text) == expected


@pytest.mark.parametrize("opening", ["$$", r"\[", r"\begin{align}", "$$ x"])
def test_what_has_no_end_hides_nothing_behind_it(opening: str) -> None:
    rest = "| a | b |\n|-|-|\n| c | d |"
    for gap in ("\n", "\n\n", "\n" + "words\n" * 300):
        shown = markdown_to_html(f"{opening}{gap}{rest}")
        assert "<td>d</td>" in shown
        assert opening.removeprefix(r"\[") in shown  # "\[" is a bracket in Markdown
    assert markdown_to_html("$$") == "<p>$$</p>"


def test_in_a_list_a_formula_keeps_its_line() -> None:
    shown = markdown_to_html("1. A:\n   $$\n   x\n   - y\n   $$\n   more\n2. b \\(c\\)")
    assert "A:<br><span" in shown
    assert "</span><br>more" in shown
    assert shown.count("<li>") == 2


def test_a_cell_may_hold_a_bar_in_a_formula() -> None:
    shown = markdown_to_html("|a|b|\n|-|-|\n|$x|y$|$z$|")
    assert shown.count("<td>") == 2
    assert '<span class="formula">$x|y$</span>' in shown


@pytest.mark.parametrize("answer", ["Since $a b$ holds.", "Since $$a b$$", r"Since \(a b\) holds."])
def test_a_mark_divides_no_formula(answer: str) -> None:
    shown = markdown_to_html(answer, cite(answer, (1, "a")))
    assert "a b" in shown
    assert shown.count("\ue000") == 1


def test_a_mark_behind_a_displayed_formula_stays_on_its_line() -> None:
    answer = "So\n\n$$x$$\n\nand more."
    shown = markdown_to_html(answer, cite(answer, (1, "$$x$$")))
    assert "$$x$$</span>\ue000" in shown


@pytest.mark.parametrize(
    "text",
    [
        "$" * 10_000,
        "$a " * 3_000,
        r"\(" * 5_000,
        r"\begin{align}" * 800,
        "$$x" * 3_000,
        "$x$" * 3_000,
        "\\" * 10_000,
        "`" * 10_000,
        "".join("`" * count + "a" for count in range(1, 140)),
    ],
)
def test_takes_linear_time(text: str) -> None:
    before = time.thread_time()
    formulas_in(text)
    assert time.thread_time() - before < 0.4 * slowness()  # 0.09 on a machine that does nothing else
