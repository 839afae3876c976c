from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.sources import Support
from app.ui.chat.copying import clipboard_html, clipboard_markdown, copy_answer
from tests.support.chat_builders import cite, examined, exchange, source

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def test_clipboard_has_markdown_with_footnotes() -> None:
    answer = "A **claim**.\n\n- one\n- two\n"
    copied = exchange(
        answer=answer,
        citations=cite(answer, (1, "claim**."), (2, "two", False)),
        sources=(source(1, link="https://x.org/5"), source(2, lesson=None, title=""), source(3)),
    )
    assert clipboard_markdown(copied) == (
        "A **claim**.[^1]\n\n- one\n- two[^2] (could not be verified)\n\n"
        "[^1]: Course A, Lesson 5: Caching. https://x.org/5\n"
        "[^2]: Course A"
    )


def test_clipboard_html_is_plain_and_has_notes() -> None:
    answer = "A <b>claim</b>."
    copied = exchange(answer=answer, citations=cite(answer, (1, "claim</b>.")), sources=(source(1),))
    html = clipboard_html(copied)
    assert (
        html == "<p>A &lt;b&gt;claim&lt;/b&gt;.<sup>[1]</sup></p><hr><p>[1] Course A, Lesson 5: Caching</p>"
    )


def test_clipboard_without_citations_is_the_answer() -> None:
    assert clipboard_markdown(exchange(answer="Just **this**.\n")) == "Just **this**."


def test_copies_say_in_words_what_marks_say_by_their_form() -> None:
    answer = "It rises. It costs 40 euros. It is cheese."
    copied = examined(
        answer,
        ("It rises.", Support.IN_LINE),
        ("It costs 40 euros.", Support.NOT_FOUND),
        ("It is cheese.", Support.QUOTE_FOUND),
        found=("It rises.",),
        sources=3,
    )
    text = clipboard_markdown(copied)
    assert text.startswith(
        "It rises.[^1] (found by Lectern) It costs 40 euros.[^2] (not found in the source) "
        "It is cheese.[^3] (quoted, but does not show this)\n\n[^1]: "
    )
    assert "<sup>[2]</sup> (not found in the source)" in clipboard_html(copied)


def test_a_very_long_answer_is_copied_as_markdown_only(qapp: QApplication) -> None:
    copy_answer(exchange(answer="Many **words**. " * 2000))
    mime = qapp.clipboard().mimeData()
    assert mime.text().count("**words**") == 2000
    assert not mime.hasHtml()
