"""Lines with Hebrew or Arabic are read in the order in which a person reads them."""

from __future__ import annotations

import pytest

from app.core.documents.readers.pdf.pages import PdfPages
from app.core.documents.readers.pdf.reader import read_pdf
from app.core.documents.readers.pdf.right_to_left import runs_in_order
from app.core.documents.text.placement import places
from tests.support.hebrew_pages import hebrew_pdf, seen

HEBREW = "הירח מושך את המים וזה נקרא גאות"


def read(*lines: str) -> str:
    return " ".join(read_pdf(hebrew_pdf(lines)).text.split())


@pytest.mark.parametrize(
    "parts",
    [
        ("הירח מושך את המים (פעמיים ביום) וזה נקרא גאות.",),
        ("המונח ", "machine learning", " הוצג בשנת ", "1959", ", ראו פרק ", "3.2", " בספר."),
        ("הקורס ", "CS 101", " מתחיל ב-", "12/05/2024", " בשעה ", "10:30", " בבוקר."),
        ("כ-", "50%", " מהסטודנטים, לפי ", "Smith & Jones (2020)", ", עברו."),
        ("השתמשו בפונקציה ", "print(x)", " או ב-", "https://example.org/a", ".ד"),
    ],
)
def test_terms_and_numbers_stand_where_they_are_read(parts: tuple[str, ...]) -> None:
    assert read(seen(HEBREW), seen(*parts), seen(HEBREW)) == f"{HEBREW} {''.join(parts)} {HEBREW}"


def test_a_few_words_within_a_line_of_english() -> None:
    parts = ("The Hebrew words ", "שלום עולם", " mean hello world (", "שלום", " is also peace).")
    assert read(seen(*parts, backwards=False)) == "".join(parts)


def test_brackets_that_the_file_has_as_they_are_read() -> None:
    line = seen("סעיף ", "15", "(ב)(").translate(str.maketrans("()", ")("))
    assert read(seen(HEBREW), ")4" + line).endswith("סעיף 15(ב)(4)")


def test_a_sentence_is_found_on_its_page() -> None:
    parts = ("המונח ", "machine learning", " הוצג בשנת ", "1959", " בספר.")
    data = hebrew_pdf([seen(HEBREW), seen(*parts)])
    text, page = read_pdf(data).text, PdfPages(data).text(1)
    start = text.index("המונח")
    (found,) = places(text, [(start, len(text))], page.text)
    marked = "".join(page.text[at] for at in found)
    assert sorted(filter(str.isalnum, marked)) == sorted(filter(str.isalnum, "".join(parts)))


def test_letters_of_arabic_keep_their_order_where_they_stand_above_each_other() -> None:
    letters = [(sign, left, 0.0, left + 5, 12.0) for sign, left in zip("المج", (40, 35, 29, 30), strict=True)]
    (run,) = runs_in_order(letters, fixed=False, backwards=True)
    assert run.text == "المج"


def test_lam_and_alef_in_one_sign() -> None:
    box = (30.0, 0.0, 37.0, 12.0)
    glyphs = [("س", 37.0, 0.0, 45.0, 12.0), ("ا", *box), ("ل", *box), ("م", 22.0, 0.0, 30.0, 12.0)]
    (run,) = runs_in_order(glyphs, fixed=False, backwards=True)
    assert run.text == "سلام"


def test_a_line_is_cut_where_it_is_wide_open() -> None:
    glyphs = [("א", 90.0, 0.0, 96.0, 12.0), ("ב", 84.0, 0.0, 90.0, 12.0), ("ג", 20.0, 0.0, 26.0, 12.0)]
    runs = list(runs_in_order(glyphs, fixed=False, backwards=True))
    assert [(run.text, run.left, run.right) for run in runs] == [("ג", 20, 26), ("אב", 84, 96)]


@pytest.mark.parametrize("word", ["سلام", "س\u064eلام"])
def test_a_text_given_in_place_of_arabic_signs_is_read_once_and_forwards(word: str) -> None:
    signs = [(sign, 0.0, 0.0, 30.0, 10.0) for sign in reversed(word)]  # so PDFium gives it
    again = [(sign, 40.0, 0.0, 70.0, 10.0) for sign in reversed(word)]
    (run,) = runs_in_order([*signs, *again], fixed=False, backwards=True)
    assert run.text == word
