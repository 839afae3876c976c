from __future__ import annotations

import re
import time
from html import unescape

import pytest

from app.markup.markdown_blocks import BlockSplitter, split_blocks
from app.markup.markdown_html import markdown_to_html
from tests.support.pace import slowness


def kinds(source: str) -> list[str]:
    return [block.kind for block in split_blocks(source)]


def pieces(source: str) -> list[str]:
    return [source[block.start : block.end] for block in split_blocks(source)]


def flat(html: str) -> str:
    return re.sub(r">\n+<", "><", html).replace("\n", " ").strip()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("one\ntwo\n\nthree", ["paragraph", "paragraph"]),
        ("text:\n- a\n- b\nlazy\n\nmore", ["paragraph", "list", "paragraph"]),
        ("- a\n\n  still a\n\n- b", ["list"]),
        ("- a\n1. b", ["list", "list"]),
        ("text\n1986. A year is not a list", ["paragraph"]),
        ("text\n1. one\n2. two", ["paragraph", "list"]),
        ("text\n```py\ncode\n\n- no list\n```\nafter", ["paragraph", "fence", "paragraph"]),
        ("- item\n  ```\n  code\n\n  more\n  ```\n- item", ["list"]),
        ("# Head\ntext\nUnder\n---\n\n---", ["heading", "heading", "rule"]),
        ("some text\n| a | b |\n|---|---|\n| 1 | 2 |\nafter", ["paragraph", "table", "paragraph"]),
        ("> quote\n> ```\n> code\n> ```\nafter\n\nend", ["quote", "paragraph"]),
        ("    code\n\n    code\ntext", ["code", "paragraph"]),
        ("```\nnever closed", ["fence"]),
        ("#hashtag is no heading", ["paragraph"]),
        ("", []),
        ("\n\n  \n", []),
    ],
)
def test_blocks_are_cut(source: str, expected: list[str]) -> None:
    assert kinds(source) == expected


def test_blocks_hold_every_word() -> None:
    source = "a\n\n\n- b\n\n  c\n\nd | e\n-|-\nf | g\n\n# h\n> i\n\n    j\n```\nk\n"
    words = re.findall("[a-k]", "".join(pieces(source)))
    assert words == list("abcdefghijk")


def test_finished_blocks_do_not_depend_on_the_delivery() -> None:
    source = "one\ntwo\n\n- a\n  ```\n  x\n  ```\n- b\n\n| h |\n|-|\n| 1 |\n\ntext\n===\n> q\n"
    whole = split_blocks(source)
    for size in (1, 2, 3, 5, 8):
        splitter = BlockSplitter()
        blocks = []
        for start in range(0, len(source), size):
            blocks += splitter.feed(source[start : start + size])
            splitter.open_blocks()
        assert blocks + splitter.finish() == whole


def test_open_blocks_leave_out_signs_that_may_become_anything() -> None:
    splitter = BlockSplitter()
    assert splitter.feed("some text\n-") == []
    assert [block.kind for block in splitter.open_blocks()] == ["paragraph"]
    splitter.feed(" an item")
    assert [block.kind for block in splitter.open_blocks()] == ["paragraph", "list"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "**b** *i* `c<` ~~d~~ a\\*b",
            "<p><strong>b</strong> <em>i</em> <code>c&lt;</code> <del>d</del> a*b</p>",
        ),
        ("\\< \\~ \\& \\$ \\= \\| \\1", "<p>&lt; ~ &amp; $ = | \\1</p>"),
        (
            "- a\n  > b\n  > c\n- d",
            "<ul><li><p>a</p><blockquote><p>b c</p></blockquote></li><li><p>d</p></li></ul>",
        ),
        ("snake_case_name", "<p>snake_case_name</p>"),
        ("- a\n  - b\n    - c\n- d", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"),
        ("1. a\n   - b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"),
        ("3) a\n4) b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("|a|b|\n|-|-:|\n|1|2<br>3|", None),
        ("# A *b* #", "<h1>A <em>b</em></h1>"),
        ("> a\n> - b", "<blockquote><p>a</p><ul><li>b</li></ul></blockquote>"),
        ("[1]: http://x.org", '<p>[1]: <a href="http://x.org">http://x.org</a></p>'),
        (
            "(see https://x.org/a_(b)_c.)",
            '<p>(see <a href="https://x.org/a_(b)_c">https://x.org/a_(b)_c</a>.)</p>',
        ),
        ("**https://x.org**", '<p><strong><a href="https://x.org">https://x.org</a></strong></p>'),
        ("[http://x.org](http://y.org)", '<p><a href="http://y.org">http://x.org</a></p>'),
        ("`http://x.org`", "<p><code>http://x.org</code></p>"),
        ("- [ ] a\n- [x] b\n- [y] c", "<ul><li>\u2610 a</li><li>\u2611 b</li><li>[y] c</li></ul>"),
        ("a [x][1] b", "<p>a [x][1] b</p>"),
        ("It rises.[^1] It falls [^fn2].", "<p>It rises.<sup>1</sup> It falls <sup>fn2</sup>.</p>"),
        (
            "End.\n[^1]: The *tide*.\n[^2]: Ebb.",
            "<p>End.</p><p><sup>1</sup> The <em>tide</em>.</p><p><sup>2</sup> Ebb.</p>",
        ),
        ("`[^1]` and [^a-z]", "<p><code>[^1]</code> and [^a-z]</p>"),
        ("<https://x.org>", '<p><a href="https://x.org">https://x.org</a></p>'),
        ("~~~\n<b>\n~~~", '<pre><code class="language-">&lt;b&gt;</code></pre>'),
    ],
)
def test_markdown_becomes_html(source: str, expected: str | None) -> None:
    html = flat(markdown_to_html(source))
    if expected is None:
        assert '<th align="right">b</th>' in html
        assert re.search(r'<td align="right">2<br> ?3</td>', html)
    else:
        assert html == expected


