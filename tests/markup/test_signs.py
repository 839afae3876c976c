from app.markup.signs import without_signs


def test_signs_within_a_line_go_and_other_signs_stay() -> None:
    assert without_signs("The **mean** of `x`, see [there](a.html)") == "The mean of x, see there"
    assert without_signs("2 * 3 * 4 and a_b_c") == "2 * 3 * 4 and a_b_c"
