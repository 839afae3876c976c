from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.documents.readers.pdf.lines import PdfPage
from app.core.documents.readers.pdf.running_lines import without_repeated_lines, without_running_lines
from tests.support.pdf_runs import column, run

if TYPE_CHECKING:
    from app.core.documents.readers.pdf.lines import Run

WORDS = ("apples", "bread", "cheese", "dates", "eggs", "flour", "grapes", "honey")


def page(number: int, *around: Run) -> list[Run]:
    word = WORDS[number % len(WORDS)]
    body = [f"{word} stands in line {line} of this page" for line in ("one", "two", "three", "four", "five")]
    return [*around, *column(body, 50, 600)]


def kept(pages: list[list[Run]]) -> list[list[str]]:
    return [[run.text for run in runs] for runs in without_running_lines(pages)]


def body(number: int) -> list[str]:
    return [run.text for run in page(number)]


def test_a_header_with_its_number_goes_from_every_page() -> None:
    pages = [page(n, run(f"Introduction to Baking {n + 1}", 50, 740)) for n in range(4)]
    assert kept(pages) == [body(n) for n in range(4)]


def test_a_footer_goes_and_what_only_one_page_says_stays() -> None:
    pages = [page(n, run("University of Nowhere", 50, 40)) for n in range(3)]
    pages[1].append(run("A note at the foot of page two.", 50, 100))
    assert kept(pages)[1] == [*body(1), "A note at the foot of page two."]
    assert kept(pages)[0] == body(0)


def test_page_numbers_go_by_their_offset() -> None:
    pages = [page(n, run(str(n + 17), 300, 40)) for n in range(4)]
    assert kept(pages) == [body(n) for n in range(4)]


def test_a_number_that_does_not_count_pages_stays() -> None:
    pages = [page(n, *([run("1984", 300, 740)] if n == 2 else [])) for n in range(4)]
    assert kept(pages)[2] == ["1984", *body(2)]


def test_page_x_of_y_goes_even_from_a_single_page() -> None:
    assert kept([page(0, run("Page 3 of 12", 250, 40))]) == [body(0)]
    assert kept([page(0, run("- 3 -", 250, 40))]) == [body(0)]


def test_words_repeated_within_the_text_stay() -> None:
    pages = [[*column(["Summary", "of the day", *body(n)], 50, 700)] for n in range(3)]
    assert all(texts[:2] == ["Summary", "of the day"] for texts in kept(pages))


def test_the_same_words_at_different_heights_are_no_header() -> None:
    pages = [page(n, run("Exercise", 50, 740 - 30 * n)) for n in range(4)]
    assert all("Exercise" in texts for texts in kept(pages))


def test_a_chapter_name_over_a_few_pages_of_many_goes() -> None:
    pages = [
        page(n, run("The Chapter of Salt" if n < 6 else f"Opening {WORDS[n % 8]}", 50, 740))
        for n in range(30)
    ]
    texts = kept(pages)
    assert texts[0] == body(0)
    assert texts[5] == body(5)


def test_first_lines_that_differ_stay() -> None:
    pages = [page(n, run(f"Number {n} is about {WORDS[n % 8]} and {n} more", 50, 740)) for n in range(32)]
    assert all(len(texts) == 6 for texts in kept(pages))


def test_the_title_of_several_slides_stays() -> None:
    pages = [page(n, run("Merging two lists", 50, 740, height=20)) for n in range(8)]
    pages += [page(n, run(f"On {WORDS[n % 8]}", 50, 740, height=20)) for n in range(22)]
    assert [texts[0] for texts in kept(pages)[:8]] == ["Merging two lists"] * 8


def test_what_slides_repeat_step_by_step_stays() -> None:
    steps = [
        [f"First we divide the {word}.", f"Then we sort the {word}.", f"Then we merge the {word}."][: n + 1]
        for word in WORDS[:3]
        for n in range(3)
    ]
    footer = run("Sorting, spring", 50, 20, height=5)
    pages = [[*column(lines, 50, 300), footer] for lines in steps]
    texts = without_running_lines(pages, slides=True)
    assert [[run.text for run in runs] for runs in texts] == steps


def test_the_titles_of_slides_stay_where_a_page_has_several_of_them() -> None:
    slides = [
        [title, *(f"Step {step} of {WORDS[number]}" for step in range(1, 2 + number % 3))]
        for title in ("Merge sort", "Heaps")
        for number in range(8)
    ]
    pages = [
        [*column(slides[number], 50, 780), *column(slides[number + 1], 50, 380)]
        for number in range(0, len(slides), 2)
    ]
    headed = [[run("Algorithms, spring", 50, 820), *runs] for runs in pages]
    assert kept(headed) == [[run.text for run in runs] for runs in pages]


def test_slides_on_upright_pages_stay_as_they_are() -> None:
    steps = [["Overload", "There is too much of it"], ["Overload", "There is too much of it", "and more"]] * 3
    pages = [
        PdfPage([run(line, 50, 700 - 40 * row, height=24) for row, line in enumerate(lines)])
        for lines in steps
    ]
    texts = [[run.text for run in page.runs] for page in without_repeated_lines(pages)]
    assert texts == steps


def test_a_page_keeps_its_words_if_it_has_no_others() -> None:
    pages = [page(n, run("The Chapter of Salt", 50, 740)) for n in range(5)]
    assert kept([*pages, [run("The Chapter of Salt", 50, 740)]])[-1] == ["The Chapter of Salt"]


def test_numbers_within_a_line_tell_lines_apart() -> None:
    pages = [page(n, run(f"with {n * n} parts of flour", 50, 740)) for n in range(4)]
    assert all("parts of flour" in texts[0] for texts in kept(pages))


def test_no_pages() -> None:
    assert kept([]) == []
    assert kept([[]]) == [[]]