@pytest.mark.parametrize("sign", ["&#xE002;", "&#57346;", "&#x0e002", "&#057346"])
def test_entities_forge_no_token(sign: str) -> None:
    end = sign.replace("2", "3") if "x" in sign else "&#57347;"
    assert "\ue002" not in markdown_to_html(f"a {sign}0{end} {sign} p9{end}")
    assert unescape(flat(markdown_to_html(f"`{sign};`"))) == f"<p><code>{sign};</code></p>"


def test_code_in_a_list_keeps_its_language_and_place() -> None:
    html = flat(markdown_to_html("1. Do:\n   ```python\n   def f():\n       pass\n   ```\n2. Then"))
    assert '<li><p>Do:</p><pre><code class="language-python">def f():     pass</code></pre></li>' in html
    assert html.count("<ol>") == 1


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "text <b onclick='x'>bold</b>",
        "<!-- c --> <style>p{}</style> <iframe src=//x></iframe>",
        "- <svg onload=x>\n- `<script>`",
        "> <script>x</script>",
        "| <script> |\n|-|\n| <img src=a> |",
        "# <script>x</script>",
        "```<script>\n</code></pre><script>x</script>\n```",
    ],
)
def test_raw_html_is_shown_and_never_is_html(source: str) -> None:
    html = markdown_to_html(source)
    tags = set(re.findall(r"<\s*/?\s*([a-zA-Z!]+)", html))
    assert tags <= {
        "p",
        "h",
        "ul",
        "li",
        "code",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "pre",
    }
    assert "&lt;" in html


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "vbscript:x",
        "cite:1/1",
        "retry:1",
        "relative/path",
        "//host/path",
        "#anchor",
        "\\\\host\\share",
    ],
)
@pytest.mark.parametrize("form", ["[t]({})", "![t]({})", "<{}>", "[t](<{}>)", "[t]( {} 'x')"])
def test_only_web_addresses_become_links(form: str, address: str) -> None:
    assert "href" not in markdown_to_html(form.format(address))


def test_a_picture_becomes_a_link_with_its_description() -> None:
    html = markdown_to_html("![A cat](https://x.org/cat.png) and ![](https://x.org/dog.png)")
    assert "<img" not in html
    assert '<a href="https://x.org/cat.png">A cat</a>' in html
    assert '<a href="https://x.org/dog.png">https://x.org/dog.png</a>' in html


@pytest.mark.parametrize(
    "source",
    [
        "*" * 3000,
        "[" * 3000,
        "![" * 1500,
        "`" * 3001,
        "> " * 2000 + "x",
        "- " * 2000 + "x",
        "".join(" " * (2 * i) + "- x\n" for i in range(150)),
        "|" * 3000 + "\n" + "|-" * 1500,
        "a" * 200_000,
        "**a " * 2000,
        "<" * 5000,
        "&" * 5000,
        "\ud800 \ufdd0 \ue0000v\ue001 \x00 \u2029",
        "_a" * 3000,
        "~~" * 2000,
    ],
    ids=range(15),
)
def test_hostile_text_is_handled_in_time(source: str) -> None:
    started = time.thread_time()
    html = markdown_to_html(source)
    assert time.thread_time() - started < 3 * slowness()
    assert html
    html.encode("utf-8")


def test_many_blocks_are_split_in_time() -> None:
    started = time.thread_time()
    assert len(split_blocks("# a\n" * 80_000)) == 80_000
    assert time.thread_time() - started < 4 * slowness()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("- one\n  > quoted", "<li><p>one</p><blockquote><p>quoted</p></blockquote></li>"),
        ("- ```py\n  x = 1", '<li><p>\u200b</p><pre><code class="language-py">x = 1</code></pre></li>'),
        ("- \u00a0```\n# x\n  ```", '<li><p>\u200b</p><pre><code class="language-"># x</code></pre></li>'),
        ("- a\n\n         code", "<li>a<pre><code>code</code></pre></li>"),
        ("- - - a", "<li>\u200b- - a</li>"),
    ],
    ids=["a quote after text", "code on a marker's line", "a hard space", "indented code", "markers"],
)
def test_lists_hold_what_models_put_into_them(source: str, expected: str) -> None:
    assert markdown_to_html(source).replace("\n", "") == f"<ul>{expected}</ul>"
