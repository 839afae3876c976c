"""Pages as they are met: each a few lines, and what is read from it."""

from __future__ import annotations

import pytest

from app.core.documents.readers import ReaderError
from app.core.documents.readers.html import decode_html, has_tags, is_html, read_html

WORDS = "<p>" + "Words of the page. " * 20 + "</p>"
READ = ("Words of the page. " * 20).strip()


def text_of(page: str) -> str:
    return read_html(page.encode()).text


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>One<br>two", "One\ntwo"),
        ("<ol start=3><li>three<li>four</ol>", "3. three\n4. four"),
        ("<ol start=x><li>one</ol>", "1. one"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><p>loose</p><li>a</ul>", "loose\n\n- a"),
        ("<dl><dt>term<dd>meaning</dl>", "term\n\n  meaning"),
        ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
        ("<pre class='brush: js'>a<br>b</pre>", "```js\na\nb\n```"),
        ("<pre><code><div>a</div><div>b</div></code><button>Copy</button></pre>", "```\na\nb\n```"),
        ("<p>call <code>f()</code> and <kbd> </kbd>", "call `f()` and"),
        ("<p>2<sup>10</sup> is <a href=#>#</a>big", "2^10 is big"),
        (
            "<table><caption>Fats</caption><tr><td>a<td>b<tr><td>c<td>d</table>",
            "Fats\n\n| a | b |\n| c | d |",
        ),
        ("<p><img alt='a cat on a mat'><img alt='logo'>", "[Picture: a cat on a mat]"),
        ("<p><img class='tex' alt='x^2'>", "$x^2$"),
        ("<p><script type='math/tex'>x^2</script>", "$x^2$"),
        ("<p><math alttext='x^2'><mi>x</mi></math>", "$x^2$"),
        ("<p><math><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></math>", "$x_1$"),
        ("<p><math><mi>x</mi><mn>2</mn></math>", "x2"),
        ("<p>seen<div hidden>not</div><div style='display: none'>not</div><p aria-hidden=true>not", "seen"),
        ("<div role=navigation>Menu</div><p>text", "text"),
        ("<header>Site</header><p>text<footer>Imprint</footer>", "text"),
        ("<!-- note --><p>text<!-- note --> goes on", "text goes on"),
    ],
)
def test_elements(page: str, expected: str) -> None:
    assert text_of(page) == expected


def test_the_main_part_counts_and_of_several_articles_all() -> None:
    assert text_of(f"<p>Around</p><main>{WORDS}</main>") == READ
    assert text_of(f"<p>Around</p><article>{WORDS}</article>") == READ
    assert text_of(f"<p>All</p><article>{WORDS}</article><article><p>Two</p></article>").startswith("All\n\n")
    assert text_of(f"<main><p>Short</p></main>{WORDS}{WORDS}").count(READ) == 2


def test_a_title_that_the_first_heading_says_is_not_said_twice() -> None:
    assert text_of("<title>Salt – Nowhere</title><h2>Salt</h2><p>x") == "## Salt\n\nx"
    assert text_of("<title>Salt</title><p>x") == "# Salt\n\nx"


def test_encodings() -> None:
    assert decode_html(b"<?xml version='1.0' encoding='iso-8859-2'?><p>\xb3") == (
        "<?xml version='1.0' encoding='iso-8859-2'?><p>ł"
    )
    assert (
        decode_html(b"<meta charset=nonsense><p>caf\xe9 au lait") == "<meta charset=nonsense><p>café au lait"
    )
    assert "café" in decode_html("<meta charset=utf-16><p>café".encode("utf-16"))


def test_what_is_a_page() -> None:
    assert is_html(b"\xef\xbb\xbf <!-- a --><!-- b --><!DOCTYPE html>")
    assert is_html("<html><p>".encode("utf-16"))
    assert not is_html(b"<h1>a heading in Markdown")
    assert has_tags(b"<h1>a heading in Markdown")
    assert not has_tags(b"1 < 2")


def test_nothing_at_all() -> None:
    with pytest.raises(ReaderError):
        text_of("<!-- -->")
