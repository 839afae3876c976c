from app.markup.formulas import one_line, plain_text, without_signs


def test_signs_within_a_line_go_and_other_signs_stay() -> None:
    assert without_signs("The **mean** of `x`, see [there](a.html)") == "The mean of x, see there"
    assert without_signs("2 * 3 * 4 and a_b_c") == "2 * 3 * 4 and a_b_c"


def test_a_text_is_read_without_signs_and_formulas_keep_their_own() -> None:
    assert plain_text("The **slope $m$** of $y^* = m x^*$") == "The slope m of y^* = m x^*"
    assert plain_text("$$a_1 * a_2$$") == "a_1 * a_2"
    assert plain_text("`x**2` for $5 or 6$") == "x**2 for $5 or 6$"


def test_what_cannot_be_drawn_is_written_in_one_line_of_signs() -> None:
    assert one_line(r"The **mean** is $\bar{x} = \frac{1}{n} \sum_{i=1}^n x_i$") == (
        "The mean is x̄ = 1/n ∑_(i=1)^n x_i"
    )
    assert one_line(
        r"$$\hat\beta \leq \frac{1}{\sqrt{2\pi}}, \mathrm{sup}\,\{\alpha, 2\} \cdot \sup A$$"
    ) == ("β̂ ≤ 1/(√(2π)), sup {α, 2} · sup A")
    assert one_line("What is it?\n\n```python\nprint(1)\n```\n") == "What is it? print(1)"
